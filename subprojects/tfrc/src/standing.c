/* libtfrc: the queue that our own flow keeps standing in the path
 *
 * A voice flow that its congestion control lets fill a deep queue loses no packet
 * for seconds and is worthless all the while. When the round-trip time stands
 * above its floor, the flow is limited below what the path carries until the
 * queue is gone. If less sending does not help, the queue is not ours and the
 * limit is lifted: giving way to it would only starve the call.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "standing.h"

#include <math.h>

/* A floor is forgotten after one to two windows: routes change. */
#define FLOOR_WINDOW (30 * TFRC_SEC)

/* s above the floor, and packet times: less is jitter, and on a thin link the
 * time to transmit a packet, up to its length; a listener notices from here on. */
#define QUEUE_ON 0.04
#define QUEUE_ON_PACKETS 1.0
#define QUEUE_OFF 0.01
#define QUEUE_OFF_PACKETS 0.5

/* A queue drains in about a second, by a quarter of the path's rate at least;
 * something is left for the call. */
#define DRAIN_SHARE_MAX 0.75
#define DRAIN_SHARE_MIN 0.4
#define SLOPE_MEMORY 0.7        /* s */
#define SLOPE_GROWING 0.05      /* s of queue per s */
#define CUT_WAIT (400 * TFRC_MSEC)

/* While a queue stands, what arrives is what the path carries. */
#define CARRIED_MEMORY 1.0      /* s */
#define LONG_DRAIN (500 * TFRC_MSEC)
#define CAUTIOUS_SHARE 0.97
#define CAUTIOUS_WAIT_MIN (6 * TFRC_SEC)
#define CAUTIOUS_WAIT_MAX (8 * TFRC_SEC)
#define CAUTIOUS_GROWTH 1.1     /* a second after that wait */

/* A queue of ours shrinks by a quarter of a second a second or more; one that
 * does not shrink, this long after a cut could show, is not ours. When it gets
 * this much longer it may be after all. */
#define FOREIGN_AFTER (2 * TFRC_SEC)
#define SLOPE_SHRINKING -0.08
#define FOREIGN_FOR (15 * TFRC_SEC)
#define FOREIGN_LONGER 0.15     /* s */

void
tfrc_standing_init (TfrcStanding * standing, TfrcTime now)
{
  *standing = (TfrcStanding) {
    .window_end = now + FLOOR_WINDOW,
    .R_last_at = now,
    .limit = HUGE_VAL,
    .wait = CAUTIOUS_WAIT_MIN,
  };
}

static bool
is_empty (const TfrcStanding * standing)
{
  return standing->queue < QUEUE_OFF + QUEUE_OFF_PACKETS * standing->packet_time;
}

static bool
is_full (const TfrcStanding * standing)
{
  return standing->queue > QUEUE_ON + QUEUE_ON_PACKETS * standing->packet_time;
}

static void
enter (TfrcStanding * standing, TfrcStandingState state, TfrcTime now)
{
  standing->state = state;
  standing->since = now;
  if (state == STANDING_NONE || state == STANDING_FOREIGN)
    standing->limit = HUGE_VAL;
}

static void
update_floor (TfrcStanding * standing, double R, TfrcTime now)
{
  /* The window does not slide while the queue is being judged, or a long queue
   * would become its own floor. */
  if (now >= standing->window_end && standing->state != STANDING_DRAIN) {
    standing->R_floor = standing->R_floor_next > 0.0 ? standing->R_floor_next : R;
    standing->R_floor_next = R;
    standing->window_end = now + FLOOR_WINDOW;
  }
  if (!(standing->R_floor > 0.0) || R < standing->R_floor)
    standing->R_floor = R;
  if (!(standing->R_floor_next > 0.0) || R < standing->R_floor_next)
    standing->R_floor_next = R;
  standing->queue = fmax (0.0, R - standing->R_floor);
}

static void
update_means (TfrcStanding * standing, double R, double carried, double dt)
{
  if (standing->R_last > 0.0 && dt > 0.0) {
    standing->slope += fmin (1.0, dt / SLOPE_MEMORY) * ((R - standing->R_last) / dt - standing->slope);
    standing->carried += fmin (1.0, dt / CARRIED_MEMORY) * (carried - standing->carried);
  } else {
    standing->carried = carried;
  }
  standing->R_last = R;
}

static void
set_limit (TfrcStanding * standing)
{
  double share = fmin (DRAIN_SHARE_MAX, fmax (DRAIN_SHARE_MIN, 1.0 - standing->queue));

  standing->limit = share * standing->capacity;
}

static void
cut (TfrcStanding * standing, TfrcTime now)
{
  standing->capacity = standing->state == STANDING_DRAIN
      ? fmin (standing->capacity, standing->carried) : standing->carried;
  standing->cut_at = now;
  set_limit (standing);
}

static void
on_queue (TfrcStanding * standing, TfrcTime now)
{
  if (standing->state == STANDING_CAUTIOUS)
    standing->wait = standing->wait * 2 < CAUTIOUS_WAIT_MAX ? standing->wait * 2 : CAUTIOUS_WAIT_MAX;
  else
    standing->wait = CAUTIOUS_WAIT_MIN;
  cut (standing, now);
  enter (standing, STANDING_DRAIN, now);
}

static void
on_drain (TfrcStanding * standing, double R, TfrcTime now)
{
  TfrcTime since = now - standing->cut_at, visible = (TfrcTime) (2e9 * R);

  if (is_empty (standing)) {
    /* What arrived during a drain of some length is what the path carries; before,
     * the means still remember what was sent into the queue. */
    standing->limit = CAUTIOUS_SHARE * (now - standing->since > LONG_DRAIN
        ? standing->carried : fmax (standing->capacity, standing->carried));
    enter (standing, STANDING_CAUTIOUS, now);
  } else if (since > FOREIGN_AFTER + visible && standing->slope > SLOPE_SHRINKING) {
    standing->queue_at_start = standing->queue;
    enter (standing, STANDING_FOREIGN, now);
  } else if (since > CUT_WAIT + visible && standing->slope > SLOPE_GROWING
      && now - standing->since < FOREIGN_AFTER) {
    /* It grows under the limit: what the path carries was overrated. */
    cut (standing, now);
  } else {
    set_limit (standing);
  }
}

static void
on_foreign (TfrcStanding * standing, TfrcTime now)
{
  if (is_empty (standing) || now - standing->since > FOREIGN_FOR)
    enter (standing, STANDING_NONE, now);
  else if (standing->queue > standing->queue_at_start + FOREIGN_LONGER)
    on_queue (standing, now);
}

static void
on_cautious (TfrcStanding * standing, double dt, TfrcTime now)
{
  if (now - standing->since > standing->wait)
    standing->limit *= pow (CAUTIOUS_GROWTH, dt);
  if (now - standing->since > FLOOR_WINDOW)
    enter (standing, STANDING_NONE, now);
}

void
tfrc_standing_on_rtt (TfrcStanding * standing, double R, double carried,
    double packet_time, TfrcTime now)
{
  double dt = (double) (now - standing->R_last_at) * 1e-9;

  standing->packet_time = packet_time;
  update_floor (standing, R, now);
  update_means (standing, R, carried, dt);
  standing->R_last_at = now;

  switch (standing->state) {
    case STANDING_DRAIN:
      on_drain (standing, R, now);
      return;
    case STANDING_FOREIGN:
      on_foreign (standing, now);
      return;
    case STANDING_CAUTIOUS:
      on_cautious (standing, dt, now);
      break;
    case STANDING_NONE:
      break;
  }
  if (is_full (standing))
    on_queue (standing, now);
}
