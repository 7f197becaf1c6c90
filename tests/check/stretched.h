/* gst-tfrc tests: under a checker that makes everything slow
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tests/sanitize.sh tells when a processor that is some times slower plays the call
 * in real time. It then judges memory; what the clock on the wall has to say of the
 * call is for the run without it. */
#ifndef STRETCHED_H
#define STRETCHED_H

#include <glib.h>

static inline gboolean
is_stretched (void)
{
  return g_getenv ("TFRC_STRETCHED") != NULL;
}

#endif
