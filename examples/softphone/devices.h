/* gst-tfrc: the microphone and the loudspeaker of a call, or files in their place
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef DEVICES_H
#define DEVICES_H

#include "call.h"

G_BEGIN_DECLS

#define DEVICES_SOUND "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1"

/* FALSE: there is no microphone or no loudspeaker, and the error names the remedy. */
gboolean devices_check (const CallSettings * settings, GError ** error);

/* Whether the echo of the loudspeaker is taken out of what the microphone hears. */
gboolean devices_cancel_echo (const CallSettings * settings);

/* The beginning and the end of a launch line, to be freed. */
gchar *devices_describe_microphone (const CallSettings * settings);
gchar *devices_describe_loudspeaker (const CallSettings * settings);

gboolean devices_have_factory (const gchar * name);

G_END_DECLS
#endif
