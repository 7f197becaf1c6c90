/* gst-tfrc tests: how long the machine held this process
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A host that runs other guests takes the processor away for 100 ms and more at a
 * time. What the clock on the wall then has to say of a call is that host's doing, so
 * a test that judges it watches how late a short sleep ends. */
#ifndef STALLS_H
#define STALLS_H

#include <glib.h>

/* Starts to watch; to be the fixture of a test case, as each test is a process. */
void stalls_begin (void);

/* The longest hold since then, in microseconds; 0 when nothing watches. */
gint64 stalls_get_worst (void);

#endif
