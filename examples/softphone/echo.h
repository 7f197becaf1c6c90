/* Echo cancelling behind a jitter buffer
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* For a webrtcechoprobe that stands between a source with latency and a loudspeaker. */
void echo_set_delay (GstElement * probe);

G_END_DECLS
