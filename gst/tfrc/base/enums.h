/* gst-tfrc: the enumerations of libtfrc as GLib types
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENUMS_H
#define GST_TFRC_ENUMS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

#define GST_TYPE_TFRC_MODE (gst_tfrc_mode_get_type ())
GType gst_tfrc_mode_get_type (void);

/* The value of the property "mode" that lets the flow choose; no mode of the engine. */
#define GST_TFRC_MODE_AUTO 2

#define GST_TYPE_TFRC_MEASURE (gst_tfrc_measure_get_type ())
GType gst_tfrc_measure_get_type (void);

#define GST_TYPE_TFRC_PACING (gst_tfrc_pacing_get_type ())
GType gst_tfrc_pacing_get_type (void);

/* The values of the property "ecn". */
typedef enum
{
  GST_TFRC_ECN_OFF,             /* no packet is ECN-capable, and marks are not read */
  GST_TFRC_ECN_ECT0,            /* probes are sent whether or not the remote announces that it reports marks */
  GST_TFRC_ECN_AUTO             /* probes are sent when the remote announces that */
} GstTfrcEcn;

#define GST_TYPE_TFRC_ECN (gst_tfrc_ecn_get_type ())
GType gst_tfrc_ecn_get_type (void);

/* The nick of a value, for example "tfrc-sp"; "unknown" when the value is not in the
 * enumeration. */
const gchar *gst_tfrc_enum_get_nick (GType type, gint value);
const gchar *gst_tfrc_mode_get_nick (TfrcMode mode);
const gchar *gst_tfrc_measure_get_nick (TfrcMeasure measure);

G_END_DECLS

#endif
