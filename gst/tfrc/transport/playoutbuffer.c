/* gst-tfrc: puts the RTP packets of one remote end in order and gives each its time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/playoutbuffer.h"

#include "base/debugcategory.h"
#include "transport/playouttimes.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcplayout", "TFRC playout buffer");

/* Places at first, and at most; powers of two. */
#define FIRST_SLOTS 8
G_STATIC_ASSERT ((GST_TFRC_PLAYOUT_MAX & (GST_TFRC_PLAYOUT_MAX - 1)) == 0);

/* The longest packet of sound there is, RFC 7587 4.2; a longer step is a pause. */
#define LONGEST_PACKET (120 * GST_MSECOND)

/* So many missing packets are announced one by one, more than these together. */
#define SINGLES 64

/* A packet whose sequence number is so far behind is none that was late, but the first of
 * a stream that began anew; RFC 3550 A.1, MAX_MISORDER. */
#define MAX_MISORDER 100

/* A transit time that differs by more from the least one is no jitter. */
#define MAX_JITTER (3 * GST_SECOND)

typedef struct
{
  GstBuffer *buffer;            /* NULL: the place is empty */
  gint64 sent;                  /* ns: the packet's time without any transit time */
} Slot;

struct _GstTfrcPlayoutBuffer
{
  GstClockTime latency;

  Slot *slots;                  /* by sequence number modulo n_slots */
  guint n_slots;
  guint waiting;
  guint64 highest;              /* extended sequence number that arrived */
  guint64 next;                 /* the extended sequence number that leaves next */
  gboolean started;             /* a packet of the stream was taken in */
  gboolean discont;             /* the next packet does not follow the one before it */

  GstTfrcPlayoutTimes times;
  GstTfrcPlayoutDelay *adaptive;        /* owned; NULL: the delay is the latency */
  gboolean behind;              /* times went back: sound that lies before `last_pts` is dropped */
  gboolean jumped;              /* the last packet did */
  guint16 jump_seq;             /* the sequence number that would follow it */

  /* of what left last */
  GstClockTime last_pts;        /* NONE: nothing of this stream has left */
  gint64 last_sent;
  GstClockTime step;            /* between two packets, ns; 0: not known */
  GstTfrcPlayoutStats stats;
};

GstTfrcPlayoutBuffer *
gst_tfrc_playout_buffer_new (GstClockTime latency)
{
  GstTfrcPlayoutBuffer *playout = g_new0 (GstTfrcPlayoutBuffer, 1);

  playout->n_slots = FIRST_SLOTS;
  playout->slots = g_new0 (Slot, playout->n_slots);
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

static GstClockTime
get_advance (const GstTfrcPlayoutBuffer * playout)
{
  return playout->adaptive != NULL ?
      gst_tfrc_playout_delay_get_advance (playout->adaptive) : 0;
}

static GstClockTime
get_pts (const GstTfrcPlayoutBuffer * playout, gint64 sent)
{
  return gst_tfrc_playout_times_get_pts (&playout->times,
      sent - (gint64) get_advance (playout));
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

static Slot *
get_slot (const GstTfrcPlayoutBuffer * playout, guint64 seq)
{
  return &playout->slots[seq & (playout->n_slots - 1)];
}

static guint64
extend_seq (const GstTfrcPlayoutBuffer * playout, guint16 seq)
{
  return playout->highest + (gint16) (seq - (guint16) playout->highest);
}

static gboolean
has_jumped (const GstTfrcPlayoutBuffer * playout, guint64 seq, gint64 transit)
{
  gint64 ahead = seq - playout->next;

  return ahead < -MAX_MISORDER || ahead >= 4 * GST_TFRC_PLAYOUT_MAX ||
      (ahead >= 0 &&
      ABS (transit - playout->times.offset) > MAX_JITTER + playout->latency);
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
  playout->slots = g_new0 (Slot, playout->n_slots);
  for (seq = old.next; seq < old.next + old.n_slots; seq++)
    *get_slot (playout, seq) = *get_slot (&old, seq);
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
    Slot *slot = get_slot (playout, playout->next++);

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
  Slot *slot;

  make_room (playout, seq);
  slot = get_slot (playout, seq);
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

gboolean
gst_tfrc_playout_buffer_add (GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutPacket * packet, GstBuffer * buffer)
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
  if (has_jumped (playout, seq, (gint64) packet->arrival - sent)) {
    if (!is_confirmed (playout, packet->seq))
      return drop (buffer, &playout->stats.dropped);
    GST_INFO ("the stream jumped to #%u and counts anew", packet->seq);
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
  if (seq < playout->next)
    return drop (buffer, &playout->stats.late);
  return keep (playout, seq, sent, buffer);
}

/* --- what goes out --- */

/* The packet that waits behind the gap at `next`; there is one. */
static const Slot *
find_waiting (const GstTfrcPlayoutBuffer * playout, guint * missing)
{
  guint64 seq = playout->next;

  while (get_slot (playout, seq)->buffer == NULL)
    seq++;
  *missing = seq - playout->next;
  return get_slot (playout, seq);
}

/* The length of one of `missing` packets before `until`. The time between the packets
 * around the gap is shared out evenly; a longer time than packets take otherwise is a pause
 * of the sender, with the missing packets at its end. */
static GstClockTime
get_missing_duration (const GstTfrcPlayoutBuffer * playout, guint missing,
    GstClockTime until)
{
  GstClockTime share = 0;

  if (playout->last_pts != GST_CLOCK_TIME_NONE && until > playout->last_pts)
    share = (until - playout->last_pts) / (missing + 1);
  if (playout->step > 0 && (share == 0 || share > playout->step))
    share = playout->step;
  return MAX (share, 1);
}

/* The loss at `next`, in front of what waits. */
static void
describe_loss (const GstTfrcPlayoutBuffer * playout, GstTfrcPlayoutItem * item)
{
  guint missing;
  const Slot *slot = find_waiting (playout, &missing);
  GstClockTime until = get_pts (playout, slot->sent);
  GstClockTime each = get_missing_duration (playout, missing, until);

  item->kind = GST_TFRC_PLAYOUT_LOSS;
  item->seq = playout->next;
  item->packets = missing > SINGLES ? missing - SINGLES + 1 : 1;
  item->pts = until > each * missing ? until - each * missing : 0;
  item->duration = each * item->packets;
}

/* The last of the missing packets that are announced together could be played until then. */
static GstClockTime
get_deadline (const GstTfrcPlayoutBuffer * playout,
    const GstTfrcPlayoutItem * loss)
{
  return loss->pts + loss->duration - loss->duration / loss->packets +
      playout->latency;
}

static gboolean
is_next_there (const GstTfrcPlayoutBuffer * playout)
{
  return get_slot (playout, playout->next)->buffer != NULL;
}

GstClockTime
gst_tfrc_playout_buffer_next_time (const GstTfrcPlayoutBuffer * playout)
{
  GstTfrcPlayoutItem loss;

  if (playout->waiting == 0)
    return GST_CLOCK_TIME_NONE;
  if (is_next_there (playout))
    return 0;
  describe_loss (playout, &loss);
  return get_deadline (playout, &loss);
}

/* After times went back: what would be played at a time that was played already goes. */
static void
drop_stale (GstTfrcPlayoutBuffer * playout)
{
  while (playout->behind && playout->waiting > 0) {
    guint missing;
    const Slot *slot = find_waiting (playout, &missing);

    if (get_pts (playout, slot->sent) >= playout->last_pts) {
      playout->behind = FALSE;
      return;
    }
    playout->next += missing;
    playout->stats.lost += missing;
    gst_clear_buffer (&get_slot (playout, playout->next++)->buffer);
    playout->waiting--;
    playout->stats.dropped++;
    playout->discont = TRUE;
  }
}

static void
take_packet (GstTfrcPlayoutBuffer * playout, GstTfrcPlayoutItem * item)
{
  Slot *slot = get_slot (playout, playout->next);
  GstClockTimeDiff step = slot->sent - playout->last_sent;

  item->kind = GST_TFRC_PLAYOUT_PACKET;
  item->seq = playout->next++;
  item->buffer = g_steal_pointer (&slot->buffer);
  item->pts = get_pts (playout, slot->sent);
  item->discont = playout->discont;
  playout->discont = FALSE;
  playout->waiting--;
  playout->stats.packets++;
  if (playout->last_pts != GST_CLOCK_TIME_NONE && step > 0 &&
      step <= (GstClockTimeDiff) LONGEST_PACKET)
    playout->step = step;
  playout->last_sent = slot->sent;
  playout->last_pts = item->pts;
}

static void
take_loss (GstTfrcPlayoutBuffer * playout, const GstTfrcPlayoutItem * item)
{
  GST_DEBUG ("#%u is given up, %u packets", item->seq, item->packets);
  playout->next += item->packets;
  playout->stats.lost += item->packets;
  playout->last_sent += item->duration;
  playout->last_pts = item->pts + item->duration - item->duration /
      item->packets;
}

GstTfrcPlayoutKind
gst_tfrc_playout_buffer_take (GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutItem * item, GstClockTime now)
{
  *item = (GstTfrcPlayoutItem) {
      .duration = GST_CLOCK_TIME_NONE};
  drop_stale (playout);
  if (playout->waiting == 0)
    return item->kind;
  if (is_next_there (playout)) {
    take_packet (playout, item);
    return item->kind;
  }
  describe_loss (playout, item);
  if (get_deadline (playout, item) > now)
    return item->kind = GST_TFRC_PLAYOUT_NOTHING;
  take_loss (playout, item);
  return item->kind;
}

void
gst_tfrc_playout_buffer_get_waiting (const GstTfrcPlayoutBuffer * playout,
    GstBufferList * list)
{
  guint64 seq;

  for (seq = playout->next; playout->waiting > 0 && seq <= playout->highest;
      seq++) {
    GstBuffer *buffer = get_slot (playout, seq)->buffer;

    if (buffer != NULL)
      gst_buffer_list_add (list, gst_buffer_ref (buffer));
  }
}

void
gst_tfrc_playout_buffer_get_stats (const GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutStats * stats)
{
  *stats = playout->stats;
  stats->waiting = playout->waiting;
  stats->jitter = playout->times.jitter;
  stats->delay = playout->latency - get_advance (playout);
}
