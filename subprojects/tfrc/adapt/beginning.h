/* tfrcadapt: the first seconds, in which a wide path is told from a thin one (private)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A call begins with the rate that a thin link carries, and without redundant copies, which would fill the queue of such a link
 * before the first report tells. The first losses then find the speech unprotected, and the rate at the first loss event, which
 * decides the first loss interval (RFC 5348 6.3.1), is small. Therefore two packets carry a redundant copy as soon as the
 * round-trip time is known: how much longer these take shows what the path carries (`capacity` of TfrcAllowance). On a path
 * that carries far more than a call needs, the call then uses what TFRC allows at once, and protects its packets until losses
 * had time to show. A queue that shows meanwhile is none that the call has filled: TCP begins beside it.
 *
 * The slow start of TCP takes half of the packets for a second, and is over before the call knows of it. Packets are therefore long
 * until losses without a queue show: fewer of them meet the full queue, and their copies are further behind.
 *
 * TCP that begins before the probe hides the capacity. Its queue grows faster than one that the call could fill. When packets are lost
 * beside such a queue, or without any queue on a path whose round-trip time is too long for the probe, the path counts as wide,
 * too: it carries what the call holds. For the first loss intervals are too few to tell what TFRC will allow. A call that obeyed
 * each of them would send its least rate, and find more of its few packets lost. */
#ifndef TFRC_ADAPT_BEGINNING_H
#define TFRC_ADAPT_BEGINNING_H

#include <tfrcadapt/adapt.h>

typedef enum
{
  BEGINNING_UNKNOWN,            /* the round-trip time is not known */
  BEGINNING_PROBE,              /* packets carry one redundant copy more than they would */
  BEGINNING_WAIT,               /* for the reports about these, or for losses */
  BEGINNING_QUEUE,              /* for losses beside a queue, which hides what the path carries */
  BEGINNING_WIDE,               /* the path is wide, and nothing was lost yet */
  BEGINNING_LOSSY,              /* too few losses have shown to tell what TFRC will allow */
  BEGINNING_OVER
} TfrcAdaptBeginningState;

typedef struct
{
  TfrcAdaptBeginningState state;
  TfrcTime since;               /* when it became that */
  TfrcTime known;               /* when the round-trip time became known */
  bool others;                  /* the queue was longer than one that the call could have filled */
  double carried;               /* bytes/s that a wide path is known to carry, with a margin */
  unsigned probe, before;       /* indices of the point that probes, and of the one in use before */
} TfrcAdaptBeginning;

#endif
