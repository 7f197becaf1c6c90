/* gst-tfrc: the RTP header extension that carries R and t_i
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-rtphdrexttfrc
 * @title: rtphdrexttfrc
 * @short_description: Reserves room for the stamp of TFRC in RTP packets
 *
 * The RTP header extension `urn:ietf:params:rtp-hdrext:rtt-sendts` carries the round-trip
 * time that the data sender knows and the send time of the packet. A payloader with this
 * extension reserves the bytes and puts `extmap-<id>` in its caps; rtptfrcsend fills the
 * bytes when the packet departs. The extension has seven data bytes; when it is the only
 * one, each packet is twelve bytes larger.
 *
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true ! opusenc ! rtpopuspay auto-header-extension=true ! "application/x-rtp,extmap-3=(string)urn:ietf:params:rtp-hdrext:rtt-sendts" ! rtptfrcsend ! fakesink dump=true
 * ]|
 *
 * Since: 0.1
 */
#include "filter/gstrtphdrexttfrc.h"

#include <string.h>
#include <tfrc/wire.h>

GST_DEBUG_CATEGORY_STATIC (rtphdrexttfrc_debug);
#define GST_CAT_DEFAULT rtphdrexttfrc_debug

struct _GstRtpHdrExtTfrc
{
  GstRTPHeaderExtension parent;
};

G_DEFINE_TYPE_WITH_CODE (GstRtpHdrExtTfrc, gst_rtp_hdr_ext_tfrc,
    GST_TYPE_RTP_HEADER_EXTENSION,
    GST_DEBUG_CATEGORY_INIT (rtphdrexttfrc_debug, "rtphdrexttfrc", 0,
        "TFRC RTP header extension"));
GST_ELEMENT_REGISTER_DEFINE (rtphdrexttfrc, "rtphdrexttfrc",
    GST_RANK_MARGINAL, GST_TYPE_RTP_HDR_EXT_TFRC);

static GstRTPHeaderExtensionFlags
gst_rtp_hdr_ext_tfrc_get_supported_flags (GstRTPHeaderExtension * ext)
{
  return GST_RTP_HEADER_EXTENSION_ONE_BYTE | GST_RTP_HEADER_EXTENSION_TWO_BYTE;
}

static gsize
gst_rtp_hdr_ext_tfrc_get_max_size (GstRTPHeaderExtension * ext,
    const GstBuffer * buffer)
{
  return TFRC_STAMP_SIZE;
}

/* Writes zeros, since rtptfrcsend writes R and t_i when the packet departs (RFC 5348 3.2.1). */
static gssize
gst_rtp_hdr_ext_tfrc_write (GstRTPHeaderExtension * ext,
    const GstBuffer * input_meta, GstRTPHeaderExtensionFlags write_flags,
    GstBuffer * output, guint8 * data, gsize size)
{
  if (size < TFRC_STAMP_SIZE)
    return -1;
  memset (data, 0, TFRC_STAMP_SIZE);
  return TFRC_STAMP_SIZE;
}

/* Does nothing: rtptfrcreceive has read the stamp and removed it before the depayloader. */
static gboolean
gst_rtp_hdr_ext_tfrc_read (GstRTPHeaderExtension * ext,
    GstRTPHeaderExtensionFlags read_flags, const guint8 * data, gsize size,
    GstBuffer * buffer)
{
  return TRUE;
}

static void
gst_rtp_hdr_ext_tfrc_class_init (GstRtpHdrExtTfrcClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRTPHeaderExtensionClass *ext_class =
      GST_RTP_HEADER_EXTENSION_CLASS (klass);

  ext_class->get_supported_flags =
      GST_DEBUG_FUNCPTR (gst_rtp_hdr_ext_tfrc_get_supported_flags);
  ext_class->get_max_size =
      GST_DEBUG_FUNCPTR (gst_rtp_hdr_ext_tfrc_get_max_size);
  ext_class->write = GST_DEBUG_FUNCPTR (gst_rtp_hdr_ext_tfrc_write);
  ext_class->read = GST_DEBUG_FUNCPTR (gst_rtp_hdr_ext_tfrc_read);

  gst_rtp_header_extension_class_set_uri (ext_class, TFRC_STAMP_URI);
  gst_element_class_set_static_metadata (element_class,
      "TFRC RTP header extension", GST_RTP_HDREXT_ELEMENT_CLASS,
      "Reserves room for round-trip time and send time in RTP packets",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_rtp_hdr_ext_tfrc_init (GstRtpHdrExtTfrc * self)
{
}
