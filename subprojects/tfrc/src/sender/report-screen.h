/* libtfrc: the report screen, which refuses reports that cannot be true, limits values that are
 * doubtful, and measures the time between reports
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_REPORT_SCREEN_H
#define TFRC_REPORT_SCREEN_H

#include <tfrc/sender.h>

#include "round-trip-time.h"
#include "send-history.h"

#define TFRC_SCREEN_ACCEPTED 8  /* accepted reports whose times are remembered */
/* s: the time between reports is taken to be at least this until it has been measured. */
#define TFRC_T_REPORT_GUESS 0.1

typedef struct
{
  TfrcTime accepted[TFRC_SCREEN_ACCEPTED];      /* when the last reports were accepted: a ring */
  unsigned per_rtt;             /* reports that are accepted in one R, at most TFRC_SCREEN_ACCEPTED */
  uint64_t n;                   /* reports accepted so far */
  uint64_t first;               /* number of the first packet of this path */
  uint64_t newest;              /* number of the packet that the last report named */
  uint32_t t_delay_us;          /* t_delay of the last report, us */
  double p;                     /* loss event rate of the last report, as limit_p () limited it */
  double p_reported;                /* loss event rate of the last report, as the receiver computed it */
  double p_before_loss;         /* p_reported of the last report before the last loss event */
  double T_report;              /* s, mean time between reports; 0: unknown */
  uint64_t rejected[TFRC_N_REJECTS];    /* reports refused, by reason */
  uint64_t limited_x_recv, limited_p, limited_t_delay;  /* reports with a value that was limited */
} TfrcScreen;

/* An accepted report, with its values limited. */
typedef struct
{
  uint64_t packet;              /* number of the packet that it names in the send history */
  TfrcTime at;                  /* when that packet departed (t_recvdata of RFC 5348 4.3) */
  double R_sample;              /* s, the round-trip time that it gives */
  double X_recv;                /* bytes/s */
  double p;                     /* loss event rate */
  bool loss;                    /* p of the receiver rose: there was a new loss event */
  bool healed;                  /* the receiver undoes the last loss event that it reported */
} TfrcChecked;

void tfrc_screen_init (TfrcScreen * screen, unsigned feedbacks_per_rtt);

/* Forgets all but the counters: the path or the receiver is another one. */
void tfrc_screen_restart (TfrcScreen * screen);

/* The path is a new one from packet number `first` on. Reports about a packet before that are refused
 * when it has waited for long. */
void tfrc_screen_set_first (TfrcScreen * screen, uint64_t first);

/* Checks a report and fills in `checked`. Returns false when the report is refused; then only its counter
 * has changed. */
bool tfrc_screen_check (TfrcScreen * screen, const TfrcReport * report, TfrcRtt * rtt,
    const TfrcSendHistory * history, const TfrcSent * ring, TfrcTime now, TfrcChecked * checked);

/* Checks t_i and t_delay of `report`, which has nothing else, and fills in `R_sample` in s. Returns false when they are
 * refused. The report that comes next may name the same packet. */
bool tfrc_screen_check_times (TfrcScreen * screen, const TfrcReport * report, TfrcRtt * rtt,
    const TfrcSendHistory * history, const TfrcSent * ring, TfrcTime now, double *R_sample);

#endif
