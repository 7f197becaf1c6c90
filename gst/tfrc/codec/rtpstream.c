/* gst-tfrc: makes one RTP stream of the packets of one payloader of tfrcencodebin after another
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/rtpstream.h"

#include <string.h>

#include <gst/rtp/rtp.h>

#include "base/debugcategory.h"
#include "base/redpacket.h"

/* Packets: a redundant copy is at most 341 ms old (RFC 2198 3), which are 34 packets of 10 ms. */
#define SENT_MAX 34

/* A packet that begins so much before the end of what was sent does not overlap it: clock rates
 * differ, and their rounding does. A quarter of the shortest frame. */
#define ROUNDING (2 * GST_MSECOND)

GST_TFRC_DEFINE_CATEGORY ("tfrcrtpstream",
    "TFRC RTP stream of several payloaders");

struct _GstTfrcRtpStream
{
  gint clock_rate;              /* Hz */
  guint red_pt;
  GstTfrcRtpStreamSettings settings;

  gboolean started;             /* a packet was sent, so the next fields are known */
  guint16 next_seq;
  guint32 next_timestamp;       /* RTP, where the audio of the last packet ends */
  guint32 timestamp_shift;      /* to add to the timestamps of the payloader */
  gboolean shift_unknown;       /* until the payloader's first packet that is sent */
  gboolean warm_up;             /* the next packet that is sent carries all of `sent` */
  gboolean mark;                /* packets were withheld since the last one */
  GstClockTime end;             /* of the audio that was encoded */
  GstClockTime sent_end;        /* of the audio of the last packet that was sent */
  GstClockTime sent_before;     /* audio before this time was sent by an earlier payloader */
  GstTfrcRedBlock sent[SENT_MAX];       /* the newest first */
};

static void
forget_sent (GstTfrcRtpStream * self)
{
  guint i;

  for (i = 0; i < SENT_MAX; i++)
    gst_tfrc_red_block_clear (&self->sent[i]);
}

GstTfrcRtpStream *
gst_tfrc_rtp_stream_new (void)
{

  return g_new0 (GstTfrcRtpStream, 1);
}

void
gst_tfrc_rtp_stream_free (GstTfrcRtpStream * self)
{
  forget_sent (self);
  g_free (self);
}

void
gst_tfrc_rtp_stream_start (GstTfrcRtpStream * self, gint clock_rate,
    guint red_pt)
{
  forget_sent (self);
  *self = (GstTfrcRtpStream) {
      .clock_rate = clock_rate,
      .red_pt = red_pt,
      .end = GST_CLOCK_TIME_NONE,
      .sent_end = GST_CLOCK_TIME_NONE,
      .sent_before = GST_CLOCK_TIME_NONE};
}

void
gst_tfrc_rtp_stream_switch (GstTfrcRtpStream * self, gint clock_rate,
    guint red_pt, gboolean warm_up)
{
  self->clock_rate = clock_rate;
  self->red_pt = red_pt;
  self->sent_before = self->end;
  self->warm_up = warm_up && self->started;
  self->shift_unknown = self->started;
  /* RFC 2198 2: a packet mixes no clock rates. */
  forget_sent (self);
}

void
gst_tfrc_rtp_stream_flush (GstTfrcRtpStream * self)
{
  forget_sent (self);
  self->end = self->sent_end = self->sent_before = GST_CLOCK_TIME_NONE;
}

GstClockTime
gst_tfrc_rtp_stream_get_end (const GstTfrcRtpStream * self)
{
  return self->end;
}

void
gst_tfrc_rtp_stream_set (GstTfrcRtpStream * self,
    const GstTfrcRtpStreamSettings * settings)
{
  self->settings = *settings;
}

/* --- packets --- */

/* The RTP timestamp units from the end of the last packet that was sent to a packet with the time `pts`: nothing was
 * sent meanwhile. */
static guint32
get_pause (const GstTfrcRtpStream * self, GstClockTime pts)
{
  if (!GST_CLOCK_TIME_IS_VALID (self->sent_end)
      || !GST_CLOCK_TIME_IS_VALID (pts) || pts <= self->sent_end + ROUNDING)
    return 0;
  return gst_util_uint64_scale_int_round (pts - self->sent_end,
      self->clock_rate, GST_SECOND);
}

/* The first packet of a payloader begins where the last packet of the payloader before it ended, or after the pause
 * behind that packet.
 * Packets that were withheld until now, of as much audio each, end there for the remote decoder:
 * the payloader's timestamps leave out what tfrcopusenc cuts from its first packet, the look-ahead,
 * but the remote decoder decodes all of a redundant copy. */
static void
set_shift (GstTfrcRtpStream * self, guint32 timestamp, guint32 duration,
    GstClockTime pts)
{
  guint i;

  self->next_timestamp += get_pause (self, pts);
  self->timestamp_shift = self->next_timestamp - timestamp;
  self->shift_unknown = FALSE;
  for (i = 0; self->warm_up && i < SENT_MAX; i++)
    self->sent[i].timestamp = self->next_timestamp - (i + 1) * duration;
}

static void
number_packet (GstTfrcRtpStream * self, GstRTPBuffer * rtp)
{
  guint32 timestamp = gst_rtp_buffer_get_timestamp (rtp);
  guint32 duration = gst_util_uint64_scale_int_round (GST_BUFFER_DURATION
      (rtp->buffer), self->clock_rate, GST_SECOND);

  if (!self->started)
    self->next_seq = gst_rtp_buffer_get_seq (rtp);
  self->started = TRUE;
  gst_rtp_buffer_set_seq (rtp, self->next_seq++);

  if (self->shift_unknown)
    set_shift (self, timestamp, duration, GST_BUFFER_PTS (rtp->buffer));
  timestamp += self->timestamp_shift;
  gst_rtp_buffer_set_timestamp (rtp, timestamp);
  self->next_timestamp = timestamp + duration;
  self->sent_end = GST_BUFFER_PTS_IS_VALID (rtp->buffer) ?
      GST_BUFFER_PTS (rtp->buffer) + GST_BUFFER_DURATION (rtp->buffer) :
      GST_CLOCK_TIME_NONE;

  /* RFC 3551 4.1: the first packet after a silence has the marker. */
  if (self->mark)
    gst_rtp_buffer_set_marker (rtp, TRUE);
  self->mark = FALSE;
  GST_LOG ("seq %u, timestamp %u, %u bytes", self->next_seq - 1U, timestamp,
      gst_rtp_buffer_get_payload_len (rtp));
}

/* Takes the payload of `block`. */
static void
remember (GstTfrcRtpStream * self, const GstTfrcRedBlock * block)
{
  gst_tfrc_red_block_clear (&self->sent[SENT_MAX - 1]);
  memmove (self->sent + 1, self->sent, (SENT_MAX - 1) * sizeof (*block));
  self->sent[0] = *block;
}

/* Redundant copies go before the packet's own block, the oldest first. */
static GstBuffer *
add_copies (GstTfrcRtpStream * self, GstBuffer * packet)
{
  GstTfrcRedBlock copies[TFRC_ADAPT_COPIES_MAX];
  TfrcAdaptCopies choice = self->settings.copies;
  guint i, n = 0;

  if (self->warm_up)
    choice = (TfrcAdaptCopies) {TFRC_ADAPT_REDUNDANCY_MAX, 1, 1};
  self->warm_up = FALSE;
  for (i = MIN (choice.n, TFRC_ADAPT_COPIES_MAX); i > 0; i--) {
    guint back = tfrc_adapt_copies_get_age (&choice, i);

    if (back <= SENT_MAX && self->sent[back - 1].payload != NULL)
      copies[n++] = self->sent[back - 1];
  }
  return n > 0 ? gst_tfrc_red_wrap (packet, self->red_pt, copies, n) : packet;
}

static gboolean
was_sent (GstTfrcRtpStream * self, GstBuffer * packet)
{
  return GST_CLOCK_TIME_IS_VALID (self->sent_before) &&
      GST_BUFFER_PTS_IS_VALID (packet) &&
      GST_BUFFER_PTS (packet) + ROUNDING < self->sent_before;
}

/* Counts the payload. Returns FALSE when the packet is not to be sent; otherwise numbers the
 * packet and fills `block` with what it carries. */
static gboolean
take_header (GstTfrcRtpStream * self, GstBuffer * packet, gsize * encoded,
    GstTfrcRedBlock * block)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gsize size;
  gboolean sent;

  if (!gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp))
    return FALSE;
  size = gst_rtp_buffer_get_payload_len (&rtp);
  if (size > self->settings.silence_size)
    *encoded = size;
  sent = *encoded > 0 && !self->settings.suspended;
  if (sent) {
    number_packet (self, &rtp);
    gst_tfrc_red_block_from_rtp (block, &rtp);
  }
  gst_rtp_buffer_unmap (&rtp);
  return sent;
}

/* A packet whose audio was sent by the payloader before; the remote decoder may warm up from a
 * redundant copy of it. */
static void
withhold (GstTfrcRtpStream * self, GstBuffer * packet)
{
  GstTfrcRedBlock block;

  if (self->warm_up && gst_tfrc_red_block_from_packet (&block, packet))
    remember (self, &block);
}

gboolean
gst_tfrc_rtp_stream_take (GstTfrcRtpStream * self, GstBuffer ** packet,
    gsize * encoded)
{
  GstTfrcRedBlock block;

  *encoded = 0;
  if (was_sent (self, *packet)) {
    withhold (self, *packet);
    return FALSE;
  }
  self->sent_before = GST_CLOCK_TIME_NONE;
  if (GST_BUFFER_PTS_IS_VALID (*packet))
    self->end = GST_BUFFER_PTS (*packet) + GST_BUFFER_DURATION (*packet);
  *packet = gst_buffer_make_writable (*packet);
  if (!take_header (self, *packet, encoded, &block)) {
    /* A copy of what was said before a pause is of no use after it. */
    self->mark = TRUE;
    forget_sent (self);
    return FALSE;
  }
  *packet = add_copies (self, *packet);
  remember (self, &block);
  return TRUE;
}
