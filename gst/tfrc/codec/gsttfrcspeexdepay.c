/* gst-tfrc: takes Speex out of RTP packets (RFC 5574)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/* When caps come, rtpspeexdepay of GStreamer 1.22 pushes the two headers that a Speex decoder
 * begins with as buffers. The segment has not come yet: GStreamer warns, and drops the times
 * of the buffers. This element puts the headers in the caps. */
#include "codec/gsttfrcspeexdepay.h"

#include <string.h>

struct _GstTfrcSpeexDepay
{
  GstRTPBaseDepayload parent;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media=(string)audio, "
        "clock-rate=(int){ 8000, 16000, 32000 }, encoding-name=(string)SPEEX"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-speex"));

GST_DEBUG_CATEGORY_STATIC (tfrcspeexdepay_debug);
#define GST_CAT_DEFAULT tfrcspeexdepay_debug

G_DEFINE_FINAL_TYPE_WITH_CODE (GstTfrcSpeexDepay, gst_tfrc_speex_depay,
    GST_TYPE_RTP_BASE_DEPAYLOAD, GST_DEBUG_CATEGORY_INIT (tfrcspeexdepay_debug,
        "tfrcspeexdepay", 0, "TFRC Speex depayloader"));

#define HEADER_SIZE 80
#define BITSTREAM_VERSION 4

/* The header of a Speex stream, as the Speex manual has it under "Ogg file format". */
static GstBuffer *
make_header (guint rate)
{
  guint mode = rate / 16000;    /* narrow, wide, ultra-wide band */
  guint fields[] = { 1, HEADER_SIZE, rate, mode, BITSTREAM_VERSION, 1,
    G_MAXUINT32, 160 << mode, 0, 1, 0, 0, 0
  };
  guint8 *data = g_malloc0 (HEADER_SIZE);
  guint i;

  memcpy (data, "Speex   1.2", 11);
  for (i = 0; i < G_N_ELEMENTS (fields); i++)
    GST_WRITE_UINT32_LE (data + 28 + 4 * i, fields[i]);
  return gst_buffer_new_wrapped (data, HEADER_SIZE);
}

static void
append_header (GValue * headers, GstBuffer * buffer)
{
  GValue value = G_VALUE_INIT;

  GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_HEADER);
  g_value_init (&value, GST_TYPE_BUFFER);
  gst_value_take_buffer (&value, buffer);
  gst_value_array_append_and_take_value (headers, &value);
}

static gboolean
gst_tfrc_speex_depay_set_caps (GstRTPBaseDepayload * depay, GstCaps * caps)
{
  GValue headers = G_VALUE_INIT;
  GstCaps *out;
  gint rate;
  gboolean ret;

  if (!gst_structure_get_int (gst_caps_get_structure (caps, 0), "clock-rate",
          &rate))
    return FALSE;
  GST_DEBUG_OBJECT (depay, "Speex of %d Hz", rate);
  depay->clock_rate = rate;
  g_value_init (&headers, GST_TYPE_ARRAY);
  append_header (&headers, make_header (rate));
  /* The second header: no vendor and no comments. */
  append_header (&headers, gst_buffer_new_wrapped (g_malloc0 (8), 8));
  out = gst_caps_new_simple ("audio/x-speex", "rate", G_TYPE_INT, rate,
      "channels", G_TYPE_INT, 1, NULL);
  gst_caps_set_value (out, "streamheader", &headers);
  ret = gst_pad_set_caps (GST_RTP_BASE_DEPAYLOAD_SRCPAD (depay), out);
  gst_caps_unref (out);
  g_value_unset (&headers);
  return ret;
}

static GstBuffer *
gst_tfrc_speex_depay_process (GstRTPBaseDepayload * depay, GstRTPBuffer * rtp)
{
  GstBuffer *frame = gst_rtp_buffer_get_payload_buffer (rtp);

  if (frame != NULL)
    GST_BUFFER_DURATION (frame) = 20 * GST_MSECOND;
  return frame;
}

static void
gst_tfrc_speex_depay_class_init (GstTfrcSpeexDepayClass * klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstRTPBaseDepayloadClass *depay_class = GST_RTP_BASE_DEPAYLOAD_CLASS (klass);

  depay_class->set_caps = gst_tfrc_speex_depay_set_caps;
  depay_class->process_rtp_packet = gst_tfrc_speex_depay_process;
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class,
      "TFRC Speex depayloader", "Codec/Depayloader/Network/RTP",
      "Takes Speex out of RTP packets, with the headers in the caps",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}

static void
gst_tfrc_speex_depay_init (GstTfrcSpeexDepay * self)
{
}
