/* tfrcadapt: the rate of video that leaves the queue of the path to voice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrcadapt/video.h>

#include <math.h>

#include "path-queue.h"

/* The shortest times are those of the last one to two windows, because routes change. */
#define FLOOR_WINDOW (15 * TFRC_SEC)
/* s of queue above which the limit is cut, and below which it grows, beside the time of a packet, which is long on a
 * thin path. */
#define QUEUE_LONG 0.03
/* s, the longest time of a packet that counts. */
#define PACKET_TIME_MAX 0.05
/* A queue counts as long as it was at its shortest in the last one to two of these times, or round-trip times. Large
 * frames and stalls of a machine make a queue that drains by itself within that. */
#define STANDS_FOR (250 * TFRC_MSEC)
/* What arrives is averaged over so many s: video comes in frames of different size. */
#define CARRIED_MEMORY 0.3
/* While there is a queue the limit is lower than without one, by so much that the queue drains in so many seconds, or to
 * this share: a queue grows slowly, and drains by itself. */
#define DRAIN_TIME 0.4
#define DRAIN_SHARE_MIN 0.5
/* A cut limits the video to this share of what arrives, once the queue is gone. The next cut waits until the reports
 * show this one. */
#define CUT_SHARE 0.9
#define CUT_WAIT (200 * TFRC_MSEC)
#define CUT_WAIT_RTTS 1.5
/* A path that suddenly carries less, by two reports in a row of which each has less than this share of what arrived
 * before, has a queue that will not drain by itself. One such report may be a stall of a machine. The full queue drops
 * packets of voice, too, which needs what it lost back, so that less is left to the video than what arrives of it. */
#define SUDDEN_SHARE 0.75
#define SUDDEN_REPORTS 2
#define SUDDEN_CUT_SHARE 0.7
/* s by which a queue that drains has become shorter since the cut: more than jitter. */
#define DRAINS 0.02
/* After so many cuts in a row, which leave less than half of the rate, the queue is one of competing traffic. It is
 * judged anew after COMPETING_FOR. */
#define CUTS_MAX 5
#define COMPETING_FOR (30 * TFRC_SEC)
/* Shares by which the limit grows in a second: near the rate that last brought a queue, and above it, where the path
 * has become better. */
#define GROWTH_NEAR 0.15
#define GROWTH_BEYOND 0.4
#define BEYOND 1.05
/* The limit is at most so many times what is used. */
#define HEADROOM 1.5

struct _TfrcAdaptVideo
{
  TfrcAdaptPathQueue path;
  TfrcTime now;                 /* when the last allowance came */
  double shortest, shortest_before;     /* s, queue of this part of the time that a queue has to stand, and of the part
                                         * before; INFINITY: not known */
  TfrcTime part_end;
  double carried;               /* rate that arrives, mean; 0: not known */
  unsigned sudden;              /* reports in a row of which less arrived than before, with a queue */
  double capacity;              /* rate that arrived when a queue was found */
  double limit;                 /* without a queue; INFINITY: none */
  double queue;                 /* s, by the last report */
  double sent;                  /* the highest rate that the limit of late lets arrive; INFINITY: any */
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
      .limit = HUGE_VAL,
      .sent = HUGE_VAL,
      .shortest = HUGE_VAL,
      .shortest_before = HUGE_VAL,
      .part_end = now + STANDS_FOR};
  tfrc_adapt_path_queue_init (&video->path, FLOOR_WINDOW, now);
  return video;
}

/* The shortest queue from now on counts. */
static void
begin_to_stand (TfrcAdaptVideo * video, double R)
{
  TfrcTime R_ns = (TfrcTime) (fmin (R, 1.0) * 1e9);

  video->shortest = HUGE_VAL;
  video->part_end = video->now + (R_ns > STANDS_FOR ? R_ns : STANDS_FOR);
}

/* s of queue that has stood long enough to count; negative: that is not known yet. */
static double
measure_standing (TfrcAdaptVideo * video, double queue, double R)
{
  double standing = fmin (queue, fmin (video->shortest,
          video->shortest_before));
  bool known = !isinf (video->shortest_before);

  video->shortest = fmin (video->shortest, queue);
  if (video->now >= video->part_end) {
    video->shortest_before = video->shortest;
    begin_to_stand (video, R);
  }
  return known ? standing : -1.0;
}

/* The limit while the path has the queue that the last report shows. */
static double
get_limit (const TfrcAdaptVideo * video)
{
  return video->limit * fmax (1.0 - video->queue / DRAIN_TIME, DRAIN_SHARE_MIN);
}

/* A report covers packets of before the limit rose, so that `sent` rises as slowly as `carried` does. */
static void
update_sent (TfrcAdaptVideo * video, double dt)
{
  double limit = get_limit (video);

  if (limit < video->sent || isinf (limit))
    video->sent = limit;
  else
    video->sent += fmin (dt / CARRIED_MEMORY, 1.0) * (limit - video->sent);
}

/* Returns whether the path suddenly carries less. */
static bool
update_carried (TfrcAdaptVideo * video, double X_recv, bool queued, double dt)
{
  if (!(X_recv > 0.0))
    return false;
  if (!(video->carried > 0.0))
    video->carried = X_recv;
  if (queued && X_recv < SUDDEN_SHARE * fmin (video->carried, video->sent)) {
    if (++video->sudden < SUDDEN_REPORTS)
      return false;
    video->carried = X_recv;
    video->sudden = 0;
    return true;
  }
  video->sudden = 0;
  video->carried += fmin (dt / CARRIED_MEMORY, 1.0) * (X_recv - video->carried);
  return false;
}

static void
cut (TfrcAdaptVideo * video, double share, double queue, double R)
{
  if (video->cuts++ == 0)
    video->capacity = video->carried;
  video->limit = share * fmin (video->limit, video->carried);
  video->cut_at = video->now;
  video->queue_at_cut = queue;
  begin_to_stand (video, R);
  video->shortest_before = HUGE_VAL;
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
  cut (video, CUT_SHARE, queue, R);
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

/* Takes the times of a report. Returns false before there is a round-trip time. */
static bool
take (TfrcAdaptVideo * video, const TfrcAllowance * allowance, double R)
{
  if (!(R > 0.0))
    return false;
  tfrc_adapt_path_queue_on_transit (&video->path, allowance->timed,
      allowance->transit);
  tfrc_adapt_path_queue_on_rtt (&video->path, R);
  return true;
}

/* s since the last allowance. */
static double
advance (TfrcAdaptVideo * video, TfrcTime now)
{
  TfrcTime before = video->now;

  if (now > before)
    video->now = now;
  return (double) (video->now - before) * 1e-9;
}

static double
get_R (const TfrcAllowance * allowance)
{
  return allowance->R_sample > 0.0 ? allowance->R_sample : allowance->R;
}

void
tfrc_adapt_video_on_allowance (TfrcAdaptVideo * video,
    const TfrcAllowance * allowance, double used, TfrcTime now)
{
  double R = get_R (allowance), dt = advance (video, now);
  double queue, standing, packet_time, queue_long;
  bool sudden;

  if (!take (video, allowance, R))
    return;
  tfrc_adapt_path_queue_slide (&video->path, video->now);
  update_sent (video, dt);
  queue = video->queue = tfrc_adapt_path_queue_get (&video->path);
  packet_time = video->carried > 0.0 ?
      fmin (allowance->s / video->carried, PACKET_TIME_MAX) : 0.0;
  queue_long = QUEUE_LONG + packet_time;
  sudden = update_carried (video, allowance->X_recv, queue > queue_long, dt);
  standing = measure_standing (video, queue, R);
  if (sudden && video->now >= video->competing_until)
    cut (video, SUDDEN_CUT_SHARE, queue, R);
  else if (standing > queue_long)
    on_queue (video, queue, R);
  else if (queue < queue_long)
    on_empty (video, used, dt);
}

void
tfrc_adapt_video_on_unlimited (TfrcAdaptVideo * video,
    const TfrcAllowance * allowance, TfrcTime now)
{
  double R = get_R (allowance), dt = advance (video, now);

  tfrc_adapt_path_queue_hold (&video->path, video->now);
  video->limit = video->sent = HUGE_VAL;
  video->cuts = 0;
  if (!take (video, allowance, R))
    return;
  update_carried (video, allowance->X_recv, false, dt);
  begin_to_stand (video, R);
  video->shortest_before = HUGE_VAL;
}

double
tfrc_adapt_video_get_limit (const TfrcAdaptVideo * video)
{
  return get_limit (video);
}
