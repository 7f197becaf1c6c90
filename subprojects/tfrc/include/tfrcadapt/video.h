/* tfrcadapt: the rate of video that leaves the queue of the path to voice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TFRC reacts to losses, and lets a flow fill the queue of a thin path before the first packet is lost. Voice on
 * the same path loses packets with the video then, and is late. This object finds the queue by the round-trip time
 * and by the transit time. A queue counts as long as it was at its shortest in a quarter to half a second (as CoDel has
 * it, RFC 8289), so that large frames and stalls are none. While there is a queue the limit is below what the path carries, and then it grows until
 * there is one again. Competing traffic keeps a queue that does not drain when the flow sends less: then there is no
 * limit but that of TFRC.
 *
 * Rates are in bytes/s of RTP packets. The contract of tfrc/tfrc.h holds. */
#ifndef TFRC_ADAPT_VIDEO_H
#define TFRC_ADAPT_VIDEO_H

#include <tfrc/sender.h>
#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcAdaptVideo TfrcAdaptVideo;

/* Bytes of an object. */
size_t tfrc_adapt_video_size (void);

TfrcAdaptVideo *tfrc_adapt_video_init (void *block, TfrcTime now);

/* The sender has this allowance, and the video uses `used`. */
void tfrc_adapt_video_on_allowance (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    double used, TfrcTime now);

/* As tfrc_adapt_video_on_allowance(), while nothing holds the video to the limit: the object goes on to learn the shortest
 * times, which a queue that the video keeps meanwhile does not make longer, and there is no limit afterwards until the
 * path shows a queue again. */
void tfrc_adapt_video_on_unlimited (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    TfrcTime now);

/* The rate that the video is not to exceed; INFINITY: the path has shown no queue of the flow's own. */
double tfrc_adapt_video_get_limit (const TfrcAdaptVideo * video);

TFRC_END_DECLS
#endif
