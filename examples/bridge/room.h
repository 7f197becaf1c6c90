/* gst-tfrc: a room in which each seat hears all others and not itself
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Once in 20 ms the room adds up what all seats say, and gives each seat the sum without its own
 * part (a "mix-minus"). The work is proportional to the number of seats.
 *
 * A seat has two pads without an element, for mono of ROOM_RATE, S16LE. What comes into `said`
 * has a time; it is in the mix `delay` after that time, which is as long as packets may be
 * late. What comes later than that is missing from the mix, so that nobody waits for anybody.
 * `heard` is pushed by the one thread of the room, so a queue has to follow it.
 *
 * Functions may be called from any thread. */
#ifndef ROOM_H
#define ROOM_H

#include <gst/gst.h>

G_BEGIN_DECLS

#define ROOM_RATE 48000
#define ROOM_CAPS "audio/x-raw,format=S16LE,rate=48000,channels=1,layout=interleaved"

typedef struct _Room Room;

typedef struct
{
  GstPad *said, *heard;         /* to be linked; they belong to the seat */
} Seat;

Room *room_new (GstClockTime delay);

/* Begins to mix, by the clock and the base time of a pipeline. */
void room_start (Room * room, GstClock * clock, GstClockTime base_time);

/* All seats were left. */
void room_free (Room * room);

Seat *room_enter (Room * room);
void room_leave (Room * room, Seat * seat);

/* The share of what the seat has said since the last time that is in no mix, 0 to 1: it came too
 * late, or its time is seconds ahead. */
gdouble room_take_missed (Room * room, Seat * seat);

G_END_DECLS
#endif
