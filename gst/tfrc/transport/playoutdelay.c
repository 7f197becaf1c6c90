/* gst-tfrc: how long a playout buffer waits when its delay follows the path
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/playoutdelay.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcplayoutdelay", "TFRC playout delay");

/* The delay moves by this share of the time that passes (percent): as much as sound can be stretched
 * without being heard. */
#define SLOPE 3

/* Send times that differ by less are those of one packet: RTP timestamps are rounded to ns. */
#define SAME (GST_MSECOND)

void
gst_tfrc_playout_delay_init (GstTfrcPlayoutDelay * delay, GstClockTime least,
    GstClockTime latency)
{
  *delay = (GstTfrcPlayoutDelay) {
      .latency = MAX (latency, least),
      .moved = GST_CLOCK_TIME_NONE
  };
  tfrc_adapt_playout_delay_init (&delay->choice, least, delay->latency);
  delay->delay = tfrc_adapt_playout_delay_get (&delay->choice);
}

void
gst_tfrc_playout_delay_begin (GstTfrcPlayoutDelay * delay, gint64 sent)
{
  delay->first = sent;
  delay->n = delay->next = 0;
}

/* Remembers the sound. Returns FALSE when it had come before, or is of before the stream. */
static gboolean
is_new (GstTfrcPlayoutDelay * delay, gint64 sent)
{
  guint i;

  if (sent < delay->first)
    return FALSE;
  for (i = 0; i < delay->n; i++) {
    if (ABS (delay->sounds[i] - sent) < (gint64) SAME)
      return FALSE;
  }
  delay->sounds[delay->next] = sent;
  delay->next = (delay->next + 1) % GST_TFRC_PLAYOUT_SOUNDS;
  delay->n = MIN (delay->n + 1, GST_TFRC_PLAYOUT_SOUNDS);
  return TRUE;
}

static void
move (GstTfrcPlayoutDelay * delay, GstClockTime now)
{
  gint64 chosen = tfrc_adapt_playout_delay_get (&delay->choice), most;

  if (GST_CLOCK_TIME_IS_VALID (delay->moved) && now > delay->moved) {
    most = (now - delay->moved) * SLOPE / 100;
    delay->delay += CLAMP (chosen - (gint64) delay->delay, -most, most);
  }
  delay->moved = now;
}

/* Sound of the send time `sent` has come now. */
static void
note_sound (GstTfrcPlayoutDelay * delay, const GstTfrcPlayoutTimes * times,
    gint64 sent, GstClockTime now)
{
  if (is_new (delay, sent))
    tfrc_adapt_playout_delay_on_sound (&delay->choice,
        (gint64) now - sent - times->offset, now);
}

void
gst_tfrc_playout_delay_on_packet (GstTfrcPlayoutDelay * delay,
    const GstTfrcPlayoutTimes * times, const GstTfrcPlayoutPacket * packet,
    GstClockTime gap)
{
  TfrcTime before = tfrc_adapt_playout_delay_get (&delay->choice), chosen;
  gint64 sent = gst_tfrc_playout_times_get_sent (times, packet->rtptime);
  GstClockTime now = packet->arrival;
  guint i;

  note_sound (delay, times, sent, now);
  for (i = 0; i < packet->n_copies; i++)
    note_sound (delay, times,
        gst_tfrc_playout_times_get_sent (times, packet->copies[i]), now);
  if (gap > 0 && packet->n_copies == 0)
    note_sound (delay, times, sent - (gint64) gap, now);
  move (delay, now);
  chosen = tfrc_adapt_playout_delay_get (&delay->choice);
  if (chosen != before)
    GST_DEBUG ("%" G_GUINT64_FORMAT " ms, towards %" G_GUINT64_FORMAT " ms",
        delay->delay / GST_MSECOND, chosen / GST_MSECOND);
}

void
gst_tfrc_playout_delay_set_path (GstTfrcPlayoutDelay * delay, GstClockTime path)
{
  tfrc_adapt_playout_delay_set_path (&delay->choice, path);
}

GstClockTime
gst_tfrc_playout_delay_get_advance (const GstTfrcPlayoutDelay * delay)
{
  return delay->latency - delay->delay;
}
