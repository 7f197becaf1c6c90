/* gst-tfrc: what leaves a playout buffer: packets and losses, each at its time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/playoutbufferprivate.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcplayoutout", "what leaves TFRC playout buffers");

/* So many missing packets are announced one by one, more than these together. */
#define SINGLES 64

static GstClockTime
get_pts (const GstTfrcPlayoutBuffer * playout, gint64 sent)
{
  return gst_tfrc_playout_times_get_pts (&playout->times,
      sent - (gint64) gst_tfrc_playout_buffer_get_advance (playout));
}

/* The packet that waits behind the gap at `next`; there is one. */
static const GstTfrcPlayoutSlot *
find_waiting (const GstTfrcPlayoutBuffer * playout, guint * missing)
{
  guint64 seq = playout->next;

  while (gst_tfrc_playout_buffer_get_slot (playout, seq)->buffer == NULL)
    seq++;
  *missing = seq - playout->next;
  return gst_tfrc_playout_buffer_get_slot (playout, seq);
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
  const GstTfrcPlayoutSlot *slot = find_waiting (playout, &missing);
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
  return gst_tfrc_playout_buffer_get_slot (playout,
      playout->next)->buffer != NULL;
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
    const GstTfrcPlayoutSlot *slot = find_waiting (playout, &missing);

    if (get_pts (playout, slot->sent) >= playout->last_pts) {
      playout->behind = FALSE;
      return;
    }
    playout->next += missing;
    playout->stats.lost += missing;
    gst_clear_buffer (&gst_tfrc_playout_buffer_get_slot (playout,
            playout->next++)->buffer);
    playout->waiting--;
    playout->stats.dropped++;
    playout->discont = TRUE;
  }
}

void
gst_tfrc_playout_buffer_take_next (GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutItem * item)
{
  GstTfrcPlayoutSlot *slot =
      gst_tfrc_playout_buffer_get_slot (playout, playout->next);
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
      step <= GST_TFRC_PLAYOUT_LONGEST_PACKET)
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
    gst_tfrc_playout_buffer_take_next (playout, item);
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
    GstBuffer *buffer = gst_tfrc_playout_buffer_get_slot (playout, seq)->buffer;

    if (buffer != NULL)
      gst_buffer_list_add (list, gst_buffer_ref (buffer));
  }
}
