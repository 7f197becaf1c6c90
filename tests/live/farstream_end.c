/* The remote end of a call, made of Farstream alone: none of gst-tfrc is in this process
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   farstream_end receive|send LOCAL-PORT REMOTE-PORT [repair]
 *
 * VP8 with the feedback `tfrc` and the header extension of docs/wire-format.md, between
 * ports of 127.0.0.1, RTCP on the ports after. Writes a line `seconds,frames,bit/s` each
 * 100 ms: since the start, out of the decoder, and what Farstream's TFRC lets it send. Ends on
 * SIGINT.
 *
 * Farstream 0.2.9 is older than GStreamer 1.22 and trips over it in two places, each told
 * below. With `repair` the functions that it calls there do what it expects of them; its TFRC
 * and what it writes on the wire are its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <farstream/fs-conference.h>
#include <farstream/fs-rtp.h>
#include <farstream/fs-utils.h>
#include <glib-unix.h>
#include <gst/gst.h>
#include <gst/rtp/rtp.h>
#include <stdio.h>
#include <stdlib.h>

#define EXTENSION_ID 3
#define EXTENSION "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define PAYLOAD_TYPE 96
#define CLOCK_RATE 90000
#define RTCP_RATE 40000.0       /* bit/s */
#define RTCP_INTERVAL (200 * GST_MSECOND)

typedef struct
{
  GstElement *pipeline, *conference;
  FsSession *session;
  FsStream *stream;
  GMainLoop *loop;
  gint frames;                  /* atomic */
  gint64 start;
  gboolean failed;
} End;

static void
fail (const gchar * what, GError * error)
{
  g_printerr ("farstream_end: %s: %s\n", what, error ? error->message : "no");
  exit (1);
}

/* Farstream computes its first rate, W_init * 10^6 / R, in 32 bits, and it overflows: with
 * 4380 bytes and 100 ms it begins with 850 bytes/s instead of 43,800. At that rate it has the
 * camera take pictures so small that the encoder does not fill a rate any more; the rate is
 * twice X_recv at most, and stays where it is. This encoder gets pictures of one size. */
#define ENCODER "videoscale ! video/x-raw,width=320,height=240 ! vp8enc deadline=1 cpu-used=8 " \
    "lag-in-frames=0 end-usage=cbr keyframe-max-dist=60 ! rtpvp8pay"

/* Farstream wants requests for key frames beside `tfrc`. */
static GList *
make_codecs (void)
{
  FsCodec *codec =
      fs_codec_new (PAYLOAD_TYPE, "VP8", FS_MEDIA_TYPE_VIDEO, CLOCK_RATE);

  fs_codec_add_feedback_parameter (codec, "tfrc", "", "");
  fs_codec_add_feedback_parameter (codec, "nack", "pli", "");
  fs_codec_add_optional_parameter (codec, "farstream-send-profile", ENCODER);
  return g_list_append (NULL, codec);
}

static GList *
make_extensions (void)
{
  return g_list_append (NULL, fs_rtp_header_extension_new (EXTENSION_ID,
          FS_DIRECTION_BOTH, EXTENSION));
}

static GList *
make_candidates (guint port)
{
  GList *list = NULL;
  guint i;

  for (i = 0; i < 2; i++)
    list = g_list_append (list, fs_candidate_new ("1", FS_COMPONENT_RTP + i,
            FS_CANDIDATE_TYPE_HOST, FS_NETWORK_PROTOCOL_UDP, "127.0.0.1",
            port + i));
  return list;
}

static void
on_frame (GstElement * sink, GstBuffer * buffer, GstPad * pad, End * end)
{
  g_atomic_int_inc (&end->frames);
}

static void
on_pad (FsStream * stream, GstPad * pad, FsCodec * codec, End * end)
{
  GstElement *sink = gst_element_factory_make ("fakesink", NULL);
  GstPad *in = gst_element_get_static_pad (sink, "sink");

  g_object_set (sink, "sync", FALSE, "async", FALSE, "signal-handoffs", TRUE,
      NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_frame), end);
  gst_bin_add (GST_BIN (end->pipeline), sink);
  gst_element_sync_state_with_parent (sink);
  gst_pad_link (pad, in);
  gst_object_unref (in);
}

static gboolean repair;
static __thread gsize last_size;

/* It asks for a packet's size when it has let go of the packet, gets 0, takes X_recv for 0
 * and never reports again once it knows R. */
void
gst_rtp_buffer_unmap (GstRTPBuffer * rtp)
{
  static void (*unmap) (GstRTPBuffer *);

  if (!unmap)
    *(void **) &unmap =
        dlsym (dlopen ("libgstrtp-1.0.so.0", RTLD_LAZY),
        "gst_rtp_buffer_unmap");
  last_size = gst_buffer_get_size (rtp->buffer);
  unmap (rtp);
}

gsize
gst_buffer_get_size (GstBuffer * buffer)
{
  return buffer
      || !repair ? gst_buffer_get_sizes (buffer, NULL, NULL) : last_size;
}

/* Its packet modder, asked for caps without a filter, intersects with NULL, and TFRC cannot
 * be put into a sender. */
GstCaps *
gst_caps_intersect (GstCaps * a, GstCaps * b)
{
  return b
      || !repair ? gst_caps_intersect_full (a, b,
      GST_CAPS_INTERSECT_ZIG_ZAG) : gst_caps_ref (a);
}

/* With the libsrtp of Debian 12 the srtpdec that Farstream puts in drops every packet of a
 * call that has no key. */
static void
forget_srtp (void)
{
  GstPlugin *plugin = gst_registry_find_plugin (gst_registry_get (), "srtp");

  if (plugin) {
    gst_registry_remove_plugin (gst_registry_get (), plugin);
    gst_object_unref (plugin);
  }
}

static void
open_session (End * end)
{
  GList *codecs = make_codecs (), *extensions = make_extensions ();
  GObject *internal;
  GError *error = NULL;

  end->session =
      fs_conference_new_session (FS_CONFERENCE (end->conference),
      FS_MEDIA_TYPE_VIDEO, &error);
  if (!end->session)
    fail ("session", error);
  if (!fs_session_set_codec_preferences (end->session, codecs, &error))
    fail ("codec", error);
  g_object_get (end->session, "internal-session", &internal, NULL);
  g_object_set (internal, "rtcp-fraction", RTCP_RATE, "rtcp-min-interval",
      RTCP_INTERVAL, NULL);
  g_object_unref (internal);
  g_object_set (end->session, "rtp-header-extension-preferences", extensions,
      NULL);
  fs_codec_list_destroy (codecs);
  fs_rtp_header_extension_list_destroy (extensions);
}

static void
open_stream (End * end, guint local, guint remote)
{
  GList *codecs = make_codecs (), *extensions = make_extensions ();
  GList *here = make_candidates (local), *there = make_candidates (remote);
  GHashTable *how = g_hash_table_new (g_str_hash, g_str_equal);
  GValue value = G_VALUE_INIT;
  GError *error = NULL;

  end->stream = fs_session_new_stream (end->session,
      fs_conference_new_participant (FS_CONFERENCE (end->conference), NULL),
      FS_DIRECTION_BOTH, &error);
  if (!end->stream)
    fail ("stream", error);
  g_value_init (&value, FS_TYPE_CANDIDATE_LIST);
  g_value_set_boxed (&value, here);
  g_hash_table_insert (how, (gpointer) "preferred-local-candidates", &value);
  g_signal_connect (end->stream, "src-pad-added", G_CALLBACK (on_pad), end);
  g_object_set (end->stream, "rtp-header-extensions", extensions, NULL);
  if (!fs_stream_set_transmitter_ht (end->stream, "rawudp", how, &error)
      || !fs_stream_set_remote_codecs (end->stream, codecs, &error)
      || !fs_stream_force_remote_candidates (end->stream, there, &error))
    fail ("stream", error);
}

static void
open_camera (End * end)
{
  GstElement *camera =
      gst_parse_bin_from_description ("videotestsrc is-live=true pattern=snow "
      "! video/x-raw,width=160,height=120,framerate=15/1", TRUE, NULL);
  GstPad *out = gst_element_get_static_pad (camera, "src"), *in;

  gst_bin_add (GST_BIN (end->pipeline), camera);
  g_object_get (end->session, "sink-pad", &in, NULL);
  gst_pad_link (out, in);
  gst_element_sync_state_with_parent (camera);
  gst_object_unref (in);
  gst_object_unref (out);
}

static void
on_message (GstBus * bus, GstMessage * message, End * end)
{
  const GstStructure *s = gst_message_get_structure (message);
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  if (error || (s && gst_structure_has_name (s, "farstream-error"))) {
    g_printerr ("farstream_end: %s\n",
        error ? error->message : gst_structure_to_string (s));
    end->failed = TRUE;
    g_main_loop_quit (end->loop);
  }
  g_clear_error (&error);
}

static gboolean
on_tick (End * end)
{
  guint rate;

  g_object_get (end->session, "send-bitrate", &rate, NULL);
  g_print ("%.3f,%d,%u\n", (g_get_monotonic_time () - end->start) / 1e6,
      g_atomic_int_get (&end->frames), rate);
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  End end = { 0 };
  GstBus *bus;

  setvbuf (stdout, NULL, _IOLBF, 0);
  gst_init (&argc, &argv);
  if (argc < 4)
    fail ("arguments", NULL);
  repair = argc > 4 && g_str_equal (argv[4], "repair");
  end.loop = g_main_loop_new (NULL, FALSE);
  end.start = g_get_monotonic_time ();
  forget_srtp ();
  end.pipeline = gst_pipeline_new (NULL);
  end.conference = gst_element_factory_make ("fsrtpconference", NULL);
  if (!end.conference)
    return 77;
  gst_bin_add (GST_BIN (end.pipeline), end.conference);
  bus = gst_element_get_bus (end.pipeline);
  gst_bus_add_signal_watch (bus);
  g_signal_connect (bus, "message", G_CALLBACK (on_message), &end);
  open_session (&end);
  open_stream (&end, atoi (argv[2]), atoi (argv[3]));
  gst_element_set_state (end.pipeline, GST_STATE_PLAYING);
  if (g_str_equal (argv[1], "send"))
    open_camera (&end);
  g_timeout_add (100, G_SOURCE_FUNC (on_tick), &end);
  g_unix_signal_add (SIGINT, G_SOURCE_FUNC (g_main_loop_quit), end.loop);
  g_main_loop_run (end.loop);
  gst_element_set_state (end.pipeline, GST_STATE_NULL);
  return end.failed;
}
