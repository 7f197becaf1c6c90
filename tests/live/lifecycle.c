/* gst-tfrc tests: how tfrcsink and tfrcsrc come, go and fail
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE             /* unshare */
#include <netinet/in.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>

#include "call.h"
#include "rtcp.h"

#define IPV4 G_SOCKET_FAMILY_IPV4
#define FILE_SOURCE "audiotestsrc num-buffers=%u samplesperbuffer=960 ! " \
    "audio/x-raw,rate=48000,channels=1 ! opusenc bitrate=24000 ! rtpopuspay"

/* A remote that only listens. */
static GSocket *
open_ear (guint port, guint * got_port)
{
  GSocket *ear = g_socket_new (IPV4, G_SOCKET_TYPE_DATAGRAM,
      G_SOCKET_PROTOCOL_UDP, NULL);
  GInetAddress *loopback = g_inet_address_new_loopback (IPV4);
  GSocketAddress *address = g_inet_socket_address_new (loopback, port);

  fail_unless (g_socket_bind (ear, address, FALSE, NULL));
  g_object_unref (address);
  address = g_socket_get_local_address (ear, NULL);
  *got_port = g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (address));
  g_object_unref (address);
  g_object_unref (loopback);
  return ear;
}

/* What waits in the socket: packets of RTP, and of RTCP with each type. */
typedef struct
{
  guint rtp, sr, rr, sdes, bye;
  gchar cname[256];             /* of the last SDES */
  guint last_is_bye;
} Heard;

static void
note_cname (const guint8 * data, gsize size, Heard * heard)
{
  GstBuffer *buffer = gst_buffer_new_memdup (data, size);
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;
  GstRTCPSDESType type;
  gboolean more;
  guint8 length, *text;

  fail_unless (gst_rtcp_buffer_map (buffer, GST_MAP_READ, &rtcp));
  for (more = gst_rtcp_buffer_get_first_packet (&rtcp, &packet); more;
      more = gst_rtcp_packet_move_to_next (&packet)) {
    if (gst_rtcp_packet_get_type (&packet) != GST_RTCP_TYPE_SDES)
      continue;
    fail_unless (gst_rtcp_packet_sdes_first_entry (&packet));
    fail_unless (gst_rtcp_packet_sdes_get_entry (&packet, &type, &length,
            &text));
    fail_unless_equals_int (type, GST_RTCP_SDES_CNAME);
    memcpy (heard->cname, text, length);
    heard->cname[length] = '\0';
  }
  gst_rtcp_buffer_unmap (&rtcp);
  gst_buffer_unref (buffer);
}

static void
hear (GSocket * ear, Heard * heard)
{
  guint8 data[2048];
  gssize size;

  while ((size = g_socket_receive_with_blocking (ear, (gchar *) data,
              sizeof (data), FALSE, NULL, NULL)) >= 0) {
    if (!rtcp_is (data, size)) {
      heard->rtp++;
      heard->last_is_bye = FALSE;
      continue;
    }
    heard->sr += rtcp_has (data, size, GST_RTCP_TYPE_SR);
    heard->rr += rtcp_has (data, size, GST_RTCP_TYPE_RR);
    heard->last_is_bye = rtcp_has (data, size, GST_RTCP_TYPE_BYE);
    heard->bye += heard->last_is_bye;
    if (rtcp_has (data, size, GST_RTCP_TYPE_SDES)) {
      heard->sdes++;
      note_cname (data, size, heard);
    }
  }
}

static GstElement *
make (const gchar * format, ...)
{
  va_list args;
  gchar *line;
  GstElement *pipeline;
  GError *error = NULL;

  va_start (args, format);
  line = g_strdup_vprintf (format, args);
  va_end (args);
  pipeline = gst_parse_launch (line, &error);
  if (error != NULL)
    g_error ("%s", error->message);
  g_free (line);
  return pipeline;
}

static GstElement *
begin (GstElement * pipeline)
{
  fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
      GST_STATE_CHANGE_FAILURE);
  return pipeline;
}

#define start(...) begin (make (__VA_ARGS__))

static void
end (GstElement * pipeline)
{
  call_check_no_error (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* BYE. */

GST_START_TEST (bye_has_left_when_eos_is_posted)
{
  Heard heard = { 0, };
  guint port, i;

  for (i = 0; i < 5; i++) {
    GSocket *ear = open_ear (0, &port);
    GstElement *pipeline = start (FILE_SOURCE " ! tfrcsink port=%u", 25, port);

    gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_EOS));
    memset (&heard, 0, sizeof (heard));
    hear (ear, &heard);
    fail_unless_equals_int (heard.bye, 1);
    fail_unless (heard.last_is_bye);
    fail_unless (heard.sdes >= 1);
    end (pipeline);
    hear (ear, &heard);
    fail_unless_equals_int (heard.bye, 1);
    g_object_unref (ear);
  }
}

GST_END_TEST;

GST_START_TEST (bye_leaves_when_a_sender_is_stopped)
{
  Heard heard = { 0, };
  guint port;
  GSocket *ear = open_ear (0, &port);
  GstElement *pipeline = start (CALL_LIVE_SOURCE " ! tfrcsink port=%u "
      "sdes=\"application/x-rtp-source-sdes,cname=alice\"", port);

  while (heard.sr == 0) {
    g_usleep (20000);
    hear (ear, &heard);
  }
  fail_unless_equals_int (heard.bye, 0);
  fail_unless_equals_string (heard.cname, "alice");
  end (pipeline);
  hear (ear, &heard);
  fail_unless_equals_int (heard.bye, 1);
  fail_unless (heard.last_is_bye);
  fail_unless_equals_string (heard.cname, "alice");
  fail_unless (heard.rtp >= 1);
  g_object_unref (ear);
}

GST_END_TEST;

GST_START_TEST (eos_arrives_where_nobody_listens)
{
  Heard heard = { 0, };
  guint port;
  GSocket *ear = open_ear (0, &port);
  GstElement *pipeline = start (FILE_SOURCE " ! tfrcsink name=sink port=%u "
      "sync=false max-queue-time=0", 50, port);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gint64 before = g_get_monotonic_time ();
  guint64 packets, dropped;

  gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_EOS));
  /* half a second for the packets, half a second for the BYE */
  fail_unless (g_get_monotonic_time () - before < 3 * G_TIME_SPAN_SECOND);
  packets = call_get_stat (sink, "packets");
  dropped = call_get_stat (sink, "dropped");
  gst_object_unref (sink);
  end (pipeline);
  hear (ear, &heard);
  /* by the session, or by the bin when the session took longer than EOS waits */
  fail_unless_equals_int (heard.bye, 1);
  fail_unless (heard.rtp >= 1);
  fail_unless_equals_int (heard.rtp, packets);
  /* the codec's look-ahead may make one packet more */
  fail_unless (packets + dropped >= 50 && packets + dropped <= 51);
  g_object_unref (ear);
}

GST_END_TEST;

/* Time. */

GST_START_TEST (a_file_goes_out_at_its_own_pace)
{
  Call call = { NULL, };
  gchar *source = g_strdup_printf (FILE_SOURCE, 50);
  gint64 begin;
  guint n;

  call_start_receiver (&call, "mode=tfrc-sp");
  begin = g_get_monotonic_time ();
  call_start_sender (&call, "mode=tfrc-sp", source);
  gst_message_unref (call_wait_message (call.sender, GST_MESSAGE_EOS));
  /* 50 packets of 20 ms: the last one is due 0.98 s after the first. */
  fail_unless (g_get_monotonic_time () - begin >= 970000);
  /* Opus looks ahead: its last frame may make one more packet. */
  n = call_get_stat (call.sink, "packets") + call_get_stat (call.sink,
      "dropped");
  fail_unless (n == 50 || n == 51, "%u packets", n);
  g_free (source);
  call_end (&call);
}

GST_END_TEST;

/* When packets come to tfrcsink and leave tfrcsrc, by their RTP timestamps. */
typedef struct
{
  GMutex lock;
  GHashTable *came;             /* RTP timestamp -> us, monotonic */
  GArray *delays;               /* gint64, us */
} Passage;

static gint64
get_rtptime (GstPadProbeInfo * info)
{
  guint8 data[4];

  gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 4, data, sizeof data);
  return GST_READ_UINT32_BE (data);
}

static GstPadProbeReturn
note_came (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Passage *passage = user_data;
  gint64 now = g_get_monotonic_time (), rtptime = get_rtptime (info);

  g_mutex_lock (&passage->lock);
  g_hash_table_insert (passage->came, g_memdup2 (&rtptime, 8),
      g_memdup2 (&now, 8));
  g_mutex_unlock (&passage->lock);
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
note_left (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Passage *passage = user_data;
  gint64 *came, delay, rtptime = get_rtptime (info);

  g_mutex_lock (&passage->lock);
  came = g_hash_table_lookup (passage->came, &rtptime);
  if (came != NULL) {
    delay = g_get_monotonic_time () - *came;
    g_array_append_val (passage->delays, delay);
  }
  g_mutex_unlock (&passage->lock);
  return GST_PAD_PROBE_OK;
}

static void
watch_pad (GstElement * element, const gchar * name,
    GstPadProbeCallback callback, Passage * passage)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, passage, NULL);
  gst_object_unref (pad);
}

static gint
compare_delays (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *) a, y = *(const gint64 *) b;

  return x < y ? -1 : x > y;
}

GST_START_TEST (live_input_is_not_delayed)
{
  Call call = { NULL, };
  Passage passage;
  gint64 median;

  g_mutex_init (&passage.lock);
  passage.came = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      g_free);
  passage.delays = g_array_new (FALSE, FALSE, sizeof (gint64));
  call_start_receiver (&call, "mode=tfrc-sp");
  call_start_sender (&call, "mode=tfrc-sp", NULL);
  /* What another branch of the pipeline may need is not for the network. */
  gst_pipeline_set_latency (GST_PIPELINE (call.sender), 400 * GST_MSECOND);
  gst_bin_recalculate_latency (GST_BIN (call.sender));
  call_play (&call, 25);
  watch_pad (call.sink, "sink", note_came, &passage);
  watch_pad (call.src, "src", note_left, &passage);
  call_play (&call, 50);
  g_mutex_lock (&passage.lock);
  fail_unless (passage.delays->len >= 25);
  g_array_sort (passage.delays, compare_delays);
  median = g_array_index (passage.delays, gint64, passage.delays->len / 2);
  g_mutex_unlock (&passage.lock);
  /* Half a millisecond on an idle machine. */
  fail_unless (median < 10000, "%d us", (gint) median);
  call_end (&call);
  g_hash_table_unref (passage.came);
  g_array_unref (passage.delays);
  g_mutex_clear (&passage.lock);
}

GST_END_TEST;

GST_START_TEST (a_pipeline_with_a_file_prerolls)
{
  Heard heard = { 0, };
  guint port;
  GSocket *ear = open_ear (0, &port);
  gchar *line = g_strdup_printf (FILE_SOURCE " ! tfrcsink port=%u", 50, port);
  GstElement *pipeline = gst_parse_launch (line, NULL);
  GstState state;

  /* The sink has data when the pipeline is in PAUSED, and sends nothing before PLAYING. */
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PAUSED),
      GST_STATE_CHANGE_ASYNC);
  fail_unless_equals_int (gst_element_get_state (pipeline, &state, NULL,
          5 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (state, GST_STATE_PAUSED);
  hear (ear, &heard);
  fail_unless_equals_int (heard.rtp, 0);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PLAYING),
      GST_STATE_CHANGE_SUCCESS);
  fail_unless_equals_int (gst_element_set_state (pipeline, GST_STATE_PAUSED),
      GST_STATE_CHANGE_SUCCESS);
  end (pipeline);
  g_free (line);
  g_object_unref (ear);
}

GST_END_TEST;

/* Plays a pipeline in another thread from within the message that it has reached PAUSED, as gst-launch-1.0 does when
 * the thread that posts the message loses its processor. */
typedef struct
{
  GstElement *pipeline;
  GThread *player;
  GMutex lock;
  GCond done;
  gboolean is_done;
} Hasty;

static gpointer
play (gpointer data)
{
  Hasty *hasty = data;

  gst_element_set_state (hasty->pipeline, GST_STATE_PLAYING);
  g_mutex_lock (&hasty->lock);
  hasty->is_done = TRUE;
  g_cond_signal (&hasty->done);
  g_mutex_unlock (&hasty->lock);
  return NULL;
}

static GstBusSyncReply
on_state (GstBus * bus, GstMessage * message, gpointer data)
{
  Hasty *hasty = data;
  gint64 until = g_get_monotonic_time () + G_TIME_SPAN_SECOND / 2;
  GstState state;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_STATE_CHANGED
      || GST_MESSAGE_SRC (message) != GST_OBJECT (hasty->pipeline))
    return GST_BUS_PASS;
  gst_message_parse_state_changed (message, NULL, &state, NULL);
  if (state != GST_STATE_PAUSED || hasty->player != NULL)
    return GST_BUS_PASS;
  hasty->player = g_thread_new ("player", play, hasty);
  g_mutex_lock (&hasty->lock);
  while (!hasty->is_done
      && g_cond_wait_until (&hasty->done, &hasty->lock, until));
  g_mutex_unlock (&hasty->lock);
  return GST_BUS_PASS;
}

GST_START_TEST (eos_of_a_file_arrives_when_playing_follows_paused_at_once)
{
  gchar *name = g_build_filename (g_get_tmp_dir (), "tfrc-XXXXXX", NULL);
  Hasty hasty = { 0, };
  GstElement *writer;
  GstBus *bus;
  guint port;
  GSocket *ear = open_ear (0, &port);

  g_close (g_mkstemp (name), NULL);
  writer = start ("audiotestsrc num-buffers=20 ! wavenc ! filesink location=%s",
      name);
  gst_message_unref (call_wait_message (writer, GST_MESSAGE_EOS));
  end (writer);
  hasty.pipeline = make ("filesrc location=%s ! decodebin ! tfrcencodebin ! "
      "tfrcsink port=%u sync=false", name, port);
  bus = gst_element_get_bus (hasty.pipeline);
  gst_bus_set_sync_handler (bus, on_state, &hasty, NULL);
  gst_element_set_state (hasty.pipeline, GST_STATE_PAUSED);
  gst_message_unref (call_wait_message (hasty.pipeline, GST_MESSAGE_EOS));
  g_thread_join (hasty.player);
  gst_object_unref (bus);
  end (hasty.pipeline);
  g_remove (name);
  g_free (name);
  g_object_unref (ear);
}

GST_END_TEST;

GST_START_TEST (eos_is_posted_again_after_a_pause)
{
  guint port, i;
  GSocket *ear = open_ear (0, &port);
  GstElement *pipeline = start (FILE_SOURCE " ! tfrcsink port=%u", 10, port);

  for (i = 0; i < 3; i++) {
    gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_EOS));
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    fail_unless_equals_int (gst_element_set_state (pipeline,
            GST_STATE_PLAYING), GST_STATE_CHANGE_SUCCESS);
  }
  end (pipeline);
  g_object_unref (ear);
}

GST_END_TEST;

/* Seeks to `length` of the stream; returns when the pipeline has data of that. */
static void
seek_for (GstElement * pipeline, GstClockTime length)
{
  GstBus *bus = gst_element_get_bus (pipeline);

  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  fail_unless (gst_element_seek (pipeline, 1.0, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, GST_SECOND,
          GST_SEEK_TYPE_SET, GST_SECOND + length));
  gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_ASYNC_DONE));
  gst_object_unref (bus);
}

GST_START_TEST (a_seek_prerolls_anew_and_keeps_the_pace)
{
  Call call = { NULL, };
  GstElement *pipeline;
  guint port;
  gint64 begin;

  call_start_receiver (&call, "mode=tfrc-sp");
  g_object_get (call.src, "local-port", &port, NULL);
  pipeline = make (FILE_SOURCE " ! tfrcsink port=%u mode=tfrc-sp", 500, port);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_ASYNC_DONE));
  seek_for (pipeline, 5 * GST_SECOND);
  fail_unless_equals_int (g_atomic_int_get (&call.played), 0);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  call_play (&call, 25);
  seek_for (pipeline, 2 * GST_SECOND);
  begin = g_get_monotonic_time ();
  gst_message_unref (call_wait_message (pipeline, GST_MESSAGE_EOS));
  fail_unless (g_get_monotonic_time () - begin > 1900 * G_TIME_SPAN_MILLISECOND,
      "%d ms", (gint) ((g_get_monotonic_time () - begin) / 1000));
  end (pipeline);
  call_end (&call);
}

GST_END_TEST;

/* Enters a network without a single route. Without the right to make one the program ends:
 * exit status 77 skips the test (play.py). */
static void
leave_network (void)
{
  if (unshare (CLONE_NEWNET) == 0)
    return;
  g_print ("no network namespace can be made here\n");
  exit (77);
}

GST_START_TEST (a_path_that_is_down_is_one_warning_and_no_end)
{
  GstElement *pipeline, *sink;
  GstMessage *message;
  guint warnings = 0;

  leave_network ();
  pipeline = start ("audiotestsrc is-live=true num-buffers=100 "
      "samplesperbuffer=960 ! audio/x-raw,rate=48000,channels=1 ! opusenc ! "
      "rtpopuspay ! tfrcsink name=sink host=192.0.2.1 mode=tfrc-sp");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  do {
    message = call_wait_message (pipeline, GST_MESSAGE_EOS |
        GST_MESSAGE_WARNING | GST_MESSAGE_ERROR);
    fail_if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR);
    warnings += GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING;
    gst_message_unref (message);
  } while (warnings == 0 || call_get_stat (sink, "send-errors") < 3);
  fail_unless_equals_int (warnings, 1);
  gst_object_unref (sink);
  end (pipeline);
}

GST_END_TEST;

/* States. */

GST_START_TEST (twenty_times_up_and_down)
{
  Call call = { NULL, };
  guint i, port;

  call_start_receiver (&call, "");
  call_start_sender (&call, "", NULL);
  g_object_get (call.src, "local-port", &port, NULL);
  /* the same port each time */
  gst_element_set_state (call.receiver, GST_STATE_NULL);
  g_object_set (call.src, "port", port, NULL);
  gst_element_set_state (call.receiver, GST_STATE_PLAYING);
  for (i = 0; i < 20; i++) {
    GstState state = i % 2 ? GST_STATE_NULL : GST_STATE_READY;

    call_play (&call, 3);
    fail_if (gst_element_set_state (call.sender, state) ==
        GST_STATE_CHANGE_FAILURE);
    fail_if (gst_element_set_state (call.receiver, state) ==
        GST_STATE_CHANGE_FAILURE);
    fail_if (gst_element_set_state (call.receiver, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    fail_if (gst_element_set_state (call.sender, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
  }
  call_play (&call, 3);
  call_end (&call);
}

GST_END_TEST;

/* The thread of the audio replaces the encoder while another thread changes the state: no element
 * may be left behind in a state of its own, about which GStreamer logs a critical message. */
GST_START_TEST (codecs_change_while_the_encoder_goes_up_and_down)
{
  static const gchar *const codecs[] = { "OPUS", "PCMU", "PCMA" };
  GstElement *pipeline = gst_parse_launch ("audiotestsrc samplesperbuffer=480 "
      "! audio/x-raw,rate=48000,channels=1 ! tfrcencodebin name=encoder "
      "codecs=OPUS,PCMU,PCMA bitrate=64000 ! fakesink async=false", NULL);
  GstElement *encoder = gst_bin_get_by_name (GST_BIN (pipeline), "encoder");
  guint i;

  for (i = 0; i < 300; i++) {
    GstState down = i % 3 == 0 ? GST_STATE_NULL : GST_STATE_READY;

    g_object_set (encoder, "codec", codecs[i % 3], NULL);
    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    g_usleep (i % 7 * 500);
    g_object_set (encoder, "codec", codecs[(i + 1) % 3], NULL);
    fail_if (gst_element_set_state (pipeline, down) ==
        GST_STATE_CHANGE_FAILURE);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (encoder);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* Every packet is of another codec than the last: PCMU, PCMA. */
static GstPadProbeReturn
change_codec (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstBuffer *packet =
      gst_buffer_make_writable (GST_PAD_PROBE_INFO_BUFFER (info));
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, gst_rtp_buffer_get_seq (&rtp) % 2 * 8);
  gst_rtp_buffer_unmap (&rtp);
  GST_PAD_PROBE_INFO_DATA (info) = packet;
  return GST_PAD_PROBE_OK;
}

/* The thread of the packets replaces the decoder while another thread changes the state: no
 * element may be left behind in a state of its own, about which GStreamer logs a critical
 * message. */
GST_START_TEST (codecs_change_while_the_decoder_goes_up_and_down)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc samplesperbuffer=160 "
      "! audio/x-raw,rate=8000,channels=1 ! mulawenc ! rtppcmupay name=pay ! "
      "tfrcdecodebin ! fakesink async=false", NULL);
  GstElement *pay = gst_bin_get_by_name (GST_BIN (pipeline), "pay");
  GstPad *pad = gst_element_get_static_pad (pay, "src");
  guint i;

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, change_codec, NULL, NULL);
  for (i = 0; i < 300; i++) {
    static const GstState downs[] =
        { GST_STATE_NULL, GST_STATE_READY, GST_STATE_PAUSED };

    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    g_usleep (i % 7 * 500);
    fail_if (gst_element_set_state (pipeline, downs[i % 3]) ==
        GST_STATE_CHANGE_FAILURE);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_object_unref (pay);
  gst_object_unref (pipeline);
}

GST_END_TEST;

GST_START_TEST (twenty_pauses)
{
  Call call = { NULL, };
  guint i;

  call_start_receiver (&call, "");
  call_start_sender (&call, "", NULL);
  for (i = 0; i < 20; i++) {
    GstElement *pipeline = i % 2 ? call.sender : call.receiver;

    call_play (&call, 3);
    gst_element_set_state (pipeline, GST_STATE_PAUSED);
    g_usleep (20000);
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
  }
  call_play (&call, 3);
  call_end (&call);
}

GST_END_TEST;

/* Not one that the system gives to another test as soon as it is free. */
#define RESTLESS_PORT 27631

/* Packets as fast as they go, and after each a BYE and another SSRC. */
static gpointer
send_restlessly (gpointer user_data)
{
  gint *stop = user_data;
  guint8 rtp[172] = { 0x80, 0 };
  guint8 bye[16] = { 0x80, 201, 0, 1, 0, 0, 0, 0, 0x81, 203, 0, 1 };
  guint port;
  GSocket *socket = open_ear (0, &port);
  GInetAddress *loopback = g_inet_address_new_loopback (IPV4);
  GSocketAddress *to = g_inet_socket_address_new (loopback, RESTLESS_PORT);
  guint32 n;

  for (n = 1; !g_atomic_int_get (stop); n++) {
    GST_WRITE_UINT16_BE (rtp + 2, n);
    GST_WRITE_UINT32_BE (rtp + 4, n * 160);
    GST_WRITE_UINT32_BE (rtp + 8, n);
    GST_WRITE_UINT32_BE (bye + 4, n);
    GST_WRITE_UINT32_BE (bye + 12, n);
    g_socket_send_to (socket, to, (gchar *) rtp, sizeof (rtp), NULL, NULL);
    g_socket_send_to (socket, to, (gchar *) bye, sizeof (bye), NULL, NULL);
    g_usleep (200);
  }
  g_object_unref (to);
  g_object_unref (loopback);
  g_object_unref (socket);
  return NULL;
}

/* The jitter buffer begins anew for each sender, and must not when it is shut down. */
GST_START_TEST (senders_that_change_while_the_receiver_stops_do_not_hold_it)
{
  gint stop = FALSE;
  GThread *thread = g_thread_new ("restless", send_restlessly, &stop);
  guint i;

  for (i = 0; i < 80; i++) {
    GstElement *pipeline = gst_parse_launch ("tfrcsrc port="
        G_STRINGIFY (RESTLESS_PORT) " ! fakesink sync=false async=false", NULL);

    fail_if (gst_element_set_state (pipeline, GST_STATE_PLAYING) ==
        GST_STATE_CHANGE_FAILURE);
    g_usleep (20000 + 500 * i);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    gst_object_unref (pipeline);
  }
  g_atomic_int_set (&stop, TRUE);
  g_thread_join (thread);
}

GST_END_TEST;

/* What the system says of a datagram, without waiting for one: TOS byte and time to live; -1: nothing. */
static void
read_marks (GSocket * ear, gint * tos, gint * ttl)
{
  guint8 data[2048], control[256];
  struct iovec bytes = { data, sizeof data };
  struct msghdr header = {
    .msg_iov = &bytes,
    .msg_iovlen = 1,
    .msg_control = control,
    .msg_controllen = sizeof control
  };
  struct cmsghdr *c;

  *tos = *ttl = -1;
  fail_unless (recvmsg (g_socket_get_fd (ear), &header, MSG_DONTWAIT) > 0);
  for (c = CMSG_FIRSTHDR (&header); c != NULL; c = CMSG_NXTHDR (&header, c)) {
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS)
      *tos = *CMSG_DATA (c);
    if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TTL)
      memcpy (ttl, CMSG_DATA (c), sizeof *ttl);
  }
}

GST_START_TEST (packets_are_marked_and_have_their_time_to_live)
{
  guint port;
  gint tos, ttl;
  GSocket *ear = open_ear (0, &port);
  gchar *line = g_strdup_printf (CALL_LIVE_SOURCE
      " ! tfrcsink dscp=46 ttl=3 port=%u", port);
  GstElement *pipeline = gst_parse_launch (line, NULL);

  fail_unless (g_socket_set_option (ear, IPPROTO_IP, IP_RECVTOS, 1, NULL));
  fail_unless (g_socket_set_option (ear, IPPROTO_IP, IP_RECVTTL, 1, NULL));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  fail_unless (g_socket_condition_timed_wait (ear, G_IO_IN,
          10 * G_TIME_SPAN_SECOND, NULL, NULL));
  read_marks (ear, &tos, &ttl);
  fail_unless_equals_int (tos & 0xfc, 46 << 2);
  fail_unless_equals_int (ttl, 3);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  g_object_unref (ear);
  g_free (line);
}

GST_END_TEST;

/* URIs. */

/* Errors. */

#define SINK CALL_LIVE_SOURCE " ! tfrcsink "

static void
expect (const gchar * line, GQuark domain, gint code, const gchar * remedy)
{
  GError *error = call_expect_error (line);

  fail_unless (error->domain == domain && error->code == code, "%s: %s", line,
      error->message);
  fail_unless (strstr (error->message, remedy) != NULL,
      "\"%s\" is not in \"%s\"", remedy, error->message);
  g_error_free (error);
}

GST_START_TEST (errors_name_the_remedy)
{
  expect (SINK "host=no.such.host.invalid", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "property \"host\"");
  expect (SINK "host=fe80::1", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "\"host\" to fe80::1%");
  expect (SINK "host=\"\"", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NOT_FOUND, "property \"host\"");
  expect (SINK "host=224.1.1.1", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "unicast");
  expect (SINK "bind-address=::1", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "\"bind-address\"");
  expect (SINK "bind-address=192.0.2.1", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_OPEN_READ_WRITE, "\"bind-address\"");
  expect (SINK "port=65535 rtcp-mux=false", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "\"rtcp-mux\"");
  expect (SINK "uri=tfrc://127.0.0.1:5004?mode=fast", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "\"mode\"");
  expect (SINK "srtp-key=0123", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "60 hexadecimal digits");
  expect ("tfrcsrc port=0 caps=application/x-rtp ! fakesink",
      GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS, "clock-rate");
  expect ("tfrcsrc address=224.1.1.1 ! fakesink", GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "\"address\"");
}

GST_END_TEST;

GST_START_TEST (a_port_in_use_is_named)
{
  guint port;
  GSocket *ear = open_ear (0, &port);
  gchar *line = g_strdup_printf ("tfrcsrc port=%u address=127.0.0.1 ! fakesink",
      port);
  gchar *both = g_strdup_printf ("tfrcsrc port=%u ! fakesink", port);
  gchar *text = g_strdup_printf ("UDP port %u is in use", port);

  expect (line, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_BUSY, text);
  expect (both, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_BUSY, text);
  g_free (line);
  g_free (both);
  g_free (text);
  g_object_unref (ear);
}

GST_END_TEST;

static Suite *
lifecycle_suite (void)
{
  Suite *suite = suite_create ("lifecycle");
  TCase *tcase = tcase_create ("general");

  tcase_set_timeout (tcase, 60);
  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, bye_has_left_when_eos_is_posted);
  tcase_add_test (tcase, eos_arrives_where_nobody_listens);
  tcase_add_test (tcase, bye_leaves_when_a_sender_is_stopped);
  tcase_add_test (tcase, a_file_goes_out_at_its_own_pace);
  tcase_add_test (tcase, live_input_is_not_delayed);
  tcase_add_test (tcase, a_pipeline_with_a_file_prerolls);
  tcase_add_test (tcase,
      eos_of_a_file_arrives_when_playing_follows_paused_at_once);
  tcase_add_test (tcase, eos_is_posted_again_after_a_pause);
  tcase_add_test (tcase, a_seek_prerolls_anew_and_keeps_the_pace);
  tcase_add_test (tcase, a_path_that_is_down_is_one_warning_and_no_end);
  tcase_add_test (tcase, twenty_times_up_and_down);
  tcase_add_test (tcase, codecs_change_while_the_encoder_goes_up_and_down);
  tcase_add_test (tcase, codecs_change_while_the_decoder_goes_up_and_down);
  tcase_add_test (tcase, twenty_pauses);
  tcase_add_test (tcase,
      senders_that_change_while_the_receiver_stops_do_not_hold_it);
  tcase_add_test (tcase, packets_are_marked_and_have_their_time_to_live);
  tcase_add_test (tcase, errors_name_the_remedy);
  tcase_add_test (tcase, a_port_in_use_is_named);
  return suite;
}

GST_CHECK_MAIN (lifecycle);
