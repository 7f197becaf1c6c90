/* gst-tfrc: the RTP packet, as far as the filters read and write it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_STAMPEDPACKET_H
#define GST_TFRC_STAMPEDPACKET_H

#include <gst/gst.h>
#include <tfrc/wire.h>

G_BEGIN_DECLS

typedef struct
{
  guint16 seq;
  guint32 ssrc;
  guint32 size;                 /* bytes of the whole packet */
  guint32 header_size;          /* bytes of RTP header and extension */
  guint stamp_offset;           /* of the seven data bytes; 0: no stamp in it */
  TfrcParse parse;              /* why there is none, when stamp_offset is 0 */
  TfrcStamp stamp;              /* as read, when stamp_offset is not 0 */
} GstTfrcStampedPacket;

/* FALSE when it is no RTP packet. A missing stamp is no failure. */
gboolean gst_tfrc_stamped_packet_parse (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id);

/* Adds room for a stamp to a packet that has none, in the form that the packet's
 * extension block has. Takes `buffer` and returns one that is in `packet`; when
 * there is an extension of another profile the packet stays as it is. */
GstBuffer *gst_tfrc_stamped_packet_reserve (GstTfrcStampedPacket * packet, GstBuffer * buffer, guint id);

/* Writes the sequence number and, where there is room, the stamp. Takes `buffer`. */
GstBuffer *gst_tfrc_stamped_packet_depart (const GstTfrcStampedPacket * packet, GstBuffer * buffer,
    guint16 seq, const TfrcStamp * stamp);

/* Takes the stamp out of a packet that has one, and with it an extension block that has
 * nothing else. Takes `buffer`; memory that others hold is copied. */
GstBuffer *gst_tfrc_stamped_packet_strip (const GstTfrcStampedPacket * packet, GstBuffer * buffer);

G_END_DECLS

#endif
