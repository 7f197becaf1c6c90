/* gst-tfrc: chooses how tfrcencodebin encodes, from its ladder and the rate events
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encodechooser.h"

#include <string.h>

#include "codec/codectable.h"

struct _GstTfrcChooser
{
  GMutex lock;
  TfrcAdapt *adapt;             /* NULL until configured */
  gboolean adaptive;
  guint min_bitrate, max_bitrate;       /* of the points that may be chosen, bit/s; 0: none */
  gboolean configured;          /* since the last poll */
  guint bits;                   /* TfrcAdaptBits since the last poll */
  gboolean answered;            /* the data receiver answers */
  gboolean told_answered;       /* the same at the last poll */
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

/* A choice that stays has one bit rate. */
static void
note_bitrates (GstTfrcChooser * chooser, const TfrcAdaptPoint * ladder, guint n)
{
  TfrcAdaptChoice choice;
  guint i;

  tfrc_adapt_get_choice (chooser->adapt, &choice);
  chooser->min_bitrate = chooser->max_bitrate = choice.point.bitrate;
  for (i = 0; chooser->adaptive && i < n; i++) {
    chooser->min_bitrate = MIN (chooser->min_bitrate, ladder[i].bitrate);
    chooser->max_bitrate = MAX (chooser->max_bitrate, ladder[i].bitrate);
  }
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
    note_bitrates (chooser, ladder, n);
    if (adaptive && chooser->has_conditions)
      tfrc_adapt_on_conditions (chooser->adapt, &chooser->conditions, now);
  }
  g_mutex_unlock (&chooser->lock);
}

static GstPadProbeReturn
add_bitrates (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcChooser *chooser = user_data;
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  guint min, max;
  GstCaps *caps;

  g_mutex_lock (&chooser->lock);
  min = chooser->min_bitrate;
  max = chooser->max_bitrate;
  g_mutex_unlock (&chooser->lock);
  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS || max == 0)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  caps = gst_caps_copy (caps);
  gst_caps_set_simple (caps, "tfrc-min-bitrate", G_TYPE_UINT, min,
      "tfrc-max-bitrate", G_TYPE_UINT, max, NULL);
  info->data = gst_event_new_caps (caps);
  gst_event_set_seqnum (info->data, gst_event_get_seqnum (event));
  gst_event_unref (event);
  gst_caps_unref (caps);
  return GST_PAD_PROBE_OK;
}

void
gst_tfrc_chooser_announce (GstTfrcChooser * chooser, GstPad * ghost)
{
  GstPad *pad = GST_PAD (gst_proxy_pad_get_internal (GST_PROXY_PAD (ghost)));

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, add_bitrates,
      chooser, NULL);
  gst_object_unref (pad);
}

/* Nobody answers before the first report, and from the expiry of the nofeedback timer to the next report. An event
 * that says that the flow is suspended tells nothing of that. */
static gboolean
is_answered (const GstTfrcChooser * chooser, const GstTfrcRate * rate)
{
  if (rate->reason == GST_TFRC_RATE_SUSPEND)
    return chooser->answered;
  return rate->allowance.R > 0 && rate->reason != GST_TFRC_RATE_NOFEEDBACK;
}

void
gst_tfrc_chooser_on_rate (GstTfrcChooser * chooser, const GstTfrcRate * rate,
    GstClockTime now)
{
  TfrcAdaptConditions conditions = { rate->mode, rate->header_size,
    rate->overhead, rate->allowance, rate->reason == GST_TFRC_RATE_NOFEEDBACK,
    rate->loss, (gdouble) rate->queue_delay / GST_SECOND, rate->suspend,
    rate->coupled == GST_TFRC_COUPLED_FIRST,
    (gdouble) rate->playout / GST_SECOND,
    (gdouble) rate->known_after / GST_SECOND
  };

  g_mutex_lock (&chooser->lock);
  chooser->conditions = conditions;
  chooser->has_conditions = TRUE;
  chooser->answered = is_answered (chooser, rate);
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
  if (bits == 0)
    return NULL;
  if (bits & TFRC_ADAPT_SUSPENDED)
    return "even the cheapest point needs more than is allowed";
  if (bits & TFRC_ADAPT_RESUMED)
    return "the average is within what is allowed again";
  if (!(bits & TFRC_ADAPT_POINT))
    return "the loss or the choice of redundant copies is another";
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
    else
      reason = get_reason (&chooser->last, choice, chooser->bits);
    if (reason == NULL && chooser->answered != chooser->told_answered)
      reason = chooser->answered ? "the data receiver answers" :
          "the data receiver does not answer";
    chooser->told_answered = chooser->answered;
    chooser->configured = FALSE;
    chooser->bits = 0;
    chooser->last = *choice;
  }
  g_mutex_unlock (&chooser->lock);
  return reason;
}

gboolean
gst_tfrc_chooser_is_answered (GstTfrcChooser * chooser)
{
  gboolean answered;

  g_mutex_lock (&chooser->lock);
  answered = chooser->told_answered;
  g_mutex_unlock (&chooser->lock);
  return answered;
}

/* --- the property "ladder" --- */

/* "24k/20" or "24000/20". */
static gboolean
parse_rate (const gchar * word, TfrcAdaptPoint * point)
{
  gchar *end;
  guint64 rate = g_ascii_strtoull (word, &end, 10), ptime;

  if (end == word)
    return FALSE;
  if (*end == 'k') {
    rate *= 1000;
    end++;
  }
  if (*end != '/')
    return FALSE;
  word = end + 1;
  ptime = g_ascii_strtoull (word, &end, 10);
  if (end == word || *end != '\0' || rate > G_MAXUINT32 || ptime > 1000)
    return FALSE;
  point->bitrate = rate;
  point->frame_us = ptime * 1000;
  return TRUE;
}

static gboolean
parse_option (const gchar * word, TfrcAdaptPoint * point)
{
  if (strcmp (word, "fec") == 0)
    point->fec = true;
  else if (strcmp (word, "red1") == 0)
    point->redundancy = 1;
  else if (strcmp (word, "red2") == 0)
    point->redundancy = 2;
  else if (strcmp (word, "stereo") == 0)
    point->channels = 2;
  else
    return FALSE;
  return TRUE;
}

/* Returns what is wrong with the point, or NULL. */
static const gchar *
parse_point (gchar ** words, TfrcAdaptPoint * point)
{
  const GstTfrcCodec *codec = gst_tfrc_codec_find (words[0]);

  if (codec == NULL)
    return "it does not begin with one of the codecs " GST_TFRC_CODEC_NAMES;
  *point = (TfrcAdaptPoint) {
      .codec = codec->id,
      .channels = 1};
  if (words[1] == NULL || !parse_rate (words[1], point))
    return "behind the codec there is no RATE/PTIME, such as 24k/20 for 24000 "
        "bit/s in packets of 20 ms";
  for (words += 2; *words != NULL; words++) {
    if (!parse_option (*words, point))
      return "behind RATE/PTIME there may only be fec, red1, red2, stereo";
  }
  return tfrc_adapt_point_is_valid (point) ? NULL :
      "the codec has no such bit rate or "
      "packet time, or not with that option: OPUS has 10, 20, 40 and 60 ms and "
      "6000 to 510000 bit/s, fec up to 40000 bit/s from 20 ms on; others have "
      "the bit rates of their standards, mono";
}

static gboolean
add_point (const gchar * text, TfrcAdaptPoint * point, GError ** error)
{
  gchar **words = NULL;
  const gchar *problem = g_shell_parse_argv (text, NULL, &words, NULL) ?
      parse_point (words, point) : "a point is empty, or has a quotation mark";

  if (problem != NULL)
    g_set_error (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "The property \"ladder\" cannot be used: in \"%s\" %s. Write it as "
        "\"OPUS 16k/60 fec, OPUS 32k/20 red1\".", text, problem);
  g_strfreev (words);
  return problem == NULL;
}

guint
gst_tfrc_ladder_parse (const gchar * text, TfrcAdaptPoint * points,
    GError ** error)
{
  gchar **parts = g_strsplit (text, ",", TFRC_ADAPT_LADDER_MAX);
  guint n = 0;

  while (parts[n] != NULL) {
    if (!add_point (g_strstrip (parts[n]), &points[n], error)) {
      n = 0;
      break;
    }
    n++;
  }
  if (n == 0 && error != NULL && *error == NULL)
    g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_SETTINGS,
        "The property \"ladder\" is empty: write points as \"OPUS 16k/60 fec, "
        "OPUS 32k/20 red1\", or do not set it.");
  g_strfreev (parts);
  return n;
}

guint
gst_tfrc_ladder_limit (const TfrcAdaptPoint * ladder, guint n,
    const TfrcAdaptLadderLimits * limits, TfrcAdaptPoint * points)
{
  guint i, kept = 0;

  for (i = 0; i < n; i++) {
    if (!(limits->codecs & (1u << ladder[i].codec)) || (limits->max_payload > 0
            && tfrc_adapt_point_get_payload_size (&ladder[i]) >
            limits->max_payload))
      continue;
    points[kept] = ladder[i];
    points[kept++].music = limits->music;
  }
  return kept;
}
