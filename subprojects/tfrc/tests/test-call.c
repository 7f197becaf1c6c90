/* libtfrc: a voice call in virtual time: sender, receiver and adaptation over a
 * bottleneck
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include <tfrc/adapt.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#define ONE_WAY (50 * TFRC_MSEC)
#define IP_UDP 28               /* bytes */
#define RTP 24
#define FLIGHT 4096             /* packets under way or waiting, a power of two */
#define SECONDS 200
#define QUEUE_TIME (150 * TFRC_MSEC)    /* the send filter's limit */

typedef struct
{
  TfrcTime made, due;
  uint32_t size;
  uint16_t seq;
  TfrcStamp stamp;
} Packet;

/* The path: bit/s by second, a drop-tail queue of so many seconds, random loss. */
static struct
{
  double capacity[SECONDS], queue_s, loss, loss_burst;
  double cross[SECONDS];        /* bit/s of others in the same queue */
} path;

static union
{
  max_align_t align;
  unsigned char bytes[1 << 20];
} sender_block, receiver_block, adapt_block;
static TfrcSender *sender;
static TfrcReceiver *receiver;
static TfrcAdapt *adapt;
static TfrcChoice choice;

static Packet waiting[FLIGHT], flying[FLIGHT];
static unsigned waiting_in, waiting_out, flying_in, flying_out;
static TfrcTime now, link_free, next_frame, next_report_at, report_due;
static TfrcReport report;
static bool report_flying, in_burst;
static uint16_t seq;
static uint64_t random_state;

static struct
{
  unsigned packets, lost, dropped, switches, suspensions;
  double wire[SECONDS];         /* bytes handed to the link in each second */
  TfrcPoint point[SECONDS];     /* at the end of each second */
  double bitrate[SECONDS];      /* of it; 0: suspended */
  double delay[SECONDS * 120];  /* s over ONE_WAY, of each packet that arrived */
  unsigned n_delays;
} seen;

static double
draw (void)
{
  random_state = random_state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (double) (random_state >> 11) * 0x1p-53;
}

static unsigned
second (void)
{
  unsigned s = (unsigned) ((now - 1000 * TFRC_SEC) / TFRC_SEC);

  return s < SECONDS ? s : SECONDS - 1;
}

static void
start (void)
{
  TfrcConfig config;
  TfrcAdaptConfig adapt_config;
  TfrcLimits limits;
  TfrcPoint ladder[TFRC_LADDER_MAX];
  unsigned n;

  now = link_free = next_frame = next_report_at = 1000 * TFRC_SEC;
  waiting_in = waiting_out = flying_in = flying_out = 0;
  report_flying = in_burst = false;
  seq = 0;
  random_state = 1;
  memset (&seen, 0, sizeof (seen));

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  CHECK (tfrc_sender_size (&config) <= sizeof (sender_block));
  CHECK (tfrc_receiver_size (&config) <= sizeof (receiver_block));
  sender = tfrc_sender_init (sender_block.bytes, &config, now);
  receiver = tfrc_receiver_init (receiver_block.bytes, &config, now);
  tfrc_limits_init (&limits);
  n = tfrc_ladder_fill (ladder, TFRC_LADDER_MAX, &limits);
  CHECK (tfrc_adapt_size (n) <= sizeof (adapt_block));
  tfrc_adapt_config_init (&adapt_config);
  adapt = tfrc_adapt_init (adapt_block.bytes, &adapt_config, ladder, n, now);
  tfrc_adapt_get_choice (adapt, &choice);
}

static void
set_path (double bits, double queue_s, double loss)
{
  memset (&path, 0, sizeof (path));
  for (unsigned i = 0; i < SECONDS; i++)
    path.capacity[i] = bits;
  path.queue_s = queue_s;
  path.loss = loss;
}

static void
on_adapt (unsigned bits)
{
  seen.switches += (bits & TFRC_ADAPT_POINT) != 0;
  seen.suspensions += (bits & TFRC_ADAPT_SUSPENDED) != 0;
  tfrc_adapt_get_choice (adapt, &choice);
}

/* What rtptfrcsend tells upstream. */
static void
tell_encoder (bool expired)
{
  TfrcAllowance a;
  TfrcConditions c;

  tfrc_sender_get_allowance (sender, &a);
  c = (TfrcConditions) {.mode = TFRC_MODE_TFRC_SP,.H = 40,.overhead = RTP,.X = a.X,.X_wire = a.X_wire,
    .s = a.s,.max_packet_rate = a.max_packet_rate,.p = a.p,.loss = -1,.R = a.R,.R_sample = a.R_sample,
    .X_Bps = a.X_Bps,.X_recv = a.X_recv,.expired = expired};
  if (waiting_in != waiting_out)
    c.queue = (double) (now - waiting[waiting_out % FLIGHT].made) * 1e-9;
  on_adapt (tfrc_adapt_on_conditions (adapt, &c, now));
}

static bool
is_lost (void)
{
  if (path.loss_burst > 1.0) {
    double p = in_burst ? 1.0 - 1.0 / path.loss_burst
        : path.loss / path.loss_burst / (1.0 - path.loss);

    in_burst = draw () < p;
    return in_burst;
  }
  return draw () < path.loss;
}

static void
onto_the_link (Packet packet)
{
  double bits = 8.0 * (packet.size + IP_UDP);
  double capacity = path.capacity[second ()] - path.cross[second ()];

  seen.packets++;
  seen.wire[second ()] += packet.size + IP_UDP;
  link_free = link_free > now ? link_free : now;
  if ((double) (link_free - now) > path.queue_s * 1e9 || is_lost ()) {
    seen.lost++;
    return;
  }
  link_free += (TfrcTime) (bits / capacity * 1e9);
  packet.due = link_free + ONE_WAY;
  flying[flying_in++ % FLIGHT] = packet;
}

static void
depart (void)
{
  while (waiting_out != waiting_in) {
    Packet *packet = &waiting[waiting_out % FLIGHT];

    if (now - packet->made > QUEUE_TIME) {
      seen.dropped++;
      waiting_out++;
      continue;
    }
    if (tfrc_sender_next_departure (sender, packet->size) > now) {
      tfrc_sender_on_limited (sender, now);
      return;
    }
    waiting_out++;
    packet->seq = seq++;
    tfrc_sender_on_departure (sender, packet->size, waiting_out != waiting_in, &packet->stamp, now);
    onto_the_link (*packet);
  }
}

static void
encode (void)
{
  next_frame += (TfrcTime) choice.point.frame_us * 1000;
  if (!choice.suspended)
    waiting[waiting_in++ % FLIGHT] = (Packet) {
      .made = now,.size = tfrc_point_get_payload (&choice.point) + RTP
    };
  if (now >= tfrc_adapt_next_timer (adapt))
    on_adapt (tfrc_adapt_on_timer (adapt, now));
}

static void
arrive (void)
{
  Packet *packet = &flying[flying_out++ % FLIGHT];
  TfrcPacket p = {.seq = packet->seq,.size = packet->size,.stamped = true,.stamp = packet->stamp};

  if (seen.n_delays < N_OF (seen.delay))
    seen.delay[seen.n_delays++] = (double) (now - packet->made - ONE_WAY) * 1e-9;
  tfrc_receiver_on_packet (receiver, &p, now);
}

/* One report in at most a tenth of a second, as RTCP would carry them. */
static void
make_report (void)
{
  if (report_flying || now < next_report_at || !tfrc_receiver_wants_report (receiver)
      || !tfrc_receiver_make_report (receiver, &report, now))
    return;
  report_flying = true;
  report_due = now + ONE_WAY;
  next_report_at = now + 100 * TFRC_MSEC;
}

static void
on_report (void)
{
  report_flying = false;
  if (!(tfrc_sender_on_report (sender, &report, now) & TFRC_SENDER_REJECTED))
    tell_encoder (false);
}

static void
run (unsigned seconds)
{
  TfrcTime end = now + seconds * TFRC_SEC;

  for (; now < end; now += TFRC_MSEC / 2) {
    if (now >= next_frame)
      encode ();
    depart ();
    while (flying_out != flying_in && flying[flying_out % FLIGHT].due <= now)
      arrive ();
    if (tfrc_receiver_next_timer (receiver) <= now)
      tfrc_receiver_on_timer (receiver, now);
    make_report ();
    if (report_flying && report_due <= now)
      on_report ();
    if (tfrc_sender_next_timer (sender) <= now) {
      tfrc_sender_on_timer (sender, now);
      tell_encoder (true);
    }
    seen.point[second ()] = choice.point;
    seen.bitrate[second ()] = choice.suspended ? 0 : choice.point.bitrate;
  }
}

static int
compare (const void *a, const void *b)
{
  double x = *(const double *) a, y = *(const double *) b;

  return (x > y) - (x < y);
}

/* s over the path's own that 95 of 100 packets keep to, pacing queue included. */
static double
get_p95_delay (void)
{
  CHECK (seen.n_delays > 100);
  qsort (seen.delay, seen.n_delays, sizeof (double), compare);
  return seen.delay[seen.n_delays * 95 / 100];
}

static double
get_mean (const double *values, unsigned from, unsigned to)
{
  double sum = 0;

  for (unsigned i = from; i < to; i++)
    sum += values[i];
  return sum / (to - from);
}

static void
trace (const char *name)
{
  if (!getenv ("TFRC_TRACE"))
    return;
  printf ("# %s: %u packets, %u lost, %u dropped, %u switches, %u suspensions, p95 %.0f ms\n", name,
      seen.packets, seen.lost, seen.dropped, seen.switches, seen.suspensions, 1e3 * get_p95_delay ());
  for (unsigned i = 0; i < SECONDS && seen.wire[i] + seen.bitrate[i] > 0; i++) {
    const TfrcPoint *p = &seen.point[i];

    if (i > 0 && memcmp (p, p - 1, sizeof (*p)) == 0 && fabs (seen.wire[i] - seen.wire[i - 1]) < 300)
      continue;
    printf ("%s%u:%.0f=%.0f/%u%s%.*s", i == 0 ? "#   " : " ", i, 8 * seen.wire[i] / 1000,
        seen.bitrate[i] / 1000, p->frame_us / 1000, p->fec ? "f" : "", p->redundancy, "rr");
  }
  printf ("\n");
}

TEST (a_thin_link_is_neither_flooded_nor_wasted)
{
  static const double bits[] = { 24e3, 32e3, 48e3, 64e3, 100e3 };
  static const double least[] = { 11e3, 15e3, 22e3, 34e3, 34e3 };      /* bit/s of codec */
  static const double queues[] = { 0.15, 0.3, 1.0 };

  for (unsigned i = 0; i < N_OF (bits) * N_OF (queues); i++) {
    NOTE ("%g bit/s, queue %g s", bits[i / 3], queues[i % 3]);
    set_path (bits[i / 3], queues[i % 3], 0);
    start ();
    run (60);
    trace (test_note);
    CHECK (seen.suspensions == 0);
    CHECK_BETWEEN (get_p95_delay (), 0.005, 0.25);
    CHECK (seen.lost + seen.dropped < 0.015 * seen.packets);
    CHECK_BETWEEN (get_mean (seen.bitrate, 10, 60), least[i / 3], 64e3);
    CHECK_BETWEEN (8 * get_mean (seen.wire, 10, 60), 0.5 * fmin (bits[i / 3], 60e3), bits[i / 3]);
  }
}

TEST (a_step_down_is_followed_in_two_seconds_and_a_step_up_in_fifteen)
{
  unsigned over = 0;

  set_path (200e3, 1.0, 0);
  for (unsigned i = 20; i < 40; i++)
    path.capacity[i] = 48e3;
  start ();
  run (80);
  trace ("step");
  for (unsigned i = 22; i < 40; i++)
    over += 8 * seen.wire[i] > 48e3;
  CHECK_BETWEEN (over, 0, 4);
  CHECK (8 * seen.wire[22] < 48e3);
  CHECK_BETWEEN (8 * get_mean (seen.wire, 22, 40), 30e3, 48e3);
  CHECK (get_mean (seen.bitrate, 55, 60) >= 0.9 * get_mean (seen.bitrate, 15, 20));
  CHECK_BETWEEN (get_p95_delay (), 0.005, 0.25);
}

TEST (random_loss_is_met_by_protection)
{
  static const double losses[] = { 0.02, 0.1, 0.25 };

  for (unsigned i = 0; i < N_OF (losses); i++) {
    unsigned protected = 0;

    NOTE ("loss %g", losses[i]);
    set_path (1e6, 0.3, losses[i]);
    start ();
    run (120);
    trace (test_note);
    CHECK_INT (seen.suspensions, 0);
    for (unsigned s = 10; s < 120; s++)
      protected += seen.point[s].fec || seen.point[s].redundancy > 0;
    CHECK_BETWEEN (protected, 80, 110);
    /* What the pacer must drop is loss too. */
    CHECK (seen.dropped < 0.1 * seen.packets);
  }
}

TEST (a_queue_of_others_does_not_starve_the_call)
{
  set_path (300e3, 0.5, 0);
  for (unsigned i = 20; i < SECONDS; i++)
    path.cross[i] = i % 8 < 6 ? 260e3 : 150e3;
  start ();
  run (80);
  trace ("cross traffic");
  CHECK_BETWEEN (get_mean (seen.bitrate, 30, 80), 20e3, 64e3);
}
