/* gst-tfrc: gives decoders media time, and their sound playout time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* The one place of the receiving side that rewrites times.
 *
 * Playout time is what rtpjitterbuffer writes: when a packet is to be heard. It follows
 * the clock of the data sender (clock drift), and it jumps by some milliseconds when the
 * payload type changes, since the jitter buffer then begins anew with the next arrival.
 *
 * Media time counts what the data sender has sampled. It begins as the playout time of the
 * first packet and goes on with the RTP timestamps, also across a change of the clock rate
 * (RFC 7160 4.2). It agrees with the number of samples, which a resampler compares it with:
 * audioresample starts anew, with a click, when the two differ by 1/32 s.
 *
 * Packets, losses and sound have media time inside tfrcdecodebin. Sound that leaves gets
 * playout time, which approaches that of the jitter buffer by 1 % of what is played. */
#ifndef GST_TFRC_DECODERTIMELINE_H
#define GST_TFRC_DECODERTIMELINE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Counted reference; the streaming thread alone uses it. */
typedef struct _GstTfrcDecoderTimeline GstTfrcDecoderTimeline;

GstTfrcDecoderTimeline *gst_tfrc_decoder_timeline_new (void);
GstTfrcDecoderTimeline *gst_tfrc_decoder_timeline_ref (GstTfrcDecoderTimeline * timeline);
void gst_tfrc_decoder_timeline_unref (gpointer timeline);

/* The next packet begins a new media time. */
void gst_tfrc_decoder_timeline_reset (GstTfrcDecoderTimeline * timeline);

/* The media time of the next packet, which has an RTP timestamp in units of 1/clock_rate s
 * and the playout time `pts`. A packet that is more than 100 ms from where the packet before
 * it leads to begins a new media time. */
GstClockTime gst_tfrc_decoder_timeline_place (GstTfrcDecoderTimeline * timeline,
    guint32 timestamp, gint clock_rate, GstClockTime pts);

/* The media time of something between packets, such as a loss, with playout time `pts`. */
GstClockTime gst_tfrc_decoder_timeline_get_media_time (const GstTfrcDecoderTimeline * timeline,
    GstClockTime pts);

/* Sound that a decoder gave the media time `pts` and that is to follow, without a gap, on
 * sound that ended at media time `end`: from now on all sound is moved by as much. */
void gst_tfrc_decoder_timeline_join (GstTfrcDecoderTimeline * timeline, GstClockTime end,
    GstClockTime pts);

/* The media time of sound with what gst_tfrc_decoder_timeline_join() has moved it by. */
GstClockTime gst_tfrc_decoder_timeline_get_joined_time (const GstTfrcDecoderTimeline * timeline,
    GstClockTime pts);

/* Gives playout time to all buffers and gaps that leave by `srcpad`. */
void gst_tfrc_decoder_timeline_attach (GstTfrcDecoderTimeline * timeline, GstPad * srcpad);

G_END_DECLS

#endif
