/* lab: one flow of the engine in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "flow.h"
#include "loss.h"
#include "ns2.h"
#include "unbias.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>
#include <tfrc/wire.h>

#define FLIGHT 65536u           /* packets on their way: a second at 65 kHz */

typedef struct
{
  TfrcTime arrival;
  TfrcPacket packet;
} Data;

typedef struct
{
  TfrcTime arrival;
  TfrcReport report;
} Feedback;

typedef struct
{
  const LabOptions *options;
  TfrcSender *sender;
  TfrcReceiver *receiver;
  LabLoss loss;
  LabRandom sizes, back;
  TfrcTime now, next_frame, next_sample;
  uint64_t backlog;             /* packets that the application has made and not sent */
  uint32_t size;                /* bytes of the packet at the head of the queue */
  bool limited;                 /* tfrc_sender_on_limited() was called for that packet */
  uint16_t seq;
  uint64_t events;              /* loss events seen */
  Data *data;
  Feedback *feedback;
  unsigned data_head, data_tail, feedback_head, feedback_tail;
  bool use_ns2;                 /* then the engine's sender only stamps */
  LabNs2 ns2;
  LabUnbias unbias;
  LabFlowResult result;
} Flow;

static TfrcTime
to_time (double seconds)
{
  return (TfrcTime) llround (seconds * 1e9);
}

static bool
measuring (const Flow * flow)
{
  return flow->now >= to_time (flow->options->from);
}

static TfrcTime
earlier (TfrcTime a, TfrcTime b)
{
  return a < b ? a : b;
}

/* What the application puts into its next packet. */
static uint32_t
next_size (Flow * flow)
{
  const LabOptions *o = flow->options;
  if (o->adapt) {
    TfrcAllowance allowance;
    tfrc_sender_get_allowance (flow->sender, &allowance);
    return (uint32_t) fmax (1, fmin (o->size, allowance.X / o->pps));
  }
  if (o->size_max > o->size)
    return (uint32_t) (o->size + lab_random_next (&flow->sizes) * (o->size_max -
            o->size + 1));
  return (uint32_t) o->size;
}

static void
on_frame (Flow * flow)
{
  flow->next_frame += to_time (1 / flow->options->pps);
  if (flow->backlog++ == 0) {
    flow->size = next_size (flow);
    flow->limited = false;
  }
}

/* detect=1: a lost packet comes as a mark without bytes, together with the next packet. */
static void
put_mark (Flow * flow, Data data)
{
  data.arrival = TFRC_TIME_NONE;
  data.packet.size = 1;
  data.packet.ce = true;
  flow->data[flow->data_tail++ % FLIGHT] = data;
}

/* The marks before it have its times too: a report that echoed a lost packet's stamp would
 * measure the wait for the next one as round-trip time. */
static void
put_arrival (Flow * flow, Data data)
{
  for (unsigned i = flow->data_tail; i != flow->data_head
      && flow->data[(i - 1) % FLIGHT].arrival == TFRC_TIME_NONE; i--) {
    flow->data[(i - 1) % FLIGHT].arrival = data.arrival;
    flow->data[(i - 1) % FLIGHT].packet.stamp = data.packet.stamp;
  }
  flow->data[flow->data_tail++ % FLIGHT] = data;
}

static void
put_on_path (Flow * flow, const TfrcStamp * stamp)
{
  double wire = flow->size + flow->options->wire;
  bool lost = lab_loss_drops (&flow->loss, wire, (double) flow->now * 1e-9);
  if (measuring (flow)) {
    flow->result.packets++;
    flow->result.bytes += wire;
    flow->result.lost += lost;
  }
  Data data = { flow->now + to_time (flow->options->rtt / 2), {0}
  };
  data.packet.seq = flow->seq++;
  data.packet.size = flow->size;
  data.packet.stamped = true;
  data.packet.stamp = *stamp;
  if (!lost)
    put_arrival (flow, data);
  else if (flow->options->detect == 1)
    put_mark (flow, data);
}

static TfrcTime
next_departure (const Flow * flow)
{
  return flow->use_ns2 ? lab_ns2_next_departure (&flow->ns2)
      : tfrc_sender_next_departure (flow->sender, flow->size);
}

static TfrcTime
next_timer (const Flow * flow)
{
  return flow->use_ns2 ? flow->ns2.expiry :
      tfrc_sender_next_timer (flow->sender);
}

/* Sends what may leave now. */
static void
depart (Flow * flow)
{
  bool endless = flow->options->pps == 0;
  while (flow->backlog > 0 && flow->data_tail - flow->data_head < FLIGHT
      && next_departure (flow) <= flow->now) {
    TfrcStamp stamp;
    flow->ns2.departed = flow->now;
    flow->backlog -= !endless;
    tfrc_sender_on_departure (flow->sender, flow->size, flow->backlog > 0,
        &stamp, flow->now);
    put_on_path (flow, &stamp);
    flow->size = next_size (flow);
    flow->limited = false;
  }
  if (flow->backlog > 0 && !flow->limited) {
    tfrc_sender_on_limited (flow->sender, flow->now);
    flow->limited = true;
  }
}

static void
count_interval (Flow * flow)
{
  TfrcReceiverStats stats;
  tfrc_receiver_get_stats (flow->receiver, &stats);
  if (stats.loss_events > flow->events)
    lab_unbias_on_event (&flow->unbias, stats.I_1);
  if (stats.loss_events > flow->events && stats.loss_events > 1
      && measuring (flow)) {
    flow->result.intervals++;
    flow->result.theta += stats.I_1;
    flow->result.theta2 += stats.I_1 * stats.I_1;
  }
  flow->events = stats.loss_events;
}

/* unbias=1: the engine's receiver counts packets, and what it reports of loss is corrected. */
static void
correct (Flow * flow, TfrcReport * report)
{
  TfrcReceiverStats stats;
  tfrc_receiver_get_stats (flow->receiver, &stats);
  report->p_q32 =
      tfrc_report_encode_p (lab_unbias_get_p (&flow->unbias, stats.I_0,
          flow->now));
}

/* Whether the way back loses the report that leaves now. */
static bool
back_drops (Flow * flow)
{
  const LabOptions *o = flow->options;
  if (o->mute > 0 && flow->now >= to_time (o->mute))
    return true;
  return o->back_p > 0 && lab_random_next (&flow->back) < o->back_p;
}

static void
report_if_wanted (Flow * flow)
{
  Feedback feedback;
  if (!tfrc_receiver_wants_report (flow->receiver)
      || !tfrc_receiver_make_report (flow->receiver, &feedback.report,
          flow->now))
    return;
  if (flow->options->unbias)
    correct (flow, &feedback.report);
  if (back_drops (flow))
    return;
  feedback.arrival = flow->now + to_time (flow->options->rtt / 2);
  flow->feedback[flow->feedback_tail++ % FLIGHT] = feedback;
}

static void
on_data (Flow * flow)
{
  const TfrcPacket *packet = &flow->data[flow->data_head++ % FLIGHT].packet;
  lab_unbias_on_arrival (&flow->unbias, flow->now);
  if (tfrc_receiver_on_packet (flow->receiver, packet,
          flow->now) & TFRC_RECEIVER_LOSS)
    count_interval (flow);
  if (!packet->ce)              /* after a mark comes the packet that brought it */
    report_if_wanted (flow);
}

static void
on_sample (Flow * flow)
{
  TfrcSenderStats stats;
  flow->next_sample += to_time (flow->options->rtt);
  if (!measuring (flow))
    return;
  tfrc_sender_get_stats (flow->sender, &stats);
  flow->result.samples++;
  flow->result.p += stats.p;
  flow->result.p2 += stats.p * stats.p;
  double X = flow->use_ns2 ? flow->ns2.X : stats.X;
  flow->result.X += X;
  flow->result.X2 += X * X;
}

static TfrcTime
next_event (const Flow * flow)
{
  TfrcTime next = earlier (flow->next_frame, flow->next_sample);
  if (flow->backlog > 0)
    next = earlier (next, next_departure (flow));
  if (flow->data_head != flow->data_tail)
    next = earlier (next, flow->data[flow->data_head % FLIGHT].arrival);
  if (flow->feedback_head != flow->feedback_tail)
    next = earlier (next, flow->feedback[flow->feedback_head % FLIGHT].arrival);
  next = earlier (next, next_timer (flow));
  return earlier (next, tfrc_receiver_next_timer (flow->receiver));
}

static void
on_report (Flow * flow, const TfrcReport * report)
{
  tfrc_sender_on_report (flow->sender, report, flow->now);
  if (flow->use_ns2)
    lab_ns2_on_report (&flow->ns2, report, flow->now);
}

static void
on_sender_timer (Flow * flow)
{
  if (flow->use_ns2)
    lab_ns2_on_timer (&flow->ns2, flow->now);
  else if (tfrc_sender_on_timer (flow->sender, flow->now) & TFRC_SENDER_EXPIRED)
    flow->result.expiries += measuring (flow);
}

static void
dispatch (Flow * flow)
{
  while (flow->data_head != flow->data_tail
      && flow->data[flow->data_head % FLIGHT].arrival <= flow->now)
    on_data (flow);
  while (flow->feedback_head != flow->feedback_tail
      && flow->feedback[flow->feedback_head % FLIGHT].arrival <= flow->now)
    on_report (flow, &flow->feedback[flow->feedback_head++ % FLIGHT].report);
  if (next_timer (flow) <= flow->now)
    on_sender_timer (flow);
  if (tfrc_receiver_next_timer (flow->receiver) <= flow->now) {
    tfrc_receiver_on_timer (flow->receiver, flow->now);
    report_if_wanted (flow);
  }
  if (flow->next_frame <= flow->now)
    on_frame (flow);
  if (flow->next_sample <= flow->now)
    on_sample (flow);
  depart (flow);
}

static void *
allocate (size_t size)
{
  void *block = calloc (1, size);
  if (!block)
    abort ();
  return block;
}

static void
start (Flow * flow, const LabOptions * options, const TfrcConfig * config,
    uint64_t seed)
{
  *flow = (Flow) {
      .options = options,
      .sizes = { seed ^ 0x5157u },
      .back = { seed ^ 0xBAC4u }};
  flow->data = allocate (FLIGHT * sizeof *flow->data);
  flow->feedback = allocate (FLIGHT * sizeof *flow->feedback);
  flow->sender =
      tfrc_sender_init (allocate (tfrc_sender_size (config)), config, 0);
  TfrcConfig counts = *config;
  if (options->unbias)
    counts.measure = TFRC_MEASURE_RFC;
  flow->receiver =
      tfrc_receiver_init (allocate (tfrc_receiver_size (&counts)), &counts, 0);
  lab_loss_init (&flow->loss, options, seed);
  /* Flows that start together would send in step with the loss model's clock. */
  flow->next_frame = options->pps > 0 ?
      to_time (lab_random_next (&flow->sizes) / options->pps) : TFRC_TIME_NONE;
  flow->backlog = options->pps == 0;
  flow->use_ns2 = strcmp (options->sender, "ns2") == 0;
  lab_ns2_init (&flow->ns2, options, config);
  lab_unbias_init (&flow->unbias, options);
  flow->size = next_size (flow);
}

LabFlowResult
lab_flow_run (const LabOptions * options, const TfrcConfig * config,
    uint64_t seed)
{
  Flow flow;
  TfrcTime end = to_time (options->duration);
  start (&flow, options, config, seed);
  for (;;) {
    dispatch (&flow);
    TfrcTime next = next_event (&flow);
    if (next >= end)
      break;
    flow.now = next > flow.now ? next : flow.now;
  }
  free (flow.data);
  free (flow.feedback);
  free (flow.sender);
  free (flow.receiver);
  return flow.result;
}
