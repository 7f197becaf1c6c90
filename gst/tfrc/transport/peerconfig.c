/* gst-tfrc: the settings of a peer that follow from its options
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/peeroptions.h"

#include "base/tfrccaps.h"
#include "filter/engineconfig.h"
#include "transport/payloadcaps.h"

static void
set_up_payload_types (GstTfrcPeerSettings * settings)
{
  guint type;

  memset (settings->red_types, 0, sizeof settings->red_types);
  for (type = 0; type < GST_TFRC_N_PAYLOAD_TYPES; type++) {
    GstCaps *caps = gst_tfrc_payload_caps_get (settings->caps, type);
    const GstStructure *s = caps ? gst_caps_get_structure (caps, 0) : NULL;
    gint rate = 0;
    gboolean agreed;

    if (s != NULL)
      gst_structure_get_int (s, "clock-rate", &rate);
    settings->clock_rates[type] = MAX (rate, 0);
    settings->modes[type] = gst_tfrc_caps_get_mode (caps, &agreed);
    if (s != NULL && g_strcmp0 (gst_structure_get_string (s, "encoding-name"),
            "RED") == 0)
      settings->red_types[type / 64] |= G_GUINT64_CONSTANT (1) << type % 64;
    gst_clear_caps (&caps);
  }
}

static gchar *
fill_caps (const GstTfrcPeerOptions * options, GstTfrcPeerSettings * settings)
{
  const gchar *problem = gst_tfrc_payload_caps_check (options->caps);

  if (problem != NULL)
    return g_strdup_printf ("The property \"caps\" cannot be used: %s. Set it "
        "to something like application/x-rtp, media=audio, encoding-name=OPUS, "
        "clock-rate=48000, payload=96.", problem);
  gst_caps_take (&settings->caps, gst_tfrc_payload_caps_complete
      (options->caps));
  set_up_payload_types (settings);
  settings->extension_id =
      gst_tfrc_filter_settings_get_extension_id (&settings->filter,
      settings->caps);
  return NULL;
}

static gchar *
check_latencies (const GstTfrcPeerOptions * options)
{
  if (options->max_latency == 0 || options->min_latency <= options->max_latency)
    return NULL;
  return g_strdup_printf ("The property \"min-latency\" is %u ms, which is "
      "more than the %u ms of \"max-latency\". Set it to %u at most.",
      options->min_latency, options->max_latency, options->max_latency);
}

/* The session reads TFRC reports and report blocks. */
static gchar *
check_feedback (const GstTfrcPeerOptions * options)
{
  GstTfrcFeedback feedback = options->filter.feedback;

  if (feedback != GST_TFRC_FEEDBACK_TWCC && feedback != GST_TFRC_FEEDBACK_CCFB)
    return NULL;
  return g_strdup_printf ("The property \"feedback\" cannot be %s here. Set it "
      "to auto, tfrc or rr, or use rtptfrcsend with rtpbin for a remote that "
      "sends %s.", gst_tfrc_feedback_get_nick (feedback),
      gst_tfrc_feedback_get_nick (feedback));
}

gchar *
gst_tfrc_peer_options_fill (const GstTfrcPeerOptions * options,
    GstTfrcPeerSettings * settings)
{
  gchar *error;

  error = gst_tfrc_engine_config_from_settings (&options->filter,
      &settings->config);
  if (error == NULL)
    error = check_latencies (options);
  if (error == NULL)
    error = check_feedback (options);
  if (error != NULL)
    return error;
  settings->chooses_mode =
      gst_tfrc_engine_config_chooses_mode (&options->filter, &settings->config);
  settings->filter = options->filter;
  /* they were used, and belong to the options */
  settings->filter.rtp_session = NULL;
  settings->filter.experimental = NULL;
  settings->filter.context = NULL;
  settings->adaptive = options->max_latency > 0;
  settings->least_delay = options->min_latency * GST_MSECOND;
  settings->latency = (settings->adaptive ? options->max_latency :
      options->latency) * GST_MSECOND;
  settings->ecn = options->ecn;
  settings->rtcp_port = options->rtcp_port;
  settings->only_sends = options->only_sends;
  settings->only_receives = options->only_receives;
  settings->alone = options->alone;
  settings->tos = options->filter.dscp >= 0 ? options->filter.dscp << 2 : 0;
  settings->dtls_setup = options->dtls.setup;
  settings->srtp_auth = options->srtp.auth;
  g_free (settings->fingerprints);
  settings->fingerprints = g_strdup (options->dtls.peer_fingerprint);
  return fill_caps (options, settings);
}

void
gst_tfrc_peer_settings_clear (GstTfrcPeerSettings * settings)
{
  gst_clear_caps (&settings->caps);
  g_clear_pointer (&settings->sdes, g_bytes_unref);
  g_clear_pointer (&settings->dtls, gst_tfrc_dtls_context_unref);
  g_clear_pointer (&settings->fingerprints, g_free);
}

static gchar *
check_dtls (const GstTfrcPeerOptions * options)
{
  if (gst_tfrc_srtp_settings_encrypt (&options->srtp))
    return g_strdup ("Either \"dtls\" or \"srtp-key\" may be set: with DTLS "
        "each call has keys of its own.");
  if (options->srtp.cipher != GST_TFRC_SRTP_AES_128_ICM)
    return
        g_strdup_printf ("With \"dtls\" the property \"srtp-cipher\" must be "
        "%s, which is what GnuTLS can agree on.",
        gst_tfrc_srtp_cipher_get_name (GST_TFRC_SRTP_AES_128_ICM));
  return gst_tfrc_dtls_settings_check (&options->dtls);
}

static gchar *
check_keys (const GstTfrcPeerOptions * options)
{
  GstTfrcSrtpKeys keys;
  gchar *error;

  if (options->has_dtls)
    return check_dtls (options);
  if (!gst_tfrc_srtp_settings_encrypt (&options->srtp))
    return NULL;
  error = gst_tfrc_srtp_keys_read (&keys, &options->srtp, options->end);
  gst_tfrc_srtp_keys_wipe (&keys);
  return error;
}

gchar *
gst_tfrc_peer_options_check (const GstTfrcPeerOptions * options)
{
  GstTfrcPeerSettings settings = { 0 };
  gchar *error = options->own ? gst_tfrc_peer_options_fill (options,
      &settings) : NULL;

  gst_tfrc_peer_settings_clear (&settings);
  return error != NULL ? error : check_keys (options);
}

typedef struct
{
  GstTfrcPeerSettings settings; /* the first member */
  GstTfrcSrtpKeys keys;
} OwnSettings;

static void
free_own (GstTfrcPeerSettings * settings)
{
  OwnSettings *own = (OwnSettings *) settings;

  gst_tfrc_peer_settings_clear (settings);
  gst_tfrc_srtp_keys_wipe (&own->keys);
  g_free (own);
}

GstTfrcPeerSettings *
gst_tfrc_peer_options_apply (const GstTfrcPeerOptions * options,
    GstTfrcPeerSettings * common, gboolean called)
{
  OwnSettings *own;

  if (!options->own && (common->dtls == NULL || called))
    return common;
  own = g_new0 (OwnSettings, 1);
  own->settings.element = common->element;
  g_strlcpy (own->settings.cname, common->cname, sizeof common->cname);
  if (common->sdes != NULL)
    own->settings.sdes = g_bytes_ref (common->sdes);
  own->settings.refused_types = common->refused_types;
  own->settings.free = free_own;
  g_free (gst_tfrc_peer_options_fill (options, &own->settings));
  if (common->dtls != NULL) {
    own->settings.dtls = gst_tfrc_dtls_context_ref (common->dtls);
    return &own->settings;
  }
  if (!gst_tfrc_srtp_settings_encrypt (&options->srtp))
    return &own->settings;
  own->settings.keys = &own->keys;
  g_free (gst_tfrc_srtp_keys_read (&own->keys, &options->srtp, options->end));
  return &own->settings;
}
