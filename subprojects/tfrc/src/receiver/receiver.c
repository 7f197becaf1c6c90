/* libtfrc: the receiver: when to make a report, and what it says (RFC 5348 6)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/receiver.h>
#include <tfrc/wire.h>

#include "receiver-private.h"

/* TFRC_RECEIVER_RTT is returned for a change of R by more than one part in this many. */
#define R_NOTICE 8

/* Weight of a packet in the mean segment size: so small that alternating sizes hardly change the mean,
 * and so large that the mean follows an encoder within a second of voice. */
#define S_GAIN (1.0 / 32.0)

size_t
tfrc_receiver_size (const TfrcConfig * config)
{
  return sizeof (TfrcReceiver) +
      tfrc_loss_history_get_room (config) * sizeof (TfrcInterval);
}

static TfrcTime
step_clock (TfrcReceiver * receiver, TfrcTime now)
{
  if (now < receiver->now) {
    receiver->stats.clock_steps++;
    return receiver->now;
  }
  return receiver->now = now;
}

static void
forget (TfrcReceiver * receiver, TfrcTime now)
{
  tfrc_receiver_keep_counters (&receiver->stats, &receiver->history);
  tfrc_loss_history_init (&receiver->history, &receiver->config, receiver->closed, &(TfrcArrival) {
          .seq = 1}, now);
  tfrc_received_stamp_init (&receiver->stamp, now);
  tfrc_present_rtt_init (&receiver->present);
  receiver->arrivals = (TfrcRecentArrivals) {0};
  tfrc_receive_rate_init (&receiver->rate);
  receiver->context = (TfrcContext) {.R = receiver->stamp.R};
  receiver->timer = receiver->T_hold = TFRC_TIME_NONE;
  receiver->R_last = receiver->R_noticed = 0;
  receiver->p = receiver->X_recv = 0.0;
  receiver->wanted = receiver->early = receiver->missed = receiver->fresh =
      false;
  receiver->arrived = 0;
}

TfrcReceiver *
tfrc_receiver_init (void *block, const TfrcConfig * config, TfrcTime now)
{
  TfrcReceiver *receiver = block;

  *receiver = (TfrcReceiver) {.config = *config, .now = now};
  tfrc_sequence_init (&receiver->sequence);
  forget (receiver, now);
  return receiver;
}

unsigned
tfrc_receiver_restart (TfrcReceiver * receiver, TfrcTime now)
{
  now = step_clock (receiver, now);
  tfrc_sequence_init (&receiver->sequence);
  forget (receiver, now);
  receiver->stats.restarts++;
  return TFRC_RECEIVER_TIMER | TFRC_RECEIVER_RESTARTED;
}

void
tfrc_receiver_set_mode (TfrcReceiver * receiver, TfrcMode mode)
{
  receiver->config.mode = mode;
  /* s of the equation is another */
  receiver->history.first.I = 0.0;
}

/* The time between reports: R_m / k, or T_report if that is longer. */
static TfrcTime
get_period (const TfrcReceiver * receiver)
{
  TfrcTime period = receiver->stamp.R / receiver->config.feedbacks_per_rtt;

  return period > receiver->T_report ? period : receiver->T_report;
}

/* RFC 5348 6.2 step 4: restart the timer to expire after R_m. */
static void
set_timer (TfrcReceiver * receiver, TfrcTime now)
{
  /* RFC 5348 6.3: while R_m is unknown there is a report for each packet, and no timer. */
  if (receiver->stamp.R_known == 0)
    return;
  receiver->T_set = now;
  receiver->timer = now + get_period (receiver);
}

/* The next X_recv is measured from now on. */
static void
begin_interval (TfrcReceiver * receiver, TfrcTime now)
{
  tfrc_receive_rate_mark (&receiver->rate, now);
  receiver->R_last = receiver->stamp.R_known;
}

/* RFC 5348 6.2: the feedback timer expires, in time or early, and data has arrived. */
static unsigned
want_report (TfrcReceiver * receiver, TfrcTime now)
{
  receiver->wanted = true;
  receiver->missed = false;
  set_timer (receiver, now);
  return TFRC_RECEIVER_REPORT | TFRC_RECEIVER_TIMER;
}

/* R_(m-1), RFC 5348 6.2 step 2 */
static TfrcTime
get_last_R (const TfrcReceiver * receiver)
{
  return receiver->R_last > 0 ? receiver->R_last : receiver->stamp.R;
}

static double
measure_X_recv (const TfrcReceiver * receiver, TfrcTime now)
{
  TfrcTime R = get_last_R (receiver), span = now - receiver->rate.T_mark;

  /* RFC 5348 6.3: the first report says 0. Without R there is no time to measure over. */
  if (receiver->arrived < 2 || receiver->stamp.R_known == 0)
    return 0.0;
  /* An early report is made as a packet arrives: the whole last R would have one packet too many. */
  if (receiver->early && span < R)
    R = span;
  return tfrc_receive_rate_get (&receiver->rate, R, now);
}

TfrcLossRate
tfrc_receiver_get_loss_rate (const TfrcReceiver * receiver, TfrcTime now)
{
  return tfrc_loss_history_get_rate (&receiver->history, &receiver->config,
      &receiver->context, now);
}

static unsigned
notice_rtt (TfrcReceiver * receiver)
{
  TfrcTime R = receiver->stamp.R_known, noticed = receiver->R_noticed;

  if ((R > noticed ? R - noticed : noticed - R) <= noticed / R_NOTICE)
    return 0;
  receiver->R_noticed = R;
  tfrc_receive_rate_set_rtt (&receiver->rate, R);
  return TFRC_RECEIVER_RTT;
}

/* Takes the stamp of the packet with the highest sequence number so far. */
static unsigned
take_stamp (TfrcReceiver * receiver, const TfrcPacket * packet, uint64_t seq,
    TfrcTime now)
{
  TfrcReceivedStamp *received = &receiver->stamp;

  if (tfrc_received_stamp_on_packet (received,
          packet->stamped ? &packet->stamp : NULL, now)) {
    receiver->arrivals.named = seq;
    if (received->R_known > 0)
      tfrc_present_rtt_on_packet (&receiver->present, received->t_i_us,
          received->R, now);
  }
  receiver->context.R = tfrc_present_rtt_get (&receiver->present,
      receiver->config.mode, received->R);
  return notice_rtt (receiver);
}

/* RFC 5348 6 asks for at least one report in each R. A report that would fall due before the next
 * packet, which is expected `gap` after this one, is asked for now. That makes reports more frequent,
 * so it is not done where the RTCP bandwidth limits them. */
static bool
is_last_before (const TfrcReceiver * receiver, TfrcTime gap, TfrcTime now)
{
  return receiver->T_report <= receiver->stamp.R && now + gap > receiver->timer
      && now - receiver->T_set > (receiver->timer - receiver->T_set) / 2;
}

/* Whether the packet asks for the report that the feedback timer is set for. */
static bool
is_due (TfrcReceiver * receiver, TfrcTime gap, TfrcTime now)
{
  if (!receiver->config.report_with_packet || receiver->wanted)
    return false;
  receiver->early = now < receiver->timer
      && is_last_before (receiver, gap, now);
  return receiver->early || now >= receiver->timer;
}

/* RFC 5348 6.1 step 3: whether p has risen. Differs from RFC 5348 6.1: a loss event that reordering may
 * undo does not count before its first packet is later than reordering on this path has been. T_hold
 * then is the time at which it counts. Without this rule, a path that reorders packets would ask for a
 * report for each false loss event, and for another one when the late packet undoes it. */
static bool
has_p_risen (TfrcReceiver * receiver, bool marked, TfrcTime now)
{
  double p = tfrc_receiver_get_loss_rate (receiver, now).p, p_prev =
      receiver->p;
  TfrcTime due = receiver->history.current.T_start + receiver->history.reorder;

  receiver->T_hold = TFRC_TIME_NONE;
  if (p > p_prev && now < due && !marked) {
    receiver->T_hold = due;
    return false;
  }
  receiver->p = p;
  return p > p_prev;
}

/* RFC 5348 6.1 steps 2 to 4. `changes` is what the packet changed in the loss history. */
static unsigned
on_history (TfrcReceiver * receiver, unsigned changes, bool marked,
    TfrcTime gap, TfrcTime now)
{
  TfrcTime next = tfrc_receiver_next_timer (receiver);
  bool expire = is_due (receiver, gap, now) || receiver->missed;

  /* RFC 5348 6.3: until R is known, every packet asks for a report. */
  if (receiver->stamp.R_known == 0 || receiver->timer == TFRC_TIME_NONE)
    expire = true;
  if (changes == 0 && !receiver->missed && now < receiver->T_hold)
    return expire ? want_report (receiver, now) : 0;

  /* RFC 5348 6: a report is also sent when a late packet undoes a loss event. Differs from RFC 5348 6:
   * unless the packet is no later than reordering on this path has been. */
  if (has_p_risen (receiver, marked, now) || changes & TFRC_LOSS_HISTORY_LATER)
    expire = true;
  return (changes & TFRC_LOSS_HISTORY_EVENT ? TFRC_RECEIVER_LOSS : 0)
      | (tfrc_receiver_next_timer (receiver) != next ? TFRC_RECEIVER_TIMER : 0)
      | (expire ? want_report (receiver, now) : 0);
}

static unsigned
count_arrival (TfrcReceiver * receiver, const TfrcPacket * packet,
    TfrcArrivalKind kind)
{
  TfrcReceiverStats *stats = &receiver->stats;

  if (kind == TFRC_ARRIVAL_DUPLICATE) {
    stats->duplicates++;
    return TFRC_RECEIVER_DUPLICATE;
  }
  if (kind == TFRC_ARRIVAL_TOO_LATE) {
    stats->too_late++;
    return TFRC_RECEIVER_DUPLICATE;
  }
  stats->packets++;
  stats->bytes += packet->size;
  stats->marked += packet->ce;
  stats->reordered += kind != TFRC_ARRIVAL_NEXT;
  return 0;
}

/* RFC 5348 6.3.1: the first loss interval is computed from the highest X_recv so far. The packet that
 * arrives now is part of that. */
static void
update_target (TfrcReceiver * receiver, const TfrcPacket * packet, TfrcTime now)
{
  const TfrcLossHistory *history = &receiver->history;
  double X_recv;

  if ((history->detector.n == 0 && !packet->ce) || history->current.events > 0)
    return;
  X_recv = measure_X_recv (receiver, now);
  if (X_recv > 0.0)
    X_recv += packet->size * (double) TFRC_SEC / (double) get_last_R (receiver);
  if (X_recv > receiver->context.X_target)
    receiver->context.X_target = X_recv;
}

static unsigned
begin (TfrcReceiver * receiver, TfrcSequenceStep step,
    const TfrcArrival * arrival, TfrcTime now)
{
  if (step == TFRC_SEQUENCE_NEXT)
    return 0;
  forget (receiver, now);
  tfrc_loss_history_init (&receiver->history, &receiver->config,
      receiver->closed, arrival, now);
  receiver->context.s = arrival->size;
  if (step == TFRC_SEQUENCE_FIRST)
    return 0;
  receiver->stats.restarts++;
  return TFRC_RECEIVER_RESTARTED;
}

unsigned
tfrc_receiver_on_packet (TfrcReceiver * receiver, const TfrcPacket * packet,
    TfrcTime now)
{
  TfrcArrival arrival = { .size = packet->size, .ce = packet->ce };
  TfrcArrivalKind kind;
  TfrcSequenceStep step;
  TfrcTime gap;
  unsigned bits, changes;

  now = step_clock (receiver, now);
  step = tfrc_sequence_extend (&receiver->sequence, packet->seq, &arrival.seq);
  if (step == TFRC_SEQUENCE_JUMP) {
    receiver->stats.jumps++;
    return 0;
  }
  bits = begin (receiver, step, &arrival, now);

  tfrc_recent_arrivals_add (&receiver->arrivals, arrival.seq);
  if (arrival.seq > receiver->history.detector.top[0])
    bits |= take_stamp (receiver, packet, arrival.seq, now);
  /* An ECN mark counts as a loss does. */
  arrival.units = packet->ce
      ? tfrc_loss_measure_count_lost (&receiver->config, arrival.seq,
      packet->size)
      : tfrc_loss_measure_count_received (&receiver->config, arrival.seq,
      packet->size);
  update_target (receiver, packet, now);
  changes =
      tfrc_loss_history_on_packet (&receiver->history, &receiver->config,
      &arrival, &receiver->context, &kind, now);
  bits |= count_arrival (receiver, packet, kind);
  if (bits & TFRC_RECEIVER_DUPLICATE)
    return bits;

  gap = receiver->arrived > 0 ? now - receiver->T_arrival : 0;
  receiver->T_arrival = now;
  receiver->arrived++;
  receiver->fresh = true;
  receiver->context.s += (packet->size - receiver->context.s) * S_GAIN;
  tfrc_receive_rate_on_packet (&receiver->rate, packet->size, now);
  return bits | on_history (receiver, changes, packet->ce, gap, now);
}

void
tfrc_receiver_on_repair (TfrcReceiver * receiver, uint32_t size, TfrcTime now)
{
  now = step_clock (receiver, now);
  receiver->stats.bytes += size;
  if (receiver->arrived > 0)
    tfrc_receive_rate_on_packet (&receiver->rate, size, now);
}

TfrcTime
tfrc_receiver_next_timer (const TfrcReceiver * receiver)
{
  return receiver->T_hold <
      receiver->timer ? receiver->T_hold : receiver->timer;
}

unsigned
tfrc_receiver_on_timer (TfrcReceiver * receiver, TfrcTime now)
{
  now = step_clock (receiver, now);
  if (now < tfrc_receiver_next_timer (receiver))
    return 0;
  if (now < receiver->timer)
    return has_p_risen (receiver, false, now) ? want_report (receiver,
        now) : TFRC_RECEIVER_TIMER;
  if (receiver->fresh)
    return want_report (receiver, now);
  /* RFC 5348 6.2: without data there is no report. 6.1: the next packet asks for one. */
  receiver->missed = true;
  receiver->stats.empty_expiries++;
  begin_interval (receiver, now);
  set_timer (receiver, now);
  return TFRC_RECEIVER_TIMER;
}

void
tfrc_receiver_leave_out (TfrcReceiver * receiver, TfrcTime span)
{
  tfrc_receive_rate_leave_out (&receiver->rate, span);
}

unsigned
tfrc_receiver_set_report_interval (TfrcReceiver * receiver, TfrcTime interval,
    TfrcTime now)
{
  step_clock (receiver, now);
  if (receiver->T_report == interval)
    return 0;
  receiver->T_report = interval;
  if (receiver->timer == TFRC_TIME_NONE)
    return 0;
  receiver->timer = receiver->T_set + get_period (receiver);
  return TFRC_RECEIVER_TIMER;
}

bool
tfrc_receiver_wants_report (const TfrcReceiver * receiver)
{
  return receiver->wanted && receiver->stamp.has_t_i;
}

static uint32_t
limit_u32 (double value)
{
  return value < (double) UINT32_MAX ? (uint32_t) value : UINT32_MAX;
}

bool
tfrc_receiver_get_times (const TfrcReceiver * receiver, TfrcReport * report,
    TfrcTime now)
{
  if (!receiver->fresh || !receiver->stamp.has_t_i)
    return false;
  report->t_i_us = receiver->stamp.t_i_us;
  report->t_delay_us =
      limit_u32 ((double) ((now - receiver->stamp.T_i) / TFRC_USEC));
  return true;
}

bool
tfrc_receiver_make_report (TfrcReceiver * receiver, TfrcReport * report,
    TfrcTime now)
{
  now = step_clock (receiver, now);
  if (!tfrc_receiver_get_times (receiver, report, now))
    return false;

  /* RFC 5348 6.2 steps 1 and 2 */
  receiver->p = tfrc_receiver_get_loss_rate (receiver, now).p;
  receiver->X_recv = measure_X_recv (receiver, now);
  if (receiver->X_recv > receiver->context.X_target)
    receiver->context.X_target = receiver->X_recv;

  /* step 3, whose times are filled in already */
  report->x_recv_Bps = limit_u32 (receiver->X_recv + 0.5);
  report->p_q32 = tfrc_report_encode_p (receiver->p);
  report->timed = report->lists_arrivals = false;
  report->transit_us =
      (uint32_t) (receiver->stamp.T_i / TFRC_USEC) - receiver->stamp.t_i_us;
  report->arrivals = tfrc_recent_arrivals_get (&receiver->arrivals);

  receiver->wanted = receiver->early = receiver->missed = receiver->fresh =
      false;
  receiver->T_hold = TFRC_TIME_NONE;
  tfrc_loss_history_fade_reordering (&receiver->history);
  receiver->stats.reports++;
  begin_interval (receiver, now);
  set_timer (receiver, now);
  return true;
}
