/* gst-tfrc tests: rtptfrcsend
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <string.h>

#define R (100 * GST_MSECOND)
#define T0 (100 * GST_SECOND)
/* A packet may leave this early: half of the engine's timer granularity. */
#define EARLY (250 * GST_USECOND)
#define NEAR(a, b, by) G_STMT_START { \
    guint64 near_a = (a), near_b = (b); \
    fail_unless (ABS (GST_CLOCK_DIFF (near_a, near_b)) <= (gint64) (by), \
        "%" G_GUINT64_FORMAT " is not near %" G_GUINT64_FORMAT, near_a, near_b); \
  } G_STMT_END

/* One large packet and the report on it: R = 100 ms, and with W_init = 4380 bytes
 * X = 43800 bytes/s, much more than a voice of 50 packets of 172 bytes needs. */
static void
open_path (Filter * f)
{
  GstStructure *rate;
  TfrcStamp stamp;

  filter_push (f, 1100);
  stamp = filter_take_stamp (f);
  fail_unless_equals_int (stamp.rtt_us, TFRC_RTT_UNKNOWN);
  filter_advance (f, R);
  filter_report (f, stamp.t_i_us, 0, 0, 0);
  NEAR (filter_get_rate (f, "X"), 43800, 1);
  while ((rate = filter_take_rate (f)) != NULL)
    gst_structure_free (rate);
}

/* Of the next packet, which may still have to leave. */
static TfrcStamp
pull_stamp (Filter * f)
{
  GstBuffer *buffer = gst_harness_pull (f->h);
  TfrcStamp stamp = packet_get_stamp (buffer, STAMP_ID);

  gst_buffer_unref (buffer);
  return stamp;
}

static guint
count_left (Filter * f)
{
  return filter_get_stat (f, "queued-packets");
}

/* --- when packets leave --- */

GST_START_TEST (a_packet_that_may_leave_passes_at_once)
{
  Filter f;
  guint i;
  TfrcStamp last = { 0, }, stamp;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  for (i = 0; i < 20; i++) {
    filter_push (&f, 148);
    stamp = filter_take_stamp (&f);
    fail_unless_equals_int (stamp.rtt_us, R / GST_USECOND);
    if (i > 0)
      fail_unless_equals_int (stamp.t_i_us - last.t_i_us,
          FRAME / GST_USECOND);
    last = stamp;
    filter_advance (&f, FRAME);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "waited-packets"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 21);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (before_the_first_report_one_packet_leaves_in_a_second)
{
  Filter f;
  GstClockTime time;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_expect_nothing (&f);
  time = filter_next_wait (&f);
  NEAR (time, T0 + GST_SECOND, EARLY);
  fail_unless (time <= T0 + GST_SECOND);
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_limited_flow_leaves_at_the_allowed_rate)
{
  Filter f;
  GstClockTime start, time = 0, before;
  guint i;

  filter_start (&f, "rtptfrcsend max-queue-time=0");
  open_path (&f);
  /* one R of credit is W_init; what is beyond it leaves 172 / 43800 s apart */
  for (i = 0; i < 80; i++)
    filter_push (&f, 148);
  before = gst_harness_buffers_in_queue (f.h);
  fail_unless (before >= 2 && before * 172 <= 4380 + 1124, "%u", (guint) before);
  start = filter_next_wait (&f);
  for (i = count_left (&f); i > 0; i--) {
    time = filter_crank (&f);
    while (count_left (&f) == i)
      filter_settle (&f);
  }
  fail_unless_equals_int (gst_harness_buffers_in_queue (f.h), 80);
  NEAR (time - start, (80 - before - 1) * 172 * GST_SECOND / 43800,
      5 * GST_MSECOND);
  for (i = 0; i < 80; i++) {
    GstBuffer *buffer = filter_take (&f);

    fail_unless_equals_int (packet_get_seq (buffer), (guint16) (65531 + i));
    fail_unless_equals_int (packet_get_timestamp (buffer),
        (guint16) (65531 + i) * 960u);
    gst_buffer_unref (buffer);
  }
  fail_unless_equals_uint64 (filter_get_stat (&f, "waited-packets"),
      80 - before);
  fail_unless_equals_uint64 (filter_get_stat (&f, "departure-error-max"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (small_packets_leave_ten_milliseconds_apart)
{
  Filter f;
  GstClockTime start, time;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  start = gst_clock_get_time (GST_CLOCK (f.clock));
  filter_push (&f, 148);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_expect_nothing (&f);
  time = filter_crank (&f);
  fail_unless_equals_uint64 (time, start + 10 * GST_MSECOND);
  gst_buffer_unref (gst_harness_pull (f.h));
  time = filter_crank (&f);
  fail_unless_equals_uint64 (time, start + 20 * GST_MSECOND);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_report_that_opens_the_path_lets_what_waits_leave)
{
  Filter f;
  TfrcStamp stamp;

  filter_start (&f, "rtptfrcsend");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_push (&f, 148);
  filter_expect_nothing (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us, 0, 0, 0);
  /* without a second's wait, and with R in it */
  stamp = pull_stamp (&f);
  fail_unless_equals_int (stamp.rtt_us, R / GST_USECOND);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_exchanged_clock_is_no_jump)
{
  Filter f;
  TfrcStamp before, after;
  GstClock *other = gst_test_clock_new_with_start_time (7 * GST_SECOND);

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  filter_push (&f, 148);
  before = filter_take_stamp (&f);
  gst_element_set_clock (f.element, other);
  gst_test_clock_advance_time (GST_TEST_CLOCK (other), FRAME);
  filter_push (&f, 148);
  after = filter_take_stamp (&f);
  fail_unless_equals_int (after.t_i_us - before.t_i_us, FRAME / GST_USECOND);
  fail_unless_equals_uint64 (filter_get_stat (&f, "clock-steps"), 0);
  filter_stop (&f);
  gst_object_unref (other);
}

GST_END_TEST;

/* --- what does not leave --- */

static void
check_order (Filter * f, guint16 seq, guint16 timestamp_of)
{
  GstBuffer *buffer = gst_harness_pull (f->h);

  fail_unless_equals_int (packet_get_seq (buffer), seq);
  fail_unless_equals_int (packet_get_timestamp (buffer), timestamp_of * 960u);
  gst_buffer_unref (buffer);
}

GST_START_TEST (the_oldest_are_dropped_and_leave_no_gap)
{
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend max-queue-packets=3 max-queue-time=0");
  for (i = 0; i < 10; i++)
    filter_push (&f, 148);
  /* 65530 left at once; of 65531 .. 65535, 0 .. 3 the last three wait */
  check_order (&f, 65530, 65530);
  filter_expect_nothing (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-full"), 6);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped"), 6);
  fail_unless_equals_int (count_left (&f), 3);
  filter_crank (&f);
  check_order (&f, 65531, 1);
  filter_stop (&f);
}

GST_END_TEST;

static void
check_queue_time (const gchar * line, GstClockTime time)
{
  Filter f;

  filter_start (&f, line);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  filter_push (&f, 148);
  filter_advance (&f, 60 * GST_MSECOND);
  filter_push (&f, 148);
  fail_unless_equals_int (count_left (&f), 2);
  /* it is the queue that wakes up for that, not the next packet */
  NEAR (filter_next_wait (&f), T0 + time, 1);
  filter_crank (&f);
  while (count_left (&f) == 2)
    filter_settle (&f);
  fail_unless_equals_int (count_left (&f), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"), 1);
  filter_expect_nothing (&f);
  filter_stop (&f);
}

GST_START_TEST (what_waits_too_long_is_dropped)
{
  check_queue_time ("rtptfrcsend max-queue-time=120000000", 120 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (speech_waits_half_as_long_as_pictures)
{
  check_queue_time ("rtptfrcsend mode=tfrc-sp", 100 * GST_MSECOND);
  check_queue_time ("rtptfrcsend mode=tfrc", 200 * GST_MSECOND);
}

GST_END_TEST;

GST_START_TEST (what_is_no_rtp_packet_is_dropped_and_counted)
{
  Filter f;
  guint8 version_1[12] = { 0x40, 96, };
  guint8 lying_extension[16] = { 0x90, 96, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4,
    0xbe, 0xde, 0x40, 0x00
  };

  filter_start (&f, "rtptfrcsend");
  gst_harness_push (f.h, gst_buffer_new ());
  gst_harness_push (f.h, gst_buffer_new_memdup ("short", 5));
  gst_harness_push (f.h, gst_buffer_new_memdup (version_1, 12));
  gst_harness_push (f.h, gst_buffer_new_memdup (lying_extension, 16));
  filter_expect_nothing (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "not-rtp"), 4);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (gaps_and_repetitions_of_upstream_are_renumbered)
{
  Filter f;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  f.seq = 1000;
  filter_push (&f, 148);
  f.seq = 1000;
  filter_push (&f, 148);
  f.seq = 900;
  filter_push (&f, 148);
  check_order (&f, 65531, 1000);
  check_order (&f, 65532, 1000);
  check_order (&f, 65533, 900);
  filter_stop (&f);
}

GST_END_TEST;

/* --- the stamp --- */

static GstBuffer *
pass (Filter * f, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (f->h, buffer), GST_FLOW_OK);
  filter_advance (f, FRAME);
  return filter_take (f);
}

static gsize
add_element (GstBuffer * buffer, gboolean two_bytes, guint id,
    const gchar * text)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  if (two_bytes)
    fail_unless (gst_rtp_buffer_add_extension_twobytes_header (&rtp, 5, id,
            text, strlen (text)));
  else
    fail_unless (gst_rtp_buffer_add_extension_onebyte_header (&rtp, id, text,
            strlen (text)));
  gst_rtp_buffer_unmap (&rtp);
  return gst_buffer_get_size (buffer);
}

static void
check_element (GstBuffer * buffer, gboolean two_bytes, guint id,
    const gchar * text)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;
  guint8 bits = 0;

  gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);
  if (two_bytes)
    fail_unless (gst_rtp_buffer_get_extension_twobytes_header (&rtp, &bits, id,
            0, &data, &size) && bits == 5);
  else
    fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, id, 0,
            &data, &size));
  fail_unless (size == strlen (text) && memcmp (data, text, size) == 0);
  gst_rtp_buffer_unmap (&rtp);
}

GST_START_TEST (reserved_bytes_are_filled_in_place)
{
  Filter f;
  GstBuffer *buffer;
  gsize size;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  buffer = filter_new_stamped (&f, 100, 0, 0);
  size = add_element (buffer, FALSE, 7, "other");
  buffer = pass (&f, buffer);
  fail_unless_equals_int (gst_buffer_get_size (buffer), size);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, FALSE, 7, "other");
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (reserved_bytes_are_filled_in_whatever_memory_they_are)
{
  static const gsize splits[] = { 8, 18, 20, 24, 100 };
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  for (i = 0; i <= G_N_ELEMENTS (splits); i++) {
    GstBuffer *whole = filter_new_stamped (&f, 148, 1, 2), *buffer;
    gsize size = gst_buffer_get_size (whole);

    gst_buffer_replace_all_memory (whole, gst_buffer_get_all_memory (whole));
    buffer = i == G_N_ELEMENTS (splits) ? gst_buffer_copy_deep (whole) :
        gst_buffer_append (gst_buffer_copy_region (whole, GST_BUFFER_COPY_ALL,
            0, splits[i]), gst_buffer_copy_region (whole,
            GST_BUFFER_COPY_MEMORY, splits[i], -1));
    gst_buffer_unref (whole);
    fail_unless_equals_int (gst_harness_push (f.h, buffer), GST_FLOW_OK);
    buffer = gst_buffer_make_writable (filter_take (&f));
    gst_buffer_replace_all_memory (buffer, gst_buffer_get_all_memory (buffer));
    fail_unless_equals_int (gst_buffer_get_size (buffer), size);
    fail_unless_equals_int (packet_get_seq (buffer), (guint16) (f.seq - 1));
    fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us,
        R / GST_USECOND);
    gst_buffer_unref (buffer);
    filter_advance (&f, FRAME);
  }
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (what_others_hold_as_well_is_not_written_to)
{
  Filter f;
  GstBuffer *whole, *shared, *copy, *buffer;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  whole = filter_new_stamped (&f, 148, 1, 2);
  gst_buffer_replace_all_memory (whole, gst_buffer_get_all_memory (whole));
  copy = gst_buffer_copy_deep (whole);
  /* another buffer, the same memory */
  shared = gst_buffer_copy (whole);
  fail_unless_equals_int (gst_harness_push (f.h, shared), GST_FLOW_OK);
  buffer = filter_take (&f);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us,
      R / GST_USECOND);
  gst_buffer_unref (buffer);
  fail_unless_equals_int (packet_get_stamp (whole, STAMP_ID).rtt_us, 1);
  fail_unless_equals_int (packet_get_seq (whole), packet_get_seq (copy));
  gst_buffer_unref (whole);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_missing_extension_is_added)
{
  Filter f;
  GstBuffer *buffer, *in;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 *payload;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  in = filter_new_packet (&f, 100);
  buffer = pass (&f, in);
  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 12 + 100);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp);
  fail_unless_equals_int (gst_rtp_buffer_get_payload_len (&rtp), 100);
  payload = gst_rtp_buffer_get_payload (&rtp);
  fail_unless (payload[0] == (65531 & 255) && payload[99] == (65531 & 255));
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_stamp_joins_the_extensions_of_the_packet)
{
  Filter f;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  buffer = filter_new_packet (&f, 100);
  add_element (buffer, FALSE, 7, "one-byte");
  buffer = pass (&f, buffer);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, FALSE, 7, "one-byte");
  gst_buffer_unref (buffer);

  buffer = filter_new_packet (&f, 100);
  add_element (buffer, TRUE, 200, "two-byte");
  buffer = pass (&f, buffer);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 100000);
  check_element (buffer, TRUE, 200, "two-byte");
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (filter_get_stat (&f, "unstamped"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_extension_of_another_kind_is_left_alone)
{
  Filter f;
  GstBuffer *buffer, *copy;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  GstMapInfo map;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  buffer = filter_new_packet (&f, 100);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_extension_data (&rtp, 0xABAC, 3);
  gst_rtp_buffer_unmap (&rtp);
  copy = gst_buffer_copy_deep (buffer);
  buffer = pass (&f, buffer);
  gst_buffer_map (copy, &map, GST_MAP_READ);
  gst_check_buffer_data (buffer, map.data, map.size);
  gst_buffer_unmap (copy, &map);
  fail_unless_equals_uint64 (filter_get_stat (&f, "unstamped"), 1);
  gst_buffer_unref (buffer);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_id_is_that_of_the_caps)
{
  Filter f;
  GstCaps *caps;
  GstBuffer *buffer;

  filter_start (&f, "rtptfrcsend");
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  fail_unless_equals_string (gst_structure_get_string (gst_caps_get_structure
          (caps, 0), "extmap-3"), TFRC_STAMP_URI);
  gst_caps_unref (caps);

  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)96, "
      "clock-rate=(int)48000, media=(string)audio, encoding-name=(string)OPUS, "
      "extmap-4=(string)urn:ietf:params:rtp-hdrext:ssrc-audio-level, "
      "extmap-20=(string)" TFRC_STAMP_URI);
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  fail_if (gst_structure_has_field (gst_caps_get_structure (caps, 0),
          "extmap-3"));
  gst_caps_unref (caps);
  buffer = pass (&f, filter_new_packet (&f, 100));
  fail_unless_equals_int (gst_buffer_get_size (buffer), 12 + 16 + 100);
  packet_get_stamp (buffer, 20);
  gst_buffer_unref (buffer);
  filter_stop (&f);
}

GST_END_TEST;

#define FROM_SDP "application/x-rtp, payload=(int)96, clock-rate=(int)48000, " \
    "media=(string)audio, extmap-4=(string)" TFRC_STAMP_URI

GST_START_TEST (the_caps_say_all_of_tfrc)
{
  Filter f;
  GstCaps *caps;
  const GstStructure *s;
  gboolean feedback = FALSE;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP ", rtcp-fb-tfrc=(boolean)true, "
      "rtcp-fb-nack=(boolean)true, tfrc-mode=(string)tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP ", rtcp-fb-nack=(boolean)true, "
      "tfrc-mode=(string)tfrc-sp");
  gst_harness_set_src_caps_str (f.h, FROM_SDP);
  caps = gst_pad_get_current_caps (f.h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless (gst_structure_get_boolean (s, "rtcp-fb-tfrc", &feedback)
      && feedback);
  fail_unless_equals_string (gst_structure_get_string (s, "tfrc-mode"),
      "tfrc-sp");
  fail_unless_equals_string (gst_structure_get_string (s, "extmap-4"),
      TFRC_STAMP_URI);
  gst_caps_unref (caps);
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_ERROR |
          GST_MESSAGE_WARNING) == NULL);
  filter_stop (&f);
}

GST_END_TEST;

static void
check_refusal (const gchar * caps, const gchar * remedy)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  gst_harness_set_src_caps_str (f.h, caps);
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 100)),
      GST_FLOW_NOT_NEGOTIATED);
  text = filter_get_error (&f, GST_MESSAGE_ERROR);
  fail_unless (strstr (text, remedy) != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_START_TEST (caps_that_rule_tfrc_out_are_refused)
{
  check_refusal (FROM_SDP ", rtcp-fb-nack=(boolean)true", "rtcp-fb-tfrc=true");
  check_refusal (FROM_SDP ", rtcp-fb-tfrc=(boolean)true, "
      "tfrc-mode=(string)tfrc", "Set mode=tfrc here");
}

GST_END_TEST;

GST_START_TEST (who_else_holds_the_packet_sees_no_change)
{
  Filter f;
  GstBuffer *mine, *copy, *buffer;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  f.seq = 5;
  mine = filter_new_stamped (&f, 100, 0, 0);
  copy = gst_buffer_copy_deep (mine);
  buffer = pass (&f, gst_buffer_ref (mine));
  fail_unless_equals_int (packet_get_seq (buffer), 65531);
  fail_unless_equals_int (packet_get_seq (mine), 5);
  fail_unless_equals_int (packet_get_stamp (mine, STAMP_ID).rtt_us, 0);
  gst_buffer_unref (buffer);
  gst_buffer_unref (mine);
  gst_buffer_unref (copy);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_stamp_is_the_time_at_which_the_packet_leaves_encryption)
{
  Filter f;
  TfrcStamp stamp;
  guint32 t_i;
  GstClockTime time;

  /* K9: nothing queues behind the stamp; SRTP leaves the extension readable */
  filter_start (&f, "rtptfrcsend mode=tfrc-sp ! srtpenc random-key=true");
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)96, "
      "clock-rate=(int)48000, media=(string)audio, ssrc=(uint)572662306");
  open_path (&f);
  time = gst_clock_get_time (GST_CLOCK (f.clock));
  filter_push (&f, 148);
  filter_push (&f, 148);
  t_i = filter_take_stamp (&f).t_i_us;
  /* it waits 10 ms, and its stamp says so */
  time = filter_crank (&f) - time;
  stamp = pull_stamp (&f);
  fail_unless_equals_uint64 (time, 10 * GST_MSECOND);
  fail_unless_equals_int (stamp.t_i_us - t_i, time / GST_USECOND);
  filter_stop (&f);
}

GST_END_TEST;

/* --- lists --- */

static GstPadProbeReturn
count_lists (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  guint *lengths = data;

  lengths[0]++;
  lengths[1] += gst_buffer_list_length (GST_PAD_PROBE_INFO_BUFFER_LIST (info));
  return GST_PAD_PROBE_OK;
}

GST_START_TEST (a_list_that_is_due_leaves_as_a_list)
{
  Filter f;
  GstPad *pad;
  guint lengths[2] = { 0, 0 };
  GstBufferList *list = gst_buffer_list_new ();
  guint i;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  /* ten packets in one R are well within X, as a frame of video would be */
  filter_advance (&f, R);
  pad = gst_element_get_static_pad (f.element, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER_LIST, count_lists, lengths,
      NULL);
  gst_object_unref (pad);
  for (i = 0; i < 10; i++)
    gst_buffer_list_add (list, filter_new_packet (&f, 148));
  fail_unless_equals_int (gst_pad_push_list (f.h->srcpad, list), GST_FLOW_OK);
  fail_unless_equals_int (lengths[0], 1);
  fail_unless_equals_int (lengths[1], 10);
  for (i = 0; i < 10; i++)
    check_order (&f, 65531 + i, 65531 + i);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_list_over_the_limit_leaves_in_parts)
{
  Filter f;
  GstBufferList *list = gst_buffer_list_new ();
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  for (i = 0; i < 3; i++)
    gst_buffer_list_add (list, filter_new_packet (&f, 148));
  fail_unless_equals_int (gst_pad_push_list (f.h->srcpad, list), GST_FLOW_OK);
  check_order (&f, 65531, 65531);
  filter_expect_nothing (&f);
  fail_unless_equals_int (count_left (&f), 2);
  filter_crank (&f);
  check_order (&f, 65532, 65532);
  filter_expect_nothing (&f);
  filter_crank (&f);
  check_order (&f, 65533, 65533);
  filter_stop (&f);
}

GST_END_TEST;

/* --- events, queries, states --- */

static GstEvent *
pull_event (Filter * f, const gchar * name)
{
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (f->h)) != NULL) {
    if (g_str_equal (GST_EVENT_TYPE_NAME (event), name))
      return event;
    gst_event_unref (event);
  }
  return NULL;
}

GST_START_TEST (eos_follows_the_last_packet)
{
  Filter f;
  GstEvent *event;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  for (i = 0; i < 3; i++)
    filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 9)),
      GST_FLOW_EOS);
  for (i = 0; i < 2; i++) {
    gst_buffer_unref (gst_harness_pull (f.h));
    fail_unless (pull_event (&f, "eos") == NULL);
    filter_crank (&f);
  }
  gst_buffer_unref (gst_harness_pull (f.h));
  while (count_left (&f) > 0 || !GST_PAD_IS_EOS (f.h->sinkpad))
    filter_settle (&f);
  event = pull_event (&f, "eos");
  fail_unless (event != NULL);
  gst_event_unref (event);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (eos_does_not_wait_for_what_would_be_dropped)
{
  Filter f;

  /* 1 packet a second: the second would leave after its 200 ms are over */
  filter_start (&f, "rtptfrcsend");
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_eos ());
  NEAR (filter_crank (&f), T0 + 200 * GST_MSECOND, 1);
  while (!GST_PAD_IS_EOS (f.h->sinkpad))
    filter_settle (&f);
  fail_unless_equals_uint64 (filter_get_stat (&f, "dropped-late"), 1);
  filter_stop (&f);
}

GST_END_TEST;

/* Of the caps that hold downstream. */
static const gchar *
get_encoding (Filter * f)
{
  GstCaps *caps = gst_pad_get_current_caps (f->h->sinkpad);
  const gchar *name = g_intern_string (gst_structure_get_string
      (gst_caps_get_structure (caps, 0), "encoding-name"));

  gst_caps_unref (caps);
  return name;
}

GST_START_TEST (events_keep_their_place_among_packets)
{
  Filter f;
  GstEvent *event;
  GstCaps *caps = gst_caps_from_string ("application/x-rtp, payload=(int)97, "
      "media=(string)audio, clock-rate=(int)8000, encoding-name=(string)PCMU");

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_harness_push_event (f.h, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  fail_unless_equals_string (get_encoding (&f), "OPUS");
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  filter_crank (&f);
  gst_buffer_unref (gst_harness_pull (f.h));
  fail_unless_equals_string (get_encoding (&f), "PCMU");
  event = pull_event (&f, "caps");
  fail_unless (event != NULL);
  gst_event_unref (event);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_flush_empties_the_queue_and_the_flow_goes_on)
{
  Filter f;
  GstSegment segment;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  filter_push (&f, 148);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_unless_equals_int (gst_harness_push (f.h, filter_new_packet (&f, 9)),
      GST_FLOW_FLUSHING);
  gst_harness_push_event (f.h, gst_event_new_flush_stop (TRUE));
  fail_unless_equals_int (count_left (&f), 0);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (f.h, gst_event_new_segment (&segment));
  filter_advance (&f, FRAME);
  filter_push (&f, 148);
  /* neither the flushed packet nor the refused one took a number */
  check_order (&f, 65532, f.seq - 1);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_stopped_element_starts_anew)
{
  Filter f;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  filter_push (&f, 148);
  gst_element_set_state (f.h->element, GST_STATE_READY);
  gst_element_set_state (f.h->element, GST_STATE_PLAYING);
  fail_unless_equals_uint64 (filter_get_stat (&f, "packets"), 0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_new_ssrc_is_a_slow_start)
{
  Filter f;
  GstBuffer *buffer;
  GstStructure *rate;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  f.ssrc = OTHER_SSRC;
  f.seq = 77;
  buffer = pass (&f, filter_new_packet (&f, 148));
  fail_unless_equals_int (packet_get_seq (buffer), 77);
  fail_unless_equals_int (packet_get_stamp (buffer, STAMP_ID).rtt_us, 0);
  gst_buffer_unref (buffer);
  fail_unless_equals_uint64 (filter_get_stat (&f, "ssrc-changes"), 1);
  fail_unless (filter_get_rate (&f, "X") < 1200);
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "restart");
  fail_unless_equals_int (rate_get_uint (rate, "ssrc"), OTHER_SSRC);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (the_most_latency_is_that_of_the_queue)
{
  Filter f;
  GstClockTime min, max;
  gboolean live;
  GstQuery *query = gst_query_new_latency ();

  filter_start (&f, "rtptfrcsend max-queue-time=150000000");
  gst_harness_set_upstream_latency (f.h, 20 * GST_MSECOND);
  fail_unless (gst_pad_peer_query (f.h->sinkpad, query));
  gst_query_parse_latency (query, &live, &min, &max);
  fail_unless_equals_uint64 (min, 20 * GST_MSECOND);
  fail_unless (max == GST_CLOCK_TIME_NONE || max == 170 * GST_MSECOND);
  gst_query_unref (query);
  filter_stop (&f);
}

GST_END_TEST;

static gpointer
push_at_one_second (gpointer data)
{
  Filter *f = data;
  GstBuffer *buffer = filter_new_packet (f, 148);

  GST_BUFFER_PTS (buffer) = GST_SECOND;
  return GINT_TO_POINTER (gst_harness_push (f->h, buffer));
}

GST_START_TEST (sync_waits_for_the_running_time)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  fail_unless_equals_uint64 (filter_crank_alone (&f), T0 + GST_SECOND);
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_OK);
  gst_buffer_unref (filter_take (&f));
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_flush_ends_the_wait_of_sync)
{
  Filter f;
  GThread *thread;

  filter_start (&f, "rtptfrcsend sync=true");
  gst_element_set_base_time (f.element, T0);
  thread = g_thread_new ("push", push_at_one_second, &f);
  gst_test_clock_wait_for_next_pending_id (f.clock, NULL);
  filter_expect_nothing (&f);
  gst_harness_push_event (f.h, gst_event_new_flush_start ());
  fail_unless_equals_int (GPOINTER_TO_INT (g_thread_join (thread)),
      GST_FLOW_FLUSHING);
  filter_stop (&f);
}

GST_END_TEST;

/* --- reports --- */

GST_START_TEST (a_report_that_is_not_for_us_changes_nothing)
{
  Filter f;
  TfrcStamp stamp;
  TfrcReport report = { 0, 0, 8600, 0x80000000u };
  guint8 fci[20] = { 0, };
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  X = filter_get_rate (&f, "X");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  report.t_i_us = stamp.t_i_us;
  tfrc_report_write_fci (&report, fci);
  filter_feedback (&f, 2, PEER_SSRC, OTHER_SSRC, fci, 16);
  filter_feedback (&f, 2, OTHER_SSRC, OWN_SSRC, fci, 16);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 12);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 20);
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, NULL, 0);
  filter_feedback (&f, 3, PEER_SSRC, OWN_SSRC, fci, 16);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-media-ssrc"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-wrong-sender-ssrc"),
      1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rtcp-malformed"), 3);
  fail_unless_equals_uint64 (filter_get_stat (&f, "reports"), 1);
  fail_unless (filter_get_rate (&f, "X") == X);
  /* and the true one counts */
  filter_feedback (&f, 2, PEER_SSRC, OWN_SSRC, fci, 16);
  fail_unless_equals_uint64 (filter_get_stat (&f, "reports"), 2);
  fail_unless (filter_get_rate (&f, "X") < X / 4);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_report_that_cannot_be_is_refused_by_name)
{
  Filter f;
  TfrcStamp stamp;
  gdouble X;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  X = filter_get_rate (&f, "X");
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us + 1, 0, 8600, 0.5);
  filter_report (&f, stamp.t_i_us, 100001, 8600, 0.5);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rejected-unknown-t-i"), 1);
  fail_unless_equals_uint64 (filter_get_stat (&f, "rejected-t-delay"), 1);
  fail_unless (filter_get_rate (&f, "X") == X);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (silence_halves_the_rate)
{
  Filter f;
  TfrcStamp stamp;
  GstStructure *rate;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  filter_report (&f, stamp.t_i_us, 0, 8600, 0);
  while ((rate = filter_take_rate (&f)) != NULL)
    gst_structure_free (rate);
  filter_push (&f, 148);
  gst_buffer_unref (filter_take (&f));
  while (filter_get_stat (&f, "nofeedback-expiries") == 0)
    filter_crank_alone (&f);
  while ((rate = filter_take_rate (&f)) == NULL)
    g_usleep (1000);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "nofeedback");
  fail_unless (rate_get_double (rate, "X") <= 43800 / 2 + 1);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

/* --- the event --- */

GST_START_TEST (the_event_says_what_the_properties_say)
{
  Filter f;
  GstStructure *rate;
  TfrcStamp stamp;
  guint bitrate, size, i;
  gdouble X, packet_rate;
  guint64 rtt;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp header-size=28");
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "start");
  fail_unless_equals_string (gst_structure_get_string (rate, "mode"),
      "tfrc-sp");
  fail_unless_equals_int (rate_get_uint (rate, "ssrc"), OWN_SSRC);
  fail_unless_equals_int (rate_get_uint (rate, "header-size"), 28);
  gst_structure_free (rate);

  open_path (&f);
  for (i = 0; i < 5; i++) {
    filter_push (&f, 148);
    stamp = filter_take_stamp (&f);
    filter_advance (&f, FRAME);
  }
  filter_advance (&f, R - FRAME);
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.01);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"), "loss");
  g_object_get (f.element, "allowed-bitrate", &bitrate, "allowed-packet-size",
      &size, "allowed-rate", &X, "round-trip-time", &rtt, NULL);
  packet_rate = rate_get_double (rate, "packet-rate");
  /* four gaps of 20 ms and the one of 100 ms behind the first packet */
  fail_unless (packet_rate > 25 && packet_rate < 50);
  fail_unless_equals_int (rate_get_uint (rate, "bitrate"), bitrate);
  fail_unless_equals_int (rate_get_uint (rate, "payload-size"), size);
  fail_unless (rate_get_double (rate, "X") == X);
  NEAR (rtt, R, GST_MSECOND);
  fail_unless (rate_get_double (rate, "max-packet-rate") == 100);
  NEAR (rate_get_double (rate, "p") * 1e9, 0.01 * 1e9, 2);
  fail_unless_equals_int (rate_get_uint (rate, "overhead"), 24);
  /* what the headers leave: 28 below RTP and 24 of it in each packet */
  NEAR (bitrate, 8 * (rate_get_double (rate, "X-wire") - 52 * packet_rate), 2);
  NEAR (size, bitrate / 8 / packet_rate, 1);
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

/* Half a second of voice; every fifth packet brings a report on the one that left
 * R before. Returns the events. */
static guint
run_voice (Filter * f, gdouble p, guint32 x_recv)
{
  guint32 t_i[25];
  GstStructure *rate;
  guint i, events = 0;

  for (i = 0; i < 25; i++) {
    if (i >= 5 && i % 5 == 0)
      filter_report (f, t_i[i - 5], 0, x_recv, p);
    filter_push (f, 148);
    t_i[i] = filter_take_stamp (f).t_i_us;
    filter_advance (f, FRAME);
  }
  while ((rate = filter_take_rate (f)) != NULL) {
    gst_structure_free (rate);
    events++;
  }
  return events;
}

GST_START_TEST (an_allowance_that_stays_is_told_twice_a_second)
{
  Filter f;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  run_voice (&f, 0, 50 * 172);
  run_voice (&f, 0, 50 * 172);
  /* of four reports in half a second, one */
  fail_unless_equals_int (run_voice (&f, 0, 50 * 172), 1);
  fail_unless_equals_int (run_voice (&f, 0, 50 * 172), 1);
  filter_stop (&f);
}

GST_END_TEST;

static void
on_notify (GObject * object, GParamSpec * pspec, gpointer data)
{
  guint bitrate;

  g_object_get (object, "allowed-bitrate", &bitrate, NULL);
  g_array_append_val ((GArray *) data, bitrate);
}

GST_START_TEST (a_drop_is_told_at_once_and_notified)
{
  Filter f;
  TfrcStamp stamp;
  GstStructure *rate;
  GArray *told = g_array_new (FALSE, FALSE, sizeof (guint));

  filter_start (&f, "rtptfrcsend mode=tfrc-sp");
  open_path (&f);
  run_voice (&f, 0, 50 * 172);
  g_signal_connect (f.element, "notify::allowed-bitrate",
      G_CALLBACK (on_notify), told);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, FRAME);
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.2);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"), "loss");
  fail_unless_equals_int (told->len, 1);
  fail_unless_equals_int (g_array_index (told, guint, 0), rate_get_uint (rate,
          "bitrate"));
  gst_structure_free (rate);
  g_array_unref (told);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_guaranteed_bitrate_is_given_in_bits)
{
  Filter f;
  gdouble G, X;

  filter_start (&f, "rtptfrcsend target-bitrate=800000 dscp=10");
  open_path (&f);
  G = filter_get_rate (&f, "G");
  X = filter_get_rate (&f, "X");
  fail_unless_equals_float (G, 100000.0);
  fail_unless (X < 100000.0);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (an_allowance_below_the_least_suspends)
{
  Filter f;
  GstStructure *rate;
  TfrcStamp stamp;
  gboolean suspend, suspended;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp min-bitrate=64000");
  rate = filter_take_rate (&f);
  gst_structure_get_boolean (rate, "suspend", &suspend);
  fail_if (suspend);            /* nothing is known yet */
  gst_structure_free (rate);
  open_path (&f);
  run_voice (&f, 0, 50 * 172);
  filter_push (&f, 148);
  stamp = filter_take_stamp (&f);
  filter_advance (&f, R);
  /* M1: 46.7 kbit/s in 20 ms frames */
  filter_report (&f, stamp.t_i_us, 0, 50 * 172, 0.2);
  rate = filter_take_rate (&f);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "suspend");
  gst_structure_get_boolean (rate, "suspend", &suspend);
  g_object_get (f.element, "suspended", &suspended, NULL);
  fail_unless (suspend && suspended);
  fail_unless (rate_get_uint (rate, "bitrate") < 64000);
  gst_structure_free (rate);
  /* a user who wants less is told to go on */
  g_object_set (f.element, "min-bitrate", 20000, NULL);
  rate = filter_take_rate (&f);
  fail_unless (rate != NULL);
  fail_unless_equals_string (gst_structure_get_string (rate, "reason"),
      "resume");
  gst_structure_free (rate);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (no_more_than_the_most_is_told)
{
  Filter f;
  GstStructure *rate;
  guint bitrate, size;

  filter_start (&f, "rtptfrcsend");
  open_path (&f);
  g_object_get (f.element, "allowed-bitrate", &bitrate, NULL);
  fail_unless (bitrate > 64000);
  g_object_set (f.element, "max-bitrate", 20000, NULL);
  rate = filter_take_rate (&f);
  fail_unless_equals_int (rate_get_uint (rate, "bitrate"), 20000);
  gst_structure_free (rate);
  g_object_get (f.element, "allowed-bitrate", &bitrate, "allowed-packet-size",
      &size, NULL);
  fail_unless_equals_int (bitrate, 20000);
  fail_unless_equals_int (size, 50);    /* of 50 packets/s */
  filter_stop (&f);
}

GST_END_TEST;

/* --- settings --- */

static void
check_refused (const gchar * line, const gchar * property)
{
  GstElement *element = gst_parse_launch (line, NULL);
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  GError *error;

  gst_object_ref_sink (element);
  gst_element_set_bus (element, bus);
  fail_unless_equals_int (gst_element_set_state (element, GST_STATE_PAUSED),
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, NULL);
  fail_unless (strstr (error->message, property) != NULL, "%s",
      error->message);
  g_error_free (error);
  gst_message_unref (message);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
  gst_object_unref (bus);
}

GST_START_TEST (settings_that_contradict_are_an_error_that_names_them)
{
  check_refused ("rtptfrcsend target-bitrate=100000", "target-bitrate");
  check_refused ("rtptfrcsend loss-measure=gradual", "loss-measure");
  check_refused ("rtptfrcreceive loss-measure=gradual", "loss-measure");
}

GST_END_TEST;

GST_START_TEST (a_flow_that_is_none_of_small_packets_is_warned_of)
{
  Filter f;
  gchar *text;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp max-queue-packets=1");
  filter_push (&f, 1460);
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "mode=tfrc") != NULL);
  g_free (text);
  for (i = 0; i < 70; i++) {
    filter_push (&f, 100);
    filter_advance (&f, 5 * GST_MSECOND);
  }
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "100 packets/s") != NULL);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_payload_type_that_looks_like_rtcp_is_warned_of)
{
  Filter f;
  gchar *text;

  filter_start (&f, "rtptfrcsend");
  fail_unless (gst_bus_pop_filtered (f.bus, GST_MESSAGE_WARNING) == NULL);
  gst_harness_set_src_caps_str (f.h, "application/x-rtp, payload=(int)77, "
      "clock-rate=(int)48000, media=(string)audio");
  text = filter_get_error (&f, GST_MESSAGE_WARNING);
  fail_unless (strstr (text, "96 to 127") != NULL, "%s", text);
  g_free (text);
  filter_stop (&f);
}

GST_END_TEST;

GST_START_TEST (a_missing_session_is_warned_of_once)
{
  GstHarness *h = gst_harness_new ("rtptfrcsend");
  GstBus *bus = gst_bus_new ();
  GstMessage *message;
  Filter f = {.h = h,.ssrc = OWN_SSRC };
  guint i;

  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps_str (h, "application/x-rtp");
  for (i = 0; i < 120; i++)
    gst_harness_push (h, filter_new_packet (&f, 10));
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  fail_unless (message != NULL);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  gst_element_set_bus (h->element, NULL);
  gst_harness_teardown (h);
  gst_object_unref (bus);
}

GST_END_TEST;

/* --- threads --- */

static guint
count_threads (void)
{
  GDir *dir = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL) {
    gchar *path = g_strdup_printf ("/proc/self/task/%s/comm", name), *comm;

    if (g_file_get_contents (path, &comm, NULL, NULL)) {
      n += g_str_has_prefix (comm, "tfrc-departures");
      g_free (comm);
    }
    g_free (path);
  }
  g_dir_close (dir);
  return n;
}

/* A thread takes its name a little after its start, and leaves it after its end. */
static void
expect_threads (guint n)
{
  guint i;

  for (i = 0; i < 1000 && count_threads () != n; i++)
    g_usleep (1000);
  fail_unless_equals_int (count_threads (), n);
}

static void
check_threads (const gchar * line, guint idle, guint busy)
{
  Filter f[4];
  guint i;

  for (i = 0; i < 4; i++) {
    filter_start (&f[i], line);
    /* a clock of its own is a scheduler of its own */
    gst_element_set_clock (f[i].element, GST_CLOCK (f[0].clock));
    filter_push (&f[i], 148);
  }
  expect_threads (idle);
  for (i = 0; i < 4; i++)
    filter_push (&f[i], 148);
  expect_threads (busy);
  for (i = 0; i < 4; i++)
    filter_stop (&f[3 - i]);
  expect_threads (0);
}

GST_START_TEST (flows_that_do_not_wait_have_no_thread)
{
  check_threads ("rtptfrcsend", 0, 4);
}

GST_END_TEST;

GST_START_TEST (flows_of_one_context_share_a_thread)
{
  check_threads ("rtptfrcsend context=shared", 0, 1);
}

GST_END_TEST;

static Suite *
send_suite (void)
{
  Suite *s = suite_create ("rtptfrcsend");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, a_packet_that_may_leave_passes_at_once);
  tcase_add_test (tc, before_the_first_report_one_packet_leaves_in_a_second);
  tcase_add_test (tc, a_limited_flow_leaves_at_the_allowed_rate);
  tcase_add_test (tc, small_packets_leave_ten_milliseconds_apart);
  tcase_add_test (tc, a_report_that_opens_the_path_lets_what_waits_leave);
  tcase_add_test (tc, an_exchanged_clock_is_no_jump);
  tcase_add_test (tc, the_oldest_are_dropped_and_leave_no_gap);
  tcase_add_test (tc, what_waits_too_long_is_dropped);
  tcase_add_test (tc, speech_waits_half_as_long_as_pictures);
  tcase_add_test (tc, what_is_no_rtp_packet_is_dropped_and_counted);
  tcase_add_test (tc, gaps_and_repetitions_of_upstream_are_renumbered);
  tcase_add_test (tc, reserved_bytes_are_filled_in_place);
  tcase_add_test (tc, what_others_hold_as_well_is_not_written_to);
  tcase_add_test (tc,
      reserved_bytes_are_filled_in_whatever_memory_they_are);
  tcase_add_test (tc, a_missing_extension_is_added);
  tcase_add_test (tc, the_stamp_joins_the_extensions_of_the_packet);
  tcase_add_test (tc, an_extension_of_another_kind_is_left_alone);
  tcase_add_test (tc, the_id_is_that_of_the_caps);
  tcase_add_test (tc, the_caps_say_all_of_tfrc);
  tcase_add_test (tc, caps_that_rule_tfrc_out_are_refused);
  tcase_add_test (tc, who_else_holds_the_packet_sees_no_change);
  tcase_add_test (tc,
      the_stamp_is_the_time_at_which_the_packet_leaves_encryption);
  tcase_add_test (tc, a_list_that_is_due_leaves_as_a_list);
  tcase_add_test (tc, a_list_over_the_limit_leaves_in_parts);
  tcase_add_test (tc, eos_follows_the_last_packet);
  tcase_add_test (tc, eos_does_not_wait_for_what_would_be_dropped);
  tcase_add_test (tc, events_keep_their_place_among_packets);
  tcase_add_test (tc, a_flush_empties_the_queue_and_the_flow_goes_on);
  tcase_add_test (tc, a_stopped_element_starts_anew);
  tcase_add_test (tc, a_new_ssrc_is_a_slow_start);
  tcase_add_test (tc, the_most_latency_is_that_of_the_queue);
  tcase_add_test (tc, sync_waits_for_the_running_time);
  tcase_add_test (tc, a_flush_ends_the_wait_of_sync);
  tcase_add_test (tc, a_report_that_is_not_for_us_changes_nothing);
  tcase_add_test (tc, a_report_that_cannot_be_is_refused_by_name);
  tcase_add_test (tc, silence_halves_the_rate);
  tcase_add_test (tc, the_event_says_what_the_properties_say);
  tcase_add_test (tc, an_allowance_that_stays_is_told_twice_a_second);
  tcase_add_test (tc, a_drop_is_told_at_once_and_notified);
  tcase_add_test (tc, a_guaranteed_bitrate_is_given_in_bits);
  tcase_add_test (tc, an_allowance_below_the_least_suspends);
  tcase_add_test (tc, no_more_than_the_most_is_told);
  tcase_add_test (tc, settings_that_contradict_are_an_error_that_names_them);
  tcase_add_test (tc, a_flow_that_is_none_of_small_packets_is_warned_of);
  tcase_add_test (tc, a_payload_type_that_looks_like_rtcp_is_warned_of);
  tcase_add_test (tc, a_missing_session_is_warned_of_once);
  tcase_add_test (tc, flows_that_do_not_wait_have_no_thread);
  tcase_add_test (tc, flows_of_one_context_share_a_thread);
  return s;
}

GST_CHECK_MAIN (send);
