/* gst-tfrc: the two halves of a call: what is said and what is heard
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/rtp/gstrtpbuffer.h>
#include <string.h>

#include "callprivate.h"
#include "devices.h"
#include "echo.h"

#define EVENT_SIZE 4            /* bytes of a telephone event, RFC 4733 2.3 */
#define DIGIT_MS 160            /* how long a key is pressed */
static const gchar digits[] = "0123456789*#ABCD";

/* --- what is said --- */

/* For a remote without TFRC the codec stays, the length of a packet is the one that it asks for, and there are no redundant
 * copies. */
static gchar *
describe_encoder (Call * call)
{
  const CallMedia *media = &call->media;
  GString *text = g_string_new ("tfrcencodebin name=encoder");

  if (!call->has_media)
    return g_string_free (text, FALSE);
  g_string_append_printf (text, " codecs=%s pt=%u", media->codecs,
      media->opus_type);
  if (media->red_type < 0 || !media->tfrc)
    g_string_append (text, " redundancy=0");
  else
    g_string_append_printf (text, " red-pt=%d", media->red_type);
  if (media->extension_id)
    g_string_append_printf (text, " extension-id=%u", media->extension_id);
  return g_string_free (text, FALSE);
}

/* The keys that are pressed take the place of the voice meanwhile, and have its clock. */
static gchar *
describe_said (Call * call)
{
  gchar *microphone = devices_describe_microphone (&call->settings);
  gchar *encoder = describe_encoder (call), *text;
  gboolean dtmf = call->has_media && call->media.dtmf_type >= 0
      && devices_have_factory ("rtpdtmfsrc");

  text = g_strdup_printf ("%s ! volume name=mute ! valve name=valve ! %s%s",
      microphone, encoder, dtmf ? " ! rtpdtmfmux name=mux" : "");
  if (dtmf) {
    gchar *voice = text;

    text = g_strdup_printf ("%s rtpdtmfsrc name=dtmf pt=%d "
        "packet-redundancy=3 ! mux.priority_sink_0", voice,
        call->media.dtmf_type);
    g_free (voice);
  }
  g_free (encoder);
  g_free (microphone);
  return text;
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

gboolean
call_add_said (Call * call, GError ** error)
{
  gchar *text = describe_said (call);
  GstPad *pad;

  call->said = gst_parse_bin_from_description (text, TRUE, error);
  g_free (text);
  if (!call->said)
    return FALSE;
  call->said_media = call->media;
  call_update_said (call);
  flow_watch (&call->said_flow, call_get_element (call->said, "encoder"),
      "src");
  pad = gst_element_get_static_pad (call_get_element (call->said, "encoder"),
      "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_said_event,
      call, NULL);
  gst_object_unref (pad);
  gst_bin_add (GST_BIN (call->pipeline), call->said);
  return TRUE;
}

static gboolean
has_codecs (const CallMedia * media, const CallMedia * said)
{
  gchar **names = g_strsplit (said->codecs, ",", -1);
  guint i, n = 0;

  for (i = 0; names[i]; i++)
    n += strstr (media->codecs, names[i]) != NULL;
  g_strfreev (names);
  return n == i;
}

/* An end that is held sends nothing, and may be offered anything. */
gboolean
call_can_say (Call * call, const CallMedia * media)
{
  const CallMedia *said = &call->said_media;
  gboolean opus = strstr (said->codecs, "OPUS") != NULL;

  if (!call->said || !call->has_media || !media->sends)
    return TRUE;
  return has_codecs (media, said)
      && (!opus || media->opus_type == said->opus_type)
      && (!said->tfrc || said->red_type < 0
      || media->red_type == said->red_type)
      && (!said->tfrc || !media->tfrc
      || media->extension_id == said->extension_id)
      && (said->dtmf_type < 0 || media->dtmf_type < 0
      || media->dtmf_type == said->dtmf_type);
}

/* Whoever holds the call says nothing, and whoever is held sends nothing. The remote may ask for other lengths of packets. */
void
call_update_said (Call * call)
{
  const CallMedia *media = &call->media;
  gboolean holds = call->has_media && !media->hears;

  if (!call->said)
    return;
  if (call->has_media)
    g_object_set (call_get_element (call->said, "encoder"), "ptime",
        media->ptime * GST_MSECOND, NULL);
  g_object_set (call_get_element (call->said, "mute"), "mute",
      call->muted || holds, NULL);
  g_object_set (call_get_element (call->said, "valve"), "drop",
      call->has_media && !media->sends, NULL);
}

/* rtpdtmfsrc takes such events at its pad alone. */
static void
send_key (GstElement * dtmf, GstStructure * key)
{
  GstPad *pad = gst_element_get_static_pad (dtmf, "src");

  gst_structure_set (key, "type", G_TYPE_INT, 1, NULL);
  gst_pad_send_event (pad, gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM,
          key));
  gst_object_unref (pad);
}

static gboolean
on_key_up (gpointer user_data)
{
  Call *call = user_data;

  send_key (call_get_element (call->said, "dtmf"),
      gst_structure_new ("dtmf-event", "start", G_TYPE_BOOLEAN, FALSE, NULL));
  return G_SOURCE_REMOVE;
}

gboolean
call_send_digit (Call * call, gchar digit)
{
  const gchar *at = memchr (digits, g_ascii_toupper (digit), strlen (digits));
  GstElement *dtmf = call->said ? call_get_element (call->said, "dtmf") : NULL;

  if (!at || !dtmf || call->state != CALL_TALKING)
    return FALSE;
  send_key (dtmf, gst_structure_new ("dtmf-event",
          "number", G_TYPE_INT, (gint) (at - digits),
          "volume", G_TYPE_INT, 10, "start", G_TYPE_BOOLEAN, TRUE, NULL));
  g_timeout_add (DIGIT_MS, on_key_up, call);
  return TRUE;
}

/* --- what is heard --- */

/* All packets of one key have the timestamp of its beginning, RFC 4733 2.5.1.2. */
static void
take_digit (Call * call, GstRTPBuffer * rtp)
{
  guint32 timestamp = gst_rtp_buffer_get_timestamp (rtp);
  const guint8 *event = gst_rtp_buffer_get_payload (rtp);

  if (gst_rtp_buffer_get_payload_len (rtp) < EVENT_SIZE
      || event[0] >= strlen (digits)
      || (call->digit_known && timestamp == call->digit_time))
    return;
  call->digit_known = TRUE;
  call->digit_time = timestamp;
  gst_element_post_message (call->bin,
      gst_message_new_application (GST_OBJECT (call->bin),
          gst_structure_new (CALL_DIGIT_MESSAGE, "digit", G_TYPE_CHAR,
              digits[event[0]], NULL)));
}

/* Telephone events do not go to the decoder. */
static GstPadProbeReturn
on_heard_packet (Call * call, GstBuffer * buffer)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gint type = g_atomic_int_get (&call->dtmf_type_in);
  gboolean is_event;

  if (type < 0 || !gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp))
    return GST_PAD_PROBE_OK;
  is_event = gst_rtp_buffer_get_payload_type (&rtp) == type;
  if (is_event)
    take_digit (call, &rtp);
  gst_rtp_buffer_unmap (&rtp);
  return is_event ? GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_heard_event (GstEvent * event)
{
  GstCaps *caps;
  const gchar *name;

  if (GST_EVENT_TYPE (event) != GST_EVENT_CAPS)
    return GST_PAD_PROBE_OK;
  gst_event_parse_caps (event, &caps);
  name = gst_structure_get_string (gst_caps_get_structure (caps, 0),
      "encoding-name");
  return g_strcmp0 (name, "TELEPHONE-EVENT") == 0 ?
      GST_PAD_PROBE_DROP : GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_heard (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  return info->type & GST_PAD_PROBE_TYPE_BUFFER ?
      on_heard_packet (user_data, GST_PAD_PROBE_INFO_BUFFER (info)) :
      on_heard_event (GST_PAD_PROBE_INFO_EVENT (info));
}

/* Plays what comes from the peer, and no other pad any more. */
static void
link_heard (Call * call)
{
  gchar *name = g_strdup_printf ("recv_src_%u", call->peer);
  GstPad *pad = gst_element_get_static_pad (call->bin, name);
  GstPad *sink = gst_element_get_static_pad (call->heard, "sink");
  GstPad *before = gst_pad_get_peer (sink);

  if (pad && pad != before) {
    if (before)
      gst_pad_unlink (before, sink);
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER |
        GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, on_heard, call, NULL);
    gst_pad_link (pad, sink);
  }
  gst_clear_object (&before);
  gst_clear_object (&pad);
  gst_object_unref (sink);
  g_free (name);
}

void
call_unlink_heard (Call * call, guint peer)
{
  gchar *name = g_strdup_printf ("recv_src_%u", peer);
  GstPad *pad = gst_element_get_static_pad (call->bin, name);
  GstPad *sink = gst_element_get_static_pad (call->heard, "sink");

  if (pad)
    gst_pad_unlink (pad, sink);
  gst_clear_object (&pad);
  gst_object_unref (sink);
  g_free (name);
}

static void
link_said (Call * call)
{
  gchar *name = g_strdup_printf ("send_sink_%u", call->peer);
  GstPad *src = gst_element_get_static_pad (call->said, "src");
  GstPad *before = gst_pad_get_peer (src);

  if (!before || !g_str_equal (GST_PAD_NAME (before), name)) {
    if (before) {
      gst_pad_unlink (src, before);
      gst_element_release_request_pad (call->bin, before);
    }
    gst_element_link_pads (call->said, "src", call->bin, name);
  }
  gst_clear_object (&before);
  gst_object_unref (src);
  g_free (name);
}

void
call_link (Call * call)
{
  if (call->peer == CALL_NOBODY || !call->accepted)
    return;
  link_heard (call);
  if (call->said)
    link_said (call);
}

gboolean
call_add_heard (Call * call, GError ** error)
{
  gchar *loudspeaker = devices_describe_loudspeaker (&call->settings);
  gchar *text = g_strdup_printf ("tfrcdecodebin name=decoder ! " DEVICES_SOUND
      " ! %s", loudspeaker);

  call->heard = gst_parse_bin_from_description (text, TRUE, error);
  g_free (text);
  g_free (loudspeaker);
  if (!call->heard)
    return FALSE;
  if (devices_cancel_echo (&call->settings))
    echo_set_delay (call_get_element (call->heard, "echoprobe"));
  flow_watch (&call->heard_flow, call_get_element (call->heard, "decoder"),
      "sink");
  gst_bin_add (GST_BIN (call->pipeline), call->heard);
  return TRUE;
}
