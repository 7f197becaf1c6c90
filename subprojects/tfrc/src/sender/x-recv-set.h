/* libtfrc: X_recv_set, the receive rates that limit X (RFC 5348 4.3)
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_X_RECV_SET_H
#define TFRC_X_RECV_SET_H

#include <tfrc/tfrc.h>

#define TFRC_X_RECV_SET_SIZE 3  /* RFC 5348 8.2.2: as many as it takes */

typedef struct
{
  double X_recv[TFRC_X_RECV_SET_SIZE];  /* bytes/s, oldest first; the first of all is INFINITY */
  TfrcTime at[TFRC_X_RECV_SET_SIZE];    /* when it was reported */
  unsigned n;
} TfrcXRecvSet;

void tfrc_x_recv_set_init (TfrcXRecvSet * set, TfrcTime now);
void tfrc_x_recv_set_update (TfrcXRecvSet * set, double X_recv, TfrcTime R, TfrcTime now);
void tfrc_x_recv_set_maximize (TfrcXRecvSet * set, double X_recv, TfrcTime now);
void tfrc_x_recv_set_halve (TfrcXRecvSet * set);
void tfrc_x_recv_set_replace (TfrcXRecvSet * set, double X_recv, TfrcTime now);
double tfrc_x_recv_set_get_max (const TfrcXRecvSet * set);

#endif
