/* libtfrc: tests of X_recv_set
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "sender/x-recv-set.h"

#define MS(T) ((TfrcTime) (T) * TFRC_MSEC)
#define R MS (100)

static TfrcXRecvSet
make_set (TfrcTime now)
{
  TfrcXRecvSet set;

  tfrc_x_recv_set_init (&set, now);
  return set;
}

static bool
has (const TfrcXRecvSet * set, double X_recv)
{
  for (unsigned i = 0; i < set->n; i++)
    if (set->X_recv[i] == X_recv)
      return true;
  return false;
}

TEST (the_set_begins_with_infinity_alone)
{
  TfrcXRecvSet set = make_set (MS (100));

  CHECK_INT (set.n, 1);
  CHECK (isinf (tfrc_x_recv_set_get_max (&set)));
}

TEST (infinity_lives_two_rtts_from_the_first_report)
{
  TfrcXRecvSet set = make_set (MS (100));

  tfrc_x_recv_set_update (&set, 14600, R, MS (210));
  CHECK (isinf (tfrc_x_recv_set_get_max (&set)));
  tfrc_x_recv_set_update (&set, 14600, R, MS (300));    /* 2 R exactly: not older */
  CHECK (isinf (tfrc_x_recv_set_get_max (&set)));
  tfrc_x_recv_set_update (&set, 14600, R, MS (300) + 1);
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 14600, 0);
}

TEST (an_entry_lives_two_rtts)
{
  TfrcXRecvSet set = make_set (0);

  tfrc_x_recv_set_replace (&set, 87600, MS (320));
  tfrc_x_recv_set_update (&set, 10000, R, MS (430));
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 87600, 0);
  tfrc_x_recv_set_update (&set, 10000, R, MS (540));
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 10000, 0);
  CHECK_INT (set.n, 2);
}

TEST (the_set_holds_three_and_its_maximum_stays)
{
  TfrcXRecvSet set = make_set (0);

  tfrc_x_recv_set_replace (&set, 10, MS (0));
  tfrc_x_recv_set_update (&set, 40, R, MS (50));
  tfrc_x_recv_set_update (&set, 20, R, MS (100));
  tfrc_x_recv_set_update (&set, 30, R, MS (150));
  CHECK_INT (set.n, 3);
  CHECK (has (&set, 40) && has (&set, 20) && has (&set, 30) && !has (&set, 10));
  tfrc_x_recv_set_update (&set, 5, R, MS (160));
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 40, 0);
  CHECK (has (&set, 30) && has (&set, 5));
}

TEST (maximize_deletes_infinity_and_keeps_the_largest_stamped_now)
{
  TfrcXRecvSet set = make_set (MS (100));

  tfrc_x_recv_set_update (&set, 100, R, MS (200));
  tfrc_x_recv_set_maximize (&set, 50, MS (400));
  CHECK_INT (set.n, 1);
  CHECK_NEAR (set.X_recv[0], 100, 0);
  CHECK_INT (set.at[0], MS (400));
  tfrc_x_recv_set_maximize (&set, 101, MS (500));
  CHECK_INT (set.n, 1);
  CHECK_NEAR (set.X_recv[0], 101, 0);
  /* renewed: it lives two round-trip times from there */
  tfrc_x_recv_set_update (&set, 1, R, MS (700));
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 101, 0);
}

TEST (maximize_of_infinity_alone_keeps_the_new_rate)
{
  TfrcXRecvSet set = make_set (0);

  tfrc_x_recv_set_maximize (&set, 5000, MS (1));
  CHECK_NEAR (tfrc_x_recv_set_get_max (&set), 5000, 0);
}

TEST (halve_halves_every_entry)
{
  TfrcXRecvSet set = make_set (0);

  tfrc_x_recv_set_replace (&set, 100, MS (0));
  tfrc_x_recv_set_update (&set, 60, R, MS (10));
  tfrc_x_recv_set_update (&set, 20, R, MS (20));
  tfrc_x_recv_set_halve (&set);
  CHECK_INT (set.n, 3);
  CHECK (has (&set, 50) && has (&set, 30) && has (&set, 10));
}
