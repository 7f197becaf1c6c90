/* gst-tfrc: a two-way voice call by one UDP port on tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "call.h"

#include <string.h>
#include <tfrcadapt/quality.h>

#include "echo.h"
#include "flow.h"

#define SOUND "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1"
#define HANG_UP_MS 1000         /* until BYE has left and files have their length */
#define SILENCE_S 20            /* without a packet: the remote is gone */
#define FIRST_PEER 0            /* the number of the property "peer" */
#define NOBODY G_MAXUINT
#define PROOF_S 5               /* in which whoever calls has to show the key */

struct _Call
{
  CallSettings settings;
  gchar *address, *speak, *record, *error;
  gchar *key, *remote_key;      /* of what is said and heard, or NULL */
  GstElement *pipeline, *bin;   /* bin: the tfrcbin */
  GstElement *said, *heard;     /* the halves; said may come later */
  guint peer;                   /* the number of the remote, or NOBODY */
  gchar *stranger;              /* who calls and has shown no key; atomic */
  gint64 proof_end;             /* us: until when it has to be heard; 0: at any time */
  gchar *remote;                /* where the remote is, or NULL */
  Flow said_flow, heard_flow;
  CallState state;
  gint64 measured, heard_at;    /* us */
  gboolean hanging_up;
  gboolean muted;
  void (*changed) (Call *, gpointer);
  gpointer user_data;
};

static void
set_state (Call * call, CallState state)
{
  if (call->state == state || call->state >= CALL_ENDED)
    return;
  call->state = state;
  call->changed (call, call->user_data);
}

static void
fail (Call * call, const gchar * message)
{
  if (call->state >= CALL_ENDED)
    return;
  call->error = g_strdup (message);
  set_state (call, CALL_FAILED);
}

/* The pipeline. */

static gboolean
has_factory (const gchar * name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  if (factory)
    gst_object_unref (factory);
  return factory != NULL;
}

/* Is there a microphone ("Audio/Source") or a loudspeaker ("Audio/Sink")? */
static gboolean
has_device (const gchar * classes)
{
  GstDeviceMonitor *monitor = gst_device_monitor_new ();
  GList *devices;

  gst_device_monitor_add_filter (monitor, classes, NULL);
  devices = gst_device_monitor_get_devices (monitor);
  g_list_free_full (devices, gst_object_unref);
  gst_object_unref (monitor);
  return devices != NULL;
}

static gboolean
cancels_echo (Call * call)
{
  return call->settings.echo_cancel && !call->speak && !call->record
      && has_factory ("webrtcdsp");
}

/* A file's name as gst_parse_launch() reads it. */
static gchar *
quote (const gchar * name)
{
  gchar *escaped = g_strescape (name, NULL), *quoted =
      g_strdup_printf ("\"%s\"", escaped);

  g_free (escaped);
  return quoted;
}

/* A recording goes out as if it were spoken now: in slices of 10 ms, in time. The canceller
 * leaves the level alone: it would raise what is left of the echo as well. */
static gchar *
describe_microphone (Call * call)
{
  gchar *file, *text;

  if (!call->speak)
    return g_strdup_printf ("autoaudiosrc ! " SOUND "%s",
        cancels_echo (call) ? " ! webrtcdsp probe=echoprobe gain-control=false"
        : "");
  file = quote (call->speak);
  text = g_strdup_printf ("filesrc location=%s ! wavparse ! " SOUND
      " ! audiobuffersplit output-buffer-duration=1/100 ! clocksync", file);
  g_free (file);
  return text;
}

static gchar *
describe_loudspeaker (Call * call)
{
  gchar *file, *text;

  if (!call->record)
    return g_strdup_printf ("%sautoaudiosink",
        cancels_echo (call) ? "webrtcechoprobe name=echoprobe ! audioconvert ! "
        : "");
  file = quote (call->record);
  text = g_strdup_printf ("audiorate ! wavenc ! filesink location=%s", file);
  g_free (file);
  return text;
}

static GstElement *
get (GstElement * half, const gchar * name)
{
  GstElement *element = gst_bin_get_by_name (GST_BIN (half), name);

  gst_object_unref (element);   /* the half keeps it */
  return element;
}

static gboolean
on_said_all (gpointer user_data)
{
  call_hang_up (user_data);
  return G_SOURCE_REMOVE;
}

/* The recording is over: nothing more will be said. */
static GstPadProbeReturn
on_said_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  if (GST_EVENT_TYPE (GST_PAD_PROBE_INFO_EVENT (info)) == GST_EVENT_EOS)
    g_idle_add (on_said_all, user_data);
  return GST_PAD_PROBE_OK;
}

/* The half that speaks to a peer. */
static gboolean
add_said (Call * call, guint peer, GError ** error)
{
  gchar *microphone = describe_microphone (call);
  gchar *text = g_strdup_printf ("%s ! volume name=mute ! "
      "tfrcencodebin name=encoder", microphone);
  gchar *name = g_strdup_printf ("send_sink_%u", peer);
  GstPad *pad;

  call->peer = peer;
  call->said = gst_parse_bin_from_description (text, TRUE, error);
  if (call->said) {
    g_object_set (get (call->said, "mute"), "mute", call->muted, NULL);
    flow_watch (&call->said_flow, get (call->said, "encoder"), "src");
    pad = gst_element_get_static_pad (get (call->said, "encoder"), "sink");
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_said_event,
        call, NULL);
    gst_object_unref (pad);
    gst_bin_add (GST_BIN (call->pipeline), call->said);
    gst_element_link_pads (call->said, "src", call->bin, name);
  }
  g_free (name);
  g_free (text);
  g_free (microphone);
  return call->said != NULL;
}

/* The remote is heard for the first time. */
static void
on_pad_added (GstElement * bin, GstPad * pad, gpointer user_data)
{
  Call *call = user_data;
  GstPad *sink = gst_element_get_static_pad (call->heard, "sink");

  if (GST_PAD_IS_SRC (pad) && !gst_pad_is_linked (sink))
    gst_pad_link (pad, sink);
  gst_object_unref (sink);
}

static gboolean
add_heard (Call * call, GError ** error)
{
  gchar *loudspeaker = describe_loudspeaker (call);
  gchar *text = g_strdup_printf ("tfrcdecodebin name=decoder ! " SOUND " ! %s",
      loudspeaker);

  call->heard = gst_parse_bin_from_description (text, TRUE, error);
  g_free (text);
  g_free (loudspeaker);
  if (!call->heard)
    return FALSE;
  if (cancels_echo (call))
    echo_set_delay (get (call->heard, "echoprobe"));
  flow_watch (&call->heard_flow, get (call->heard, "decoder"), "sink");
  gst_bin_add (GST_BIN (call->pipeline), call->heard);
  return TRUE;
}

/* Whoever calls becomes a peer with the key. */
static gboolean
add_stranger (gpointer user_data)
{
  Call *call = user_data;
  gchar *host = g_atomic_pointer_get (&call->stranger);
  gchar *colon = strrchr (host, ':');
  gboolean bracket = *host == '[';
  GstStructure *keys = gst_structure_new ("keys",
      "srtp-key", G_TYPE_STRING, call->key,
      "srtp-remote-key", G_TYPE_STRING, call->remote_key, NULL);

  colon[-bracket] = 0;
  if (call->peer == NOBODY && call->state == CALL_WAITING) {
    g_signal_emit_by_name (call->bin, "add-peer", host + bracket,
        (guint) g_ascii_strtoull (colon + 1, NULL, 10), keys, &call->peer);
    call->proof_end = g_get_monotonic_time () + PROOF_S * G_USEC_PER_SEC;
  }
  gst_structure_free (keys);
  g_atomic_pointer_set (&call->stranger, NULL);
  g_free (host);
  return G_SOURCE_REMOVE;
}

/* Somebody calls; in a thread of tfrcbin. Without keys it becomes a peer as it is. */
static gboolean
on_new_peer (GstElement * bin, guint id, const gchar * address,
    gpointer user_data)
{
  Call *call = user_data;
  gchar *stranger;

  if (!call->key)
    return TRUE;
  stranger = g_strdup (address);
  if (g_atomic_pointer_compare_and_exchange (&call->stranger, NULL, stranger))
    g_idle_add (add_stranger, call);
  else
    g_free (stranger);
  return FALSE;
}

/* Who is called or named may answer from another port of the same host, as behind a NAT. Who
 * listens to everybody talks to the first that calls. */
static gboolean
add_bin (Call * call, GError ** error)
{
  call->bin = gst_element_factory_make ("tfrcbin", NULL);
  if (!call->bin) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN,
        "There is no element tfrcbin. Set GST_PLUGIN_PATH to the folder of libgsttfrc.so.");
    return FALSE;
  }
  g_object_set (call->bin, "port", call->settings.port, "peer", call->address,
      "latency", call->settings.latency, "max-peers", 1, NULL);
  gst_util_set_object_arg (G_OBJECT (call->bin), "mode", "tfrc-sp");
  gst_util_set_object_arg (G_OBJECT (call->bin), "accept",
      call->address ? "known" : "any");
  if (call->address)
    g_object_set (call->bin, "srtp-key", call->key, "srtp-remote-key",
        call->remote_key, NULL);
  g_signal_connect (call->bin, "new-peer", G_CALLBACK (on_new_peer), call);
  g_signal_connect (call->bin, "pad-added", G_CALLBACK (on_pad_added), call);
  gst_bin_add (GST_BIN (call->pipeline), call->bin);
  return TRUE;
}

/* The remote is there: who listened answers. */
static void
answer (Call * call, guint peer)
{
  GError *error = NULL;

  call->heard_at = g_get_monotonic_time ();
  call->proof_end = 0;
  if (!call->said && !add_said (call, peer, &error))
    fail (call, error->message);
  else
    gst_element_sync_state_with_parent (call->said);
  g_clear_error (&error);
  set_state (call, CALL_TALKING);
}

static void
on_peer (Call * call, const GstStructure * s)
{
  const gchar *state = gst_structure_get_string (s, "state");
  guint peer;

  gst_structure_get_uint (s, "id", &peer);
  if (call->state >= CALL_ENDED || (call->peer != NOBODY && call->peer != peer))
    return;
  g_free (call->remote);
  g_free (call->stranger);
  call->remote = g_strdup (gst_structure_get_string (s, "address"));
  if (g_str_equal (state, "connected"))
    answer (call, peer);
  else if (g_str_equal (state, "gone"))
    call_hang_up (call);
}

/* The bus. */

static gboolean
on_message (GstBus * bus, GstMessage * message, gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;

  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ERROR:
      gst_message_parse_error (message, &error, NULL);
      fail (call, error->message);
      break;
    case GST_MESSAGE_WARNING:
      gst_message_parse_warning (message, &error, NULL);
      /* Packets come and none is authentic: the keys differ. Who listens waits for others. */
      if (call->state == CALL_RINGING && g_error_matches (error,
              GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED))
        fail (call, error->message);
      else
        g_printerr ("\n%s: %s\n", GST_MESSAGE_SRC_NAME (message),
            error->message);
      break;
    case GST_MESSAGE_ELEMENT:
      if (gst_message_has_name (message, "application/x-tfrc-connection") ||
          gst_message_has_name (message, "application/x-tfrc-peer"))
        on_peer (call, gst_message_get_structure (message));
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency (GST_BIN (call->pipeline));
      break;
    default:
      break;
  }
  g_clear_error (&error);
  return G_SOURCE_CONTINUE;
}

/* Life and death. */

static gboolean
check_sound (Call * call, GError ** error)
{
  if (!call->speak && !has_device ("Audio/Source"))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no microphone. Connect one, or name a recording (--speak FILE.wav).");
  else if (!call->record && !has_device ("Audio/Sink"))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no loudspeaker. Connect one, or name a file to record to (--record FILE.wav).");
  else
    return TRUE;
  return FALSE;
}

/* Whoever calls has the first key. */
static void
set_keys (Call * call, const gchar * keys)
{
  gchar *first = g_strndup (keys, CALL_KEY_LENGTH);
  gchar *second = g_strdup (keys + CALL_KEY_LENGTH);

  call->key = call->settings.listen ? second : first;
  call->remote_key = call->settings.listen ? first : second;
}

Call *
call_new (const CallSettings * settings, void (*changed) (Call *, gpointer),
    gpointer user_data, GError ** error)
{
  Call *call = g_new0 (Call, 1);
  GstBus *bus;

  call->settings = *settings;
  call->address = g_strdup (settings->peer);
  if (settings->keys)
    set_keys (call, settings->keys);
  call->speak = g_strdup (settings->speak);
  call->record = g_strdup (settings->record);
  call->changed = changed;
  call->user_data = user_data;
  call->peer = NOBODY;
  call->state = settings->listen ? CALL_WAITING : CALL_RINGING;
  call->pipeline = gst_pipeline_new ("call");
  bus = gst_element_get_bus (call->pipeline);
  gst_bus_add_watch (bus, on_message, call);
  gst_object_unref (bus);
  if (!check_sound (call, error) || !add_bin (call, error)
      || !add_heard (call, error)
      || (!settings->listen && !add_said (call, FIRST_PEER, error))) {
    call_free (call);
    return NULL;
  }
  return call;
}

void
call_start (Call * call)
{
  call->measured = call->heard_at = g_get_monotonic_time ();
  /* Why it failed is on the bus. */
  gst_element_set_state (call->pipeline, GST_STATE_PLAYING);
}

static gboolean
on_hung_up (gpointer user_data)
{
  Call *call = user_data;
  gboolean removed;

  if (call->peer != NOBODY)
    g_signal_emit_by_name (call->bin, "remove-peer", call->peer, &removed);
  set_state (call, CALL_ENDED);
  return G_SOURCE_REMOVE;
}

/* A file gets its length. */
static void
end_heard (Call * call)
{
  GstPad *sink = gst_element_get_static_pad (call->heard, "sink");

  gst_pad_send_event (sink, gst_event_new_eos ());
  gst_object_unref (sink);
}

void
call_hang_up (Call * call)
{
  if (call->hanging_up || call->state >= CALL_ENDED)
    return;
  call->hanging_up = TRUE;
  if (call->said)
    gst_element_send_event (call->said, gst_event_new_eos ());
  end_heard (call);
  g_timeout_add (HANG_UP_MS, on_hung_up, call);
}

void
call_set_muted (Call * call, gboolean muted)
{
  call->muted = muted;
  if (call->said)
    g_object_set (get (call->said, "mute"), "mute", muted, NULL);
}

void
call_free (Call * call)
{
  gst_element_set_state (call->pipeline, GST_STATE_NULL);
  while (g_source_remove_by_user_data (call));  /* the bus watch and what still waits */
  flow_unwatch (&call->said_flow);
  flow_unwatch (&call->heard_flow);
  gst_object_unref (call->pipeline);
  g_free (call->address);
  g_free (call->remote);
  g_free (call->stranger);
  g_free (call->key);
  g_free (call->remote_key);
  g_free (call->speak);
  g_free (call->record);
  g_free (call->error);
  g_free (call);
}

CallState
call_get_state (Call * call)
{
  return call->state;
}

const gchar *
call_get_error (Call * call)
{
  return call->error;
}

const gchar *
call_get_remote (Call * call)
{
  return call->remote;
}

/* The meter. */

static void
fill (CallMeter * meter, Flow * flow, gdouble seconds)
{
  FlowCounts counts;

  flow_take (flow, &counts);
  *meter = (CallMeter) {
      .bitrate = (gdouble) counts.bytes * 8 / seconds,
      .frame = counts.frame,
      .loss = counts.packets ? (gdouble) counts.lost / (counts.lost + counts.packets) : 0,
  };
  g_strlcpy (meter->codec, counts.packets ? counts.codec : "-",
      sizeof meter->codec);
}

/* The quality of what we hear, rated as tfrcencodebin rates what the remote hears. */
static gdouble
predict (const CallMeter * meter, guint latency)
{
  TfrcAdaptPoint point = {
    .bitrate = (guint32) meter->bitrate,
    .frame_us = (guint32) (meter->frame * 1e3),
    .channels = 1,
  };
  TfrcAdaptListening listening = {
    .loss = meter->loss,
    .burst = 1,
    .delay = (meter->rtt / 2 + latency) / 1e3,
  };

  while (point.codec < TFRC_ADAPT_N_CODECS
      && g_ascii_strcasecmp (meter->codec,
          tfrc_adapt_codec_get_name (point.codec)) != 0)
    point.codec++;
  if (point.codec == TFRC_ADAPT_N_CODECS || point.bitrate == 0
      || point.frame_us == 0)
    return 0;
  return tfrc_adapt_quality_get_mos (tfrc_adapt_quality_get_rating (&point,
          &listening));
}

/* From the statistics of the remote: how what is said arrives, and R. */
static void
measure_path (Call * call, CallMeter * said, CallMeter * heard)
{
  GstStructure *stats = NULL;
  const GValue *part;
  guint64 R = 0;

  g_signal_emit_by_name (call->bin, "get-peer-stats", call->peer, &stats);
  if (!stats)
    return;
  part = gst_structure_get_value (stats, "data-sender");
  gst_structure_get (gst_value_get_structure (part),
      "round-trip-time", G_TYPE_UINT64, &R,
      "loss-event-rate", G_TYPE_DOUBLE, &said->loss, NULL);
  said->rtt = heard->rtt = (gdouble) R / GST_MSECOND;
  gst_structure_free (stats);
}

/* Whoever does not show the key, does not answer, or falls silent. */
static void
judge_silence (Call * call, gboolean hears, gint64 now)
{
  gboolean removed;

  if (hears)
    call->heard_at = now;
  if (call->proof_end != 0 && now > call->proof_end) {
    g_signal_emit_by_name (call->bin, "remove-peer", call->peer, &removed);
    call->peer = NOBODY;
    call->proof_end = 0;
  }
  if (now - call->heard_at <= SILENCE_S * G_USEC_PER_SEC)
    return;
  if (call->state == CALL_TALKING)
    fail (call,
        "Nothing has been heard for 20 s: the remote or the network is gone.");
  else if (call->state == CALL_RINGING)
    fail (call,
        "No answer. Does a phone listen there, on that port and with the same key?");
}

void
call_measure (Call * call, CallMeter * said, CallMeter * heard)
{
  gint64 now = g_get_monotonic_time ();
  gdouble seconds = MAX (1, now - call->measured) / 1e6;

  call->measured = now;
  fill (said, &call->said_flow, seconds);
  fill (heard, &call->heard_flow, seconds);
  measure_path (call, said, heard);
  if (call->said)
    g_object_get (get (call->said, "encoder"), "expected-quality",
        &said->quality, NULL);
  heard->quality = predict (heard, call->settings.latency);
  judge_silence (call, strcmp (heard->codec, "-") != 0, now);
}
