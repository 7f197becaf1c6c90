/* libtfrc: tests of the initiation and verification of ECN, RFC 6679 7
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/ecn.h>

#include "test.h"

#define MS(ms) ((TfrcTime) (ms) * TFRC_MSEC)

/* A data sender, a path and a data receiver that counts what arrives. */
typedef struct _Rig
{
  TfrcEcnPath path;
  TfrcEcnCounter counter;
  TfrcTime now;
  uint16_t seq;
  unsigned marked, plain;       /* packets sent with ECT(0), and without */
  unsigned n;                   /* packets sent in all */
  /* The mark with which a packet arrives, -1: it is lost. */
  int (*carry) (struct _Rig * rig, TfrcEcn mark);
} Rig;

static int
carry_clean (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  return (int) mark;
}

static int
bleach (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  (void) mark;
  return TFRC_ECN_NOT_ECT;
}

static int
set_ce_on_all (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  (void) mark;
  return TFRC_ECN_CE;
}

static int
set_ce_on_capable (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  return mark == TFRC_ECN_ECT0 ? TFRC_ECN_CE : (int) mark;
}

static int
turn_into_ect1 (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  return mark == TFRC_ECN_ECT0 ? TFRC_ECN_ECT1 : (int) mark;
}

static int
set_ect0_on_all (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  (void) mark;
  return TFRC_ECN_ECT0;
}

static int
drop_capable (Rig * rig, TfrcEcn mark)
{
  (void) rig;
  return mark == TFRC_ECN_NOT_ECT ? (int) mark : -1;
}

/* Each tenth packet is lost, and two of the others are marked. */
static int
congest (Rig * rig, TfrcEcn mark)
{
  if (rig->n % 10 == 0)
    return -1;
  return mark == TFRC_ECN_ECT0 && rig->n % 5 == 1 ? TFRC_ECN_CE : (int) mark;
}

static Rig
make_rig (int (*carry) (Rig *, TfrcEcn))
{
  Rig rig = { .now = MS (1000), .seq = 65000, .carry = carry };

  tfrc_ecn_path_init (&rig.path);
  tfrc_ecn_counter_init (&rig.counter);
  return rig;
}

static void
send (Rig * rig, unsigned n)
{
  for (unsigned i = 0; i < n; i++) {
    TfrcEcn mark =
        tfrc_ecn_path_on_departure (&rig->path, ++rig->seq, rig->now);
    int arrived;

    rig->n++;
    *(mark == TFRC_ECN_NOT_ECT ? &rig->plain : &rig->marked) += 1;
    arrived = rig->carry (rig, mark);
    if (arrived >= 0)
      tfrc_ecn_counter_on_packet (&rig->counter, rig->seq, (TfrcEcn) arrived,
          false);
    rig->now += MS (20);
  }
}

static TfrcEcnCounts
count (const Rig * rig)
{
  TfrcEcnCounts counts;

  tfrc_ecn_counter_get (&rig->counter, &counts);
  return counts;
}

/* RTCP with counts and a block. */
static unsigned
report (Rig * rig)
{
  TfrcEcnCounts counts = count (rig);
  unsigned bits = tfrc_ecn_path_on_counts (&rig->path, &counts, rig->now);

  return bits | tfrc_ecn_path_on_block (&rig->path, counts.highest);
}

/* Reports each second, after 50 packets; the seconds until the path is not probed any more, at most 60. */
static unsigned
initiate (Rig * rig)
{
  unsigned seconds = 0;

  tfrc_ecn_path_start (&rig->path);
  while (rig->path.state == TFRC_ECN_PROBING && seconds < 60) {
    send (rig, 50);
    report (rig);
    seconds++;
  }
  return seconds;
}

static Rig
make_verified (void)
{
  Rig rig = make_rig (carry_clean);

  initiate (&rig);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
  return rig;
}

TEST (nothing_is_marked_before_it_is_asked_for)
{
  Rig rig = make_rig (carry_clean);

  send (&rig, 100);
  CHECK_INT (report (&rig), 0);
  CHECK_INT (rig.marked, 0);
  CHECK_INT (rig.path.state, TFRC_ECN_OFF);
}

/* RFC 6679 7.2.1: a few packets are marked, then all. */
TEST (a_clean_path_is_verified_by_a_few_probes)
{
  Rig rig = make_rig (carry_clean);

  CHECK_INT (tfrc_ecn_path_start (&rig.path), TFRC_ECN_CHANGED);
  CHECK_INT (tfrc_ecn_path_start (&rig.path), 0);
  send (&rig, 7);
  CHECK_INT (rig.marked, 0);
  send (&rig, 1);
  CHECK_INT (rig.marked, 1);
  CHECK_INT (report (&rig), 0); /* from which on is counted */
  send (&rig, 24);
  CHECK_INT (report (&rig), 0); /* three probes say nothing */
  send (&rig, 8);
  CHECK_INT (rig.marked, 5);
  CHECK_INT (rig.plain, 35);
  CHECK_INT (report (&rig), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
  CHECK_INT (rig.path.failure, TFRC_ECN_FINE);
  send (&rig, 100);
  CHECK_INT (rig.marked, 105);
  CHECK_INT (rig.path.sent, 105);
}

TEST (a_path_with_losses_and_marks_is_verified)
{
  Rig rig = make_rig (congest);

  CHECK_INT (initiate (&rig), 2);
  for (unsigned i = 0; i < 1000; i++) {
    send (&rig, 50);
    report (&rig);
    CHECK_INT (rig.path.state, TFRC_ECN_ON);
    CHECK_NEAR (rig.path.marked, 0.2, 0.03);
  }
  CHECK_INT (rig.path.inconsistent, 0);
  CHECK_REL (rig.path.ce, 10000, 0.01);
}

TEST (a_path_that_spoils_marks_leads_to_off)
{
  static const struct
  {
    int (*carry) (Rig *, TfrcEcn);
    TfrcEcnFailure failure;
    unsigned seconds;
  } cases[] = {
    {bleach, TFRC_ECN_BLEACHED, 2},
    {drop_capable, TFRC_ECN_DROPPED, 2},
    {set_ce_on_all, TFRC_ECN_MANGLED, 2},
    {set_ce_on_capable, TFRC_ECN_MANGLED, 3},
    {turn_into_ect1, TFRC_ECN_MANGLED, 2},
    {set_ect0_on_all, TFRC_ECN_MANGLED, 2},
  };

  for (size_t i = 0; i < N_OF (cases); i++) {
    Rig rig = make_rig (cases[i].carry);
    unsigned marked;

    NOTE ("case %zu", i);
    CHECK_INT (initiate (&rig), cases[i].seconds);
    CHECK_INT (rig.path.state, TFRC_ECN_FAILED);
    CHECK_INT (rig.path.failure, cases[i].failure);
    marked = rig.marked;
    CHECK (marked <= 20);
    send (&rig, 1000);
    CHECK_INT (rig.marked, marked);
    CHECK_INT (tfrc_ecn_path_start (&rig.path), 0);
    CHECK_INT (tfrc_ecn_path_stop (&rig.path), TFRC_ECN_CHANGED);
    CHECK_INT (tfrc_ecn_path_start (&rig.path), TFRC_ECN_CHANGED);
  }
}

/* Marks on packets that were sent without need no probes to be seen. */
TEST (a_path_that_marks_what_is_not_capable_is_found_at_once)
{
  Rig rig = make_rig (set_ce_on_all);

  tfrc_ecn_path_start (&rig.path);
  send (&rig, 1);
  report (&rig);
  send (&rig, 3);
  CHECK_INT (report (&rig), 0);
  send (&rig, 1);
  CHECK_INT (report (&rig), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.failure, TFRC_ECN_MANGLED);
  CHECK_INT (rig.marked, 0);
}

/* The same after the path was verified, RFC 6679 7.4: a route may change. */
TEST (a_verified_path_that_begins_to_spoil_marks_leads_to_off)
{
  static const struct
  {
    int (*carry) (Rig *, TfrcEcn);
    TfrcEcnFailure failure;
    unsigned seconds;
  } cases[] = {
    {bleach, TFRC_ECN_BLEACHED, 1},
    {set_ce_on_all, TFRC_ECN_MANGLED, 3},
    {turn_into_ect1, TFRC_ECN_MANGLED, 1},
    {drop_capable, TFRC_ECN_DROPPED, 3},
  };

  for (size_t i = 0; i < N_OF (cases); i++) {
    Rig rig = make_verified ();
    unsigned seconds = 0;

    NOTE ("case %zu", i);
    send (&rig, 50);
    report (&rig);
    rig.carry = cases[i].carry;
    for (; rig.path.state == TFRC_ECN_ON && seconds < 20; seconds++) {
      send (&rig, 50);
      report (&rig);
    }
    CHECK_INT (seconds, cases[i].seconds);
    CHECK_INT (rig.path.failure, cases[i].failure);
  }
}

/* 100 sent with ECT(0), 60 arrive so and 40 without. */
TEST (a_path_that_clears_some_marks_leads_to_off)
{
  Rig rig = make_verified ();

  send (&rig, 60);
  rig.carry = bleach;
  send (&rig, 40);
  CHECK_INT (report (&rig), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.failure, TFRC_ECN_BLEACHED);
}

/* The same where a report comes after each four packets. */
TEST (frequent_reports_hide_nothing)
{
  Rig rig = make_verified ();

  for (unsigned i = 0; i < 20 && rig.path.state == TFRC_ECN_ON; i++) {
    rig.carry = carry_clean;
    send (&rig, 2);
    rig.carry = bleach;
    send (&rig, 2);
    report (&rig);
  }
  CHECK_INT (rig.path.failure, TFRC_ECN_BLEACHED);
}

/* RFC 6679 7.2.1: more than three probes are in the packets that a report covers, and it has no counts. */
TEST (reports_without_counts_lead_to_off)
{
  Rig rig = make_rig (carry_clean);

  tfrc_ecn_path_start (&rig.path);
  send (&rig, 24);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq), 0);
  send (&rig, 8);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.failure, TFRC_ECN_NOT_REPORTED);

  rig = make_verified ();
  send (&rig, 3);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq), 0);
  send (&rig, 1);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq + 1u), 0);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.failure, TFRC_ECN_NOT_REPORTED);
}

/* Counts that stay what they were do not hide behind an old sequence number. */
TEST (old_counts_do_not_stand_for_new_ones)
{
  Rig rig = make_verified ();
  TfrcEcnCounts old;

  send (&rig, 50);
  old = count (&rig);
  report (&rig);
  send (&rig, 50);
  report (&rig);
  send (&rig, 50);
  CHECK_INT (tfrc_ecn_path_on_counts (&rig.path, &old, rig.now), 0);
  CHECK_INT (tfrc_ecn_path_on_block (&rig.path, rig.seq), TFRC_ECN_CHANGED);
  CHECK_INT (rig.path.failure, TFRC_ECN_NOT_REPORTED);
}

/* Neither the way of each report nor a sequence number that wraps is a reason to give up. */
TEST (reports_may_be_late_lost_or_few)
{
  Rig rig = make_verified ();
  TfrcEcnCounts old = count (&rig);

  for (unsigned i = 0; i < 2000; i++) {
    send (&rig, 1 + i % 100);
    if (i % 3 == 0)
      continue;
    report (&rig);
    CHECK_INT (tfrc_ecn_path_on_counts (&rig.path, &old, rig.now), 0);
    old = count (&rig);
  }
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
  CHECK_INT (rig.path.inconsistent, 0);
}

TEST (packets_that_come_late_or_twice_are_no_reason_to_give_up)
{
  Rig rig = make_verified ();

  for (unsigned i = 0; i < 200; i++) {
    TfrcEcn mark;

    send (&rig, 48);
    /* one packet is overtaken by a report and by the next packet, which comes twice */
    mark = tfrc_ecn_path_on_departure (&rig.path, ++rig.seq, rig.now);
    send (&rig, 1);
    report (&rig);
    tfrc_ecn_counter_on_packet (&rig.counter, rig.seq, TFRC_ECN_ECT0, true);
    tfrc_ecn_counter_on_packet (&rig.counter, (uint16_t) (rig.seq - 1), mark,
        false);
  }
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
  CHECK_INT (rig.path.inconsistent, 0);
}

/* While few packets are marked, a late one that is not makes the losses negative. */
TEST (a_late_packet_without_a_mark_is_none_that_was_cleared)
{
  Rig rig = make_rig (carry_clean);

  tfrc_ecn_path_start (&rig.path);
  send (&rig, 2);
  tfrc_ecn_path_on_departure (&rig.path, ++rig.seq, rig.now);
  send (&rig, 1);
  report (&rig);
  tfrc_ecn_counter_on_packet (&rig.counter, (uint16_t) (rig.seq - 1),
      TFRC_ECN_NOT_ECT, false);
  send (&rig, 32);
  report (&rig);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
}

/* A path that is dead for two seconds does not look like one that drops what is marked; nor does an
 * application that pauses, although packets are on their way when the next report comes. */
TEST (a_short_outage_and_a_pause_are_no_reason_to_give_up)
{
  Rig rig = make_verified ();

  rig.carry = drop_capable;
  for (unsigned i = 0; i < 2; i++) {
    send (&rig, 50);
    report (&rig);
  }
  rig.carry = carry_clean;
  send (&rig, 50);
  report (&rig);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);

  for (unsigned i = 0; i < 10; i++) {
    rig.now += MS (10000);
    report (&rig);
  }
  rig.carry = drop_capable;     /* still on their way */
  send (&rig, 25);
  report (&rig);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
}

/* The share of marks is that of the packets since the last report. */
TEST (marks_are_told_as_a_share_of_the_packets)
{
  Rig rig = make_verified ();

  send (&rig, 30);
  rig.carry = set_ce_on_capable;
  send (&rig, 10);
  report (&rig);
  CHECK_REL (rig.path.marked, 0.25, 1e-9);
  CHECK_INT (rig.path.ce, 10);
  report (&rig);
  CHECK_NEAR (rig.path.marked, 0.0, 0);
  send (&rig, 10);
  report (&rig);
  CHECK_REL (rig.path.marked, 1.0, 1e-9);
  CHECK_INT (rig.path.state, TFRC_ECN_ON);

  /* with one more that the report before had counted as lost */
  tfrc_ecn_path_on_departure (&rig.path, ++rig.seq, rig.now);
  send (&rig, 1);
  report (&rig);
  tfrc_ecn_counter_on_packet (&rig.counter, (uint16_t) (rig.seq - 1),
      TFRC_ECN_CE, false);
  send (&rig, 5);
  report (&rig);
  CHECK_REL (rig.path.marked, 1.0, 1e-9);
}

/* --- hostile counts --- */

typedef void (*Lie) (TfrcEcnCounts * counts, unsigned i);

static void
lie_shrink (TfrcEcnCounts * counts, unsigned i)
{
  counts->ect0 -= 7 * i;
}

static void
lie_jump (TfrcEcnCounts * counts, unsigned i)
{
  counts->ect0 += 100000 * i;
}

static void
lie_ahead (TfrcEcnCounts * counts, unsigned i)
{
  (void) i;
  counts->highest += 1000;
}

static void
lie_duplicates (TfrcEcnCounts * counts, unsigned i)
{
  counts->duplicates = (uint16_t) (977 * i);
}

static void
lie_zero (TfrcEcnCounts * counts, unsigned i)
{
  uint32_t highest = counts->highest;

  (void) i;
  *counts = (TfrcEcnCounts) {.highest = highest};
}

/* More than was sent, with a negative loss that makes up for it. */
static void
lie_more (TfrcEcnCounts * counts, unsigned i)
{
  counts->ect0 += 100 * i;
  counts->lost = (uint16_t) (counts->lost - 100 * i);
}

TEST (counts_that_lie_lead_to_off_at_once_or_soon)
{
  static const struct
  {
    Lie lie;
    TfrcEcnFailure failure;
  } cases[] = {
    {lie_shrink, TFRC_ECN_INCONSISTENT},
    {lie_jump, TFRC_ECN_INCONSISTENT},
    {lie_ahead, TFRC_ECN_INCONSISTENT},
    {lie_duplicates, TFRC_ECN_INCONSISTENT},
    {lie_zero, TFRC_ECN_INCONSISTENT},
    {lie_more, TFRC_ECN_MANGLED},
  };

  for (size_t i = 0; i < N_OF (cases); i++)
    for (unsigned verified = 0; verified < 2; verified++) {
      Rig rig = verified ? make_verified () : make_rig (carry_clean);
      unsigned reports = 0;

      NOTE ("case %zu, verified %u", i, verified);
      tfrc_ecn_path_start (&rig.path);
      while (reports < 5 && rig.path.state != TFRC_ECN_FAILED) {
        TfrcEcnCounts counts;

        send (&rig, 50);
        counts = count (&rig);
        cases[i].lie (&counts, ++reports);
        tfrc_ecn_path_on_counts (&rig.path, &counts, rig.now);
        CHECK (rig.path.state != TFRC_ECN_ON || verified);
        CHECK_BETWEEN (rig.path.marked, 0.0, 1.0);
      }
      CHECK (reports <= 4);
      CHECK_INT (rig.path.failure, cases[i].failure);
    }
}

/* A data receiver that begins to count anew, as after a jump of the sequence numbers, is no liar. */
TEST (counts_that_begin_anew_once_are_taken)
{
  Rig rig = make_verified ();

  for (unsigned i = 0; i < 20; i++) {
    tfrc_ecn_counter_init (&rig.counter);
    for (unsigned j = 0; j < 5; j++) {
      send (&rig, 50);
      report (&rig);
    }
  }
  CHECK_INT (rig.path.state, TFRC_ECN_ON);
  CHECK_INT (rig.path.inconsistent, 20);
}

/* Whatever arrives, the state can be read, the share is one, and nothing is marked after a failure. */
TEST (random_counts_do_no_harm)
{
  uint32_t random = 1;

  for (unsigned round = 0; round < 2000; round++) {
    Rig rig = round % 2 ? make_verified () : make_rig (carry_clean);

    tfrc_ecn_path_start (&rig.path);
    for (unsigned i = 0; i < 20; i++) {
      uint32_t words[6];
      TfrcEcnCounts counts;
      bool failed = rig.path.state == TFRC_ECN_FAILED;
      unsigned marked = rig.marked;

      for (unsigned j = 0; j < 6; j++)
        words[j] = random = random * 1664525u + 1013904223u;
      send (&rig, words[5] >> 26);
      if (failed)
        CHECK_INT (rig.marked, marked);
      memcpy (&counts, words, sizeof counts);
      if (round % 3)
        counts.highest = rig.seq - (words[0] >> 24);
      tfrc_ecn_path_on_counts (&rig.path, &counts, rig.now);
      tfrc_ecn_path_on_block (&rig.path, words[5]);
      CHECK_BETWEEN (rig.path.marked, 0.0, 1.0);
      CHECK_BETWEEN (rig.path.state, TFRC_ECN_PROBING, TFRC_ECN_FAILED);
      if (round % 2 == 0)
        CHECK (rig.path.state != TFRC_ECN_ON);
    }
  }
}

TEST (states_and_failures_have_names)
{
  CHECK_STR (tfrc_ecn_state_get_name (TFRC_ECN_OFF), "off");
  CHECK_STR (tfrc_ecn_state_get_name (TFRC_ECN_PROBING), "probing");
  CHECK_STR (tfrc_ecn_state_get_name (TFRC_ECN_ON), "on");
  CHECK_STR (tfrc_ecn_state_get_name (TFRC_ECN_FAILED), "failed");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_FINE), "none");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_NOT_REPORTED), "not-reported");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_BLEACHED), "bleached");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_MANGLED), "mangled");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_DROPPED), "dropped");
  CHECK_STR (tfrc_ecn_failure_get_name (TFRC_ECN_INCONSISTENT), "inconsistent");
}
