/* libtfrc: the state of a TfrcReceiver, as the files of the receiver share it (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVER_PRIVATE_H
#define TFRC_RECEIVER_PRIVATE_H

#include <tfrc/receiver.h>

#include "../core/sequence-number.h"
#include "loss-history.h"
#include "present-rtt.h"
#include "receive-rate.h"
#include "received-stamp.h"
#include "recent-arrivals.h"

struct _TfrcReceiver
{
  TfrcConfig config;
  TfrcTime now;                 /* the latest time seen */

  TfrcSequence sequence;
  TfrcReceivedStamp stamp;
  TfrcPresentRtt present;
  TfrcRecentArrivals arrivals;
  TfrcLossHistory history;
  TfrcReceiveRate rate;
  TfrcContext context;          /* R, s and X_target as a gap that opens now will keep them */

  TfrcTime T_set, timer;        /* when the feedback timer was set, and when it expires */
  TfrcTime T_report;            /* ns, least time between reports; 0: any */
  TfrcTime T_hold;              /* when a loss event is reported that reordering may undo; NONE: none */
  TfrcTime T_arrival;           /* when the last packet arrived */
  TfrcTime R_last;              /* R_(m-1): R at the last report or expiry; 0: none */
  TfrcTime R_noticed;           /* R when TFRC_RECEIVER_RTT was last returned */
  double p;                     /* loss event rate as last computed */
  double X_recv;                /* bytes/s, as the last report said */
  bool wanted;                  /* a report was asked for and not made yet */
  bool early;                   /* that report was asked for before the feedback timer expired */
  bool missed;                  /* the feedback timer expired without data, so that no report was made */
  bool fresh;                   /* data arrived since the last report */
  uint64_t arrived;             /* packets since the start or restart */

  TfrcReceiverStats stats;      /* only the counters are kept here */
  TfrcInterval closed[];        /* of the history */
};

/* The loss event rate at `now`, and what it was computed from. */
TfrcLossRate tfrc_receiver_get_loss_rate (const TfrcReceiver * receiver, TfrcTime now);

/* Adds what `history` has counted to the counters of `stats`. */
void tfrc_receiver_keep_counters (TfrcReceiverStats * stats, const TfrcLossHistory * history);

/* Fills in the t_i and t_delay that a report would have now, and makes none. Returns false when no data arrived since the
 * last report. */
bool tfrc_receiver_get_times (const TfrcReceiver * receiver, TfrcReport * report, TfrcTime now);

/* For the receiver that runs at the data sender: leaves `span` ns out of the measure of X_recv, because nobody knows
 * what arrived in them. The span ends with the next packet, and begins when the last call was made or later. */
void tfrc_receiver_leave_out (TfrcReceiver * receiver, TfrcTime span);

#endif
