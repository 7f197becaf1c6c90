/* tfrcadapt: the rate of an encoder of video that keeps the queue of the path short
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/video.h>

#include <math.h>

/* The shortest times are those of the last one to two windows, because routes change. */
#define FLOOR_WINDOW (15 * TFRC_SEC)
/* s of queue above which the limit is cut, and below which it grows, both beside the time of a packet, which is
 * long on a thin path. */
#define QUEUE_LONG 0.03
#define QUEUE_SHORT 0.015
/* s, the longest time of a packet that counts. */
#define PACKET_TIME_MAX 0.05
/* What arrives is averaged over so many s: video comes in frames of different size. */
#define CARRIED_MEMORY 0.3
/* A cut limits the encoder to this share of what arrives, so that a queue of 100 ms drains in half a second. The next
 * cut waits until the reports show this one. */
#define CUT_SHARE 0.8
#define CUT_WAIT (200 * TFRC_MSEC)
#define CUT_WAIT_RTTS 1.5
/* s by which a queue that drains has become shorter since the cut: more than jitter. */
#define DRAINS 0.02
/* After so many cuts in a row, which leave a third of the rate, the queue is one of competing traffic. It is judged
 * anew after COMPETING_FOR. */
#define CUTS_MAX 5
#define COMPETING_FOR (30 * TFRC_SEC)
/* Shares by which the limit grows in a second: near the rate that last brought a queue, and above it, where the path
 * has become better. */
#define GROWTH_NEAR 0.15
#define GROWTH_BEYOND 0.4
#define BEYOND 1.05
/* The limit is at most so many times what the encoder is set to. */
#define HEADROOM 1.5

/* The lowest values of a time, in s. */
typedef struct
{
  double low, low_next;         /* of this window and of the next one */
  bool known;
} Floor;

struct _TfrcAdaptVideo
{
  Floor R, transit;
  TfrcTime window_end;
  TfrcTime now;                 /* when the last allowance came */
  double queue;                 /* s, of the report before */
  double carried;               /* rate that arrives, mean; 0: not known */
  double capacity;              /* rate that arrived when a queue was found */
  double limit;                 /* INFINITY: none */
  TfrcTime cut_at;
  double queue_at_cut;          /* s */
  unsigned cuts;                /* since there was no queue */
  TfrcTime competing_until;     /* no limit until then */
};

size_t
tfrc_adapt_video_size (void)
{
  return sizeof (TfrcAdaptVideo);
}

TfrcAdaptVideo *
tfrc_adapt_video_init (void *block, TfrcTime now)
{
  TfrcAdaptVideo *video = block;

  *video = (TfrcAdaptVideo) {
      .now = now,
      .window_end = now + FLOOR_WINDOW,
      .limit = HUGE_VAL};
  return video;
}

/* Returns by how much `value` is above its floor. */
static double
measure_above (Floor * lowest, double value, bool new_window)
{
  if (!lowest->known)
    *lowest = (Floor) {value, value, true};
  if (new_window) {
    lowest->low = lowest->low_next;
    lowest->low_next = value;
  }
  lowest->low = fmin (lowest->low, value);
  lowest->low_next = fmin (lowest->low_next, value);
  return value - lowest->low;
}

/* s of queue on the way to the receiver. The round-trip time has the way back as well, the transit time the steps of
 * the receiver's clock: the lower one counts. */
static double
measure_queue (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    double R)
{
  bool new_window = video->now >= video->window_end;
  double queue = measure_above (&video->R, R, new_window);

  if (new_window)
    video->window_end = video->now + FLOOR_WINDOW;
  if (allowance->timed)
    return fmin (queue, measure_above (&video->transit, allowance->transit,
            new_window));
  video->transit.known = false;
  return queue;
}

static void
update_carried (TfrcAdaptVideo * video, double X_recv, double dt)
{
  if (!(X_recv > 0.0))
    return;
  if (!(video->carried > 0.0))
    video->carried = X_recv;
  video->carried += fmin (dt / CARRIED_MEMORY, 1.0) * (X_recv - video->carried);
}

static void
cut (TfrcAdaptVideo * video, double queue)
{
  if (video->cuts++ == 0)
    video->capacity = video->carried;
  video->limit = CUT_SHARE * fmin (video->limit, video->carried);
  video->cut_at = video->now;
  video->queue_at_cut = queue;
  if (video->cuts > CUTS_MAX) {
    video->limit = HUGE_VAL;
    video->competing_until = video->now + COMPETING_FOR;
    video->cuts = 0;
  }
}

/* There is a queue. A cut shows after a round-trip time; a queue that drains needs no other. */
static void
on_queue (TfrcAdaptVideo * video, double queue, double R)
{
  TfrcTime wait = CUT_WAIT + (TfrcTime) (CUT_WAIT_RTTS * R * 1e9);

  if (video->now < video->competing_until || !(video->carried > 0.0)
      || (video->cuts > 0 && video->now - video->cut_at < wait))
    return;
  if (video->cuts > 0 && queue < video->queue_at_cut - DRAINS) {
    video->queue_at_cut = queue;
    video->cut_at = video->now;
    return;
  }
  cut (video, queue);
}

static void
on_empty (TfrcAdaptVideo * video, double used, double dt)
{
  double growth = video->limit > BEYOND * video->capacity ? GROWTH_BEYOND
      : GROWTH_NEAR;

  video->cuts = 0;
  video->limit = fmin (video->limit * (1.0 + growth * fmin (dt, 1.0)),
      fmax (HEADROOM * used, video->limit));
}

void
tfrc_adapt_video_on_allowance (TfrcAdaptVideo * video,
    const TfrcAllowance * allowance, double used, TfrcTime now)
{
  double R = allowance->R_sample > 0.0 ? allowance->R_sample : allowance->R;
  double dt = now > video->now ? (double) (now - video->now) * 1e-9 : 0.0;
  double queue, packet_time, before = video->queue;

  if (now > video->now)
    video->now = now;
  if (!(R > 0.0))
    return;
  update_carried (video, allowance->X_recv, dt);
  video->queue = measure_queue (video, allowance, R);
  /* a single late packet is no queue */
  queue = fmin (video->queue, before);
  packet_time = video->carried > 0.0 ?
      fmin (allowance->s / video->carried, PACKET_TIME_MAX) : 0.0;
  if (queue > QUEUE_LONG + packet_time)
    on_queue (video, queue, R);
  else if (queue < QUEUE_SHORT + packet_time)
    on_empty (video, used, dt);
}

double
tfrc_adapt_video_get_limit (const TfrcAdaptVideo * video)
{
  return video->limit;
}
