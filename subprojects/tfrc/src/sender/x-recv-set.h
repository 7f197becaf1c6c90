/* libtfrc: X_recv_set, the set of the last receive rates, which limit X (RFC 5348 4.3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_X_RECV_SET_H
#define TFRC_X_RECV_SET_H

#include <tfrc/tfrc.h>

#define TFRC_X_RECV_SET_SIZE 3  /* entries that are needed (RFC 5348 8.2.2) */

typedef struct
{
  double X_recv[TFRC_X_RECV_SET_SIZE];  /* bytes/s, oldest first; INFINITY in the first set */
  TfrcTime at[TFRC_X_RECV_SET_SIZE];    /* when each was reported */
  unsigned n;
} TfrcXRecvSet;

void tfrc_x_recv_set_init (TfrcXRecvSet * set, TfrcTime now);

/* Adds X_recv and removes entries that are older than 2 R. */
void tfrc_x_recv_set_update (TfrcXRecvSet * set, double X_recv, TfrcTime R, TfrcTime now);

/* The highest of X_recv and the entries becomes the only entry; INFINITY is not counted. */
void tfrc_x_recv_set_maximize (TfrcXRecvSet * set, double X_recv, TfrcTime now);

void tfrc_x_recv_set_halve (TfrcXRecvSet * set);

/* X_recv becomes the only entry. */
void tfrc_x_recv_set_replace (TfrcXRecvSet * set, double X_recv, TfrcTime now);
double tfrc_x_recv_set_get_max (const TfrcXRecvSet * set);

#endif
