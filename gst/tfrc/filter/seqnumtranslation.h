/* gst-tfrc: the sequence numbers that packets had before they departed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_SEQNUMTRANSLATION_H
#define GST_TFRC_SEQNUMTRANSLATION_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define GST_TFRC_SEQUENCE_STEPS 128

/* A packet that is dropped from the pacing queue takes no sequence number, so that the packets behind it depart
 * with other numbers than the payloader gave them. An element upstream that stores packets for retransmission
 * (RFC 4588) has them by their original numbers, and the data receiver asks for them by the numbers with which
 * they departed. The map translates. It is plain state of fixed size, zero to begin with, and guarded by the lock
 * of its owner. */
typedef struct
{
  /* the first packet behind each drop, and one each 8192 packets; a ring */
  struct
  {
    guint16 original, departed;
  } steps[GST_TFRC_SEQUENCE_STEPS];
  guint newest, n;
  guint16 last;                 /* number with which the last packet departed */
} GstTfrcSeqnumTranslation;

/* A packet with the number `original` departs with the number `departed`, which is one more than that of the
 * packet before. */
void gst_tfrc_seqnum_translation_add (GstTfrcSeqnumTranslation * map, guint16 original,
    guint16 departed);

/* Both return FALSE when no packet departed with the number, or when that is too long ago to be known. */
gboolean gst_tfrc_seqnum_translation_get_departed (const GstTfrcSeqnumTranslation * map,
    guint16 original, guint16 * departed);
gboolean gst_tfrc_seqnum_translation_get_original (const GstTfrcSeqnumTranslation * map,
    guint16 departed, guint16 * original);

G_END_DECLS

#endif
