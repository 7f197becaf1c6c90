/* gst-tfrc: RTP packets out of RED, what was lost restored, each to its decoder
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The head of tfrcdecodebin. The jitter buffer in front of it has put packets in
 * order and announces the ones it gave up on. Such an announcement is held until
 * the next packet. By then the copies of what is missing have come too, in that packet
 * or in some that the jitter buffer still holds; what no copy restores is announced to
 * the decoder. */
#include "codec/gsttfrclossrecovery.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/packetstore.h"
#include "codec/redundantcopies.h"
#include "codec/redpacket.h"
#include "codec/playouttimeline.h"

GST_DEBUG_CATEGORY_STATIC (tfrcunpack_debug);
#define GST_CAT_DEFAULT tfrcunpack_debug

#define LOST_EVENT "GstRTPPacketLost"

/* A dead path announces losses for as long as it lasts. */
#define HELD_MAX 50

/* No gap of less is told to a decoder. spanplc fades into what it makes up over as many
 * as 30 samples, and writes behind the end of a gap that has fewer; 0 is a gap of no known
 * length for all decoders. */
#define SHORTEST_GAP (5 * GST_MSECOND)

/* The longest packet of sound there is, RFC 7587 4.2. */
#define LONGEST_PACKET (120 * GST_MSECOND)

#define NO_PT -1
#define DEFAULT_CLOCK_RATE 48000        /* Hz */
#define N_PTS 128

enum
{
  KIND_UNKNOWN,
  KIND_PLAIN,
  KIND_RED
};

struct _GstTfrcLossRecovery
{
  GstElement parent;
  GstPad *sinkpad;
  GstTfrcLossRecoveryFunc func;
  GstTfrcLossRecoveryStopped stopped;
  gpointer user_data;

  /* object lock */
  GstCaps *map;
  GstTfrcLossRecoveryStats stats;

  /* streaming thread */
  guint n_pads;                 /* that ever were, for their names */
  guint8 kinds[N_PTS];          /* of payload types */
  gint clock_rates[N_PTS];      /* of those with a kind; 0: unknown */
  GstTfrcPlayoutTimeline timeline;
  GstPad *srcpad;               /* of the last packet, owned */
  GstCaps *caps;                /* that stand on it */
  gint pt;                      /* of the last packet */
  GQueue held;                  /* announcements */
  gboolean started;
  guint32 last_timestamp;       /* RTP, of the last packet handed on */
  gint32 step;                  /* RTP, to it from the one before */
  GstClockTime end;             /* of what the decoder was told, sound or gap */
  gint red_pt;                  /* of the packets with copies */
  gboolean asked;               /* for what lies ahead */
  GArray *copies;               /* of what did not come, while they are handed on */
  guint16 seq;                  /* of the next */
  gint clock_rate;              /* of the present caps */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src_%u",
    GST_PAD_SRC, GST_PAD_SOMETIMES, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcLossRecovery, gst_tfrc_loss_recovery,
    GST_TYPE_ELEMENT, GST_DEBUG_CATEGORY_INIT (tfrcunpack_debug, "tfrcunpack",
        0, "TFRC unpacker"));

#define COUNT(self, what) G_STMT_START { \
  GST_OBJECT_LOCK (self); \
  (self)->stats.what++; \
  GST_OBJECT_UNLOCK (self); \
} G_STMT_END

static void
clear_held (GstTfrcLossRecovery * self)
{
  GstEvent *event;

  while ((event = g_queue_pop_head (&self->held)) != NULL)
    gst_event_unref (event);
}

static void
reset (GstTfrcLossRecovery * self)
{
  clear_held (self);
  gst_clear_object (&self->srcpad);
  gst_clear_caps (&self->caps);
  self->pt = NO_PT;
  self->started = self->asked = FALSE;
  self->red_pt = NO_PT;
  self->clock_rate = 0;
  self->timeline = (GstTfrcPlayoutTimeline) {
  FALSE};
  self->step = 0;
  self->end = GST_CLOCK_TIME_NONE;
}

/* --- caps --------------------------------------------------------------------- */

static gint
get_pt (const GstStructure * s)
{
  gint pt;

  return gst_structure_get_int (s, "payload", &pt) && pt >= 0 && pt < N_PTS ?
      pt : NO_PT;
}

/* A copy of the map's structure for `pt`. */
static GstCaps *
find_caps (GstTfrcLossRecovery * self, gint pt)
{
  GstCaps *found = NULL;
  guint i;

  GST_OBJECT_LOCK (self);
  for (i = 0; self->map && !found && i < gst_caps_get_size (self->map); i++) {
    if (get_pt (gst_caps_get_structure (self->map, i)) == pt)
      found = gst_caps_copy_nth (self->map, i);
  }
  GST_OBJECT_UNLOCK (self);
  return found;
}

/* Of the structures for one payload type the first stays. */
static void
remove_repeated (GstCaps * map)
{
  gboolean seen[N_PTS] = { FALSE };
  guint i = 0;

  while (i < gst_caps_get_size (map)) {
    gint pt = get_pt (gst_caps_get_structure (map, i));

    if (pt == NO_PT || seen[pt]) {
      gst_caps_remove_structure (map, i);
      continue;
    }
    seen[pt] = TRUE;
    i++;
  }
}

/* What the stream's own caps say of a payload type is better than what the map
 * said before. */
static void
learn_caps (GstTfrcLossRecovery * self, GstCaps * caps)
{
  GstCaps *map = gst_caps_new_empty ();
  guint i;

  for (i = 0; i < gst_caps_get_size (caps); i++) {
    if (get_pt (gst_caps_get_structure (caps, i)) != NO_PT)
      gst_caps_append_structure (map,
          gst_structure_copy (gst_caps_get_structure (caps, i)));
  }
  GST_OBJECT_LOCK (self);
  for (i = 0; self->map && i < gst_caps_get_size (self->map); i++)
    gst_caps_append_structure (map,
        gst_structure_copy (gst_caps_get_structure (self->map, i)));
  remove_repeated (map);
  gst_caps_take (&self->map, map);
  memset (self->kinds, KIND_UNKNOWN, sizeof (self->kinds));
  GST_OBJECT_UNLOCK (self);
}

/* What the map says of a payload type, asked once. */
static void
learn_pt (GstTfrcLossRecovery * self, gint pt)
{
  GstCaps *caps = find_caps (self, pt);
  GstStructure *s = caps ? gst_caps_get_structure (caps, 0) : NULL;
  const gchar *name = s ? gst_structure_get_string (s, "encoding-name") : NULL;

  self->kinds[pt] = name != NULL && g_ascii_strcasecmp (name, "RED") == 0 ?
      KIND_RED : KIND_PLAIN;
  if (s == NULL || !gst_structure_get_int (s, "clock-rate",
          &self->clock_rates[pt]))
    self->clock_rates[pt] = 0;
  gst_clear_caps (&caps);
}

static gboolean
copy_sticky (GstPad * pad, GstEvent ** event, gpointer srcpad)
{
  if (GST_EVENT_TYPE (*event) != GST_EVENT_CAPS
      && GST_EVENT_TYPE (*event) != GST_EVENT_EOS)
    gst_pad_push_event (srcpad, gst_event_ref (*event));
  return TRUE;
}

/* stream-start, caps and segment stand on a pad in this order. */
static void
start_pad (GstTfrcLossRecovery * self, GstPad * srcpad, GstCaps * caps)
{
  GstEvent *start =
      gst_pad_get_sticky_event (self->sinkpad, GST_EVENT_STREAM_START, 0);

  if (start != NULL)
    gst_pad_push_event (srcpad, start);
  gst_pad_push_event (srcpad, gst_event_new_caps (caps));
  gst_pad_sticky_events_foreach (self->sinkpad, copy_sticky, srcpad);
}

/* Makes the decoder for `pt` the one that packets go to, from time `pts` on. */
static gboolean
route (GstTfrcLossRecovery * self, gint pt, GstClockTime pts)
{
  GstCaps *caps;
  GstPad *srcpad;

  if (pt == self->pt && self->srcpad != NULL)
    return TRUE;
  caps = find_caps (self, pt);
  srcpad = caps != NULL ? self->func (caps, self->user_data) : NULL;
  if (srcpad == NULL) {
    gst_clear_caps (&caps);
    return FALSE;
  }
  if (srcpad != self->srcpad) {
    if (self->srcpad != NULL)
      self->stopped (self->srcpad, pts, self->user_data);
    start_pad (self, srcpad, caps);
    gst_object_replace ((GstObject **) & self->srcpad, GST_OBJECT (srcpad));
  } else if (!gst_caps_is_equal (caps, self->caps)) {
    gst_pad_push_event (srcpad, gst_event_new_caps (caps));
  }
  gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate",
      &self->clock_rate);
  gst_caps_take (&self->caps, caps);
  self->pt = pt;
  return TRUE;
}

/* --- packets ------------------------------------------------------------------- */

static GstClockTime
get_lost_time (GstEvent * event, const gchar * name)
{
  guint64 time = GST_CLOCK_TIME_NONE;

  gst_structure_get_uint64 (gst_event_get_structure (event), name, &time);
  return time;
}

/* The length of sound in a packet, by the last two packets; 0: not known. */
static GstClockTime
get_packet_duration (GstTfrcLossRecovery * self)
{
  if (self->step <= 0 || self->clock_rate <= 0)
    return 0;
  return MIN (LONGEST_PACKET, gst_util_uint64_scale_int (self->step, GST_SECOND,
          self->clock_rate));
}

/* The jitter buffer takes the length of a lost packet from the times of the packets
 * around it. These are nearly the same when the packets came in a burst, and the length
 * is then 0 or next to it. RTP timestamps still say how much is missing: such a loss is
 * as long as a packet, in what room there is between the end of what came before it and
 * the next packet, at `until`. FALSE: there is no room, and nothing to conceal. */
static gboolean
measure_loss (GstTfrcLossRecovery * self, GstEvent ** event, GstClockTime until)
{
  GstClockTime duration = get_lost_time (*event, "duration");

  if (!GST_CLOCK_TIME_IS_VALID (get_lost_time (*event, "timestamp")))
    return FALSE;
  if (GST_CLOCK_TIME_IS_VALID (duration) && duration >= SHORTEST_GAP)
    return TRUE;
  if (!GST_CLOCK_TIME_IS_VALID (self->end))
    return FALSE;
  duration = get_packet_duration (self);
  if (GST_CLOCK_TIME_IS_VALID (until))
    duration = MIN (duration, until - MIN (self->end, until));
  *event = gst_event_make_writable (*event);
  gst_structure_set (gst_event_writable_structure (*event),
      "timestamp", G_TYPE_UINT64, self->end,
      "duration", G_TYPE_UINT64, duration, NULL);
  return duration >= SHORTEST_GAP;
}

/* Tells the decoder of a loss before a packet at `until`. */
static void
announce (GstTfrcLossRecovery * self, GstEvent * event, GstClockTime until)
{
  COUNT (self, lost);
  if (self->srcpad == NULL || !measure_loss (self, &event, until)) {
    gst_event_unref (event);
    return;
  }
  self->end = get_lost_time (event, "timestamp") +
      get_lost_time (event, "duration");
  gst_pad_push_event (self->srcpad, event);
}

/* Announces the losses before `pts`, of a copy; GST_CLOCK_TIME_NONE: all. The next
 * packet is at `until`, GST_CLOCK_TIME_NONE when there is none. */
static void
announce_before (GstTfrcLossRecovery * self, GstClockTime pts,
    GstClockTime until)
{
  GstEvent *event;

  while ((event = g_queue_peek_head (&self->held)) != NULL) {
    GstClockTime time = get_lost_time (event, "timestamp");

    if (GST_CLOCK_TIME_IS_VALID (pts) && GST_CLOCK_TIME_IS_VALID (time) &&
        time >= pts)
      break;
    announce (self, g_queue_pop_head (&self->held), until);
  }
}

/* A number of our own: a packet that the sender itself dropped had none, and its copy
 * would have that of one that came, which depayloaders drop. Losses are announced. */
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

static GstFlowReturn
push_packet (GstTfrcLossRecovery * self, GstBuffer * packet, gint pt,
    guint32 timestamp)
{
  if (!route (self, pt, GST_BUFFER_PTS (packet))) {
    COUNT (self, unknown);
    gst_buffer_unref (packet);
    return GST_FLOW_OK;
  }
  packet = number (self, packet);
  if (self->started)
    self->step = (gint32) (timestamp - self->last_timestamp);
  self->started = TRUE;
  self->last_timestamp = timestamp;
  self->end = GST_BUFFER_PTS_IS_VALID (packet) ? GST_BUFFER_PTS (packet) +
      get_packet_duration (self) : GST_CLOCK_TIME_NONE;
  return gst_pad_push (self->srcpad, packet);
}

/* A copy of a packet that did not come. */
static GstBuffer *
make_recovered (GstBuffer * carrier, const GstTfrcRedBlock * block,
    GstClockTime pts)
{
  GstBuffer *packet = gst_tfrc_red_unwrap (carrier, block);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  if (packet == NULL)
    return NULL;
  GST_BUFFER_PTS (packet) = GST_BUFFER_DTS (packet) = pts;
  GST_BUFFER_FLAG_UNSET (packet, GST_BUFFER_FLAG_DISCONT);
  if (gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp)) {
    gst_rtp_buffer_set_marker (&rtp, FALSE);
    gst_rtp_buffer_unmap (&rtp);
  }
  return packet;
}

/* When a block plays, by the packet that it came with or that came behind it. */
static GstClockTime
get_pts (GstTfrcLossRecovery * self, GstBuffer * packet, guint32 timestamp,
    const GstTfrcRedBlock * block)
{
  GstClockTime pts = GST_BUFFER_PTS (packet), before =
      gst_util_uint64_scale_int (timestamp - block->timestamp, GST_SECOND,
      self->clock_rate > 0 ? self->clock_rate : DEFAULT_CLOCK_RATE);

  return GST_CLOCK_TIME_IS_VALID (pts) ? pts - MIN (before, pts) : pts;
}

/* Whether one of the copies is what was announced, as near as its time is known. */
static gboolean
is_restored (GstTfrcLossRecovery * self, GstEvent * event, GstBuffer * packet,
    guint32 timestamp)
{
  GstClockTime lost = get_lost_time (event, "timestamp");
  GstClockTime duration = get_lost_time (event, "duration");
  guint i;

  for (i = 0; i < self->copies->len; i++) {
    GstClockTime pts = get_pts (self, packet, timestamp,
        &g_array_index (self->copies, GstTfrcRedBlock, i));

    if (ABS (GST_CLOCK_DIFF (pts, lost)) <= (GstClockTimeDiff) duration / 2)
      return TRUE;
  }
  return FALSE;
}

/* As many copies as losses are copies of them. */
static void
forget_restored (GstTfrcLossRecovery * self, GstBuffer * packet,
    guint32 timestamp)
{
  guint i, n = g_queue_get_length (&self->held);

  if (self->copies->len >= n) {
    clear_held (self);
    return;
  }
  for (i = 0; i < n && self->copies->len > 0; i++) {
    GstEvent *event = g_queue_pop_head (&self->held);

    if (is_restored (self, event, packet, timestamp))
      gst_event_unref (event);
    else
      g_queue_push_tail (&self->held, event);
  }
}

/* What the jitter buffer still holds may have copies for the gap before `packet`. */
static void
look_ahead (GstTfrcLossRecovery * self, GstBuffer * packet, guint pt,
    guint32 timestamp)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstBufferList *ahead = gst_tfrc_packet_store_query (self->sinkpad);

  if (ahead == NULL)
    return;
  if (self->started && gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp)) {
    gst_tfrc_copies_add_stored (self->copies, ahead,
        gst_rtp_buffer_get_ssrc (&rtp), self->red_pt, pt, self->last_timestamp,
        timestamp);
    gst_rtp_buffer_unmap (&rtp);
  }
  gst_buffer_list_unref (ahead);
}

static gboolean
is_behind_gap (GstTfrcLossRecovery * self, guint32 timestamp)
{
  return !g_queue_is_empty (&self->held) || (self->started
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
    GstBuffer *copy = make_recovered (packet, block, pts);

    if (GST_CLOCK_TIME_IS_VALID (pts))
      announce_before (self, pts, pts);
    if ((gint32) (block->timestamp - played) > 0)
      COUNT (self, recovered);
    if (copy != NULL)
      ret = push_packet (self, copy, block->pt, block->timestamp);
  }
  announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  return ret;
}

#define NO_DECODER GST_FLOW_CUSTOM_SUCCESS

/* Copies of what did not come go before the packet, of payload type `pt`, that has `n` of
 * them itself. NO_DECODER: nothing takes the packet. */
static GstFlowReturn
restore (GstTfrcLossRecovery * self, GstBuffer * packet, guint pt,
    guint32 timestamp, const GstTfrcRedBlock * blocks, guint n)
{
  GstPad *before = self->srcpad;
  gboolean same = before != NULL && (gint) pt == self->pt;
  GstFlowReturn ret = GST_FLOW_OK;

  if (self->started)
    gst_tfrc_copies_add (self->copies, blocks, n, self->last_timestamp,
        timestamp);
  /* The first question is for what comes later. */
  if (!self->asked || is_behind_gap (self, timestamp))
    look_ahead (self, packet, pt, timestamp);
  self->asked = TRUE;
  forget_restored (self, packet, timestamp);
  /* Announcements go to the decoder of what came before. */
  if (!same)
    announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  if (route (self, pt, GST_BUFFER_PTS (packet))) {
    /* A decoder that begins in mid-stream is too quiet at first. Copies in its
     * first packet, of time that the old decoder played, warm it. */
    if (before != NULL && self->srcpad != before)
      gst_tfrc_copies_add (self->copies, blocks, n, timestamp - G_MAXINT32,
          timestamp);
    ret = push_copies (self, packet, timestamp);
  } else {
    ret = NO_DECODER;
  }
  g_array_set_size (self->copies, 0);
  return ret;
}

static GstFlowReturn
count_unknown (GstTfrcLossRecovery * self)
{
  COUNT (self, unknown);
  return GST_FLOW_OK;
}

static GstFlowReturn
push_blocks (GstTfrcLossRecovery * self, GstBuffer * packet,
    const GstTfrcRedBlock * blocks, guint n)
{
  const GstTfrcRedBlock *own = &blocks[n - 1];
  GstFlowReturn ret = restore (self, packet, own->pt, own->timestamp, blocks,
      n - 1);
  GstBuffer *plain;

  if (ret == NO_DECODER)
    return count_unknown (self);
  plain = ret == GST_FLOW_OK ? gst_tfrc_red_unwrap (packet, own) : NULL;
  return plain != NULL ? push_packet (self, plain, own->pt, own->timestamp) :
      ret;
}

static GstFlowReturn
unpack (GstTfrcLossRecovery * self, GstBuffer * packet)
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

/* The packet with its time, and without what announced gaps have told already. */
static GstBuffer *
place (GstTfrcLossRecovery * self, GstBuffer * packet, gint pt,
    guint32 timestamp)
{
  packet = gst_buffer_make_writable (packet);
  GST_BUFFER_PTS (packet) =
      gst_tfrc_playout_timeline_place (&self->timeline, timestamp,
      self->clock_rates[pt], GST_BUFFER_PTS (packet));
  /* The gap before it is announced, and filled: a decoder that sees the flag as
   * well would begin anew, its state and what it holds for error correction lost. */
  if (!g_queue_is_empty (&self->held))
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
  gst_rtp_buffer_unmap (&rtp);
  COUNT (self, packets);
  if (self->kinds[pt] == KIND_UNKNOWN)
    learn_pt (self, pt);
  packet = place (self, packet, pt, timestamp);

  if (self->kinds[pt] == KIND_RED) {
    self->red_pt = pt;
    return unpack (self, packet);
  }
  if (self->red_pt != NO_PT
      && restore (self, packet, pt, timestamp, NULL, 0) == NO_DECODER) {
    gst_buffer_unref (packet);
    return count_unknown (self);
  }
  announce_before (self, GST_CLOCK_TIME_NONE, GST_BUFFER_PTS (packet));
  return push_packet (self, packet, pt, timestamp);
}

/* Announcements have the jitter buffer's times. */
static GstEvent *
shift_lost (GstTfrcLossRecovery * self, GstEvent * event)
{
  GstStructure *s;
  guint64 pts;

  event = gst_event_make_writable (event);
  s = gst_event_writable_structure (event);
  if (gst_structure_get_uint64 (s, "timestamp", &pts))
    gst_structure_set (s, "timestamp", G_TYPE_UINT64,
        gst_tfrc_playout_timeline_shift (&self->timeline, pts), NULL);
  return event;
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
      learn_caps (self, caps);
      self->pt = NO_PT;
      gst_event_unref (event);
      return TRUE;
    }
    case GST_EVENT_STREAM_START:
      /* start_pad() hands it on */
      gst_event_unref (event);
      return TRUE;
    case GST_EVENT_CUSTOM_DOWNSTREAM:
      if (gst_event_has_name (event, LOST_EVENT)) {
        g_queue_push_tail (&self->held, shift_lost (self, event));
        if (g_queue_get_length (&self->held) > HELD_MAX)
          announce_before (self, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE);
        return TRUE;
      }
      break;
    case GST_EVENT_FLUSH_STOP:
      clear_held (self);
      self->started = FALSE;
      self->end = GST_CLOCK_TIME_NONE;
      self->timeline = (GstTfrcPlayoutTimeline) {
      FALSE};
      break;
    default:
      break;
  }
  return gst_pad_event_default (pad, parent, event);
}

/* --- for the bin ---------------------------------------------------------------- */

GstPad *
gst_tfrc_loss_recovery_add_pad (GstTfrcLossRecovery * self)
{
  gchar *name = g_strdup_printf ("src_%u", self->n_pads++);
  GstPad *pad = gst_pad_new_from_static_template (&src_template, name);

  g_free (name);
  gst_pad_set_active (pad, TRUE);
  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}


void
gst_tfrc_loss_recovery_set_map (GstTfrcLossRecovery * self, GstCaps * map)
{
  GST_OBJECT_LOCK (self);
  gst_caps_take (&self->map, map);
  memset (self->kinds, KIND_UNKNOWN, sizeof (self->kinds));
  GST_OBJECT_UNLOCK (self);
}

void
gst_tfrc_loss_recovery_get_stats (GstTfrcLossRecovery * self,
    GstTfrcLossRecoveryStats * stats)
{
  GST_OBJECT_LOCK (self);
  *stats = self->stats;
  GST_OBJECT_UNLOCK (self);
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
  gst_clear_caps (&self->map);
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
  gst_element_class_set_static_metadata (element_class, "TFRC unpacker",
      "Filter/Network/RTP", "Restores lost packets from redundant copies",
      "The gst-tfrc developers");
}

static void
gst_tfrc_loss_recovery_init (GstTfrcLossRecovery * self)
{
  g_queue_init (&self->held);
  self->copies = gst_tfrc_copies_new ();
  self->pt = self->red_pt = NO_PT;
  self->end = GST_CLOCK_TIME_NONE;
  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_tfrc_loss_recovery_chain);
  gst_pad_set_event_function (self->sinkpad, gst_tfrc_loss_recovery_sink_event);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);
}

GstElement *
gst_tfrc_loss_recovery_new (GstTfrcLossRecoveryFunc func,
    GstTfrcLossRecoveryStopped stopped, gpointer user_data)
{
  GstTfrcLossRecovery *self = g_object_new (GST_TYPE_TFRC_LOSS_RECOVERY, NULL);

  self->func = func;
  self->stopped = stopped;
  self->user_data = user_data;
  return GST_ELEMENT (self);
}
