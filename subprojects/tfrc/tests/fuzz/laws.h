/* libtfrc: what must hold of a flow over a path that is clean at last, whatever came before
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The flow of a Loop gets an application: one frame each 20 ms, and a frame that still
 * waits when the next one comes is dropped. The input chooses the path and not the fate
 * of each packet: losses come from a generator of their own. */
#ifndef TFRC_LAWS_H
#define TFRC_LAWS_H

#include "loop.h"

#include <tfrc/equation.h>

#define FRAME (20 * TFRC_MSEC)
#ifndef GRANTED_MAX
#define GRANTED_MAX 4000        /* packets: longer recoveries are left out, for time */
#endif
#define GUESS 0.1               /* s: the sender counts on no shorter interval between reports */

typedef struct
{
  Loop *loop;
  uint32_t size;
  bool waiting, silent;         /* a frame; no report arrives */
  TfrcTime next_frame, late;    /* so much later the next packet arrives */
  uint32_t lost_of_1000;
  uint64_t random;
  unsigned arrived, expiries;
  TfrcTime timer_set, timer_ran;        /* nofeedback timer: when it was set; how long it ran */
  double X_set, X_ran;          /* X before it was set; of the one that ran out last */
} Call;

static inline double
law_get_X (const TfrcSender * sender)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (sender, &stats);
  return stats.X;
}

static inline double
law_get_R (const TfrcSender * sender)
{
  TfrcSenderStats stats;

  tfrc_sender_get_stats (sender, &stats);
  return stats.R;
}

static inline void
law_launch (Call * call, const TfrcPacket * packet, const TfrcReport * report)
{
  LoopSlot *slot = loop_add (call->loop, call->loop->now + call->loop->delay);

  if (slot == NULL)
    return;
  slot->is_report = report != NULL;
  if (report != NULL) {
    slot->size = tfrc_report_write (report, TFRC_REPORT_FMT, 1, 2, slot->bytes);
    return;
  }
  slot->packet = *packet;
  slot->arrival += call->late;
  call->late = 0;
}

static inline void
law_send (Call * call)
{
  TfrcPacket packet = { ++call->loop->seq, call->size, true, false, {0, 0} };

  call->waiting = false;
  tfrc_sender_on_departure (call->loop->sender, call->size, false, &packet.stamp, call->loop->now);
  call->random = call->random * 6364136223846793005u + 1442695040888963407u;
  if ((call->random >> 33) % 1000 >= call->lost_of_1000)
    law_launch (call, &packet, NULL);
}

static inline void
law_on_timer (Call * call)
{
  TfrcTime now = call->loop->now;

  call->timer_ran = now - call->timer_set;
  call->X_ran = call->X_set;
  call->expiries += (tfrc_sender_on_timer (call->loop->sender, now) & TFRC_SENDER_EXPIRED) != 0;
  call->timer_set = now;
  call->X_set = law_get_X (call->loop->sender);
}

static inline void
law_arrive (Call * call, LoopSlot * slot)
{
  if (slot->is_report && call->silent) {
    loop_take (call->loop, slot);
    return;
  }
  if (slot->is_report) {
    call->X_set = law_get_X (call->loop->sender);
    call->timer_set = call->loop->now;
  }
  call->arrived += !slot->is_report;
  loop_arrive (call->loop, slot);
}

static inline void
law_on_frame (Call * call)
{
  call->next_frame += FRAME;
  if (call->waiting)
    return;
  call->waiting = true;
  if (tfrc_sender_next_departure (call->loop->sender, call->size) > call->loop->now)
    tfrc_sender_on_limited (call->loop->sender, call->loop->now);
}

/* One event, or none before `until`. */
static inline void
law_step (Call * call, TfrcTime until)
{
  Loop *loop = call->loop;
  TfrcTime next = call->next_frame;
  LoopSlot *slot = loop_find_first (loop, &next);
  TfrcReport report;

  if (tfrc_receiver_next_timer (loop->receiver) < next)
    next = tfrc_receiver_next_timer (loop->receiver);
  if (tfrc_sender_next_timer (loop->sender) < next)
    next = tfrc_sender_next_timer (loop->sender);
  if (call->waiting && tfrc_sender_next_departure (loop->sender, call->size) < next)
    next = tfrc_sender_next_departure (loop->sender, call->size);
  if (next > loop->now)
    loop->now = next < until ? next : until;
  if (next > until)
    return;

  if (slot != NULL && slot->arrival <= loop->now)
    law_arrive (call, slot);
  else if (tfrc_receiver_next_timer (loop->receiver) <= loop->now)
    tfrc_receiver_on_timer (loop->receiver, loop->now);
  else if (tfrc_sender_next_timer (loop->sender) <= loop->now)
    law_on_timer (call);
  else if (call->waiting && tfrc_sender_next_departure (loop->sender, call->size) <= loop->now)
    law_send (call);
  else
    law_on_frame (call);
  if (tfrc_receiver_wants_report (loop->receiver)
      && tfrc_receiver_make_report (loop->receiver, &report, loop->now))
    law_launch (call, NULL, &report);
}

static inline void
law_run (Call * call, TfrcTime duration)
{
  TfrcTime until = call->loop->now + duration;

  while (call->loop->now < until)
    law_step (call, until);
}

static inline Call
law_take_over (Loop * loop, uint32_t size)
{
  return (Call) {.loop = loop,.size = size,.next_frame = loop->now,.random = loop->now };
}

static inline Call
law_start (const TfrcConfig * config, TfrcTime delay, uint32_t size)
{
  Loop *loop = loop_new (config);

  loop->delay = delay;
  return law_take_over (loop, size);
}

static inline unsigned
law_count_granted (const TfrcConfig * config, uint32_t size, const TfrcSenderStats * fresh)
{
  double H = config->mode == TFRC_MODE_TFRC_SP ? config->H : 0.0;
  double p = tfrc_equation_loss (tfrc_config_get_equation_size (config, size), fresh->R,
      tfrc_equation_t_RTO (config, fresh->R), fresh->X / tfrc_equation_header_factor (size, H));

  return 10.0 / p < GRANTED_MAX ? (unsigned) (10.0 / p) + 1 : 0;
}

/* 10/p* packets that arrive bring back half of a fresh flow's X. What the WBL04 measures
 * count are not packets, a history too short for the path finds no report's t_i, and an
 * R from elsewhere that is far too long keeps the receiver silent that long. */
static inline void
law_check_recovery (Loop * loop, const TfrcConfig * config, uint32_t size)
{
  Call call = law_take_over (loop, size), fresh = law_start (config, loop->delay, size);
  TfrcSenderStats stats;
  unsigned granted;

  law_run (&fresh, 10 * TFRC_SEC);
  tfrc_sender_get_stats (fresh.loop->sender, &stats);
  granted = law_count_granted (config, size, &stats);
  loop_free (fresh.loop);
  if (granted == 0 || config->measure != TFRC_MEASURE_RFC || config->initial_rtt > 0
      || (config->history_packets > 0 && config->history_packets < 2 * loop->delay / FRAME + 10))
    return;
  /* What was lost before is noticed with the third packet after it; what is late comes, and
   * R follows a path that has changed with one report in each R. */
  while (call.arrived < 3 + 40 * TFRC_MSEC / FRAME
      || fabs (law_get_R (loop->sender) - stats.R) > 0.1 * stats.R)
    law_step (&call, TFRC_TIME_NONE);
  for (call.arrived = 0; call.arrived < granted;)
    law_step (&call, TFRC_TIME_NONE);
  /* Where R is shorter than a frame, W_init and one packet in R decide on X, and each is
   * far above what the application sends. */
  LAW (law_get_X (loop->sender) >= fmin (0.5 * stats.X, 2.0 * size * TFRC_SEC / FRAME));
}

/* `steps` events of a flow over a path that the input makes better and worse; with `recovery`
 * it is clean in the end. */
static inline void
drive_loop (Input * input, uint64_t steps, bool recovery)
{
  TfrcConfig config = drive_config (input);
  uint32_t size = config.mss < 200 ? config.mss : 40 + input_below (input, 160);
  Loop *loop = loop_new (&config);

  if (input_chance (input, 2))
    loop->loss = LOOP_NO_LOSS;
  for (uint64_t i = 0; i < steps && !input_ended (input); i++) {
    if (input_chance (input, 2000)) {
      loop->delay = (1 + input_below (input, 400)) * TFRC_MSEC;
      loop->loss = input_chance (input, 2) ? LOOP_NO_LOSS : 2 + input_below (input, 1000);
      if (input_chance (input, 2))
        loop_forge (loop, input);
      if (input_chance (input, 2))
        size = config.mss < 1200 ? config.mss : 20 + input_below (input, 1180);
    }
    loop_step (loop, input, size);
    drive_check_sender (loop->sender);
    drive_check_receiver (loop->receiver);
  }
  if (recovery)
    law_check_recovery (loop, &config, size);
  loop_free (loop);
}

static inline double
law_get_X_after_late (const TfrcConfig * config, TfrcTime R, TfrcTime at, TfrcTime late)
{
  Call call = law_start (config, R / 2, 184);
  double X;

  law_run (&call, at);
  call.late = late;
  law_run (&call, 20 * R);
  X = law_get_X (call.loop->sender);
  loop_free (call.loop);
  return X;
}

/* A packet of a call that comes 20 to 400 ms late leaves X within a tenth after 20 R. A
 * report that is made early may say a tenth more X_recv (X_RECV_SLACK in report-screen.c). */
static inline void
drive_late (Input * input, uint64_t times)
{
  for (uint64_t i = 0; i < times && !input_ended (input); i++) {
    TfrcConfig config;
    TfrcTime R = (100 + input_below (input, 200)) * TFRC_MSEC;
    TfrcTime at = (4000 + input_below (input, 6000)) * TFRC_MSEC;
    TfrcTime late = (20 + input_below (input, 380)) * TFRC_MSEC;
    double X, X_late;

    tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
    config.seed = input_u32 (input);
    X = law_get_X_after_late (&config, R, at, 0);
    X_late = law_get_X_after_late (&config, R, at, late);
    LAW (X_late >= 0.9 * X && X_late <= 1.11 * X);
  }
}

/* After half a minute with any share of the data lost, X is halved in time when no more
 * reports come. While losses begin, p does not yet tell of them: twice the time. */
static inline void
drive_silence (Input * input, uint64_t times)
{
  for (uint64_t i = 0; i < times && !input_ended (input); i++) {
    TfrcConfig config;
    TfrcTime R = (10 + input_below (input, 400)) * TFRC_MSEC;
    TfrcSenderStats stats;
    Call call;

    tfrc_config_init (&config, input_chance (input, 2) ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
    call = law_start (&config, R / 2, 184);
    call.random = input_u32 (input);
    law_run (&call, 2 * TFRC_SEC);
    call.lost_of_1000 = input_below (input, 990);
    law_run (&call, 30 * TFRC_SEC);
    call.silent = true;
    tfrc_sender_get_stats (call.loop->sender, &stats);
    for (call.expiries = 0; call.expiries == 0;)
      law_step (&call, TFRC_TIME_NONE);
    LAW ((double) call.timer_ran * 1e-9 <= 2.0 * fmax (fmax (4.0 * stats.R, 4.0 * GUESS),
            2.0 * stats.s / call.X_ran) + stats.R + 0.02);
    loop_free (call.loop);
  }
}

#endif
