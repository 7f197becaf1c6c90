/* tfrcadapt: a greedy TCP flow, Reno or CUBIC, for calls in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * What a call beside TCP hears depends on how TCP fills a drop-tail queue, packet by packet: it sends as acknowledgements
 * come, and CUBIC keeps its window where it has lost before, so that the queue is full for seconds in which TCP loses
 * nothing and the call two packets in five. The windows are those of RFC 5681 and RFC 9438, packets in flight are counted as
 * in RFC 6675, and a window is reduced as in RFC 6937. When packets and acknowledgements leave is as traces of Linux 6.18
 * show it. What is lost is not sent again: other packets take the place of the retransmissions. */
#ifndef TFRC_TEST_TCP_FLOW_H
#define TFRC_TEST_TCP_FLOW_H

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tfrc/tfrc.h>

#define TCP_FLIGHT 8192         /* packets under way, a power of two */
#define TCP_FIRST_WINDOW 10.0   /* packets (RFC 6928) */
#define TCP_RTO TFRC_SEC
#define TCP_LATER 3             /* packets that are acknowledged behind a lost one, until it counts as lost */
#define TCP_DELAYED_ACK (200 * TFRC_MSEC)
#define TCP_QUICK 16            /* packets that are acknowledged one by one, as the flow begins and behind a loss */
#define TCP_BURST 2             /* packets that leave on an acknowledgement */
#define TCP_DEFERRED (30 * TFRC_MSEC)   /* what the window allows beyond these leaves so long behind them */
#define CUBIC_C 0.4             /* packets/s^3 */
#define CUBIC_BETA 0.7

typedef struct
{
  bool cubic;
  TfrcTime shortest_rtt;
  double bytes;                 /* acknowledged */

  uint64_t in, out;             /* packets that were sent, and of which the receiver has told or, of a lost one, will tell */
  TfrcTime due[TCP_FLIGHT];     /* when a packet's acknowledgement may come at the earliest; 0: it is lost */
  bool pushes[TCP_FLIGHT];      /* the last of a burst, which is acknowledged at once */
  uint64_t acked, pipe;         /* packets that were acknowledged, and that are in flight */
  bool second_of_two;           /* the next one is acknowledged with the last one */
  unsigned quick;               /* packets left that are acknowledged one by one */
  TfrcTime last_ack, last_sent;
  unsigned burst;               /* packets since the last acknowledgement or wait */

  uint64_t lost_in, lost_out;   /* losses that the receiver sees, and that the sender knows */
  uint64_t lost[TCP_FLIGHT], acked_before[TCP_FLIGHT];  /* of each: the packet, and `acked` as the receiver saw it */

  double cwnd, ssthresh;        /* packets */
  bool recovering;
  uint64_t again_from, again_to;        /* the packets that stand for retransmissions: the last one's acknowledgement ends
                                         * the recovery */
  double reduced_from, delivered, sent; /* packets: cwnd before the recovery, and in it */

  double W_max, plateau, K, W_est;      /* RFC 9438 4.2, 4.3; the plateau is W_max, or the window itself above it */
  TfrcTime epoch;               /* since when the window grows; 0: not yet */
} TcpFlow;

static void
tcp_flow_init (TcpFlow * flow, bool cubic, TfrcTime shortest_rtt, TfrcTime begin)
{
  memset (flow, 0, sizeof (*flow));
  flow->cubic = cubic;
  flow->shortest_rtt = shortest_rtt;
  flow->cwnd = TCP_FIRST_WINDOW;
  flow->ssthresh = HUGE_VAL;
  flow->quick = TCP_QUICK;
  flow->last_ack = begin;
}

/* --- the window ---------------------------------------------------------------- */

/* Acknowledged packets after which CUBIC's window grows by one. */
static double
cubic_get_count (TcpFlow * flow, TfrcTime now)
{
  double t, W_cubic, count;

  if (flow->epoch == 0) {
    flow->epoch = now;
    flow->W_est = flow->cwnd;
    flow->plateau = fmax (flow->W_max, flow->cwnd);
    flow->K = cbrt ((flow->plateau - flow->cwnd) / CUBIC_C);
  }
  t = (double) (now - flow->epoch + flow->shortest_rtt) * 1e-9;
  W_cubic = flow->plateau + CUBIC_C * pow (t - flow->K, 3);
  flow->W_est += 3 * (1 - CUBIC_BETA) / (1 + CUBIC_BETA) / flow->cwnd;
  count = W_cubic > flow->cwnd ? flow->cwnd / (W_cubic - flow->cwnd) : 100 * flow->cwnd;
  if (flow->W_est > flow->cwnd)
    count = fmin (count, flow->cwnd / (flow->W_est - flow->cwnd));
  return fmax (count, 2);
}

static void
tcp_grow (TcpFlow * flow, TfrcTime now)
{
  if (flow->cwnd < flow->ssthresh)
    flow->cwnd += 1;
  else
    flow->cwnd += 1 / (flow->cubic ? cubic_get_count (flow, now) : flow->cwnd);
}

static void
tcp_reduce (TcpFlow * flow)
{
  double cwnd = floor (flow->cwnd);

  flow->W_max = cwnd < flow->W_max ? cwnd * (1 + CUBIC_BETA) / 2 : cwnd;
  flow->epoch = 0;
  flow->ssthresh = fmax (2, floor (cwnd * (flow->cubic ? CUBIC_BETA : 0.5)));
  flow->recovering = true;
  flow->again_from = flow->again_to = flow->in;
  flow->reduced_from = cwnd;
  flow->delivered = flow->sent = 0;
}

/* RFC 6937 3.1. */
static void
tcp_recover (TcpFlow * flow, double newly)
{
  double in_flight = (double) flow->pipe, may;

  flow->delivered += newly;
  if (in_flight > flow->ssthresh)
    may = ceil (flow->ssthresh * flow->delivered / flow->reduced_from) - flow->sent;
  else
    may = fmin (flow->ssthresh - in_flight, fmax (flow->delivered - flow->sent, newly) + 1);
  flow->cwnd = in_flight + fmax (may, flow->sent > 0 ? 0 : 1);
}

static void
tcp_end_recovery (TcpFlow * flow)
{
  flow->recovering = false;
  flow->cwnd = flow->ssthresh;
  flow->quick = TCP_QUICK;
}

static void
tcp_on_ack (TcpFlow * flow, double bytes, TfrcTime now)
{
  flow->bytes += bytes;
  flow->acked++;
  flow->pipe--;
  flow->burst = 0;
  flow->last_ack = now;
  if (flow->recovering && flow->out >= flow->again_to)
    tcp_end_recovery (flow);
  if (flow->recovering)
    tcp_recover (flow, 1);
  else
    tcp_grow (flow, now);
}

/* Losses behind which enough was acknowledged. */
static void
tcp_take_losses (TcpFlow * flow)
{
  for (; flow->lost_out < flow->lost_in; flow->lost_out++) {
    unsigned i = flow->lost_out % TCP_FLIGHT;

    if (flow->acked < flow->acked_before[i] + TCP_LATER)
      return;
    flow->pipe--;
    if (!flow->recovering)
      tcp_reduce (flow);
    else if (flow->lost[i] < flow->again_from)
      flow->again_to++;
    tcp_recover (flow, 0);
  }
}

static void
tcp_time_out (TcpFlow * flow, TfrcTime now)
{
  tcp_reduce (flow);
  flow->recovering = false;
  flow->cwnd = 1;
  flow->pipe = 0;
  flow->out = flow->in;
  flow->lost_out = flow->lost_in;
  flow->last_ack = now;
}

/* --- acknowledgements ------------------------------------------------------------ */

/* Whether the oldest packet is acknowledged: RFC 5681 4.2, and what is pushed, the beginning and losses at once. */
static bool
tcp_may_ack (TcpFlow * flow, TfrcTime now)
{
  unsigned i = flow->out % TCP_FLIGHT;
  TfrcTime next = flow->out + 1 < flow->in ? flow->due[(flow->out + 1) % TCP_FLIGHT] : 0;
  bool second = flow->second_of_two;

  if (flow->due[i] > now)
    return false;
  if (flow->quick > 0 || flow->recovering || flow->lost_out < flow->lost_in) {
    flow->quick -= flow->quick > 0;
    flow->second_of_two = false;
    return true;
  }
  flow->second_of_two = !second && !flow->pushes[i] && next != 0 && next <= now;
  return second || flow->pushes[i] || flow->second_of_two || flow->due[i] + TCP_DELAYED_ACK <= now;
}

/* `bytes`: of a packet. */
static void
tcp_take_acks (TcpFlow * flow, double bytes, TfrcTime now)
{
  for (; flow->out < flow->in; flow->out++) {
    if (flow->due[flow->out % TCP_FLIGHT] == 0) {
      flow->lost[flow->lost_in % TCP_FLIGHT] = flow->out;
      flow->acked_before[flow->lost_in++ % TCP_FLIGHT] = flow->acked;
      continue;
    }
    if (!tcp_may_ack (flow, now))
      break;
    tcp_on_ack (flow, bytes, now);
    tcp_take_losses (flow);
  }
  if (flow->pipe > 0 && now - flow->last_ack >= TCP_RTO)
    tcp_time_out (flow, now);
}

/* --- sending --------------------------------------------------------------------- */

/* The first window leaves at once. */
static bool
tcp_may_send (const TcpFlow * flow, TfrcTime now)
{
  if (now < flow->last_ack || (double) flow->pipe + 1 > flow->cwnd)
    return false;
  return flow->acked == 0 || flow->burst < TCP_BURST || now >= flow->last_sent + TCP_DEFERRED;
}

/* `due`: when the packet's acknowledgement may come; 0: it is lost. */
static void
tcp_on_sent (TcpFlow * flow, TfrcTime due, TfrcTime now)
{
  TfrcTime last = flow->in > 0 ? flow->due[(flow->in - 1) % TCP_FLIGHT] : 0;

  flow->burst = flow->burst < TCP_BURST ? flow->burst + 1 : 1;
  flow->due[flow->in % TCP_FLIGHT] = due == 0 || due > last ? due : last;
  flow->pushes[flow->in++ % TCP_FLIGHT] = flow->burst == TCP_BURST;
  flow->pipe++;
  flow->sent++;
  flow->last_sent = now;
}

#endif
