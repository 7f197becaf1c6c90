/* gst-tfrc tests: an element tfrcbin in the network of net.h
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "callend.h"

#include <gst/rtp/rtp.h>
#include <string.h>

#include "settle.h"
#include "statsfield.h"

static GstStaticPadTemplate any_sink = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

/* --- what comes out --------------------------------------------------------------- */

static void
output_free (gpointer data)
{
  CallOutput *output = data;

  gst_object_unref (output->pad);
  g_ptr_array_unref (output->packets);
  g_free (output->caps);
  g_free (output->stream_id);
  g_free (output);
}

static GstFlowReturn
on_packet (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  CallEnd *end = gst_pad_get_element_private (pad);
  CallOutput *output = g_object_get_data (G_OBJECT (pad), "output");

  g_mutex_lock (&end->lock);
  g_ptr_array_add (output->packets, buffer);
  g_mutex_unlock (&end->lock);
  return GST_FLOW_OK;
}

static void
note_event (CallOutput * output, GstEvent * event)
{
  const gchar *id;
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      gst_event_parse_stream_start (event, &id);
      g_free (output->stream_id);
      output->stream_id = g_strdup (id);
      output->stream_starts++;
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      g_free (output->caps);
      output->caps = gst_caps_to_string (caps);
      output->caps_events++;
      break;
    case GST_EVENT_SEGMENT:
      output->segments++;
      break;
    case GST_EVENT_FLUSH_STOP:
      output->flushes++;
      break;
    case GST_EVENT_EOS:
      output->eos++;
      break;
    default:
      output->losses += gst_event_has_name (event, "GstRTPPacketLost");
  }
}

static gboolean
on_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  CallEnd *end = gst_pad_get_element_private (pad);

  g_mutex_lock (&end->lock);
  note_event (g_object_get_data (G_OBJECT (pad), "output"), event);
  g_mutex_unlock (&end->lock);
  gst_event_unref (event);
  return TRUE;
}

static guint
get_number (GstPad * pad)
{
  return g_ascii_strtoull (strrchr (GST_PAD_NAME (pad), '_') + 1, NULL, 10);
}

static CallOutput *
output_new (CallEnd * end, guint id)
{
  CallOutput *output = g_new0 (CallOutput, 1);

  output->pad = gst_pad_new_from_static_template (&any_sink, NULL);
  output->packets =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_buffer_unref);
  gst_pad_set_element_private (output->pad, end);
  g_object_set_data (G_OBJECT (output->pad), "output", output);
  gst_pad_set_chain_function (output->pad, on_packet);
  gst_pad_set_event_function (output->pad, on_event);
  gst_pad_set_active (output->pad, TRUE);
  g_mutex_lock (&end->lock);
  g_hash_table_replace (end->outputs, GUINT_TO_POINTER (id), output);
  g_mutex_unlock (&end->lock);
  return output;
}

static void
on_pad_added (GstElement * call, GstPad * pad, CallEnd * end)
{
  if (!GST_PAD_IS_SRC (pad))
    return;
  fail_unless_equals_int (end->link ? gst_pad_link (pad, output_new (end,
              get_number (pad))->pad) : GST_PAD_LINK_OK, GST_PAD_LINK_OK);
}

static void
on_pad_removed (GstElement * call, GstPad * pad, CallEnd * end)
{
  CallOutput *output;

  if (!GST_PAD_IS_SRC (pad))
    return;
  output = call_end_get_output (end, get_number (pad));
  if (output != NULL)
    output->removed = TRUE;
}

/* --- messages ------------------------------------------------------------------------ */

static void
note_state (CallEnd * end, const GstStructure * s)
{
  guint id;

  if (!gst_structure_has_name (s, "application/x-tfrc-peer") &&
      !gst_structure_has_name (s, "application/x-tfrc-connection"))
    return;
  fail_unless (gst_structure_get_uint (s, "id", &id));
  g_string_append_printf (end->states, "%u:%s ", id,
      gst_structure_get_string (s, "state"));
  g_free (end->last_label);
  end->last_label = g_strdup (gst_structure_get_string (s, "label"));
  g_free (end->last_address);
  end->last_address = g_strdup (gst_structure_get_string (s, "address"));
}

static void
note_text (gchar ** text, GstMessage * message,
    void (*parse) (GstMessage *, GError **, gchar **))
{
  GError *error;

  parse (message, &error, NULL);
  g_free (*text);
  *text = g_strdup (error->message);
  g_error_free (error);
}

static GstBusSyncReply
on_message (GstBus * bus, GstMessage * message, gpointer data)
{
  CallEnd *end = data;

  g_mutex_lock (&end->lock);
  switch (GST_MESSAGE_TYPE (message)) {
    case GST_MESSAGE_ELEMENT:
      note_state (end, gst_message_get_structure (message));
      break;
    case GST_MESSAGE_EOS:
      end->eos++;
      break;
    case GST_MESSAGE_STREAM_START:
      end->stream_starts++;
      end->stream_seqnum = gst_message_get_seqnum (message);
      if (!gst_message_parse_group_id (message, &end->stream_group))
        end->stream_group = 0;
      break;
    case GST_MESSAGE_WARNING:
      end->warnings++;
      note_text (&end->warning, message, gst_message_parse_warning);
      break;
    case GST_MESSAGE_ERROR:
      note_text (&end->error, message, gst_message_parse_error);
      break;
    default:
      break;
  }
  g_mutex_unlock (&end->lock);
  gst_message_unref (message);
  return GST_BUS_DROP;
}

gchar *
call_end_take_states (CallEnd * end)
{
  gchar *states;

  settle ();
  g_mutex_lock (&end->lock);
  states = g_strdup (g_strchomp (end->states->str));
  g_string_truncate (end->states, 0);
  g_mutex_unlock (&end->lock);
  return states;
}

/* --- start and stop ------------------------------------------------------------------- */

void
call_end_init (CallEnd * end, const gchar * properties)
{
  gchar *line = g_strdup_printf ("tfrcbin name=call port=0 %s", properties);
  GstClock *clock = gst_system_clock_obtain ();
  GError *error = NULL;
  GstBus *bus;

  memset (end, 0, sizeof *end);
  g_mutex_init (&end->lock);
  end->states = g_string_new ("");
  end->feeders = g_hash_table_new_full (NULL, NULL, NULL, gst_object_unref);
  end->outputs = g_hash_table_new_full (NULL, NULL, NULL, output_free);
  end->link = TRUE;
  end->call = gst_parse_launch (line, &error);
  fail_unless (error == NULL, "%s", line);
  end->pipeline = gst_pipeline_new (NULL);
  gst_bin_add (GST_BIN (end->pipeline), gst_object_ref (end->call));
  gst_pipeline_use_clock (GST_PIPELINE (end->pipeline), clock);
  bus = gst_element_get_bus (end->pipeline);
  gst_bus_set_sync_handler (bus, on_message, end, NULL);
  g_signal_connect (end->call, "pad-added", G_CALLBACK (on_pad_added), end);
  g_signal_connect (end->call, "pad-removed", G_CALLBACK (on_pad_removed), end);
  gst_object_unref (bus);
  gst_object_unref (clock);
  g_free (line);
}

void
call_end_play (CallEnd * end)
{
  GstStateChangeReturn ret = gst_element_set_state (end->pipeline,
      GST_STATE_PLAYING);

  fail_if (ret == GST_STATE_CHANGE_FAILURE, "%s", end->error);
  settle ();
  g_object_get (end->call, "local-port", &end->port, NULL);
}

void
call_end_start (CallEnd * end, const gchar * properties)
{
  call_end_init (end, properties);
  call_end_play (end);
}

void
call_end_stop (CallEnd * end)
{
  GstBus *bus = gst_element_get_bus (end->pipeline);

  gst_element_set_state (end->pipeline, GST_STATE_NULL);
  settle ();
  fail_unless (end->error == NULL, "%s", end->error);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  gst_object_unref (bus);
  g_hash_table_unref (end->feeders);
  gst_object_unref (end->call);
  gst_object_unref (end->pipeline);
  g_hash_table_unref (end->outputs);
  g_string_free (end->states, TRUE);
  g_free (end->warning);
  g_free (end->last_label);
  g_free (end->last_address);
  g_mutex_clear (&end->lock);
}

/* --- peers and what is sent to them --------------------------------------------------- */

guint
call_end_add_peer (CallEnd * end, const gchar * host, guint port,
    const gchar * label)
{
  GstStructure *options = NULL;
  guint id = 0;

  if (label != NULL)
    options = gst_structure_new ("options", "label", G_TYPE_STRING, label,
        NULL);
  g_signal_emit_by_name (end->call, "add-peer", host, port, options, &id);
  g_clear_pointer (&options, gst_structure_free);
  settle ();
  return id;
}

gboolean
call_end_remove_peer (CallEnd * end, guint id)
{
  gboolean removed = FALSE;

  g_signal_emit_by_name (end->call, "remove-peer", id, &removed);
  settle ();
  return removed;
}

void
call_end_feed (CallEnd * end, guint id)
{
  gchar *name = g_strdup_printf ("send_sink_%u", id);
  GstPad *sink = gst_element_request_pad_simple (end->call, name);
  GstPad *feeder = gst_pad_new (NULL, GST_PAD_SRC);
  GstCaps *caps = gst_caps_from_string (CALL_CAPS);
  GstSegment segment;

  fail_unless (sink != NULL, "%s", name);
  fail_unless_equals_int (gst_pad_link (feeder, sink), GST_PAD_LINK_OK);
  gst_pad_set_active (feeder, TRUE);
  gst_pad_push_event (feeder, gst_event_new_stream_start (name));
  gst_pad_push_event (feeder, gst_event_new_caps (caps));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (feeder, gst_event_new_segment (&segment));
  g_hash_table_replace (end->feeders, GUINT_TO_POINTER (id), feeder);
  gst_object_unref (sink);
  gst_caps_unref (caps);
  g_free (name);
}

GstPad *
call_end_get_feeder (CallEnd * end, guint id)
{
  return g_hash_table_lookup (end->feeders, GUINT_TO_POINTER (id));
}

void
call_end_release (CallEnd * end, guint id)
{
  GstPad *pad = gst_pad_get_peer (call_end_get_feeder (end, id));

  gst_element_release_request_pad (end->call, pad);
  gst_object_unref (pad);
  g_hash_table_remove (end->feeders, GUINT_TO_POINTER (id));
}

static GstBuffer *
new_packet (CallEnd * end)
{
  GstBuffer *packet = gst_rtp_buffer_new_allocate (CALL_PAYLOAD, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (packet, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, end->seq);
  gst_rtp_buffer_set_timestamp (&rtp, end->rtptime);
  gst_rtp_buffer_set_ssrc (&rtp, 0xABCDEF00);
  memset (gst_rtp_buffer_get_payload (&rtp), (guint8) end->seq, CALL_PAYLOAD);
  gst_rtp_buffer_unmap (&rtp);
  GST_BUFFER_PTS (packet) =
      net_get_time () - gst_element_get_base_time (end->call);
  return packet;
}

GstFlowReturn
call_end_push (CallEnd * end, guint id)
{
  return gst_pad_push (call_end_get_feeder (end, id), new_packet (end));
}

static void
push_to_all (CallEnd * end)
{
  GHashTableIter it;
  gpointer feeder;

  g_hash_table_iter_init (&it, end->feeders);
  while (g_hash_table_iter_next (&it, NULL, &feeder))
    gst_pad_push (feeder, new_packet (end));
  end->seq++;
  end->rtptime += 960;
}

void
call_run (GstClockTime duration, CallEnd * first, ...)
{
  GstClockTime end = net_get_time () + duration;

  while (net_get_time () < end) {
    CallEnd *talker;
    va_list ends;

    va_start (ends, first);
    for (talker = first; talker != NULL; talker = va_arg (ends, CallEnd *))
      push_to_all (talker);
    va_end (ends);
    net_run (MIN (CALL_FRAME, end - net_get_time ()));
  }
}

/* --- what is known --------------------------------------------------------------------- */

CallOutput *
call_end_get_output (CallEnd * end, guint id)
{
  CallOutput *output;

  g_mutex_lock (&end->lock);
  output = g_hash_table_lookup (end->outputs, GUINT_TO_POINTER (id));
  g_mutex_unlock (&end->lock);
  return output;
}

guint
call_end_count_packets (CallEnd * end, guint id)
{
  CallOutput *output = call_end_get_output (end, id);

  return output != NULL ? output->packets->len : 0;
}

GstStructure *
call_end_get_peer_stats (CallEnd * end, guint id)
{
  GstStructure *stats = NULL;

  g_signal_emit_by_name (end->call, "get-peer-stats", id, &stats);
  return stats;
}

gdouble
call_end_get_peer_stat (CallEnd * end, guint id, const gchar * part,
    const gchar * name)
{
  GstStructure *stats = call_end_get_peer_stats (end, id);
  gdouble result;

  fail_unless (stats != NULL, "no peer %u", id);
  result = stats_get_number (stats, part, name);
  gst_structure_free (stats);
  return result;
}

gchar *
call_end_get_peer_text (CallEnd * end, guint id, const gchar * name)
{
  GstStructure *stats = call_end_get_peer_stats (end, id);
  gchar *text;

  fail_unless (stats != NULL, "no peer %u", id);
  text = g_strdup (gst_structure_get_string (stats, name));
  gst_structure_free (stats);
  return text;
}

guint64
call_end_get_stat (CallEnd * end, const gchar * name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (end->call, "stats", &stats, NULL);
  fail_unless (gst_structure_get_uint64 (stats, name, &value), "%s", name);
  gst_structure_free (stats);
  return value;
}

guint
call_end_count_peers (CallEnd * end)
{
  GstStructure *stats;
  guint n;

  g_object_get (end->call, "stats", &stats, NULL);
  n = gst_value_array_get_size (gst_structure_get_value (stats, "peers"));
  gst_structure_free (stats);
  return n;
}

/* --- phones ------------------------------------------------------------------------------ */

void
phone_send (const gchar * host, guint from, guint to, guint32 ssrc, guint16 seq)
{
  guint8 packet[PHONE_RTP] = { 0x80, 96 };

  GST_WRITE_UINT16_BE (packet + 2, seq);
  GST_WRITE_UINT32_BE (packet + 4, seq * 960u);
  GST_WRITE_UINT32_BE (packet + 8, ssrc);
  net_send_from (host, from, "", to, 0, packet, sizeof packet);
}

void
phone_speak (const gchar * host, guint from, guint to, guint32 ssrc,
    guint16 seq, guint n)
{
  while (n-- > 0) {
    phone_send (host, from, to, ssrc, seq++);
    net_run (CALL_FRAME);
  }
}

void
phone_send_rtcp (const gchar * host, guint from, guint to, guint32 ssrc,
    gboolean bye)
{
  guint8 packet[32] = { 0x80, 201, 0, 1, 0, 0, 0, 0,
    0x81, 202, 0, 3, 0, 0, 0, 0, 1, 5, 'p', 'h', 'o', 'n', 'e', 0,
    0x81, 203, 0, 1, 0, 0, 0, 0
  };

  GST_WRITE_UINT32_BE (packet + 4, ssrc);
  GST_WRITE_UINT32_BE (packet + 12, ssrc);
  GST_WRITE_UINT32_BE (packet + 28, ssrc);
  net_send_from (host, from, "", to, 0, packet, bye ? 32 : 24);
}

void
call_start_pair (CallEnd * a, CallEnd * b, const gchar * of_a,
    const gchar * of_b)
{
  gchar *line[2] = {
    g_strdup_printf ("port=6000 peer=127.0.0.1:6002 %s", of_a),
    g_strdup_printf ("port=6002 peer=127.0.0.1:6000 %s", of_b)
  };

  call_end_start (a, line[0]);
  call_end_start (b, line[1]);
  call_end_feed (a, 0);
  call_end_feed (b, 0);
  g_free (line[0]);
  g_free (line[1]);
}

void
call_stop_pair (CallEnd * a, CallEnd * b)
{
  call_end_stop (a);
  call_end_stop (b);
}
