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

/* s above the floor: less is jitter; a listener notices from here on. */
#define QUEUE_ON 0.06
#define QUEUE_OFF 0.02

/* A quarter of the path's rate is left for the queue to drain by. */
#define DRAIN_SHARE 0.75
#define SLOPE_GROWING 0.05      /* s of queue per s */
#define CUT_WAIT (400 * TFRC_MSEC)

/* When the queue is gone, what the path carried then is nearly what it can. */
#define CAUTIOUS_SHARE 0.95
#define CAUTIOUS_WAIT (3 * TFRC_SEC)
#define CAUTIOUS_GROWTH 1.12    /* a second after that wait: fourfold in 12 s */

/* A queue that did not shrink by a quarter in this time is not ours. */
#define FOREIGN_AFTER (2 * TFRC_SEC)
#define FOREIGN_LEFT 0.75
#define FOREIGN_FOR (15 * TFRC_SEC)

void
tfrc_standing_init (TfrcStanding * standing, TfrcTime now)
{
  *standing = (TfrcStanding) {.window_end = now + FLOOR_WINDOW,.R_last_at = now,.limit = INFINITY};
}

static void
enter (TfrcStanding * standing, TfrcStandingState state, TfrcTime now)
{
  standing->state = state;
  standing->since = now;
  if (state == STANDING_NONE || state == STANDING_FOREIGN)
    standing->limit = INFINITY;
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
}

static void
update_slope (TfrcStanding * standing, double R, TfrcTime now)
{
  double dt = (double) (now - standing->R_last_at) * 1e-9;

  if (standing->R_last > 0.0 && dt > 0.0) {
    double weight = fmin (1.0, dt / 0.5);

    standing->slope += weight * ((R - standing->R_last) / dt - standing->slope);
  }
  standing->R_last = R;
  standing->R_last_at = now;
}

/* A queue of constant length means the path carries what is sent; one that grows
 * by `slope` s a second, 1 + slope times less. */
static double
get_capacity (const TfrcStanding * standing, double wire)
{
  return wire / (1.0 + fmax (0.0, fmin (standing->slope, 8.0)));
}

/* The queue still grows under the limit: what the path carries was overrated. A
 * cut shows in R only after a round trip, and in its slope a little later. */
static void
cut_again (TfrcStanding * standing, double R, double wire, TfrcTime now)
{
  if (standing->slope < SLOPE_GROWING || now - standing->cut_at < CUT_WAIT + 2 * (TfrcTime) (R * 1e9))
    return;
  standing->limit = fmin (standing->limit, DRAIN_SHARE * get_capacity (standing, wire));
  standing->cut_at = now;
}

static void
on_drain (TfrcStanding * standing, double R, double wire, TfrcTime now)
{
  if (standing->queue < QUEUE_OFF) {
    standing->limit *= CAUTIOUS_SHARE / DRAIN_SHARE;
    enter (standing, STANDING_CAUTIOUS, now);
  } else if (now - standing->since > FOREIGN_AFTER
      && standing->queue > FOREIGN_LEFT * standing->queue_at_start) {
    enter (standing, STANDING_FOREIGN, now);
  } else {
    cut_again (standing, R, wire, now);
  }
}

static void
on_cautious (TfrcStanding * standing, double dt, TfrcTime now)
{
  if (now - standing->since < CAUTIOUS_WAIT)
    return;
  standing->limit *= pow (CAUTIOUS_GROWTH, dt);
  if (now - standing->since > FLOOR_WINDOW)
    enter (standing, STANDING_NONE, now);
}

void
tfrc_standing_on_rtt (TfrcStanding * standing, double R, double wire, TfrcTime now)
{
  double dt = (double) (now - standing->R_last_at) * 1e-9;

  update_floor (standing, R, now);
  update_slope (standing, R, now);
  standing->queue = fmax (0.0, R - standing->R_floor);

  if (standing->state == STANDING_CAUTIOUS)
    on_cautious (standing, dt, now);
  if (standing->state == STANDING_DRAIN) {
    on_drain (standing, R, wire, now);
  } else if (standing->state == STANDING_FOREIGN) {
    if (standing->queue < QUEUE_OFF || now - standing->since > FOREIGN_FOR)
      enter (standing, STANDING_NONE, now);
  } else if (standing->queue > QUEUE_ON) {
    standing->limit = DRAIN_SHARE * get_capacity (standing, wire);
    standing->queue_at_start = standing->queue;
    standing->cut_at = now;
    enter (standing, STANDING_DRAIN, now);
  }
}
