/* gst-tfrc: the enumerations of libtfrc as GLib types
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/enums.h"

GType
gst_tfrc_mode_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {TFRC_MODE_TFRC, "RFC 5348, packets of one size near the MTU", "tfrc"},
    {TFRC_MODE_TFRC_SP, "RFC 4828, small packets such as voice", "tfrc-sp"},
    {GST_TFRC_MODE_AUTO, "RFC 4828 for audio, RFC 5348 for the rest", "auto"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcMode", values));
  return type;
}

GType
gst_tfrc_measure_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {TFRC_MEASURE_RFC, "What the RFC of the mode says", "rfc"},
    {TFRC_MEASURE_UNBIAS_PACKET,
          "Unbiased intervals, queue in packets (experimental)",
        "unbias-packet"},
    {TFRC_MEASURE_UNBIAS_BYTE,
        "Unbiased intervals, queue in bytes (experimental)", "unbias-byte"},
    {TFRC_MEASURE_VIRTUAL_PACKET,
        "Virtual packets, queue in packets (experimental)", "virtual-packet"},
    {TFRC_MEASURE_VIRTUAL_BYTE,
        "Virtual packets, queue in bytes (experimental)", "virtual-byte"},
    {TFRC_MEASURE_SAMPLE_PACKET,
        "Random sampling, queue in packets (experimental)", "sample-packet"},
    {TFRC_MEASURE_SAMPLE_BYTE, "Random sampling, queue in bytes (experimental)",
        "sample-byte"},
    {TFRC_MEASURE_LIP_SCALE, "Scaled loss-insensitive period (experimental)",
        "lip-scale"},
    {TFRC_MEASURE_GRADUAL,
          "RFC 4828 appendix C, graded short intervals (experimental)",
        "gradual"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcMeasure",
            values));
  return type;
}

GType
gst_tfrc_pacing_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {TFRC_PACING_RFC, "RFC 5348 section 4.6", "rfc"},
    {TFRC_PACING_FLUID, "Send dates of Fluid TCP (experimental)", "fluid"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcPacing", values));
  return type;
}

GType
gst_tfrc_ecn_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_ECN_OFF, "No packet is ECN-capable, and marks are not read",
        "off"},
    {GST_TFRC_ECN_ECT0, "Try whether the path and the remote support ECN",
        "ect0"},
    {GST_TFRC_ECN_AUTO, "The same if the remote says that it reports marks",
        "auto"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcEcn", values));
  return type;
}

const gchar *
gst_tfrc_enum_get_nick (GType type, gint value)
{
  GEnumClass *klass = g_type_class_ref (type);
  const GEnumValue *v = g_enum_get_value (klass, value);
  const gchar *nick = v != NULL ? v->value_nick : "unknown";

  g_type_class_unref (klass);
  return nick;
}

const gchar *
gst_tfrc_mode_get_nick (TfrcMode mode)
{
  return gst_tfrc_enum_get_nick (GST_TYPE_TFRC_MODE, mode);
}

const gchar *
gst_tfrc_measure_get_nick (TfrcMeasure measure)
{
  return gst_tfrc_enum_get_nick (GST_TYPE_TFRC_MEASURE, measure);
}
