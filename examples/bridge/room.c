/* gst-tfrc: a room in which each seat hears all others and not itself
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "room.h"

#include <string.h>

#define STEP (20 * GST_MSECOND)
#define SAMPLES 960             /* in a step */
/* Samples that a seat keeps: 4 s. After a first packet that came late by seconds, the times of what
 * follows are as much ahead for a while. */
#define MEMORY (200 * SAMPLES)
/* Times of samples that follow each other may differ by so much from their number. */
#define TOLERANCE (2 * SAMPLES)
/* After a longer pause of the machine the room does not make good what it has missed. */
#define LONGEST_PAUSE GST_SECOND

typedef struct
{
  Seat seat;
  Room *room;
  GstSegment segment;           /* of `said`; of its thread */

  /* with the room's lock */
  gint16 samples[MEMORY];       /* by their number; 0: nothing was said */
  guint64 next;                 /* the number of the sample that follows */
  guint64 written, missed;      /* samples since room_take_missed() */
  gint16 own[SAMPLES];          /* what is being mixed */
} Place;

typedef struct
{
  GstPad *pad;
  GstBuffer *mix;
} Delivery;

struct _Room
{
  GstClockTime delay;
  GstClock *clock;
  GstClockTime base_time;
  GThread *thread;

  GMutex lock;                  /* for what follows */
  GPtrArray *places;            /* Place */
  guint64 mixed;                /* the number of the first sample that is not mixed yet */
  GstClockID wait;              /* NULL: the room has stopped */
};

/* --- what is said --- */

/* With the lock. */
static void
write_sample (Place * place, guint64 number, gint16 sample)
{
  guint64 mixed = place->room->mixed;

  if (number >= mixed && number < mixed + MEMORY)
    place->samples[number % MEMORY] = sample;
  else
    place->missed++;
}

/* With the lock. */
static void
place_write (Place * place, guint64 number, const gint16 * samples, gsize n)
{
  gsize i;

  if (ABS ((gint64) (number - place->next)) <= TOLERANCE)
    number = place->next;
  for (i = 0; i < n; i++)
    write_sample (place, number + i, samples[i]);
  place->next = number + n;
  place->written += n;
}

static GstFlowReturn
said_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  Place *place = gst_pad_get_element_private (pad);
  GstClockTime time = gst_segment_to_running_time (&place->segment,
      GST_FORMAT_TIME, GST_BUFFER_PTS (buffer));
  GstMapInfo map;

  if (GST_CLOCK_TIME_IS_VALID (time)
      && gst_buffer_map (buffer, &map, GST_MAP_READ)) {
    g_mutex_lock (&place->room->lock);
    place_write (place, gst_util_uint64_scale (time, ROOM_RATE, GST_SECOND),
        (const gint16 *) map.data, map.size / sizeof (gint16));
    g_mutex_unlock (&place->room->lock);
    gst_buffer_unmap (buffer, &map);
  }
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static gboolean
said_event (GstPad * pad, GstObject * parent, GstEvent * event)
{
  Place *place = gst_pad_get_element_private (pad);

  if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT)
    gst_event_copy_segment (event, &place->segment);
  gst_event_unref (event);
  return TRUE;
}

/* --- the mix --- */

/* With the lock. Takes what the place says in this step and adds it to the sum. */
static void
place_add (Place * place, gint32 * sum)
{
  guint i;

  for (i = 0; i < SAMPLES; i++) {
    gint16 *sample = &place->samples[(place->room->mixed + i) % MEMORY];

    place->own[i] = *sample;
    sum[i] += *sample;
    *sample = 0;
  }
}

static GstBuffer *
place_mix (Place * place, const gint32 * sum, GstClockTime now)
{
  gint16 *mix = g_new (gint16, SAMPLES);
  GstBuffer *buffer = gst_buffer_new_wrapped (mix, SAMPLES * sizeof (gint16));
  guint i;

  for (i = 0; i < SAMPLES; i++)
    mix[i] = (gint16) CLAMP (sum[i] - place->own[i], G_MININT16, G_MAXINT16);
  GST_BUFFER_PTS (buffer) = now;
  GST_BUFFER_DURATION (buffer) = STEP;
  return buffer;
}

/* Takes the step of what was said `delay` before `now`. Nothing is pushed with the lock. */
static void
mix (Room * room, GstClockTime now)
{
  gint32 sum[SAMPLES] = { 0 };
  Delivery *deliveries;
  guint i, n;

  g_mutex_lock (&room->lock);
  n = room->places->len;
  deliveries = g_new (Delivery, n);
  for (i = 0; i < n; i++)
    place_add (g_ptr_array_index (room->places, i), sum);
  for (i = 0; i < n; i++) {
    Place *place = g_ptr_array_index (room->places, i);

    deliveries[i].pad = gst_object_ref (place->seat.heard);
    deliveries[i].mix = place_mix (place, sum, now);
  }
  room->mixed += SAMPLES;
  g_mutex_unlock (&room->lock);
  for (i = 0; i < n; i++) {
    gst_pad_push (deliveries[i].pad, deliveries[i].mix);
    gst_object_unref (deliveries[i].pad);
  }
  g_free (deliveries);
}

/* FALSE: the room has stopped. */
static gboolean
wait_until (Room * room, GstClockTime time)
{
  GstClockID id = NULL;

  g_mutex_lock (&room->lock);
  if (room->wait != NULL) {
    gst_clock_id_unref (room->wait);
    id = room->wait = gst_clock_new_single_shot_id (room->clock, time);
    gst_clock_id_ref (id);
  }
  g_mutex_unlock (&room->lock);
  if (id == NULL)
    return FALSE;
  gst_clock_id_wait (id, NULL);
  gst_clock_id_unref (id);
  return TRUE;
}

static GstClockTime
get_now (Room * room)
{
  return gst_clock_get_time (room->clock) - room->base_time;
}

/* The first step that is mixed is that of `now`. What is kept from before is forgotten. */
static void
begin (Room * room, GstClockTime now)
{
  guint i;

  g_mutex_lock (&room->lock);
  room->mixed = gst_util_uint64_scale (now - room->delay, ROOM_RATE,
      GST_SECOND);
  for (i = 0; i < room->places->len; i++) {
    Place *place = g_ptr_array_index (room->places, i);

    memset (place->samples, 0, sizeof place->samples);
  }
  g_mutex_unlock (&room->lock);
}

static gpointer
run (gpointer data)
{
  Room *room = data;
  GstClockTime now = get_now (room) + room->delay;

  begin (room, now);
  while (wait_until (room, room->base_time + now)) {
    if (get_now (room) > now + LONGEST_PAUSE) {
      now = get_now (room);
      begin (room, now);
    }
    mix (room, now);
    now += STEP;
  }
  return NULL;
}

/* --- the room --- */

Room *
room_new (GstClockTime delay)
{
  Room *room = g_new0 (Room, 1);

  room->delay = delay;
  room->places = g_ptr_array_new ();
  g_mutex_init (&room->lock);
  return room;
}

void
room_start (Room * room, GstClock * clock, GstClockTime base_time)
{
  room->clock = gst_object_ref (clock);
  room->base_time = base_time;
  room->wait = gst_clock_new_single_shot_id (clock, base_time);
  room->thread = g_thread_new ("room", run, room);
}

static void
stop (Room * room)
{
  GstClockID wait;

  g_mutex_lock (&room->lock);
  wait = g_steal_pointer (&room->wait);
  g_mutex_unlock (&room->lock);
  gst_clock_id_unschedule (wait);
  gst_clock_id_unref (wait);
  g_thread_join (room->thread);
  gst_object_unref (room->clock);
}

void
room_free (Room * room)
{
  if (room->thread != NULL)
    stop (room);
  g_ptr_array_unref (room->places);
  g_mutex_clear (&room->lock);
  g_free (room);
}

/* --- seats --- */

static GstPad *
new_said (Place * place)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SINK));

  gst_pad_set_element_private (pad, place);
  gst_pad_set_chain_function (pad, said_chain);
  gst_pad_set_event_function (pad, said_event);
  gst_pad_set_active (pad, TRUE);
  return pad;
}

/* Events that are sticky wait for the pad to be linked. */
static GstPad *
new_heard (void)
{
  GstPad *pad = gst_object_ref_sink (gst_pad_new (NULL, GST_PAD_SRC));
  GstCaps *caps = gst_caps_from_string (ROOM_CAPS);
  GstSegment segment;

  gst_pad_set_active (pad, TRUE);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_pad_push_event (pad, gst_event_new_stream_start ("room"));
  gst_pad_push_event (pad, gst_event_new_caps (caps));
  gst_pad_push_event (pad, gst_event_new_segment (&segment));
  gst_caps_unref (caps);
  return pad;
}

Seat *
room_enter (Room * room)
{
  Place *place = g_new0 (Place, 1);

  place->room = room;
  gst_segment_init (&place->segment, GST_FORMAT_TIME);
  place->seat.said = new_said (place);
  place->seat.heard = new_heard ();
  g_mutex_lock (&room->lock);
  g_ptr_array_add (room->places, place);
  g_mutex_unlock (&room->lock);
  return &place->seat;
}

gdouble
room_take_missed (Room * room, Seat * seat)
{
  Place *place = (Place *) seat;        /* which begins with it */
  gdouble missed;

  g_mutex_lock (&room->lock);
  missed = (gdouble) place->missed / MAX (place->written, 1);
  place->missed = place->written = 0;
  g_mutex_unlock (&room->lock);
  return missed;
}

static void
close_pad (GstPad * pad)
{
  GstPad *peer = gst_pad_get_peer (pad);

  gst_pad_set_active (pad, FALSE);
  if (peer != NULL && GST_PAD_IS_SRC (pad))
    gst_pad_unlink (pad, peer);
  else if (peer != NULL)
    gst_pad_unlink (peer, pad);
  g_clear_pointer (&peer, gst_object_unref);
  gst_object_unref (pad);
}

void
room_leave (Room * room, Seat * seat)
{
  g_mutex_lock (&room->lock);
  g_ptr_array_remove (room->places, seat);      /* with which the Place begins */
  g_mutex_unlock (&room->lock);
  close_pad (seat->said);
  close_pad (seat->heard);
  g_free (seat);
}
