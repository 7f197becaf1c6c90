/* tfrcadapt: the rate of an encoder of video that keeps the queue of the path short
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * TFRC reacts to losses, and lets a flow fill the queue of a thin path before the first packet is lost. Voice on
 * the same path loses packets with the video then, and is late. This object finds the queue by the round-trip time
 * and by the transit time. While there is a queue the limit is below what the path carries, and then it grows until
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

/* The sender has this allowance, and the encoder is set to `used`. */
void tfrc_adapt_video_on_allowance (TfrcAdaptVideo * video, const TfrcAllowance * allowance,
    double used, TfrcTime now);

/* The rate that the encoder is not to exceed; INFINITY: the path has shown no queue of the flow's own. */
double tfrc_adapt_video_get_limit (const TfrcAdaptVideo * video);

TFRC_END_DECLS
#endif
