/* libtfrc: the report screen, which refuses reports that cannot be true and limits values that are
 * doubtful
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "report-screen.h"

#include <math.h>
#include <tfrc/wire.h>

#include "../core/minmax.h"

#define REPORTS_PER_RTT 4       /* reports that are accepted in one R */
/* The send time t_i of a report may be AGE_MAX or AGE_MAX_RTTS R ago, whichever is longer. */
#define AGE_MAX (10 * TFRC_SEC)
#define AGE_MAX_RTTS 8
#define R_SAMPLE_MAX 16.777216  /* s: the longest round-trip time that a stamp can say */
/* X_recv may be this many times what was sent in one R, because jitter moves packets into the interval that
 * the receiver measures and out of it. */
#define X_RECV_SLACK 1.1
/* s, besides twice the jitter, that a report may wait at the receiver after the arrival of a packet that it
 * should have named instead. */
#define T_DELAY_SLACK 0.010
/* s: a packet that departed before the path came back has waited somewhere when R_sample is longer. No longer
 * round-trip time is of use to a call. */
#define WAITED 0.4
#define T_REPORT_MAX 5.0        /* s: the least interval of RTCP as RFC 3550 6.2 recommends it */
#define T_REPORT_WEIGHT 0.25    /* weight of a new interval in the mean T_report */
#define T_REPORT_GROWTH 4.0     /* an interval counts for at most this many times T_report: it may have been
                                 * an outage */
/* The first reports may come closer together than the RTCP bandwidth permits later. In the first
 * T_REPORT_FIRST reports a longer interval raises T_report at once, up to T_REPORT_RISE seconds or to
 * T_REPORT_GROWTH times T_report. */
#define T_REPORT_FIRST 8
#define T_REPORT_RISE 0.25
/* An interval between reports only counts when this share of what was sent in it has arrived. */
#define COVERED_LEAST 0.5
#define ONE_PACKET 1.5          /* X_recv R is less than this many packets when one packet has arrived */
#define LOSS_LIKELY 0.25        /* when p makes more than this many loss events likely, packets were lost */

static const char *const reject_names[TFRC_N_REJECTS] = {
  [TFRC_REJECT_UNKNOWN_T_I] = "unknown-t-i",
  [TFRC_REJECT_OLD] = "old",
  [TFRC_REJECT_T_DELAY] = "t-delay",
  [TFRC_REJECT_RTT] = "rtt",
  [TFRC_REJECT_FLOOD] = "flood",
};

const char *
tfrc_reject_get_name (TfrcReject reject)
{
  return (unsigned) reject < TFRC_N_REJECTS ? reject_names[reject] : "none";
}

void
tfrc_screen_init (TfrcScreen * screen, unsigned feedbacks_per_rtt)
{
  *screen = (TfrcScreen) {.per_rtt = REPORTS_PER_RTT};
  /* A receiver that makes k reports in one R makes further ones for loss events. */
  if (2 * feedbacks_per_rtt > REPORTS_PER_RTT)
    screen->per_rtt = TFRC_SCREEN_ACCEPTED;
}

void
tfrc_screen_restart (TfrcScreen * screen)
{
  screen->n = 0;
  screen->p = screen->p_reported = screen->p_before_loss = 0.0;
  screen->T_report = 0.0;
}

void
tfrc_screen_set_first (TfrcScreen * screen, uint64_t first)
{
  screen->first = first;
}

static double
to_seconds (TfrcTime t)
{
  return (double) (int64_t) t *1e-9;
}

static bool
is_flood (const TfrcScreen * screen, double R, TfrcTime now)
{
  return screen->n >= screen->per_rtt
      && to_seconds (now - screen->accepted[(screen->n -
              screen->per_rtt) % TFRC_SCREEN_ACCEPTED]) < R;
}

/* Whether the report undoes a loss event. A late packet that undoes one makes the receiver report at once,
 * and the newest packet may still be the one that the last report named (RFC 5348 6). A copy of an
 * earlier report does not have a longer t_delay, and a forged report only adds 1 to 1/p. */
static bool
is_healing (const TfrcScreen * screen, const TfrcReport * report,
    uint64_t packet)
{
  return packet == screen->newest && report->t_delay_us > screen->t_delay_us
      && tfrc_report_decode_p (report->p_q32) < screen->p_reported;
}

/* The reason for which the report is refused, TFRC_N_REJECTS if there is none. Fills in the packet, its
 * departure and R_sample of `checked`. */
static TfrcReject
find_fault (const TfrcScreen * screen, const TfrcReport * report, double R,
    const TfrcSendHistory * history, const TfrcSent * ring, TfrcTime now,
    TfrcChecked * checked)
{
  TfrcTime t_delay = (TfrcTime) report->t_delay_us * TFRC_USEC, elapsed;

  if (!tfrc_send_history_find (history, ring, report->t_i_us, &checked->packet))
    return TFRC_REJECT_UNKNOWN_T_I;
  checked->at = tfrc_send_history_get (history, ring, checked->packet)->at;
  elapsed = now - checked->at;
  if (elapsed > AGE_MAX
      && to_seconds (elapsed) > (R > 0.0 ? AGE_MAX_RTTS * R : R_SAMPLE_MAX))
    return TFRC_REJECT_UNKNOWN_T_I;
  /* RFC 5348 does not say what to do with a report that names no newer packet than the last one. It is a
   * copy or was overtaken, unless it undoes a loss event. */
  if (screen->n > 0 && checked->packet <= screen->newest
      && !is_healing (screen, report, checked->packet))
    return TFRC_REJECT_OLD;
  if (t_delay > elapsed)
    return TFRC_REJECT_T_DELAY;
  /* RFC 5348 4.3 step 1 */
  checked->R_sample = to_seconds (elapsed - t_delay);
  if (!(checked->R_sample > 0.0 && checked->R_sample <= R_SAMPLE_MAX))
    return TFRC_REJECT_RTT;
  if (checked->packet < screen->first && checked->R_sample > WAITED)
    return TFRC_REJECT_OLD;
  return TFRC_N_REJECTS;
}

/* A t_delay that is too long makes R too short and X too high. When the next packet should have arrived
 * within t_delay, the report should have named that packet: then R_sample is at least half of the
 * shortest round-trip time that is certain. The next packet may also have been lost, but then R_sample
 * is longer than that. */
static void
limit_t_delay (TfrcScreen * screen, TfrcChecked * checked, double t_delay,
    TfrcRtt * rtt, const TfrcSendHistory * history, const TfrcSent * ring)
{
  double gap = (double) INFINITY;

  if (checked->packet + 1 < history->n)
    gap =
        to_seconds (tfrc_send_history_get (history, ring,
            checked->packet + 1)->at - checked->at);
  /* R_min only falls by reports that leave no doubt, or each wrong one would lower it further. */
  if (t_delay <= gap)
    tfrc_rtt_add_bound (rtt, checked->R_sample);
  else if (t_delay > gap + tfrc_min (2.0 * rtt->jitter,
          rtt->R / 4.0) + T_DELAY_SLACK
      && checked->R_sample < rtt->R_min / 2.0) {
    checked->R_sample = rtt->R_min / 2.0;
    screen->limited_t_delay++;
  }
}

/* The rate in bytes/s that was sent from the packet that the last report named to the one that this report
 * names, which departed `since` ns later. The receiver may have measured X_recv over these. */
static double
get_mean_rate (const TfrcSent * last, const TfrcSent * packet, TfrcTime since)
{
  return (double) (packet->bytes -
      last->bytes) * 1e9 / (double) (int64_t) since;
}

/* X_recv cannot be higher than the rate that was sent. */
static void
limit_X_recv (TfrcScreen * screen, TfrcChecked * checked, double R,
    const TfrcSendHistory * history, const TfrcSent * ring)
{
  const TfrcSent *last = tfrc_send_history_get (history, ring, screen->newest);
  const TfrcSent *packet =
      tfrc_send_history_get (history, ring, checked->packet);
  TfrcTime window = (TfrcTime) (int64_t) (R * (double) TFRC_SEC), reach =
      2 * window;
  double enough = checked->X_recv / X_RECV_SLACK, max;

  /* X_recv is measured over the R that was in the stamp of the packet that the last report named. A receiver
   * that reports more seldom may measure since that report. */
  if (screen->n > 0 && history->n - screen->newest <= history->mask) {
    TfrcTime since = packet->at - last->at;

    if (since >= window && get_mean_rate (last, packet, since) >= enough)
      return;
    if (last->R_us > 0 && last->R_us * TFRC_USEC < window)
      window = last->R_us * TFRC_USEC;
    if (since > reach)
      reach = since;
  }
  max =
      X_RECV_SLACK * tfrc_send_history_get_max_rate (history, ring,
      checked->packet, window > 0 ? window : 1, reach, enough);
  if (checked->X_recv > max) {
    checked->X_recv = max;
    screen->limited_x_recv++;
  }
}

/* The mean loss interval 1/p grows by at most one for each packet received. The same holds for a report with
 * a p of 0 after a loss event: p does not become 0, which would be another slow start, and the old p does
 * not stay in force. */
static void
limit_p (TfrcScreen * screen, TfrcChecked * checked)
{
  double lowest;

  if (!(screen->p > 0.0))
    return;
  lowest =
      1.0 / (1.0 / screen->p + (double) (checked->packet - screen->newest) +
      1.0);
  if (checked->p < lowest) {
    checked->p = lowest;
    screen->limited_p++;
  }
}

/* Whether `reported`, the p of the receiver, shows a new loss event or undoes the last one. The latter is so
 * when p falls faster than the packets that arrived can make it fall, and is no higher than it was before
 * that loss event. */
static void
follow_p (TfrcScreen * screen, TfrcChecked * checked, double reported)
{
  checked->loss = reported > screen->p_reported;
  checked->healed = reported < checked->p && reported <= screen->p_before_loss
      && screen->p_before_loss < screen->p_reported;
  if (checked->loss)
    screen->p_before_loss = screen->p_reported;
  screen->p_reported = reported;
  screen->p = checked->p;
}

/* How much of what was sent since the last report has arrived, by a report. */
typedef enum
{
  COVERS_ALL,                   /* all, or at least COVERED_LEAST of it */
  COVERS_FEW,                   /* less than that */
  COVERS_ONE                    /* only the packet that the report names */
} Coverage;

/* What a report covers of the `sent` packets after `last`, the one that the last report named. `t_delay` is
 * in seconds. */
static Coverage
get_coverage (const TfrcChecked * checked, double t_delay, double R,
    const TfrcSent * last, const TfrcSent * packet, uint64_t sent)
{
  double bytes = packet->bytes - last->bytes;

  if (sent < 2)
    return COVERS_ALL;
  /* A receiver that had no data for a whole R reports the next packet at once, and its X_recv is that one
   * packet in one R. When p is high enough, the others were lost. A report that waited for RTCP after its
   * packet had arrived is one of slow feedback. */
  if (t_delay <= T_DELAY_SLACK
      && checked->X_recv * R < ONE_PACKET * bytes / (double) sent
      && checked->p * (double) sent > LOSS_LIKELY)
    return COVERS_ONE;
  /* X_recv is measured over at least one R. */
  return checked->X_recv * tfrc_max (to_seconds (packet->at - last->at),
      R) < COVERED_LEAST * bytes ? COVERS_FEW : COVERS_ALL;
}

/* Adds an interval of `T` seconds between reports to the mean. */
static void
add_interval (TfrcScreen * screen, double R, double T)
{
  T = tfrc_min (T, T_REPORT_MAX);
  if (screen->n < T_REPORT_FIRST && T > screen->T_report)
    T = tfrc_min (T, tfrc_max (T_REPORT_RISE,
            T_REPORT_GROWTH * screen->T_report));
  else if (screen->T_report > 0.0)
    T = tfrc_min (T, T_REPORT_GROWTH * tfrc_max (screen->T_report,
            R)) * T_REPORT_WEIGHT + screen->T_report * (1.0 - T_REPORT_WEIGHT);
  screen->T_report = T;
}

/* Measures the interval between the last report and this one. It counts only while there was something to
 * report: from the first packet that departed after the last report, or from the only one that arrived.
 * While stamps have no R, each packet is reported (RFC 5348 6.3), which says nothing about the interval;
 * nor does a report that undoes a loss event. */
static void
measure_interval (TfrcScreen * screen, const TfrcChecked * checked,
    double t_delay, double R, const TfrcSendHistory * history,
    const TfrcSent * ring, TfrcTime now)
{
  TfrcTime since = screen->accepted[(screen->n - 1) % TFRC_SCREEN_ACCEPTED];
  const TfrcSent *last = tfrc_send_history_get (history, ring, screen->newest);
  const TfrcSent *packet =
      tfrc_send_history_get (history, ring, checked->packet);
  uint64_t sent = checked->packet - screen->newest;
  double T = to_seconds (now - since);

  if (sent == 0)
    return;
  if (history->n - screen->newest <= history->mask) {
    TfrcTime next =
        tfrc_send_history_get (history, ring, screen->newest + 1)->at;
    Coverage coverage = get_coverage (checked, t_delay, R, last, packet, sent);

    if (last->R_us == TFRC_RTT_UNKNOWN || coverage == COVERS_FEW)
      return;
    if (coverage == COVERS_ONE)
      next = packet->at;
    if (next > since)
      since = next;
    T = to_seconds (now - since);
    /* On a path with a short R, slow feedback and lost packets cannot be told apart. */
    if (coverage == COVERS_ONE)
      T = tfrc_max (T, TFRC_T_REPORT_GUESS);
  }
  add_interval (screen, R, T);
}

bool
tfrc_screen_check (TfrcScreen * screen, const TfrcReport * report,
    TfrcRtt * rtt, const TfrcSendHistory * history, const TfrcSent * ring,
    TfrcTime now, TfrcChecked * checked)
{
  TfrcReject fault =
      find_fault (screen, report, rtt->R, history, ring, now, checked);
  double t_delay = (double) report->t_delay_us * 1e-6, R;

  if (fault == TFRC_N_REJECTS && is_flood (screen, rtt->R, now))
    fault = TFRC_REJECT_FLOOD;
  if (fault != TFRC_N_REJECTS) {
    screen->rejected[fault]++;
    return false;
  }
  checked->X_recv = report->x_recv_Bps;
  checked->p = tfrc_report_decode_p (report->p_q32);
  limit_t_delay (screen, checked, t_delay, rtt, history, ring);
  R = rtt->R > 0.0 ? rtt->R : checked->R_sample;
  limit_X_recv (screen, checked, R, history, ring);
  limit_p (screen, checked);
  follow_p (screen, checked, tfrc_report_decode_p (report->p_q32));

  if (screen->n > 0)
    measure_interval (screen, checked, t_delay, R, history, ring, now);
  screen->accepted[screen->n++ % TFRC_SCREEN_ACCEPTED] = now;
  screen->newest = checked->packet;
  screen->t_delay_us = report->t_delay_us;
  return true;
}

bool
tfrc_screen_check_times (TfrcScreen * screen, const TfrcReport * report,
    TfrcRtt * rtt, const TfrcSendHistory * history, const TfrcSent * ring,
    TfrcTime now, double *R_sample)
{
  TfrcChecked checked;

  if (find_fault (screen, report, rtt->R, history, ring, now,
          &checked) != TFRC_N_REJECTS)
    return false;
  limit_t_delay (screen, &checked, (double) report->t_delay_us * 1e-6, rtt,
      history, ring);
  *R_sample = checked.R_sample;
  return true;
}
