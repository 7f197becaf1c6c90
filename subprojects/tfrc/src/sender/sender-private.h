/* libtfrc: the sender's state
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SENDER_PRIVATE_H
#define TFRC_SENDER_PRIVATE_H

#include <tfrc/sender.h>

#include "limited-periods.h"
#include "pacer.h"
#include "transmit-rate.h"
#include "round-trip-time.h"
#include "report-screen.h"
#include "segment-size.h"
#include "send-history.h"

struct _TfrcSender
{
  TfrcConfig config;
  uint32_t overhead;            /* bytes of each packet that X does not count: H in TFRC-SP */

  TfrcTime now;                 /* latest seen */
  TfrcTime t_nofeedback;        /* when the nofeedback timer expires */
  bool idle;                    /* nothing sent since it was set */
  bool halved;                  /* it expired before the first report */
  bool g_suspended;             /* it expired, no report since */
  bool data_limited;            /* the last report's interval */

  double s;                     /* bytes: the mean that X was computed with */
  double X_inst;                /* bytes/s, RFC 5348 4.5 */
  double X_paced;               /* bytes/s: X_inst, or g if that is more */
  double X_recv;                /* bytes/s, of the last report */
  uint32_t R_us;                /* R as each packet carries it */

  TfrcRtt rtt;
  TfrcRate rate;
  TfrcPacer pacer;
  TfrcSegment segment;
  TfrcLimitedLog limited;
  TfrcScreen screen;
  TfrcSendHistory history;

  uint64_t bytes, expiries, loss_reports, reports, data_limited_reports, clock_steps;

  TfrcSent ring[];
};

/* gTFRC: does g hold at present? */
bool tfrc_sender_is_guaranteed (const TfrcSender * sender);

#endif
