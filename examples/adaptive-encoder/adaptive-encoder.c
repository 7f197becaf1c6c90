/* The smallest packet-size-adaptive encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   adaptive-encoder HOST PORT
 *
 * A stock opusenc obeys TFRC-SP by its own application: no bin, one pad probe. What the
 * network allows arrives in the pipeline as an upstream event; from X-wire, which a change
 * of packet size leaves as it is (RFC 4828 6), follows what any packet rate would have left
 * for the codec. The whole policy is choose(): the shortest frames that still leave enough.
 *
 * As a launch line, with the policy that gst-tfrc brings along:
 *
 *   gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! \
 *       tfrcsink host=HOST port=PORT mode=tfrc-sp */
#include <glib-unix.h>
#include <gst/gst.h>

#define ENOUGH 16000            /* bit/s: for this, Opus speaks wideband */
#define LEAST 6000              /* bit/s: what Opus can do with */
#define MOST 64000

typedef struct
{
  guint frame;                  /* ms */
  gdouble bitrate;              /* bit/s */
} Choice;

/* bit/s that frames of `frame` ms have left when the wire may carry X_wire bytes/s and each
 * packet has `headers` bytes. */
static gdouble
get_bitrate (gdouble X_wire, guint headers, guint frame)
{
  return 8 * (X_wire - headers * 1000.0 / frame);
}

static Choice
choose (gdouble X_wire, guint headers)
{
  static const guint frames[] = { 20, 40, 60 };
  Choice choice = { 0 };

  for (guint i = 0; i < G_N_ELEMENTS (frames) && choice.bitrate < ENOUGH; i++)
    choice = (Choice) {frames[i], get_bitrate (X_wire, headers, frames[i])};
  choice.bitrate = CLAMP (choice.bitrate, LEAST, MOST);
  return choice;
}

static GstPadProbeReturn
on_event (GstPad * pad, GstPadProbeInfo * info, gpointer encoder)
{
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  const GstStructure *s = gst_event_get_structure (event);
  gdouble X_wire, p;
  guint header_size, overhead;
  gboolean suspend = FALSE;

  if (!gst_event_has_name (event, "application/x-tfrc-rate") ||
      !gst_structure_get (s, "X-wire", G_TYPE_DOUBLE, &X_wire, "p",
          G_TYPE_DOUBLE, &p, "header-size", G_TYPE_UINT, &header_size,
          "overhead", G_TYPE_UINT, &overhead, "suspend", G_TYPE_BOOLEAN,
          &suspend, NULL))
    return GST_PAD_PROBE_OK;
  Choice choice = choose (X_wire, header_size + overhead);
  g_print
      ("allowed %5.1f kbit/s on the wire, p %.4f: Opus at %4.1f kbit/s in %u ms%s\n",
      8e-3 * X_wire, p, choice.bitrate / 1e3, choice.frame,
      suspend ? ", suspended" : "");
  g_object_set (encoder, "bitrate", (gint) choice.bitrate, "frame-size",
      (gint) choice.frame, "inband-fec", p > 0.01, "packet-loss-percentage",
      (gint) (100 * MIN (p, 0.5)), NULL);
  return GST_PAD_PROBE_OK;
}

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer loop)
{
  GError *error = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    g_printerr ("%s\n", error->message);
    g_error_free (error);
    g_main_loop_quit (loop);
  }
  return G_SOURCE_CONTINUE;
}

static gboolean
on_interrupt (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  if (argc != 3) {
    g_printerr ("usage: adaptive-encoder HOST PORT\n");
    return 1;
  }
  GError *error = NULL;
  gchar *text =
      g_strdup_printf ("audiotestsrc is-live=true wave=ticks ! audioconvert "
      "! audioresample ! opusenc name=encoder audio-type=voice ! rtpopuspay pt=96 "
      "! tfrcsink host=%s port=%s mode=tfrc-sp", argv[1], argv[2]);
  GstElement *pipeline =
      gst_parse_launch_full (text, NULL, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (!pipeline) {
    g_printerr ("%s%s\n", error->message,
        strstr (error->message, "\"tfrc") ?
        ". Set GST_PLUGIN_PATH to the folder of libgsttfrc.so." : "");
    return 1;
  }
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  GstPad *pad = gst_element_get_static_pad (encoder, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, on_event, encoder,
      NULL);

  GMainLoop *loop = g_main_loop_new (NULL, FALSE);
  GstBus *bus = gst_element_get_bus (pipeline);
  gst_bus_add_watch (bus, on_message, loop);
  g_unix_signal_add (SIGINT, on_interrupt, loop);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_main_loop_run (loop);

  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_bus_remove_watch (bus);
  gst_object_unref (bus);
  gst_object_unref (pad);
  gst_object_unref (encoder);
  gst_object_unref (pipeline);
  g_main_loop_unref (loop);
  g_free (text);
  return 0;
}
