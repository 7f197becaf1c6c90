/* gst-tfrc tests: the data sender of one flow in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A test begins with the fixture and data_flow_start(). Each function fails the test when what it expects is not so. */
#ifndef DATAFLOW_H
#define DATAFLOW_H

#include <gst/check/gstcheck.h>

#include "filter/dataflowsender.h"

G_BEGIN_DECLS

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define STAMP_ID 3
#define PAYLOAD 148             /* with RTP header and stamp: 172 bytes */
#define SIZE (PAYLOAD + 24)
#define RTT (100 * MS)
#define FIRST_SEQ 65534

extern GstTfrcFilterSettings settings;  /* of the flow; a test changes them before data_flow_start() */
extern GstTfrcDataFlowSender flow;
extern guint16 seq;             /* of the next packet that is made */

/* The fixture. */
void data_flow_set_up (void);
void data_flow_tear_down (void);

void data_flow_start (void);

/* An RTP packet with so many bytes behind its header. */
GstBuffer *data_flow_make_packet (guint payload);

/* A packet comes to the flow. */
void data_flow_add (TfrcTime now);

/* The packet of this number departs, with the stamp that is returned. */
TfrcStamp data_flow_take (guint number, TfrcTime now);
void data_flow_expect_none (TfrcTime now);

/* All packets that may depart do so. Returns their number. */
guint data_flow_take_all (TfrcTime now);

/* A number or a boolean of the flow's statistics. */
gdouble data_flow_get_stat (const gchar * name, TfrcTime now);

/* The report on the packet with this stamp comes. Returns whether the flow has used it. */
gboolean data_flow_report (const TfrcStamp * stamp, guint x_recv, gdouble p,
    TfrcTime now);

/* A packet departs at `now`, and its report comes after a round-trip time of `rtt`. */
void data_flow_open_path (TfrcTime now, TfrcTime rtt);

/* The encoder is sent `reason` once. */
GstTfrcRate data_flow_expect_rate (GstTfrcRateReason reason);
void data_flow_expect_no_rate (void);

G_END_DECLS

#endif
