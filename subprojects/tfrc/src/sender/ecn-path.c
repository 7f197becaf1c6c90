/* libtfrc: whether packets may be ECN-capable: initiation and verification of ECN (RFC 6679 7)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/ecn.h>

/* RFC 6679 7.2.1: with more than three ECN-capable packets, a report says something about the path. */
#define FEW 3u
/* Marked packets of one judgement once the path is verified: FEW is a tenth of them. */
#define JUDGED 32u
/* Probes that must all arrive as CE before the path is said to mark everything: at a queue that marks a
 * half of the packets, that happens once in 256 times. */
#define ALL_CE_PROBES (2u * (FEW + 1u))
/* A verified path has begun to mark everything when so many packets arrived as CE, and none otherwise, for
 * so long: a queue that is full at the end of slow start marks all packets of a few round-trip times, in
 * which TFRC slows down. A verified path has begun to drop what is ECN-capable when so many packets had no
 * effect for so long on reports that do arrive. The circuit breaker acts later (five reports, RFC 8083 4.2). */
#define SPOILED_PACKETS 16u
#define SPOILED_TIME (3 * TFRC_SEC)
#define STRIKES 3u              /* inconsistent reports in a row */
#define FIRST_CYCLE 0x10000u    /* an extended sequence number is never 0 */
#define NOWHERE UINT64_MAX
/* Numbers that can be told apart in 16 bits. */
#define WINDOW 0x8000u

/* What happened to the packets since the last judgement. */
typedef struct
{
  int64_t packets, marked;      /* sent; with ECT(0) */
  int64_t ect0, ect1, ce, not_ect, lost, duplicates;    /* as reported; `lost` falls when a late packet
                                                         * arrives */
} Interval;

const char *
tfrc_ecn_state_get_name (TfrcEcnState state)
{
  static const char *const names[] = { "off", "probing", "on", "failed" };

  return names[state];
}

const char *
tfrc_ecn_failure_get_name (TfrcEcnFailure failure)
{
  static const char *const names[] = { "none", "not-reported", "bleached",
    "mangled", "dropped", "inconsistent"
  };

  return names[failure];
}

/* --- states --- */

void
tfrc_ecn_path_init (TfrcEcnPath * path)
{
  *path = (TfrcEcnPath) {
      .mark_from = NOWHERE,
      .waiting_since = TFRC_TIME_NONE
  };
}

unsigned
tfrc_ecn_path_start (TfrcEcnPath * path)
{
  if (path->state != TFRC_ECN_OFF)
    return 0;
  path->state = TFRC_ECN_PROBING;
  path->failure = TFRC_ECN_FINE;
  path->probe_from = 0;
  path->mark_from = NOWHERE;
  path->waiting_since = TFRC_TIME_NONE;
  path->has_base = false;
  path->strikes = 0;
  path->all_ce = 0;
  path->marked = 0.0;
  return TFRC_ECN_CHANGED;
}

static unsigned
end (TfrcEcnPath * path, TfrcEcnState state, TfrcEcnFailure failure)
{
  bool changed = path->state != state;

  path->state = state;
  path->failure = failure;
  path->marked = 0.0;
  return changed ? TFRC_ECN_CHANGED : 0;
}

unsigned
tfrc_ecn_path_stop (TfrcEcnPath * path)
{
  return end (path, TFRC_ECN_OFF, TFRC_ECN_FINE);
}

static unsigned
fail (TfrcEcnPath * path, TfrcEcnFailure failure)
{
  return end (path, TFRC_ECN_FAILED, failure);
}

static bool
is_running (const TfrcEcnPath * path)
{
  return (path->state == TFRC_ECN_PROBING || path->state == TFRC_ECN_ON) &&
      path->probe_from > 0;
}

/* --- what is sent --- */

static bool
is_probe (const TfrcEcnPath * path, uint64_t seq)
{
  return (seq - path->probe_from) % TFRC_ECN_PROBE_INTERVAL ==
      TFRC_ECN_PROBE_INTERVAL - 1;
}

/* Packets with ECT(0) from the beginning of the initiation up to `seq`. */
static uint64_t
count_marked (const TfrcEcnPath * path, uint64_t seq)
{
  uint64_t last_probe = seq < path->mark_from ? seq : path->mark_from - 1;

  if (seq < path->probe_from)
    return 0;
  return (last_probe + 1 - path->probe_from) / TFRC_ECN_PROBE_INTERVAL +
      (seq - last_probe);
}

static void
advance (TfrcEcnPath * path, uint16_t seq)
{
  if (path->highest == 0)
    path->highest = FIRST_CYCLE + seq;
  else
    path->highest += (uint16_t) (seq - (uint16_t) path->highest);
}

TfrcEcn
tfrc_ecn_path_on_departure (TfrcEcnPath * path, uint16_t seq, TfrcTime now)
{
  bool marked;

  advance (path, seq);
  if (path->state == TFRC_ECN_PROBING && path->probe_from == 0)
    path->probe_from = path->highest;
  if (!is_running (path))
    return TFRC_ECN_NOT_ECT;
  if (path->waiting_since == TFRC_TIME_NONE)
    path->waiting_since = now;
  marked = path->state == TFRC_ECN_ON || is_probe (path, path->highest);
  path->sent += marked;
  /* RFC 8311 5.2: ECT(0), and ECT(1) never. */
  return marked ? TFRC_ECN_ECT0 : TFRC_ECN_NOT_ECT;
}

/* --- what is reported --- */

/* The extended number of a packet that was sent; false: none with this number was. */
static bool
find_sent (const TfrcEcnPath * path, uint32_t highest, uint64_t * seq)
{
  uint16_t behind = (uint16_t) ((uint16_t) path->highest - (uint16_t) highest);

  *seq = path->highest - behind;
  return behind < WINDOW;
}

static void
rebase (TfrcEcnPath * path, const TfrcEcnCounts * counts, uint64_t seq)
{
  path->has_base = true;
  path->base = *counts;
  path->base_highest = path->last_highest = seq;
  path->last_ce = counts->ce;
  path->last_ect0 = counts->ect0;
}

static Interval
subtract (const TfrcEcnPath * path, const TfrcEcnCounts * counts, uint64_t seq)
{
  const TfrcEcnCounts *base = &path->base;

  return (Interval) {
      .packets = (int64_t) (seq - path->base_highest),
      .marked = (int64_t) (count_marked (path, seq) - count_marked (path, path->base_highest)),
      .ect0 = (uint32_t) (counts->ect0 - base->ect0),
      .ect1 = (uint32_t) (counts->ect1 - base->ect1),
      .ce = (uint16_t) (counts->ce - base->ce),
      .not_ect = (uint16_t) (counts->not_ect - base->not_ect),
      .lost = (int16_t) (counts->lost - base->lost),
      .duplicates = (uint16_t) (counts->duplicates - base->duplicates)
  };
}

/* Every packet that was sent arrived or is lost, and each that arrived more than once is a duplicate
 * (RFC 6679 7.4). Counts that shrink, that jump or that name more packets than were sent break this. */
static bool
is_consistent (const Interval * interval)
{
  return interval->packets < WINDOW &&
      interval->ect0 + interval->ect1 + interval->ce + interval->not_ect -
      interval->duplicates + interval->lost == interval->packets;
}

/* A data receiver that began to count anew is judged from its new counts on. */
static unsigned
on_inconsistent (TfrcEcnPath * path, const TfrcEcnCounts * counts, uint64_t seq)
{
  path->inconsistent++;
  path->strikes++;
  path->marked = 0.0;
  rebase (path, counts, seq);
  return path->strikes >= STRIKES ? fail (path, TFRC_ECN_INCONSISTENT) : 0;
}

/* Marks arrive that were not sent. FEW packets may have arrived after the report that counted them as lost. */
static bool
is_mangled (const Interval * interval)
{
  return interval->ect1 > 0 || interval->ect0 + interval->ce >
      interval->marked + interval->duplicates + (int64_t) FEW;
}

/* RFC 6679 7.2.1 and 7.4: compares what arrived with what was sent. */
static TfrcEcnFailure
compare (const Interval * interval)
{
  int64_t capable = interval->ect0 + interval->ce, few = FEW;

  if (capable == 0)
    return interval->not_ect > interval->packets - interval->marked +
        interval->duplicates ? TFRC_ECN_BLEACHED : TFRC_ECN_DROPPED;
  if (capable + interval->lost + few < interval->marked)
    return TFRC_ECN_BLEACHED;
  return TFRC_ECN_FINE;
}

static unsigned
judge (TfrcEcnPath * path, const Interval * interval)
{
  TfrcEcnFailure failure = compare (interval);

  if (failure != TFRC_ECN_FINE)
    return fail (path, failure);
  if (path->state == TFRC_ECN_ON || interval->ect0 == 0)
    return 0;
  path->state = TFRC_ECN_ON;
  path->mark_from = path->highest + 1;
  return TFRC_ECN_CHANGED;
}

/* Packets in a row that arrived as CE. */
static void
note_ce (TfrcEcnPath * path, uint16_t ce, bool ect0, TfrcTime now)
{
  path->all_ce = ect0 ? 0 : path->all_ce + ce;
  if (path->all_ce == 0)
    path->all_ce_since = now;
}

static bool
is_all_ce (const TfrcEcnPath * path, TfrcTime now)
{
  if (path->state == TFRC_ECN_PROBING)
    return path->all_ce >= ALL_CE_PROBES;
  return path->all_ce >= SPOILED_PACKETS &&
      now - path->all_ce_since >= SPOILED_TIME;
}

/* RFC 8083 7: marks count as losses for the congestion breaker. */
static void
count_ce (TfrcEcnPath * path, const TfrcEcnCounts * counts, uint64_t seq,
    TfrcTime now)
{
  uint64_t packets = seq - path->last_highest;
  uint16_t ce = (uint16_t) (counts->ce - path->last_ce);

  path->ce += ce;
  note_ce (path, ce, counts->ect0 != path->last_ect0, now);
  path->marked = packets == 0 ? 0.0 : ce < packets ?
      (double) ce / (double) packets : 1.0;
  path->last_highest = seq;
  path->last_ce = counts->ce;
  path->last_ect0 = counts->ect0;
}

static void
note_arrival (TfrcEcnPath * path, uint64_t seq, TfrcTime now)
{
  if (!path->has_base || seq > path->last_highest)
    path->waiting_since = seq < path->highest ? now : TFRC_TIME_NONE;
}

/* Packets with ECT(0) depart, and the highest number that arrived stays what it was. */
static bool
is_stalled (const TfrcEcnPath * path, uint64_t seq, TfrcTime now)
{
  return path->waiting_since != TFRC_TIME_NONE &&
      now - path->waiting_since >= SPOILED_TIME &&
      count_marked (path, path->highest) - count_marked (path, seq) >=
      SPOILED_PACKETS;
}

static unsigned
take_counts (TfrcEcnPath * path, const TfrcEcnCounts * counts, uint64_t seq,
    TfrcTime now)
{
  Interval interval = subtract (path, counts, seq);

  if (!is_consistent (&interval))
    return on_inconsistent (path, counts, seq);
  path->strikes = 0;
  if (is_stalled (path, seq, now))
    return fail (path, TFRC_ECN_DROPPED);
  count_ce (path, counts, seq, now);
  if (is_mangled (&interval) || is_all_ce (path, now))
    return fail (path, TFRC_ECN_MANGLED);
  if (interval.marked < (path->state == TFRC_ECN_ON ? JUDGED : FEW + 1))
    return 0;
  rebase (path, counts, seq);
  return judge (path, &interval);
}

unsigned
tfrc_ecn_path_on_counts (TfrcEcnPath * path, const TfrcEcnCounts * counts,
    TfrcTime now)
{
  uint64_t seq;

  if (!is_running (path))
    return 0;
  if (!find_sent (path, counts->highest, &seq)) {
    path->inconsistent++;
    return ++path->strikes >= STRIKES ? fail (path, TFRC_ECN_INCONSISTENT) : 0;
  }
  note_arrival (path, seq, now);
  if (!path->has_base) {
    rebase (path, counts, seq);
    return 0;
  }
  /* A report that another one has overtaken says nothing new. */
  return seq < path->last_highest ? 0 : take_counts (path, counts, seq, now);
}

unsigned
tfrc_ecn_path_on_block (TfrcEcnPath * path, uint32_t highest)
{
  uint64_t seq, reported = path->has_base ? path->last_highest : 0;

  if (!is_running (path) || !find_sent (path, highest, &seq))
    return 0;
  /* RFC 6679 7.2.1: reports without counts */
  if (count_marked (path, seq) <= count_marked (path, reported) + FEW)
    return 0;
  return fail (path, TFRC_ECN_NOT_REPORTED);
}
