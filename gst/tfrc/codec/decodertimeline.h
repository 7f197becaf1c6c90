/* gst-tfrc: gives decoders media time, and their sound playout time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* No other file of the receiving side rewrites times. There are two times:
 *
 * - Playout time is what rtpjitterbuffer writes into packets: when a packet is to be heard. It
 *   follows the clock of the data sender (clock drift), and jumps by some milliseconds when the
 *   payload type changes, since the jitter buffer then begins again with the next arrival.
 * - Media time counts the samples of the data sender. It begins as the playout time of the first
 *   packet and goes on with the RTP timestamps, also across a change of the clock rate (RFC 7160
 *   4.2), so that it always agrees with the number of samples. audioresample compares the two, and
 *   starts again, with a click, when they differ by 1/32 s.
 *
 * Packets, losses and sound have media time inside tfrcdecodebin. The sound that tfrcdecodebin
 * pushes gets playout time, which approaches that of the jitter buffer: by 1 % of what is played while the
 * two are less than 5 ms apart, as they are by clock drift, and else by as much as the sound is made longer
 * or shorter (codec/decodercrossfade.h), so that times and samples agree. */
#ifndef GST_TFRC_DECODERTIMELINE_H
#define GST_TFRC_DECODERTIMELINE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The object is counted by references. Only the streaming thread uses it. */
typedef struct _GstTfrcDecoderTimeline GstTfrcDecoderTimeline;

GstTfrcDecoderTimeline *gst_tfrc_decoder_timeline_new (void);
GstTfrcDecoderTimeline *gst_tfrc_decoder_timeline_ref (GstTfrcDecoderTimeline * timeline);
void gst_tfrc_decoder_timeline_unref (gpointer timeline);

/* The next packet begins a new media time. */
void gst_tfrc_decoder_timeline_reset (GstTfrcDecoderTimeline * timeline);

/* Returns the media time of the next packet, which has an RTP timestamp in units of 1/clock_rate s
 * and the playout time `pts`. A packet that is more than 100 ms from where the packets before it
 * lead begins a new media time. */
GstClockTime gst_tfrc_decoder_timeline_place (GstTfrcDecoderTimeline * timeline,
    guint32 timestamp, gint clock_rate, GstClockTime pts);

/* Returns the media time of the playout time `pts` between two packets, such as that of a loss. */
GstClockTime gst_tfrc_decoder_timeline_get_media_time (const GstTfrcDecoderTimeline * timeline,
    GstClockTime pts);

/* Moves all sound from now on by the difference between `end` and `pts`, so that sound of the media
 * time `pts` follows without a gap on sound that ended at the media time `end`. */
void gst_tfrc_decoder_timeline_join (GstTfrcDecoderTimeline * timeline, GstClockTime end,
    GstClockTime pts);

/* By how much sound is played too early (ns; negative: too late) for its duration to be changed; 0 when it
 * is not. */
GstClockTimeDiff gst_tfrc_decoder_timeline_get_early (const GstTfrcDecoderTimeline * timeline);

/* The sound of one buffer became longer by `difference` ns (negative: shorter): what follows is played
 * later by that. */
void gst_tfrc_decoder_timeline_stretch (GstTfrcDecoderTimeline * timeline,
    GstClockTimeDiff difference);

/* Returns the media time `pts`, moved as by gst_tfrc_decoder_timeline_join(). */
GstClockTime gst_tfrc_decoder_timeline_get_joined_time (const GstTfrcDecoderTimeline * timeline,
    GstClockTime pts);

/* Gives playout time to all buffers and gaps that are pushed from `srcpad`. */
void gst_tfrc_decoder_timeline_attach (GstTfrcDecoderTimeline * timeline, GstPad * srcpad);

G_END_DECLS

#endif
