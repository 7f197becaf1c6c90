/* gst-tfrc tests: two peers of tfrcbin, joined in memory, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "base/rateevent.h"
#include "filter/engineconfig.h"
#include "settle.h"
#include "transport/peer.h"
#include "statsfield.h"

#define MS GST_MSECOND
#define START (1000 * GST_SECOND)
#define PAYLOAD_TYPE 96
#define RATE 48000
#define STEP 960                /* 20 ms of RTP timestamp */
#define PAYLOAD 60              /* bytes */

typedef struct
{
  GstTfrcPeer *peer;
  GstClockTime timer;
  gboolean talks;
  GstClockTime next_packet;
  guint packets;                /* given to the peer */
  guint sent, dropped;          /* datagrams with data that left; that the path lost */
  guint ssrcs;                  /* different SSRCs in them, one after the other */
  guint32 ssrc;
  GMutex lock;                  /* for what the pad server's threads count */
  guint served, losses, rates, key_frames, warnings;
  gdouble loss;                 /* share of packets lost, of the last rate event */
  GstClockTime latest;          /* the latest time of a packet */
  guint timed;                  /* packets with the time of capture */
  guint64 captured;             /* that of the last one, ns since 1900 */
  gboolean even;                /* it was always as much later as the RTP timestamp */
  guint32 rtptime;              /* of the last packet with a time of capture */
  gchar *states;                /* as they were posted, joined */
} End;

typedef struct
{
  guint to;
  GstClockTime arrival;
  guint8 tos;
  gsize size;
  guint8 data[1500];
} Flight;

static End ends[2];
static GQueue flights = G_QUEUE_INIT;
static GstClockTime now;
static GstTfrcPeerSettings settings;
static guint lose_every;        /* nth data packet of end 0 is lost; 0: none */
static gboolean cut, marks;
static gboolean held;           /* the machine of end 1 */
static gboolean sends_here;     /* the thread that brings a packet may send */
static guint buffers_made;      /* that were made of datagrams */

static GstClockTime
get_time (void)
{
  return now;
}

/* The wall clock when the peers begin. */
#define WALL (G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC)

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

static void
set_up (void)
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

static void
tear_down (void)
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

static void
talk (End * end)
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

static void
step (void)
{
  Flight *flight;
  guint i;

  for (i = 0; i < (held ? 1 : 2); i++) {
    if (ends[i].talks && ends[i].next_packet <= now)
      talk (&ends[i]);
    if (ends[i].timer <= now)
      gst_tfrc_peer_on_timer (ends[i].peer, now);
  }
  while ((flight = g_queue_peek_head (&flights)) != NULL && !held &&
      flight->arrival <= now)
    arrive (g_queue_pop_head (&flights));
}

/* Lets time pass until `end`; a peer that does not let it pass fails the test. */
static void
run_to (GstClockTime end)
{
  GstClockTime next;
  guint steps = 0;

  while ((next = get_next ()) <= end) {
    if (next > now)
      steps = 0;
    fail_unless (++steps < 1000, "time stands still");
    now = MAX (now, next);
    step ();
  }
  now = end;
}

/* In parts, after which the pad server's threads have served what there is. */
static void
run_for (GstClockTime duration)
{
  GstClockTime end = now + duration;

  while (now < end) {
    run_to (MIN (now + GST_SECOND, end));
    settle ();
  }
}

/* A field of a part of a peer's statistics. */
static gdouble
get_stat (guint i, const gchar * part, const gchar * name)
{
  GstStructure *stats = gst_tfrc_peer_get_stats (ends[i].peer), *of = NULL;
  GValue value = G_VALUE_INIT;
  const GValue *field;
  gdouble result;

  fail_unless (gst_structure_get (stats, part, GST_TYPE_STRUCTURE, &of, NULL));
  field = stats_field (of, name);
  fail_unless (field != NULL, "no field %s", name);
  g_value_init (&value, G_TYPE_DOUBLE);
  fail_unless (g_value_transform (field, &value));
  result = g_value_get_double (&value);
  gst_structure_free (of);
  gst_structure_free (stats);
  return result;
}

/* Threads of the pad server count. */
static guint
get_count (End * end, const guint * count)
{
  guint value;

  g_mutex_lock (&end->lock);
  value = *count;
  g_mutex_unlock (&end->lock);
  return value;
}

/* The pad server's threads count in their own time. */
static void
wait_count (End * end, guint * count, guint value)
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

static void
wait_states (End * end, const gchar * states)
{
  gchar *seen = NULL;
  guint tries = 0;

  do {
    g_free (seen);
    g_usleep (1000);
    g_mutex_lock (&end->lock);
    seen = g_strdup (end->states);
    g_mutex_unlock (&end->lock);
  } while (strlen (seen) < strlen (states) && tries++ < 5000);
  fail_unless_equals_string (seen, states);
  g_free (seen);
}

/* Packets that may depart leave in the thread that brings them, and the timer stays as it was. */
GST_START_TEST (test_packet_leaves_in_the_thread_that_brings_it)
{
  End *end = &ends[0];
  GstClockTime timer;
  guint sent;

  /* the peer has not yet begun: its timer does that */
  sends_here = TRUE;
  talk (end);
  fail_unless_equals_int (end->sent, 0);
  fail_unless_equals_uint64 (end->timer, 0);
  run_for (5 * GST_SECOND);
  end->talks = FALSE;
  run_for (100 * MS);
  sent = end->sent;
  timer = end->timer;
  fail_unless (timer > now);
  talk (end);
  fail_unless_equals_int (end->sent, sent + 1);
  fail_unless_equals_uint64 (end->timer, timer);
  /* where another thread has to send, the timer tells it */
  sends_here = FALSE;
  talk (end);
  fail_unless_equals_int (end->sent, sent + 1);
  fail_unless_equals_uint64 (end->timer, 0);
  run_for (20 * MS);
  fail_unless_equals_int (end->sent, sent + 2);
  wait_states (end, " waiting connected");
}

GST_END_TEST;

/* What may not depart yet waits for the timer, which is set for it. */
GST_START_TEST (test_packet_that_may_not_depart_waits)
{
  End *end = &ends[0];
  guint sent;

  sends_here = TRUE;
  run_for (5 * GST_SECOND);
  end->talks = FALSE;
  sent = end->sent;
  /* far more than the rate allows at once */
  while (end->sent == sent + end->packets - 251)
    talk (end);
  sent = end->sent;
  fail_unless (end->timer > now && end->timer < now + 500 * MS);
  talk (end);
  fail_unless_equals_int (end->sent, sent);
  /* the timer serves RTCP as well, which may come first */
  while (end->sent == sent) {
    fail_unless (end->timer < now + 500 * MS);
    run_to (end->timer);
  }
  fail_unless_equals_int (end->sent, sent + 1);
}

GST_END_TEST;

GST_START_TEST (test_data_go_both_ways_and_are_reported)
{
  guint i;

  run_for (5 * GST_SECOND);
  for (i = 0; i < 2; i++)
    ends[i].talks = FALSE;
  run_for (100 * MS);
  for (i = 0; i < 2; i++) {
    fail_unless_equals_int (ends[i].packets, 251);
    fail_unless_equals_int (get_stat (i, "data-sender", "dropped") +
        ends[i].sent, 251);
    /* one packet a second until the first report, which takes 50 ms */
    fail_unless (ends[i].sent >= 245);
    fail_unless_equals_int (ends[i].ssrcs, 1);
    fail_unless (ends[i].ssrc != 0xABCDEF00);
    fail_unless_equals_int (get_stat (1 - i, "data-receiver", "packets"),
        ends[i].sent);
    fail_unless_equals_int (get_stat (1 - i, "data-receiver", "unstamped"), 0);
    fail_unless_equals_int (get_stat (1 - i, "data-receiver", "lost"), 0);
    fail_unless (ABS (get_stat (i, "data-sender", "R") - 0.05) < 0.002);
    fail_unless (ABS (get_stat (1 - i, "data-receiver", "R") - 0.05) < 0.002);
    /* a report in a round-trip time, or as 5 % of the bandwidth allows */
    fail_unless (get_stat (i, "data-sender", "reports") > 20);
    fail_unless (get_stat (i, "data-sender", "reports") < 101);
    wait_count (&ends[1 - i], &ends[1 - i].served, ends[i].sent);
    wait_states (&ends[i], " waiting connected");
    fail_unless (ends[i].rates > 0);
    fail_unless_equals_int (ends[i].losses, 0);
  }
}

GST_END_TEST;

/* Sender reports relate RTP timestamps to the sender's clock. */
GST_START_TEST (test_packets_have_their_time_of_capture)
{
  guint64 begin = WALL * GST_USECOND + G_GUINT64_CONSTANT (2208988800) *
      GST_SECOND;

  run_for (6 * GST_SECOND);
  ends[0].talks = FALSE;
  run_for (100 * MS);
  wait_count (&ends[1], &ends[1].served, ends[0].sent);
  fail_unless (ends[1].timed > 200);
  fail_unless (ends[1].even);
  /* the last packet was captured 6 s after the peers began, less its way and the frame */
  fail_unless (ABS (GST_CLOCK_DIFF (begin + 6 * GST_SECOND,
              ends[1].captured)) < (gint64) (50 * MS), "%" G_GINT64_FORMAT,
      GST_CLOCK_DIFF (begin + 6 * GST_SECOND, ends[1].captured));
}

GST_END_TEST;

/* Packets behind a gap can be asked for their redundant copies, also when the loss is announced and
 * none waits any more. They are kept from the first question on. */
GST_START_TEST (test_packets_behind_a_loss_can_be_asked_for)
{
  GstBufferList *list = gst_buffer_list_new ();

  lose_every = 100;
  while (ends[0].dropped == 0)
    run_to (now + 10 * MS);
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless_equals_int (gst_buffer_list_length (list), 0);
  run_to (now + 65 * MS);
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless (gst_buffer_list_length (list) >= 1);
  fail_unless (gst_buffer_list_length (list) <= 4);
  gst_buffer_list_unref (list);
  run_to (now + 60 * MS);
  list = gst_buffer_list_new ();
  gst_tfrc_peer_get_recent (ends[1].peer, list);
  fail_unless (gst_buffer_list_length (list) >= 5);
  fail_unless (gst_buffer_list_length (list) <= 7);
  gst_buffer_list_unref (list);
}

GST_END_TEST;

GST_START_TEST (test_losses_are_measured_and_announced)
{
  lose_every = 20;
  run_for (10 * GST_SECOND);
  ends[0].talks = ends[1].talks = FALSE;
  run_for (300 * MS);
  fail_unless (ends[0].dropped >= 20);
  fail_unless (get_stat (0, "data-sender", "p") > 0.02);
  fail_unless (get_stat (0, "data-sender", "p") < 0.2);
  fail_unless_equals_float (get_stat (1, "data-sender", "p"), 0);
  /* behind the last one nothing came, if it was the last */
  fail_unless (get_stat (1, "playout", "lost") + 1 >= ends[0].dropped);
  fail_unless (get_stat (1, "playout", "lost") <= ends[0].dropped);
  wait_count (&ends[1], &ends[1].losses, get_stat (1, "playout", "lost"));
}

GST_END_TEST;

/* A report block covers a second: the share of packets lost in it says little of the path. */
GST_START_TEST (test_the_share_of_packets_lost_is_a_mean)
{
  gdouble loss = 0;
  guint tries = 0;

  lose_every = 5;
  run_for (6 * GST_SECOND);
  lose_every = 0;
  /* a fifth of 300 packets, and none of 100 or, since the next report block may come late, of 150 */
  run_for (2 * GST_SECOND);
  while (loss < 0.1 || loss > 0.19) {
    if (tries == 1000)
      run_for (GST_SECOND);
    g_mutex_lock (&ends[0].lock);
    loss = ends[0].loss;
    g_mutex_unlock (&ends[0].lock);
    fail_unless (tries++ < 5000, "%g", loss);
    g_usleep (1000);
  }
}

GST_END_TEST;

GST_START_TEST (test_ecn_marks_are_losses)
{
  marks = TRUE;
  run_for (10 * GST_SECOND);
  fail_unless (get_stat (1, "data-receiver", "marked") > 50);
  fail_unless (get_stat (0, "data-sender", "p") > 0.1);
  fail_unless_equals_int (get_stat (1, "data-receiver", "lost"), 0);
  /* but for what the last report does not tell */
  fail_unless (get_stat (0, "ecn", "remote-ce") >
      get_stat (1, "data-receiver", "marked") - 20);
  fail_unless (get_stat (0, "ecn", "remote-ce") <=
      get_stat (1, "data-receiver", "marked"));
  fail_unless (get_stat (1, "ecn", "ce") == get_stat (1, "data-receiver",
          "marked"));
}

GST_END_TEST;

GST_START_TEST (test_silence_and_return_are_posted)
{
  run_for (2 * GST_SECOND);
  cut = TRUE;
  run_for (20 * GST_SECOND);
  wait_states (&ends[0], " waiting connected lost paused");
  cut = FALSE;
  run_for (5 * GST_SECOND);
  wait_states (&ends[0], " waiting connected lost paused regained closed");
  cut = TRUE;
  run_for (70 * GST_SECOND);
  wait_states (&ends[0],
      " waiting connected lost paused regained closed lost paused gone");
}

GST_END_TEST;

static const guint outages[] = { 2, 5, 20, 60, 90 };

/* Voice arrives at end 1 within the time that is granted after an outage of `seconds`, and then at
 * its full rate. */
static void
check_return (guint seconds)
{
  guint heard = get_stat (1, "data-receiver", "packets");
  GstClockTime end = now;

  cut = FALSE;
  while (get_stat (1, "data-receiver", "packets") == heard)
    run_to (now + 10 * MS);
  fail_unless (now - end <= (seconds > 60 ? 3500 : 1500) * MS,
      "after %u s: %" GST_TIME_FORMAT, seconds, GST_TIME_ARGS (now - end));
  run_for (2 * GST_SECOND);
  heard = get_stat (1, "data-receiver", "packets");
  run_for (1 * GST_SECOND);
  fail_unless (get_stat (1, "data-receiver", "packets") - heard >= 48);
}

GST_START_TEST (test_voice_is_back_soon_after_an_outage)
{
  run_for (5 * GST_SECOND);
  cut = TRUE;
  run_for (outages[__i__] * GST_SECOND);
  check_return (outages[__i__]);
}

GST_END_TEST;

/* The socket keeps what arrives while the machine is held. A timer may fire before the peer gets it. */
GST_START_TEST (test_sound_is_in_time_after_the_machine_was_held)
{
  ends[1].talks = FALSE;
  run_for (3 * GST_SECOND);
  held = TRUE;
  run_to (START + 13 * GST_SECOND);
  held = FALSE;
  fail_unless (g_queue_get_length (&flights) > 20);
  gst_tfrc_peer_on_timer (ends[1].peer, now);
  step ();
  settle ();
  fail_unless (ends[1].latest > START + 10 * GST_SECOND);
  fail_unless (ends[1].latest < now + 100 * MS, "%g s ahead",
      (gdouble) (gint64) (ends[1].latest - now) / GST_SECOND);
}

GST_END_TEST;

GST_START_TEST (test_voice_begins_soon_after_the_remote_end_appears)
{
  cut = TRUE;
  run_for (outages[__i__] * GST_SECOND);
  check_return (outages[__i__]);
}

GST_END_TEST;

GST_START_TEST (test_a_caller_that_is_not_heard_is_gone)
{
  gst_tfrc_peer_expect (ends[0].peer);
  cut = TRUE;
  run_for (9 * GST_SECOND);
  wait_states (&ends[0], " waiting");
  run_for (2 * GST_SECOND);
  wait_states (&ends[0], " waiting gone");
  /* whom the application has added may answer at any time */
  run_for (100 * GST_SECOND);
  wait_states (&ends[1], " waiting paused");
}

GST_END_TEST;

GST_START_TEST (test_bye_is_sent_and_understood)
{
  guint sent;

  run_for (2 * GST_SECOND);
  ends[0].talks = FALSE;
  gst_tfrc_peer_say_bye (ends[0].peer, now);
  sent = g_queue_get_length (&flights);
  fail_unless (sent > 0);
  ends[1].talks = FALSE;
  run_for (1 * GST_SECOND);
  wait_states (&ends[1], " waiting connected gone");
  /* nothing is sent after it, and nothing is taken */
  fail_unless_equals_uint64 (ends[0].timer, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (gst_tfrc_peer_enqueue (ends[0].peer,
          gst_buffer_new ()), GST_FLOW_EOS);
}

GST_END_TEST;

GST_START_TEST (test_key_frames_are_asked_for)
{
  run_for (1 * GST_SECOND);
  gst_tfrc_peer_request_key_frame (ends[1].peer);
  run_for (1 * GST_SECOND);
  wait_count (&ends[0], &ends[0].key_frames, 1);
  fail_unless_equals_int (ends[1].key_frames, 0);
}

GST_END_TEST;

/* What end 0 says goes back to it, as it would to another peer, and not to the pad. */
/* A packet that can be forwarded at once gets no buffer. */
GST_START_TEST (test_forwarded_packets_go_to_the_target_alone)
{
  guint served, received;

  sends_here = __i__ == 1;
  ends[1].talks = FALSE;
  run_for (2 * GST_SECOND);
  fail_unless (gst_tfrc_peer_forward (ends[1].peer, ends[1].peer));
  fail_if (gst_tfrc_peer_forward (ends[1].peer, ends[1].peer));
  served = get_count (&ends[1], &ends[1].served);
  fail_unless (served > 90);
  run_for (2 * GST_SECOND);
  fail_unless_equals_int (get_count (&ends[1], &ends[1].served), served);
  fail_unless (get_count (&ends[0], &ends[0].served) > 90);
  fail_unless_equals_int (get_count (&ends[0], &ends[0].losses), 0);
  fail_unless_equals_int (ends[1].ssrcs, 1);
  fail_unless_equals_int (get_stat (0, "data-receiver", "unstamped"), 0);
  /* the sender reports of end 1 are of the clock rate of what it forwards */
  fail_unless (get_count (&ends[0], &ends[0].timed) > 0 && ends[0].even);
  /* once the rate of the second path lets all packets depart */
  received = get_count (&ends[0], &ends[0].served);
  buffers_made = 0;
  run_for (2 * GST_SECOND);
  received = get_count (&ends[0], &ends[0].served) - received;
  fail_unless (sends_here ? buffers_made < received + 50 :
      buffers_made > received + 90, "%u buffers, %u received", buffers_made,
      received);
  fail_unless (gst_tfrc_peer_stop_forwarding (ends[1].peer, ends[1].peer));
  fail_if (gst_tfrc_peer_stop_forwarding (ends[1].peer, ends[1].peer));
  run_for (GST_SECOND);
  fail_unless (get_count (&ends[1], &ends[1].served) > served + 45);
}

GST_END_TEST;

/* Losses of one path are not those of the other one. */
GST_START_TEST (test_losses_are_not_forwarded)
{
  ends[1].talks = FALSE;
  lose_every = 10;
  sends_here = __i__ == 1;
  gst_tfrc_peer_forward (ends[1].peer, ends[1].peer);
  run_for (5 * GST_SECOND);
  fail_unless (ends[0].dropped > 10);
  fail_unless (get_count (&ends[0], &ends[0].served) > 100);
  fail_unless_equals_int (get_count (&ends[1], &ends[1].losses), 0);
  fail_unless_equals_int (get_count (&ends[0], &ends[0].losses), 0);
  fail_unless_equals_int (get_stat (0, "data-receiver", "lost"), 0);
}

GST_END_TEST;

/* End 0 asks end 1, which asks whoever it forwards from: end 0. */
GST_START_TEST (test_key_frames_are_asked_of_the_source)
{
  run_for (GST_SECOND);
  gst_tfrc_peer_forward (ends[1].peer, ends[1].peer);
  gst_tfrc_peer_request_key_frame (ends[0].peer);
  run_for (GST_SECOND);
  wait_count (&ends[0], &ends[0].key_frames, 1);
  fail_unless_equals_int (ends[1].key_frames, 0);
  gst_tfrc_peer_isolate (ends[1].peer);
  gst_tfrc_peer_request_key_frame (ends[0].peer);
  run_for (GST_SECOND);
  wait_count (&ends[1], &ends[1].key_frames, 1);
  fail_unless_equals_int (ends[0].key_frames, 1);
}

GST_END_TEST;

GST_START_TEST (test_a_stream_that_ends_is_drained)
{
  run_for (1 * GST_SECOND);
  ends[0].talks = FALSE;
  gst_tfrc_peer_drain (ends[0].peer);
  run_for (1 * GST_SECOND);
  wait_states (&ends[0], " waiting connected drained");
  fail_unless_equals_int (gst_tfrc_peer_enqueue (ends[0].peer,
          gst_buffer_new ()), GST_FLOW_EOS);
  gst_tfrc_peer_flush (ends[0].peer);
  talk (&ends[0]);
}

GST_END_TEST;

GST_START_TEST (test_what_is_no_packet_is_counted)
{
  guint8 garbage[40];
  guint i;

  run_for (1 * GST_SECOND);
  for (i = 0; i < 1000; i++) {
    GstTfrcUdpDatagram datagram = {
      .data = garbage,
      .size = g_random_int_range (8, sizeof garbage),
      .arrival = now
    };
    guint j;

    for (j = 0; j < sizeof garbage; j++)
      garbage[j] = g_random_int ();
    gst_tfrc_peer_on_datagram (ends[1].peer, &datagram);
  }
  i = get_stat (1, "data-receiver", "packets");
  run_for (1 * GST_SECOND);
  fail_unless (get_stat (1, "data-receiver", "packets") >= i + 48);
}

GST_END_TEST;

GST_START_TEST (test_packets_of_no_known_type_are_dropped_with_a_warning)
{
  GstStructure *stats;
  guint64 unknown = 0;

  settings.clock_rates[PAYLOAD_TYPE] = 0;
  run_for (2 * GST_SECOND);
  stats = gst_tfrc_peer_get_stats (ends[1].peer);
  gst_structure_get_uint64 (stats, "unknown-payload", &unknown);
  gst_structure_free (stats);
  fail_unless (unknown > 90);
  fail_unless_equals_int (get_stat (1, "playout", "packets"), 0);
  fail_unless (get_stat (1, "data-receiver", "packets") > 90);
}

GST_END_TEST;

/* Audio and video from one port. */
GST_START_TEST (test_a_second_stream_is_dropped_with_a_warning)
{
  guint8 packet[12 + PAYLOAD] = { 0x80, PAYLOAD_TYPE };
  GstTfrcUdpDatagram datagram = { .data = packet, .size = sizeof packet };
  guint served;

  run_for (2 * GST_SECOND);
  served = get_count (&ends[1], &ends[1].served);
  for (guint i = 0; i < 200; i++) {
    GST_WRITE_UINT16_BE (packet + 2, i);
    GST_WRITE_UINT32_BE (packet + 8, 0x01020304);
    datagram.arrival = now;
    datagram.size = sizeof packet;
    gst_tfrc_peer_on_datagram (ends[1].peer, &datagram);
    if (i == 40) {
      settle ();
      fail_unless_equals_int (get_count (&ends[1], &ends[1].warnings), 0);
    }
    run_to (now + 10 * MS);
  }
  settle ();
  fail_unless_equals_int (get_count (&ends[1], &ends[1].warnings), 1);
  fail_unless (get_count (&ends[1], &ends[1].served) > served + 80);
  fail_unless_equals_int (get_stat (1, "session", "strangers"), 200);
}

GST_END_TEST;

static Suite *
peer_suite (void)
{
  Suite *s = suite_create ("peer");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_packet_leaves_in_the_thread_that_brings_it);
  tcase_add_test (tc, test_packet_that_may_not_depart_waits);
  tcase_add_test (tc, test_data_go_both_ways_and_are_reported);
  tcase_add_test (tc, test_packets_have_their_time_of_capture);
  tcase_add_test (tc, test_packets_behind_a_loss_can_be_asked_for);
  tcase_add_test (tc, test_losses_are_measured_and_announced);
  tcase_add_test (tc, test_the_share_of_packets_lost_is_a_mean);
  tcase_add_test (tc, test_ecn_marks_are_losses);
  tcase_add_test (tc, test_silence_and_return_are_posted);
  tcase_add_test (tc, test_a_caller_that_is_not_heard_is_gone);
  tcase_add_loop_test (tc, test_voice_is_back_soon_after_an_outage, 0,
      G_N_ELEMENTS (outages));
  tcase_add_test (tc, test_sound_is_in_time_after_the_machine_was_held);
  tcase_add_loop_test (tc, test_voice_begins_soon_after_the_remote_end_appears,
      0, G_N_ELEMENTS (outages));
  tcase_add_test (tc, test_bye_is_sent_and_understood);
  tcase_add_test (tc, test_key_frames_are_asked_for);
  tcase_add_loop_test (tc, test_forwarded_packets_go_to_the_target_alone, 0, 2);
  tcase_add_loop_test (tc, test_losses_are_not_forwarded, 0, 2);
  tcase_add_test (tc, test_key_frames_are_asked_of_the_source);
  tcase_add_test (tc, test_a_stream_that_ends_is_drained);
  tcase_add_test (tc, test_what_is_no_packet_is_counted);
  tcase_add_test (tc, test_packets_of_no_known_type_are_dropped_with_a_warning);
  tcase_add_test (tc, test_a_second_stream_is_dropped_with_a_warning);
  return s;
}

GST_CHECK_MAIN (peer);
