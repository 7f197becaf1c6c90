/* libtfrc: the state of the TFRC receiver that runs at the data sender, and what its sources share
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SENDER_SIDE_PRIVATE_H
#define TFRC_SENDER_SIDE_PRIVATE_H

#include <tfrc/sender-side-receiver.h>

#include "receiver-private.h"

typedef struct
{
  uint64_t seq;                 /* extended sequence number by which feedback mentions it */
  uint16_t number;              /* sequence number for the TfrcReceiver, once it is settled */
  bool missing;                 /* settled, and not received */
  bool ce;                      /* it was received with the ECN mark "congestion experienced" */
  uint32_t size;                /* bytes of the segment */
  TfrcTime at;                  /* when it departed */
  TfrcStamp stamp;              /* R in use and send time */
  int64_t arrival;              /* ns after T_base of the feedback that is being taken */
} TfrcSideDeparture;

struct _TfrcSenderSideReceiver
{
  TfrcTime now;                 /* the latest time seen */
  uint64_t n;                   /* departures so far */
  uint64_t next;                /* number of the first departure that is neither settled nor unknown */
  uint64_t mask;                /* size of the ring, less 1 */
  uint16_t numbers;             /* the last sequence number that was given to the TfrcReceiver */
  TfrcTime hole;                /* ns, the time over which the unknown packets departed that come before
                                 * the next packet received */

  bool counted;                 /* the last feedback had a number, which was `count` */
  uint8_t count;
  uint64_t end_seq;             /* extended sequence number after the last one of that feedback */

  bool has_lost;                /* a report block came, with `lost` packets lost in all */
  int32_t lost;
  int64_t lost_untold;          /* packets since the first block that report blocks count as lost, less those that feedback or
                                 * tfrc_sender_side_on_lost() did */
  uint64_t unknown_at_block;    /* stats.unknown at the last report block */

  TfrcTime period, T_remote;    /* `period` and `T_base` of the last feedback; a period of 0: none came */
  int64_t T_base;               /* that T_base as a time of our own clock */
  TfrcTime T_fed;               /* the time of the last call to the TfrcReceiver, of our own clock */

  TfrcSenderSideStats stats;    /* only the counters are kept here */
  size_t offset;                /* bytes from here to the TfrcReceiver */
  TfrcSideDeparture ring[];             /* and behind it the list `order`, and the TfrcReceiver */
};

static inline TfrcReceiver *
tfrc_side_get_receiver (const TfrcSenderSideReceiver * side)
{
  return (TfrcReceiver *) ((unsigned char *) side + side->offset);
}

/* Places in the ring of the packets that the feedback says arrived. */
static inline uint32_t *
tfrc_side_get_order (TfrcSenderSideReceiver * side)
{
  return (uint32_t *) & side->ring[side->mask + 1];
}

static inline TfrcSideDeparture *
tfrc_side_get_departure (TfrcSenderSideReceiver * side, uint64_t i)
{
  return &side->ring[i & side->mask];
}

/* Time goes on to `now`. Returns the latest time seen. */
TfrcTime tfrc_side_step_clock (TfrcSenderSideReceiver * side, TfrcTime now);

/* The number of the first departure in the ring whose sequence number is `seq` or higher. */
uint64_t tfrc_side_find_departure (TfrcSenderSideReceiver * side, uint64_t seq);

/* Settles departure `i`, or takes back that it is missing. Returns true when it was received, and that is
 * new. */
bool tfrc_side_settle (TfrcSenderSideReceiver * side, uint64_t i,
    const TfrcArrivalEntry * entry);

/* Gives the TfrcReceiver the `n` packets of tfrc_side_get_order(), which are new and were received. Returns the
 * time of the last arrival, or of the report where its time is known, in ns after T_base. */
int64_t tfrc_side_feed (TfrcSenderSideReceiver * side,
    const TfrcArrivalFeedback * feedback, size_t n);

/* What the feedback took longer than any other since `end`, ns after T_base: a wait, or its way back. */
int64_t tfrc_side_get_hold (const TfrcSenderSideReceiver * side, int64_t end);

/* The feedback was made `end` ns after T_base. Fills in `report` if there is one. */
unsigned tfrc_side_finish (TfrcSenderSideReceiver * side, int64_t end,
    TfrcReport * report);

#endif
