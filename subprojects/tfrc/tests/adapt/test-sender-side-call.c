/* libtfrc: voice calls whose packets are also reported by feedback that lists arrivals
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The calls of test-call.c, with TFRC at both ends. A second sender has the same departures, and hears only
 * the reports that the receiver at its own side makes of transport-wide or RFC 8888 feedback. Its X has to be
 * that of the first one. */
#include "call.h"

#include <tfrc/sender-side-receiver.h>

#define SEEDS 4
#define EACH_RTT (52 * TFRC_MSEC)       /* two of them are one R of this path, as is the time between TFRC's reports */
#define OFTEN (62 * TFRC_MSEC)  /* from feedback to feedback of Chromium, for voice */
#define SELDOM (250 * TFRC_MSEC)        /* the most that libwebrtc waits */
#define MOST 0.05               /* share of X */
#define MOST_RARE 0.07          /* on thin links, and where RTCP makes the reports of a remote much rarer than those of the sender's side */
#define WARM_UP 10              /* s in which slow start may still differ */

typedef enum
{
  TWCC, CCFB
} Format;

static unsigned seeds = SEEDS;
static union
{
  max_align_t align;
  unsigned char bytes[1 << 20];
} second_block, side_block;
static TfrcSender *second_sender;
static TfrcSenderSideReceiver *side;
static Format format;
static TfrcTime interval, made_at;      /* from feedback to feedback, and when it was last made */
static TfrcTime arrived_at[1 << 16];    /* by sequence number; 0: not yet */
static uint16_t from, to;       /* sequence numbers that the next feedback is about */
static uint8_t bytes[1 << 15];  /* the feedback under way */
static size_t n_bytes;
static TfrcArrivalEntry entries[1 << 12];
static double sum, second_sum;  /* of X */
static double equation, second_equation;        /* sums of the X of the equation alone, of all seeds */
static unsigned n_sum;

static void
on_departed (const Packet * packet, bool backlogged)
{
  TfrcStamp stamp;

  tfrc_sender_on_departure (second_sender, packet->size, backlogged, &stamp,
      now);
  tfrc_sender_side_on_departure (side, packet->seq, packet->size, &stamp, now);
  arrived_at[packet->seq] = 0;
}

static void
on_limited (void)
{
  tfrc_sender_on_limited (second_sender, now);
}

static void
on_arrived (const Packet * packet)
{
  arrived_at[packet->seq] = now;
  if ((int16_t) (packet->seq - to) >= 0)
    to = (uint16_t) (packet->seq + 1);
}

static void
write_u16 (unsigned value)
{
  bytes[n_bytes++] = (uint8_t) (value >> 8);
  bytes[n_bytes++] = (uint8_t) value;
}

/* A status vector chunk for each seven packets, and large deltas. */
static void
write_twcc (unsigned n)
{
  TfrcTime last =
      arrived_at[(uint16_t) (to - 1)] / (64 * TFRC_MSEC) * 64 * TFRC_MSEC;

  write_u16 (from);
  write_u16 (n);
  write_u16 ((unsigned) (last / (64 * TFRC_MSEC) >> 8));
  write_u16 ((unsigned) (last / (64 * TFRC_MSEC) << 8));
  for (unsigned i = 0; i < n; i += 7) {
    unsigned chunk = 0xC000;

    for (unsigned j = 0; j < 7 && i + j < n; j++)
      if (arrived_at[(uint16_t) (from + i + j)] > 0)
        chunk |= 2u << (12 - 2 * j);
    write_u16 (chunk);
  }
  for (unsigned i = 0; i < n; i++) {
    TfrcTime arrival = arrived_at[(uint16_t) (from + i)];
    int delta =
        (int) ((int64_t) (arrival - last) / (int64_t) (250 * TFRC_USEC));

    if (arrival == 0)
      continue;
    write_u16 ((unsigned) delta & 0xFFFF);
    last += (TfrcTime) (delta * (int64_t) (250 * TFRC_USEC));
  }
  from = to;
}

/* One report block, which begins 32 packets before what is new. */
static void
write_ccfb (void)
{
  unsigned n;
  uint64_t timestamp = (now << 16) / TFRC_SEC;

  from = (uint16_t) (from - 32);
  n = (uint16_t) (to - from);
  write_u16 (0);
  write_u16 (1);
  write_u16 (from);
  write_u16 (n);
  for (unsigned i = 0; i < n; i++) {
    TfrcTime arrival = arrived_at[(uint16_t) (from + i)];
    unsigned ATO = (unsigned) ((now - arrival) * 1024 / TFRC_SEC);

    write_u16 (arrival == 0 ? 0 : 0x8000 | (ATO < 0x1FFE ? ATO : 0x1FFE));
  }
  if (n % 2)
    write_u16 (0);
  write_u16 ((unsigned) (timestamp >> 16));
  write_u16 ((unsigned) timestamp & 0xFFFF);
  from = to;
}

static void
make_feedback (void)
{
  if (now - made_at < interval || from == to)
    return;
  made_at = now;
  n_bytes = 0;
  if (format == TWCC)
    write_twcc ((uint16_t) (to - from));
  else
    write_ccfb ();
}

static void
on_feedback (void)
{
  TfrcArrivalFeedback feedback = { .entries = entries, .room = N_OF (entries) };
  TfrcReport made;
  unsigned bits;

  CHECK (n_bytes <= sizeof bytes);
  CHECK_INT (format == TWCC ? tfrc_arrival_feedback_parse_twcc (&feedback,
          bytes, n_bytes)
      : tfrc_arrival_feedback_parse_ccfb (&feedback, 1, bytes, n_bytes),
      TFRC_PARSE_OK);
  n_bytes = 0;
  bits = tfrc_sender_side_on_feedback (side, &feedback, &made, now);
  if (bits & TFRC_SENDER_SIDE_REPORT)
    tfrc_sender_on_report (second_sender, &made, now);
  if (bits & TFRC_SENDER_SIDE_RTT)
    tfrc_sender_on_rtt_sample (second_sender, &made, now);
}

static void
on_stepped (void)
{
  TfrcSenderStats first, second_stats;

  if (n_bytes > 0 && now - made_at >= path.one_way)
    on_feedback ();
  make_feedback ();
  if (tfrc_sender_next_timer (second_sender) <= now)
    tfrc_sender_on_timer (second_sender, now);
  if (second () < WARM_UP)
    return;
  tfrc_sender_get_stats (call->sender, &first);
  tfrc_sender_get_stats (second_sender, &second_stats);
  sum += first.X;
  second_sum += second_stats.X;
  equation += first.X_Bps;
  second_equation += second_stats.X_Bps;
  n_sum++;
}

/* Others take most of the path for six seconds of eight; what the queue loses is another packet for each seed. */
static void
cross_traffic (void)
{
  for (unsigned i = 20; i < SECONDS; i++)
    path.cross[i] = (i + 2 * call_seed) % 8 < 6 ? 260e3 : 150e3;
}

static void (*vary) (void);     /* what the path has for each seed; NULL: nothing */

static void
start_both (Format with, TfrcTime each)
{
  TfrcConfig config;

  if (vary)
    vary ();
  path.unasked = path.old_receiver = true;      /* nothing is known of the receiver */
  start ();
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  CHECK (tfrc_sender_size (&config) <= sizeof second_block);
  CHECK (tfrc_sender_side_size (&config) <= sizeof side_block);
  second_sender = tfrc_sender_init (second_block.bytes, &config, now);
  tfrc_sender_set_max_packet_size (call->sender, 0, now);       /* both go by what they have sent */
  side = tfrc_sender_side_init (side_block.bytes, &config, now);
  format = with;
  interval = each;
  made_at = now;
  from = to = 0;
  n_bytes = 0;
  sum = second_sum = 0;
  n_sum = 0;
  memset (arrived_at, 0, sizeof arrived_at);
  hooks.departed = on_departed;
  hooks.limited = on_limited;
  hooks.arrived = on_arrived;
  hooks.stepped = on_stepped;
}

/* Plays the path that is set with several seeds. Returns how much the mean X of the second
 * sender differs from that of the first, as a share of it. */
static double
get_difference (Format with, TfrcTime each, unsigned seconds)
{
  double first = 0, second_X = 0;
  TfrcSenderSideStats stats;

  equation = second_equation = 0;
  for (call_seed = 1; call_seed <= seeds; call_seed++) {
    start_both (with, each);
    run (seconds);
    tfrc_sender_side_get_stats (side, &stats);
    CHECK_INT (stats.remote_clock_steps, 0);
    first += sum;
    second_X += second_sum;
  }
  return second_X / first - 1;
}

/* `most` is the largest difference with feedback as often as a browser sends it. Feedback as seldom as it may
 * send it delays each report by up to 250 ms, and costs a quarter of X at most. */
static void
check_path (const char *name, unsigned seconds, double most)
{
  for (Format f = TWCC; f <= CCFB; f++) {
    double often = get_difference (f, OFTEN, seconds);
    double seldom = get_difference (f, SELDOM, seconds);

    NOTE ("%s, format %d", name, f);
    if (getenv ("TFRC_TRACE"))
      printf ("# %s: %+.1f %%, seldom %+.1f %%\n", test_note, 100 * often,
          100 * seldom);
    CHECK_BETWEEN (often, -most, most);
    CHECK_BETWEEN (seldom, -0.25, 0.05);
  }
}

TEST (X_is_that_of_a_remote_with_tfrc_on_thin_links)
{
  static const double bits[] = { 24e3, 32e3, 48e3, 64e3, 100e3 };
  char name[64];

  for (unsigned i = 0; i < N_OF (bits); i++) {
    set_path (bits[i], 0.3, 0);
    snprintf (name, sizeof name, "%g bit/s", bits[i]);
    check_path (name, 60, MOST_RARE);
  }
}

TEST (X_is_that_of_a_remote_with_tfrc_on_thin_links_of_other_queues)
{
  static const double queues[] = { 0.15, 1.0 };
  char name[64];

  for (unsigned i = 0; i < N_OF (queues); i++) {
    set_path (48e3, queues[i], 0);
    snprintf (name, sizeof name, "queue of %g s", queues[i]);
    check_path (name, 60, MOST_RARE);
  }
}

/* The path is 50 ms long each way, as elsewhere. In the 0.2 ms of test-call.c X is a matter of R alone: no
 * packet is lost, and feedback each 62 ms knows R no better than its own interval. */
TEST (X_is_that_of_a_remote_with_tfrc_behind_a_token_bucket)
{
  static const double queues[] = { 0.2, 0.35, 0.5 };
  char name[64];

  for (unsigned i = 0; i < N_OF (queues); i++) {
    set_path (40e3, queues[i], 0);
    path.bucket = 1600;
    snprintf (name, sizeof name, "token bucket, queue of %g s", queues[i]);
    check_path (name, 60, MOST);
  }
}

/* At 40 % and more a call has some ten packets a second. Then RTCP has a report of TFRC for several of them, each of which is based on
 * an older p, and a browser has feedback for each; the mean X of 16 seeds is 6 % higher with it. */
TEST (X_is_that_of_a_remote_with_tfrc_beside_loss)
{
  static const double losses[] = { 0.02, 0.05, 0.1, 0.25, 0.4, 0.5 };
  char name[64];

  for (unsigned i = 0; i < N_OF (losses); i++) {
    set_path (1e6, 0.3, losses[i]);
    snprintf (name, sizeof name, "loss %g", losses[i]);
    check_path (name, 120,
        losses[i] < 0.25 ? MOST : losses[i] < 0.4 ? MOST_RARE : 0.08);
  }
}

/* The path takes what X allows many times over, so that X is twice the largest X_recv of two R (RFC 5348 4.3), and
 * grows with the number of reports in these. A browser's feedback makes a report in two of its intervals, 124 ms, where
 * TFRC reports in each R, 103 ms, and at once at a loss. With feedback that makes a report in each R, X is within the
 * bound; R, p and what the equation makes of these are the same in any case. */
TEST (X_is_that_of_a_remote_with_tfrc_beside_bursts_of_loss)
{
  set_path (1e6, 0.3, 0.08);
  path.loss_burst = 4;
  for (Format f = TWCC; f <= CCFB; f++) {
    NOTE ("format %d", f);
    CHECK_BETWEEN (get_difference (f, EACH_RTT, 120), -MOST, MOST);
    CHECK_REL (second_equation, equation, 0.01);
    get_difference (f, OFTEN, 120);
    CHECK_REL (second_equation, equation, 0.01);
  }
  check_path ("bursts of loss", 120, 0.06);
}

TEST (X_is_that_of_a_remote_with_tfrc_where_the_path_changes)
{
  set_path (1e6, 0.5, 0);
  for (unsigned i = 1; i < SECONDS; i += 7)
    path.stall[i] = 0.1 + 0.02 * (i % 6);
  check_path ("stalls", 64, MOST);
  set_path (200e3, 0.3, 0);
  for (unsigned s = 20; s < 44; s++)
    path.capacity[s] = 48e3;
  check_path ("step", 80, MOST);
  set_path (300e3, 0.5, 0);
  /* X is twice the largest X_recv, which depends on the moments of reports while the queue grows and shrinks: 5 % more on the
   * mean of 16 seeds. */
  vary = cross_traffic;
  check_path ("cross traffic", 80, 0.08);
  vary = NULL;
}

/* What a full queue takes of two calls, and thus X, depends on where their packets fall between those of TCP: by 8 % on the mean of 4
 * seeds. */
TEST (X_is_that_of_a_remote_with_tfrc_beside_tcp)
{
  seeds = 24;
  for (unsigned i = 0; i < 4; i++) {
    set_path (i / 2 ? 1e6 : 300e3, 0.3, 0);
    path.tcp = true;
    path.cubic = i % 2;
    path.in_bytes = i / 2;
    check_path (i % 2 ? "cubic" : "reno", 64, MOST);
  }
  seeds = SEEDS;
}
