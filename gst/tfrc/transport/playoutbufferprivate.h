/* gst-tfrc: the state of a playout buffer, as the files of playoutbuffer.h share it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_PLAYOUTBUFFERPRIVATE_H
#define GST_TFRC_PLAYOUTBUFFERPRIVATE_H

#include "transport/playoutbuffer.h"
#include "transport/playouttimes.h"

G_BEGIN_DECLS

/* The longest packet of sound there is, RFC 7587 4.2, in ns; a longer step of timestamps is a pause, or a jump. */
#define GST_TFRC_PLAYOUT_LONGEST_PACKET ((gint64) (120 * GST_MSECOND))

typedef struct
{
  GstBuffer *buffer;            /* NULL: the place is empty */
  gint64 sent;                  /* ns: the packet's time without any transit time */
} GstTfrcPlayoutSlot;

struct _GstTfrcPlayoutBuffer
{
  GstClockTime latency;

  GstTfrcPlayoutSlot *slots;    /* by sequence number modulo n_slots */
  guint n_slots;
  guint waiting;
  guint64 highest;              /* extended sequence number that arrived */
  guint64 next;                 /* the extended sequence number that leaves next */
  gboolean started;             /* a packet of the stream was taken in */
  gboolean discont;             /* the next packet does not follow the one before it */

  GstTfrcPlayoutTimes times;
  GstTfrcPlayoutDelay *adaptive;        /* owned; NULL: the delay is the latency */
  gboolean behind;              /* times went back: sound that lies before `last_pts` is dropped */
  gboolean jumped;              /* the last packet did */
  guint16 jump_seq;             /* the sequence number that would follow it */

  /* of what left last */
  GstClockTime last_pts;        /* NONE: nothing of this stream has left */
  gint64 last_sent;
  GstClockTime step;            /* between two packets, ns; 0: not known */
  GstTfrcPlayoutStats stats;
};

/* By how much times are earlier than with the latency as the delay, ns. */
static inline GstClockTime
gst_tfrc_playout_buffer_get_advance (const GstTfrcPlayoutBuffer * playout)
{
  return playout->adaptive != NULL ?
      gst_tfrc_playout_delay_get_advance (playout->adaptive) : 0;
}

/* playoutbufferout.c: takes the packet at `next`, which is there. */
void gst_tfrc_playout_buffer_take_next (GstTfrcPlayoutBuffer * playout,
    GstTfrcPlayoutItem * item);

/* The place of a packet. */
static inline GstTfrcPlayoutSlot *
gst_tfrc_playout_buffer_get_slot (const GstTfrcPlayoutBuffer * playout, guint64 seq)
{
  return &playout->slots[seq & (playout->n_slots - 1)];
}

G_END_DECLS

#endif
