/* libtfrc: a sender and a receiver joined by a path, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An application hands out a frame each `frame`; it waits in a queue until the
 * sender lets it go, crosses a bottleneck (capacity, bounded queue, random loss) and
 * a delay, and reports come back over a delay alone. Each direction can be cut. */
#ifndef TFRC_TEST_PATH_H
#define TFRC_TEST_PATH_H

#include "flow.h"

#include <tfrc/receiver.h>

#define PATH_FLIGHT 4096        /* packets or reports on their way */

typedef struct
{
  TfrcTime arrival;
  union
  {
    TfrcPacket packet;
    TfrcReport report;
  };
} PathItem;

typedef struct
{
  PathItem items[PATH_FLIGHT];
  unsigned first, n;
} PathQueue;

/* A bottleneck that several paths share: a drop-tail queue of so many packets. */
typedef struct
{
  double capacity;              /* bytes/s */
  unsigned room;                /* packets, PATH_FLIGHT at most */
  TfrcTime leaves[PATH_FLIGHT]; /* when the packets in the queue are through */
  unsigned first, n;
} PathLink;

typedef struct
{
  Flow flow;
  TfrcReceiver *receiver;

  TfrcTime frame, delay;        /* of the encoder; one way */
  uint32_t size;                /* bytes of a segment */
  double capacity;              /* bytes/s with `headers` each; 0: without limit */
  TfrcTime queue;               /* the bottleneck holds so much */
  unsigned headers;
  double loss;                  /* of packets, at random */
  unsigned loss_run;            /* a loss takes so many packets in a row; 0: one */
  unsigned losing;              /* that are still to be lost of the run */
  double aqm;                   /* of packets that the bottleneck loses when `queue` is full, less in
                                 * proportion when it holds less; 0: drop-tail alone */
  bool mark;                    /* what would be lost at random or by `aqm` is marked "CE" instead */
  TfrcTime jitter;              /* each packet arrives up to so much later, at random */
  unsigned keep;                /* only one packet in so many arrives; 0: each */
  TfrcTime late;                /* so much later the next packet arrives */
  TfrcTime patience;            /* a frame waits at most so long to leave */
  bool cut_data, cut_reports;

  TfrcTime now, next_frame, link_free;
  unsigned waiting;             /* frames */
  TfrcTime since[PATH_FLIGHT];  /* when they began to wait */
  unsigned oldest;
  uint16_t seq;
  uint64_t random;

  PathQueue data, reports;
  uint32_t highest;             /* extended sequence number of the packets that arrived */
  uint64_t sent, sent_bytes, arrived, dropped_waiting, expiries;
  TfrcTime longest_wait;
  TfrcTime timer_set, timer_ran;        /* nofeedback timer: when it was set; how long the last ran */
  double X_set, X_ran;          /* X before it was set; of the one that ran out last */
  PathLink *link;               /* the bottleneck that this path shares with others; NULL: its own */
  void (*on_departure) (void *user, TfrcTime now);
  void (*on_feedback) (void *user, TfrcTime now);       /* a report or an expiry has changed the state */
  void *user;
} Path;

static Path *
make_path (const TfrcConfig * config, uint32_t size, TfrcTime frame, TfrcTime delay)
{
  Path *path = calloc (1, sizeof (Path));
  void *block = malloc (tfrc_receiver_size (config));

  CHECK (path != NULL && block != NULL);
  path->flow = make_flow (config, 0);
  path->receiver = tfrc_receiver_init (block, config, 0);
  path->frame = frame;
  path->delay = delay;
  path->size = size;
  path->headers = config->H;
  path->queue = MS (200);
  path->patience = MS (200);
  path->random = config->seed + 1;
  return path;
}

static void
free_path (Path * path)
{
  free_flow (&path->flow);
  free (path->receiver);
  free (path);
}

static double
path_random (Path * path)
{
  path->random = path->random * 6364136223846793005u + 1442695040888963407u;
  return (double) (path->random >> 11) * 0x1p-53;
}

static PathItem *
path_get (PathQueue * queue, unsigned i)
{
  return &queue->items[(queue->first + i) % PATH_FLIGHT];
}

/* The queue is sorted by arrival; of equal ones the first pushed comes first. */
static PathItem *
path_push (PathQueue * queue, TfrcTime arrival)
{
  unsigned i = queue->n++;

  CHECK (i < PATH_FLIGHT);
  for (; i > 0 && path_get (queue, i - 1)->arrival > arrival; i--)
    *path_get (queue, i) = *path_get (queue, i - 1);
  path_get (queue, i)->arrival = arrival;
  return path_get (queue, i);
}

static TfrcTime
path_next (const PathQueue * queue)
{
  return queue->n > 0 ? queue->items[queue->first].arrival : TFRC_TIME_NONE;
}

static PathItem *
path_pop (PathQueue * queue)
{
  PathItem *item = &queue->items[queue->first];

  queue->first = (queue->first + 1) % PATH_FLIGHT;
  queue->n--;
  return item;
}

/* Whether the path takes the packet for its message of congestion, with so much in the queue. */
static bool
path_picks (Path * path, TfrcTime queued)
{
  double p = path->loss + path->aqm * (double) queued / (double) path->queue;

  if (path->losing > 0)
    return path->losing-- > 0;
  if (!(p > 0) || path_random (path) >= p)
    return false;
  path->losing = path->loss_run > 0 ? path->loss_run - 1 : 0;
  return true;
}

/* When a packet of `bytes` is through the link; TFRC_TIME_NONE: it is lost. */
static TfrcTime
path_link_cross (PathLink * link, double bytes, TfrcTime now)
{
  TfrcTime begin = now;

  while (link->n > 0 && link->leaves[link->first] <= now) {
    link->first = (link->first + 1) % PATH_FLIGHT;
    link->n--;
  }
  if (link->n == link->room)
    return TFRC_TIME_NONE;
  if (link->n > 0)
    begin = link->leaves[(link->first + link->n - 1) % PATH_FLIGHT];
  return link->leaves[(link->first + link->n++) % PATH_FLIGHT] = begin + (TfrcTime) (bytes / link->capacity * 1e9);
}

/* The same for the path's own bottleneck, whose queue is limited in time. */
static TfrcTime
path_cross (Path * path, double bytes)
{
  TfrcTime begin = path->link_free > path->now ? path->link_free : path->now;

  if (path->link != NULL)
    return path_link_cross (path->link, bytes, path->now);
  if (!(path->capacity > 0))
    return path->now;
  if (begin - path->now > path->queue)
    return TFRC_TIME_NONE;
  return path->link_free = begin + (TfrcTime) (bytes / path->capacity * 1e9);
}

static void
path_transmit (Path * path)
{
  TfrcTime arrival;
  uint16_t seq = path->seq++;
  bool picked = path_picks (path, path->link_free > path->now ? path->link_free - path->now : 0);

  if (picked && !path->mark)
    return;

  arrival = path_cross (path, path->size + path->headers);
  if (arrival == TFRC_TIME_NONE)
    return;
  if (path->cut_data)
    return;
  if (path->keep > 0 && path->sent % path->keep != 0)
    return;
  if (path->jitter > 0)
    arrival += (TfrcTime) (path_random (path) * (double) path->jitter);
  path_push (&path->data, arrival + path->delay + path->late)->packet = (TfrcPacket) {
    .seq = seq,.size = path->size,.stamped = true,.ce = picked,.stamp = path->flow.stamp,
  };
  path->late = 0;
}

static void
path_depart (Path * path)
{
  TfrcTime wait = path->now - path->since[path->oldest % PATH_FLIGHT];

  path->oldest++;
  path->waiting--;
  if (wait > path->longest_wait)
    path->longest_wait = wait;
  depart (&path->flow, path->size, path->waiting > 0, path->now);
  path->sent++;
  path->sent_bytes += path->size;
  path_transmit (path);
  if (path->on_departure)
    path->on_departure (path->user, path->now);
}

static void
path_report (Path * path)
{
  TfrcReport r;

  if (tfrc_receiver_make_report (path->receiver, &r, path->now) && !path->cut_reports)
    path_push (&path->reports, path->now + path->delay)->report = r;
}

static void
path_on_frame (Path * path)
{
  path->since[(path->oldest + path->waiting++) % PATH_FLIGHT] = path->now;
  path->next_frame += path->frame;
  if (tfrc_sender_next_departure (path->flow.sender, path->size) > path->now)
    tfrc_sender_on_limited (path->flow.sender, path->now);
  while (path->now - path->since[path->oldest % PATH_FLIGHT] > path->patience) {
    path->oldest++;
    path->waiting--;
    path->dropped_waiting++;
  }
}

static TfrcTime
path_next_departure (const Path * path)
{
  TfrcTime t;

  if (path->waiting == 0)
    return TFRC_TIME_NONE;
  t = tfrc_sender_next_departure (path->flow.sender, path->size);
  return t > path->now ? t : path->now;
}

static TfrcTime
path_min (TfrcTime a, TfrcTime b)
{
  return a < b ? a : b;
}

/* A report, or the nofeedback timer without one; each sets that timer anew. */
static void
path_on_feedback (Path * path, const TfrcReport * report)
{
  double X = stats_of (&path->flow).X;

  if (report) {
    tfrc_sender_on_report (path->flow.sender, report, path->now);
  } else {
    path->timer_ran = path->now - path->timer_set;
    path->X_ran = path->X_set;
    path->expiries += (tfrc_sender_on_timer (path->flow.sender, path->now) & TFRC_SENDER_EXPIRED) != 0;
    X = stats_of (&path->flow).X;
  }
  path->timer_set = path->now;
  path->X_set = X;
  if (path->on_feedback)
    path->on_feedback (path->user, path->now);
}

static void
path_step (Path * path)
{
  TfrcTime now = path->now;

  if (path_next (&path->data) <= now) {
    const TfrcPacket *packet = &path_pop (&path->data)->packet;

    if ((int16_t) (packet->seq - (uint16_t) path->highest) > 0)
      path->highest += (uint16_t) (packet->seq - (uint16_t) path->highest);
    if (tfrc_receiver_on_packet (path->receiver, packet, now) & TFRC_RECEIVER_REPORT)
      path_report (path);
    path->arrived++;
  } else if (path_next (&path->reports) <= now) {
    path_on_feedback (path, &path_pop (&path->reports)->report);
  } else if (tfrc_receiver_next_timer (path->receiver) <= now) {
    if (tfrc_receiver_on_timer (path->receiver, now) & TFRC_RECEIVER_REPORT)
      path_report (path);
  } else if (tfrc_sender_next_timer (path->flow.sender) <= now) {
    path_on_feedback (path, NULL);
  } else if (path->next_frame <= now) {
    path_on_frame (path);
  } else if (path_next_departure (path) <= now) {
    path_depart (path);
  }
}

/* When path_step() has something to do. */
static TfrcTime
path_next_step (const Path * path)
{
  TfrcTime next = path_min (path_next (&path->data), path_next (&path->reports));

  next = path_min (next, tfrc_receiver_next_timer (path->receiver));
  next = path_min (next, tfrc_sender_next_timer (path->flow.sender));
  return path_min (next, path_min (path->next_frame, path_next_departure (path)));
}

__attribute__ ((unused)) static void
path_run (Path * path, TfrcTime until)
{
  for (;;) {
    TfrcTime next = path_next_step (path);

    if (next > until)
      break;
    if (next > path->now)
      path->now = next;
    path_step (path);
  }
  path->now = until;
}

#endif
