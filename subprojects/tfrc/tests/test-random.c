/* libtfrc: a million random packets, built with sanitizers where there are some
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The lives of fuzz/, led by a generator with fixed seeds: the same every time. */
#include "test.h"
#include "fuzz/laws.h"
#include "fuzz/side.h"

#define LIVES 100u

static void
check_lives (void (*drive) (Input *, uint64_t), uint64_t packets)
{
  for (unsigned life = 1; life <= LIVES; life++) {
    Input input = { NULL, 0, life * 0x9E3779B97F4A7C15u };

    NOTE ("life %u", life);
    drive (&input, packets / LIVES);
  }
}

TEST (a_million_random_packets_break_no_law_of_a_receiver)
{
  check_lives (drive_receiver, 1000000);
}

TEST (a_million_departures_and_random_reports_break_no_law_of_a_sender)
{
  check_lives (drive_sender, 1000000);
}

TEST (a_million_departures_and_random_feedback_break_no_law_of_a_receiver_at_the_side)
{
  check_lives (drive_sender_side, 1000000);
}

static void
drive_recovering_loop (Input * input, uint64_t steps)
{
  drive_loop (input, steps, true);
}

TEST (a_million_events_of_a_changing_path_break_no_law_of_a_loop)
{
  check_lives (drive_recovering_loop, 1000000);
}

TEST (five_hundred_late_packets_cost_no_call_its_rate)
{
  check_lives (drive_late, 500);
}

TEST (a_thousand_silences_after_losses_are_noticed_in_time)
{
  check_lives (drive_silence, 1000);
}
