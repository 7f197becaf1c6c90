/* tfrcadapt: a voice call in virtual time: sender, receiver and adaptation over a
 * bottleneck, with a TCP flow beside it when asked for
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Packets wait as in the send filter, cross a drop-tail queue and 50 ms, and the far
 * end's jitter buffer holds them 200 ms. What was heard is scored by the E-model,
 * window by window, from the frames that came in time, copies counted. */
#ifndef TFRC_TEST_CALL_H
#define TFRC_TEST_CALL_H

#include "../test.h"
#include "tcp-flow.h"

#include <tfrcadapt/adapt.h>
#include <tfrcadapt/frame-arrivals.h>
#include <tfrcadapt/loss-share.h>
#include <tfrcadapt/quality.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#define ONE_WAY (50 * TFRC_MSEC)
#define IP_UDP 28               /* bytes */
#define RTP 24
#define REPORTS 64              /* reports under way, a power of two */
#define FLIGHT 8192             /* packets under way or waiting, a power of two */
#define SECONDS 200
#define FRAMES (SECONDS * 50)
#define BUFFER_WINDOW (2 * TFRC_SEC)
#define SHIFTED_FOR (200 * TFRC_MSEC)
#define FIRST_SLOPE 0.04        /* by which the jitter buffer follows the path, in the first window, */
#define SLOPE 0.005             /* where it has become shorter, */
#define LATER_SLOPE 0.0005      /* and longer, while few packets come too late */
#define MANY_LATE 0.125
#define LATE_MEMORY 32          /* packets */
#define BURST_MAX 4.0           /* the burst ratio of a longer gap says nothing: it is heard as silence */
#define WINDOW 8                /* s that are scored as one */
#define REPORT_WIRE 56.0        /* bytes of an RTCP packet with a TFRC report alone, with headers, and without transit time and arrivals */
#define COMPOUND_WIRE 165.0     /* and of a compound packet */
#define LIST_WIRE 64.0          /* the same with transit time and arrivals */
#define RTCP_SHARE 0.085        /* of what arrives of the data, for the RTCP of the data receiver */
#define MANY_LOSSES 0.05        /* p above which reports have twice that share, since they list arrivals */
#define MOST_LOSSES 0.15        /* and eight times */
#define QUESTION_WIRE 150.0     /* bytes of an RTCP packet that names a reference time, with headers */
#define SECOND_QUESTION (500 * TFRC_MSEC)       /* after the first one, and the others after a second */
#define QUESTION_SPREAD 0.2     /* share of that time by which they come sooner */
#define REPORT_BURST 3.0         /* early ones in a row before that share is used up */
#define KEEPS_ONE 0.5            /* shares of the time that a packet may wait after which it keeps one redundant copy, */
#define KEEPS_NONE 0.85          /* and none */
#define STEP (TFRC_MSEC / 2)
#define BEGIN (1000 * TFRC_SEC)
#define TCP_WIRE 1500.0         /* bytes of a TCP packet */
#define TCP_SPREAD 2e6           /* ns within which an acknowledgement is late */
#define TCP_BEGINS_WITHIN 0.5    /* s */

typedef struct
{
  TfrcTime made;
  TfrcAdaptPoint point;
  TfrcAdaptCopies copies;       /* that travel with it */
  bool heard;
  bool arrived;                 /* its own packet did, in time */
  double wait;                  /* s from the capture of its first sample to its arrival, less the path's
                                 * own; with heard */
} Frame;

typedef struct
{
  TfrcTime due;
  uint32_t size;
  unsigned frame;               /* the newest in it */
  unsigned copies;              /* redundant copies in it: bit i is copy 1 + i of the frame's `copies` */
  uint16_t seq;
  TfrcStamp stamp;
} Packet;

/* The path: bit/s by second, a drop-tail queue of so many seconds, random loss. */
static struct
{
  TfrcTime one_way;
  double capacity[SECONDS], queue_s, loss, loss_burst;
  double cross[SECONDS];        /* bit/s of others in the same queue */
  double aside_s, aside_bytes;  /* packets of others in the same queue come so many s apart on the mean, of so many bytes */
  double bucket;                /* bytes that pass at once on a link that was idle (a token bucket) */
  double stall[SECONDS];        /* s that the link stands still as a second begins */
  double report_loss;           /* share of reports lost */
  bool out[SECONDS];            /* nothing arrives in either direction */
  double busy;                  /* s, mean time for which each end, about once a second, gets no processor */
  bool in_bytes;                /* the queue has room for a small packet where a large one is dropped */
  bool rtt_is_known;            /* by a handshake, before the call begins */
  bool fixed;                   /* the ladder's only point is sent without congestion control */
  bool old_receiver;            /* whose reports name no transit time and no arrivals, and which does not say its latency */
  bool unlisted;                /* reports list no arrivals */
  bool unasked;                 /* no RTCP asks for the round-trip time, as in sessions of others */
  bool tcp, cubic;              /* a greedy flow */
  double tcp_begins;            /* s, and up to TCP_BEGINS_WITHIN later */
} path;

static struct
{
  TcpFlow flow;
  double bytes[SECONDS];        /* acknowledged */
} tcp;

/* A report under way. */
typedef struct
{
  TfrcTime due;
  TfrcReport report;
} ReportPacket;

/* RTCP asks for the round-trip time before any report, and the remote end answers (RFC 3611 4.4, 4.5). */
typedef struct
{
  TfrcTime next;                /* when it asks, or asks again; TFRC_TIME_NONE: RTCP has come */
  TfrcTime asked;               /* when it asked last; 0: not yet */
  TfrcTime heard, answered;     /* when that is at the remote end, and its answer here; TFRC_TIME_NONE: not under way */
} Question;

/* Packets in a row that were all later, or earlier, than what is played. */
typedef struct
{
  TfrcTime since, fastest;      /* arrival of the first; their least transit time */
} Outliers;

/* One direction of a conversation: data sender, link, data receiver and its reports. */
typedef struct
{
  union
  {
    max_align_t align;
    unsigned char bytes[1 << 20];
  } sender_block, receiver_block, adapt_block;
  TfrcSender *sender;
  TfrcReceiver *receiver;
  TfrcAdapt *adapt;
  TfrcAdaptChoice choice;

  Packet waiting[FLIGHT], flying[FLIGHT];
  Frame frames[FRAMES];
  unsigned n_frames, waiting_in, waiting_out, flying_in, flying_out;
  TfrcTime link_free, next_frame, next_report_at, sent_at;
  TfrcTime sender_runs, receiver_runs;  /* from when on each end has the processor */
  Outliers late, early;
  double late_share;            /* of the last packets */
  TfrcTime followed, fastest, fastest_of_window, fastest_next, window_end;
  TfrcAdaptConditions last_sent;
  ReportPacket reports[REPORTS];
  unsigned reports_in, reports_out;
  Question question;
  bool in_burst;
  double report_credit;         /* reports that RTCP's share allows at once */
  uint16_t seq;
  unsigned n_arrived, highest;
  TfrcTime next_rr;
  TfrcAdaptLossShare loss_share;
  TfrcAdaptFrameArrivals arrivals;      /* of frames, which their number names */

  struct
  {
    unsigned packets, lost, dropped, switches, suspensions;
    double wire[SECONDS];       /* bytes handed to the link in each second */
    TfrcAdaptPoint point[SECONDS];      /* at the end of each second */
    double bitrate[SECONDS];    /* of it; 0: suspended */
    double delay[FRAMES];       /* s over ONE_WAY, of each packet that arrived */
    double allowed[SECONDS], p[SECONDS], R[SECONDS];
    unsigned n_delays;
  } seen;
} Call;

static Call calls[2], *call = calls;    /* the direction that is being looked at */
static unsigned n_calls = 1;    /* 2: the reports of each cross the link of the other */
static TfrcTime now;
static uint64_t random_state;
static uint64_t call_seed = 1;
static double max_delay;        /* s from capture to playout, less the path's own, which the application knows of; 0: it
                                 * does not, and the data receiver says its latency */
static TfrcTime latency = 400 * TFRC_MSEC;      /* of the jitter buffer */
static const TfrcAdaptPoint *only;      /* the ladder's only point; NULL: the limits say */

/* What a test may do besides, with the same packets. */
static struct
{
  void (*departed) (const Packet * packet, bool backlogged);
  void (*limited) (void);
  void (*arrived) (const Packet * packet);
  void (*stepped) (void);
  bool (*lose) (Call * link);   /* draws the random losses in place of draw_loss() */
} hooks;



static double
draw (void)
{
  random_state = random_state * UINT64_C (6364136223846793005) + 1442695040888963407;
  return (double) (random_state >> 11) * 0x1p-53;
}

static unsigned
second (void)
{
  unsigned s = (unsigned) ((now - BEGIN) / TFRC_SEC);

  return s < SECONDS ? s : SECONDS - 1;
}

static void
start_call (const TfrcAdaptLadderLimits * limits)
{
  TfrcConfig config;
  TfrcAdaptConfig adapt_config;
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
  unsigned n;

  memset (call, 0, sizeof (*call));
  call->link_free = call->next_report_at = call->sent_at = now;
  call->report_credit = REPORT_BURST;
  call->fastest = TFRC_TIME_NONE;
  call->next_rr = now + TFRC_SEC / 2;
  tfrc_adapt_loss_share_init (&call->loss_share);
  tfrc_adapt_frame_arrivals_init (&call->arrivals);
  call->next_frame = now + (TfrcTime) (draw () * 20e6);
  call->question = (Question) {.next = now,.heard = TFRC_TIME_NONE,.answered = TFRC_TIME_NONE};

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  config.initial_rtt = path.rtt_is_known ? 2 * path.one_way : 0;
  CHECK (tfrc_sender_size (&config) <= sizeof (call->sender_block));
  CHECK (tfrc_receiver_size (&config) <= sizeof (call->receiver_block));
  call->sender = tfrc_sender_init (call->sender_block.bytes, &config, now);
  call->receiver = tfrc_receiver_init (call->receiver_block.bytes, &config, now);
  n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, limits);
  if (only != NULL) {
    ladder[0] = *only;
    n = 1;
  }
  CHECK (tfrc_adapt_size (n) <= sizeof (call->adapt_block));
  tfrc_adapt_config_init (&adapt_config);
  if (max_delay > 0)
    adapt_config.max_delay = max_delay + (double) path.one_way * 1e-9;
  call->adapt = tfrc_adapt_init (call->adapt_block.bytes, &adapt_config, ladder, n, now);
  tfrc_adapt_get_choice (call->adapt, &call->choice);
  tfrc_sender_set_max_packet_size (call->sender, call->choice.largest_packet, now);
}

static void
start_calls (const TfrcAdaptLadderLimits * limits, unsigned directions)
{
  now = BEGIN;
  random_state = call_seed;
  draw ();
  n_calls = directions;
  for (call = calls; call < calls + n_calls; call++)
    start_call (limits);
  call = calls;
  memset (&tcp, 0, sizeof (tcp));
  tcp_flow_init (&tcp.flow, path.cubic, 2 * path.one_way, now + (TfrcTime) ((path.tcp_begins + draw () * TCP_BEGINS_WITHIN) * 1e9));
}

static void
start_with (const TfrcAdaptLadderLimits * limits)
{
  start_calls (limits, 1);
}

static void
start (void)
{
  TfrcAdaptLadderLimits limits;

  tfrc_adapt_ladder_limits_init (&limits);
  start_with (&limits);
}

/* Both ends send, over a link each of the same kind. */
__attribute__ ((unused)) static void
start_two_way (void)
{
  TfrcAdaptLadderLimits limits;

  tfrc_adapt_ladder_limits_init (&limits);
  start_calls (&limits, 2);
}

static void
set_path (double bits, double queue_s, double loss)
{
  memset (&path, 0, sizeof (path));
  for (unsigned i = 0; i < SECONDS; i++)
    path.capacity[i] = bits;
  path.one_way = ONE_WAY;
  path.queue_s = queue_s;
  path.loss = loss;
}

/* --- the link ------------------------------------------------------------------ */

/* Whether the next packet is one of the random losses. */
static bool
draw_loss (Call * link)
{
  if (path.loss_burst > 1.0) {
    double p = link->in_burst ? 1.0 - 1.0 / path.loss_burst
        : path.loss / path.loss_burst / (1.0 - path.loss);

    link->in_burst = draw () < p;
    return link->in_burst;
  }
  return draw () < path.loss;
}

/* When a packet that no random loss took is through the link of a direction; 0: the queue or an outage took it. */
static TfrcTime
join_queue (Call * link, double bytes)
{
  double capacity = path.capacity[second ()] - path.cross[second ()];

  TfrcTime saved = (TfrcTime) (8.0 * path.bucket / capacity * 1e9);

  link->link_free = link->link_free + saved > now ? link->link_free : now - saved;
  if (path.out[second ()] || ((double) link->link_free - (double) now > path.queue_s * 1e9
          && !(path.in_bytes && bytes < TCP_WIRE / 2)))
    return 0;
  link->link_free += (TfrcTime) (8.0 * bytes / capacity * 1e9);
  return (link->link_free > now ? link->link_free : now) + path.one_way;
}

/* When a packet of data is through the link of a direction; 0: lost. */
static TfrcTime
cross (Call * link, double bytes)
{
  bool lost = hooks.lose ? hooks.lose (link) : draw_loss (link);

  return lost ? 0 : join_queue (link, bytes);
}

/* The same for RTCP, whose losses no hook sees. */
static TfrcTime
cross_as_rtcp (Call * link, double bytes)
{
  return draw_loss (link) ? 0 : join_queue (link, bytes);
}

/* --- TCP ----------------------------------------------------------------------- */

static void
run_tcp (void)
{
  double before = tcp.flow.bytes;

  if (!path.tcp)
    return;
  tcp_take_acks (&tcp.flow, TCP_WIRE, now);
  tcp.bytes[second ()] += tcp.flow.bytes - before;
  while (tcp_may_send (&tcp.flow, now)) {
    TfrcTime due = cross (call, TCP_WIRE);

    /* No two stations take the same time over a packet. */
    tcp_on_sent (&tcp.flow, due != 0 ? due + path.one_way + (TfrcTime) (draw () * TCP_SPREAD) : 0, now);
  }
}

/* --- the call ------------------------------------------------------------------ */

static void
on_adapt (unsigned bits)
{
  call->seen.switches += (bits & TFRC_ADAPT_POINT) != 0;
  call->seen.suspensions += (bits & TFRC_ADAPT_SUSPENDED) != 0;
  tfrc_adapt_get_choice (call->adapt, &call->choice);
}

static bool
differs (double value, double last, double notice)
{
  return fabs (value - last) > notice * last;
}

/* What the send filter keeps to itself: less than a listener upstream would follow. */
static bool
is_news (const TfrcAdaptConditions * c)
{
  const TfrcAllowance *a = &c->allowance, *last = &call->last_sent.allowance;

  if (c->expired || a->X_wire < 0.95 * last->X_wire || now - call->sent_at >= TFRC_SEC / 2)
    return true;
  return (differs (a->X_wire, last->X_wire, 0.05) || differs (a->p, last->p, 0.2)
      || differs (a->R_sample, last->R_sample, 0.1)) && (double) (now - call->sent_at) >= a->R * 1e9;
}

/* What rtptfrcsend sends upstream. */
static void
send_conditions (bool expired)
{
  TfrcAdaptConditions c = {.mode = TFRC_MODE_TFRC_SP,.H = 40,.overhead = RTP,
    .loss = tfrc_adapt_loss_share_get (&call->loss_share),.expired = expired };

  tfrc_sender_get_allowance (call->sender, &c.allowance);
  if (call->question.next == TFRC_TIME_NONE && !path.old_receiver)
    c.playout = (double) latency * 1e-9;
  c.known_after = tfrc_adapt_frame_arrivals_get_delay (&call->arrivals);
  if (call->waiting_in != call->waiting_out)
    c.queue = (double) (now - call->frames[call->waiting[call->waiting_out % FLIGHT].frame].made) * 1e-9;
  call->seen.p[second ()] = c.allowance.p;
  call->seen.R[second ()] = c.allowance.R_sample;
  call->seen.allowed[second ()] = c.allowance.X_wire;
  if (path.fixed || !is_news (&c))
    return;
  call->last_sent = c;
  call->sent_at = now;
  on_adapt (tfrc_adapt_on_conditions (call->adapt, &c, now));
}

static void
onto_the_link (Packet packet)
{
  call->seen.packets++;
  call->seen.wire[second ()] += packet.size + IP_UDP;
  packet.due = cross (call, packet.size + IP_UDP);
  if (packet.due == 0)
    call->seen.lost++;
  else
    call->flying[call->flying_in++ % FLIGHT] = packet;
}

static unsigned
count_bits (unsigned copies)
{
  unsigned n = 0;

  for (; copies != 0; copies &= copies - 1)
    n++;
  return n;
}

static uint32_t
get_size (const TfrcAdaptPoint * of, unsigned copies)
{
  TfrcAdaptPoint point = *of;

  point.redundancy = (uint8_t) count_bits (copies);
  return tfrc_adapt_point_get_payload_size (&point) + RTP;
}

/* Takes out the redundant copies that a packet has waited too long with, and returns whether it had any. */
static bool
shed_copies (Packet * packet)
{
  const Frame *frame = &call->frames[packet->frame];
  double share = (double) (now - frame->made) / (double) call->choice.queue_time;
  unsigned latest = packet->copies & ~(packet->copies - 1);
  unsigned left = share < KEEPS_ONE ? packet->copies : share < KEEPS_NONE ? latest : 0;

  if (packet->copies == left)
    return false;
  packet->copies = left;
  packet->size = get_size (&frame->point, left);
  return true;
}

/* The frame of a packet's own (0), or of one of its copies (1 and more). */
static unsigned
get_frame (const Packet * packet, unsigned copy)
{
  return packet->frame - tfrc_adapt_copies_get_age (&call->frames[packet->frame].copies, copy);
}

static bool
has_copy (const Packet * packet, unsigned copy)
{
  return copy == 0 || (packet->copies >> (copy - 1) & 1);
}

/* Takes out the copies of frames that are known to have arrived. */
static void
leave_out_copies (Packet * packet)
{
  for (unsigned i = 1; i <= TFRC_ADAPT_COPIES_MAX; i++)
    if (has_copy (packet, i) && tfrc_adapt_frame_arrivals_has (&call->arrivals, get_frame (packet, i)))
      packet->copies &= ~(1u << (i - 1));
  packet->size = get_size (&call->frames[packet->frame].point, packet->copies);
}

static void
note_departure (const Packet * packet)
{
  uint64_t frames[1 + TFRC_ADAPT_COPIES_MAX];
  unsigned n = 0;

  for (unsigned i = 0; i <= TFRC_ADAPT_COPIES_MAX; i++)
    if (has_copy (packet, i))
      frames[n++] = get_frame (packet, i);
  tfrc_adapt_frame_arrivals_on_departure (&call->arrivals, packet->stamp.t_i_us, packet->seq, frames, n, now);
}

static void
depart (void)
{
  while (call->waiting_out != call->waiting_in) {
    Packet *packet = &call->waiting[call->waiting_out % FLIGHT];

    if (now - call->frames[packet->frame].made > call->choice.queue_time) {
      call->seen.dropped++;
      call->waiting_out++;
      continue;
    }
    if (!path.fixed)
      leave_out_copies (packet);
    if (!path.fixed && tfrc_sender_next_departure (call->sender, packet->size) > now) {
      if (shed_copies (packet))
        continue;
      tfrc_sender_on_limited (call->sender, now);
      if (hooks.limited)
        hooks.limited ();
      return;
    }
    call->waiting_out++;
    packet->seq = call->seq++;
    tfrc_sender_on_departure (call->sender, packet->size, call->waiting_out != call->waiting_in, &packet->stamp, now);
    note_departure (packet);
    if (hooks.departed)
      hooks.departed (packet, call->waiting_out != call->waiting_in);
    onto_the_link (*packet);
  }
}

/* As an encoder that makes what its bit rate says; copies are not its own. */
static void
tell_encoded (void)
{
  TfrcAdaptPoint point = call->choice.point;

  point.redundancy = 0;
  if (!path.fixed)
    tfrc_adapt_on_encoded (call->adapt, tfrc_adapt_point_get_payload_size (&point), now);
}

/* The copies of the packet that is made now: the first packets of a call have none to repeat. */
static unsigned
get_copies (void)
{
  unsigned frame = call->n_frames - 1, n = call->frames[frame].copies.n;

  while (tfrc_adapt_copies_get_age (&call->frames[frame].copies, n) > frame)
    n--;
  return (1u << n) - 1;
}

static void
encode (void)
{
  unsigned copies;

  call->next_frame += (TfrcTime) call->choice.point.frame_us * 1000;
  if (call->n_frames < FRAMES)
    call->frames[call->n_frames++] = (Frame) {.made = now,.point = call->choice.point,.copies = call->choice.copies };
  copies = get_copies ();
  if (!call->choice.suspended)
    call->waiting[call->waiting_in++ % FLIGHT] = (Packet) {
      .frame = call->n_frames - 1,.copies = copies,.size = get_size (&call->choice.point, copies)
    };
  tell_encoded ();
  if (!path.fixed && now >= tfrc_adapt_next_timer (call->adapt))
    on_adapt (tfrc_adapt_on_timer (call->adapt, now));
}

static void
hear (Frame * frame)
{
  if (frame->heard)
    return;
  frame->heard = true;
  frame->wait = 1e-9 * (double) (now - path.one_way - frame->made)
      + 1e-6 * frame->point.frame_us;
}

static void
begin_window (TfrcTime fastest)
{
  call->fastest = call->fastest_of_window = call->fastest_next = fastest;
  call->window_end = now + BUFFER_WINDOW;
  call->followed = now;
  call->late = call->early = (Outliers) {.since = TFRC_TIME_NONE};
}

/* Whether all packets of SHIFTED_FOR were later, or earlier, than any that is played. */
static bool
have_shifted (Outliers * outliers, bool out, TfrcTime transit)
{
  if (!out) {
    outliers->since = TFRC_TIME_NONE;
    return false;
  }
  if (outliers->since == TFRC_TIME_NONE)
    *outliers = (Outliers) {now, transit};
  if (transit < outliers->fastest)
    outliers->fastest = transit;
  return now - outliers->since >= SHIFTED_FOR;
}

static void
follow_shifts (TfrcTime transit)
{
  if (have_shifted (&call->late, transit > call->fastest + latency, transit))
    begin_window (call->late.fastest);
  if (have_shifted (&call->early, transit + latency < call->fastest, transit))
    begin_window (call->early.fastest);
}

/* As tfrcsrc does: times follow the least transit time of this window and the one before, slowly where it has become longer. */
static void
follow_fastest (TfrcTime transit)
{
  bool first = now < BEGIN + ONE_WAY + BUFFER_WINDOW;
  double behind, most;

  if (call->fastest == TFRC_TIME_NONE)
    begin_window (transit);
  if (now >= call->window_end) {
    call->fastest_of_window = call->fastest_next;
    call->fastest_next = transit;
    call->window_end = now + BUFFER_WINDOW;
  }
  if (transit < call->fastest_next)
    call->fastest_next = transit;
  follow_shifts (transit);
  call->late_share += ((transit > call->fastest + latency) - call->late_share) / LATE_MEMORY;
  behind = fmin ((double) call->fastest_of_window, (double) call->fastest_next) - (double) call->fastest;
  most = (double) (now - call->followed) * (first ? FIRST_SLOPE : behind > 0 && call->late_share < MANY_LATE ? LATER_SLOPE : SLOPE);
  call->fastest += (TfrcTime) fmax (-most, fmin (behind, most));
  call->followed = now;
}

/* Whether what arrives now restores a frame before it is due. A copy may come until the packet after that of the frame
 * is due, as in tfrcdecodebin. */
static bool
is_in_time (unsigned frame, unsigned copy)
{
  TfrcTime due = call->frames[frame].made + call->fastest + latency;

  return now <= due + (copy > 0 ? (TfrcTime) call->frames[frame].point.frame_us * 1000 : 0);
}

/* What the jitter buffer does with a packet that arrives now. */
static void
take_into_buffer (const Packet * packet)
{
  follow_fastest (now - call->frames[packet->frame].made);
  call->frames[packet->frame].arrived = is_in_time (packet->frame, 0);
  for (unsigned i = 0; i <= TFRC_ADAPT_COPIES_MAX; i++)
    if (has_copy (packet, i) && is_in_time (get_frame (packet, i), i))
      hear (&call->frames[get_frame (packet, i)]);
}

static void
arrive (void)
{
  Packet *packet = &call->flying[call->flying_out++ % FLIGHT];
  TfrcPacket p = {.seq = packet->seq,.size = packet->size,.stamped = true,.stamp = packet->stamp};
  TfrcTime transit = now - call->frames[packet->frame].made;

  take_into_buffer (packet);
  if (call->seen.n_delays < N_OF (call->seen.delay))
    call->seen.delay[call->seen.n_delays++] = (double) (transit - path.one_way) * 1e-9;
  call->n_arrived++;
  call->highest = packet->seq;
  tfrc_receiver_on_packet (call->receiver, &p, now);
  if (hooks.arrived)
    hooks.arrived (packet);
}

/* s from compound packet to compound packet: an eighth of the share of RTCP, as in the plugin's rtcp/reportinterval. */
static double
get_compound_interval (void)
{
  double interval = COMPOUND_WIRE / (RTCP_SHARE / 8 * call->choice.need);

  return fmin (3, fmax (1, interval));
}

/* A receiver report in each compound packet: what it says is a delay old when it is used. */
static void
make_receiver_report (void)
{
  if (now < call->next_rr || call->n_arrived == 0 || path.out[second ()])
    return;
  tfrc_adapt_loss_share_update (&call->loss_share, call->highest, (int32_t) (call->highest + 1 - call->n_arrived));
  call->next_rr = now + (TfrcTime) (get_compound_interval () * 1e9);
}

/* bytes/s of the data that arrive; in the first seconds, which are not over yet, what is sent. */
static double
get_arriving (void)
{
  unsigned s = second ();
  double lost = fmax (0, tfrc_adapt_loss_share_get (&call->loss_share));

  return s < 2 ? call->choice.need : (1 - lost) * (call->seen.wire[s - 2] + call->seen.wire[s - 1]) / 2;
}

/* Of what arrives, for reports, as in the plugin's rtcp/reportinterval. */
static double
get_report_share (void)
{
  double p = call->last_sent.allowance.p;

  if (path.old_receiver || path.unlisted || !(p > MANY_LOSSES))
    return RTCP_SHARE;
  return p > MOST_LOSSES && call->last_sent.allowance.R <= 0.25 ? 8 * RTCP_SHARE : 2 * RTCP_SHARE;
}

/* s from report to report, at least a tenth: one leaves in each compound packet, and the others in what that leaves of the share of
 * RTCP. */
static double
get_report_interval (void)
{
  double compound = 1 / get_compound_interval ();       /* packets/s */
  double share = get_report_share ();
  bool lists = share > RTCP_SHARE;
  double rate = lists ? get_arriving () : call->choice.need;
  double left = fmax (0, share * rate - compound * COMPOUND_WIRE);

  return fmax (0.1, 1 / (compound + left / (lists ? LIST_WIRE : REPORT_WIRE)));
}

/* When a report is there: the link of the other direction has it, where there is one. */
static TfrcTime
cross_back (void)
{
  if (path.report_loss > 0 && draw () < path.report_loss)
    return 0;
  if (n_calls == 2)
    return cross_as_rtcp (&calls[call == calls], REPORT_WIRE);
  return path.out[second ()] ? 0 : now + path.one_way;
}

/* As RTCP would carry them. */
static void
make_report (void)
{
  ReportPacket *packet = &call->reports[call->reports_in % REPORTS];

  call->report_credit = fmin (REPORT_BURST, call->report_credit + STEP * 1e-9 / get_report_interval ());
  if (now < call->next_report_at || call->report_credit < 1 || !tfrc_receiver_wants_report (call->receiver)
      || !tfrc_receiver_make_report (call->receiver, &packet->report, now))
    return;
  packet->report.timed = !path.old_receiver;
  packet->report.lists_arrivals = packet->report.timed && !path.unlisted && packet->report.p_q32 > 0;
  call->report_credit -= 1;
  call->next_report_at = now + 100 * TFRC_MSEC;
  packet->due = cross_back ();
  if (packet->due != 0)
    call->reports_in++;
}

/* When what crosses a link arrives; TFRC_TIME_NONE: it is lost. */
static TfrcTime
get_arrival (TfrcTime due)
{
  return due != 0 ? due : TFRC_TIME_NONE;
}

/* Asks while no RTCP comes. */
static void
ask (void)
{
  Question *question = &call->question;
  TfrcTime after = question->asked == 0 ? SECOND_QUESTION : TFRC_SEC;

  if (path.fixed || path.unasked || now < question->next)
    return;
  question->next = now + (TfrcTime) ((1 - QUESTION_SPREAD * draw ()) * (double) after);
  if (question->heard != TFRC_TIME_NONE || question->answered != TFRC_TIME_NONE)
    return;                     /* a queue holds the last one, which is answered in time */
  question->asked = now;
  question->heard = get_arrival (cross_as_rtcp (call, QUESTION_WIRE));
}

static void
answer (void)
{
  if (now < call->question.heard)
    return;
  call->question.heard = TFRC_TIME_NONE;
  call->question.answered = get_arrival (cross_back ());
}

static void
take_answer (void)
{
  if (now < call->question.answered)
    return;
  call->question.next = call->question.answered = TFRC_TIME_NONE;
  if (tfrc_sender_on_rtt (call->sender, now - call->question.asked, now) & TFRC_SENDER_RATE)
    send_conditions (false);
}

static void
on_report (const TfrcReport * report)
{
  call->question.next = TFRC_TIME_NONE;
  if (tfrc_sender_on_report (call->sender, report, now) & TFRC_SENDER_REJECTED)
    return;
  tfrc_adapt_frame_arrivals_on_report (&call->arrivals, report, now);
  send_conditions (false);
}

/* Those that are there now. */
static void
take_reports (void)
{
  while (call->reports_out != call->reports_in && call->reports[call->reports_out % REPORTS].due <= now)
    on_report (&call->reports[call->reports_out++ % REPORTS].report);
}

static void
send_aside (void)
{
  if (path.aside_s > 0 && draw () < STEP * 1e-9 / path.aside_s)
    cross (call, path.aside_bytes);
}

static void
stall (void)
{
  TfrcTime until = now + (TfrcTime) (path.stall[second ()] * 1e9);

  call->link_free = call->link_free > until ? call->link_free : until;
}

/* Whether an end has the processor. On a busy machine it sometimes has to wait. */
static bool
has_processor (TfrcTime * runs)
{
  if (path.busy > 0 && now >= *runs && draw () < STEP * 1e-9)
    *runs = now + (TfrcTime) (-log (1 - draw ()) * path.busy * 1e9);
  return now >= *runs;
}

static void
step_sender (void)
{
  ask ();
  if (now >= call->next_frame)
    encode ();
  depart ();
}

static void
step_sender_reports (void)
{
  take_answer ();
  take_reports ();
  if (tfrc_sender_next_timer (call->sender) <= now) {
    tfrc_sender_on_timer (call->sender, now);
    send_conditions (true);
  }
}

static void
step_receiver (void)
{
  while (call->flying_out != call->flying_in && call->flying[call->flying_out % FLIGHT].due <= now)
    arrive ();
  if (tfrc_receiver_next_timer (call->receiver) <= now)
    tfrc_receiver_on_timer (call->receiver, now);
  answer ();
  make_report ();
  make_receiver_report ();
}

static void
step (void)
{
  bool sender_runs = has_processor (&call->sender_runs);

  if ((now - BEGIN) % TFRC_SEC == 0)
    stall ();
  send_aside ();
  if (sender_runs)
    step_sender ();
  if (has_processor (&call->receiver_runs))
    step_receiver ();
  if (sender_runs)
    step_sender_reports ();
  if (hooks.stepped)
    hooks.stepped ();
  call->seen.point[second ()] = call->choice.point;
  call->seen.bitrate[second ()] = call->choice.suspended ? 0 : call->choice.point.bitrate;
}

static void
run (unsigned seconds)
{
  TfrcTime end = now + seconds * TFRC_SEC;

  for (; now < end; now += STEP) {
    run_tcp ();
    for (call = calls; call < calls + n_calls; call++)
      step ();
    call = calls;
  }
}

#include "call-score.h"

#endif
