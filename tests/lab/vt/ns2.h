/* lab: the sender that made the published tables
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * ns-2's control law, as far as it decides a rate: a comparator that shows which of
 * its habits a published figure owes itself to. It takes the reports of the engine's
 * own receiver. */
#ifndef LAB_NS2_H
#define LAB_NS2_H

#include "options.h"

typedef struct
{
  double X, p, X_recv;          /* bytes/s, ratio, bytes/s */
  double R, s, s_equation, H;   /* s, bytes */
  double t_RTO;                 /* s */
  bool slow_increase;           /* X grows by at most a packet an RTT in each RTT */
  bool recv_limit;              /* X is at most twice the last X_recv */
  TfrcTime changed, departed, expiry;
} LabNs2;

void lab_ns2_init (LabNs2 * ns2, const LabOptions * options, const TfrcConfig * config);
void lab_ns2_on_report (LabNs2 * ns2, const TfrcReport * report, TfrcTime now);
void lab_ns2_on_timer (LabNs2 * ns2, TfrcTime now);
TfrcTime lab_ns2_next_departure (const LabNs2 * ns2);

#endif
