/* gst-tfrc: fuzzer, everything of the plugin that reads what others wrote
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The first byte of the input chooses one of: a whole peer of tfrcbin that gets datagrams, the RTP header
 * with the stamp, RED, the APP packet, the caps of SDP, and the URI. */
#include <string.h>

#include <sanitizer/lsan_interface.h>

#include "base/tfrccaps.h"
#include "base/redpacket.h"
#include "filter/engineconfig.h"
#include "filter/stampedpacket.h"
#include "rtcp/rtcppackets.h"
#include "transport/payloadcaps.h"
#include "transport/peer.h"
#include "transport/tfrcuri.h"

#include "fuzz.h"

#define PAYLOAD_TYPE 96
#define RED_TYPE 97
#define STAMP_ID 3
#define STEPS_MAX 400           /* of time; a peer that lets no time pass breaks a law */

/* Bytes of their own, so that the sanitizer sees the end. */
static guint8 *
take_block (Input * input, gsize most, gsize * size)
{
  guint8 *block;

  *size = MIN (most, input->size);
  block = g_malloc (MAX (*size, 1));
  memcpy (block, input->data, *size);
  input->data += *size;
  input->size -= *size;
  return block;
}

static GstBuffer *
take_buffer (Input * input)
{
  gsize size;
  guint8 *block = take_block (input, input->size, &size);

  if (size > 0)
    return gst_buffer_new_wrapped (block, size);
  g_free (block);
  return gst_buffer_new ();
}

/* --- a peer --- */

static GstClockTime now, timer;
static guint32 peer_ssrc;       /* that the peer sends with */

static GstClockTime
get_time (void)
{
  return now;
}

static void
set_timer (GstTfrcPeer * peer, GstClockTime time, gpointer data)
{
  timer = time;
}

static gboolean
may_send (GstTfrcPeer * peer, gpointer io_data)
{
  return TRUE;
}

static void
send_datagram (GstTfrcPeer * peer, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer unused)
{
  LAW (size >= 8 && size <= 1500);
  peer_ssrc = GST_READ_UINT32_BE (data + (data[1] >= 192 && data[1] <= 223 ?
          4 : 8));
}

static GstBuffer *
make_buffer (GstTfrcUdpDatagram * datagram)
{
  return gst_buffer_new_memdup (datagram->data, datagram->size);
}

static void
serve (GstTfrcPeer * peer, GstMiniObject * object, gpointer data)
{
  gst_mini_object_unref (object);
}

/* Time passes; the peer does what is due, and does not ask for the same moment for ever. */
static void
pass (GstTfrcPeer * peer, GstClockTime duration)
{
  GstClockTime end = now + duration;
  guint still = 0;

  for (guint i = 0; i < STEPS_MAX && timer <= end; i++) {
    still = timer > now ? 0 : still + 1;
    LAW (still < 100);
    now = MAX (now, timer);
    gst_tfrc_peer_on_timer (peer, now);
  }
  now = end;
}

static void
talk (GstTfrcPeer * peer, Input * input)
{
  guint8 packet[12 + 60] = { 0x80, PAYLOAD_TYPE };

  GST_WRITE_UINT16_BE (packet + 2, take (input));
  gst_tfrc_peer_enqueue (peer, gst_buffer_new_memdup (packet, sizeof packet));
}

/* Makes lengths, SSRCs and versions fit more often than chance would. */
static void
mend (guint8 * data, gsize size, guint8 how)
{
  if (size < 12 || how % 4 == 0)
    return;
  data[0] = (data[0] & 0x3f) | 0x80;
  if (how % 4 == 1) {           /* RTP of one source */
    data[1] = PAYLOAD_TYPE;
    GST_WRITE_UINT32_BE (data + 8, 0x0B0B0B0B);
    return;
  }
  data[1] = 200 + data[1] % 8;
  GST_WRITE_UINT16_BE (data + 2, size / 4 - 1);
  GST_WRITE_UINT32_BE (data + 4, 0x0B0B0B0B);
  if (how % 4 == 3)
    GST_WRITE_UINT32_BE (data + 8, peer_ssrc);
}

static void
arrive (GstTfrcPeer * peer, Input * input)
{
  guint8 how = take (input), tos = take (input);
  gsize size;
  guint8 *block = take_block (input, 4 * (take (input) % 40), &size);
  GstTfrcUdpDatagram datagram = {
    .data = block,
    .size = size,
    .arrival = now,
    .tos = tos
  };

  mend (block, size, how);
  if (size >= 2)
    gst_tfrc_peer_on_datagram (peer, &datagram);
  g_free (block);
}

static void
fuzz_peer (Input * input)
{
  GstTfrcPeerIo io = { may_send, send_datagram, set_timer, get_time,
    make_buffer, NULL
  };
  GstTfrcUdpAddress address = { .port = 5000 };
  GstTfrcPeerSettings settings = { .extension_id = STAMP_ID };
  GstStructure *stats;
  GstTfrcPeer *peer;

  now = 1000 * GST_SECOND;
  timer = 0;
  settings.element = gst_bin_new (NULL);
  gst_tfrc_filter_settings_init (&settings.filter, TRUE);
  settings.filter.mode = take (input) % 2 ? TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC;
  LAW (gst_tfrc_engine_config_from_settings (&settings.filter,
          &settings.config) == NULL);
  settings.latency = 100 * GST_MSECOND;
  settings.clock_rates[PAYLOAD_TYPE] = 48000;
  strcpy (settings.cname, "fuzz");
  peer = gst_tfrc_peer_new (0, NULL, &address, &settings, &io, serve, NULL);
  gst_tfrc_peer_set_playing (peer, TRUE);
  while (input->size > 0) {
    guint8 what = take (input);

    if (what % 4 == 0)
      pass (peer, take (input) * 20 * GST_MSECOND);
    else if (what % 4 == 1)
      talk (peer, input);
    else
      arrive (peer, input);
  }
  pass (peer, GST_SECOND);
  stats = gst_tfrc_peer_get_stats (peer);
  gst_structure_free (stats);
  gst_tfrc_peer_say_bye (peer, now);
  gst_tfrc_peer_stop (peer);
  gst_tfrc_peer_unref (peer);
  gst_tfrc_filter_settings_clear (&settings.filter);
  gst_object_unref (settings.element);
}

/* --- parsers --- */

static void
fuzz_stamp (Input * input)
{
  guint id = take (input) % 16;
  GstBuffer *buffer = take_buffer (input);
  gsize size = gst_buffer_get_size (buffer);
  GstTfrcStampedPacket packet;

  if (gst_tfrc_stamped_packet_parse (&packet, buffer, id)) {
    LAW (packet.size == size && packet.header_size <= size);
    LAW (packet.stamp_offset < size);
    if (packet.stamp_offset != 0)
      buffer = gst_tfrc_stamped_packet_strip (&packet, buffer);
    else
      buffer = gst_tfrc_stamped_packet_reserve (&packet, buffer, id);
  }
  gst_buffer_unref (buffer);
}

static void
fuzz_red (Input * input)
{
  GstTfrcRedBlock blocks[GST_TFRC_RED_BLOCKS];
  GArray *copies = gst_tfrc_copies_new ();
  GstBuffer *buffer = take_buffer (input);
  guint n = gst_tfrc_red_parse (buffer, blocks);
  guint32 timestamps[GST_TFRC_RED_BLOCKS];

  LAW (n <= GST_TFRC_RED_BLOCKS);
  for (guint i = 0; i < n; i++)
    gst_buffer_unref (gst_tfrc_red_unwrap (buffer, &blocks[i]));
  gst_tfrc_copies_add (copies, blocks, n, 0, G_MAXUINT32 / 2);
  LAW (copies->len <= n);
  for (guint i = 0; i < n; i++)
    gst_tfrc_red_block_clear (&blocks[i]);
  g_array_unref (copies);
  for (guint left = 0; left < n; left++) {
    GstBuffer *less = gst_tfrc_red_shed (gst_buffer_ref (buffer), left);

    LAW (gst_tfrc_red_get_copies (less, timestamps) == left);
    gst_buffer_unref (less);
  }
  gst_buffer_unref (buffer);
}

static void
fuzz_app (Input * input)
{
  GstBuffer *buffer = take_buffer (input);
  GstTfrcApp app;

  gst_tfrc_app_parse (&app, buffer);
  gst_buffer_unref (buffer);
}

static gchar *
take_text (Input * input)
{
  gchar *text = g_strndup ((const gchar *) input->data, input->size), *valid =
      g_utf8_make_valid (text, -1);

  g_free (text);
  return valid;
}

static void
fuzz_caps (Input * input)
{
  gchar *text = take_text (input), *line =
      g_strconcat ("application/x-rtp,", text, NULL);
  GstStructure *structure = gst_structure_from_string (line, NULL);

  g_free (line);
  g_free (text);
  if (structure == NULL)
    return;
  if (gst_structure_has_name (structure, "application/x-rtp")) {
    GstCaps *caps = gst_caps_new_full (structure, NULL), *other;

    gst_tfrc_caps_find_extension_id (caps);
    gst_tfrc_payload_caps_check (caps);
    other = gst_tfrc_payload_caps_get (caps, PAYLOAD_TYPE);
    gst_clear_caps (&other);
    other = gst_tfrc_payload_caps_complete (caps);
    gst_clear_caps (&other);
    gst_caps_unref (caps);
  } else {
    gst_structure_free (structure);
  }
}

static void
fuzz_uri (Input * input)
{
  gchar *text = take_text (input), *uri = g_strconcat ("tfrc://", text, NULL);
  GstElement *element = gst_pipeline_new (NULL);
  GError *error = NULL;

  LAW (gst_tfrc_uri_apply (G_OBJECT (element), "name", uri, &error) ==
      (error == NULL));
  g_clear_error (&error);
  gst_object_unref (element);
  g_free (uri);
  g_free (text);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  __lsan_disable ();            /* what GLib keeps for the life of the process */
  gst_init (argc, argv);
  g_type_class_ref (GST_TYPE_PIPELINE);
  __lsan_enable ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  static void (*const targets[]) (Input *) = { fuzz_peer, fuzz_peer,
    fuzz_stamp, fuzz_red, fuzz_app, fuzz_caps, fuzz_uri
  };
  Input input = { data, size };

  targets[take (&input) % G_N_ELEMENTS (targets)] (&input);
  return 0;
}
