/* gst-tfrc: the read-only properties of tfrcencodebin, and the message with the same values
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec/encodestatus.h"

#include "codec/encodebinproperties.h"

#define CHOICE_NAME "application/x-tfrc-choice"

enum
{
  PROP_CURRENT_BITRATE = GST_TFRC_ENCODE_N_SETTINGS,
  PROP_CURRENT_PTIME,
  PROP_CURRENT_FEC,
  PROP_CURRENT_REDUNDANCY,
  PROP_CURRENT_CODEC,
  PROP_CURRENT_CHANNELS,
  PROP_EXPECTED_LOSS,
  PROP_EXPECTED_QUALITY,
  PROP_SUSPENDED,
  PROP_ANSWERED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* The field of the message that has the value of each read-only property. */
static const gchar *const fields[N_PROPS] = {
  [PROP_CURRENT_BITRATE] = "bitrate",
  [PROP_CURRENT_PTIME] = "ptime",
  [PROP_CURRENT_FEC] = "inband-fec",
  [PROP_CURRENT_REDUNDANCY] = "redundancy",
  [PROP_CURRENT_CODEC] = "codec",
  [PROP_CURRENT_CHANNELS] = "channels",
  [PROP_EXPECTED_LOSS] = "loss-percentage",
  [PROP_EXPECTED_QUALITY] = "quality",
  [PROP_SUSPENDED] = "suspended",
  [PROP_ANSWERED] = "answered",
};

#define READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
make_encoding (void)
{
  /**
   * GstTfrcEncodeBin:current-bitrate:
   *
   * Bit rate that the codec is set to (bit/s).
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_BITRATE] = g_param_spec_uint ("current-bitrate",
      "Current bitrate",
      "Bit rate that the codec is set to (bit/s)", 0, G_MAXUINT, 0, READING);

  /**
   * GstTfrcEncodeBin:current-ptime:
   *
   * Length of the audio in a packet (ns).
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_PTIME] = g_param_spec_uint64 ("current-ptime",
      "Current packet time",
      "Length of the audio in a packet (ns)", 0, G_MAXUINT64, 0, READING);

  /**
   * GstTfrcEncodeBin:current-inband-fec:
   *
   * Whether the codec's own forward error correction is on.
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_FEC] = g_param_spec_boolean ("current-inband-fec",
      "Current in-band FEC",
      "Whether the codec's own forward error correction is on", FALSE, READING);

  /**
   * GstTfrcEncodeBin:current-redundancy:
   *
   * How many earlier packets each packet repeats. One of 2 repeats a third one where reports of the data receiver
   * say which packets have arrived.
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_REDUNDANCY] = g_param_spec_uint ("current-redundancy",
      "Current redundancy",
      "How many earlier packets each packet repeats",
      0, TFRC_ADAPT_REDUNDANCY_MAX, 0, READING);

  /**
   * GstTfrcEncodeBin:current-codec:
   *
   * RTP encoding name of the codec in use.
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_CODEC] = g_param_spec_string ("current-codec",
      "Current codec",
      "RTP encoding name of the codec in use", "OPUS", READING);

  /**
   * GstTfrcEncodeBin:current-channels:
   *
   * Number of channels: 1 for mono, 2 for stereo.
   *
   * Since: 0.1
   */
  props[PROP_CURRENT_CHANNELS] = g_param_spec_uint ("current-channels",
      "Current channels",
      "Number of channels: 1 for mono, 2 for stereo", 1, 2, 1, READING);
}

static void
make_expectations (void)
{
  /**
   * GstTfrcEncodeBin:expected-loss:
   *
   * Loss that the codec is set to protect against (percent).
   *
   * Since: 0.1
   */
  props[PROP_EXPECTED_LOSS] = g_param_spec_uint ("expected-loss",
      "Expected loss",
      "Loss that the codec is set to protect against (percent)",
      0, 100, 0, READING);

  /**
   * GstTfrcEncodeBin:expected-quality:
   *
   * Mean opinion score that the E-model predicts for the remote listener (MOS, 1 to 4.5; 0: nothing
   * was encoded yet). The E-model is ITU-T G.107.
   *
   * Since: 0.1
   */
  props[PROP_EXPECTED_QUALITY] = g_param_spec_double ("expected-quality",
      "Expected quality",
      "Mean opinion score that the E-model predicts for the remote "
      "listener (MOS, 1 to 4.5; 0: nothing was encoded yet)", 0, 5, 0, READING);

  /**
   * GstTfrcEncodeBin:suspended:
   *
   * Whether nothing is sent for a while, because even the cheapest way to encode needs more than
   * the network allows. RFC 3714 section 5 asks for the suspension.
   *
   * Since: 0.1
   */
  props[PROP_SUSPENDED] = g_param_spec_boolean ("suspended",
      "Suspended",
      "Whether nothing is sent for a while, because even the cheapest way "
      "to encode needs more than the network allows", FALSE, READING);

  /**
   * GstTfrcEncodeBin:answered:
   *
   * Whether the data receiver reports: FALSE before its first report, and from the expiry of the nofeedback timer to the
   * next report. RFC 5348 section 4.4 has the timer.
   *
   * Since: 0.1
   */
  props[PROP_ANSWERED] = g_param_spec_boolean ("answered",
      "Answered",
      "Whether the data receiver reports: FALSE before its first report, and "
      "from the expiry of the nofeedback timer to the next report", FALSE,
      READING);
}

void
gst_tfrc_encode_status_install (GObjectClass * klass)
{
  guint id;

  make_encoding ();
  make_expectations ();
  for (id = PROP_CURRENT_BITRATE; id < N_PROPS; id++)
    g_object_class_install_property (klass, id, props[id]);
}

GstStructure *
gst_tfrc_encode_status_make_message (const TfrcAdaptChoice * choice,
    gboolean answered)
{
  const TfrcAdaptPoint *point = &choice->point;

  return gst_structure_new (CHOICE_NAME,
      "codec", G_TYPE_STRING, tfrc_adapt_codec_get_name (point->codec),
      "bitrate", G_TYPE_UINT, point->bitrate,
      "ptime", G_TYPE_UINT64, point->frame_us * GST_USECOND,
      "channels", G_TYPE_UINT, (guint) point->channels,
      "inband-fec", G_TYPE_BOOLEAN, point->fec,
      "redundancy", G_TYPE_UINT, (guint) point->redundancy,
      "loss-percentage", G_TYPE_UINT, choice->loss_percent,
      "quality", G_TYPE_DOUBLE, choice->mos,
      "suspended", G_TYPE_BOOLEAN, choice->suspended,
      "answered", G_TYPE_BOOLEAN, answered, NULL);
}

void
gst_tfrc_encode_status_get (const GstStructure * message, guint id,
    GValue * value, GParamSpec * pspec)
{
  if (message != NULL)
    g_value_copy (gst_structure_get_value (message, fields[id]), value);
  else
    g_param_value_set_default (pspec, value);
}

void
gst_tfrc_encode_status_notify (GObject * bin)
{
  guint id;

  for (id = PROP_CURRENT_BITRATE; id < N_PROPS; id++)
    g_object_notify_by_pspec (bin, props[id]);
}
