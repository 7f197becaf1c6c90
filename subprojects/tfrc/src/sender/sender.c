/* libtfrc: the sender, which combines its parts to the algorithm of RFC 5348 4 and RFC 4828 3
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sender-private.h"

#include <tfrc/wire.h>

#include <math.h>

#include "../core/minmax.h"

/* RFC 4828 3: the Min Interval of TFRC-SP. */
#define MIN_INTERVAL (10 * TFRC_MSEC)
#define FIRST_TIMEOUT (2 * TFRC_SEC)    /* RFC 5348 4.2 */
#define REPORT_SLACK 1.5        /* reports that are up to this many R apart count as one in each R */
/* Packets in the send history: 5 s of packets that are 20 ms apart, 2.5 s of the densest, 10 ms
 * apart; in TFRC, 10 s of 800 packets a second. Where reports take longer, they are refused, the rate
 * falls, and the history reaches back further. */
#define HISTORY_TFRC_SP 256
#define HISTORY_TFRC 8192

/* A data receiver of RTCP that reports still more seldom than once in a minute is not waited for. */
#define INTERVAL_MAX (60 * TFRC_SEC)

static uint32_t
get_history_size (const TfrcConfig * config)
{
  if (config->history_packets > 0)
    return config->history_packets;
  return config->mode == TFRC_MODE_TFRC_SP ? HISTORY_TFRC_SP : HISTORY_TFRC;
}

size_t
tfrc_sender_size (const TfrcConfig * config)
{
  return sizeof (TfrcSender) + get_history_size (config) * sizeof (TfrcSent);
}

/* Whether the receiver reports more seldom than once in each R. A report may wait for the next packet. */
static bool
is_feedback_slow (const TfrcSender * sender)
{
  return sender->screen.T_report > REPORT_SLACK * sender->rtt.R;
}

/* RFC 5348 4.3 step 3, 4.4: RTO = max (4 R, 2 s / X). Differs from RFC 5348 4.3: at least four intervals
 * between reports, where the RTCP bandwidth does not permit a report in each R. */
static double
get_RTO (const TfrcSender * sender)
{
  double RTO = tfrc_max (4.0 * sender->rtt.R,
      2.0 * sender->s / tfrc_sender_get_X (sender));

  RTO = tfrc_max (RTO, 4.0 * sender->report_interval);
  if (sender->screen.n > 0 && !(sender->screen.T_report > 0.0))
    return tfrc_max (RTO, 4.0 * TFRC_T_REPORT_GUESS);
  return is_feedback_slow (sender) ? tfrc_max (RTO,
      4.0 * sender->screen.T_report) : RTO;
}

/* RFC 5348 4.3, 8.2.1: whether the flow was data-limited in the interval that a report covers, which is one
 * R, or one interval between reports if that is longer, up to `at`, the departure of the packet that the
 * report names. */
static bool
is_data_limited (const TfrcSender * sender, TfrcTime at)
{
  TfrcTime covered =
      to_time (is_feedback_slow (sender) ? sender->screen.T_report :
      sender->rtt.R);

  return tfrc_rate_limited_times_is_data_limited (&sender->limited,
      at > covered ? at - covered : 0, at);
}

static void
set_timer (TfrcSender * sender, double RTO, TfrcTime now)
{
  sender->t_nofeedback = now + to_time (RTO);
  sender->idle = true;
}

/* RFC 5348 4.2: two seconds, or the time that the data receiver is known to need. */
static TfrcTime
get_first_timeout (const TfrcSender * sender)
{
  return to_time (tfrc_max ((double) FIRST_TIMEOUT / (double) TFRC_SEC,
          4.0 * sender->report_interval));
}

/* The state before the first packet (RFC 5348 4.2). */
static void
start (TfrcSender * sender, TfrcTime now)
{
  TfrcPath path;

  tfrc_rtt_init (&sender->rtt, sender->config.q);
  tfrc_sender_follow_rtt (sender);
  sender->data_limited = sender->halved = sender->g_suspended = false;
  sender->unused = false;
  sender->X_coupled = sender->X_max = (double) INFINITY;
  path = tfrc_sender_get_path (sender, 0.0);
  tfrc_transmit_rate_init (&sender->rate, path.s);
  tfrc_rate_limited_times_init (&sender->limited);
  tfrc_screen_restart (&sender->screen);
  tfrc_path_capacity_init (&sender->capacity);
  tfrc_pacer_restart (&sender->pacer);
  sender->t_nofeedback = now + get_first_timeout (sender);
  sender->idle = true;
}

/* RFC 4828 3: headers count, and departures are 10 ms apart at least. */
static void
apply_mode (TfrcSender * sender)
{
  bool sp = sender->config.mode == TFRC_MODE_TFRC_SP;

  sender->overhead = sp ? sender->config.H : 0;
  tfrc_pacer_set_min_interval (&sender->pacer, sp ? MIN_INTERVAL : 0);
}

TfrcSender *
tfrc_sender_init (void *block, const TfrcConfig * config, TfrcTime now)
{
  TfrcSender *sender = block;

  *sender = (TfrcSender) {.config = *config};
  now = tfrc_sender_advance (sender, now);
  tfrc_segment_init (&sender->segment);
  tfrc_path_away_init (&sender->away);
  tfrc_screen_init (&sender->screen, config->feedbacks_per_rtt);
  tfrc_send_history_init (&sender->history, get_history_size (config),
      config->seed);
  tfrc_pacer_init (&sender->pacer, config->t_gran, 0, config->mppn);
  apply_mode (sender);
  start (sender, now);
  if (config->initial_rtt > 0)
    tfrc_sender_start_rtt (sender,
        (double) config->initial_rtt / (double) TFRC_SEC, now);
  tfrc_sender_apply_rate (sender, now);
  return sender;
}

unsigned
tfrc_sender_restart (TfrcSender * sender, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  start (sender, now);
  tfrc_sender_apply_rate (sender, now);
  return TFRC_SENDER_RATE | TFRC_SENDER_TIMER;
}

/* The receiver is heard for the first time, and has reported nothing yet, because none of the packets so
 * far found it there. The next one leaves within a second, unless the nofeedback timer halves X before. */
static unsigned
wait_for_first_report (TfrcSender * sender, TfrcTime now)
{
  if (sender->history.n == 0 || sender->reports > 0)
    return 0;
  sender->t_nofeedback = now + get_first_timeout (sender);
  return TFRC_SENDER_TIMER;
}

unsigned
tfrc_sender_on_rtcp (TfrcSender * sender, TfrcTime now)
{
  bool is_first = sender->away.heard == TFRC_TIME_NONE;

  now = tfrc_sender_advance (sender, now);
  if (!tfrc_path_away_on_heard (&sender->away, now))
    return is_first ? wait_for_first_report (sender, now) : 0;
  sender->regained++;
  /* What departed before may have waited where nobody read it, such as in the socket of a receiver that was
   * stopped. Its R_sample would be that wait. */
  tfrc_screen_set_first (&sender->screen, sender->history.n);
  return tfrc_sender_restart (sender, now) | TFRC_SENDER_REGAINED;
}

unsigned
tfrc_sender_set_coupled_rate (TfrcSender * sender, double rate, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  sender->X_coupled = rate;
  return tfrc_sender_apply_rate (sender, now);
}

TfrcTime
tfrc_sender_next_departure (const TfrcSender * sender, uint32_t size)
{
  return tfrc_pacer_next (&sender->pacer, size);
}

/* Until the first report, X follows the sizes of the segments that are sent: it is one segment a second, or
 * W_init of the largest segment in one R. */
static unsigned
follow_segments (TfrcSender * sender, TfrcTime now)
{
  TfrcPath path = tfrc_sender_get_path (sender, 0.0);

  if (!sender->halved)
    sender->rate.X = sender->rate.started ? path.initial_rate : path.s;
  return tfrc_sender_apply_rate (sender, now);
}

unsigned
tfrc_sender_set_max_packet_size (TfrcSender * sender, uint32_t size,
    TfrcTime now)
{
  TfrcConfig config = sender->config;

  now = tfrc_sender_advance (sender, now);
  config.max_packet_size = size;
  if (tfrc_config_check (&config) != NULL)
    return 0;
  sender->config.max_packet_size = size;
  return sender->reports == 0 ? follow_segments (sender, now) : 0;
}

unsigned
tfrc_sender_set_mode (TfrcSender * sender, TfrcMode mode, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  if (mode == sender->config.mode)
    return 0;
  sender->config.mode = mode;
  apply_mode (sender);
  return TFRC_SENDER_RATE | (sender->reports == 0 ?
      follow_segments (sender, now) : tfrc_sender_apply_rate (sender, now));
}

/* A packet departs before the first report. The very first one starts the nofeedback timer. */
static unsigned
begin (TfrcSender * sender, TfrcTime now)
{
  unsigned bits = follow_segments (sender, now);

  if (sender->history.n > 1)
    return bits;
  sender->t_nofeedback = now + get_first_timeout (sender);
  return bits | TFRC_SENDER_TIMER;
}

unsigned
tfrc_sender_on_departure (TfrcSender * sender, uint32_t size,
    bool backlogged, TfrcStamp * stamp, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  /* RFC 5348 8.2.1: the flow is not data-limited when a packet departs as soon as X lets it. */
  if (tfrc_pacer_on_departure (&sender->pacer, size, backlogged, now))
    tfrc_rate_limited_times_add (&sender->limited, now);
  stamp->rtt_us = sender->R_us;
  stamp->t_i_us =
      tfrc_send_history_add (&sender->history, sender->ring, size, sender->R_us,
      now);
  tfrc_segment_add (&sender->segment, size);
  sender->idle = sender->unused = false;
  sender->bytes += size;
  return sender->rate.fed ? 0 : begin (sender, now);
}

void
tfrc_sender_on_limited (TfrcSender * sender, TfrcTime now)
{
  now = tfrc_sender_advance (sender, now);
  /* A packet that waits for the Min Interval or for fluid pacing is not limited by X. */
  if (tfrc_pacer_is_limiting (&sender->pacer, (uint32_t) sender->s, now))
    tfrc_rate_limited_times_add (&sender->limited, now);
  if (sender->pacer.waiting == 0)
    tfrc_pacer_set_waiting (&sender->pacer, 1);
}

void
tfrc_sender_set_waiting (TfrcSender * sender, unsigned packets)
{
  tfrc_pacer_set_waiting (&sender->pacer, packets);
}

/* The steps of RFC 5348 4.3, in their order. */
static unsigned
take_report (TfrcSender * sender, const TfrcChecked * checked, TfrcTime now)
{
  TfrcFeedback feedback =
      { checked->X_recv, checked->p, checked->loss, checked->healed, false };
  TfrcPath path;
  double RTO;
  unsigned bits;

  /* Step 2. The report screen does step 1. */
  tfrc_rtt_add_sample (&sender->rtt, checked->R_sample);
  tfrc_sender_follow_rtt (sender);
  /* Step 3, with the X before this report. */
  RTO = get_RTO (sender);
  /* Step 4 */
  feedback.data_limited = is_data_limited (sender, checked->at);
  if (checked->loss)
    tfrc_segment_on_loss_event (&sender->segment);
  path = tfrc_sender_get_path (sender, checked->p);
  tfrc_transmit_rate_on_feedback (&sender->rate, &path, &feedback, now);
  sender->X_recv = checked->X_recv;
  sender->data_limited = feedback.data_limited && checked->X_recv > 0.0;
  sender->data_limited_reports += sender->data_limited;
  /* Step 5 */
  sender->g_suspended = false;
  sender->X_max = (double) INFINITY;
  bits = tfrc_sender_apply_rate (sender, now);
  /* Step 6 */
  set_timer (sender, RTO, now);
  return bits | TFRC_SENDER_TIMER;
}

/* Transit times before a report without one are of another origin. */
static void
take_capacity (TfrcSender * sender, uint64_t packet, TfrcTime now)
{
  uint32_t size;

  if (!sender->timed) {
    tfrc_path_capacity_init (&sender->capacity);
    return;
  }
  size = tfrc_send_history_get_size (&sender->history, sender->ring, packet);
  if (size > 0)
    tfrc_path_capacity_on_transit (&sender->capacity, size, sender->transit,
        now);
}

/* The transit time wraps every 71 minutes, so that its change is taken modulo 2^32 us. */
static void
take_transit (TfrcSender * sender, const TfrcReport * report)
{
  if (sender->timed && report->timed)
    sender->transit +=
        1e-6 * (int32_t) (report->transit_us - sender->transit_us);
  sender->timed = report->timed;
  sender->transit_us = report->transit_us;
}

unsigned
tfrc_sender_on_report (TfrcSender * sender, const TfrcReport * report,
    TfrcTime now)
{
  TfrcChecked checked;
  unsigned bits;

  now = tfrc_sender_advance (sender, now);
  if (!tfrc_screen_check (&sender->screen, report, &sender->rtt,
          &sender->history, sender->ring, now, &checked))
    return TFRC_SENDER_REJECTED;
  tfrc_path_away_on_report (&sender->away);
  sender->reports++;
  take_transit (sender, report);
  take_capacity (sender, checked.packet, now);
  bits = take_report (sender, &checked, now);
  if (checked.loss) {
    sender->loss_reports++;
    bits |= TFRC_SENDER_LOSS;
  }
  return bits;
}

/* When the nofeedback timer would expire if it was set `now`. */
static TfrcTime
get_expiry (const TfrcSender * sender, TfrcTime now)
{
  return now + (sender->reports > 0 ? to_time (get_RTO (sender)) :
      get_first_timeout (sender));
}

unsigned
tfrc_sender_set_report_interval (TfrcSender * sender, TfrcTime interval,
    TfrcTime now)
{
  double before = sender->report_interval;
  TfrcTime granted;

  now = tfrc_sender_advance (sender, now);
  if (interval > INTERVAL_MAX)
    interval = INTERVAL_MAX;
  sender->report_interval = (double) interval / (double) TFRC_SEC;
  granted = now + to_time (4.0 * sender->report_interval);
  if (sender->t_nofeedback < granted)
    sender->t_nofeedback = granted;
  else if (sender->report_interval < before
      && sender->t_nofeedback > get_expiry (sender, now))
    sender->t_nofeedback = get_expiry (sender, now);
  return TFRC_SENDER_TIMER;
}

TfrcTime
tfrc_sender_next_timer (const TfrcSender * sender)
{
  return sender->t_nofeedback;
}

/* RFC 5348 4.4: the nofeedback timer. */
unsigned
tfrc_sender_on_timer (TfrcSender * sender, TfrcTime now)
{
  TfrcPath path;
  double X = sender->rate.X;
  unsigned bits = TFRC_SENDER_TIMER;

  now = tfrc_sender_advance (sender, now);
  if (now < sender->t_nofeedback)
    return bits;
  path = tfrc_sender_get_path (sender, sender->rate.p);
  tfrc_transmit_rate_on_expiry (&sender->rate, &path, sender->idle, now);
  if (!sender->idle || sender->rate.X != X) {
    sender->expiries++;
    sender->halved = true;
    bits |= TFRC_SENDER_EXPIRED;
  }
  sender->unused = sender->idle;
  if (!sender->idle)
    sender->X_max = tfrc_sender_get_X (sender) / 2.0;
  /* The network's guarantee g does not hold on a path from which no reports come. */
  if (!sender->idle)
    sender->g_suspended = true;
  if (!sender->idle)
    tfrc_path_away_on_expiry (&sender->away);
  bits |= tfrc_sender_apply_rate (sender, now);
  set_timer (sender, get_RTO (sender), now);
  return bits;
}
