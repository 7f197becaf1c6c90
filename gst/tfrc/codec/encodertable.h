/* gst-tfrc: how each stock encoder takes its bit rate
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERTABLE_H
#define GST_TFRC_ENCODERTABLE_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* An entry says how the encoders of one factory take their bit rate. The table is constant. */
typedef struct
{
  const gchar *factory;         /* name, or a pattern with '*' */
  const gchar *property;        /* NULL: the bit rate of the encoder is fixed */
  guint unit;                   /* of the property, in bit/s */
  gboolean restart;             /* the encoder takes another bit rate only when it starts */
  const gchar *setup;           /* "property=value" that the encoder needs besides, or NULL */
} GstTfrcEncoderEntry;

/* NULL for an encoder that is not in the table. */
const GstTfrcEncoderEntry *gst_tfrc_encoder_entry_find (GstElement * encoder);

/* Sets the property of `entry` to `bitrate` in bit/s, converted to its type and unit and rounded
 * down. Returns FALSE when the encoder has no such property. */
gboolean gst_tfrc_encoder_entry_set (const GstTfrcEncoderEntry * entry,
    GstElement * encoder, guint bitrate);

G_END_DECLS

#endif
