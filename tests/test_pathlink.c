/* Tests of the path emulator's link
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../examples/pathlink.h"

#define MS 1000000ull
#define S 1000000000ull

static unsigned failures;

#define expect(condition) do { \
    if (!(condition)) { \
      fprintf (stderr, "%s:%d: %s: not %s\n", __FILE__, __LINE__, __func__, #condition); \
      failures++; \
    } } while (0)

#define expect_near(value, wanted, tolerance) \
    expect (fabs ((double) (value) - (double) (wanted)) <= (tolerance))

static Link the_link;
static LinkConfig config;

static Link *
open_link (void)
{
  link_init (&the_link, &config, 7);
  return &the_link;
}

static void
a_datagram_takes_its_bits_over_the_capacity_plus_the_delay (void)
{
  uint64_t due[2];
  link_config_init (&config);
  config.delay = 50 * MS;
  expect (link_config_parse_capacity (&config, "0:80"));
  Link *link = open_link ();
  /* 72 + 28 bytes at 80 kbit/s: 10 ms each */
  expect (link_offer (link, 72, 0, due) == 1 && due[0] == 60 * MS);
  expect (link_offer (link, 72, 0, due) == 1 && due[0] == 70 * MS);
  expect (link_offer (link, 72, 100 * MS, due) == 1 && due[0] == 160 * MS);
}

static void
a_change_of_capacity_applies_to_what_is_being_sent (void)
{
  uint64_t due[2];
  link_config_init (&config);
  expect (link_config_parse_capacity (&config, "0:80,0.005:20,1:0,2:800"));
  Link *link = open_link ();
  /* half of it at 80 kbit/s, the other 400 bits at 20 kbit/s */
  expect (link_offer (link, 72, 0, due) == 1 && due[0] == 25 * MS);
  /* enters while the capacity is 0 */
  expect (link_offer (link, 72, 3 * S / 2, due) == 1 && due[0] == 2 * S + MS);
  expect_near (link_get_capacity (link, 0), 80e3, 0);
  expect_near (link_get_capacity (link, 3 * S), 800e3, 0);
}

static void
the_tail_is_dropped_at_the_bound_in_ms (void)
{
  uint64_t due[2];
  link_config_init (&config);
  expect (link_config_parse_capacity (&config, "0:80")
      && link_config_parse_queue (&config, "30ms"));
  Link *link = open_link ();
  for (int i = 0; i < 4; i++)
    expect (link_offer (link, 72, 0, due) == 1);
  expect (link_offer (link, 72, 0, due) == 0);
  expect (link_offer (link, 72, 10 * MS, due) == 1);
  LinkCounts counts;
  link_take_counts (link, S, S, &counts);
  expect (counts.tail_drops == 1 && counts.random_drops == 0);
  expect_near (counts.queue_max, 30, 1e-9);
  expect_near (counts.carried, 5 * 800, 1e-9);
  expect_near (counts.offered, 6 * 800, 1e-9);
}

static void
the_tail_is_dropped_at_the_bound_in_bytes (void)
{
  uint64_t due[2];
  link_config_init (&config);
  expect (link_config_parse_capacity (&config, "0:80")
      && link_config_parse_queue (&config, "250B"));
  Link *link = open_link ();
  expect (link_offer (link, 72, 0, due) == 1
      && link_offer (link, 72, 0, due) == 1);
  expect (link_offer (link, 72, 0, due) == 0);
  /* after 10 ms the first has left */
  expect (link_offer (link, 72, 10 * MS, due) == 1);
  expect (link_offer (link, 72, 10 * MS, due) == 0);
}

static void
an_outage_takes_all_and_nothing_else (void)
{
  uint64_t due[2];
  link_config_init (&config);
  expect (link_config_parse_outages (&config, "1:0.5,3:10"));
  Link *link = open_link ();
  expect (link_offer (link, 72, S - 1, due) == 1);
  expect (link_offer (link, 72, S, due) == 0);
  expect (link_offer (link, 72, 3 * S / 2 - 1, due) == 0);
  expect (link_offer (link, 72, 3 * S / 2, due) == 1);
  expect (link_offer (link, 72, 12 * S, due) == 0);
  expect (link_offer (link, 72, 13 * S, due) == 1);
}

static void
losses_have_the_ratio_and_the_run_length_asked_for (void)
{
  const unsigned n = 200000;
  for (double run = 1; run < 10; run += 4) {
    unsigned lost = 0, runs = 0;
    bool before = false;
    uint64_t due[2];
    link_config_init (&config);
    config.loss = 0.1;
    config.loss_run = run;
    Link *link = open_link ();
    for (unsigned i = 0; i < n; i++) {
      bool now = link_offer (link, 72, i * MS, due) == 0;
      lost += now;
      runs += now && !before;
      before = now;
    }
    expect_near ((double) lost / n, 0.1, 0.005);
    /* independent losses run on by chance: 1 / (1 - 0.1) */
    expect_near ((double) lost / runs, run == 1 ? 1 / 0.9 : run, 0.06 * run);
  }
}

static void
duplicates_and_late_ones_come_at_their_ratios (void)
{
  unsigned twice = 0, late = 0;
  uint64_t due[2];
  link_config_init (&config);
  config.duplicate = 0.05;
  config.reorder = 0.2;
  Link *link = open_link ();
  for (unsigned i = 0; i < 100000; i++) {
    twice += link_offer (link, 72, i * MS, due) == 2;
    late += due[0] == i * MS + config.reorder_ns;
  }
  expect_near (twice, 5000, 250);
  expect_near (late, 20000, 500);
}

static void
nonsense_is_refused (void)
{
  link_config_init (&config);
  expect (!link_config_parse_capacity (&config, ""));
  expect (!link_config_parse_capacity (&config, "0:"));
  expect (!link_config_parse_capacity (&config, "0:10,0:20"));
  expect (!link_config_parse_capacity (&config, "0:-1"));
  expect (!link_config_parse_capacity (&config, "0:10;5:20"));
  expect (!link_config_parse_queue (&config, "300"));
  expect (!link_config_parse_queue (&config, "0ms"));
}

int
main (void)
{
  a_datagram_takes_its_bits_over_the_capacity_plus_the_delay ();
  a_change_of_capacity_applies_to_what_is_being_sent ();
  the_tail_is_dropped_at_the_bound_in_ms ();
  the_tail_is_dropped_at_the_bound_in_bytes ();
  an_outage_takes_all_and_nothing_else ();
  losses_have_the_ratio_and_the_run_length_asked_for ();
  duplicates_and_late_ones_come_at_their_ratios ();
  nonsense_is_refused ();
  return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
