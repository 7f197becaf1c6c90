/* libtfrc: a sender and a receiver joined by a path that an Input decides
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_LOOP_H
#define TFRC_LOOP_H

#include "drive.h"

#include <tfrc/wire.h>

#define LOOP_SLOTS 256          /* packets and reports under way */
#define LOOP_NO_LOSS UINT32_MAX

typedef struct
{
  TfrcTime arrival;
  bool is_report;
  TfrcPacket packet;
  uint8_t bytes[TFRC_REPORT_SIZE_MAX];
  size_t size;                  /* of the report, bytes */
} LoopSlot;

typedef struct
{
  TfrcSender *sender;
  TfrcReceiver *receiver;
  LoopSlot slots[LOOP_SLOTS];   /* the first n are in use, in any order */
  unsigned n;
  TfrcTime delay, now;
  uint32_t loss;                /* one packet in so many; LOOP_NO_LOSS: none, and no mark */
  uint16_t seq;
  uint32_t t_i_us;              /* of the packet sent last */
} Loop;

/* A slot for what arrives then; NULL: the path is full. */
static inline LoopSlot *
loop_add (Loop * loop, TfrcTime arrival)
{
  LoopSlot *slot = &loop->slots[loop->n];

  if (loop->n == LOOP_SLOTS)
    return NULL;
  loop->n++;
  slot->arrival = arrival;
  return slot;
}

/* What arrives first and no later than `next`, which becomes its time; NULL: nothing does. */
static inline LoopSlot *
loop_find_first (Loop * loop, TfrcTime * next)
{
  LoopSlot *first = NULL;

  for (unsigned i = 0; i < loop->n; i++) {
    if (loop->slots[i].arrival <= *next) {
      *next = loop->slots[i].arrival;
      first = &loop->slots[i];
    }
  }
  return first;
}

static inline LoopSlot
loop_take (Loop * loop, LoopSlot * slot)
{
  LoopSlot taken = *slot;

  *slot = loop->slots[--loop->n];
  return taken;
}

static inline LoopSlot *
loop_launch (Loop * loop, Input * input)
{
  TfrcTime jitter = input_chance (input, 8) ? input_below (input, 40000) * TFRC_USEC : 0;

  if (loop->loss != LOOP_NO_LOSS && input_chance (input, loop->loss))
    return NULL;
  return loop_add (loop, loop->now + loop->delay + jitter);
}

static inline void
loop_send (Loop * loop, Input * input, uint32_t size)
{
  LoopSlot *slot;
  TfrcStamp stamp;

  tfrc_sender_on_departure (loop->sender, size, !input_chance (input, 4), &stamp, loop->now);
  loop->t_i_us = stamp.t_i_us;
  slot = loop_launch (loop, input);
  loop->seq++;
  if (slot == NULL)
    return;
  slot->is_report = false;
  slot->packet = (TfrcPacket) { loop->seq, size, true, false, stamp };
  slot->packet.ce = loop->loss != LOOP_NO_LOSS && input_chance (input, 500);
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
  slot->size = tfrc_report_write (&report, TFRC_REPORT_FMT, 1, 2, slot->bytes);
}

static inline void
loop_arrive (Loop * loop, LoopSlot * slot)
{
  LoopSlot taken = loop_take (loop, slot);
  TfrcReport report;
  uint32_t ssrc;

  if (!taken.is_report) {
    tfrc_receiver_on_packet (loop->receiver, &taken.packet, loop->now);
    return;
  }
  LAW (tfrc_report_parse (&report, TFRC_REPORT_FMT, &ssrc, &ssrc, taken.bytes,
          taken.size) == TFRC_PARSE_OK);
  tfrc_sender_on_report (loop->sender, &report, loop->now);
}

/* The earliest of what is to come; `slot` is NULL for a timer or a departure. */
static inline TfrcTime
loop_next (Loop * loop, uint32_t size, LoopSlot ** slot)
{
  TfrcTime next = tfrc_sender_next_departure (loop->sender, size);

  if (tfrc_sender_next_timer (loop->sender) < next)
    next = tfrc_sender_next_timer (loop->sender);
  if (tfrc_receiver_next_timer (loop->receiver) < next)
    next = tfrc_receiver_next_timer (loop->receiver);
  *slot = loop_find_first (loop, &next);
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

/* A report that no receiver made, of the packet that left last. */
static inline void
loop_forge (Loop * loop, Input * input)
{
  TfrcReport report =
      { loop->t_i_us, 0, input_u32 (input), input_u32 (input), true, input_u32 (input), true, input_u32 (input) };

  loop->now += TFRC_MSEC;
  tfrc_sender_on_report (loop->sender, &report, loop->now);
}

static inline Loop *
loop_new (const TfrcConfig * config)
{
  Loop *loop = calloc (1, sizeof *loop);

  loop->now = TFRC_SEC;
  loop->sender = tfrc_sender_init (malloc (tfrc_sender_size (config)), config, loop->now);
  loop->receiver = tfrc_receiver_init (malloc (tfrc_receiver_size (config)), config, loop->now);
  loop->delay = 50 * TFRC_MSEC;
  loop->loss = 100;
  return loop;
}

static inline void
loop_free (Loop * loop)
{
  free (loop->sender);
  free (loop->receiver);
  free (loop);
}

#endif
