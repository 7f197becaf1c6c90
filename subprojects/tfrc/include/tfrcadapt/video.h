/* tfrcadapt: a limit of the rate of video that keeps the queue of the path short for voice
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TFRC reacts to losses, and lets a flow fill the queue of a slow path before the first packet is lost.
 * Voice on the same path is late then, and loses packets with the video. This object estimates the queue
 * from the round-trip time and the transit time: the delay in the queue is its minimum over the last
 * quarter to half of a second (as in CoDel, RFC 8289), so that one large frame or a short pause of the path
 * does not count. While there is a queue, the limit is below the rate that the path carries; when the queue
 * is gone, the limit grows until there is one again. When much less arrives than before, while there is a
 * queue, the limit is cut at once. A queue that does not drain although the flow sends
 * less is kept by competing traffic: then there is no limit but that of TFRC.
 *
 * Rates are in bytes/s of RTP packets. The contract of tfrc/tfrc.h holds. There are no bits: the caller
 * reads the limit after each call that changes the object. */
#ifndef TFRC_ADAPT_VIDEO_H
#define TFRC_ADAPT_VIDEO_H

#include <tfrc/sender.h>
#include <tfrc/tfrc.h>

TFRC_BEGIN_DECLS

typedef struct _TfrcAdaptVideo TfrcAdaptVideo;

/* How many bytes an object takes. */
size_t tfrc_adapt_video_size (void);

/* Makes `block` an object and returns it. */
TfrcAdaptVideo *tfrc_adapt_video_init (void *block, TfrcTime now);

/* The sender has this allowance, and the video sends `used` bytes/s. */
void tfrc_adapt_video_on_allowance (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    double used, TfrcTime now);

/* To be called in place of tfrc_adapt_video_on_allowance() while the limit is not applied: the object goes
 * on to learn the shortest times, which a queue does not make longer, and there is no limit until the path
 * shows a queue again. */
void tfrc_adapt_video_on_unlimited (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    TfrcTime now);

/* The rate that the video is not to exceed; INFINITY: no limit, since the flow causes no queue. */
double tfrc_adapt_video_get_limit (const TfrcAdaptVideo * video);

TFRC_END_DECLS
#endif
