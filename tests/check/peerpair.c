/* gst-tfrc tests: two peers of tfrcbin, joined in memory, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "peerpair.h"

#include <string.h>

#include "base/rateevent.h"
#include "filter/engineconfig.h"
#include "settle.h"
#include "postedstates.h"
#include "statsfield.h"

#define RATE 48000
#define STEP 960                /* 20 ms of RTP timestamp */

typedef struct
{
  guint to;
  GstClockTime arrival;
  guint8 tos;
  gsize size;
  guint8 data[1500];
} Flight;

End ends[2];
GstClockTime now;
GstTfrcPeerSettings settings;
guint lose_every, buffers_made;
gboolean cut, marks, held, sends_here;
GQueue flights = G_QUEUE_INIT;

static GstClockTime
get_time (void)
{
  return now;
}

/* In the place of GLib's own, for the peers. */
gint64
g_get_real_time (void)
{
  return WALL;
}

static gboolean
is_data (const guint8 * data)
{
  return data[1] < 192 || data[1] > 223;
}

static gboolean
is_lost (End * end, const guint8 * data)
{
  if (cut)
    return TRUE;
  if (!is_data (data))
    return FALSE;
  end->sent++;
  end->ssrcs += GST_READ_UINT32_BE (data + 8) != end->ssrc;
  end->ssrc = GST_READ_UINT32_BE (data + 8);
  if (end != &ends[0] || lose_every == 0 || end->sent % lose_every != 0)
    return FALSE;
  end->dropped++;
  return TRUE;
}

static gboolean
may_send (GstTfrcPeer * peer, gpointer io_data)
{
  return sends_here;
}

/* RTCP is never ECN-capable. The queue of `marks` marks every fifth packet that is. */
static guint8
mark (End * end, const guint8 * data, guint8 tos)
{
  fail_unless (is_data (data) || tos == 0);
  fail_unless (tos == 0 || tos == TFRC_ECN_ECT0);
  if (marks && tos != 0 && end->sent % 5 == 0)
    return TFRC_ECN_CE;
  return tos;
}

static void
send_datagram (GstTfrcPeer * peer, const guint8 * data, gsize size,
    const GstTfrcUdpRoute * route, gpointer io_data)
{
  End *end = io_data;
  Flight *flight;

  fail_unless (size <= sizeof flight->data);
  end->compound += data[1] == GST_RTCP_TYPE_SR || data[1] == GST_RTCP_TYPE_RR;
  if (is_lost (end, data))
    return;
  flight = g_new (Flight, 1);
  flight->to = end == &ends[0];
  flight->arrival = now + 25 * MS;
  flight->tos = mark (end, data, route->tos);
  flight->size = size;
  memcpy (flight->data, data, size);
  g_queue_push_tail (&flights, flight);
}

static void
set_timer (GstTfrcPeer * peer, GstClockTime time, gpointer io_data)
{
  ((End *) io_data)->timer = time;
}

static GstBuffer *
take_buffer (GstTfrcUdpDatagram * datagram)
{
  buffers_made++;
  return gst_buffer_new_memdup (datagram->data, datagram->size);
}

static void
serve_message (End * end, GstMessage * message)
{
  gchar *states = end->states;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING) {
    end->warnings++;
    return;
  }

  end->states = g_strjoin (" ", states,
      gst_structure_get_string (gst_message_get_structure (message), "state"),
      NULL);
  g_free (states);
}

static void
serve_packet (End * end, GstBuffer * packet)
{
  GstReferenceTimestampMeta *meta =
      gst_buffer_get_reference_timestamp_meta (packet, NULL);
  guint8 word[4];
  guint32 rtptime;

  end->served++;
  end->latest = MAX (end->latest, GST_BUFFER_PTS (packet));
  if (meta == NULL)
    return;
  fail_unless (gst_structure_has_name (gst_caps_get_structure (meta->reference,
              0), "timestamp/x-ntp"));
  fail_unless_equals_int (gst_buffer_extract (packet, 4, word, 4), 4);
  rtptime = GST_READ_UINT32_BE (word);
  /* packets that expired before their departure have left out their timestamps */
  if (end->timed > 0)
    end->even &= ABS (GST_CLOCK_DIFF (end->captured, meta->timestamp) -
        (gint64) ((rtptime - end->rtptime) / STEP * 20 * MS)) < (gint64) MS;
  end->timed++;
  end->rtptime = rtptime;
  end->captured = meta->timestamp;
}

static void
serve (GstTfrcPeer * peer, GstMiniObject * object, gpointer data)
{
  End *end = data;
  GstTfrcRate rate;

  g_mutex_lock (&end->lock);
  if (GST_IS_BUFFER (object))
    serve_packet (end, GST_BUFFER_CAST (object));
  else if (GST_IS_MESSAGE (object))
    serve_message (end, GST_MESSAGE_CAST (object));
  else if (!GST_EVENT_IS_UPSTREAM (object))
    end->losses += gst_event_has_name (GST_EVENT_CAST (object),
        "GstRTPPacketLost");
  else if (gst_tfrc_rate_event_parse (GST_EVENT_CAST (object), &rate)) {
    end->rates++;
    end->known_after = rate.known_after;
    end->loss = rate.loss;
  } else
    end->key_frames += gst_event_has_name (GST_EVENT_CAST (object),
        "GstForceKeyUnit");
  g_mutex_unlock (&end->lock);
  gst_mini_object_unref (object);
}

static void
begin_end (guint i, GstElement * element)
{
  GstTfrcPeerIo io = { may_send, send_datagram, set_timer, get_time,
    take_buffer, &ends[i]
  };
  GstTfrcUdpAddress address = { .port = 5000 + i };
  GstCaps *caps = gst_caps_new_simple ("application/x-rtp", "clock-rate",
      G_TYPE_INT, RATE, NULL);
  End *end = &ends[i];

  *end = (End) {
      .talks = TRUE,
      .next_packet = now,
      .even = TRUE,
      .states = g_strdup ("")
  };
  g_mutex_init (&end->lock);
  end->peer = gst_tfrc_peer_new (i, "end", &address, &settings, &io, serve,
      end);
  gst_tfrc_peer_set_playing (end->peer, TRUE);
  gst_tfrc_peer_set_send_caps (end->peer, caps);
  gst_caps_unref (caps);
}

void
pair_set_up (void)
{
  GstElement *element = gst_bin_new ("element");

  now = START;
  lose_every = 0;
  cut = marks = held = sends_here = FALSE;
  memset (&settings, 0, sizeof settings);
  settings.element = element;
  gst_tfrc_filter_settings_init (&settings.filter, TRUE);
  settings.filter.mode = TFRC_MODE_TFRC_SP;
  fail_unless (gst_tfrc_engine_config_from_settings (&settings.filter,
          &settings.config) == NULL);
  settings.extension_id = 3;
  settings.latency = 100 * MS;
  settings.ecn = GST_TFRC_ECN_AUTO;
  settings.clock_rates[PAYLOAD_TYPE] = RATE;
  g_strlcpy (settings.cname, "end@test", sizeof settings.cname);
  begin_end (0, element);
  begin_end (1, element);
}

void
pair_tear_down (void)
{
  guint i;

  for (i = 0; i < 2; i++) {
    gst_tfrc_peer_isolate (ends[i].peer);
    gst_tfrc_peer_stop (ends[i].peer);
    gst_tfrc_peer_unref (ends[i].peer);
    g_mutex_clear (&ends[i].lock);
    g_free (ends[i].states);
  }
  g_queue_clear_full (&flights, g_free);
  gst_tfrc_filter_settings_clear (&settings.filter);
  gst_object_unref (settings.element);
}

void
pair_talk (End * end)
{
  guint8 packet[12 + PAYLOAD] = { 0x80, PAYLOAD_TYPE };

  GST_WRITE_UINT16_BE (packet + 2, end->packets);
  GST_WRITE_UINT32_BE (packet + 4, end->packets * STEP);
  GST_WRITE_UINT32_BE (packet + 8, 0xABCDEF00);
  fail_unless_equals_int (gst_tfrc_peer_enqueue (end->peer,
          gst_buffer_new_memdup (packet, sizeof packet)), GST_FLOW_OK);
  end->packets++;
  end->next_packet += 20 * MS;
}

static void
arrive (Flight * flight)
{
  GstTfrcUdpDatagram datagram = {
    .data = flight->data,
    .size = flight->size,
    .arrival = flight->arrival,
    .tos = flight->tos
  };

  gst_tfrc_peer_on_datagram (ends[flight->to].peer, &datagram);
  g_free (flight);
}

static GstClockTime
get_next (void)
{
  Flight *flight = g_queue_peek_head (&flights);
  GstClockTime next =
      flight != NULL && !held ? flight->arrival : GST_CLOCK_TIME_NONE;
  guint i;

  for (i = 0; i < (held ? 1 : 2); i++) {
    next = MIN (next, ends[i].timer);
    if (ends[i].talks)
      next = MIN (next, ends[i].next_packet);
  }
  return next;
}

void
pair_step (void)
{
  Flight *flight;
  guint i;

  for (i = 0; i < (held ? 1 : 2); i++) {
    if (ends[i].talks && ends[i].next_packet <= now)
      pair_talk (&ends[i]);
    if (ends[i].timer <= now)
      gst_tfrc_peer_on_timer (ends[i].peer, now);
  }
  while ((flight = g_queue_peek_head (&flights)) != NULL && !held &&
      flight->arrival <= now)
    arrive (g_queue_pop_head (&flights));
}

void
pair_run_to (GstClockTime end)
{
  GstClockTime next;
  guint steps = 0;

  while ((next = get_next ()) <= end) {
    if (next > now)
      steps = 0;
    fail_unless (++steps < 1000, "time stands still");
    now = MAX (now, next);
    pair_step ();
  }
  now = end;
}

void
pair_run_for (GstClockTime duration)
{
  GstClockTime end = now + duration;

  while (now < end) {
    pair_run_to (MIN (now + GST_SECOND, end));
    settle ();
  }
}

gdouble
pair_get_stat (guint i, const gchar * part, const gchar * name)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (ends[i].peer);
  gdouble result = stats_get_number (stats, part, name);

  gst_structure_free (stats);
  return result;
}

guint
pair_get_count (End * end, const guint * count)
{
  guint value;

  g_mutex_lock (&end->lock);
  value = *count;
  g_mutex_unlock (&end->lock);
  return value;
}

void
pair_wait_count (End * end, guint * count, guint value)
{
  guint seen, tries = 0;

  do {
    g_mutex_lock (&end->lock);
    seen = *count;
    g_mutex_unlock (&end->lock);
    fail_unless (tries++ < 5000, "%u of %u", seen, value);
    g_usleep (1000);
  } while (seen < value);
  fail_unless_equals_int (seen, value);
}

void
pair_wait_states (End * end, const gchar * states)
{
  posted_states_wait (&end->states, &end->lock, states);
}
