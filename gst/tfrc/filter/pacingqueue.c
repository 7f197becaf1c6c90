/* gst-tfrc: the queue of packets that wait for their departure
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/pacingqueue.h"

#include "base/debugcategory.h"
#include "base/redpacket.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcpacingqueue", "TFRC pacing queue");

/* The first size of the ring, in items. Few packets wait as a rule, and a small ring stays in the
 * cache. */
#define FIRST_SIZE 4

void
gst_tfrc_pacing_queue_init (GstTfrcPacingQueue * queue)
{
  *queue = (GstTfrcPacingQueue) {0};
  queue->items = gst_queue_array_new_for_struct (sizeof (GstTfrcItem),
      FIRST_SIZE);
}

void
gst_tfrc_item_clear (GstTfrcItem * item)
{
  gst_mini_object_unref (item->object);
  gst_clear_event (&item->caps);
  gst_clear_event (&item->segment);
}

void
gst_tfrc_pacing_queue_flush (GstTfrcPacingQueue * queue)
{
  GstTfrcItem *item;

  while ((item = gst_queue_array_pop_head_struct (queue->items)) != NULL)
    gst_tfrc_item_clear (item);
  queue->packets = 0;
}

void
gst_tfrc_pacing_queue_free (GstTfrcPacingQueue * queue)
{
  gst_tfrc_pacing_queue_flush (queue);
  gst_queue_array_free (queue->items);
  queue->items = NULL;
}

/* Items of a higher rank depart first. */
static guint
get_rank (const GstTfrcItem * item)
{
  return item->urgent ? 2 : item->retransmission ? 1 : 0;
}

/* Few packets wait, and those with a rank are rare. */
static void
push_by_rank (GstTfrcPacingQueue * queue, const GstTfrcItem * item)
{
  guint n = gst_queue_array_get_length (queue->items), i;
  gboolean pushed = FALSE;

  for (i = 0; i < n; i++) {
    GstTfrcItem other =
        *(GstTfrcItem *) gst_queue_array_pop_head_struct (queue->items);

    if (!pushed && get_rank (&other) < get_rank (item)) {
      gst_queue_array_push_tail_struct (queue->items, (gpointer) item);
      pushed = TRUE;
    }
    gst_queue_array_push_tail_struct (queue->items, &other);
  }
  if (!pushed)
    gst_queue_array_push_tail_struct (queue->items, (gpointer) item);
}

void
gst_tfrc_pacing_queue_push (GstTfrcPacingQueue * queue,
    const GstTfrcItem * item)
{
  if (get_rank (item) > 0
      && gst_queue_array_get_length (queue->items) == queue->packets)
    push_by_rank (queue, item);
  else
    gst_queue_array_push_tail_struct (queue->items, (gpointer) item);
  queue->packets += GST_IS_BUFFER (item->object);
}

/* The payload of a retransmission begins with the number of the packet that it repeats. */
static gboolean
retransmits (const GstTfrcItem * item, guint16 seq)
{
  guint16 original;

  return item->retransmission && GST_IS_BUFFER (item->object)
      && gst_buffer_extract (GST_BUFFER (item->object),
      item->packet.header_size, &original, sizeof original) == sizeof original
      && GUINT16_FROM_BE (original) == seq;
}

gboolean
gst_tfrc_pacing_queue_has_retransmission (const GstTfrcPacingQueue * queue,
    guint16 seq)
{
  guint n = gst_queue_array_get_length (queue->items), i;

  for (i = 0; i < n; i++)
    if (retransmits (gst_queue_array_peek_nth_struct (queue->items, i), seq))
      return TRUE;
  return FALSE;
}

const GstTfrcItem *
gst_tfrc_pacing_queue_peek (const GstTfrcPacingQueue * queue)
{
  return gst_queue_array_peek_head_struct (queue->items);
}

/* Shares of the time that packets may wait after which a packet keeps one redundant copy, and none. */
#define KEEPS_ONE 0.5
#define KEEPS_NONE 0.85

/* How long a packet with so many copies may wait until it loses one. */
static TfrcTime
get_full_wait (guint copies, guint64 time)
{
  return (copies > 1 ? KEEPS_ONE : KEEPS_NONE) * time;
}

TfrcTime
gst_tfrc_pacing_queue_get_shedding (const GstTfrcPacingQueue * queue,
    guint64 time)
{
  const GstTfrcItem *item = gst_tfrc_pacing_queue_peek (queue);

  if (item == NULL || item->copies == 0 || time == 0)
    return TFRC_TIME_NONE;
  return item->queued + get_full_wait (item->copies, time);
}

/* The packet has so many redundant copies left. */
static void
set_packet (GstTfrcItem * item, GstBuffer * buffer, guint copies)
{
  GST_LOG ("#%u keeps %u of %u redundant copies", item->packet.seq, copies,
      item->copies);
  item->object = GST_MINI_OBJECT_CAST (buffer);
  item->packet.size = gst_buffer_get_size (buffer);
  item->copies = copies;
}

gboolean
gst_tfrc_pacing_queue_shed (GstTfrcPacingQueue * queue, guint64 time,
    TfrcTime now)
{
  GstTfrcItem *item = gst_queue_array_peek_head_struct (queue->items);
  guint left;

  if (now < gst_tfrc_pacing_queue_get_shedding (queue, time))
    return FALSE;
  left = now < item->queued + get_full_wait (1, time) ? 1 : 0;
  queue->shed_copies += item->copies - left;
  set_packet (item, gst_tfrc_red_shed (GST_BUFFER_CAST (item->object), left),
      left);
  return TRUE;
}

void
gst_tfrc_pacing_queue_leave_out (GstTfrcPacingQueue * queue, guint needless)
{
  GstTfrcItem *item = gst_queue_array_peek_head_struct (queue->items);
  guint i, n = 0;

  for (i = 0; i < item->copies; i++)
    n += needless >> i & 1;
  queue->left_out_copies += n;
  set_packet (item, gst_tfrc_red_leave_out (GST_BUFFER_CAST (item->object),
          needless), item->copies - n);
}

GstTfrcItem
gst_tfrc_pacing_queue_pop (GstTfrcPacingQueue * queue)
{
  GstTfrcItem item =
      *(GstTfrcItem *) gst_queue_array_pop_head_struct (queue->items);

  queue->packets -= GST_IS_BUFFER (item.object);
  return item;
}

/* The index of the first packet, of which the queue must have one. Few events are in front of it,
 * since an event departs as soon as it is first. */
static guint
find_packet (const GstTfrcPacingQueue * queue)
{
  guint i = 0;

  while (!GST_IS_BUFFER (((GstTfrcItem *)
              gst_queue_array_peek_nth_struct (queue->items, i))->object))
    i++;
  return i;
}

static const GstTfrcItem *
peek_packet (const GstTfrcPacingQueue * queue)
{
  if (queue->packets == 0)
    return NULL;
  return gst_queue_array_peek_nth_struct (queue->items, find_packet (queue));
}

void
gst_tfrc_pacing_queue_drop_packet (GstTfrcPacingQueue * queue)
{
  GstTfrcItem item;

  gst_queue_array_drop_struct (queue->items, find_packet (queue), &item);
  gst_tfrc_item_clear (&item);
  queue->packets--;
}

void
gst_tfrc_pacing_queue_reset (GstTfrcPacingQueue * queue)
{
  GstQueueArray *items = queue->items;

  gst_tfrc_pacing_queue_flush (queue);
  *queue = (GstTfrcPacingQueue) {
      .items = items};
}

/* How many times as long as other packets those of a video frame may wait. A key frame takes many times the bytes of other
 * frames, and without one frame a decoder cannot use those behind it until the next key frame. */
#define FRAME_FACTOR 5

/* The packets of a frame arrive within the time that they may wait: a source whose timestamps stand still makes no endless
 * frame. */
static gboolean
is_of_frame (const GstTfrcItem * item, const GstTfrcFrame * frame, guint64 time)
{
  return frame->is_set && item->packet.ssrc == frame->ssrc
      && item->packet.rtptime == frame->rtptime
      && item->queued <= frame->queued + FRAME_FACTOR * time;
}

/* Urgent packets and repair packets come between the packets of a frame, which goes on behind them. */
static gboolean
is_video (const GstTfrcPacingQueue * queue, const GstTfrcItem * item)
{
  return queue->whole_frames && !item->urgent && !item->repair;
}

/* Notes the frame of a packet that expires. */
static void
note_frame (GstTfrcFrame * frame, const GstTfrcItem * item)
{
  frame->is_set = TRUE;
  frame->ssrc = item->packet.ssrc;
  frame->rtptime = item->packet.rtptime;
  frame->queued = item->queued;
}

TfrcTime
gst_tfrc_pacing_queue_get_expiry (const GstTfrcPacingQueue * queue,
    guint64 time)
{
  const GstTfrcItem *item = peek_packet (queue);

  if (item == NULL)
    return TFRC_TIME_NONE;
  if (queue->whole_frames && is_of_frame (item, &queue->expired, time))
    return 0;
  if (time == 0)
    return TFRC_TIME_NONE;
  return item->queued + (is_video (queue, item) ? FRAME_FACTOR * time : time);
}

const GstTfrcItem *
gst_tfrc_pacing_queue_peek_expired (GstTfrcPacingQueue * queue, guint64 time,
    guint packets, TfrcTime now)
{
  const GstTfrcItem *item = peek_packet (queue);

  if (item == NULL)
    return NULL;
  if (now > gst_tfrc_pacing_queue_get_expiry (queue, time))
    queue->dropped_late++;
  else if (queue->packets > packets)
    queue->dropped_full++;
  else
    return NULL;
  queue->dropped_repairs += item->repair;
  GST_LOG ("#%u expired: %u packets wait, it for %" GST_TIME_FORMAT,
      item->packet.seq, queue->packets, GST_TIME_ARGS (now - item->queued));
  if (is_video (queue, item) && !is_of_frame (item, &queue->expired, time))
    note_frame (&queue->expired, item);
  return item;
}

void
gst_tfrc_pacing_queue_drop_all (GstTfrcPacingQueue * queue)
{
  queue->dropped_late += queue->packets;
  while (queue->packets > 0) {
    queue->dropped_repairs += peek_packet (queue)->repair;
    gst_tfrc_pacing_queue_drop_packet (queue);
  }
}

void
gst_tfrc_pacing_queue_measure (GstTfrcPacingQueue * queue,
    const GstTfrcItem * item, TfrcTime due, TfrcTime now)
{
  queue->last_wait = now - MIN (item->queued, now);
  if (due > item->queued) {
    GST_LOG ("#%u waited %" GST_TIME_FORMAT ", %" GST_TIME_FORMAT " too long",
        item->packet.seq, GST_TIME_ARGS (queue->last_wait),
        GST_TIME_ARGS (now - MIN (due, now)));
    gst_tfrc_histogram_add (&queue->errors, now - MIN (due, now));
    gst_tfrc_histogram_add (&queue->waits, queue->last_wait);
  }
}

/* When the packet that has waited longest arrived; the queue has a packet. It is the first one, or behind those that went
 * before it. */
static TfrcTime
get_oldest (const GstTfrcPacingQueue * queue)
{
  TfrcTime oldest = TFRC_TIME_NONE;
  guint i;

  for (i = 0; i < gst_queue_array_get_length (queue->items); i++) {
    const GstTfrcItem *item = gst_queue_array_peek_nth_struct (queue->items, i);

    if (!GST_IS_BUFFER (item->object))
      continue;
    oldest = MIN (oldest, item->queued);
    if (get_rank (item) == 0)
      break;
  }
  return oldest;
}

TfrcTime
gst_tfrc_pacing_queue_get_delay (const GstTfrcPacingQueue * queue, TfrcTime now)
{
  if (queue->packets == 0)
    return 0;
  return MAX (now - MIN (get_oldest (queue), now), queue->last_wait);
}

guint64
gst_tfrc_pacing_queue_get_dropped (const GstTfrcPacingQueue * queue)
{
  return queue->dropped_late + queue->dropped_full;
}

guint64
gst_tfrc_pacing_queue_get_dropped_data (const GstTfrcPacingQueue * queue)
{
  return gst_tfrc_pacing_queue_get_dropped (queue) - queue->dropped_repairs;
}

void
gst_tfrc_pacing_queue_add_stats (const GstTfrcPacingQueue * queue,
    TfrcTime now, GstStructure * stats)
{
  gst_structure_set (stats,
      "queued-packets", G_TYPE_UINT, queue->packets,
      "queue-delay", G_TYPE_UINT64, gst_tfrc_pacing_queue_get_delay (queue,
          now), "dropped", G_TYPE_UINT64,
      gst_tfrc_pacing_queue_get_dropped (queue), "dropped-late",
      G_TYPE_UINT64, queue->dropped_late, "dropped-full", G_TYPE_UINT64,
      queue->dropped_full, "shed-copies", G_TYPE_UINT64, queue->shed_copies,
      "left-out-copies", G_TYPE_UINT64, queue->left_out_copies,
      "waited-packets", G_TYPE_UINT64, queue->waits.count, NULL);
  gst_tfrc_histogram_add_stats (&queue->waits, "wait", stats);
  gst_tfrc_histogram_add_stats (&queue->errors, "departure-error", stats);
}
