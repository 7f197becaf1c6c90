/* libtfrc: the queue that our own flow keeps standing in the path
 *
 * A voice flow that its congestion control lets fill a deep queue loses no packet
 * for seconds and is worthless all the while. When the round-trip time stands
 * above its floor, the flow is limited below what the path carries until the
 * queue is gone. If less sending does not help, the queue is not ours and the
 * limit is lifted: giving way to it would only starve the call.
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "standing-queue.h"

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
#define DRAIN_SHARE_MIN 0.6

/* One that grows under the limit, by more than jitter could pretend, means that what the
 * path carries was overrated, if not for long: a longer growth is not cured by cuts. The
 * slope is of a few reports. */
#define SLOPE_MEMORY 0.7        /* s */
#define SLOPE_GROWING 0.05      /* s of queue per s */
#define CUT_WAIT (400 * TFRC_MSEC)
#define CUTS_FOR (2 * TFRC_SEC)

/* Round-trip times from a cut until what was sent after it is reported. */
#define VISIBLE 1.5

/* While a queue stands, what arrives is what the path carries: the mean of a second, in
 * which a packet more or less is a few percent, and a little less for the sake of those. */
#define CARRIED_MEMORY 1.0      /* s */
#define LONG_DRAIN (500 * TFRC_MSEC)
#define CAUTIOUS_SHARE 0.97

/* A rate that stood so long without a queue is one that the path carries. */
#define PROVEN_AFTER (800 * TFRC_MSEC)

/* An encoder that makes a little more or less is at the same rate. */
#define SAME 0.05

/* Between what is proven and what failed lies the middle, which is tried for a while
 * first unless they are this near. */
#define NEAR 1.15
#define HALVED_WAIT (3 * TFRC_SEC)
#define HALVED_AGE (30 * TFRC_SEC)      /* before, what failed may have become right */

/* More than what is proven is tried again after half the time that the path has not
 * changed: what changed lately may change again, and 15 s after it did the call should
 * have noticed. A path of which no change was seen counts as old. */
#define WAIT_SHARE 0.5
#define WAIT_MIN (8 * TFRC_SEC)
#define WAIT_MAX (60 * TFRC_SEC)
#define AGE_AT_START (40 * TFRC_SEC)

/* A queue of ours shrinks as fast as we send too little. One that is gone when twice as
 * much could not be, and jitter, was a delay that passed by itself; one that comes back
 * sooner than this is ours after all. */
#define PASSED 2.0
#define PASSED_LEAST 0.03       /* s */
#define PASSED_AGAIN (5 * TFRC_SEC)

/* One that shrank by less than half of what should be gone, once that is more than
 * jitter, is not ours. It is looked at again after a time that doubles; at once when it
 * gets so much longer that it may be ours after all. */
#define JUDGED_AFTER 0.15       /* s of queue that should be gone */
#define SHRUNK 0.5
#define FOREIGN_MIN (30 * TFRC_SEC)
#define FOREIGN_MAX (120 * TFRC_SEC)
#define FOREIGN_LONGER 0.15     /* s */
#define GONE_AFTER (5 * TFRC_SEC)       /* empty for so long: TCP empties it now and then */

/* What a look at a queue took is given back, if that still fits this soon after. */
#define RETURN_WITHIN (5 * TFRC_SEC)

void
tfrc_adapt_standing_init (TfrcAdaptStanding * standing, TfrcTime now)
{
  *standing = (TfrcAdaptStanding) {
    .window_end = now + FLOOR_WINDOW,
    .R_last_at = now,
    .limit = HUGE_VAL,
    .foreign_for = FOREIGN_MIN,
  };
}

static bool
is_empty (const TfrcAdaptStanding * standing)
{
  return standing->queue < QUEUE_OFF + QUEUE_OFF_PACKETS * standing->packet_time;
}

static bool
is_full (const TfrcAdaptStanding * standing)
{
  return standing->queue > QUEUE_ON + QUEUE_ON_PACKETS * standing->packet_time;
}

static void
enter (TfrcAdaptStanding * standing, TfrcAdaptStandingState state, TfrcTime now)
{
  standing->state = state;
  standing->since = now;
  if (state == STANDING_NONE || state == STANDING_FOREIGN)
    standing->limit = HUGE_VAL;
}

static void
update_floor (TfrcAdaptStanding * standing, double R, TfrcTime now)
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
update_means (TfrcAdaptStanding * standing, double R, double carried, double dt)
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
set_limit (TfrcAdaptStanding * standing)
{
  double share = fmin (DRAIN_SHARE_MAX, fmax (DRAIN_SHARE_MIN, 1.0 - standing->queue));

  standing->limit = share * standing->capacity;
}

static void
cut (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->capacity = standing->state == STANDING_DRAIN
      ? fmin (standing->capacity, standing->carried) : standing->carried;
  standing->cut_at = now;
  standing->R_at_cut = standing->R_last;
  standing->queue_at_cut = standing->queue;
  standing->expected = 0.0;
  set_limit (standing);
}

/* What was proven has brought no queue: what was tried beyond it has. */
static void
on_queue (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->proven_before = standing->proven;
  standing->changed_before = standing->changed;
  if (standing->used <= standing->proven) {
    standing->proven = 0.0;
    standing->changed = now;
  }
  standing->failed = standing->used;
  standing->halved = false;
  cut (standing, now);
  if (standing->state != STANDING_FOREIGN)
    standing->before = standing->used;
  standing->queue_max = standing->queue;
  enter (standing, STANDING_DRAIN, now);
}

static void
end_drain (TfrcAdaptStanding * standing, TfrcTime now)
{
  double age = (double) (now - standing->changed);

  /* What arrived during a drain of some length is what the path carries; before,
   * the means still remember what was sent into the queue. */
  standing->limit = CAUTIOUS_SHARE * (now - standing->since > LONG_DRAIN
      ? standing->carried : fmax (standing->capacity, standing->carried));
  standing->limit = fmax (standing->limit, standing->proven);
  standing->wait = (TfrcTime) fmin (fmax (WAIT_SHARE * age, WAIT_MIN), WAIT_MAX);
  enter (standing, STANDING_CAUTIOUS, now);
}

static bool
is_foreign (const TfrcAdaptStanding * standing)
{
  return standing->expected > JUDGED_AFTER
      && standing->queue_at_cut - standing->queue < SHRUNK * standing->expected;
}

/* Gone long before the cut could do it: a delay that passed by itself. */
static bool
is_passed (const TfrcAdaptStanding * standing, TfrcTime now)
{
  return standing->queue_at_cut > PASSED * standing->expected + PASSED_LEAST
      && now - standing->passed > PASSED_AGAIN;
}

/* It says nothing of the path. */
static void
end_passed (TfrcAdaptStanding * standing, TfrcTime now)
{
  standing->proven = standing->proven_before;
  standing->changed = standing->changed_before;
  standing->passed = now;
  enter (standing, STANDING_NONE, now);
}

static void
on_drain (TfrcAdaptStanding * standing, double dt, TfrcTime now)
{
  TfrcTime since = now - standing->cut_at;
  TfrcTime visible = (TfrcTime) (VISIBLE * 1e9 * standing->R_at_cut);

  standing->queue_max = fmax (standing->queue_max, standing->queue);
  /* Until the cut shows, what was sent before it still arrives. */
  if (since > visible)
    standing->expected += fmin (dt, (double) (since - visible) * 1e-9)
        * (1.0 - standing->limit / standing->capacity);
  else
    standing->queue_at_cut = fmax (standing->queue_at_cut, standing->queue);

  if (is_empty (standing) && is_passed (standing, now)) {
    end_passed (standing, now);
  } else if (is_empty (standing)) {
    end_drain (standing, now);
  } else if (since > CUT_WAIT + visible && standing->slope > SLOPE_GROWING
      && now - standing->since < CUTS_FOR) {
    /* It grows under the limit: what the path carries was overrated. */
    cut (standing, now);
  } else if (is_foreign (standing)) {
    standing->empty_since = now;
    enter (standing, STANDING_FOREIGN, now);
  } else {
    set_limit (standing);
  }
}

static void
on_foreign (TfrcAdaptStanding * standing, TfrcTime now)
{
  if (!is_empty (standing))
    standing->empty_since = now;
  if (now - standing->empty_since > GONE_AFTER) {
    standing->foreign_for = FOREIGN_MIN;
    enter (standing, STANDING_NONE, now);
  } else if (now - standing->since > standing->foreign_for) {
    standing->foreign_for = standing->foreign_for * 2 < FOREIGN_MAX ? standing->foreign_for * 2 : FOREIGN_MAX;
    enter (standing, STANDING_NONE, now);
  } else if (standing->queue > standing->queue_max + FOREIGN_LONGER) {
    on_queue (standing, now);
  }
}

static void
on_cautious (TfrcAdaptStanding * standing, TfrcTime now)
{
  if (now - standing->since < standing->wait)
    return;
  if (!standing->halved && standing->proven > 0.0 && standing->failed > NEAR * standing->proven
      && now - standing->changed > HALVED_AGE) {
    standing->halved = true;
    standing->limit = sqrt (standing->failed * standing->proven);
    standing->since = now;
    standing->wait = HALVED_WAIT;
  } else {
    standing->halved = false;
    enter (standing, STANDING_NONE, now);
  }
}

static void
update_proven (TfrcAdaptStanding * standing, double need, TfrcTime now)
{
  if (fabs (need - standing->used) > SAME * standing->used) {
    standing->used_since = now;
    standing->used = need;
  }
  if (now - standing->used_since > PROVEN_AFTER && standing->used > standing->proven
      && is_empty (standing) && standing->state != STANDING_DRAIN && standing->state != STANDING_FOREIGN)
    standing->proven = standing->used;
}

bool
tfrc_adapt_standing_is_proven (const TfrcAdaptStanding * standing, double need)
{
  return need <= standing->proven * (1.0 + SAME);
}

void
tfrc_adapt_standing_on_rtt (TfrcAdaptStanding * standing, double R, double carried, double need,
    double packet_time, TfrcTime now)
{
  double dt = (double) (now - standing->R_last_at) * 1e-9;

  if (!(standing->R_last > 0.0))
    standing->changed = standing->passed = now - AGE_AT_START;
  standing->packet_time = packet_time;
  update_floor (standing, R, now);
  update_means (standing, R, carried, dt);
  standing->R_last_at = now;
  update_proven (standing, need, now);

  switch (standing->state) {
    case STANDING_DRAIN:
      on_drain (standing, dt, now);
      return;
    case STANDING_FOREIGN:
      on_foreign (standing, now);
      return;
    case STANDING_CAUTIOUS:
      on_cautious (standing, now);
      break;
    case STANDING_NONE:
      break;
  }
  if (is_full (standing))
    on_queue (standing, now);
}

double
tfrc_adapt_standing_get_return (const TfrcAdaptStanding * standing, TfrcTime now)
{
  if (now - standing->since > RETURN_WITHIN)
    return 0.0;
  if (standing->state == STANDING_FOREIGN || standing->state == STANDING_NONE)
    return standing->before;
  return standing->state == STANDING_CAUTIOUS ? standing->proven : 0.0;
}
