/* lab: RAP, the Rate Adaptation Protocol that S. Hassan sets beside TFRC
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rap.h"

#include <math.h>
#include <string.h>

#define ALPHA 1.0               /* packets more each round-trip time */
#define BETA 0.5                /* of the rate is left after a loss */
#define KFRTT 0.9               /* weight of a sample in FRTT */
#define KXRTT 0.01              /* and in XRTT */
#define REORDER 3               /* a packet is lost when one so much newer has come */
#define IPG_MAX 2.0             /* s: a dead path must still be probed */

void
rap_init (Rap * rap, bool fine, double IPG, double now)
{
  memset (rap, 0, sizeof *rap);
  rap->fine = fine;
  rap->IPG = IPG;
  rap->next_step = now + IPG;
}

double
rap_increase (double IPG, double SRTT)
{
  return IPG * SRTT / (ALPHA * IPG + SRTT);
}

double
rap_decrease (double IPG)
{
  return fmin (IPG / BETA, IPG_MAX);
}

void
rap_add_sample (Rap * rap, double sample)
{
  if (rap->SRTT == 0) {
    rap->SRTT = rap->FRTT = rap->XRTT = sample;
    rap->VAR = 0;
  } else {
    /* VAR first: it is the distance from the old SRTT. */
    rap->VAR = 0.75 * rap->VAR + 0.25 * fabs (rap->SRTT - sample);
    rap->SRTT = 0.875 * rap->SRTT + 0.125 * sample;
    rap->FRTT = (1 - KFRTT) * rap->FRTT + KFRTT * sample;
    rap->XRTT = (1 - KXRTT) * rap->XRTT + KXRTT * sample;
  }
  rap->timeout = rap->SRTT + 4 * rap->VAR;
}

int64_t
rap_on_sent (Rap * rap, double now)
{
  int64_t seq = rap->next++;
  rap->t_sent[seq % RAP_WINDOW] = now;
  rap->open[seq % RAP_WINDOW] = true;
  rap->sent++;
  if (rap->next - rap->first > RAP_WINDOW)
    rap->first = rap->next - RAP_WINDOW;
  return seq;
}

/* One back-off for all packets that were on their way when it came. */
static void
on_loss (Rap * rap, int64_t seq, double now)
{
  rap->losses++;
  rap->open[seq % RAP_WINDOW] = false;
  if (seq < rap->inactive)
    return;
  rap->IPG = rap_decrease (rap->IPG);
  rap->inactive = rap->next;
  rap->decreased = true;
  rap->backoffs++;
  rap->next_step = now + (rap->SRTT > 0 ? rap->SRTT : rap->IPG);
  rap->sent = 0;
}

static void
forget_settled (Rap * rap)
{
  while (rap->first < rap->next && !rap->open[rap->first % RAP_WINDOW])
    rap->first++;
}

void
rap_on_ack (Rap * rap, const RapAck * ack, double now)
{
  if (ack->received < rap->first || ack->received >= rap->next)
    return;
  if (rap->open[ack->received % RAP_WINDOW])
    rap_add_sample (rap, now - rap->t_sent[ack->received % RAP_WINDOW]);
  for (int64_t seq = rap->first; seq <= ack->received; seq++) {
    if (!rap->open[seq % RAP_WINDOW])
      continue;
    if (seq <= ack->before || seq > ack->missed)
      rap->open[seq % RAP_WINDOW] = false;
    else if (ack->received - seq >= REORDER)
      on_loss (rap, seq, now);
  }
  forget_settled (rap);
}

double
rap_get_wait (const Rap * rap)
{
  return rap->fine
      && rap->XRTT > 0 ? rap->IPG * rap->FRTT / rap->XRTT : rap->IPG;
}

double
rap_next_step (const Rap * rap)
{
  return rap->next_step;
}

/* Differs from the paper's SRTT + 4 VAR: on a path of constant delay VAR is 0 and
 * every acknowledgement would come too late, so the margin of ns-2's RAP is kept. */
static bool
too_old (const Rap * rap, int64_t seq, double now)
{
  double limit = rap->SRTT > 0 ? 1.2 * rap->SRTT + 4 * rap->VAR : 1.0;
  return rap->open[seq % RAP_WINDOW]
      && now - rap->t_sent[seq % RAP_WINDOW] >= limit;
}

void
rap_on_step (Rap * rap, double now)
{
  double SRTT = rap->SRTT > 0 ? rap->SRTT : rap->IPG;
  for (int64_t seq = rap->first; seq < rap->next; seq++)
    if (too_old (rap, seq, now))
      on_loss (rap, seq, now);
  forget_settled (rap);
  /* No increase for a sender that leaves half of its rate unused. */
  bool used = rap->sent >= 0.5 * SRTT / rap->IPG;
  if (!rap->decreased && used && rap->SRTT > 0)
    rap->IPG = rap_increase (rap->IPG, rap->SRTT);
  rap->decreased = false;
  rap->sent = 0;
  rap->next_step = now + SRTT;
}

void
rap_sink_init (RapSink * sink)
{
  sink->ack = (RapAck) {-1, -1, -1};
}

void
rap_sink_on_packet (RapSink * sink, int64_t seq)
{
  RapAck *ack = &sink->ack;
  if (seq <= ack->received)
    return;
  if (seq > ack->received + 1) {
    ack->before = ack->received;
    ack->missed = seq - 1;
  }
  ack->received = seq;
}
