/* tfrcadapt: how long a better operating point must fit before it is taken
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rise-timing.h"

/* A rise that is followed by a reduction within REGRET was a mistake: the hold doubles, up to
 * HOLD_UP_MAX. After FORGET without a reduction it is the configured one again. */
#define REGRET (20 * TFRC_SEC)
#define HOLD_UP_MAX (20 * TFRC_SEC)
#define FORGET (60 * TFRC_SEC)

/* A rise that does not fit when its hold ends is tried again after this. */
#define RETRY (100 * TFRC_MSEC)

/* A rise this soon after the last one has the shorter hold, hold_up_next. */
#define RISING (3 * TFRC_SEC)

/* TFRC_ADAPT_RISE_PROTECT has no hold, but that of any rise for JUST_NOW after a reduction. */
#define JUST_NOW (8 * TFRC_SEC)

void
tfrc_adapt_rise_init (TfrcAdaptRise * rise, const TfrcAdaptConfig * config)
{
  *rise = (TfrcAdaptRise) {
      .better_since = TFRC_TIME_NONE,
      .last_up = TFRC_TIME_NONE,
      .last_down = TFRC_TIME_NONE,
      .hold_up = config->hold_up,
  };
}

void
tfrc_adapt_rise_start (TfrcAdaptRise * rise, TfrcTime now)
{
  if (rise->started)
    return;
  rise->started = true;
  rise->last_up = now;
}

static TfrcTime
get_hold (const TfrcAdaptRise * rise, const TfrcAdaptConfig * config,
    TfrcAdaptRiseKind kind, bool noisy, TfrcTime now)
{
  bool rising = rise->last_up != TFRC_TIME_NONE && now - rise->last_up < RISING
      && rise->hold_up == config->hold_up && !noisy;
  bool reduced = rise->last_down != TFRC_TIME_NONE
      && now - rise->last_down < JUST_NOW;

  switch (kind) {
    case TFRC_ADAPT_RISE_RETURN:
      return 0;
    case TFRC_ADAPT_RISE_PROTECT:
      return reduced && !noisy ? config->hold_up : 0;
    case TFRC_ADAPT_RISE_SAFE:
      return config->hold_up_next;
    case TFRC_ADAPT_RISE_MORE:
      break;
  }
  return rising ? config->hold_up_next : rise->hold_up;
}

bool
tfrc_adapt_rise_may (TfrcAdaptRise * rise, const TfrcAdaptConfig * config,
    TfrcAdaptRiseKind kind, bool noisy, TfrcTime now)
{
  TfrcTime hold = get_hold (rise, config, kind, noisy, now);

  if (rise->better_since == TFRC_TIME_NONE) {
    rise->better_since = rise->not_before = now;
    rise->hold = hold;
  }
  /* A hold that has begun can become shorter, not longer. */
  if (hold < rise->hold)
    rise->hold = hold;
  return now >= tfrc_adapt_rise_next_timer (rise);
}

void
tfrc_adapt_rise_retry (TfrcAdaptRise * rise, TfrcTime now)
{
  rise->not_before = now + RETRY;
}

void
tfrc_adapt_rise_reset (TfrcAdaptRise * rise)
{
  rise->better_since = TFRC_TIME_NONE;
}

void
tfrc_adapt_rise_on_up (TfrcAdaptRise * rise, TfrcTime now)
{
  rise->last_up = now;
  rise->risen = true;
}

void
tfrc_adapt_rise_on_down (TfrcAdaptRise * rise, bool own, TfrcTime now)
{
  if (own && rise->risen && now - rise->last_up < REGRET)
    rise->hold_up =
        rise->hold_up * 2 < HOLD_UP_MAX ? rise->hold_up * 2 : HOLD_UP_MAX;
  rise->last_down = now;
  rise->last_up = TFRC_TIME_NONE;
  rise->risen = false;
}

void
tfrc_adapt_rise_forget (TfrcAdaptRise * rise, const TfrcAdaptConfig * config,
    TfrcTime now)
{
  if (rise->last_down != TFRC_TIME_NONE && now - rise->last_down > FORGET)
    rise->hold_up = config->hold_up;
}

TfrcTime
tfrc_adapt_rise_next_timer (const TfrcAdaptRise * rise)
{
  TfrcTime due = rise->better_since + rise->hold;

  if (rise->better_since == TFRC_TIME_NONE)
    return TFRC_TIME_NONE;
  return due > rise->not_before ? due : rise->not_before;
}
