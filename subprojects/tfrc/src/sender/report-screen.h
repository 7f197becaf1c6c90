/* libtfrc: what a report must pass before it is believed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_REPORT_SCREEN_H
#define TFRC_REPORT_SCREEN_H

#include <tfrc/sender.h>

#include "round-trip-time.h"
#include "send-history.h"

#define TFRC_SCREEN_ACCEPTED 8
/* s: while the interval between reports is not known, no shorter one is counted on. */
#define TFRC_T_REPORT_GUESS 0.1

typedef struct
{
  TfrcTime accepted[TFRC_SCREEN_ACCEPTED];      /* when the last ones came */
  unsigned per_rtt;             /* so many in one R, at most TFRC_SCREEN_ACCEPTED */
  uint64_t n;                   /* reports accepted */
  uint64_t newest;              /* the packet that the last one named */
  uint32_t t_delay_us;          /* as the last one said */
  double p;                     /* of the last one, as limit_p () left it */
  double p_told;                /* of the last one, as it said */
  double p_before_loss;         /* p_told of the report before the last loss event */
  double T_report;              /* s, mean interval between reports; 0: unknown */
  uint64_t rejected[TFRC_N_REJECTS];
  uint64_t limited_x_recv, limited_p, limited_t_delay;
} TfrcScreen;

/* A report, checked. */
typedef struct
{
  uint64_t packet;              /* that it names */
  TfrcTime at;                  /* when that one left: t_recvdata */
  double R_sample;              /* s */
  double X_recv;                /* bytes/s */
  double p;
  bool loss;                    /* the receiver's p rose */
  bool healed;                  /* the receiver takes back the loss event that it reported last */
} TfrcChecked;

void tfrc_screen_init (TfrcScreen * screen, unsigned feedbacks_per_rtt);
/* Everything but the counters anew. */
void tfrc_screen_restart (TfrcScreen * screen);
/* False: refused and counted, nothing else changed. */
bool tfrc_screen_check (TfrcScreen * screen, const TfrcReport * report, TfrcRtt * rtt,
    const TfrcSendHistory * history, const TfrcSent * ring, TfrcTime now, TfrcChecked * checked);

#endif
