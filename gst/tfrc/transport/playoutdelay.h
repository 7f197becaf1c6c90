/* gst-tfrc: how long a playout buffer waits when its delay follows the path
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A playout buffer with a fixed latency plays every packet that long after the fastest way that packets
 * take. With this object the buffer plays earlier than that: after a delay between a least one and the
 * latency, which tfrcadapt chooses (tfrcadapt/playout-delay.h) by how late sound has come. The latency that
 * the pipeline knows does not change; the times of packets do, so that nothing has to be configured anew.
 * The delay moves by at most 3 % of the time that passes. tfrcdecodebin stretches or squeezes
 * the sound by as much.
 *
 * Sound comes when its packet or its first copy comes, whichever is first. Sound that never comes has
 * no lateness. Plain state; one thread at a time uses it. Times are in ns. */
#ifndef GST_TFRC_PLAYOUTDELAY_H
#define GST_TFRC_PLAYOUTDELAY_H

#include <gst/gst.h>
#include <tfrcadapt/playout-delay.h>

#include "transport/playouttimes.h"

G_BEGIN_DECLS

/* Packets whose sound is remembered: 1.3 s of 20 ms, more than RFC 2198 lets a copy lie behind (0.34 s). */
#define GST_TFRC_PLAYOUT_SOUNDS 64

typedef struct
{
  TfrcAdaptPlayoutDelay choice;
  GstClockTime latency;         /* the greatest delay */
  GstClockTime delay;           /* the present one */
  GstClockTime moved;           /* when the delay was moved last; NONE: never */
  gint64 first;                 /* send time of the stream's first packet */
  gint64 sounds[GST_TFRC_PLAYOUT_SOUNDS];       /* send times of the sound that came last */
  guint next, n;                /* place of the next, and how many there are */
} GstTfrcPlayoutDelay;

/* The delay is to be within `least` and `latency`. */
void gst_tfrc_playout_delay_init (GstTfrcPlayoutDelay * delay, GstClockTime least, GstClockTime latency);

/* A stream begins with a packet that was sent at `sent`. The delay stays. */
void gst_tfrc_playout_delay_begin (GstTfrcPlayoutDelay * delay, gint64 sent);

/* A packet arrived, with its sound and copies of earlier sound. The times of its stream are in `times`.
 * `gap`: when the packet before it is missing, its duration; else 0. In a stream without copies the sound
 * of a lost packet comes with the packet behind it, which has it in its error correction. */
void gst_tfrc_playout_delay_on_packet (GstTfrcPlayoutDelay * delay, const GstTfrcPlayoutTimes * times,
    const GstTfrcPlayoutPacket * packet, GstClockTime gap);

/* The one-way delay of the path, such as half the round-trip time. */
void gst_tfrc_playout_delay_set_path (GstTfrcPlayoutDelay * delay, GstClockTime path);

/* How much earlier than after the latency packets are played now. */
GstClockTime gst_tfrc_playout_delay_get_advance (const GstTfrcPlayoutDelay * delay);

G_END_DECLS

#endif
