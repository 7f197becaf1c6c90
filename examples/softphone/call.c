/* A two-way voice call on tfrcsink and tfrcsrc
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Where the far end is reached is what SIP would tell a real phone. Here both ends keep
 * to a rule in its place: a phone hears on its port and speaks from the next one, so
 * whoever hears a caller knows where to answer. */
#include "call.h"

#include <string.h>
#include <tfrcadapt/quality.h>

#include "echo.h"
#include "flow.h"

#define SOUND "audioconvert ! audioresample ! audio/x-raw,format=S16LE,rate=48000,channels=1"
#define HANG_UP_MS 1000         /* until BYE has left and files have their length */
#define SILENCE_S 20            /* without a packet: the far end is gone */

struct _Call
{
  CallSettings settings;
  gchar *host, *key, *speak, *record, *error;
  GstElement *pipeline, *said, *heard;  /* the halves; said may come later */
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

static void
set_key (Call * call, GstElement * bin)
{
  /* One key for both directions is safe as long as their SSRCs differ (RFC 3711 9.1):
   * both are drawn at random. */
  if (call->key)
    g_object_set (bin, "srtp-key", call->key, NULL);
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

static gboolean
add_said (Call * call, const gchar * host, guint port, GError ** error)
{
  gchar *microphone = describe_microphone (call);
  gchar *text =
      g_strdup_printf ("%s ! volume name=mute ! tfrcencodebin name=encoder "
      "! tfrcsink name=sink mode=tfrc-sp", microphone);
  GstPad *pad;

  call->said = gst_parse_bin_from_description (text, FALSE, error);
  g_free (text);
  g_free (microphone);
  if (!call->said)
    return FALSE;
  g_object_set (get (call->said, "sink"), "host", host, "port", port,
      "bind-port", call->settings.port + 1, NULL);
  g_object_set (get (call->said, "mute"), "mute", call->muted, NULL);
  set_key (call, get (call->said, "sink"));
  flow_watch (&call->said_flow, get (call->said, "encoder"), "src");
  pad = gst_element_get_static_pad (get (call->said, "encoder"), "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_said_event,
      call, NULL);
  gst_object_unref (pad);
  gst_bin_add (GST_BIN (call->pipeline), call->said);
  return TRUE;
}

/* Somebody speaks to us: we answer where they hear. */
static gboolean
on_answer (gpointer user_data)
{
  Call *call = user_data;
  GError *error = NULL;
  gchar *remote = call_get_remote (call), *colon =
      remote ? strrchr (remote, ':') : NULL;

  call->heard_at = g_get_monotonic_time ();
  if (colon && !call->said && call->state < CALL_ENDED) {
    guint port = (guint) g_ascii_strtoull (colon + 1, NULL, 10) - 1;
    *colon = 0;
    /* [2001:db8::1] */
    gchar *host = g_strndup (remote + (*remote == '['),
        strcspn (remote + (*remote == '['), "]"));
    if (!add_said (call, host, port, &error))
      fail (call, error->message);
    else
      gst_element_sync_state_with_parent (call->said);
    g_free (host);
  }
  g_clear_error (&error);
  g_free (remote);
  set_state (call, CALL_TALKING);
  return G_SOURCE_REMOVE;
}

static void
on_remote (GstElement * source, GParamSpec * spec, gpointer user_data)
{
  g_idle_add (on_answer, user_data);
}

static gboolean
add_heard (Call * call, GError ** error)
{
  gchar *loudspeaker = describe_loudspeaker (call);
  gchar *text =
      g_strdup_printf ("tfrcsrc name=source mode=tfrc-sp ! tfrcdecodebin ! "
      SOUND " ! %s", loudspeaker);

  call->heard = gst_parse_bin_from_description (text, FALSE, error);
  g_free (text);
  g_free (loudspeaker);
  if (!call->heard)
    return FALSE;
  g_object_set (get (call->heard, "source"), "port", call->settings.port,
      "latency", call->settings.latency, NULL);
  set_key (call, get (call->heard, "source"));
  if (cancels_echo (call))
    echo_set_delay (get (call->heard, "echoprobe"));
  g_signal_connect (get (call->heard, "source"), "notify::remote-address",
      G_CALLBACK (on_remote), call);
  flow_watch (&call->heard_flow, get (call->heard, "source"), "src");
  gst_bin_add (GST_BIN (call->pipeline), call->heard);
  return TRUE;
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
      /* Packets come and none is authentic: the keys differ. */
      if (g_error_matches (error, GST_RESOURCE_ERROR,
              GST_RESOURCE_ERROR_NOT_AUTHORIZED))
        fail (call, error->message);
      else
        g_printerr ("\n%s: %s\n", GST_MESSAGE_SRC_NAME (message),
            error->message);
      break;
    case GST_MESSAGE_ELEMENT:
      if (gst_message_has_name (message, "application/x-tfrc-bye"))
        call_hang_up (call);
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

Call *
call_new (const CallSettings * settings, void (*changed) (Call *, gpointer),
    gpointer user_data, GError ** error)
{
  Call *call = g_new0 (Call, 1);
  GstBus *bus;

  call->settings = *settings;
  call->host = g_strdup (settings->host);
  call->key = g_strdup (settings->key);
  call->speak = g_strdup (settings->speak);
  call->record = g_strdup (settings->record);
  call->changed = changed;
  call->user_data = user_data;
  call->state = settings->host ? CALL_RINGING : CALL_WAITING;
  call->pipeline = gst_pipeline_new ("call");
  bus = gst_element_get_bus (call->pipeline);
  gst_bus_add_watch (bus, on_message, call);
  gst_object_unref (bus);
  if (!check_sound (call, error) || !add_heard (call, error)
      || (call->host
          && !add_said (call, call->host, settings->remote_port, error))) {
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
  set_state (user_data, CALL_ENDED);
  return G_SOURCE_REMOVE;
}

void
call_hang_up (Call * call)
{
  if (call->hanging_up || call->state >= CALL_ENDED)
    return;
  call->hanging_up = TRUE;
  if (call->said)
    gst_element_send_event (call->said, gst_event_new_eos ());
  gst_element_send_event (call->heard, gst_event_new_eos ());
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
  g_free (call->host);
  g_free (call->key);
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

gchar *
call_get_remote (Call * call)
{
  gchar *remote;

  g_object_get (get (call->heard, "source"), "remote-address", &remote, NULL);
  return remote;
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

/* What we hear, judged as tfrcencodebin judges what the far end does. */
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

void
call_measure (Call * call, CallMeter * said, CallMeter * heard)
{
  gint64 now = g_get_monotonic_time ();
  gdouble seconds = MAX (1, now - call->measured) / 1e6;
  guint64 rtt = 0;

  call->measured = now;
  fill (said, &call->said_flow, seconds);
  fill (heard, &call->heard_flow, seconds);
  if (call->said) {
    g_object_get (get (call->said, "sink"), "round-trip-time", &rtt,
        "loss-event-rate", &said->loss, NULL);
    said->rtt = (gdouble) rtt / GST_MSECOND;
    g_object_get (get (call->said, "encoder"), "expected-quality",
        &said->quality, NULL);
  }
  g_object_get (get (call->heard, "source"), "round-trip-time", &rtt, NULL);
  heard->rtt = (gdouble) rtt / GST_MSECOND;
  heard->quality = predict (heard, call->settings.latency);
  if (strcmp (heard->codec, "-") != 0)
    call->heard_at = now;
  else if (call->state == CALL_TALKING
      && now - call->heard_at > SILENCE_S * G_USEC_PER_SEC)
    fail (call,
        "Nothing has been heard for 20 s: the far end or the network is gone.");
  else if (call->state == CALL_RINGING
      && now - call->heard_at > SILENCE_S * G_USEC_PER_SEC)
    fail (call,
        "No answer. Does a phone listen there, on that port and with the same key?");
}
