/* gst-tfrc: fuzzer, the way of a packet to the sound: loss recovery, RED, decoders
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * tfrcdecodebin, which has no thread of its own, gets packets, made up or as they are in the input, and the
 * events by which a jitter buffer announces losses. */
#include <gst/gst.h>
#include <sanitizer/lsan_interface.h>
#include <string.h>

#include "codec/codectable.h"
#include "codec/gsttfrcdecodebin.h"
#include "fuzz.h"

#define SSRC 0x0B0B0B0B
#define PACKETS_MAX 200         /* of an input, for time */

typedef struct
{
  GstElement *pipeline, *decode;
  GstPad *source;               /* the jitter buffer's */
  guint16 seq;
  guint32 timestamp;
  GstClockTime pts;
} Rig;

static GstPad *
make_source (GstElement * to)
{
  GstPad *source = gst_pad_new ("source", GST_PAD_SRC), *sink =
      gst_element_get_static_pad (to, "sink");
  GstCaps *codecs = gst_tfrc_codec_get_default_caps ();
  GstCaps *first = gst_caps_copy_nth (codecs, 0);
  GstSegment segment;

  gst_pad_set_active (source, TRUE);
  LAW (gst_pad_link (source, sink) == GST_PAD_LINK_OK);
  gst_object_unref (sink);
  gst_pad_push_event (source, gst_event_new_stream_start ("fuzz"));
  gst_pad_push_event (source, gst_event_new_caps (first));
  gst_caps_unref (first);
  gst_caps_unref (codecs);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (source, gst_event_new_segment (&segment));
  return source;
}

static void
start (Rig * rig)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);

  *rig =
      (Rig) {gst_pipeline_new (NULL), g_object_new (GST_TYPE_TFRC_DECODE_BIN,
          NULL)};
  g_object_set (sink, "async", FALSE, "sync", FALSE, NULL);
  gst_bin_add_many (GST_BIN (rig->pipeline), rig->decode, sink, NULL);
  LAW (gst_element_link (rig->decode, sink));
  gst_element_set_state (rig->pipeline, GST_STATE_PLAYING);
  rig->source = make_source (rig->decode);
}

static void
stop (Rig * rig)
{
  gst_element_set_state (rig->pipeline, GST_STATE_NULL);
  gst_object_unref (rig->source);
  gst_object_unref (rig->pipeline);
}

static gsize
copy (Input * input, guint8 * data, gsize most)
{
  gsize size = take (input);

  size = MIN (MIN (size, most), input->size);
  memcpy (data, input->data, size);
  input->data += size;
  input->size -= size;
  return size;
}

/* RED blocks in front of the payload, whose lengths and offsets the input decides. */
static gsize
add_blocks (Input * input, guint8 * data)
{
  guint n = take (input) % 5;
  gsize size = 0;

  for (guint i = 0; i < n; i++) {
    guint offset = (take (input) << 6 | take (input)) & 0x3FFF;
    guint length = take (input) % 40;

    data[size++] = 0x80 | (take (input) % 4 == 0 ? take (input) : 96);
    GST_WRITE_UINT24_BE (data + size, offset << 10 | length);
    size += 3;
  }
  data[size++] = take (input) % 4 == 0 ? take (input) & 0x7F : 96;
  return size;
}

static gsize
make_rtp (Rig * rig, Input * input, guint8 * data)
{
  static const guint8 types[] = { 96, 97, 97, 97, 0, 8, 9, 98, 100, 101 };
  guint8 type = types[take (input) % G_N_ELEMENTS (types)], how = take (input);
  gsize size = 12;

  rig->seq += how % 16 == 0 ? take (input) : 1;
  rig->timestamp += how % 32 == 1 ? (guint32) take (input) << 20 : 960;
  rig->pts += 20 * GST_MSECOND;
  data[0] = how % 64 == 2 ? take (input) : 0x80;
  data[1] = type | (how & 0x80);
  GST_WRITE_UINT16_BE (data + 2, rig->seq);
  GST_WRITE_UINT32_BE (data + 4, rig->timestamp);
  GST_WRITE_UINT32_BE (data + 8, SSRC + (how % 64 == 3));
  if (type == 97 || type == 100 || type == 101)
    size += add_blocks (input, data + size);
  return size + copy (input, data + size, 250);
}

static void
arrive (Rig * rig, const guint8 * data, gsize size)
{
  GstBuffer *buffer =
      size > 0 ? gst_buffer_new_memdup (data, size) : gst_buffer_new ();

  GST_BUFFER_PTS (buffer) = GST_BUFFER_DTS (buffer) = rig->pts;
  LAW (gst_pad_push (rig->source, buffer) == GST_FLOW_OK);
}

static GstClockTime
take_time (Rig * rig, Input * input)
{
  switch (take (input) % 4) {
    case 0:
      return GST_CLOCK_TIME_NONE;
    case 1:
      return (GstClockTime) take (input) << (take (input) % 56);
    default:
      return rig->pts + take (input) * GST_MSECOND;
  }
}

static void
lose (Rig * rig, Input * input)
{
  GstStructure *s = gst_structure_new ("GstRTPPacketLost",
      "seqnum", G_TYPE_UINT, rig->seq++, "timestamp", G_TYPE_UINT64,
      take_time (rig, input), "duration", G_TYPE_UINT64, take_time (rig, input),
      NULL);

  if (take (input) % 8 == 0)
    gst_structure_remove_field (s, take (input) % 2 ? "timestamp" : "duration");
  gst_pad_push_event (rig->source,
      gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM, s));
}

static void
check (Rig * rig, guint sent)
{
  GstStructure *stats;
  guint64 packets, recovered, lost, malformed;

  g_object_get (rig->decode, "stats", &stats, NULL);
  LAW (gst_structure_get_uint64 (stats, "packets", &packets));
  LAW (gst_structure_get_uint64 (stats, "recovered", &recovered));
  LAW (gst_structure_get_uint64 (stats, "lost", &lost));
  LAW (gst_structure_get_uint64 (stats, "malformed", &malformed));
  gst_structure_free (stats);
  LAW (packets <= sent && packets + malformed >= sent);
  LAW (recovered <= 32 * packets);
  LAW (lost <= PACKETS_MAX);
}

/* spanplc's library moves its history by a memcpy() that overlaps. */
const char *__asan_default_suppressions (void);

const char *
__asan_default_suppressions (void)
{
  return "interceptor_via_lib:libspandsp\n";
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const gchar *const used[] = { "tfrcopusdec", "mulawdec", "alawdec",
    "avdec_g722", "spanplc", "audioconvert", "audioresample"
  };

  __lsan_disable ();            /* what GLib and plugins keep for the life of the process */
  gst_init (argc, argv);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  for (guint i = 0; i < G_N_ELEMENTS (used); i++)
    gst_clear_object (&(GstElement *) {
        gst_element_factory_make (used[i], NULL)}
  );
  __lsan_enable ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  Input input = { data, size };
  guint8 packet[2048];
  guint sent = 0;
  Rig rig;

  start (&rig);
  for (guint i = 0; i < PACKETS_MAX && input.size > 0; i++) {
    guint8 what = take (&input) % 8;

    if (what == 0) {
      lose (&rig, &input);
    } else {
      arrive (&rig, packet, what == 1 ? copy (&input, packet, 255) :
          make_rtp (&rig, &input, packet));
      sent++;
    }
  }
  check (&rig, sent);
  stop (&rig);
  return 0;
}
