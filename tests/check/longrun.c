/* gst-tfrc tests: a call of ten minutes between both filters, on clocks that the test
 * moves, across the wrap of RTP sequence numbers and timestamps
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#define MINUTES 10
#define PACKETS (MINUTES * 60 * 50)
#define DELAY_FRAMES 3          /* each way: R is 120 ms */
#define PAYLOAD 160
#define LOST_EACH 100           /* packets */
#define STARTED 100             /* frames, and nothing limits the flow any more */

/* Both wrap in the middle of the call. */
#define FIRST_SEQ ((guint16) (65536 - PACKETS / 2))
#define FIRST_TIMESTAMP (0u - PACKETS / 2 * 960u)

/* One direction of the path: what entered `DELAY_FRAMES` ago comes out. */
typedef struct
{
  gpointer slots[DELAY_FRAMES][64];
  guint n[DELAY_FRAMES];
} Delay;

typedef struct
{
  Filter send, receive;
  Delay forward, back;
  guint departed, arrived, lost, reports;
  guint16 last_seq;
  guint32 last_timestamp;
  gdouble p_sum;
  guint p_samples;
} Run;

static void
delay_add (Delay * delay, guint frame, gpointer item)
{
  guint slot = frame % DELAY_FRAMES;

  g_assert (delay->n[slot] < 64);
  delay->slots[slot][delay->n[slot]++] = item;
}

static gpointer
delay_take (Delay * delay, guint frame)
{
  guint slot = frame % DELAY_FRAMES;

  return delay->n[slot] > 0 ? delay->slots[slot][--delay->n[slot]] : NULL;
}

static void
speak (Run * run, guint frame)
{
  GstBuffer *buffer = filter_new_packet (&run->send, PAYLOAD);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_timestamp (&rtp, FIRST_TIMESTAMP + frame * 960u);
  gst_rtp_buffer_unmap (&rtp);
  fail_unless_equals_int (gst_harness_push (run->send.h, buffer), GST_FLOW_OK);
}

/* Numbers without a gap, whatever was dropped; times as they were spoken. */
static void
check_departure (Run * run, GstBuffer * buffer)
{
  guint16 seq = packet_get_seq (buffer);
  guint32 timestamp = packet_get_timestamp (buffer);

  if (run->departed > 0) {
    fail_unless_equals_int (seq, (guint16) (run->last_seq + 1));
    fail_unless ((gint32) (timestamp - run->last_timestamp) > 0);
  }
  run->last_seq = seq;
  run->last_timestamp = timestamp;
  run->departed++;
}

static void
depart (Run * run, guint frame)
{
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (run->send.h)) != NULL) {
    check_departure (run, buffer);
    if (run->departed % LOST_EACH == 0) {
      gst_buffer_unref (buffer);
      run->lost++;
    } else {
      delay_add (&run->forward, frame, buffer);
    }
  }
}

/* A packet that has to wait goes with the scheduler's thread, which a slow machine keeps
 * from it for many frames of a clock that does not wait for it. */
static void
depart_all (Run * run, guint frame)
{
  guint before = run->departed, i;

  depart (run, frame);
  for (i = 0; frame > STARTED && run->departed == before && i < 1000; i++) {
    filter_settle (&run->send);
    depart (run, frame);
  }
}

static void
arrive (Run * run, guint frame)
{
  GstBuffer *buffer;

  while ((buffer = delay_take (&run->forward, frame)) != NULL) {
    fail_unless_equals_int (gst_harness_push (run->receive.h, buffer),
        GST_FLOW_OK);
    gst_buffer_unref (filter_take (&run->receive));
    run->arrived++;
  }
}

/* As often as RTCP would let them: once in a round-trip time. */
static void
report (Run * run, guint frame)
{
  TfrcReport *made = g_new (TfrcReport, 1);
  guint32 sender, media;
  GBytes *rtcp = filter_send_rtcp (&run->receive, run->reports == 0, FALSE);

  if (rtcp_find_report (rtcp, made, &sender, &media))
    delay_add (&run->back, frame, made);
  else
    g_free (made);
  g_bytes_unref (rtcp);
}

static void
take_reports (Run * run, guint frame)
{
  TfrcReport *made;

  while ((made = delay_take (&run->back, frame)) != NULL) {
    filter_report (&run->send, made->t_i_us, made->t_delay_us, made->x_recv_Bps,
        tfrc_report_decode_p (made->p_q32));
    run->reports++;
    g_free (made);
  }
}

/* One frame of sound: what is due leaves the path before anything enters it. */
static void
step (Run * run, guint frame)
{
  filter_advance (&run->send, FRAME);
  filter_advance (&run->receive, FRAME);
  filter_settle (&run->send);
  filter_settle (&run->receive);
  arrive (run, frame);
  take_reports (run, frame);
  speak (run, frame);
  depart_all (run, frame);
  if (frame % (2 * DELAY_FRAMES) == 0)
    report (run, frame);
  if (frame > PACKETS / 10 && frame % 50 == 0) {
    run->p_sum += filter_get_rate (&run->send, "p");
    run->p_samples++;
  }
}

static void
drain (Run * run)
{
  for (guint frame = 0; frame < DELAY_FRAMES; frame++) {
    gpointer item;

    while ((item = delay_take (&run->forward, frame)) != NULL)
      gst_buffer_unref (item);
    while ((item = delay_take (&run->back, frame)) != NULL)
      g_free (item);
  }
}

GST_START_TEST (ten_minutes_cross_the_wrap_of_numbers_and_times)
{
  Run *run = g_new0 (Run, 1);
  guint frame, warm_up;
  gdouble p;

  filter_start (&run->send, "rtptfrcsend mode=tfrc-sp");
  filter_start (&run->receive, "rtptfrcreceive mode=tfrc-sp");
  run->send.seq = FIRST_SEQ;
  for (frame = 0; frame < PACKETS; frame++)
    step (run, frame);

  /* Only the first second, before there is a round-trip time, cost packets. */
  warm_up = PACKETS - run->departed;
  fail_unless (warm_up < 100, "%u packets did not leave", warm_up);
  fail_unless (run->last_seq < FIRST_SEQ);
  fail_unless (run->last_timestamp < FIRST_TIMESTAMP);
  fail_unless (run->arrived > run->departed - run->lost - 2 * DELAY_FRAMES);

  /* Every hundredth packet lost is a loss event each: p is 1 %, all along. */
  p = run->p_sum / run->p_samples;
  fail_unless (p > 0.009 && p < 0.011, "p %f", p);
  fail_unless (filter_get_stat (&run->receive, "lost") >= run->lost - 1);
  fail_unless (filter_get_stat (&run->receive, "lost") <= run->lost);
  fail_unless_equals_uint64 (filter_get_stat (&run->receive, "restarts"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&run->receive, "duplicates"), 0);
  fail_unless_equals_uint64 (filter_get_stat (&run->send, "reports"),
      run->reports);
  fail_unless (run->reports > PACKETS / (2 * DELAY_FRAMES) - 10);
  fail_unless_equals_uint64 (filter_get_stat (&run->send,
          "nofeedback-expiries"), 0);

  drain (run);
  filter_stop (&run->send);
  filter_stop (&run->receive);
  g_free (run);
}

GST_END_TEST;

static Suite *
longrun_suite (void)
{
  Suite *s = suite_create ("longrun");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_set_timeout (tc, 150);
  tcase_add_test (tc, ten_minutes_cross_the_wrap_of_numbers_and_times);
  return s;
}

GST_CHECK_MAIN (longrun);
