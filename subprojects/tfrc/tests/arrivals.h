/* libtfrc: a flow of packets that arrives at a receiver, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * One flow for each program, which a test begins with start(). A report leaves as soon as the receiver asks for it,
 * unless the test makes it itself. */
#ifndef ARRIVALS_H
#define ARRIVALS_H

#include "test.h"

#include <tfrc/receiver.h>
#include <tfrc/wire.h>

#define MS TFRC_MSEC
#define REPORT TFRC_RECEIVER_REPORT

typedef struct
{
  TfrcConfig config;
  TfrcReceiver *receiver;
  TfrcReceiverStats stats;
  TfrcReport report;            /* the last one made */
  unsigned reports;
  uint32_t rtt_us, size;
  TfrcTime one_way;             /* ns, from the sender */
  TfrcTime now;
  union
  {
    max_align_t align;
    unsigned char bytes[1 << 16];
  } block;
} Flow;

static Flow flow;

__attribute__ ((unused)) static void
start_with (const TfrcConfig * config)
{
  flow.config = *config;
  CHECK (tfrc_config_check (config) == NULL);
  CHECK (tfrc_receiver_size (config) <= sizeof flow.block);
  memset (&flow.block, 0xA5, sizeof flow.block);
  flow.now = TFRC_SEC;
  flow.receiver = tfrc_receiver_init (&flow.block, config, flow.now);
  flow.reports = 0;
  flow.rtt_us = 100000;
  flow.one_way = 50 * MS;
  flow.size = 160;
  flow.report = (TfrcReport) {0};
}

__attribute__ ((unused)) static void
start (TfrcMode mode)
{
  TfrcConfig config;

  tfrc_config_init (&config, mode);
  start_with (&config);
}

__attribute__ ((unused)) static const TfrcReceiverStats *
get_stats (void)
{
  tfrc_receiver_get_stats (flow.receiver, &flow.stats);
  return &flow.stats;
}

__attribute__ ((unused)) static unsigned
receive_at (unsigned seq, bool ce, TfrcTime now)
{
  TfrcPacket packet = {
    .seq = (uint16_t) seq,
    .size = flow.size,
    .stamped = true,
    .ce = ce,
    .stamp = {flow.rtt_us, (uint32_t) ((now - flow.one_way) / TFRC_USEC)}
  };

  flow.now = now;
  return tfrc_receiver_on_packet (flow.receiver, &packet, now);
}

__attribute__ ((unused)) static bool
make_report (void)
{
  if (!tfrc_receiver_make_report (flow.receiver, &flow.report, flow.now))
    return false;
  flow.reports++;
  return true;
}

/* Runs the timer up to `now`; reports leave as soon as they are asked for. */
__attribute__ ((unused)) static void
run_to (TfrcTime now)
{
  while (tfrc_receiver_next_timer (flow.receiver) <= now) {
    flow.now = tfrc_receiver_next_timer (flow.receiver);
    if (tfrc_receiver_on_timer (flow.receiver, flow.now) & REPORT)
      CHECK (make_report ());
  }
  flow.now = now;
}

__attribute__ ((unused)) static unsigned
receive (unsigned seq, TfrcTime now)
{
  unsigned bits;

  run_to (now);
  bits = receive_at (seq, false, now);
  CHECK (!(bits & REPORT) == !tfrc_receiver_wants_report (flow.receiver));
  if (bits & REPORT)
    CHECK (make_report ());
  return bits;
}

/* Packets [from, to) but `every`-th ones, one in each `period`, from `now` on. */
__attribute__ ((unused)) static void
receive_run (unsigned from, unsigned to, TfrcTime period, unsigned every)
{
  TfrcTime now = flow.now;

  for (unsigned seq = from; seq < to; seq++) {
    now += period;
    if (every == 0 || seq % every != every - 1)
      receive (seq, now);
  }
}

#endif
