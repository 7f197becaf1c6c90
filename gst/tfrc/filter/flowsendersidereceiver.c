/* gst-tfrc: makes TFRC reports of the feedback of a remote that knows nothing of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowsendersidereceiver.h"

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowsendersidereceiver",
    "TFRC reports of other RTCP feedback");

/* Packets that one feedback may be about. Browsers send feedback four times a second at least, so that this is enough
 * for 16000 packets a second. */
#define ENTRIES_MAX 4096

/* Bytes of the SSRC of the media source, which is the first field of an RTPFB packet behind the SSRC of its
 * sender. */
#define MEDIA_SSRC_SIZE 4

/* After so many report blocks in a row without any other feedback there is none. Report blocks are a second apart and
 * more on average, other feedback less than that. Blocks that follow each other sooner than UNANSWERED_APART count as
 * one, or three forged ones would switch off TFRC before the first report can come. */
#define UNANSWERED_MAX 3
#define UNANSWERED_APART (500 * TFRC_MSEC)

/* Feedback that had ceased is back when it says that one of the last packets was received, so many at most. A forger
 * who sees no packets hits them once in 128 times. */
#define RECENT_PACKETS 512

/* Listens to `kind`, whatever was agreed on. */
static void
listen (GstTfrcFlowSenderSideReceiver * self, GstTfrcFeedback kind,
    TfrcTime now)
{
  g_clear_pointer (&self->side, g_free);
  g_clear_pointer (&self->unnumbered, g_free);
  self->next = self->expected = 0;
  self->unanswered = 0;
  self->seeks = FALSE;
  self->kind = kind;
  if (kind == GST_TFRC_FEEDBACK_TFRC)
    return;
  if (kind == GST_TFRC_FEEDBACK_TWCC)
    self->unnumbered = g_new0 (GstTfrcUnnumbered, GST_TFRC_UNNUMBERED_MAX);
  self->side =
      tfrc_sender_side_init (g_malloc0 (tfrc_sender_side_size (&self->config)),
      &self->config, now);
}

static void
stop (GstTfrcFlowSenderSideReceiver * self)
{
  listen (self, GST_TFRC_FEEDBACK_TFRC, 0);
  self->agreed = GST_TFRC_FEEDBACK_TFRC;
  self->has_block = self->has_last = FALSE;
  self->answered = self->before = 0;
}

void
gst_tfrc_flow_sender_side_receiver_start (GstTfrcFlowSenderSideReceiver * self,
    const TfrcConfig * config)
{
  stop (self);
  self->config = *config;
  self->malformed = self->reports = 0;
}

void
gst_tfrc_flow_sender_side_receiver_clear (GstTfrcFlowSenderSideReceiver * self)
{
  stop (self);
}

gboolean
    gst_tfrc_flow_sender_side_receiver_set_kind
    (GstTfrcFlowSenderSideReceiver * self, GstTfrcFeedback kind, TfrcTime now) {
  if (kind == self->agreed)
    return FALSE;
  self->agreed = kind;
  listen (self, kind, now);
  return TRUE;
}

/* Whether the block says that packets arrived of which no other feedback has told. The first TFRC report ends the search
 * for it, so that the reports during the search are made of report blocks. */
static gboolean
is_unanswered (GstTfrcFlowSenderSideReceiver * self, guint64 reports,
    guint32 highest)
{
  gboolean arrived = !self->has_block || highest != self->highest;
  gboolean answered = reports > self->answered;

  self->answered = reports;
  if (answered && !self->seeks)
    self->unanswered = 0;
  return arrived && !answered;
}

/* A report block came that no other feedback has answered. Returns whether these are enough. */
static gboolean
count_unanswered (GstTfrcFlowSenderSideReceiver * self, TfrcTime now)
{
  if (self->unanswered > 0 && now < self->counted + UNANSWERED_APART)
    return FALSE;
  self->counted = now;
  return ++self->unanswered >= UNANSWERED_MAX;
}

gboolean
    gst_tfrc_flow_sender_side_receiver_is_missing
    (GstTfrcFlowSenderSideReceiver * self, guint64 reports, guint32 highest,
    TfrcTime now) {
  gboolean unanswered = is_unanswered (self, reports, highest);

  if (self->seeks)
    self->seeks = !count_unanswered (self, now);
  if (!unanswered || self->kind == GST_TFRC_FEEDBACK_RR)
    return FALSE;
  /* RFC 5348 4.4 is what holds when TFRC reports cease */
  if (self->kind == GST_TFRC_FEEDBACK_TFRC && reports > self->before)
    return FALSE;
  return count_unanswered (self, now);
}

static void
begin_remote (GstTfrcFlowSenderSideReceiver * self, guint64 reports)
{
  self->before = self->answered = reports;
  self->unanswered = 0;
  self->has_block = FALSE;
}

void gst_tfrc_flow_sender_side_receiver_forget_remote
    (GstTfrcFlowSenderSideReceiver * self, guint64 reports, TfrcTime now)
{
  listen (self, self->agreed, now);
  begin_remote (self, reports);
}

void gst_tfrc_flow_sender_side_receiver_on_new_remote
    (GstTfrcFlowSenderSideReceiver * self, guint64 reports)
{
  begin_remote (self, reports);
  self->seeks = self->agreed == GST_TFRC_FEEDBACK_TFRC
      && self->kind != GST_TFRC_FEEDBACK_TFRC;
}

void gst_tfrc_flow_sender_side_receiver_on_report
    (GstTfrcFlowSenderSideReceiver * self, TfrcTime now)
{
  if (!gst_tfrc_flow_sender_side_receiver_wants_stamps (self)
      || !gst_tfrc_flow_sender_side_receiver_waits_for_blocks (self))
    return;
  GST_INFO ("the remote sends TFRC reports");
  listen (self, GST_TFRC_FEEDBACK_TFRC, now);
}

gboolean
    gst_tfrc_flow_sender_side_receiver_waits_for_blocks
    (const GstTfrcFlowSenderSideReceiver * self)
{
  return self->kind == GST_TFRC_FEEDBACK_RR
      || (self->kind == GST_TFRC_FEEDBACK_TFRC && self->unanswered > 0);
}

gboolean
gst_tfrc_flow_sender_side_receiver_wants_stamps (const
    GstTfrcFlowSenderSideReceiver * self)
{
  return self->kind == GST_TFRC_FEEDBACK_TFRC || self->seeks;
}

void gst_tfrc_flow_sender_side_receiver_fall_back
    (GstTfrcFlowSenderSideReceiver * self, TfrcTime now)
{
  listen (self, GST_TFRC_FEEDBACK_RR, now);
}

void gst_tfrc_flow_sender_side_receiver_set_mode
    (GstTfrcFlowSenderSideReceiver * self, TfrcMode mode)
{
  self->config.mode = mode;
  if (self->side != NULL)
    tfrc_sender_side_set_mode (self->side, mode);
}

void gst_tfrc_flow_sender_side_receiver_restart
    (GstTfrcFlowSenderSideReceiver * self, TfrcTime now)
{
  self->has_block = FALSE;
  if (self->side != NULL)
    tfrc_sender_side_restart (self->side, now);
}

static void
wait_for_number (GstTfrcFlowSenderSideReceiver * self, guint32 repair,
    guint16 seq, guint32 size, const TfrcStamp * stamp)
{
  self->unnumbered[self->next] =
      (GstTfrcUnnumbered) {TRUE, repair, seq, size, *stamp};
  self->next = (self->next + 1) % GST_TFRC_UNNUMBERED_MAX;
}

void gst_tfrc_flow_sender_side_receiver_on_departure
    (GstTfrcFlowSenderSideReceiver * self, guint16 seq, guint32 size,
    const TfrcStamp * stamp, TfrcTime now)
{
  if (self->side == NULL)
    return;
  if (self->agreed != GST_TFRC_FEEDBACK_TWCC) {
    self->has_last = TRUE;
    self->last = seq;
  }
  if (self->kind == GST_TFRC_FEEDBACK_TWCC)
    wait_for_number (self, 0, seq, size, stamp);
  else
    tfrc_sender_side_on_departure (self->side, seq, size, stamp, now);
}

void gst_tfrc_flow_sender_side_receiver_on_repair
    (GstTfrcFlowSenderSideReceiver * self, guint32 ssrc, guint16 seq,
    guint32 size, const TfrcStamp * stamp)
{
  if (self->kind == GST_TFRC_FEEDBACK_TWCC)
    wait_for_number (self, ssrc, seq, size, stamp);
}

/* Numbers are told in the order in which the packets departed, so that the first one is the right one as a rule. */
static GstTfrcUnnumbered *
take_unnumbered (GstTfrcFlowSenderSideReceiver * self, guint32 repair,
    guint16 seq)
{
  guint i, at;

  for (i = 0; i < GST_TFRC_UNNUMBERED_MAX; i++) {
    GstTfrcUnnumbered *packet;

    at = (self->expected + i) % GST_TFRC_UNNUMBERED_MAX;
    packet = &self->unnumbered[at];
    if (packet->waits && packet->repair == repair && packet->seq == seq) {
      packet->waits = FALSE;
      self->expected = (at + 1) % GST_TFRC_UNNUMBERED_MAX;
      return packet;
    }
  }
  return NULL;
}

void gst_tfrc_flow_sender_side_receiver_on_number
    (GstTfrcFlowSenderSideReceiver * self, guint32 repair, guint16 seq,
    guint16 number, TfrcTime now)
{
  const GstTfrcUnnumbered *packet;

  self->has_last = TRUE;
  self->last = number;
  if (self->unnumbered == NULL)
    return;
  packet = take_unnumbered (self, repair, seq);
  if (packet == NULL)
    return;
  GST_LOG ("#%u has the transport-wide number %u", seq, number);
  tfrc_sender_side_on_departure (self->side, number, packet->size,
      &packet->stamp, now);
}

gboolean
gst_tfrc_flow_sender_side_receiver_listens_to (const
    GstTfrcFlowSenderSideReceiver * self, guint fmt)
{
  return (self->agreed == GST_TFRC_FEEDBACK_TWCC && fmt == TFRC_TWCC_FMT)
      || (self->agreed == GST_TFRC_FEEDBACK_CCFB && fmt == TFRC_CCFB_FMT);
}

void
gst_tfrc_arrivals_set (GstTfrcArrivals * arrivals, guint fmt,
    const guint8 * data, gsize size)
{
  arrivals->fmt = fmt;
  arrivals->data = data;
  arrivals->size = size;
  arrivals->is_parsed = FALSE;
  if (arrivals->entries == NULL)
    arrivals->entries = g_new0 (TfrcArrivalEntry, ENTRIES_MAX);
}

void
gst_tfrc_arrivals_clear (GstTfrcArrivals * arrivals)
{
  g_clear_pointer (&arrivals->entries, g_free);
}

static TfrcParse
parse_twcc (GstTfrcArrivals * arrivals)
{
  if (arrivals->size < MEDIA_SSRC_SIZE)
    return TFRC_PARSE_SIZE;
  return tfrc_arrival_feedback_parse_twcc (&arrivals->feedback,
      arrivals->data + MEDIA_SSRC_SIZE, arrivals->size - MEDIA_SSRC_SIZE);
}

TfrcParse
gst_tfrc_arrivals_parse (GstTfrcArrivals * arrivals, guint32 media_ssrc)
{
  if (arrivals->is_parsed)
    return arrivals->result;
  arrivals->feedback = (TfrcArrivalFeedback) {
      .entries = arrivals->entries,
      .room = ENTRIES_MAX};
  arrivals->is_parsed = arrivals->fmt == TFRC_TWCC_FMT;
  arrivals->result = arrivals->is_parsed ? parse_twcc (arrivals) :
      tfrc_arrival_feedback_parse_ccfb (&arrivals->feedback, media_ssrc,
      arrivals->data, arrivals->size);
  return arrivals->result;
}

/* Whether the feedback says that one of the last packets was received. */
static gboolean
is_recent (const GstTfrcFlowSenderSideReceiver * self,
    const TfrcArrivalFeedback * feedback)
{
  gsize i;

  for (i = 0; i < feedback->n && self->has_last; i++)
    if (feedback->entries[i].received
        && (guint16) (self->last - (guint16) (feedback->begin_seq + i)) <
        RECENT_PACKETS)
      return TRUE;
  return FALSE;
}

/* Feedback that had ceased has come. The next one counts, since this one is about packets that the new TFRC receiver
 * does not know. */
static void
return_to_agreed (GstTfrcFlowSenderSideReceiver * self,
    const TfrcArrivalFeedback * feedback, TfrcTime now)
{
  if (!is_recent (self, feedback))
    return;
  GST_INFO ("feedback of the kind %s is back",
      gst_tfrc_feedback_get_nick (self->agreed));
  listen (self, self->agreed, now);
}

static unsigned
count_report (GstTfrcFlowSenderSideReceiver * self, unsigned bits)
{
  self->reports += (bits & TFRC_SENDER_SIDE_REPORT) != 0;
  return bits;
}

/* The engine takes an arrival whose time the remote does not say for one at the time of the feedback, which has no transit
 * time. */
static void
note_arrival_time (GstTfrcFlowSenderSideReceiver * self,
    const TfrcArrivalFeedback * feedback)
{
  gsize i = feedback->n;

  while (i > 0 && !feedback->entries[i - 1].received)
    i--;
  if (i > 0)
    self->timed = feedback->entries[i - 1].timed;
}

unsigned
    gst_tfrc_flow_sender_side_receiver_on_arrivals
    (GstTfrcFlowSenderSideReceiver * self, GstTfrcArrivals * arrivals,
    guint32 media_ssrc, TfrcReport * report, TfrcTime now)
{
  TfrcParse result;
  unsigned bits;

  if (!gst_tfrc_flow_sender_side_receiver_listens_to (self, arrivals->fmt))
    return 0;
  result = gst_tfrc_arrivals_parse (arrivals, media_ssrc);
  if (result == TFRC_PARSE_NOT_FOUND)
    return 0;
  if (result != TFRC_PARSE_OK) {
    GST_DEBUG ("malformed feedback of %" G_GSIZE_FORMAT " bytes",
        arrivals->size);
    self->malformed++;
    return 0;
  }
  if (self->kind != self->agreed) {
    return_to_agreed (self, &arrivals->feedback, now);
    return 0;
  }
  note_arrival_time (self, &arrivals->feedback);
  bits = count_report (self, tfrc_sender_side_on_feedback (self->side,
          &arrivals->feedback, report, now));
  /* the arrival is that of the remote's clock, unlike R, which has what feedback waited at the remote */
  report->timed = self->timed;
  return bits;
}

gboolean
    gst_tfrc_flow_sender_side_receiver_on_block
    (GstTfrcFlowSenderSideReceiver * self, gint lost, guint32 highest,
    TfrcTime rtt, TfrcReport * report, TfrcTime now) {
  gint more = self->has_block ? lost - self->lost : MAX (lost, 0);

  if (self->side != NULL && self->kind != GST_TFRC_FEEDBACK_RR)
    tfrc_sender_side_on_lost (self->side, lost);
  self->has_block = TRUE;
  self->lost = lost;
  self->highest = highest;
  if (self->kind != GST_TFRC_FEEDBACK_RR)
    return FALSE;
  return (count_report (self, tfrc_sender_side_on_block (self->side,
              (guint16) highest, MAX (more, 0), rtt, report,
              now)) & TFRC_SENDER_SIDE_REPORT) != 0;
}

void
gst_tfrc_flow_sender_side_receiver_add_stats (const
    GstTfrcFlowSenderSideReceiver * self, GstStructure * stats)
{
  TfrcSenderSideStats s = { .unknown = 0 };

  if (self->side != NULL)
    tfrc_sender_side_get_stats (self->side, &s);
  gst_structure_set (stats,
      "feedback", G_TYPE_STRING, gst_tfrc_feedback_get_nick (self->kind),
      "feedback-reports", G_TYPE_UINT64, self->reports,
      "feedback-unknown", G_TYPE_UINT64, s.unknown,
      "feedback-unknown-lost", G_TYPE_UINT64, s.unknown_lost,
      "feedback-idle", G_TYPE_UINT64, s.idle_feedbacks,
      "feedback-malformed", G_TYPE_UINT64, self->malformed, NULL);
}
