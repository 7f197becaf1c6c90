/* gst-tfrc: the upstream event that says what an encoder may send: its name, its fields, and how to get them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * An encoder that follows the event needs this header and GStreamer, and no other library. Its
 * pkg-config module is gstreamer-tfrc-1.0. rtptfrcsend, tfrcsink and tfrcbin send
 * the event upstream (GST_EVENT_CUSTOM_UPSTREAM): at once when the allowance drops noticeably, otherwise at most
 * once in a round-trip time, and each half second when nothing changes. The event may arrive in another thread than
 * the streaming thread. An encoder may drop the event after it has handled it, or pass it on.
 *
 * An event of these elements has all fields below. */
#ifndef GST_TFRC_RATE_EVENT_H
#define GST_TFRC_RATE_EVENT_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Name of the structure in the event. */
#define GST_TFRC_RATE_NAME "application/x-tfrc-rate"

/* --- what an encoder has to follow --- */
#define GST_TFRC_RATE_FIELD_BITRATE "bitrate" /* uint, bit/s of RTP payload that may be sent, after all headers */
#define GST_TFRC_RATE_FIELD_SUSPEND "suspend" /* boolean, TRUE: push no packet until an event has FALSE */

/* --- from which an encoder can compute the size of its packets --- */
#define GST_TFRC_RATE_FIELD_PAYLOAD_SIZE "payload-size"       /* uint, bytes of RTP payload in each packet when packet-rate packets are sent in a second */
#define GST_TFRC_RATE_FIELD_PACKET_RATE "packet-rate" /* double, packets/s at present */
#define GST_TFRC_RATE_FIELD_MAX_PACKET_RATE "max-packet-rate" /* double, packets/s; 0: no limit */
#define GST_TFRC_RATE_FIELD_HEADER_SIZE "header-size" /* uint, bytes of headers below RTP (UDP, IP) in each packet: H of RFC 4828 3 */
#define GST_TFRC_RATE_FIELD_OVERHEAD "overhead"       /* uint, bytes of RTP header and header extensions in each packet, not in header-size */

/* --- for video: the largest picture and the highest frame rate for which bitrate is enough --- */
#define GST_TFRC_RATE_FIELD_PICTURE_HEIGHT "picture-height"   /* uint, lines of the picture (its height), at an aspect ratio of 16:9 */
#define GST_TFRC_RATE_FIELD_FRAME_RATE "frame-rate"   /* uint, frames/s */

/* --- quantities of RFC 5348. Rates are in bytes/s: RTP headers count, headers below RTP only in X-wire --- */
#define GST_TFRC_RATE_FIELD_X "X"     /* double, the allowed rate at the present packet size */
#define GST_TFRC_RATE_FIELD_X_WIRE "X-wire"   /* double, X with header-size added for each packet */
#define GST_TFRC_RATE_FIELD_X_BPS "X-Bps"     /* double, the result of the throughput equation; 0: no loss event yet */
#define GST_TFRC_RATE_FIELD_X_RECV "X-recv"   /* double, the receive rate at the data receiver; 0: no report yet */
#define GST_TFRC_RATE_FIELD_SEGMENT_SIZE "segment-size"       /* double, bytes: the mean size of an RTP packet (s of RFC 5348) */

/* --- the path. Times are in ns but for transit, which is in seconds --- */
#define GST_TFRC_RATE_FIELD_P "p"     /* double, the loss event rate, 0 to 1 */
#define GST_TFRC_RATE_FIELD_LOSS "loss"       /* double, fraction of packets lost, 0 to 1; -1: not known */
#define GST_TFRC_RATE_FIELD_R "R"     /* uint64, ns, the mean round-trip time; 0: not known */
#define GST_TFRC_RATE_FIELD_R_SAMPLE "R-sample"       /* uint64, ns, the last round-trip time; 0: none */
#define GST_TFRC_RATE_FIELD_TRANSIT "transit" /* double, seconds: the one-way delay to the data receiver plus an unknown constant, because the clocks differ; only its changes mean something; NaN: not known */
#define GST_TFRC_RATE_FIELD_CAPACITY "capacity"       /* double, bytes/s at which the path transmits packets, by how much longer larger ones took in the last 5 s; 0: not known, as where all packets are alike */
#define GST_TFRC_RATE_FIELD_KNOWN_AFTER "known-after" /* uint64, ns: from a departure within which most packets that arrive are known to have arrived, where packets may have redundant copies and reports list arrivals; 0: not known */
#define GST_TFRC_RATE_FIELD_PLAYOUT "playout" /* uint64, ns: how long the data receiver holds a packet that came by the shortest way before it plays the packet, one second at most; 0: not known */

/* --- the flow --- */
#define GST_TFRC_RATE_FIELD_QUEUE_DELAY "queue-delay" /* uint64, ns: how long the first packet in the pacing queue has waited, or the last packet that departed did, whichever is longer; 0: the queue is empty */
#define GST_TFRC_RATE_FIELD_DROPPED "dropped" /* uint64, packets dropped from the pacing queue since the flow began, because they were too late or the queue was full, without retransmissions and other repairs */
#define GST_TFRC_RATE_FIELD_COUPLED "coupled" /* string, "first": the flow is coupled with others (RFC 8699), has a minimum rate and gets that first; "rest": it gets what is left, and should keep the queue of the path empty for the flows that are "first"; "no": neither */
#define GST_TFRC_RATE_FIELD_MODE "mode"       /* string, "tfrc" or "tfrc-sp" */
#define GST_TFRC_RATE_FIELD_REASON "reason"   /* string: start, report, loss, nofeedback, restart, suspend or resume */
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
