/* gst-tfrc tests: rtptfrcsend in a filter's harness
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "send.h"

void
send_open_path (Filter * f)
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

guint
send_count_left (Filter * f)
{
  return filter_get_stat (f, "queued-packets");
}

void
send_check_order (Filter * f, guint16 seq, guint16 timestamp_of)
{
  GstBuffer *buffer = gst_harness_pull (f->h);

  fail_unless_equals_int (packet_get_seq (buffer), seq);
  fail_unless_equals_int (packet_get_timestamp (buffer), timestamp_of * 960u);
  gst_buffer_unref (buffer);
}

GstBuffer *
send_pass (Filter * f, GstBuffer * buffer)
{
  fail_unless_equals_int (gst_harness_push (f->h, buffer), GST_FLOW_OK);
  filter_advance (f, FRAME);
  return filter_take (f);
}
