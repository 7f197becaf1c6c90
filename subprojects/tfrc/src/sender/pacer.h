/* libtfrc: when the next packet may leave (RFC 5348 4.6, RFC 4828 3)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_PACER_H
#define TFRC_PACER_H

#include <tfrc/tfrc.h>

/* What the sender allows; all that a change of X can change. */
typedef struct
{
  double t_packet;              /* ns that each packet costs: s / X before R is known, the
                                 * headers of TFRC-SP after it */
  double t_byte;                /* ns that each of its bytes costs: 1 / X_inst */
  double s;                     /* bytes, mean segment */
  int64_t R;                    /* ns; 0: unknown */
  int64_t t_fluid;              /* ns, spacing of fluid pacing, R / F; 0: off */
} TfrcPacerRate;

typedef struct
{
  TfrcPacerRate rate;
  int64_t t_gran;               /* ns */
  int64_t t_delta_limit;        /* ns: twice the most that t_delta is */
  int64_t t_min;                /* ns, least interval between departures; 0: none */
  unsigned mppn;                /* fluid pacing's limit of waiting packets; 0: none */

  int64_t t_nominal;            /* t_i of RFC 5348 4.6: when the last packet should have left */
  int64_t t_strict;             /* the same without what late wake-ups may catch up */
  int64_t t_last;               /* when it left */
  int64_t t_date;               /* its SEND_DATE, fluid pacing */
  unsigned waiting;             /* packets that wait */
} TfrcPacer;

void tfrc_pacer_init (TfrcPacer * pacer, TfrcTime t_gran, TfrcTime t_min, unsigned mppn);
/* Nothing has left yet: the next packet may. */
void tfrc_pacer_restart (TfrcPacer * pacer);
void tfrc_pacer_set_rate (TfrcPacer * pacer, const TfrcPacerRate * rate, TfrcTime now);
void tfrc_pacer_set_waiting (TfrcPacer * pacer, unsigned packets);
TfrcTime tfrc_pacer_next (const TfrcPacer * pacer, uint32_t size);
/* Has the flow used up all that X allows it, so that a packet of `size` bytes that
 * waits is limited by X? */
bool tfrc_pacer_is_limiting (const TfrcPacer * pacer, uint32_t size, TfrcTime now);
/* Returns that of the packet that leaves. */
bool tfrc_pacer_on_departure (TfrcPacer * pacer, uint32_t size, bool backlogged, TfrcTime now);

/* t_delta of RFC 5348 8.3 in ns. */
int64_t tfrc_pacer_get_t_delta (int64_t t_ipi, int64_t t_gran, int64_t R);

#endif
