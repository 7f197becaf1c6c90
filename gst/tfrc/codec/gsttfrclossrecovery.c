/* gst-tfrc: recovers lost packets from redundant copies, and announces the others
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The jitter buffer announces a packet that it gave up. The announcement is kept until
 * the next packet arrives: by then the redundant copies of the lost packet have come too, in
 * that packet or in packets that the jitter buffer still holds (base/storedpacketsquery). */
#include "codec/gsttfrclossrecovery.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/redpacket.h"
#include "base/storedpacketsquery.h"
#include "codec/codectable.h"

GST_DEBUG_CATEGORY_STATIC (tfrclossrecovery_debug);
#define GST_CAT_DEFAULT tfrclossrecovery_debug

#define LOST_EVENT "GstRTPPacketLost"

/* Announcements that are kept at most: behind a dead path the jitter buffer announces losses for as
 * long as the path is dead. */
#define ANNOUNCEMENTS_MAX 50

/* No shorter gap is announced to a decoder. spanplc fades into the sound that it makes up over
 * as many as 30 samples, and writes behind the end of a gap that has fewer; 0 means a gap of
 * unknown length to all decoders. */
#define SHORTEST_GAP (5 * GST_MSECOND)

/* No longer gap is announced to a decoder: concealers make the sound of a gap at once, of which nothing is
 * heard after some 100 ms, and the jitter buffer announces an outage of any duration as one loss. */
#define LONGEST_GAP (10 * GST_SECOND)

/* The longest packet of sound, RFC 7587 4.2, and the shortest, RFC 6716 2.1.4. */
#define LONGEST_PACKET (120 * GST_MSECOND)
#define SHORTEST_PACKET (2500 * GST_USECOND)

#define NO_PT -1
#define DEFAULT_CLOCK_RATE 48000        /* Hz */
#define N_PTS 128

typedef struct
{
  GstCaps *caps;                /* owned, of one structure; NULL: not in the map */
  gboolean red;                 /* RFC 2198 */
  gint clock_rate;              /* Hz; 0: unknown */
} PayloadType;

struct _GstTfrcLossRecovery
{
  GstElement parent;
  GstPad *sinkpad, *srcpad;
  GstTfrcDecoderTimeline *timeline;
  GstTfrcLinkDecoder link_decoder;
  gpointer user_data;

  /* object lock */
  guint64 packets;              /* packets that arrived */
  guint64 recovered;            /* packets, from redundant copies */
  guint64 lost;                 /* packets, announced to the decoder */
  guint64 malformed;            /* packets that could not be read */
  guint64 unknown;              /* packets that no decoder takes */
  guint64 refused;              /* packets for which it was too soon for another decoder */

  /* streaming thread */
  PayloadType map[N_PTS];
  GstCaps *caps;                /* on the source pad; NULL: no decoder is linked */
  gint pt;                      /* payload type that belongs to `caps` */
  gint clock_rate;              /* Hz, of `caps` */
  GQueue announcements;         /* GstEvent: losses that the next packet may recover */
  gboolean started;             /* a packet was pushed */
  guint32 last_timestamp;       /* RTP timestamp of the last packet that was pushed */
  gint32 step;                  /* RTP timestamp units, to that packet from the one before */
  GstClockTime end;             /* media time up to which the decoder got sound or gaps */
  gint red_pt;                  /* payload type of the packets with copies */
  guint32 ssrc;                 /* of the last packet that arrived */
  gboolean asked;               /* the packet store was queried */
  GArray *copies;               /* GstTfrcRedBlock, while copies are pushed */
  guint16 seq;                  /* RTP sequence number of the next packet that is pushed */
  gboolean decoder_failed;      /* at the packet that is being pushed */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcLossRecovery, gst_tfrc_loss_recovery,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (tfrclossrecovery_debug,
        "tfrclossrecovery", 0, "TFRC loss recovery"));

#define ADD(self, what, n) G_STMT_START { \
  GST_OBJECT_LOCK (self); \
  (self)->what += (n); \
  GST_OBJECT_UNLOCK (self); \
} G_STMT_END

#define COUNT(self, what) ADD (self, what, 1)

static void
clear_announcements (GstTfrcLossRecovery * self)
{
  GstEvent *event;

  while ((event = g_queue_pop_head (&self->announcements)) != NULL)
    gst_event_unref (event);
}

/* Forgets the stream, and keeps the map of payload types. */
static void
forget_stream (GstTfrcLossRecovery * self)
{
  clear_announcements (self);
  self->started = FALSE;
  self->step = 0;
  self->end = GST_CLOCK_TIME_NONE;
  gst_tfrc_decoder_timeline_reset (self->timeline);
}

static void
reset (GstTfrcLossRecovery * self)
{
  forget_stream (self);
  gst_clear_caps (&self->caps);
  self->pt = self->red_pt = NO_PT;
  self->asked = FALSE;
  self->clock_rate = 0;
}

/* --- caps --------------------------------------------------------------------- */

static gint
get_pt (const GstStructure * s)
{
  gint pt;

  return gst_structure_get_int (s, "payload", &pt) && pt >= 0 && pt < N_PTS ?
      pt : NO_PT;
}

static void
set_payload_type (PayloadType * type, GstCaps * caps)
{
  GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (s, "encoding-name");

  gst_caps_take (&type->caps, caps);
  type->red = name != NULL && g_ascii_strcasecmp (name, "RED") == 0;
  if (!gst_structure_get_int (s, "clock-rate", &type->clock_rate))
    type->clock_rate = 0;
}

/* The first structure of `caps` for a payload type replaces the entry of the map. */
static void
add_to_map (GstTfrcLossRecovery * self, const GstCaps * caps)
{
  guint i;

  for (i = gst_caps_get_size (caps); i > 0; i--) {
    gint pt = get_pt (gst_caps_get_structure (caps, i - 1));

    if (pt != NO_PT)
      set_payload_type (&self->map[pt], gst_caps_copy_nth (caps, i - 1));
  }
}

static void
clear_map (GstTfrcLossRecovery * self)
{
  guint pt;

  for (pt = 0; pt < N_PTS; pt++) {
    gst_clear_caps (&self->map[pt].caps);
    self->map[pt] = (PayloadType) {NULL};
  }
}

static gboolean
push_if_behind_caps (GstPad * pad, GstEvent ** event, gpointer srcpad)
{
  if (GST_EVENT_TYPE (*event) > GST_EVENT_CAPS
      && GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_push_event (srcpad, gst_event_ref (*event));
  return TRUE;
}

/* The first caps are pushed with the first packet. The segment and other sticky events that arrived
 * before that packet follow the caps. */
static void
push_caps (GstTfrcLossRecovery * self, GstCaps * caps)
{
  gst_pad_push_event (self->srcpad, gst_event_new_caps (caps));
  if (self->caps == NULL)
    gst_pad_sticky_events_foreach (self->sinkpad, push_if_behind_caps,
        self->srcpad);
}

static gboolean
has_decoder (GstTfrcDecoder decoder)
{
  return decoder == GST_TFRC_DECODER_SAME || decoder == GST_TFRC_DECODER_NEW;
}

/* Makes sure that a decoder for `pt`, whose next packet has media time `pts`, is linked to the
 * source pad. Counts the packet when there is none. */
static GstTfrcDecoder
route (GstTfrcLossRecovery * self, gint pt, GstClockTime pts)
{
  GstTfrcDecoder decoder = GST_TFRC_DECODER_NONE;
  GstCaps *caps;

  if (pt == self->pt)
    return GST_TFRC_DECODER_SAME;
  caps = self->map[pt].caps != NULL ? gst_caps_copy (self->map[pt].caps) : NULL;
  if (caps != NULL)
    decoder = self->link_decoder (caps, pts, self->user_data);
  if (!has_decoder (decoder)) {
    if (decoder == GST_TFRC_DECODER_REFUSED)
      COUNT (self, refused);
    else
      COUNT (self, unknown);
    /* the last decoder may have been removed */
    self->pt = NO_PT;
    gst_clear_caps (&caps);
    return decoder;
  }
  GST_DEBUG_OBJECT (self, "payload type %d is %" GST_PTR_FORMAT, pt, caps);
  if (decoder == GST_TFRC_DECODER_NEW || !gst_caps_is_equal (caps, self->caps))
    push_caps (self, caps);
  if (self->map[pt].clock_rate > 0)
    self->clock_rate = self->map[pt].clock_rate;
  gst_caps_take (&self->caps, caps);
  self->pt = pt;
  return decoder;
}

/* --- packets ------------------------------------------------------------------- */

static GstClockTime
get_lost_time (GstEvent * event, const gchar * name)
{
  guint64 time = GST_CLOCK_TIME_NONE;

  gst_structure_get_uint64 (gst_event_get_structure (event), name, &time);
  return time;
}

/* 0: it is not known. */
static GstClockTime
get_lost_duration (GstEvent * event)
{
  GstClockTime duration = get_lost_time (event, "duration");

  return GST_CLOCK_TIME_IS_VALID (duration) ? duration : 0;
}

/* How many packets are announced as one loss. */
static guint
get_lost_packets (GstEvent * event)
{
  guint packets = 1;

  gst_structure_get_uint (gst_event_get_structure (event), "packets", &packets);
  return MAX (packets, 1);
}

/* The sequence number `seq` follows the last loss that was announced. The jitter buffer hands on packets and announces losses
 * in the order of their sequence numbers, and announces packets that were too late all at once as one loss. Where the
 * numbers begin anew, its duration bounds how many packets it may have. */
static void
count_last_loss (GstTfrcLossRecovery * self, guint16 seq)
{
  GstEvent *event = g_queue_peek_tail (&self->announcements);
  GstStructure *s;
  guint first, most;
  guint16 packets;

  if (event == NULL)
    return;
  s = gst_event_writable_structure (event);
  if (!gst_structure_get_uint (s, "seqnum", &first)
      || gst_structure_has_field (s, "packets"))
    return;
  packets = seq - first;
  most = MIN (get_lost_duration (event) / SHORTEST_PACKET, G_MAXINT16);
  gst_structure_set (s, "packets", G_TYPE_UINT, CLAMP (packets, 1, MAX (most,
              1)), NULL);
}

/* The duration of a packet, by the RTP timestamps of the last two; 0: not known. */
static GstClockTime
get_packet_duration (GstTfrcLossRecovery * self)
{
  if (self->step <= 0 || self->clock_rate <= 0)
    return 0;
  return MIN (LONGEST_PACKET, gst_util_uint64_scale_int (self->step, GST_SECOND,
          self->clock_rate));
}

static void
set_loss (GstEvent ** event, GstClockTime timestamp, GstClockTime duration)
{
  *event = gst_event_make_writable (*event);
  gst_structure_set (gst_event_writable_structure (*event),
      "timestamp", G_TYPE_UINT64, timestamp,
      "duration", G_TYPE_UINT64, duration, NULL);
}

/* The jitter buffer computes the duration of a lost packet from the times of the packets around it,
 * which are nearly equal when the packets arrived in a burst. A loss whose duration is next to 0
 * for that reason gets the duration of a packet, as far as there is room between the end of the
 * packet before it and the next packet, at `until`. Returns FALSE when there is no room, and so
 * nothing to conceal. */
static gboolean
measure_loss (GstTfrcLossRecovery * self, GstEvent ** event, GstClockTime until)
{
  GstClockTime duration = get_lost_time (*event, "duration");

  GstClockTime timestamp = get_lost_time (*event, "timestamp");

  if (!GST_CLOCK_TIME_IS_VALID (timestamp))
    return FALSE;
  if (GST_CLOCK_TIME_IS_VALID (duration) && duration >= SHORTEST_GAP) {
    if (duration > LONGEST_GAP)
      set_loss (event, timestamp, LONGEST_GAP);
    return TRUE;
  }
  if (!GST_CLOCK_TIME_IS_VALID (self->end))
    return FALSE;
  duration = get_packet_duration (self);
  if (GST_CLOCK_TIME_IS_VALID (until))
    duration = MIN (duration, until - MIN (self->end, until));
  set_loss (event, self->end, duration);
  return duration >= SHORTEST_GAP;
}

/* Announces one loss to the decoder. The next packet is at `until`. */
static void
announce (GstTfrcLossRecovery * self, GstEvent * event, GstClockTime until)
{
  gboolean concealed = self->caps != NULL && measure_loss (self, &event, until);

  ADD (self, lost, get_lost_packets (event));
  GST_DEBUG_OBJECT (self, "not recovered, %s: %" GST_PTR_FORMAT,
      concealed ? "left to concealment" : "too short to be concealed",
      gst_event_get_structure (event));
  if (!concealed) {
    gst_event_unref (event);
    return;
  }
  self->end = get_lost_time (event, "timestamp") +
      get_lost_time (event, "duration");
  gst_pad_push_event (self->srcpad, event);
}

static GstEvent *
make_part (GstEvent * event, GstClockTime timestamp, GstClockTime duration,
    guint packets)
{
  GstEvent *part = gst_event_copy (event);

  set_loss (&part, timestamp, duration);
  gst_structure_set (gst_event_writable_structure (part), "packets",
      G_TYPE_UINT, packets, NULL);
  return part;
}

/* Takes the packet at `pts`, of which there is a copy, from the first loss, which may be one of several packets: those
 * before the copy are announced, and those behind it stay in the queue. FALSE: the packet is none of that loss. */
static gboolean
take_from_loss (GstTfrcLossRecovery * self, GstClockTime pts)
{
  GstEvent *event = g_queue_peek_head (&self->announcements);
  guint n = get_lost_packets (event), at;
  GstClockTime begin = get_lost_time (event, "timestamp");
  GstClockTime duration = get_lost_duration (event) / n;

  if (!GST_CLOCK_TIME_IS_VALID (begin) || pts + duration / 2 < begin
      || pts + duration / 2 >= begin + n * duration)
    return FALSE;
  g_queue_pop_head (&self->announcements);
  at = (pts + duration / 2 - begin) / duration;
  if (at + 1 < n)
    g_queue_push_head (&self->announcements, make_part (event,
            begin + (at + 1) * duration, (n - at - 1) * duration, n - at - 1));
  if (at > 0)
    announce (self, make_part (event, begin, at * duration, at), pts);
  gst_event_unref (event);
  return TRUE;
}

/* Announces the losses before `pts`, the time of a copy, GST_CLOCK_TIME_NONE: all. The next packet is at
 * `until`, GST_CLOCK_TIME_NONE: there is none. */
static void
announce_before (GstTfrcLossRecovery * self, GstClockTime pts,
    GstClockTime until)
{
  GstEvent *event;

  while ((event = g_queue_peek_head (&self->announcements)) != NULL) {
    GstClockTime time = get_lost_time (event, "timestamp");

    if (GST_CLOCK_TIME_IS_VALID (pts) && (take_from_loss (self, pts)
            || (GST_CLOCK_TIME_IS_VALID (time) && time >= pts)))
      break;
    announce (self, g_queue_pop_head (&self->announcements), until);
  }
}

/* Gives the packet the next sequence number of the output. The copy of a packet that the data
 * sender itself dropped has no sequence number of its own, and depayloaders drop packets with a
 * sequence number that they have seen. */
static GstBuffer *
number (GstTfrcLossRecovery * self, GstBuffer * packet)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  packet = gst_buffer_make_writable (packet);
  if (gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp)) {
    gst_rtp_buffer_set_seq (&rtp, self->seq++);
    gst_rtp_buffer_unmap (&rtp);
  }
  return packet;
}

/* An error of the decoder is one of the packet, and an error of other elements goes upstream. */
static GstFlowReturn
push_to_decoder (GstTfrcLossRecovery * self, GstBuffer * packet)
{
  GstFlowReturn ret;

  self->decoder_failed = FALSE;
  ret = gst_pad_push (self->srcpad, packet);
  if (!self->decoder_failed)
    return ret;
  COUNT (self, malformed);
  return ret == GST_FLOW_ERROR ? GST_FLOW_OK : ret;
}

static GstFlowReturn
push_packet (GstTfrcLossRecovery * self, GstBuffer * packet, gint pt,
    guint32 timestamp)
{
  if (!has_decoder (route (self, pt, GST_BUFFER_PTS (packet)))) {
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  GST_LOG_OBJECT (self, "seqnum %u, payload type %d, RTP timestamp %u at %"
      GST_TIME_FORMAT, self->seq, pt, timestamp,
      GST_TIME_ARGS (GST_BUFFER_PTS (packet)));
  packet = number (self, packet);
  if (self->started)
    self->step = (gint32) (timestamp - self->last_timestamp);
  self->started = TRUE;
  self->last_timestamp = timestamp;
  self->end = GST_BUFFER_PTS_IS_VALID (packet) ? GST_BUFFER_PTS (packet) +
      get_packet_duration (self) : GST_CLOCK_TIME_NONE;
  return push_to_decoder (self, packet);
}

/* The media time of `block`, computed from `packet`, which carries the block or follows it. */
static GstClockTime
get_pts (GstTfrcLossRecovery * self, GstBuffer * packet, guint32 timestamp,
    const GstTfrcRedBlock * block)
{
  GstClockTime pts = GST_BUFFER_PTS (packet), before =
      gst_util_uint64_scale_int (timestamp - block->timestamp, GST_SECOND,
      self->clock_rate > 0 ? self->clock_rate : DEFAULT_CLOCK_RATE);

  return GST_CLOCK_TIME_IS_VALID (pts) ? pts - MIN (before, pts) : pts;
}

/* Whether one of the copies has the time of the loss that `event` announces, within half a
 * packet. Copies take packets from a loss of several packets one by one. */
static gboolean
is_recovered (GstTfrcLossRecovery * self, GstEvent * event, GstBuffer * packet,
    guint32 timestamp)
{
  GstClockTime lost = get_lost_time (event, "timestamp");
  GstClockTime duration = get_lost_time (event, "duration");
  guint i;

  for (i = 0; get_lost_packets (event) == 1 && i < self->copies->len; i++) {
    GstClockTime pts = get_pts (self, packet, timestamp,
        &g_array_index (self->copies, GstTfrcRedBlock, i));

    if (ABS (GST_CLOCK_DIFF (pts, lost)) <= (GstClockTimeDiff) duration / 2)
      return TRUE;
  }
  return FALSE;
}

static void
add_packets (gpointer event, gpointer sum)
{
  *(guint *) sum += get_lost_packets (event);
}

/* Drops the announcements of losses of which there is a copy. When there are as many copies as
 * lost packets, there is a copy of each. */
static void
forget_recovered (GstTfrcLossRecovery * self, GstBuffer * packet,
    guint32 timestamp)
{
  guint i, n = g_queue_get_length (&self->announcements), packets = 0;

  g_queue_foreach (&self->announcements, add_packets, &packets);
  if (self->copies->len >= packets) {
    clear_announcements (self);
    return;
  }
  for (i = 0; i < n && self->copies->len > 0; i++) {
    GstEvent *event = g_queue_pop_head (&self->announcements);

    if (is_recovered (self, event, packet, timestamp))
      gst_event_unref (event);
    else
      g_queue_push_tail (&self->announcements, event);
  }
}

/* Adds those of `n` blocks that have payload type `pt` and lie between the RTP timestamps `after`
 * and `before`. A copy of another codec would take the decoder from the packets around it. */
static void
add_copies (GstTfrcLossRecovery * self, const GstTfrcRedBlock * blocks,
    guint n, guint pt, guint32 after, guint32 before)
{
  for (guint i = 0; i < n; i++) {
    if (blocks[i].pt == pt)
      gst_tfrc_copies_add (self->copies, &blocks[i], 1, after, before);
  }
}

/* Adds copies for the gap before a packet from packets that are still in the jitter buffer. */
static void
add_stored_copies (GstTfrcLossRecovery * self, guint pt, guint32 timestamp)
{
  GstBufferList *stored = gst_tfrc_stored_packets_query_send (self->sinkpad);

  if (stored == NULL)
    return;
  if (self->started)
    gst_tfrc_copies_add_stored (self->copies, stored, self->ssrc, self->red_pt,
        pt, self->last_timestamp, timestamp);
  gst_buffer_list_unref (stored);
}

static gboolean
is_behind_gap (GstTfrcLossRecovery * self, guint32 timestamp)
{
  return !g_queue_is_empty (&self->announcements) || (self->started
      && (gint32) (timestamp - self->last_timestamp) > self->step);
}

static GstFlowReturn
push_copies (GstTfrcLossRecovery * self, GstBuffer * packet, guint32 timestamp)
{
  guint32 played = self->last_timestamp;
  GstFlowReturn ret = GST_FLOW_OK;
  guint i;

  for (i = 0; i < self->copies->len && ret == GST_FLOW_OK; i++) {
    const GstTfrcRedBlock *block =
        &g_array_index (self->copies, GstTfrcRedBlock, i);
    GstClockTime pts = get_pts (self, packet, timestamp, block);
    GstBuffer *copy = gst_tfrc_red_unwrap (packet, block);

    if (GST_CLOCK_TIME_IS_VALID (pts))
      announce_before (self, pts, pts);
    if ((gint32) (block->timestamp - played) > 0) {
      COUNT (self, recovered);
      GST_DEBUG_OBJECT (self, "recovered RTP timestamp %u", block->timestamp);
    }
    if (copy == NULL)
      continue;
    GST_BUFFER_PTS (copy) = GST_BUFFER_DTS (copy) = pts;
    ret = push_packet (self, copy, block->pt, block->timestamp);
  }
  announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  return ret;
}

#define NO_DECODER GST_FLOW_CUSTOM_SUCCESS

/* Pushes the copies of packets that were lost before `packet`, which has payload type `pt` and
 * carries the `n` copies in `blocks`. Returns NO_DECODER when no decoder takes the packet. */
static GstFlowReturn
recover (GstTfrcLossRecovery * self, GstBuffer * packet, guint pt,
    guint32 timestamp, const GstTfrcRedBlock * blocks, guint n)
{
  gboolean first = self->caps == NULL;
  GstFlowReturn ret = NO_DECODER;
  GstTfrcDecoder decoder;

  if (self->started)
    add_copies (self, blocks, n, pt, self->last_timestamp, timestamp);
  /* The packet store keeps packets from the first query on. */
  if (!self->asked || is_behind_gap (self, timestamp))
    add_stored_copies (self, pt, timestamp);
  self->asked = TRUE;
  forget_recovered (self, packet, timestamp);
  /* Losses are announced to the decoder of the packets before them. */
  if ((gint) pt != self->pt)
    announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  decoder = route (self, pt, GST_BUFFER_PTS (packet));
  /* A decoder that begins in mid-stream is too quiet at first. Copies of sound that the
   * last decoder has played warm up the new one. */
  if (decoder == GST_TFRC_DECODER_NEW && !first)
    add_copies (self, blocks, n, pt, timestamp - G_MAXINT32, timestamp);
  if (has_decoder (decoder))
    ret = push_copies (self, packet, timestamp);
  g_array_set_size (self->copies, 0);
  return ret;
}

static GstFlowReturn
push_blocks (GstTfrcLossRecovery * self, GstBuffer * packet,
    const GstTfrcRedBlock * blocks, guint n)
{
  const GstTfrcRedBlock *own = &blocks[n - 1];
  GstFlowReturn ret = recover (self, packet, own->pt, own->timestamp, blocks,
      n - 1);
  GstBuffer *plain;

  if (ret == NO_DECODER)
    return GST_FLOW_OK;
  plain = ret == GST_FLOW_OK ? gst_tfrc_red_unwrap (packet, own) : NULL;
  return plain != NULL ? push_packet (self, plain, own->pt, own->timestamp) :
      ret;
}

static GstFlowReturn
split (GstTfrcLossRecovery * self, GstBuffer * packet)
{
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  guint i, n = gst_tfrc_red_parse (packet, blocks);
  GstFlowReturn ret = GST_FLOW_OK;

  if (n == 0)
    COUNT (self, malformed);
  else
    ret = push_blocks (self, packet, blocks, n);
  for (i = 0; i < n; i++)
    gst_tfrc_red_block_clear (&blocks[i]);
  gst_buffer_unref (packet);
  return ret;
}

/* Gives the packet its media time. */
static GstBuffer *
place (GstTfrcLossRecovery * self, GstBuffer * packet, gint pt,
    guint32 timestamp)
{
  packet = gst_buffer_make_writable (packet);
  GST_BUFFER_PTS (packet) =
      gst_tfrc_decoder_timeline_place (self->timeline, timestamp,
      self->map[pt].clock_rate, GST_BUFFER_PTS (packet));
  /* The gap before the packet is announced or filled. A decoder that saw the flag as well
   * would begin anew, and lose its state and the frame that it holds for error correction. */
  if (!g_queue_is_empty (&self->announcements))
    GST_BUFFER_FLAG_UNSET (packet, GST_BUFFER_FLAG_DISCONT);
  return packet;
}

static GstFlowReturn
gst_tfrc_loss_recovery_chain (GstPad * pad, GstObject * parent,
    GstBuffer * packet)
{
  GstTfrcLossRecovery *self = GST_TFRC_LOSS_RECOVERY (parent);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint32 timestamp;
  gint pt;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp)) {
    COUNT (self, malformed);
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  pt = gst_rtp_buffer_get_payload_type (&rtp);
  timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  self->ssrc = gst_rtp_buffer_get_ssrc (&rtp);
  count_last_loss (self, gst_rtp_buffer_get_seq (&rtp));
  gst_rtp_buffer_unmap (&rtp);
  COUNT (self, packets);
  packet = place (self, packet, pt, timestamp);

  if (self->map[pt].red) {
    self->red_pt = pt;
    return split (self, packet);
  }
  if (self->red_pt != NO_PT
      && recover (self, packet, pt, timestamp, NULL, 0) == NO_DECODER) {
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  return push_packet (self, packet, pt, timestamp);
}

/* Gives an announcement its media time. */
static GstEvent *
place_loss (GstTfrcLossRecovery * self, GstEvent * event)
{
  GstStructure *s;
  guint64 pts;

  event = gst_event_make_writable (event);
  s = gst_event_writable_structure (event);
  if (gst_structure_get_uint64 (s, "timestamp", &pts))
    gst_structure_set (s, "timestamp", G_TYPE_UINT64,
        gst_tfrc_decoder_timeline_get_media_time (self->timeline, pts), NULL);
  return event;
}

static void
add_loss (GstTfrcLossRecovery * self, GstEvent * event)
{
  guint seq;

  if (gst_structure_get_uint (gst_event_get_structure (event), "seqnum", &seq))
    count_last_loss (self, seq);
  g_queue_push_tail (&self->announcements, place_loss (self, event));
  if (g_queue_get_length (&self->announcements) > ANNOUNCEMENTS_MAX)
    announce_before (self, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
}

static gboolean
gst_tfrc_loss_recovery_sink_event (GstPad * pad, GstObject * parent,
    GstEvent * event)
{
  GstTfrcLossRecovery *self = GST_TFRC_LOSS_RECOVERY (parent);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_CAPS:{
      GstCaps *caps;

      gst_event_parse_caps (event, &caps);
      add_to_map (self, caps);
      self->pt = NO_PT;
      gst_event_unref (event);
      return TRUE;
    }
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      if (gst_event_has_name (event, LOST_EVENT)) {
        add_loss (self, event);
        return TRUE;
      }
      break;
    case GST_EVENT_FLUSH_STOP:
      forget_stream (self);
      break;
    case GST_EVENT_EOS:
      announce_before (self, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
      break;
    default:
      break;
  }
  if (self->caps == NULL && GST_EVENT_IS_STICKY (event)
      && GST_EVENT_TYPE (event) > GST_EVENT_CAPS) {
    gst_event_unref (event);
    return TRUE;
  }
  return gst_pad_event_default (pad, parent, event);
}

/* --- for the bin ---------------------------------------------------------------- */

void
gst_tfrc_loss_recovery_set_caps (GstTfrcLossRecovery * self,
    const GstCaps * caps)
{
  GstCaps *defaults = gst_tfrc_codec_get_default_caps ();

  clear_map (self);
  add_to_map (self, defaults);
  if (caps != NULL)
    add_to_map (self, caps);
  gst_caps_unref (defaults);
}

void
gst_tfrc_loss_recovery_note_decoder_error (GstTfrcLossRecovery * self)
{
  self->decoder_failed = TRUE;
}

GstStructure *
gst_tfrc_loss_recovery_get_stats (GstTfrcLossRecovery * self)
{
  GstStructure *stats;

  GST_OBJECT_LOCK (self);
  stats = gst_structure_new ("application/x-tfrc-decode-stats",
      "packets", G_TYPE_UINT64, self->packets,
      "recovered", G_TYPE_UINT64, self->recovered,
      "lost", G_TYPE_UINT64, self->lost,
      "malformed", G_TYPE_UINT64, self->malformed,
      "unknown", G_TYPE_UINT64, self->unknown,
      "refused", G_TYPE_UINT64, self->refused, NULL);
  GST_OBJECT_UNLOCK (self);
  return stats;
}

/* --- element -------------------------------------------------------------------- */

static GstStateChangeReturn
gst_tfrc_loss_recovery_change_state (GstElement * element,
    GstStateChange transition)
{
  GstStateChangeReturn ret =
      GST_ELEMENT_CLASS (gst_tfrc_loss_recovery_parent_class)->change_state
      (element,
      transition);

  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    reset (GST_TFRC_LOSS_RECOVERY (element));
  return ret;
}

static void
gst_tfrc_loss_recovery_finalize (GObject * object)
{
  GstTfrcLossRecovery *self = GST_TFRC_LOSS_RECOVERY (object);

  reset (self);
  g_array_unref (self->copies);
  clear_map (self);
  gst_tfrc_decoder_timeline_unref (self->timeline);
  G_OBJECT_CLASS (gst_tfrc_loss_recovery_parent_class)->finalize (object);
}

static void
gst_tfrc_loss_recovery_class_init (GstTfrcLossRecoveryClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = gst_tfrc_loss_recovery_finalize;
  element_class->change_state = gst_tfrc_loss_recovery_change_state;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC loss recovery",
      "Filter/Network/RTP", "Recovers lost packets from redundant copies",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_tfrc_loss_recovery_init (GstTfrcLossRecovery * self)
{
  g_queue_init (&self->announcements);
  self->copies = gst_tfrc_copies_new ();
  self->pt = self->red_pt = NO_PT;
  self->end = GST_CLOCK_TIME_NONE;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_loss_recovery_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_loss_recovery_sink_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}

GstElement *
gst_tfrc_loss_recovery_new (GstTfrcDecoderTimeline * timeline,
    GstTfrcLinkDecoder link_decoder, gpointer user_data)
{
  GstTfrcLossRecovery *self = g_object_new (GST_TYPE_TFRC_LOSS_RECOVERY, NULL);

  self->timeline = gst_tfrc_decoder_timeline_ref (timeline);
  self->link_decoder = link_decoder;
  self->user_data = user_data;
  return GST_ELEMENT (self);
}
