/* gst-tfrc: which fields of the elements' statistics are which metrics
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/metrictable.h"

#include <string.h>

#define GAUGE GST_TFRC_METRIC_GAUGE
#define COUNTER GST_TFRC_METRIC_COUNTER
#define NANOSECOND 1e-9
#define BIT 0.125
#define PERCENT 0.01

/* The metrics that several rows have. */
#define SENDER_DROPPED \
    {"tfrc_sender_dropped_packets", COUNTER, \
        "Packets that were dropped before their departure."}
#define SENDER_REFUSED_REPORTS \
    {"tfrc_sender_refused_reports", COUNTER, \
        "Reports that were refused."}
#define SESSION_REFUSED \
    {"tfrc_session_refused_packets", COUNTER, \
        "Packets that the RTP session refused."}
#define PLAYOUT_DELAY \
    {"tfrc_playout_delay_seconds", GAUGE, \
        "How long the playout buffer keeps a packet."}
#define PLAYOUT_DROPPED \
    {"tfrc_playout_dropped_packets", COUNTER, \
        "Packets that arrived and were not played."}
#define ECN_SENT \
    {"tfrc_ecn_sent_packets", COUNTER, \
        "Packets that departed ECN-capable."}
#define ECN_REMOTE_MARKED \
    {"tfrc_ecn_remote_marked_packets", COUNTER, \
        "Packets with CE that the remote reported."}
#define ECN_RECEIVED \
    {"tfrc_ecn_received_packets", COUNTER, \
        "Packets that arrived, by their ECN field."}
#define FLOW_REFUSED \
    {"tfrc_flow_refused_packets", COUNTER, \
        "Packets that were refused."}
#define FLOW_UNSENT \
    {"tfrc_flow_unsent_packets", COUNTER, \
        "Packets that were not sent."}
#define DTLS_HANDSHAKES \
    {"tfrc_dtls_handshakes", COUNTER, \
        "DTLS handshakes that succeeded."}
#define DTLS_FAILED_HANDSHAKES \
    {"tfrc_dtls_failed_handshakes", COUNTER, \
        "DTLS handshakes that failed."}
#define PORT_STRANGER \
    {"tfrc_port_stranger_datagrams", COUNTER, \
        "Datagrams of strangers, by what was decided."}
#define PORT_REFUSED \
    {"tfrc_port_refused_datagrams", COUNTER, \
        "Datagrams that no peer got."}
#define FILTER_UNCONTROLLED \
    {"tfrc_filter_uncontrolled_packets", COUNTER, \
        "Buffers that pass the filter without rate control."}
#define FILTER_UNMEASURED \
    {"tfrc_filter_unmeasured_packets", COUNTER, \
        "Packets that were not measured."}
#define DECODER_REFUSED \
    {"tfrc_decoder_refused_packets", COUNTER, \
        "Packets that were not decoded."}

const GstTfrcMetricRow gst_tfrc_sender_metrics[] = {
  {"rfc/X", {"tfrc_sender_allowed_rate_bytes_per_second", GAUGE,
          "X of RFC 5348: the allowed rate of RTP packets."}, 1.0, NULL},
  {"rfc/X-inst", {"tfrc_sender_instantaneous_rate_bytes_per_second", GAUGE,
          "X_inst of RFC 5348 4.5: the allowed rate with less "
              "oscillation."}, 1.0, NULL},
  {"rfc/X-recv", {"tfrc_sender_reported_receive_rate_bytes_per_second", GAUGE,
          "X_recv of RFC 5348: the rate that the data receiver reported."}, 1.0,
      NULL},
  {"rfc/R", {"tfrc_sender_round_trip_time_seconds", GAUGE,
          "R of RFC 5348: the round-trip time, 0 when none is known."}, 1.0,
      NULL},
  {"rfc/t-RTO", {"tfrc_sender_retransmission_timeout_seconds", GAUGE,
          "t_RTO of RFC 5348."}, 1.0, NULL},
  {"rfc/p", {"tfrc_sender_loss_event_ratio", GAUGE,
          "p of RFC 5348: loss events for each packet, as the data "
              "receiver reported."}, 1.0, NULL},
  {"rfc/s", {"tfrc_sender_segment_bytes", GAUGE,
          "s of RFC 5348: the mean size of the RTP packets."}, 1.0, NULL},
  {"jitter", {"tfrc_sender_reported_jitter_seconds", GAUGE,
          "Interarrival jitter (RFC 3550 6.4.1), as the data receiver "
              "reported it."}, NANOSECOND, NULL},
  {"duration", {"tfrc_sender_duration_seconds", GAUGE,
          "Time from the first packet that departed to the last one."},
      NANOSECOND, NULL},
  {"packets", {"tfrc_sender_packets", COUNTER,
          "RTP packets that departed."}, 1.0, NULL},
  {"bytes", {"tfrc_sender_bytes", COUNTER,
          "Bytes of the RTP packets that departed."}, 1.0, NULL},
  {"reports", {"tfrc_sender_reports", COUNTER,
          "Reports of the data receiver that were used."}, 1.0, NULL},
  {"nofeedback-expiries", {"tfrc_sender_nofeedback_expiries", COUNTER,
          "Expiries of the nofeedback timer (RFC 5348 4.4)."}, 1.0, NULL},
  {"loss-reports", {"tfrc_sender_loss_reports", COUNTER,
          "Reports that told of a new loss event."}, 1.0, NULL},
  {"slow-start", {"tfrc_sender_slow_start", GAUGE,
          "1 while no loss event was reported yet."}, 1.0, NULL},
  {"data-limited", {"tfrc_sender_data_limited", GAUGE,
          "1 while the application sends less than it may."}, 1.0, NULL},
  {"queued-packets", {"tfrc_sender_queued_packets", GAUGE,
          "Packets that wait in the pacing queue."}, 1.0, NULL},
  {"queue-delay", {"tfrc_sender_queue_delay_seconds", GAUGE,
          "How long the first packet of the pacing queue has waited."},
      NANOSECOND, NULL},
  {"dropped-late", SENDER_DROPPED, 1.0, "reason=\"expired\""},
  {"dropped-full", SENDER_DROPPED, 1.0, "reason=\"queue-full\""},
  {"shed-copies", {"tfrc_sender_shed_copies", COUNTER,
          "Redundant copies that were taken out of packets that waited."}, 1.0,
      NULL},
  {"left-out-copies", {"tfrc_sender_left_out_copies", COUNTER,
          "Redundant copies that were taken out because they had arrived."},
      1.0, NULL},
  {"not-rtp", {"tfrc_sender_not_rtp_packets", COUNTER,
          "Buffers that are no RTP packets."}, 1.0, NULL},
  {"unstamped", {"tfrc_sender_unstamped_packets", COUNTER,
          "Packets that departed without a TFRC header extension."}, 1.0, NULL},
  {"breaker-trips", {"tfrc_circuit_breaker_trips", COUNTER,
          "How often the circuit breaker changed its state to a worse one "
              "(RFC 8083)."}, 1.0, NULL},
  {"ssrc-changes", {"tfrc_sender_ssrc_changes", COUNTER,
          "Changes of the SSRC of the data."}, 1.0, NULL},
  {"reports-doubted", {"tfrc_sender_doubted_reports", COUNTER,
          "Reports that were not used, because they agree with nothing "
              "that was sent."}, 1.0, NULL},
  {"rtcp-malformed", SENDER_REFUSED_REPORTS, 1.0, "reason=\"malformed\""},
  {"rtcp-wrong-media-ssrc", SENDER_REFUSED_REPORTS, 1.0,
      "reason=\"wrong-media-ssrc\""},
  {"rtcp-wrong-sender-ssrc", SENDER_REFUSED_REPORTS, 1.0,
      "reason=\"wrong-sender-ssrc\""},
  {"feedback-malformed", SENDER_REFUSED_REPORTS, 1.0,
      "reason=\"malformed-feedback\""},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_receiver_metrics[] = {
  {"rfc/X-recv", {"tfrc_receiver_receive_rate_bytes_per_second", GAUGE,
          "X_recv of RFC 5348: the rate at which data arrives."}, 1.0, NULL},
  {"rfc/R", {"tfrc_receiver_round_trip_time_seconds", GAUGE,
          "R of RFC 5348, as the data sender wrote it into its packets."}, 1.0,
      NULL},
  {"rfc/p", {"tfrc_receiver_loss_event_ratio", GAUGE,
          "p of RFC 5348: loss events for each packet."}, 1.0, NULL},
  {"duration", {"tfrc_receiver_duration_seconds", GAUGE,
          "Time from the first packet that arrived to the last one."},
      NANOSECOND, NULL},
  {"packets", {"tfrc_receiver_packets", COUNTER,
          "RTP packets that arrived."}, 1.0, NULL},
  {"bytes", {"tfrc_receiver_bytes", COUNTER,
          "Bytes of the RTP packets that arrived."}, 1.0, NULL},
  {"lost", {"tfrc_receiver_lost_packets", COUNTER,
          "Packets that were counted as lost."}, 1.0, NULL},
  {"healed", {"tfrc_receiver_healed_packets", COUNTER,
          "Packets that arrived after they had been counted as lost."}, 1.0,
      NULL},
  {"loss-events", {"tfrc_receiver_loss_events", COUNTER,
          "Loss events (RFC 5348 5.2)."}, 1.0, NULL},
  {"marked", {"tfrc_receiver_marked_packets", COUNTER,
          "Packets with the ECN mark CE."}, 1.0, NULL},
  {"duplicates", {"tfrc_receiver_duplicate_packets", COUNTER,
          "Packets that came twice."}, 1.0, NULL},
  {"reordered", {"tfrc_receiver_reordered_packets", COUNTER,
          "Packets that came behind a later one."}, 1.0, NULL},
  {"too-late", {"tfrc_receiver_late_packets", COUNTER,
          "Packets that came too late to count."}, 1.0, NULL},
  {"unstamped", {"tfrc_receiver_unstamped_packets", COUNTER,
          "Packets without a TFRC header extension."}, 1.0, NULL},
  {"bad-stamps", {"tfrc_receiver_bad_stamp_packets", COUNTER,
          "Packets whose TFRC header extension cannot be right."}, 1.0, NULL},
  {"restarts", {"tfrc_receiver_restarts", COUNTER,
          "How often the stream began anew."}, 1.0, NULL},
  {"reports", {"tfrc_receiver_reports", COUNTER,
          "Reports that were made."}, 1.0, NULL},
  {"jitter", {"tfrc_receiver_jitter_seconds", GAUGE,
          "Interarrival jitter (RFC 3550 6.4.1)."}, NANOSECOND, NULL},
  {"source-changes", {"tfrc_receiver_source_changes", COUNTER,
          "How often another data sender was followed."}, 1.0, NULL},
  {"ssrc-changes", {"tfrc_receiver_ssrc_changes", COUNTER,
          "Changes of the SSRC of the data."}, 1.0, NULL},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_session_metrics[] = {
  {"packets-lost", {"tfrc_session_lost_packets", GAUGE,
          "Cumulative number of packets lost here (RFC 3550 6.4.1), which "
              "duplicates lower."}, 1.0, NULL},
  {"remote-packets-lost", {"tfrc_session_remote_lost_packets", GAUGE,
          "Cumulative number of packets lost, as the remote reported it."}, 1.0,
      NULL},
  {"remote-fraction-lost", {"tfrc_session_remote_lost_ratio", GAUGE,
          "Fraction lost, as the remote reported it last."}, 1.0, NULL},
  {"rtcp-sent", {"tfrc_session_rtcp_sent_packets", COUNTER,
          "RTCP packets that were sent."}, 1.0, NULL},
  {"rtcp-received", {"tfrc_session_rtcp_received_packets", COUNTER,
          "RTCP packets that arrived."}, 1.0, NULL},
  {"malformed", SESSION_REFUSED, 1.0, "reason=\"malformed\""},
  {"strangers", SESSION_REFUSED, 1.0, "reason=\"stranger\""},
  {"unknown-settings", SESSION_REFUSED, 1.0, "reason=\"unknown-settings\""},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_playout_metrics[] = {
  {"delay", PLAYOUT_DELAY, NANOSECOND, NULL},
  {"waiting", {"tfrc_playout_waiting_packets", GAUGE,
          "Packets that wait in the playout buffer."}, 1.0, NULL},
  {"packets", {"tfrc_playout_packets", COUNTER,
          "Packets that left the playout buffer."}, 1.0, NULL},
  {"lost", {"tfrc_playout_lost_packets", COUNTER,
          "Packets that the playout buffer reported as lost."}, 1.0, NULL},
  {"late", PLAYOUT_DROPPED, 1.0, "reason=\"late\""},
  {"duplicates", PLAYOUT_DROPPED, 1.0, "reason=\"duplicate\""},
  {"dropped", PLAYOUT_DROPPED, 1.0, "reason=\"buffer-full\""},
  {"blocked", PLAYOUT_DROPPED, 1.0, "reason=\"pad-blocked\""},
  {"playout-delay", PLAYOUT_DELAY, NANOSECOND, NULL},
  {"playout-late", PLAYOUT_DROPPED, 1.0, "reason=\"late\""},
  {"playout-dropped", PLAYOUT_DROPPED, 1.0, "reason=\"buffer-full\""},
  {"playout-blocked", PLAYOUT_DROPPED, 1.0, "reason=\"pad-blocked\""},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_ecn_metrics[] = {
  {"packets-marked", ECN_SENT, 1.0, NULL},
  {"remote-ce", ECN_REMOTE_MARKED, 1.0, NULL},
  {"ect0", ECN_RECEIVED, 1.0, "field=\"ect0\""},
  {"ect1", ECN_RECEIVED, 1.0, "field=\"ect1\""},
  {"ce", ECN_RECEIVED, 1.0, "field=\"ce\""},
  {"not-ect", ECN_RECEIVED, 1.0, "field=\"not-ect\""},
  {"ecn-packets-marked", ECN_SENT, 1.0, NULL},
  {"ecn-remote-ce", ECN_REMOTE_MARKED, 1.0, NULL},
  {"ecn-ect0", ECN_RECEIVED, 1.0, "field=\"ect0\""},
  {"ecn-ect1", ECN_RECEIVED, 1.0, "field=\"ect1\""},
  {"ecn-ce", ECN_RECEIVED, 1.0, "field=\"ce\""},
  {"ecn-not-ect", ECN_RECEIVED, 1.0, "field=\"not-ect\""},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_peer_metrics[] = {
  {"malformed", FLOW_REFUSED, 1.0, "reason=\"malformed\""},
  {"probation", FLOW_REFUSED, 1.0, "reason=\"probation\""},
  {"refused", FLOW_REFUSED, 1.0, "reason=\"refused\""},
  {"unknown-payload", FLOW_REFUSED, 1.0, "reason=\"unknown-payload\""},
  {"srtp-failures", FLOW_REFUSED, 1.0, "reason=\"srtp\""},
  {"not-encrypted", FLOW_UNSENT, 1.0, "reason=\"encryption\""},
  {"handshakes", DTLS_HANDSHAKES, 1.0, NULL},
  {"handshakes-failed", DTLS_FAILED_HANDSHAKES, 1.0, NULL},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_port_metrics[] = {
  {"strangers-admitted", PORT_STRANGER, 1.0, "verdict=\"admitted\""},
  {"strangers-on-probation", PORT_STRANGER, 1.0, "verdict=\"on-probation\""},
  {"strangers-host-limited", PORT_STRANGER, 1.0, "verdict=\"host-limited\""},
  {"strangers-limited", PORT_STRANGER, 1.0, "verdict=\"limited\""},
  {"strangers-refused", PORT_STRANGER, 1.0, "verdict=\"refused\""},
  {"malformed", PORT_REFUSED, 1.0, "reason=\"malformed\""},
  {"inbox-dropped", PORT_REFUSED, 1.0, "reason=\"inbox-full\""},
  {"moved", {"tfrc_port_moved_peers", COUNTER,
          "How often a peer went on from another port of its host."}, 1.0,
      NULL},
  {"datagrams-received", {"tfrc_port_received_datagrams", COUNTER,
          "Datagrams that arrived."}, 1.0, NULL},
  {"bytes-received", {"tfrc_port_received_bytes", COUNTER,
          "Bytes of the datagrams that arrived."}, 1.0, NULL},
  {"overflowed", {"tfrc_port_overflowed_datagrams", COUNTER,
          "Datagrams that the socket had no room for."}, 1.0, NULL},
  {"datagrams-sent", {"tfrc_port_sent_datagrams", COUNTER,
          "Datagrams that were sent."}, 1.0, NULL},
  {"bytes-sent", {"tfrc_port_sent_bytes", COUNTER,
          "Bytes of the datagrams that were sent."}, 1.0, NULL},
  {"not-sent", {"tfrc_port_unsent_datagrams", COUNTER,
          "Datagrams that the socket did not take."}, 1.0, NULL},
  {"hellos", {"tfrc_port_dtls_hellos", COUNTER,
          "DTLS ClientHello messages that arrived."}, 1.0, NULL},
  {"hellos-limited", {"tfrc_port_dtls_limited_hellos", COUNTER,
          "DTLS ClientHello messages above the limit, which got no "
              "answer."}, 1.0, NULL},
  {"handshakes-running", {"tfrc_port_dtls_running_handshakes", GAUGE,
          "DTLS handshakes that run."}, 1.0, NULL},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_end_metrics[] = {
  {"packets-malformed", FLOW_REFUSED, 1.0, "reason=\"malformed\""},
  {"packets-unexpected", FLOW_REFUSED, 1.0, "reason=\"unexpected\""},
  {"packets-of-others", FLOW_REFUSED, 1.0, "reason=\"other-sender\""},
  {"packets-refused", FLOW_REFUSED, 1.0, "reason=\"refused\""},
  {"packets-unknown-payload", FLOW_REFUSED, 1.0, "reason=\"unknown-payload\""},
  {"rtcp-foreign", FLOW_REFUSED, 1.0, "reason=\"foreign-rtcp\""},
  {"srtp-failures", FLOW_REFUSED, 1.0, "reason=\"srtp\""},
  {"send-errors", FLOW_UNSENT, 1.0, "reason=\"socket\""},
  {"handshakes", DTLS_HANDSHAKES, 1.0, NULL},
  {"handshakes-failed", DTLS_FAILED_HANDSHAKES, 1.0, NULL},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_filter_metrics[] = {
  {"not-rtp", FILTER_UNCONTROLLED, 1.0, "reason=\"not-rtp\""},
  {"passed", FILTER_UNCONTROLLED, 1.0, "reason=\"passed\""},
  {"refused", {"tfrc_filter_refused_packets", COUNTER,
          "Packets of SSRCs for which there is no room."}, 1.0, NULL},
  {"other-ssrc", FILTER_UNMEASURED, 1.0, "reason=\"other-ssrc\""},
  {"bad-extensions", FILTER_UNMEASURED, 1.0, "reason=\"bad-extension\""},
  {"rtcp-malformed", SENDER_REFUSED_REPORTS, 1.0, "reason=\"malformed\""},
  {"rtcp-wrong-media-ssrc", SENDER_REFUSED_REPORTS, 1.0,
      "reason=\"wrong-media-ssrc\""},
  {"rtcp-wrong-sender-ssrc", SENDER_REFUSED_REPORTS, 1.0,
      "reason=\"wrong-sender-ssrc\""},
  {"rtcp-reports-sent", {"tfrc_receiver_sent_reports", COUNTER,
          "Reports that the RTP session sent."}, 1.0, NULL},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_decoder_metrics[] = {
  {"packets", {"tfrc_decoder_packets", COUNTER,
          "Packets that arrived at the decoder."}, 1.0, NULL},
  {"recovered", {"tfrc_decoder_recovered_packets", COUNTER,
          "Lost packets that redundant copies replaced."}, 1.0, NULL},
  {"lost", {"tfrc_decoder_concealed_packets", COUNTER,
          "Lost packets that were left to concealment."}, 1.0, NULL},
  {"malformed", DECODER_REFUSED, 1.0, "reason=\"malformed\""},
  {"unknown", DECODER_REFUSED, 1.0, "reason=\"unknown-payload\""},
  {"refused", DECODER_REFUSED, 1.0, "reason=\"refused\""},
  {NULL}
};

const GstTfrcMetricRow gst_tfrc_encoder_metrics[] = {
  {"current-bitrate", {"tfrc_encoder_rate_bytes_per_second", GAUGE,
          "Rate that the codec is set to: an eighth of its bit/s."}, BIT, NULL},
  {"current-ptime", {"tfrc_encoder_packet_time_seconds", GAUGE,
          "Length of the sound in a packet."}, NANOSECOND, NULL},
  {"current-redundancy", {"tfrc_encoder_redundant_copies", GAUGE,
          "How many earlier packets each packet repeats."}, 1.0, NULL},
  {"current-inband-fec", {"tfrc_encoder_inband_fec", GAUGE,
          "1 while the codec's own forward error correction is on."}, 1.0,
      NULL},
  {"current-channels", {"tfrc_encoder_channels", GAUGE,
          "Channels: 1 for mono, 2 for stereo."}, 1.0, NULL},
  {"expected-loss", {"tfrc_encoder_expected_loss_ratio", GAUGE,
          "Loss that the codec is set to protect against."}, PERCENT, NULL},
  {"expected-quality", {"tfrc_encoder_expected_mos", GAUGE,
          "Mean opinion score that the E-model predicts, 1 to 4.5; 0 "
              "before the first packet."}, 1.0, NULL},
  {"suspended", {"tfrc_encoder_suspended", GAUGE,
          "1 while nothing is sent, because the path carries too little."}, 1.0,
      NULL},
  {NULL}
};

const GstTfrcStateRow gst_tfrc_state_metrics[] = {
  {"connection", {"tfrc_connection_state", GAUGE,
          "Whether the remote is heard: 1 for the state that is true."},
      {"waiting", "connected", "lost", "gone"}},
  {"breaker", {"tfrc_circuit_breaker_state", GAUGE,
          "The circuit breaker of RFC 8083: 1 for the state that is true."},
      {"off", "closed", "reduced", "paused", "stopped"}},
  {"ecn-state", {"tfrc_ecn_state", GAUGE,
          "Explicit congestion notification: 1 for the state that is true."},
      {"off", "probing", "on", "failed"}},
  {NULL}
};

const GValue *
gst_tfrc_metric_get_field (const GstStructure * stats, const gchar * field)
{
  const gchar *slash = strchr (field, '/');
  const GValue *value;
  gchar *name;

  if (slash == NULL)
    return gst_structure_get_value (stats, field);
  name = g_strndup (field, slash - field);
  value = gst_structure_get_value (stats, name);
  g_free (name);
  return value == NULL || !GST_VALUE_HOLDS_STRUCTURE (value) ? NULL :
      gst_tfrc_metric_get_field (gst_value_get_structure (value), slash + 1);
}

gboolean
gst_tfrc_metric_get_number (const GValue * value, gdouble * number)
{
  if (G_VALUE_HOLDS_BOOLEAN (value))
    *number = g_value_get_boolean (value) ? 1.0 : 0.0;
  else if (G_VALUE_HOLDS_UINT (value))
    *number = g_value_get_uint (value);
  else if (G_VALUE_HOLDS_INT (value))
    *number = g_value_get_int (value);
  else if (G_VALUE_HOLDS_UINT64 (value))
    *number = g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_DOUBLE (value))
    *number = g_value_get_double (value);
  else
    return FALSE;
  return TRUE;
}

static void
add_value (GstTfrcExposition * exposition, const GstTfrcMetricRow * row,
    const GValue * value, const gchar * labels)
{
  gdouble number;
  gchar *all;

  if (!gst_tfrc_metric_get_number (value, &number))
    return;
  if (row->labels == NULL) {
    gst_tfrc_exposition_add (exposition, &row->metric, labels,
        number * row->scale);
    return;
  }
  all = g_strconcat (labels, ",", row->labels, NULL);
  gst_tfrc_exposition_add (exposition, &row->metric, all, number * row->scale);
  g_free (all);
}

void
gst_tfrc_metrics_add_fields (GstTfrcExposition * exposition,
    const GstTfrcMetricRow * rows, const GstStructure * stats,
    const gchar * labels)
{
  for (; rows->field != NULL; rows++) {
    const GValue *value = gst_tfrc_metric_get_field (stats, rows->field);

    if (value != NULL)
      add_value (exposition, rows, value, labels);
  }
}

void
gst_tfrc_metrics_add_properties (GstTfrcExposition * exposition,
    const GstTfrcMetricRow * rows, GObject * object, const gchar * labels)
{
  for (; rows->field != NULL; rows++) {
    GValue value = G_VALUE_INIT;

    if (g_object_class_find_property (G_OBJECT_GET_CLASS (object),
            rows->field) == NULL)
      continue;
    g_object_get_property (object, rows->field, &value);
    add_value (exposition, rows, &value, labels);
    g_value_unset (&value);
  }
}

static void
add_state (GstTfrcExposition * exposition, const GstTfrcStateRow * row,
    const gchar * state, const gchar * labels)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (row->words) && row->words[i] != NULL; i++) {
    gchar *all = g_strdup_printf ("%s,state=\"%s\"", labels, row->words[i]);

    gst_tfrc_exposition_add (exposition, &row->metric, all,
        g_str_equal (row->words[i], state));
    g_free (all);
  }
}

void
gst_tfrc_metrics_add_states (GstTfrcExposition * exposition,
    const GstStructure * stats, const gchar * labels)
{
  const GstTfrcStateRow *row;

  for (row = gst_tfrc_state_metrics; row->field != NULL; row++) {
    const gchar *state = gst_structure_get_string (stats, row->field);

    if (state != NULL)
      add_state (exposition, row, state, labels);
  }
}
