/* gst-tfrc: puts the RTP packets of one remote end in order and gives each its time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/playoutbufferprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcplayout", "TFRC playout buffer");

/* Places at first, and at most; powers of two. */
#define FIRST_SLOTS 8
G_STATIC_ASSERT ((GST_TFRC_PLAYOUT_MAX & (GST_TFRC_PLAYOUT_MAX - 1)) == 0);

/* A packet whose sequence number is so far behind is none that was late, but the first of
 * a stream that began anew; RFC 3550 A.1, MAX_MISORDER. */
#define MAX_MISORDER 100

/* A transit time that differs by more from the least one is no jitter. */
#define MAX_JITTER (3 * GST_SECOND)

GstTfrcPlayoutBuffer *
gst_tfrc_playout_buffer_new (GstClockTime latency)
{
  GstTfrcPlayoutBuffer *playout = g_new0 (GstTfrcPlayoutBuffer, 1);

  playout->n_slots = FIRST_SLOTS;
  playout->slots = g_new0 (GstTfrcPlayoutSlot, playout->n_slots);
  playout->latency = latency;
  playout->last_pts = GST_CLOCK_TIME_NONE;
  return playout;
}

void
gst_tfrc_playout_buffer_free (GstTfrcPlayoutBuffer * playout)
{
  gst_tfrc_playout_buffer_flush (playout);
  g_free (playout->adaptive);
  g_free (playout->slots);
  g_free (playout);
}

void
gst_tfrc_playout_buffer_set_latency (GstTfrcPlayoutBuffer * playout,
    GstClockTime latency)
{
  playout->latency = latency;
}

void
gst_tfrc_playout_buffer_adapt (GstTfrcPlayoutBuffer * playout,
    GstClockTime least)
{
  playout->adaptive = g_new (GstTfrcPlayoutDelay, 1);
  gst_tfrc_playout_delay_init (playout->adaptive, least, playout->latency);
}

GstTfrcPlayoutDelay *
gst_tfrc_playout_buffer_get_delay (GstTfrcPlayoutBuffer * playout)
{
  return playout->adaptive;
}

static void
drop_waiting (GstTfrcPlayoutBuffer * playout)
{
  guint i;

  for (i = 0; playout->waiting > 0 && i < playout->n_slots; i++) {
    playout->waiting -= playout->slots[i].buffer != NULL;
    gst_clear_buffer (&playout->slots[i].buffer);
  }
}

void
gst_tfrc_playout_buffer_flush (GstTfrcPlayoutBuffer * playout)
{
  drop_waiting (playout);
  playout->started = FALSE;
}

void
gst_tfrc_playout_buffer_restart (GstTfrcPlayoutBuffer * playout)
{
  playout->started = FALSE;
}

/* --- what comes in --- */

static guint64
extend_seq (const GstTfrcPlayoutBuffer * playout, guint16 seq)
{
  return playout->highest + (gint16) (seq - (guint16) playout->highest);
}

/* Whether the timestamp runs ahead of the clock by more than the latency, and did so in a step that is longer than
 * the packets since the last one and the time that passed: the sender's machine was held, or its clock was set. */
static gboolean
has_leapt (const GstTfrcPlayoutBuffer * playout, guint64 seq, gint64 sent,
    GstClockTime arrival)
{
  const GstTfrcPlayoutTimes *times = &playout->times;
  gint64 packets = seq - playout->highest;
  gint64 early = times->offset - ((gint64) arrival - sent);
  gint64 step = sent - gst_tfrc_playout_times_get_sent (times, times->rtptime);
  gint64 passed = GST_CLOCK_DIFF (times->moved, arrival);

  return packets > 0 && early > (gint64) playout->latency
      && step > packets * GST_TFRC_PLAYOUT_LONGEST_PACKET + passed;
}

static gboolean
has_jumped (const GstTfrcPlayoutBuffer * playout, guint64 seq, gint64 sent,
    GstClockTime arrival)
{
  gint64 ahead = seq - playout->next;
  gint64 transit = (gint64) arrival - sent;

  return ahead < -MAX_MISORDER || ahead >= 4 * GST_TFRC_PLAYOUT_MAX ||
      (ahead >= 0 &&
      ABS (transit - playout->times.offset) > MAX_JITTER + playout->latency) ||
      has_leapt (playout, seq, sent, arrival);
}

/* As RFC 3550 A.1: a jump is one when the packet after it follows it. */
static gboolean
is_confirmed (GstTfrcPlayoutBuffer * playout, guint16 seq)
{
  gboolean follows = playout->jumped && seq == playout->jump_seq;

  playout->jumped = TRUE;
  playout->jump_seq = seq + 1;
  return follows;
}

static gboolean
drop (GstBuffer * buffer, guint64 * counter)
{
  (*counter)++;
  gst_buffer_unref (buffer);
  return FALSE;
}

/* Twice as many places. */
static void
grow (GstTfrcPlayoutBuffer * playout)
{
  GstTfrcPlayoutBuffer old = *playout;
  guint64 seq;

  playout->n_slots *= 2;
  playout->slots = g_new0 (GstTfrcPlayoutSlot, playout->n_slots);
  for (seq = old.next; seq < old.next + old.n_slots; seq++)
    *gst_tfrc_playout_buffer_get_slot (playout, seq) =
        *gst_tfrc_playout_buffer_get_slot (&old, seq);
  g_free (old.slots);
}

/* The packet would overwrite one that waits: there are more places, or the oldest go. */
static void
make_room (GstTfrcPlayoutBuffer * playout, guint64 seq)
{
  while (seq - playout->next >= playout->n_slots &&
      playout->n_slots < GST_TFRC_PLAYOUT_MAX)
    grow (playout);
  while (seq - playout->next >= GST_TFRC_PLAYOUT_MAX) {
    GstTfrcPlayoutSlot *slot =
        gst_tfrc_playout_buffer_get_slot (playout, playout->next++);

    if (slot->buffer != NULL) {
      gst_clear_buffer (&slot->buffer);
      playout->waiting--;
      playout->stats.dropped++;
    } else {
      playout->stats.lost++;
    }
    playout->discont = TRUE;
  }
}

static gboolean
keep (GstTfrcPlayoutBuffer * playout, guint64 seq, gint64 sent,
    GstBuffer * buffer)
{
  GstTfrcPlayoutSlot *slot;

  make_room (playout, seq);
  slot = gst_tfrc_playout_buffer_get_slot (playout, seq);
  if (slot->buffer != NULL)
    return drop (buffer, &playout->stats.duplicates);
  slot->buffer = buffer;
  slot->sent = sent;
  playout->highest = MAX (playout->highest, seq);
  playout->waiting++;
  return TRUE;
}

/* The stream begins, or counts anew, with this packet. */
static void
begin (GstTfrcPlayoutBuffer * playout, const GstTfrcPlayoutPacket * packet)
{
  playout->stats.dropped += playout->waiting;
  drop_waiting (playout);
  gst_tfrc_playout_times_start (&playout->times, packet->rtptime,
      packet->clock_rate, packet->arrival);
  if (playout->adaptive != NULL)
    gst_tfrc_playout_delay_begin (playout->adaptive, packet->arrival);
  playout->started = playout->discont = TRUE;
  playout->behind = FALSE;
  playout->last_pts = GST_CLOCK_TIME_NONE;
  playout->step = 0;
  /* far from 0, so that a packet of before the first has a number as well */
  playout->highest = playout->next = (1 << 16) + packet->seq;
}

static void
on_shift (GstTfrcPlayoutBuffer * playout, GstTfrcPlayoutShift shift)
{
  if (shift == GST_TFRC_PLAYOUT_LATER) {
    playout->stats.delays++;
    playout->discont = TRUE;
  } else if (shift == GST_TFRC_PLAYOUT_EARLIER) {
    playout->stats.advances++;
    playout->behind = playout->last_pts != GST_CLOCK_TIME_NONE;
  }
}

/* Judges a packet that arrives. Returns the counter of what is dropped, or NULL when it is kept: then the extended
 * sequence number and the send time are set. */
static guint64 *
judge (GstTfrcPlayoutBuffer * playout, const GstTfrcPlayoutPacket * packet,
    guint64 * extended, gint64 * send_time)
{
  gint64 sent;
  guint64 seq;

  if (!playout->started)
    begin (playout, packet);
  else
    gst_tfrc_playout_times_set_clock_rate (&playout->times, packet->rtptime,
        packet->clock_rate, packet->arrival);
  sent = gst_tfrc_playout_times_get_sent (&playout->times, packet->rtptime);
  seq = extend_seq (playout, packet->seq);
  if (has_jumped (playout, seq, sent, packet->arrival)) {
    if (!is_confirmed (playout, packet->seq))
      return &playout->stats.dropped;
    GST_DEBUG ("the stream jumped to #%u and counts anew", packet->seq);
    playout->stats.restarts++;
    begin (playout, packet);
    sent = packet->arrival;
    seq = playout->next;
  }
  playout->jumped = FALSE;
  on_shift (playout, gst_tfrc_playout_times_on_packet (&playout->times,
          packet->rtptime, packet->arrival, playout->latency));
  if (playout->adaptive != NULL)
    gst_tfrc_playout_delay_on_packet (playout->adaptive, &playout->times,
        packet, seq > playout->highest + 1 ? playout->step : 0);
  *extended = seq;
  *send_time = sent;
  return seq < playout->next ? &playout->stats.late : NULL;
}

gboolean
gst_tfrc_playout_buffer_add (GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutPacket * packet, GstBuffer * buffer)
{
  guint64 seq, *dropped;
  gint64 sent;

  dropped = judge (playout, packet, &seq, &sent);
  return dropped != NULL ? drop (buffer, dropped) : keep (playout, seq, sent,
      buffer);
}

gboolean
gst_tfrc_playout_buffer_pass (GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutPacket * packet, GstTfrcPlayoutMakeFunc make,
    gpointer data, GstTfrcPlayoutItem * item)
{
  guint64 seq, *dropped;
  gint64 sent;

  dropped = judge (playout, packet, &seq, &sent);
  if (dropped != NULL) {
    (*dropped)++;
    return FALSE;
  }
  if (seq != playout->next || playout->waiting > 0 || playout->behind) {
    keep (playout, seq, sent, make (data));
    return FALSE;
  }
  playout->highest = MAX (playout->highest, seq);
  playout->waiting++;
  gst_tfrc_playout_buffer_get_slot (playout, seq)->sent = sent;
  gst_tfrc_playout_buffer_take_next (playout, item);
  return TRUE;
}

void
gst_tfrc_playout_buffer_get_stats (const GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutStats * stats)
{
  *stats = playout->stats;
  stats->waiting = playout->waiting;
  stats->jitter = playout->times.jitter;
  stats->delay =
      playout->latency - gst_tfrc_playout_buffer_get_advance (playout);
}
