/* gst-tfrc: how each stock encoder takes its bit rate
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERTABLE_H
#define GST_TFRC_ENCODERTABLE_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *factory;         /* or the beginning of it, with a '*' */
  const gchar *property;        /* NULL: its bit rate is fixed */
  guint unit;                   /* bit/s */
  gboolean restart;             /* takes it only when it starts */
  const gchar *setup;           /* "property=value" without which it would not obey, or NULL */
} GstTfrcEncoderEntry;

/* NULL: an encoder that is not in the table. */
const GstTfrcEncoderEntry *gst_tfrc_encoder_entry_find (GstElement * encoder);

/* Writes `bitrate` in the property's own type and unit, rounded down; FALSE when
 * the encoder has no such property. */
gboolean gst_tfrc_encoder_entry_set (const GstTfrcEncoderEntry * binding,
    GstElement * encoder, guint bitrate);

G_END_DECLS

#endif
