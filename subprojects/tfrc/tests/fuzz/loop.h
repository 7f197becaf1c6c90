/* libtfrc: a sender and a receiver joined by a path that an Input decides
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LOOP_H
#define TFRC_LOOP_H

#include "drive.h"

#include <tfrc/wire.h>

#define LOOP_SLOTS 256          /* packets and reports under way */

typedef struct
{
  TfrcTime arrival;             /* TFRC_TIME_NONE: free */
  bool is_report;
  TfrcPacket packet;
  uint8_t bytes[TFRC_REPORT_SIZE];
} LoopSlot;

typedef struct
{
  TfrcSender *sender;
  TfrcReceiver *receiver;
  LoopSlot slots[LOOP_SLOTS];
  TfrcTime delay, now;
  unsigned loss;                /* one packet in so many */
  uint16_t seq;
} Loop;

static inline LoopSlot *
loop_launch (Loop * loop, Input * input)
{
  TfrcTime jitter = input_chance (input, 8) ? input_below (input, 40000) * TFRC_USEC : 0;

  if (input_chance (input, loop->loss))
    return NULL;
  for (unsigned i = 0; i < LOOP_SLOTS; i++) {
    if (loop->slots[i].arrival == TFRC_TIME_NONE) {
      loop->slots[i].arrival = loop->now + loop->delay + jitter;
      return &loop->slots[i];
    }
  }
  return NULL;
}

static inline void
loop_send (Loop * loop, Input * input, uint32_t size)
{
  LoopSlot *slot;
  TfrcStamp stamp;

  tfrc_sender_on_departure (loop->sender, size, !input_chance (input, 4), &stamp, loop->now);
  slot = loop_launch (loop, input);
  loop->seq++;
  if (slot == NULL)
    return;
  slot->is_report = false;
  slot->packet = (TfrcPacket) { loop->seq, size, true, input_chance (input, 500), stamp };
}

static inline void
loop_report (Loop * loop, Input * input)
{
  TfrcReport report;
  LoopSlot *slot;

  if (!tfrc_receiver_make_report (loop->receiver, &report, loop->now))
    return;
  slot = loop_launch (loop, input);
  if (slot == NULL)
    return;
  slot->is_report = true;
  tfrc_report_write (&report, TFRC_REPORT_FMT, 1, 2, slot->bytes);
}

static inline void
loop_arrive (Loop * loop, LoopSlot * slot)
{
  TfrcReport report;
  uint32_t ssrc;

  slot->arrival = TFRC_TIME_NONE;
  if (!slot->is_report) {
    tfrc_receiver_on_packet (loop->receiver, &slot->packet, loop->now);
    return;
  }
  LAW (tfrc_report_parse (&report, TFRC_REPORT_FMT, &ssrc, &ssrc, slot->bytes,
          sizeof slot->bytes) == TFRC_PARSE_OK);
  tfrc_sender_on_report (loop->sender, &report, loop->now);
}

/* The earliest of what is to come; `slot` is NULL for a timer or a departure. */
static inline TfrcTime
loop_next (Loop * loop, uint32_t size, LoopSlot ** slot)
{
  TfrcTime next = tfrc_sender_next_departure (loop->sender, size);

  *slot = NULL;
  if (tfrc_sender_next_timer (loop->sender) < next)
    next = tfrc_sender_next_timer (loop->sender);
  if (tfrc_receiver_next_timer (loop->receiver) < next)
    next = tfrc_receiver_next_timer (loop->receiver);
  for (unsigned i = 0; i < LOOP_SLOTS; i++) {
    if (loop->slots[i].arrival <= next && loop->slots[i].arrival != TFRC_TIME_NONE) {
      next = loop->slots[i].arrival;
      *slot = &loop->slots[i];
    }
  }
  return next > loop->now ? next : loop->now;
}

static inline void
loop_step (Loop * loop, Input * input, uint32_t size)
{
  LoopSlot *slot;

  loop->now = loop_next (loop, size, &slot);
  if (slot != NULL)
    loop_arrive (loop, slot);
  else if (tfrc_sender_next_timer (loop->sender) <= loop->now)
    tfrc_sender_on_timer (loop->sender, loop->now);
  else if (tfrc_receiver_next_timer (loop->receiver) <= loop->now)
    tfrc_receiver_on_timer (loop->receiver, loop->now);
  else
    loop_send (loop, input, size);
  if (tfrc_receiver_wants_report (loop->receiver))
    loop_report (loop, input);
}

/* `steps` events of a flow over a path that the input makes better and worse. */
static inline void
drive_loop (Input * input, uint64_t steps)
{
  TfrcConfig config = drive_config (input);
  uint32_t size = config.mss < 200 ? config.mss : 40 + input_below (input, 160);
  Loop *loop = calloc (1, sizeof *loop);
  void *sender = malloc (tfrc_sender_size (&config)), *receiver = malloc (tfrc_receiver_size (&config));

  loop->now = TFRC_SEC;
  loop->sender = tfrc_sender_init (sender, &config, loop->now);
  loop->receiver = tfrc_receiver_init (receiver, &config, loop->now);
  loop->delay = 50 * TFRC_MSEC;
  loop->loss = 100;
  for (unsigned i = 0; i < LOOP_SLOTS; i++)
    loop->slots[i].arrival = TFRC_TIME_NONE;
  for (uint64_t i = 0; i < steps && !input_ended (input); i++) {
    if (input_chance (input, 2000)) {
      loop->delay = (1 + input_below (input, 400)) * TFRC_MSEC;
      loop->loss = 2 + input_below (input, 1000);
      if (input_chance (input, 2))
        size = config.mss < 1200 ? config.mss : 20 + input_below (input, 1180);
    }
    loop_step (loop, input, size);
    drive_check_sender (loop->sender);
    drive_check_receiver (loop->receiver);
  }
  free (sender);
  free (receiver);
  free (loop);
}

#endif
