/* gst-tfrc: installs the writable properties of the filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/filterdefaults.h"

#include "base/enums.h"

/* More is not taken for a round-trip time (TfrcConfig::initial_rtt). */
#define INITIAL_RTT_MAX (16 * GST_SECOND)

static void
install (GObjectClass * klass, guint id, GParamSpec * pspec)
{
  g_object_class_install_property (klass, id, pspec);
}

static void
install_mode (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:mode:
   *
   * tfrc: RFC 5348; tfrc-sp: RFC 4828, for small packets such as voice
   * (experimental); auto: the data sender runs tfrc-sp where the media are
   * audio or text, and tfrc otherwise, and the data receiver follows the data
   * sender. Each flow has its own mode then: the one of tfrc-mode in the caps,
   * else the one for `media` in the caps, else, after 64 packets, tfrc-sp where
   * these are small and at most 100 a second. A flow that has more packets, or
   * larger ones than 1500 bytes, goes over to tfrc.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MODE, g_param_spec_enum ("mode", "Mode",
          "tfrc: RFC 5348; tfrc-sp: RFC 4828, for small packets such as voice "
          "(experimental); auto: the data sender runs tfrc-sp where the media "
          "are audio or text, and tfrc otherwise, and the data receiver follows "
          "the data sender", GST_TYPE_TFRC_MODE,
          DEFAULT_MODE, GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:mtu:
   *
   * Largest IP packet of the path (bytes). The engine counts 40 bytes of
   * it as headers.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MTU, g_param_spec_uint ("mtu", "MTU",
          "Largest IP packet of the path (bytes)", 576, 65535, DEFAULT_MTU,
          GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:header-size:
   *
   * Bytes below RTP in each packet: 28 for UDP over IPv4, 48 over IPv6;
   * RFC 4828 uses 40 (bytes). Reports and data are counted with these
   * bytes; 40 is the figure of RFC 4828 3.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_HEADER_SIZE, g_param_spec_uint ("header-size",
          "Header size",
          "Bytes below RTP in each packet: 28 for UDP over IPv4, 48 over IPv6; "
          "RFC 4828 uses 40 (bytes)", 0, 512, DEFAULT_HEADER_SIZE,
          GST_TFRC_SETTING_READY));
}

static void
install_wire (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:extension-id:
   *
   * ID of the RTP header extension urn:ietf:params:rtp-hdrext:rtt-sendts
   * (0: from extmap-<id> of the caps, 3 when they have none).
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_EXTENSION_ID,
      g_param_spec_uint ("extension-id", "Extension ID",
          "ID of the RTP header extension " TFRC_STAMP_URI
          " (0: from extmap-<id> of the caps, 3 when they have none)", 0, 255,
          DEFAULT_EXTENSION_ID, GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:feedback-fmt:
   *
   * FMT of the RTPFB packets that carry TFRC reports. See
   * docs/wire-format.md. Both ends must use the same.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_FEEDBACK_FMT,
      g_param_spec_uint ("feedback-fmt", "Feedback FMT",
          "FMT of the RTPFB packets that carry TFRC reports", 1, 31,
          DEFAULT_FEEDBACK_FMT, GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:rtp-session:
   *
   * The rtpsession that carries the flow's RTCP, or its internal-session
   * (not set: found by following the pads). A session that is set while packets pass is used from one of the next fifty
   * packets on.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_RTP_SESSION,
      g_param_spec_object ("rtp-session", "RTP session",
          "The rtpsession that carries the flow's RTCP, or its "
          "internal-session (not set: found by following the pads)",
          G_TYPE_OBJECT, GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:experimental:
   *
   * Settings for experiments alone, which may change: a structure with
   * the fields loss-measure (docs/loss-measures.md; the same at both ends)
   * and, at the sender, pacing (rfc, fluid) and target-bitrate (bit/s that
   * the network guarantees to the flow, gTFRC; only with dscp). A field
   * that is not there, or has a wrong value, is an error that names the
   * right ones when the element goes to PAUSED. In a launch line:
   * experimental=experimental,loss-measure=virtual-byte.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_EXPERIMENTAL,
      g_param_spec_boxed ("experimental", "Experimental",
          "Settings for experiments alone, which may change: a structure "
          "with the fields loss-measure (docs/loss-measures.md; the same at "
          "both ends) and, at the sender, pacing (rfc, fluid) and "
          "target-bitrate (bit/s that the network guarantees to the flow, "
          "gTFRC; only with dscp)", GST_TYPE_STRUCTURE,
          GST_TFRC_SETTING_READY));
}

static void
install_bounds (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:min-bitrate:
   *
   * Lowest useful bit rate of the payload; with less the encoder is asked to
   * suspend (bit/s, 0: none). Below it the reason of the event
   * application/x-tfrc-rate is suspend, and resume once 1.1 times as much
   * is allowed.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MIN_BITRATE, g_param_spec_uint ("min-bitrate",
          "Min bitrate",
          "Lowest useful bit rate of the payload; with less the encoder is asked to "
          "suspend (bit/s, 0: none)", 0, G_MAXUINT, DEFAULT_MIN_BITRATE,
          GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:max-bitrate:
   *
   * Highest bit rate of the payload in the allowance of the encoder (bit/s, 0:
   * no limit).
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MAX_BITRATE, g_param_spec_uint ("max-bitrate",
          "Max bitrate",
          "Highest bit rate of the payload in the allowance of the encoder "
          "(bit/s, 0: no limit)", 0, G_MAXUINT, DEFAULT_MAX_BITRATE,
          GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:max-queue-time:
   *
   * How long a packet may wait for its departure; older ones are dropped
   * (ns, 0: no limit, none: 200 ms with mode=tfrc; with mode=tfrc-sp
   * 100 ms, or what max-delay of tfrcencodebin leaves). Packets of video
   * frames may wait five times as long. After EOS packets
   * are dropped, whatever the limit, once no
   * report has come for 500 ms or four round-trip times.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MAX_QUEUE_TIME,
      g_param_spec_uint64 ("max-queue-time", "Max queue time",
          "How long a packet may wait for its departure; older "
          "ones are dropped (ns, 0: no limit, none: 200 ms with mode=tfrc; "
          "with mode=tfrc-sp 100 ms, or what max-delay of tfrcencodebin "
          "leaves). Packets of video frames may wait five times as long. "
          "After EOS packets are dropped, whatever the "
          "limit, once no report has come for 500 ms or four round-trip times",
          0, G_MAXUINT64, DEFAULT_MAX_QUEUE_TIME, GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:max-queue-packets:
   *
   * How many packets may wait for their departure; the oldest are dropped
   * (packets).
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MAX_QUEUE_PACKETS,
      g_param_spec_uint ("max-queue-packets", "Max queue packets",
          "How many packets may wait for their departure; "
          "the oldest are dropped (packets)", 1, G_MAXUINT,
          DEFAULT_MAX_QUEUE_PACKETS, GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:sync:
   *
   * Wait for the running time of each packet, for input that is not live.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_SYNC, g_param_spec_boolean ("sync", "Sync",
          "Wait for the running time of each packet, for input that is not live",
          DEFAULT_SYNC, GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:context:
   *
   * Elements with the same name share one thread for departures that must
   * wait (empty: a thread of its own).
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_CONTEXT, g_param_spec_string ("context",
          "Context",
          "Elements with the same name share one thread for departures that must "
          "wait (empty: a thread of its own)", DEFAULT_CONTEXT,
          GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:dscp:
   *
   * Code point by which the network recognizes the guaranteed flow; the
   * element that sends the packets must mark them with it (-1: none).
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_DSCP, g_param_spec_int ("dscp", "DSCP",
          "Code point by which the network recognizes the guaranteed flow; the "
          "element that sends the packets must mark them with it (-1: none)",
          -1, 63, DEFAULT_DSCP, GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:initial-rtt:
   *
   * Round-trip time to the remote, as the application knows it from the
   * signalling of the call or from an earlier one (ns, 0: not known). The first
   * packets depart at the initial rate that it gives (RFC 5348 4.2); without it
   * one packet departs in a second until the first report, unless a DTLS
   * handshake has shown the time. A time that is too long only makes the initial
   * rate lower, so that a guess should be the longest time that is likely.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_INITIAL_RTT,
      g_param_spec_uint64 ("initial-rtt", "Initial RTT",
          "Round-trip time to the remote, as the application knows it from the "
          "signalling of the call or from an earlier one (ns, 0: not known)",
          0, INITIAL_RTT_MAX, DEFAULT_INITIAL_RTT, GST_TFRC_SETTING_READY));
}

static void
install_breaker (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:circuit-breaker:
   *
   * Whether a flow that RTCP shows to be dead or far too fast is paused, cut
   * or stopped (RFC 8083). A flow at the rate of TFRC never is too fast, so
   * that the breaker guards against faults alone, and is on by default.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_CIRCUIT_BREAKER,
      g_param_spec_boolean ("circuit-breaker", "Circuit breaker",
          "Whether a flow that RTCP shows to be dead or far too fast is "
          "paused, cut or stopped (RFC 8083)", DEFAULT_CIRCUIT_BREAKER,
          GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:max-loss:
   *
   * Share of the packets above which the media are of no use; the circuit
   * breaker stops a flow that loses more (0 to 1, 0: none). It is the media
   * usability of RFC 8083 4.4.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_MAX_LOSS, g_param_spec_double ("max-loss",
          "Max loss",
          "Share of the packets above which the media are of no use; the "
          "circuit breaker stops a flow that loses more (0 to 1, 0: none)", 0,
          1, DEFAULT_MAX_LOSS, GST_TFRC_SETTING_READY));
}

static void
install_feedback (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:feedback:
   *
   * What the data receiver tells of the packets: TFRC reports, or feedback of
   * receivers that know nothing of TFRC, of which the data sender computes the
   * loss event rate itself (RFC 5348 7). auto takes what the caps negotiate:
   * TFRC, transport-wide congestion control (twcc: rtcp-fb-transport-cc and
   * extmap-<id> of the sequence number), RFC 8888 (ccfb: rtcp-fb-ack-ccfb),
   * else, in caps of an SDP, receiver reports alone (rr). Packets have no stamp
   * then. rr is a last resort: R is at least 50 ms, and losses that lie
   * together count as if they were apart. rr takes the place of twcc and ccfb
   * while these do not come and receiver reports do.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_FEEDBACK, g_param_spec_enum ("feedback",
          "Feedback",
          "What the data receiver tells of the packets: TFRC reports, or "
          "feedback of receivers that know nothing of TFRC, of which the data "
          "sender computes the loss event rate itself (RFC 5348 7)",
          GST_TYPE_TFRC_FEEDBACK, DEFAULT_FEEDBACK, GST_TFRC_SETTING_READY));
}

static void
install_coupling (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:coupling:
   *
   * Whether the flows of the element take the share of one flow together
   * (RFC 8699), and divide it: what voice needs goes first. The flows of one
   * transport have one path, and without coupling pictures take the rate of the
   * voice. One flow alone has the rate that it has without coupling.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_COUPLING, g_param_spec_enum ("coupling",
          "Coupling",
          "Whether the flows of the element take the share of one flow "
          "together (RFC 8699), and divide it: what voice needs goes first",
          GST_TYPE_TFRC_COUPLING_KIND, DEFAULT_COUPLING,
          GST_TFRC_SETTING_READY));
  /**
   * GstRtpTfrcSend:coupling-group:
   *
   * Elements of the process with the same name have their flows coupled with
   * each other (empty: the element's own). For elements whose packets take
   * the same path, such as those of two transports to one remote.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_COUPLING_GROUP,
      g_param_spec_string ("coupling-group", "Coupling group",
          "Elements of the process with the same name have their flows "
          "coupled with each other (empty: the element's own)",
          DEFAULT_COUPLING_GROUP, GST_TFRC_SETTING_READY));
}

static void
install_repairs (GObjectClass * klass)
{
  /**
   * GstRtpTfrcSend:payload-type-map:
   *
   * Retransmission payload types by the payload types that they repair, as
   * in the property of rtprtxsend and rtprtxreceive. Packets of these types
   * count as part of the flow that they repair. In webrtcbin, and where the
   * session knows the payload types by request-pt-map, the map is not needed.
   * In a launch line: payload-type-map=application/x-rtp-pt-map,96=(uint)99.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_PAYLOAD_TYPE_MAP,
      g_param_spec_boxed ("payload-type-map", "Payload type map",
          "Retransmission payload types by the payload types that they "
          "repair, as in the property of rtprtxsend and rtprtxreceive",
          GST_TYPE_STRUCTURE, GST_TFRC_SETTING_PLAYING));
  /**
   * GstRtpTfrcSend:ssrc-map:
   *
   * SSRCs of repair packets by the SSRCs that they repair, as in the
   * property of rtprtxsend. Packets of these SSRCs count as part of the flow
   * that they repair. The map is needed where two flows have one payload
   * type, and for forward error correction with an SSRC of its own.
   *
   * Since: 0.1
   */
  install (klass, GST_TFRC_PROP_SSRC_MAP,
      g_param_spec_boxed ("ssrc-map", "SSRC map",
          "SSRCs of repair packets by the SSRCs that they repair, as in the "
          "property of rtprtxsend", GST_TYPE_STRUCTURE,
          GST_TFRC_SETTING_PLAYING));
}

void
gst_tfrc_filter_settings_install (GObjectClass * klass, gboolean sends)
{
  install_mode (klass);
  install_wire (klass);
  install_repairs (klass);
  if (sends)
    install_bounds (klass);
  if (sends)
    install_breaker (klass);
  if (sends)
    install_feedback (klass);
  if (sends)
    install_coupling (klass);
}
