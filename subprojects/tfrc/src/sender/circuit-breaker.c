/* libtfrc: the RTP circuit breaker (RFC 8083), which stops a flow that congestion control fails to stop
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/circuit-breaker.h>

#include <math.h>
#include <tfrc/equation.h>

#include "../core/minmax.h"

#define RTCP_INTERVALS 3        /* RFC 8083 4.1 */
#define MEDIA_REPORTS 5.0       /* k of RFC 8083 4.2 */
/* Packets that have to be lost in a row as well: at a loss of a half, as many are lost by chance once in 4e9
 * times. A flow that TFRC has slowed down sends few packets from block to block. */
#define MEDIA_PACKETS 32.0
#define MEDIA_SECONDS 5.0       /* Tmin of RTCP, RFC 3550 6.2 */
#define GROUP 1.0               /* G of RFC 8083 4.3: every frame can be decoded by itself, as audio can */
#define EXCESS 10.0             /* RFC 8083 4.3 */
#define REDUCTION 10.0          /* RFC 8083 4.3: one reduction by ten before the flow stops */
#define ACKED 1.0               /* b of RFC 8083 4.3: packets that TCP acknowledges at once */
#define T_DR_MIN (200 * TFRC_MSEC)
#define SIZE_SHARE (1.0 / (4.0 * GROUP))        /* s is of the last 4 G frames */
#define GAP_SHARE (1.0 / 16.0)
#define GAP_MAX 64.0            /* s, t_mbi of RFC 5348: a flow that sends leaves no longer gaps */
#define RTT_SHARE 0.2
/* Within so many CB_INTERVALs after a reduction the breaker stops the flow when it trips again. */
#define PROBATION 3.0

const char *
tfrc_breaker_state_get_name (TfrcBreakerState state)
{
  static const char *const names[] =
      { "closed", "reduced", "paused", "stopped" };

  return names[state];
}

const char *
tfrc_trip_get_name (TfrcTrip trip)
{
  static const char *const names[] = { "none", "rtcp-timeout", "media-timeout",
    "congestion", "usability"
  };

  return names[trip];
}

static double
to_seconds (TfrcTime time)
{
  return (double) time / (double) TFRC_SEC;
}

static TfrcTime
advance (TfrcBreaker * breaker, TfrcTime now)
{
  if (now > breaker->now)
    breaker->now = now;
  return breaker->now;
}

void
tfrc_breaker_init (TfrcBreaker * breaker, const TfrcConfig * config,
    TfrcTime T_dr, double loss_max, TfrcTime now)
{
  *breaker = (TfrcBreaker) {
      .mode = config->mode,
      .nominal = (uint32_t) tfrc_config_get_nominal_size (config),
      .H = config->H,
      .T_d = TFRC_BREAKER_T_D,
      .T_dr = T_dr > T_DR_MIN ? T_dr : T_DR_MIN,
      .loss_max = loss_max,
      .now = now,
      .heard = now,
      .sent_since = TFRC_TIME_NONE,
      .changed = now,
      .reduced = TFRC_TIME_NONE,
      .departed = TFRC_TIME_NONE,
      .block = now,
      .counted = now,
  };
}

void
tfrc_breaker_set_mode (TfrcBreaker * breaker, TfrcMode mode)
{
  breaker->mode = mode;
}

/* --- states --- */

static void
forget_stuck (TfrcBreaker * breaker)
{
  breaker->stuck = 0;
  breaker->stuck_packets = breaker->stuck_seconds = 0.0;
}

static unsigned
set_state (TfrcBreaker * breaker, TfrcBreakerState state)
{
  breaker->state = state;
  breaker->changed = breaker->now;
  breaker->n_reports = 0;
  forget_stuck (breaker);
  breaker->sent_since = TFRC_TIME_NONE;
  return TFRC_BREAKER_CHANGED | TFRC_BREAKER_TIMER;
}

static unsigned
trip (TfrcBreaker * breaker, TfrcTrip reason, TfrcBreakerState state,
    double seconds)
{
  breaker->trip = reason;
  breaker->trips[reason]++;
  breaker->tripped = (TfrcTime) (seconds * (double) TFRC_SEC);
  return set_state (breaker, state);
}

bool
tfrc_breaker_restart (TfrcBreaker * breaker, TfrcTime now)
{
  now = advance (breaker, now);
  if (breaker->state != TFRC_BREAKER_STOPPED ||
      now - breaker->changed < breaker->tripped)
    return false;
  breaker->reduced = TFRC_TIME_NONE;
  breaker->heard = now;
  set_state (breaker, TFRC_BREAKER_CLOSED);
  return true;
}

double
tfrc_breaker_get_limit (const TfrcBreaker * breaker)
{
  if (breaker->state == TFRC_BREAKER_CLOSED)
    return (double) INFINITY;
  return breaker->state == TFRC_BREAKER_REDUCED ? breaker->limit : 0.0;
}

TfrcTime
tfrc_breaker_next_departure (const TfrcBreaker * breaker, uint32_t size)
{
  double limit = tfrc_breaker_get_limit (breaker);

  if (!(limit > 0.0))
    return TFRC_TIME_NONE;
  if (breaker->state == TFRC_BREAKER_CLOSED
      || breaker->departed == TFRC_TIME_NONE)
    return 0;
  return breaker->departed +
      (TfrcTime) ((double) size / limit * (double) TFRC_SEC);
}

/* --- what is sent --- */

unsigned
tfrc_breaker_on_departure (TfrcBreaker * breaker, uint32_t size, TfrcTime now)
{
  bool first = breaker->sent_since == TFRC_TIME_NONE;

  now = advance (breaker, now);
  breaker->pending.bytes += size;
  breaker->pending.packets += 1.0;
  if (breaker->departed == TFRC_TIME_NONE) {
    breaker->s = size;
    breaker->T_f = 0.0;
  } else {
    double gap = tfrc_min (to_seconds (now - breaker->departed), GAP_MAX);

    breaker->s += SIZE_SHARE * (size - breaker->s);
    breaker->T_f += GAP_SHARE * (gap - breaker->T_f);
  }
  breaker->departed = now;
  if (first)
    breaker->sent_since = now;
  return first ? TFRC_BREAKER_TIMER : 0;
}

/* --- the RTCP timeout --- */

TfrcTime
tfrc_breaker_next_timer (const TfrcBreaker * breaker)
{
  if (breaker->sent_since == TFRC_TIME_NONE
      || breaker->state >= TFRC_BREAKER_PAUSED)
    return TFRC_TIME_NONE;
  return breaker->sent_since + RTCP_INTERVALS * breaker->T_d;
}

unsigned
tfrc_breaker_on_timer (TfrcBreaker * breaker, TfrcTime now)
{
  now = advance (breaker, now);
  if (now < tfrc_breaker_next_timer (breaker))
    return 0;
  return trip (breaker, TFRC_TRIP_RTCP_TIMEOUT, TFRC_BREAKER_PAUSED, 0.0);
}

unsigned
tfrc_breaker_on_rtcp (TfrcBreaker * breaker, TfrcTime now)
{
  now = advance (breaker, now);
  breaker->heard = now;
  breaker->sent_since = TFRC_TIME_NONE;
  /* RFC 8083 4.5: a flow that was paused by a media timeout, while RTCP goes on, is tried again no sooner
   * than that took. */
  if (breaker->state == TFRC_BREAKER_PAUSED &&
      now - breaker->changed >= breaker->tripped)
    return set_state (breaker, TFRC_BREAKER_CLOSED);
  return TFRC_BREAKER_TIMER;
}

/* --- report blocks --- */

void
tfrc_breaker_on_rtt (TfrcBreaker * breaker, TfrcTime rtt)
{
  double R = to_seconds (rtt);

  breaker->T_r =
      breaker->T_r > 0.0 ? breaker->T_r + RTT_SHARE * (R - breaker->T_r) : R;
}

/* CB_INTERVAL of RFC 8083 4.3, in report blocks. */
static unsigned
get_interval (const TfrcBreaker * breaker)
{
  double T_dr = to_seconds (breaker->T_dr), T_d = to_seconds (breaker->T_d);
  double seconds = tfrc_max (tfrc_max (10.0 * GROUP * breaker->T_f,
          10.0 * breaker->T_r), 3.0 * T_dr);
  double reports;

  seconds = tfrc_min (seconds, tfrc_max (15.0, 3.0 * T_d));
  reports = ceil (3.0 * seconds / (3.0 * T_dr));
  return (unsigned) tfrc_min (reports, TFRC_BREAKER_REPORTS);
}

static unsigned
get_media_timeout (const TfrcBreaker * breaker)
{
  double T_dr = to_seconds (breaker->T_dr);

  return (unsigned) ceil (MEDIA_REPORTS * tfrc_max (tfrc_max (breaker->T_f,
              breaker->T_r), T_dr) / T_dr);
}

/* The last `n` blocks as one: the fraction lost is averaged over time. */
static TfrcBreakerReport
sum_up (const TfrcBreaker * breaker, unsigned n)
{
  TfrcBreakerReport sum = { 0 };

  for (unsigned i = 1; i <= n; i++) {
    const TfrcBreakerKept *kept =
        &breaker->reports[(breaker->next_report + TFRC_BREAKER_REPORTS -
            i) % TFRC_BREAKER_REPORTS];
    double seconds = (double) kept->seconds;

    sum.seconds += seconds;
    sum.lost += (double) kept->lost *seconds;
    sum.marked += (double) kept->marked *seconds;
    sum.bytes += (double) kept->bytes;
    sum.packets += (double) kept->packets;
  }
  if (sum.seconds > 0.0) {
    sum.lost /= sum.seconds;
    sum.marked /= sum.seconds;
  }
  return sum;
}

/* s of RFC 8083 4.3. Differs from it for TFRC-SP, which has the rate of a TCP flow with segments of the nominal
 * size, headers counted (RFC 4828 3): with the true size, 40 bytes for example, the breaker would trip at
 * the very rate that RFC 4828 allows. */
static double
get_size (const TfrcBreaker * breaker)
{
  if (breaker->mode != TFRC_MODE_TFRC_SP)
    return breaker->s;
  return breaker->nominal * tfrc_equation_header_factor (breaker->s,
      breaker->H);
}

/* RFC 8083 4.3: whether the flow sends ten times what TCP would. A flow of less than a packet in each interval
 * is not judged. RFC 8083 7: a packet with the mark CE counts as lost here, and for no other reason to trip. */
static bool
is_excessive (const TfrcBreaker * breaker, const TfrcBreakerReport * sum)
{
  double T_min = tfrc_max (to_seconds (breaker->T_dr), breaker->T_r), X;
  double p = tfrc_min (sum->lost + sum->marked, 1.0);

  if (!(p > 0.0) || !(breaker->T_r > 0.0)
      || sum->packets * T_min < sum->seconds)
    return false;
  X = get_size (breaker) / (breaker->T_r * sqrt (2.0 * ACKED * p / 3.0));
  return sum->bytes > EXCESS * X * sum->seconds;
}

/* Reduces the rate to a tenth. A flow that was reduced not long ago stops. */
static unsigned
reduce (TfrcBreaker * breaker, const TfrcBreakerReport * sum)
{
  bool again = breaker->reduced != TFRC_TIME_NONE &&
      to_seconds (breaker->now - breaker->reduced) < PROBATION * sum->seconds;

  breaker->limit = sum->bytes / sum->seconds / REDUCTION;
  breaker->reduced = breaker->now;
  return trip (breaker, TFRC_TRIP_CONGESTION,
      again ? TFRC_BREAKER_STOPPED : TFRC_BREAKER_REDUCED, sum->seconds);
}

static unsigned
judge (TfrcBreaker * breaker)
{
  unsigned n = get_interval (breaker);
  TfrcBreakerReport sum;

  if (breaker->n_reports < n)
    return 0;
  sum = sum_up (breaker, n);
  if (!(sum.seconds > 0.0))
    return 0;
  if (is_excessive (breaker, &sum))
    return reduce (breaker, &sum);
  if (breaker->loss_max > 0.0 && sum.lost > breaker->loss_max)
    return trip (breaker, TFRC_TRIP_USABILITY, TFRC_BREAKER_STOPPED,
        sum.seconds);
  return breaker->state ==
      TFRC_BREAKER_REDUCED ? set_state (breaker, TFRC_BREAKER_CLOSED) : 0;
}

/* RFC 8083 4.2: reports that do not raise the highest sequence number although packets were sent before
 * them. Differs from it where RTCP comes more often than its regular interval: a path that loses
 * everything for half a second is no reason to pause. */
static unsigned
check_media (TfrcBreaker * breaker, const TfrcBreakerReport * report)
{
  unsigned timeout = get_media_timeout (breaker);

  if (breaker->rising) {
    forget_stuck (breaker);
  } else if (report->packets > 0.0) {
    breaker->stuck++;
    breaker->stuck_packets += report->packets;
    breaker->stuck_seconds += report->seconds;
  }
  breaker->rising = false;
  if (breaker->stuck < timeout || breaker->stuck_packets < MEDIA_PACKETS
      || breaker->stuck_seconds < MEDIA_SECONDS)
    return 0;
  return trip (breaker, TFRC_TRIP_MEDIA_TIMEOUT, TFRC_BREAKER_PAUSED,
      timeout * tfrc_max (report->seconds, to_seconds (breaker->T_dr)));
}

static void
keep (TfrcBreaker * breaker, const TfrcBreakerReport * report)
{
  breaker->reports[breaker->next_report] = (TfrcBreakerKept) {
      .seconds = (float) report->seconds,
      .lost = (float) report->lost,
      .marked = (float) report->marked,
      .bytes = (float) report->bytes,
      .packets = (float) report->packets};
  breaker->next_report = (breaker->next_report + 1) % TFRC_BREAKER_REPORTS;
  if (breaker->n_reports < TFRC_BREAKER_REPORTS)
    breaker->n_reports++;
}

/* A report is complete. */
static unsigned
count (TfrcBreaker * breaker)
{
  TfrcBreakerReport report = breaker->pending;
  unsigned bits;

  report.lost /= report.seconds;
  report.marked /= report.seconds;
  breaker->pending = (TfrcBreakerReport) {.seconds = 0.0};
  breaker->counted = breaker->now;
  if (breaker->state >= TFRC_BREAKER_PAUSED)
    return 0;
  bits = check_media (breaker, &report);
  if (bits != 0)
    return bits;
  keep (breaker, &report);
  return judge (breaker);
}

unsigned
tfrc_breaker_on_block (TfrcBreaker * breaker, double lost, double marked,
    uint32_t highest, TfrcTime now)
{
  double seconds;

  now = advance (breaker, now);
  seconds = to_seconds (now - breaker->block);
  breaker->block = now;
  breaker->pending.seconds += seconds;
  breaker->pending.lost += lost * seconds;
  breaker->pending.marked += marked * seconds;
  breaker->rising |= !breaker->has_block || highest != breaker->highest;
  breaker->has_block = true;
  breaker->highest = highest;
  if (2 * (now - breaker->counted) < breaker->T_dr)
    return 0;
  return count (breaker);
}
