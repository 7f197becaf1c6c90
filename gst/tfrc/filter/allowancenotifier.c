/* gst-tfrc: tells what the encoder may use, upstream and by notify, in order
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/allowancenotifier.h"

/* What an encoder would not follow is no news: of the rate, of p, and of R, which
 * tells of a queue that fills. */
#define RATE_NOTICE 0.05
#define P_NOTICE 0.2
#define R_NOTICE 0.1

/* Said again though nothing changed: who averages over time, or waits for a
 * change to last, must hear that it lasts. */
#define REPEAT (500 * TFRC_MSEC)

static gboolean
differs (gdouble value, gdouble last, gdouble notice)
{
  return ABS (value - last) > notice * last;
}

/* Told for its own sake, not for a change of the rate. */
static gboolean
is_turn (const GstTfrcRate * rate, const GstTfrcRate * last)
{
  return rate->reason == GST_TFRC_RATE_START ||
      rate->reason == GST_TFRC_RATE_RESTART || rate->suspend != last->suspend;
}

static gboolean
is_change (const GstTfrcRate * rate, const GstTfrcRate * last)
{
  return differs (rate->X_wire, last->X_wire, RATE_NOTICE) ||
      differs (rate->bitrate, last->bitrate, RATE_NOTICE) ||
      differs (rate->p, last->p, P_NOTICE) ||
      differs (rate->R_sample, last->R_sample, R_NOTICE);
}

static gboolean
is_news (const GstTfrcNotifier * teller, const GstTfrcRate * rate, TfrcTime now)
{
  const GstTfrcRate *last = &teller->next;
  gboolean drop = rate->X_wire < last->X_wire * (1 - RATE_NOTICE) ||
      rate->bitrate < last->bitrate * (1 - RATE_NOTICE);

  if (!teller->open || is_turn (rate, last) || drop)
    return TRUE;
  return now - teller->time >= rate->R && (is_change (rate, last) ||
      now - teller->time >= REPEAT);
}

/* A property that stays but for a jitter is not notified when it is said again. */
static void
notify (GstTfrcNotifier * teller, GstElement * element,
    const GstTfrcRate * rate)
{
  if (!is_turn (rate, &teller->notified) &&
      !is_change (rate, &teller->notified))
    return;
  teller->notify (element, &teller->notified, rate);
  teller->notified = *rate;
}

void
gst_tfrc_notifier_init (GstTfrcNotifier * teller, GstTfrcNotifyFunc notify)
{
  /* a thread that is telling stays the one */
  gboolean busy = teller->busy;

  *teller = (GstTfrcNotifier) {
  .notify = notify,.busy = busy};
}

void
gst_tfrc_notifier_note (GstTfrcNotifier * teller, const GstTfrcRate * rate,
    TfrcTime now)
{
  GstTfrcRateReason reason = rate->reason;

  if (!is_news (teller, rate, now))
    return;
  /* what nobody was told yet keeps its reason */
  if (teller->pending && reason == GST_TFRC_RATE_REPORT)
    reason = teller->next.reason;
  teller->open = teller->pending = TRUE;
  teller->next = *rate;
  teller->next.reason = reason;
  teller->time = now;
}

void
gst_tfrc_notifier_run (GstTfrcNotifier * teller, GstElement * element,
    GstPad * pad, GMutex * lock)
{
  GstTfrcRate rate;

  g_mutex_lock (lock);
  if (teller->busy) {
    g_mutex_unlock (lock);
    return;
  }
  teller->busy = TRUE;
  while (teller->pending) {
    rate = teller->next;
    teller->pending = FALSE;
    g_mutex_unlock (lock);
    GST_DEBUG_OBJECT (element, "%s: %u bit/s, %u bytes/packet, X %g p %g",
        gst_tfrc_rate_reason_get_name (rate.reason), rate.bitrate,
        rate.payload_size, rate.X, rate.p);
    notify (teller, element, &rate);
    gst_pad_push_event (pad, gst_tfrc_rate_event_new (&rate));
    g_mutex_lock (lock);
  }
  teller->busy = FALSE;
  g_mutex_unlock (lock);
}
