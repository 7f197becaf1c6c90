/* gst-tfrc: what the meter of a call shows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>
#include <tfrcadapt/quality.h>

#include "callprivate.h"

#define SILENCE_S 20            /* without a packet: the remote is gone */
#define INVITATION_S 6          /* without a packet: whoever called has given up */

static void
fill (CallMeter * meter, Flow * flow, gdouble seconds)
{
  FlowCounts counts;

  flow_take (flow, &counts);
  *meter = (CallMeter) {
      .bitrate = (gdouble) counts.bytes * 8 / seconds,
      .frame = counts.frame,
      .loss = counts.packets ? (gdouble) counts.lost / (counts.lost + counts.packets) : 0,
  };
  g_strlcpy (meter->codec, counts.packets ? counts.codec : "-",
      sizeof meter->codec);
}

/* The quality of what we hear, rated as tfrcencodebin rates what the remote hears. */
static gdouble
predict (const CallMeter * meter, guint latency)
{
  TfrcAdaptPoint point = {
    .bitrate = (guint32) meter->bitrate,
    .frame_us = (guint32) (meter->frame * 1e3),
    .channels = 1,
  };
  TfrcAdaptListening listening = {
    .loss = meter->loss,
    .burst = 1,
    .delay = (meter->rtt / 2 + latency) / 1e3,
  };

  while (point.codec < TFRC_ADAPT_N_CODECS
      && g_ascii_strcasecmp (meter->codec,
          tfrc_adapt_codec_get_name (point.codec)) != 0)
    point.codec++;
  if (point.codec == TFRC_ADAPT_N_CODECS || point.bitrate == 0
      || point.frame_us == 0)
    return 0;
  return tfrc_adapt_quality_get_mos (tfrc_adapt_quality_get_rating (&point,
          &listening));
}

/* From the statistics of the remote: what has left, how it arrives, and R. What the encoder made and the pacing dropped has
 * not left. */
static void
measure_path (Call * call, CallMeter * said, CallMeter * heard, gdouble seconds)
{
  GstStructure *stats = NULL;
  const GstStructure *part;
  guint64 octets = 0, before = call->octets_sent;
  guint64 R = 0;

  g_signal_emit_by_name (call->bin, "get-peer-stats", call->peer, &stats);
  if (!stats)
    return;
  part = gst_value_get_structure (gst_structure_get_value (stats,
          "data-sender"));
  gst_structure_get (part, "round-trip-time", G_TYPE_UINT64, &R,
      "loss-event-rate", G_TYPE_DOUBLE, &said->loss, NULL);
  part = gst_value_get_structure (gst_structure_get_value (stats, "session"));
  gst_structure_get_uint64 (part, "octets-sent", &octets);
  call->octets_sent = octets;
  if (octets < before)
    before = 0;                 /* another SSRC */
  said->bitrate = (gdouble) (octets - before) * 8 / seconds;
  if (octets == before)
    g_strlcpy (said->codec, "-", sizeof said->codec);
  said->rtt = heard->rtt = (gdouble) R / GST_MSECOND;
  gst_structure_free (stats);
}

/* Whoever has called and shows no key, or has given up. */
static void
judge_caller (Call * call, gint64 now)
{
  gboolean removed;

  if (call->proof_end != 0 && now > call->proof_end) {
    g_signal_emit_by_name (call->bin, "remove-peer", call->peer, &removed);
    call->peer = CALL_NOBODY;
    call->proof_end = 0;
  }
  if (call->state == CALL_INCOMING && call->stranger_at != 0
      && now > call->stranger_at + INVITATION_S * G_USEC_PER_SEC)
    call_forget_stranger (call);
}

/* Whoever does not answer, or falls silent. Nothing has to come while the call is on hold, by either end: whoever holds it
 * may have no music. */
static void
judge_silence (Call * call, gboolean hears, gint64 now)
{
  if (hears || (call->has_media && !(call->media.hears && call->media.sends)))
    call->heard_at = now;
  if (now - call->heard_at <= SILENCE_S * G_USEC_PER_SEC)
    return;
  if (call->state == CALL_TALKING)
    call_fail (call,
        "Nothing has been heard for 20 s: the remote or the network is gone.");
  else if (call->state == CALL_RINGING)
    call_fail (call,
        "No answer. Does a phone listen there, on that port and with the same key?");
}

void
call_measure (Call * call, CallMeter * said, CallMeter * heard)
{
  gint64 now = g_get_monotonic_time ();
  gdouble seconds = MAX (1, now - call->measured) / 1e6;

  call->measured = now;
  fill (said, &call->said_flow, seconds);
  fill (heard, &call->heard_flow, seconds);
  measure_path (call, said, heard, seconds);
  if (call->said)
    g_object_get (call_get_element (call->said, "encoder"), "expected-quality",
        &said->quality, NULL);
  heard->quality = predict (heard, call->settings.latency);
  judge_caller (call, now);
  judge_silence (call, strcmp (heard->codec, "-") != 0, now);
}
