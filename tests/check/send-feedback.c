/* gst-tfrc tests: rtptfrcsend and data receivers that know nothing of TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A voice of 50 packets a second goes through rtptfrcsend and a real rtpsession over a path of 50 ms each way that
 * loses one packet in 20. The data receiver sends transport-wide feedback or feedback of RFC 8888 each 60 ms. Beside it a
 * sender and a receiver of libtfrc have the same packets and TFRC's own reports. */
#include <string.h>
#include <tfrc/arrival-feedback.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#include "base/feedbackkind.h"
#include "base/twccseqnum.h"
#include "filter/filtersettings.h"
#include "filter/payloadroles.h"
#include "send.h"

#define LINE "rtptfrcsend name=rtptfrcsend mode=tfrc-sp ! session.send_rtp_sink " \
    "rtpsession name=session session.send_rtp_src ! identity name=end"
#define CAPS "application/x-rtp, media=(string)audio, clock-rate=(int)48000, " \
    "encoding-name=(string)OPUS, payload=(int)96, ssrc=(uint)572662306, "
#define NUMBER_ID 5
#define TWCC_CAPS CAPS "rtcp-fb-transport-cc=(boolean)true, " \
    "extmap-5=(string)" GST_TFRC_TRANSPORT_URI
#define CCFB_CAPS CAPS "rtcp-fb-ack-ccfb=(boolean)true"
#define PAYLOAD 80
#define ONE_WAY (50 * GST_MSECOND)
#define PACKETS_MAX 4096
#define FEEDBACK_PACKETS 3      /* packets from feedback to feedback */

typedef struct
{
  guint16 number;               /* by which feedback mentions the packet */
  GstClockTime arrival;         /* 0: the packet was lost */
} Sent;

typedef struct
{
  Filter f;
  guint fmt;
  Sent sent[PACKETS_MAX];
  guint n, reported;            /* packets that departed, and that feedback was about */
  guint8 fci[1024];
  gsize size;

  TfrcSender *sender;           /* with TFRC at both ends */
  TfrcReceiver *receiver;
  gdouble X, native_X;          /* sums */
  GstClockTime late;            /* by which packets arrive later than after ONE_WAY */
} Path;

static void
path_start (Path * path, guint fmt, const gchar * caps)
{
  TfrcConfig config;

  memset (path, 0, sizeof *path);
  filter_start (&path->f, LINE);
  gst_harness_set_src_caps_str (path->f.h, caps);
  path->fmt = fmt;
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  path->sender = tfrc_sender_init (g_malloc0 (tfrc_sender_size (&config)),
      &config, T0);
  path->receiver =
      tfrc_receiver_init (g_malloc0 (tfrc_receiver_size (&config)), &config,
      T0);
}

static void
path_stop (Path * path)
{
  filter_stop (&path->f);
  g_free (path->sender);
  g_free (path->receiver);
}

static void
put (Path * path, guint value)
{
  fail_unless (path->size + 2 <= sizeof path->fci);
  GST_WRITE_UINT16_BE (path->fci + path->size, value);
  path->size += 2;
}

/* One status vector chunk for each packet, and large deltas. */
static void
write_twcc (Path * path, guint8 count)
{
  GstClockTime last = 0;
  guint i, base;

  for (i = path->reported; i < path->n && last == 0; i++)
    last = path->sent[i].arrival;
  base = last / (64 * GST_MSECOND);
  last = base * 64 * GST_MSECOND;
  put (path, path->sent[path->reported].number);
  put (path, path->n - path->reported);
  put (path, base >> 8);
  put (path, (base & 0xff) << 8 | count);
  for (i = path->reported; i < path->n; i++)
    put (path, 0x2000 * 2 * (path->sent[i].arrival != 0) + 1);
  for (i = path->reported; i < path->n; i++) {
    gint64 delta = (gint64) (path->sent[i].arrival - last) /
        (gint64) (250 * GST_USECOND);

    if (path->sent[i].arrival == 0)
      continue;
    put (path, (guint16) delta);
    last += delta * 250 * GST_USECOND;
  }
  if (path->size % 4 != 0)
    put (path, 0);
}

/* What follows the SSRC of the first report block. */
static void
write_ccfb (Path * path, GstClockTime now)
{
  guint32 timestamp = (guint32) gst_util_uint64_scale (now, 65536, GST_SECOND);
  guint i;

  put (path, path->sent[path->reported].number);
  put (path, path->n - path->reported);
  for (i = path->reported; i < path->n; i++)
    put (path, path->sent[i].arrival == 0 ? 0 : 0x8000 |
        gst_util_uint64_scale (now - path->sent[i].arrival, 1024, GST_SECOND));
  if ((path->n - path->reported) % 2)
    put (path, 0);
  put (path, timestamp >> 16);
  put (path, timestamp & 0xffff);
}

/* Feedback about the packets that departed a round-trip time ago and earlier, up to the last one received. */
static void
send_feedback (Path * path, guint8 count)
{
  GstClockTime now = gst_clock_get_time (GST_CLOCK (path->f.clock));
  guint n = path->n;

  while (path->n > path->reported
      && (path->sent[path->n - 1].arrival == 0
          || path->sent[path->n - 1].arrival + ONE_WAY > now))
    path->n--;
  path->size = 0;
  if (path->n > path->reported && path->fmt == TFRC_TWCC_FMT)
    write_twcc (path, count);
  else if (path->n > path->reported)
    write_ccfb (path, now - ONE_WAY);
  if (path->size > 0)
    filter_feedback (&path->f, path->fmt, PEER_SSRC, OWN_SSRC, path->fci,
        path->size);
  path->reported = path->n;
  path->n = n;
}

/* The same packet with TFRC at both ends. */
static void
go_native (Path * path, guint16 seq, guint size, GstClockTime now)
{
  TfrcPacket packet = { seq, size, TRUE, FALSE, {0, 0} };
  TfrcReport report;

  if (tfrc_sender_next_timer (path->sender) <= now)
    tfrc_sender_on_timer (path->sender, now);
  tfrc_sender_on_departure (path->sender, size, FALSE, &packet.stamp, now);
  if (path->sent[path->n - 1].arrival == 0)
    return;
  if (tfrc_receiver_next_timer (path->receiver) <= now + ONE_WAY)
    tfrc_receiver_on_timer (path->receiver, now + ONE_WAY);
  tfrc_receiver_on_packet (path->receiver, &packet, now + ONE_WAY);
  if (tfrc_receiver_wants_report (path->receiver)
      && tfrc_receiver_make_report (path->receiver, &report, now + ONE_WAY))
    tfrc_sender_on_report (path->sender, &report, now + 2 * ONE_WAY);
}

/* What departs arrives, but for one packet in 20. Returns FALSE when nothing departs. */
static gboolean
take_packet (Path * path, GstClockTime now)
{
  GstBuffer *buffer = gst_harness_try_pull (path->f.h);
  GstTfrcTwccSeqnum number = { 0, 0, 0 };
  guint16 seq;

  if (buffer == NULL)
    return FALSE;
  fail_unless (path->n < PACKETS_MAX);
  seq = packet_get_seq (buffer);
  if (path->fmt == TFRC_TWCC_FMT)
    fail_unless (gst_tfrc_twcc_seqnum_read (buffer, NUMBER_ID, &number));
  path->sent[path->n].number = path->fmt == TFRC_TWCC_FMT ? number.number : seq;
  path->sent[path->n].arrival =
      path->n % 20 == 7 ? 0 : now + ONE_WAY + path->late;
  path->n++;
  go_native (path, seq, gst_buffer_get_size (buffer), now);
  gst_buffer_unref (buffer);
  return TRUE;
}

static gdouble
get_native_X (Path * path)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (path->sender, &stats);
  return stats.X;
}

/* The transit time of the last event, s, with an arbitrary origin; NaN: not known. */
static gdouble
get_transit (Path * path)
{
  GstStructure *rate;
  gdouble transit = NAN;

  while ((rate = filter_take_rate (&path->f)) != NULL) {
    gst_structure_get_double (rate, "transit", &transit);
    gst_structure_free (rate);
  }
  return transit;
}

/* Frame i of a voice. */
static void
speak_frame (Path * path, guint i)
{
  filter_push (&path->f, PAYLOAD);
  filter_settle (&path->f);
  while (take_packet (path, gst_clock_get_time (GST_CLOCK (path->f.clock))));
  filter_advance (&path->f, FRAME);
  if (i % FEEDBACK_PACKETS == 0)
    send_feedback (path, i / FEEDBACK_PACKETS);
}

/* A voice of `seconds`; X is summed up in its last half. */
static void
speak (Path * path, guint seconds)
{
  guint i, n = 50 * seconds;

  for (i = 0; i < n; i++) {
    speak_frame (path, i);
    if (i < n / 2)
      continue;
    path->X += filter_get_rate (&path->f, "X");
    path->native_X += get_native_X (path);
  }
}

static void
check_like_native (guint fmt, const gchar * caps, const gchar * kind)
{
  Path *path = g_new0 (Path, 1);
  GstStructure *stats;

  path_start (path, fmt, caps);
  speak (path, 40);
  g_object_get (path->f.element, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "feedback"),
      kind);
  gst_structure_free (stats);
  fail_unless_equals_uint64 (filter_get_stat (&path->f, "feedback-malformed"),
      0);
  fail_unless (filter_get_stat (&path->f, "feedback-unknown") <= 1);
  fail_unless (filter_get_stat (&path->f, "feedback-reports") > 100);
  fail_unless (ABS (path->X / path->native_X - 1) < 0.1, "X %g, native %g",
      path->X, path->native_X);
  path_stop (path);
  g_free (path);
}

static void
check_transit (guint fmt, const gchar * caps)
{
  Path *path = g_new0 (Path, 1);
  gdouble transit;

  path_start (path, fmt, caps);
  speak (path, 4);
  transit = get_transit (path);
  path->late = 100 * GST_MSECOND;
  speak (path, 4);
  NEAR (get_transit (path) - transit, 0.1, 0.005);
  path_stop (path);
  g_free (path);
}

/* The arrivals tell of a queue what the round-trip time, which has the wait of the feedback in it, does not. */
GST_START_TEST (the_transit_time_follows_the_arrivals)
{
  check_transit (TFRC_TWCC_FMT, TWCC_CAPS);
  check_transit (TFRC_CCFB_FMT, CCFB_CAPS);
}

GST_END_TEST;

/* The first packets wait for 1.5 s, as behind the handshake of the call on a thin path. Feedback comes 16 times a second,
 * and R follows each, where reports alone would be R apart. */
GST_START_TEST (a_long_first_round_trip_time_is_soon_forgotten)
{
  Path *path = g_new0 (Path, 1);
  GstClockTime waited = 1500 * GST_MSECOND;
  guint i;

  path_start (path, TFRC_TWCC_FMT, TWCC_CAPS);
  for (i = 0; i < 4 * 50; i++) {
    path->late = waited > i * FRAME ? waited - i * FRAME : 0;
    speak_frame (path, i);
  }
  NEAR (filter_get_rate (&path->f, "R"), 0.1, 0.02);
  path_stop (path);
  g_free (path);
}

GST_END_TEST;

GST_START_TEST (the_rate_by_transport_wide_feedback_is_that_of_tfrc)
{
  check_like_native (TFRC_TWCC_FMT, TWCC_CAPS, "twcc");
}

GST_END_TEST;

GST_START_TEST (the_rate_by_rfc_8888_is_that_of_tfrc)
{
  check_like_native (TFRC_CCFB_FMT, CCFB_CAPS, "ccfb");
}

GST_END_TEST;

/* What the packets and the caps look like, by the caps that come in. */
static void
check_kind (const gchar * line, const gchar * caps, const gchar * kind,
    gboolean stamped)
{
  GstStructure *stats;
  GstCaps *out;
  Filter f;

  filter_start (&f, line);
  gst_harness_set_src_caps_str (f.h, caps);
  filter_push (&f, PAYLOAD);
  g_object_get (f.element, "stats", &stats, NULL);
  fail_unless_equals_string (gst_structure_get_string (stats, "feedback"),
      kind);
  gst_structure_free (stats);
  out = gst_pad_get_current_caps (f.h->sinkpad);
  fail_unless_equals_int (gst_structure_has_field (gst_caps_get_structure (out,
              0), "tfrc-mode"), stamped);
  gst_caps_unref (out);
  gst_buffer_unref (filter_take (&f));
  filter_stop (&f);
}

GST_START_TEST (the_caps_choose_the_feedback)
{
  check_kind ("rtptfrcsend", CAPS "extmap-5=(string)" TFRC_STAMP_URI, "tfrc",
      TRUE);
  check_kind ("rtptfrcsend", CAPS "clock-base=(uint)1", "tfrc", TRUE);
  check_kind ("rtptfrcsend", TWCC_CAPS, "twcc", FALSE);
  check_kind ("rtptfrcsend", TWCC_CAPS ", rtcp-fb-tfrc=(boolean)true", "tfrc",
      TRUE);
  check_kind ("rtptfrcsend", CCFB_CAPS, "ccfb", FALSE);
  check_kind ("rtptfrcsend", CAPS "rtcp-fb-nack=(boolean)true", "rr", FALSE);
  check_kind ("rtptfrcsend", CAPS "a-mid=(string)0", "rr", FALSE);
  /* rtpvp8pay's own, and rtpjpegpay's */
  check_kind ("rtptfrcsend", CAPS "a-framerate=(string)15", "tfrc", TRUE);
  check_kind ("rtptfrcsend", CAPS "a-framesize=(string)96-320-240", "tfrc",
      TRUE);
  /* as rtpfunnel has them */
  check_kind ("rtptfrcsend", CAPS "extmap-5=(string)" GST_TFRC_TRANSPORT_URI,
      "twcc", FALSE);
  check_kind ("rtptfrcsend", CAPS "rtcp-fb-nack=(boolean)true, "
      "extmap-5=(string)" GST_TFRC_TRANSPORT_URI, "rr", FALSE);
  check_kind ("rtptfrcsend", CAPS "rtcp-fb-transport-cc=(boolean)true", "rr",
      FALSE);
  check_kind ("rtptfrcsend feedback=rr", TWCC_CAPS, "rr", FALSE);
  check_kind ("rtptfrcsend feedback=tfrc", TWCC_CAPS
      ", extmap-3=(string)" TFRC_STAMP_URI ", tfrc-mode=(string)tfrc", "tfrc",
      TRUE);
}

GST_END_TEST;

/* The filter reads no more numbers. A critical of GLib fails the test, and reading the extension with ID 0 is one. */
GST_START_TEST (caps_may_drop_the_transport_wide_numbers)
{
  GstTfrcTwccSeqnum number;
  GstBuffer *buffer;
  Filter f;
  guint i;

  filter_start (&f, LINE);
  gst_harness_set_src_caps_str (f.h, TWCC_CAPS);
  filter_push (&f, PAYLOAD);
  buffer = filter_take (&f);
  fail_unless (gst_tfrc_twcc_seqnum_read (buffer, NUMBER_ID, &number));
  gst_buffer_unref (buffer);
  gst_harness_set_src_caps_str (f.h, CAPS "extmap-3=(string)" TFRC_STAMP_URI);
  for (i = 0; i < 3; i++) {
    filter_advance (&f, GST_SECOND);
    filter_push (&f, PAYLOAD);
    buffer = filter_take (&f);
    fail_if (gst_tfrc_twcc_seqnum_read (buffer, NUMBER_ID, &number));
    packet_get_stamp (buffer, STAMP_ID);
    gst_buffer_unref (buffer);
  }
  filter_stop (&f);
}

GST_END_TEST;

static GstPadProbeReturn
hold (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  return GST_PAD_PROBE_OK;
}

/* Puts another rtpsession in the place of the first one. A packet that departs meanwhile is held. */
static void
replace_session (Path * path)
{
  GstPad *pad = gst_element_get_static_pad (path->f.element, "src");
  gulong held = gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BLOCK_DOWNSTREAM,
      hold, NULL, NULL);
  GstBin *bin = GST_BIN (path->f.h->element);
  GstElement *old = gst_bin_get_by_name (bin, "session");
  GstElement *end = gst_bin_get_by_name (bin, "end");
  GstElement *session = gst_element_factory_make ("rtpsession", NULL);

  gst_element_unlink (path->f.element, old);
  gst_element_unlink (old, end);
  gst_bin_add (bin, session);
  fail_unless (gst_element_link_pads (path->f.element, "src", session,
          "send_rtp_sink"));
  fail_unless (gst_element_link_pads (session, "send_rtp_src", end, "sink"));
  gst_element_sync_state_with_parent (session);
  gst_pad_remove_probe (pad, held);
  gst_object_unref (pad);
  gst_object_unref (old);
  gst_object_unref (end);
}

/* The filter is linked to another rtpsession, which has numbers of its own. */
GST_START_TEST (numbers_are_read_behind_the_session_that_is_linked)
{
  Path *path = g_new0 (Path, 1);
  guint64 before;

  path_start (path, TFRC_TWCC_FMT, TWCC_CAPS);
  speak (path, 5);
  replace_session (path);
  path->reported = path->n;
  before = filter_get_stat (&path->f, "feedback-reports");
  speak (path, 10);
  fail_unless (filter_get_stat (&path->f, "feedback-reports") > before + 50);
  path_stop (path);
  g_free (path);
}

GST_END_TEST;

static GstTfrcPayloadKind
get_payload_kind (const gchar * text)
{
  GstTfrcFilterSettings settings;
  GstTfrcPayloadRoles roles = { {{0,}} };
  GstCaps *caps = gst_caps_from_string (text);
  GstTfrcPayloadKind kind;

  gst_tfrc_filter_settings_init (&settings, TRUE);
  gst_tfrc_payload_roles_set_caps (&roles, 96, caps);
  kind = gst_tfrc_payload_roles_get (&roles, &settings, 96).kind;
  gst_tfrc_filter_settings_clear (&settings);
  gst_caps_unref (caps);
  return kind;
}

/* A payload type that the session knows by its SDP is controlled by the feedback that was agreed for it. */
GST_START_TEST (a_payload_type_with_other_feedback_is_controlled)
{
  fail_unless_equals_int (get_payload_kind (TWCC_CAPS),
      GST_TFRC_PAYLOAD_CONTROLLED);
  fail_unless_equals_int (get_payload_kind (CCFB_CAPS),
      GST_TFRC_PAYLOAD_CONTROLLED);
  fail_unless_equals_int (get_payload_kind (CAPS
          "rtcp-fb-nack=(boolean)true"), GST_TFRC_PAYLOAD_PASSED);
}

GST_END_TEST;

/* Feedback of anything: it cannot be parsed, is about packets that were never sent, comes twice, or comes from another
 * data receiver while the first one is heard. X never rises by it. */
GST_START_TEST (hostile_feedback_raises_nothing)
{
  Path *path = g_new0 (Path, 1);
  guint8 bytes[64];
  gdouble X;
  guint i, j;

  path_start (path, TFRC_TWCC_FMT, TWCC_CAPS);
  speak (path, 10);
  X = filter_get_rate (&path->f, "X");
  for (i = 0; i < 5; i++)       /* the last feedback again */
    filter_feedback (&path->f, TFRC_TWCC_FMT, PEER_SSRC, OWN_SSRC, path->fci,
        path->size);
  filter_feedback (&path->f, TFRC_TWCC_FMT, OTHER_SSRC, OWN_SSRC, path->fci,
      path->size);
  filter_feedback (&path->f, TFRC_TWCC_FMT, PEER_SSRC, OWN_SSRC, NULL, 0);
  for (i = 0; i < 2000; i++) {
    for (j = 0; j < sizeof bytes; j++)
      bytes[j] = g_random_int ();
    filter_feedback (&path->f, TFRC_TWCC_FMT, PEER_SSRC, OWN_SSRC, bytes,
        i % sizeof bytes);
  }
  fail_unless (filter_get_stat (&path->f, "feedback-malformed") > 100);
  fail_unless (filter_get_rate (&path->f, "X") <= X * 1.01);
  path_stop (path);
  g_free (path);
}

GST_END_TEST;

/* Feedback that cannot be parsed comes first, from another SSRC. */
GST_START_TEST (feedback_without_use_keeps_no_receiver_out)
{
  Path *path = g_new0 (Path, 1);

  path_start (path, TFRC_TWCC_FMT, TWCC_CAPS);
  filter_feedback (&path->f, TFRC_TWCC_FMT, OTHER_SSRC, OWN_SSRC, NULL, 0);
  speak (path, 1);
  fail_unless (filter_get_stat (&path->f, "feedback-reports") > 0);
  path_stop (path);
  g_free (path);
}

GST_END_TEST;

/* Two SSRCs send feedback that was not negotiated, one after the silence of the other. */
GST_START_TEST (feedback_that_was_not_negotiated_restarts_nothing)
{
  static const guint8 fci[64] = { 0 };
  Filter f;
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  send_open_path (&f);
  X = filter_get_rate (&f, "X");
  filter_feedback (&f, TFRC_TWCC_FMT, PEER_SSRC, OWN_SSRC, fci, sizeof fci);
  filter_advance (&f, 2100 * GST_MSECOND);
  filter_feedback (&f, TFRC_TWCC_FMT, OTHER_SSRC, OWN_SSRC, fci, sizeof fci);
  fail_unless (filter_get_rate (&f, "X") == X, "%g, before %g",
      filter_get_rate (&f, "X"), X);
  filter_stop (&f);
}

GST_END_TEST;

/* Feedback of another format than the one that was negotiated is not listened to. */
GST_START_TEST (feedback_that_was_not_negotiated_is_ignored)
{
  static const guint8 fci[64] = { 0 };
  Filter f;

  filter_start (&f, "rtptfrcsend");
  gst_harness_set_src_caps_str (f.h, CCFB_CAPS);
  filter_push (&f, PAYLOAD);
  filter_feedback (&f, TFRC_TWCC_FMT, PEER_SSRC, OWN_SSRC, fci, sizeof fci);
  fail_unless_equals_uint64 (filter_get_stat (&f, "feedback-malformed"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "feedback-idle"), 0);
  filter_stop (&f);
}

GST_END_TEST;

static Suite *
send_feedback_suite (void)
{
  Suite *s = suite_create ("send-feedback");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, a_long_first_round_trip_time_is_soon_forgotten);
  tcase_add_test (tc, the_rate_by_transport_wide_feedback_is_that_of_tfrc);
  tcase_add_test (tc, the_transit_time_follows_the_arrivals);
  tcase_add_test (tc, the_rate_by_rfc_8888_is_that_of_tfrc);
  tcase_add_test (tc, the_caps_choose_the_feedback);
  tcase_add_test (tc, caps_may_drop_the_transport_wide_numbers);
  tcase_add_test (tc, numbers_are_read_behind_the_session_that_is_linked);
  tcase_add_test (tc, a_payload_type_with_other_feedback_is_controlled);
  tcase_add_test (tc, hostile_feedback_raises_nothing);
  tcase_add_test (tc, feedback_without_use_keeps_no_receiver_out);
  tcase_add_test (tc, feedback_that_was_not_negotiated_restarts_nothing);
  tcase_add_test (tc, feedback_that_was_not_negotiated_is_ignored);
  return s;
}

GST_CHECK_MAIN (send_feedback);
