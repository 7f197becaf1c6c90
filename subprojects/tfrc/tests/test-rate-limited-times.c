/* libtfrc: tests of the judgement whether an interval was data-limited
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "sender/rate-limited-times.h"

#define MS(T) ((TfrcTime) (T) * TFRC_MSEC)
#define RTT MS (100)

static TfrcRateLimitedTimes
make_log (TfrcTime rtt)
{
  TfrcRateLimitedTimes log;

  tfrc_rate_limited_times_init (&log);
  tfrc_rate_limited_times_set_rtt (&log, rtt);
  return log;
}

static TfrcTime
ms_of (double seconds)
{
  return MS (seconds * 1e3 + 0.5);
}

TEST (the_judgement_is_that_of_rfc_5348_8_2_1)
{
  /* The last case is the RFC's two times missing a flow that was limited all the
   * time: a longer memory answers it right, below. */
  for (size_t i = 0; i < N_OF (v_data_limited) - 1; i++) {
    TfrcRateLimitedTimes log = make_log (ms_of (v_data_limited[i].R));
    size_t n = 0;

    for (size_t j = 0; j < v_data_limited[i].n_events; j++) {
      TfrcTime rtt = ms_of (v_data_limited[i].R), t =
          ms_of (v_data_limited[i].events[j]._1);

      if (strcmp (v_data_limited[i].events[j]._0, "limited_now") == 0) {
        tfrc_rate_limited_times_add (&log, t);
        continue;
      }
      t = ms_of (v_data_limited[i].events[j]._2);
      NOTE ("case %zu, report %zu", i, n);
      CHECK_INT (tfrc_rate_limited_times_is_data_limited (&log, t - rtt, t),
          v_data_limited[i].feedback[n++].data_limited);
    }
    CHECK_INT (n, v_data_limited[i].n_feedback);
  }
}

TEST (a_flow_limited_throughout_is_never_data_limited_however_late_the_report)
{
  TfrcRateLimitedTimes log = make_log (RTT);

  for (unsigned t = 1000; t <= 1300; t += 100)
    tfrc_rate_limited_times_add (&log, MS (t));
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (1150), MS (1250)));
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (1260), MS (1360)));
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (950), MS (1050)));
}

TEST (an_interval_is_open_at_its_begin_and_closed_at_its_end)
{
  TfrcRateLimitedTimes log = make_log (RTT);

  tfrc_rate_limited_times_add (&log, MS (1000));
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (900), MS (1000)));
  CHECK (tfrc_rate_limited_times_is_data_limited (&log, MS (1000), MS (1100)));
  CHECK (tfrc_rate_limited_times_is_data_limited (&log, MS (899), MS (999)));
}

TEST (nothing_ever_limited_is_data_limited)
{
  TfrcRateLimitedTimes log = make_log (RTT);

  CHECK (tfrc_rate_limited_times_is_data_limited (&log, 0, MS (1000)));
}

TEST (many_times_close_together_are_one_span_with_exact_ends)
{
  TfrcRateLimitedTimes log = make_log (RTT);

  for (unsigned t = 1000; t <= 3000; t++)
    tfrc_rate_limited_times_add (&log, MS (t));
  CHECK_INT (log.n, 1);
  for (unsigned t = 1000; t <= 3000; t += 7)
    CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (t) - RTT,
            MS (t)));
  CHECK (tfrc_rate_limited_times_is_data_limited (&log, MS (3000), MS (3100)));
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log, MS (2999), MS (3099)));
  CHECK (tfrc_rate_limited_times_is_data_limited (&log, MS (899), MS (999)));
}

/* One limited time every R / 7 is the pattern that takes the most spans. */
TEST (the_memory_reaches_back_two_rtts_in_the_worst_pattern)
{
  TfrcRateLimitedTimes log = make_log (RTT);

  for (unsigned i = 0; i < 1000; i++)
    tfrc_rate_limited_times_add (&log, MS (1000) + i * RTT / 7);
  CHECK (!tfrc_rate_limited_times_is_data_limited (&log,
          MS (1000) + 999 * RTT / 7 - 2 * RTT,
          MS (1000) + 999 * RTT / 7 - RTT));
}
