/* tfrcadapt: which frames are known to have arrived, so that their redundant copies need not be sent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A frame is the sound of one packet as one codec has it. It is in that packet, and as a redundant
 * copy (RFC 2198) in later ones. Reports list which packets have arrived (`arrivals` of TfrcReport). Where a copy is sent later than
 * that takes to be known, most copies are of frames that have arrived. Rules 1 to 5 and 7 of the contract in tfrc/tfrc.h
 * hold. */
#ifndef TFRC_ADAPT_FRAME_ARRIVALS_H
#define TFRC_ADAPT_FRAME_ARRIVALS_H

#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

#define TFRC_ADAPT_DEPARTED_MAX 64      /* packets that are remembered */
#define TFRC_ADAPT_DEPARTED_FRAMES 4    /* frames of a packet that are remembered */

/* A packet that has departed. */
typedef struct
{
  TfrcTime at;                  /* when it did */
  uint64_t frames[TFRC_ADAPT_DEPARTED_FRAMES];
  uint32_t t_i_us;              /* of its stamp */
  uint16_t seq;                 /* its RTP sequence number */
  uint8_t n_frames;
  bool arrived;                 /* a report has said so */
} TfrcAdaptDeparted;

/* The members are private. */
typedef struct
{
  TfrcAdaptDeparted packets[TFRC_ADAPT_DEPARTED_MAX];   /* a ring */
  unsigned n;                   /* packets so far */
  double delay, deviation;      /* s from a departure until a report says that the packet has arrived: mean and mean
                                 * deviation; 0: reports do not say it */
} TfrcAdaptFrameArrivals;

/* Nothing has departed. */
void tfrc_adapt_frame_arrivals_init (TfrcAdaptFrameArrivals * arrivals);

/* A packet with `n` frames departs, its own and those of its redundant copies in any order. The caller gives each frame a number, such
 * as its payload type and RTP timestamp in one. More than TFRC_ADAPT_DEPARTED_FRAMES are not remembered. */
void tfrc_adapt_frame_arrivals_on_departure (TfrcAdaptFrameArrivals * arrivals, uint32_t t_i_us, uint16_t seq,
    const uint64_t * frames, unsigned n, TfrcTime now);

/* A report has been accepted. One that lists no arrivals says that others will not list them either. */
void tfrc_adapt_frame_arrivals_on_report (TfrcAdaptFrameArrivals * arrivals, const TfrcReport * report, TfrcTime now);

/* Whether the frame with this number is known to have arrived, in any packet. */
bool tfrc_adapt_frame_arrivals_has (const TfrcAdaptFrameArrivals * arrivals, uint64_t frame);

/* s from the departure of a packet within which most of those that arrive are known to have arrived; 0: not known, or
 * reports do not say it. */
double tfrc_adapt_frame_arrivals_get_delay (const TfrcAdaptFrameArrivals * arrivals);

TFRC_END_DECLS
#endif
