/* libtfrc: random lives of a sender with a TFRC receiver at its side, which hears random feedback
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_SIDE_H
#define TFRC_SIDE_H

#include "drive.h"

#include <tfrc/sender-side-receiver.h>

#define SIDE_ENTRIES 256
#define SIDE_TWCC_PERIOD (((TfrcTime) 1 << 24) * 64 * TFRC_MSEC)
#define SIDE_CCFB_PERIOD (65536 * TFRC_SEC)

typedef struct
{
  TfrcSender *sender;
  TfrcSenderSideReceiver *side;
  TfrcTime now;
  uint16_t seq;                 /* of the last departure */
  uint64_t sent;
  TfrcArrivalEntry entries[SIDE_ENTRIES];
} SideLife;

static inline TfrcArrivalEntry
side_make_entry (Input * input, bool is_report)
{
  TfrcArrivalEntry entry = {.received = !input_chance (input, 8) };

  if (!entry.received)
    return entry;
  entry.timed = !is_report || !input_chance (input, 16);
  entry.ecn = is_report ? (TfrcEcn) input_below (input, TFRC_N_ECN) : TFRC_ECN_NOT_ECT;
  if (entry.timed)
    entry.arrival = input_below (input, input_chance (input, 16) ? 8000000 : 100000) * (int64_t) TFRC_USEC;
  if (is_report)
    entry.arrival = -entry.arrival;
  return entry;
}

/* Feedback about packets that were sent or were not, whose clock jumps now and then: anything that a parser may
 * return. */
static inline TfrcArrivalFeedback
side_make_feedback (SideLife * life, Input * input)
{
  TfrcArrivalFeedback feedback = {.entries = life->entries,.room = SIDE_ENTRIES,
    .T_base_is_report = input_chance (input, 2),.n = input_below (input, 16),
  };

  if (input_chance (input, 16))
    feedback.n = input_below (input, SIDE_ENTRIES + 1);
  feedback.counted = input_chance (input, 2);
  feedback.count = (uint8_t) input_below (input, 4);
  feedback.period = feedback.T_base_is_report ? SIDE_CCFB_PERIOD : SIDE_TWCC_PERIOD;
  feedback.begin_seq = (uint16_t) (life->seq - feedback.n + input_below (input, 4));
  feedback.T_base = life->now % feedback.period;
  if (input_chance (input, 16))
    feedback.begin_seq = (uint16_t) input_u32 (input);
  if (input_chance (input, 16))
    feedback.T_base = input_u32 (input) * TFRC_MSEC % feedback.period;
  for (size_t i = 0; i < feedback.n; i++)
    life->entries[i] = side_make_entry (input, feedback.T_base_is_report);
  return feedback;
}

/* Each packet that departed goes to the receiver once at most, and the receiver's time never goes back. */
static inline void
side_check (const SideLife * life)
{
  TfrcSenderSideStats stats;

  tfrc_sender_side_get_stats (life->side, &stats);
  LAW (stats.receiver.packets + stats.receiver.duplicates + stats.receiver.too_late
      + stats.receiver.jumps + stats.unknown <= life->sent);
  LAW (stats.receiver.duplicates == 0);
  LAW (stats.receiver.clock_steps == 0);
  LAW (stats.receiver.p >= 0.0 && stats.receiver.p <= 1.0);
  LAW (isfinite (stats.receiver.X_recv));
}

/* A report block about what was sent, or now and then about anything. */
static inline unsigned
side_hear_block (SideLife * life, Input * input, TfrcReport * report)
{
  uint16_t highest = (uint16_t) (life->seq - input_below (input, 8));
  uint32_t lost = input_below (input, 8);

  if (input_chance (input, 16))
    highest = (uint16_t) input_u32 (input);
  if (input_chance (input, 16))
    lost = input_u32 (input);
  return tfrc_sender_side_on_block (life->side, highest, lost,
      input_chance (input, 2) ? 0 : input_u32 (input), report, life->now);
}

static inline void
side_hear (SideLife * life, Input * input)
{
  TfrcArrivalFeedback feedback;
  TfrcReport report;
  double X = drive_check_sender (life->sender);
  unsigned bits;

  if (input_chance (input, 4)) {
    bits = side_hear_block (life, input, &report);
  } else {
    feedback = side_make_feedback (life, input);
    bits = tfrc_sender_side_on_feedback (life->side, &feedback, &report, life->now);
  }
  if (bits & TFRC_SENDER_SIDE_REPORT
      && tfrc_sender_on_report (life->sender, &report, life->now) & TFRC_SENDER_REJECTED)
    LAW (drive_check_sender (life->sender) <= X);       /* a refused report raises nothing */
  if (bits & TFRC_SENDER_SIDE_RTT) {
    tfrc_sender_on_rtt_sample (life->sender, &report, life->now);
    LAW (drive_check_sender (life->sender) == X);       /* X waits for the next report */
  }
  side_check (life);
}

static inline void
side_send (SideLife * life, Input * input)
{
  uint32_t size = 20 + input_below (input, 1440);
  TfrcStamp stamp;

  tfrc_sender_on_departure (life->sender, size, input_chance (input, 2), &stamp, life->now);
  life->seq = (uint16_t) (life->seq + 1 + (input_chance (input, 16) ? input_below (input, 1000) : 0));
  tfrc_sender_side_on_departure (life->side, life->seq, size, &stamp, life->now);
  life->sent++;
}

/* A sender of `packets` packets that hears random feedback. */
static inline void
drive_sender_side (Input * input, uint64_t packets)
{
  TfrcConfig config = drive_config (input);
  SideLife life = {.now = TFRC_SEC };

  life.sender = tfrc_sender_init (malloc (tfrc_sender_size (&config)), &config, life.now);
  life.side = tfrc_sender_side_init (malloc (tfrc_sender_side_size (&config)), &config, life.now);
  for (uint64_t i = 0; i < packets && !input_ended (input); i++) {
    life.now = drive_clock (input, life.now);
    side_send (&life, input);
    if (input_chance (input, 3))
      side_hear (&life, input);
    if (input_chance (input, 2000))
      tfrc_sender_side_restart (life.side, life.now);
    if (tfrc_sender_next_timer (life.sender) <= life.now)
      tfrc_sender_on_timer (life.sender, life.now);
  }
  free (life.sender);
  free (life.side);
}

#endif
