/* tfrcadapt: tests of the TCP flow beside calls in virtual time, by what calls without congestion control lost beside Linux
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "../test.h"

#include "tcp-flow.h"

#define STEP (TFRC_MSEC / 2)
#define CAPACITY 300e3          /* bit/s */
#define QUEUE (300 * TFRC_MSEC) /* drop-tail, as in tests/bench/voice.sh */
#define TCP_BYTES 1500.0        /* of a packet, of which TCP_PAYLOAD are the application's */
#define TCP_PAYLOAD 1448.0
#define TCP_AT (2 * TFRC_SEC)
#define SECONDS 64u
#define PATHS 8u                /* with round-trip times of 90 to 125 ms, since what is lost depends on where TCP's packets fall */

static TcpFlow flow;
static TfrcTime now, link_free;

static struct
{
  double sent[SECONDS], lost[SECONDS];  /* packets of the call, by second */
  double begin_sent, begin_lost;        /* and for a second and a half from the beginning of TCP */
  unsigned tcp_lost[SECONDS];
  unsigned first_burst, longest_burst;  /* packets of TCP that left at the same time: the first ones, and later */
} seen;

static TfrcTime
cross (double bytes, TfrcTime one_way)
{
  link_free = link_free > now ? link_free : now;
  if (link_free - now > QUEUE)
    return 0;
  link_free += (TfrcTime) (8 * bytes / CAPACITY * 1e9);
  return link_free + one_way;
}

static void
send_call (double bytes)
{
  unsigned s = (unsigned) (now / TFRC_SEC);
  bool lost = cross (bytes, 0) == 0, begin = now >= TCP_AT
      && now < TCP_AT + 3 * TFRC_SEC / 2;

  seen.sent[s]++;
  seen.lost[s] += lost;
  seen.begin_sent += begin;
  seen.begin_lost += begin && lost;
}

static void
send_tcp (TfrcTime one_way)
{
  unsigned *longest =
      flow.in == 0 ? &seen.first_burst : &seen.longest_burst, burst = 0;

  for (; tcp_may_send (&flow, now); burst++) {
    TfrcTime arrival = cross (TCP_BYTES, one_way);

    seen.tcp_lost[now / TFRC_SEC] += arrival == 0;
    tcp_on_sent (&flow, arrival != 0 ? arrival + one_way : 0, now);
  }
  *longest = burst > *longest ? burst : *longest;
}

static void
play (bool cubic, double bytes, TfrcTime packet_time, TfrcTime R)
{
  TfrcTime next = packet_time / 3;

  memset (&seen, 0, sizeof (seen));
  tcp_flow_init (&flow, cubic, R, TCP_AT);
  link_free = 0;
  for (now = 0; now < SECONDS * TFRC_SEC; now += STEP) {
    tcp_take_acks (&flow, TCP_BYTES, now);
    send_tcp (R / 2);
    if (now >= next) {
      next += packet_time;
      send_call (bytes);
    }
  }
}

static double
get_sum (const double *of, unsigned from)
{
  double sum = 0;

  for (unsigned s = from; s < SECONDS; s++)
    sum += of[s];
  return sum;
}

/* Calls with the bit rates and packet times of real ones, on paths with other round-trip times; means in percent. */
static void
play_all (bool cubic, double bytes, TfrcTime packet_time, double *begin,
    double *later, double *kbits)
{
  *begin = *later = *kbits = 0;
  for (unsigned i = 0; i < PATHS; i++) {
    play (cubic, bytes, packet_time, (90 + 5 * i) * TFRC_MSEC);
    *begin += 100 * seen.begin_lost / seen.begin_sent / PATHS;
    *later += 100 * get_sum (seen.lost, 8) / get_sum (seen.sent, 8) / PATHS;
    *kbits += 8e-3 * flow.bytes / (SECONDS - 2) / PATHS;
  }
}

/* What was lost beside Linux 6.18 in the first second and a half of TCP and from second 8 on, in percent, and TCP's payload in kbit/s:
 * tests/bench/voice.sh --config 20k/20 and 16k/60, whose packets have 89 and 154 bytes, R 100 ms, seed 1. */
static const struct
{
  bool cubic;
  double bytes;
  TfrcTime packet_time;
  double begin, later, kbits;
} beside_linux[] = {
  {false, 89, 20 * TFRC_MSEC, 16, 2.7, 256},
  {false, 154, 60 * TFRC_MSEC, 8, 12.4, 272},
  {true, 89, 20 * TFRC_MSEC, 45, 15.0, 260},
  {true, 154, 60 * TFRC_MSEC, 23, 10.6, 271},
};

/* One call says little, since all depends on where its packets fall between those of TCP. */
TEST (calls_lose_as_many_packets_as_beside_linux)
{
  double begin = 0, later[2] = { 0, 0 }, linux_begin = 0, linux_later[2] =
      { 0, 0 };
  unsigned n = N_OF (beside_linux);

  for (unsigned i = 0; i < n; i++) {
    bool cubic = beside_linux[i].cubic;
    double b, l, kbits;

    play_all (cubic, beside_linux[i].bytes, beside_linux[i].packet_time, &b, &l,
        &kbits);
    NOTE ("%s, %g bytes: %.1f %%, then %.1f %%", cubic ? "cubic" : "reno",
        beside_linux[i].bytes, b, l);
    CHECK_REL (kbits * TCP_PAYLOAD / TCP_BYTES, beside_linux[i].kbits, 0.03);
    begin += b / n;
    later[cubic] += l / 2;
    linux_begin += beside_linux[i].begin / n;
    linux_later[cubic] += beside_linux[i].later / 2;
  }
  NOTE ("all");
  CHECK_REL (begin, linux_begin, 0.4);
  CHECK_REL (later[false], linux_later[false], 0.5);
  CHECK_REL (later[true], linux_later[true], 0.5);
  CHECK (later[true] > later[false]);
}

/* A TCP flow that sends as packets leave the queue finds room in it, and others do not. */
TEST (a_full_queue_takes_packets_of_the_call_for_seconds_and_none_of_tcp)
{
  unsigned seconds = 0;

  for (unsigned i = 0; i < PATHS; i++) {
    play (true, 89, 20 * TFRC_MSEC, (90 + 5 * i) * TFRC_MSEC);
    for (unsigned s = 8; s < SECONDS; s++)
      seconds += seen.tcp_lost[s] == 0 && seen.lost[s] > 0.1 * seen.sent[s];
  }
  CHECK_BETWEEN (seconds / (double) PATHS, 2, 30);
}

TEST (two_packets_leave_at_once_but_for_the_first_window)
{
  play (true, 89, 20 * TFRC_MSEC, 100 * TFRC_MSEC);
  CHECK_INT (seen.first_burst, 10);
  CHECK_INT (seen.longest_burst, 2);
}
