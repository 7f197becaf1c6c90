/* libtfrc: tests of fluid pacing's factor
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"
#include "vectors.h"

#include "sender/fluid-pacing-factor.h"

TEST (the_factor_is_that_of_the_ftcp_draft)
{
  for (size_t i = 0; i < N_OF (v_ftcp); i++) {
    double cwnd = v_ftcp[i].cwnd_packets, R = v_ftcp[i].R;

    NOTE ("cwnd %g", cwnd);
    CHECK_NEAR (tfrc_fluid_get_factor (cwnd, true), v_ftcp[i].Fss, 0);
    CHECK_NEAR (tfrc_fluid_get_factor (cwnd, false), v_ftcp[i].Fca_max, 0);
    CHECK_REL (R / tfrc_fluid_get_factor (cwnd, true), v_ftcp[i].spacing_ss,
        1e-12);
    CHECK_REL (R / tfrc_fluid_get_factor (cwnd, false), v_ftcp[i].spacing_ca,
        1e-12);
  }
}

TEST (the_factor_is_never_below_what_X_allows)
{
  for (double cwnd = 0.01; cwnd < 1e6; cwnd *= 1.01) {
    CHECK_BETWEEN (tfrc_fluid_get_factor (cwnd, true), fmax (cwnd, 1.0),
        fmax (2.0 * cwnd, 1.0));
    CHECK_BETWEEN (tfrc_fluid_get_factor (cwnd, false), cwnd, cwnd + 2.0);
  }
}
