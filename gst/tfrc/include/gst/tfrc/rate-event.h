/* gst-tfrc: names of the upstream event with the allowance of an encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An encoder that follows the event needs this header and GStreamer, and no other library. Its
 * pkg-config module is gstreamer-tfrc-1.0. rtptfrcsend, tfrcsink and tfrcbin send
 * the event upstream (GST_EVENT_CUSTOM_UPSTREAM) when the allowance changes noticeably. An encoder
 * may drop the event after it has handled it, or pass it on. */
#ifndef GST_TFRC_RATE_EVENT_H
#define GST_TFRC_RATE_EVENT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Name of the structure in the event. */
#define GST_TFRC_RATE_NAME "application/x-tfrc-rate"

/* --- what an encoder has to follow --- */
#define GST_TFRC_RATE_FIELD_BITRATE "bitrate" /* uint, bit/s of payload that are left after all headers */
#define GST_TFRC_RATE_FIELD_SUSPEND "suspend" /* boolean, TRUE: send nothing until an event says FALSE */

/* --- what an encoder can choose the size of its packets by --- */
#define GST_TFRC_RATE_FIELD_PAYLOAD_SIZE "payload-size"       /* uint, bytes in a packet at packet-rate */
#define GST_TFRC_RATE_FIELD_PACKET_RATE "packet-rate" /* double, packets/s at present */
#define GST_TFRC_RATE_FIELD_MAX_PACKET_RATE "max-packet-rate" /* double, packets/s; 0: no limit */
#define GST_TFRC_RATE_FIELD_HEADER_SIZE "header-size" /* uint, bytes below RTP in each packet */
#define GST_TFRC_RATE_FIELD_OVERHEAD "overhead"       /* uint, bytes of RTP header and extensions in each packet */

/* --- what a source of video can be set to: beyond that, the encoder has too few bits for a picture --- */
#define GST_TFRC_RATE_FIELD_PICTURE_HEIGHT "picture-height"   /* uint, lines of a picture of 16:9 */
#define GST_TFRC_RATE_FIELD_FRAME_RATE "frame-rate"   /* uint, frames/s */

/* --- rates with the names of RFC 5348: bytes/s of RTP packets, their headers included --- */
#define GST_TFRC_RATE_FIELD_X "X"     /* double, the allowed rate at the present packet size */
#define GST_TFRC_RATE_FIELD_X_WIRE "X-wire"   /* double, X with header-size added for each packet */
#define GST_TFRC_RATE_FIELD_X_BPS "X-Bps"     /* double, what the throughput equation gives; 0: no loss yet */
#define GST_TFRC_RATE_FIELD_X_RECV "X-recv"   /* double, what arrives at the data receiver */
#define GST_TFRC_RATE_FIELD_SEGMENT_SIZE "segment-size"       /* double, s, bytes of the mean RTP packet */

/* --- the path --- */
#define GST_TFRC_RATE_FIELD_P "p"     /* double, the loss event rate, 0 to 1 */
#define GST_TFRC_RATE_FIELD_LOSS "loss"       /* double, share of packets lost, 0 to 1; -1: not known */
#define GST_TFRC_RATE_FIELD_R "R"     /* uint64, ns, the mean round-trip time; 0: not known */
#define GST_TFRC_RATE_FIELD_R_SAMPLE "R-sample"       /* uint64, ns, the last round-trip time; 0: none */
#define GST_TFRC_RATE_FIELD_TRANSIT "transit" /* double, s, the one-way delay to the data receiver with an arbitrary origin, so that its changes are known; NaN: not known */

/* --- the flow --- */
#define GST_TFRC_RATE_FIELD_QUEUE_DELAY "queue-delay" /* uint64, ns that the first packet in the pacing queue has waited so far, or that the last departed one waited if that is longer; 0: the queue is empty */
#define GST_TFRC_RATE_FIELD_DROPPED "dropped" /* uint64, packets dropped from the pacing queue so far: too late, or queue full */
#define GST_TFRC_RATE_FIELD_COUPLED "coupled" /* string: "first": the flow shares its rate with others and has a minimum, which it gets first; "rest": it gets what those with a minimum leave, and leaves them the queue of the path; "no": neither */
#define GST_TFRC_RATE_FIELD_MODE "mode"       /* string, "tfrc" or "tfrc-sp" */
#define GST_TFRC_RATE_FIELD_REASON "reason"   /* string, see docs/using.md */
#define GST_TFRC_RATE_FIELD_SSRC "ssrc"       /* uint, SSRC of the flow */

/* Returns the fields of a rate event, which the event owns; NULL for any other event. */
static inline const GstStructure *
gst_tfrc_rate_event_get_fields (GstEvent * event)
{
  const GstStructure *fields = gst_event_get_structure (event);

  if (GST_EVENT_TYPE (event) != GST_EVENT_CUSTOM_UPSTREAM || fields == NULL ||
      !gst_structure_has_name (fields, GST_TFRC_RATE_NAME))
    return NULL;
  return fields;
}

G_END_DECLS

#endif
