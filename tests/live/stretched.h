/* gst-tfrc tests: whether the clock on the wall can be believed
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tests/sanitize.sh tells when a processor that is some times slower plays the call
 * in real time. It then judges memory; what the clock on the wall has to say of the
 * call is for the run without it. Nor is it judged when the machine held the test. */
#ifndef STRETCHED_H
#define STRETCHED_H

#include "stalls.h"

/* More than a packet time of 20 ms, and than what a busy machine makes of a sleep. */
#define STALL_BEARABLE (30 * G_TIME_SPAN_MILLISECOND)

static inline gboolean
is_under_checker (void)
{
  return g_getenv ("TFRC_STRETCHED") != NULL;
}

static inline gboolean
is_stretched (void)
{
  gint64 stall = stalls_get_worst ();

  if (stall > STALL_BEARABLE)
    g_printerr ("the machine held this test for %d ms: not judged by the clock\n",
        (gint) (stall / G_TIME_SPAN_MILLISECOND));
  return stall > STALL_BEARABLE || is_under_checker ();
}

#endif
