/* gst-tfrc: a relay of tfrcbin that knows its callers and encrypts to each of them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef KEYEDRELAY_H
#define KEYEDRELAY_H

#include <glib.h>

/* Keys of SRTP, hexadecimal: of what the relay sends, and of what the callers send. */
#define KEYED_RELAY_KEY "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"
#define KEYED_RELAY_REMOTE_KEY "100102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d"

/* Runs until the process is killed, at 127.0.0.1:`port`. On SIGUSR1 it adds the `n` callers of callers_start() with
 * the port `callers_port`, and puts each through to its partner. */
void keyed_relay_run (guint n, guint port, guint callers_port);

#endif
