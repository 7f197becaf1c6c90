/* gst-tfrc: chooses the operating point of tfrcencodebin from rate events
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/operatingpointchooser.h"

struct _GstTfrcChooser
{
  GMutex lock;
  TfrcAdapt *adapt;             /* NULL until configured */
  gboolean adaptive;
  gboolean configured;          /* since the last poll */
  guint bits;                   /* TfrcAdaptBits since the last poll */
  TfrcAdaptChoice last;         /* of the last poll */
  gboolean has_conditions;
  TfrcAdaptConditions conditions;       /* of the last rate event; a new ladder starts with them */
};

GstTfrcChooser *
gst_tfrc_chooser_new (void)
{
  GstTfrcChooser *chooser = g_new0 (GstTfrcChooser, 1);

  g_mutex_init (&chooser->lock);
  return chooser;
}

void
gst_tfrc_chooser_free (GstTfrcChooser * chooser)
{
  g_free (chooser->adapt);
  g_mutex_clear (&chooser->lock);
  g_free (chooser);
}

void
gst_tfrc_chooser_configure (GstTfrcChooser * chooser,
    const TfrcAdaptPoint * ladder, guint n, const TfrcAdaptConfig * config,
    gboolean adaptive, GstClockTime now)
{
  g_mutex_lock (&chooser->lock);
  g_clear_pointer (&chooser->adapt, g_free);
  if (n > 0) {
    chooser->adapt = tfrc_adapt_init (g_malloc (tfrc_adapt_size (n)), config,
        ladder, n, now);
    chooser->adaptive = adaptive;
    chooser->configured = TRUE;
    if (adaptive && chooser->has_conditions)
      tfrc_adapt_on_conditions (chooser->adapt, &chooser->conditions, now);
  }
  g_mutex_unlock (&chooser->lock);
}

void
gst_tfrc_chooser_on_rate (GstTfrcChooser * chooser, const GstTfrcRate * rate,
    GstClockTime now)
{
  TfrcAdaptConditions conditions = { rate->mode, rate->header_size,
    rate->overhead, rate->allowance, rate->reason == GST_TFRC_RATE_NOFEEDBACK,
    rate->loss, (gdouble) rate->queue_delay / GST_SECOND, rate->suspend
  };

  g_mutex_lock (&chooser->lock);
  chooser->conditions = conditions;
  chooser->has_conditions = TRUE;
  if (chooser->adapt != NULL && chooser->adaptive)
    chooser->bits |= tfrc_adapt_on_conditions (chooser->adapt,
        &chooser->conditions, now);
  g_mutex_unlock (&chooser->lock);
}

void
gst_tfrc_chooser_on_encoded (GstTfrcChooser * chooser, gsize size,
    GstClockTime now)
{
  g_mutex_lock (&chooser->lock);
  if (chooser->adapt != NULL)
    tfrc_adapt_on_encoded (chooser->adapt, size, now);
  g_mutex_unlock (&chooser->lock);
}

static const gchar *
get_reason (const TfrcAdaptChoice * old, const TfrcAdaptChoice * choice,
    guint bits)
{
  if (bits & TFRC_ADAPT_SUSPENDED)
    return "even the cheapest point needs more than is allowed";
  if (bits & TFRC_ADAPT_RESUMED)
    return "the average is within what is allowed again";
  if (!(bits & TFRC_ADAPT_POINT))
    return "the loss or the spacing of redundant copies is another";
  return choice->allowed < old->need ?
      "the point before needs more than is allowed" :
      "it is rated better than the point before";
}

const gchar *
gst_tfrc_chooser_poll (GstTfrcChooser * chooser, TfrcAdaptChoice * choice,
    GstClockTime now)
{
  const gchar *reason = NULL;

  g_mutex_lock (&chooser->lock);
  if (chooser->adapt != NULL) {
    if (chooser->adaptive && now >= tfrc_adapt_next_timer (chooser->adapt))
      chooser->bits |= tfrc_adapt_on_timer (chooser->adapt, now);
    tfrc_adapt_get_choice (chooser->adapt, choice);
    if (chooser->configured)
      reason = "the settings are new";
    else if (chooser->bits != 0)
      reason = get_reason (&chooser->last, choice, chooser->bits);
    chooser->configured = FALSE;
    chooser->bits = 0;
    chooser->last = *choice;
  }
  g_mutex_unlock (&chooser->lock);
  return reason;
}
