/* libtfrc: what a report must pass before it is believed
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_REPORT_SCREEN_H
#define TFRC_REPORT_SCREEN_H

#include <tfrc/sender.h>

#include "round-trip-time.h"
#include "send-history.h"

#define TFRC_SCREEN_ACCEPTED 8

typedef struct
{
  TfrcTime accepted[TFRC_SCREEN_ACCEPTED];      /* when the last ones came */
  unsigned per_rtt;             /* so many in one R, at most TFRC_SCREEN_ACCEPTED */
  uint64_t n;                   /* reports accepted */
  uint64_t newest;              /* the packet that the last one named */
  double p;                     /* of the last one */
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
  bool loss;                    /* p rose */
} TfrcChecked;

void tfrc_screen_init (TfrcScreen * screen, unsigned feedbacks_per_rtt);
/* Everything but the counters anew. */
void tfrc_screen_restart (TfrcScreen * screen);
/* False: refused and counted, nothing else changed. */
bool tfrc_screen_check (TfrcScreen * screen, const TfrcReport * report, TfrcRtt * rtt,
    const TfrcSendHistory * history, const TfrcSent * ring, TfrcTime now, TfrcChecked * checked);

#endif
