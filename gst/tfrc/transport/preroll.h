/* gst-tfrc: the first packet of a sink that waits in PAUSED
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A pipeline whose source is not live reaches PAUSED when each sink has data: the sink's change of state is
 * asynchronous until then. In a live pipeline, the sink reaches PLAYING with its first packet. GstBaseSink does the
 * same. */
#ifndef GST_TFRC_PREROLL_H
#define GST_TFRC_PREROLL_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GMutex lock;                  /* held while the change of state is committed */
  gint awaited;                 /* atomic: the sink waits for its first packet */
} GstTfrcPreroll;

void gst_tfrc_preroll_init (GstTfrcPreroll * preroll);
void gst_tfrc_preroll_clear (GstTfrcPreroll * preroll);

/* `element` goes from READY to PAUSED, and its pads are not active yet. The change of state is to return
 * GST_STATE_CHANGE_ASYNC. */
void gst_tfrc_preroll_begin (GstTfrcPreroll * preroll, GstElement * element);

/* A flush has begun, such as that of a seek: the element waits for its first packet again, and its parent plays it
 * after that. `pause` stops the packets. */
void gst_tfrc_preroll_lose (GstTfrcPreroll * preroll, GstElement * element,
    void (*pause) (GstElement * element));

/* The first packet, or the end of the stream, has come at `pad`. `play` is called when the element is awaited in
 * PLAYING. Nothing happens while the pad is flushing: the packet is of before. */
void gst_tfrc_preroll_commit (GstTfrcPreroll * preroll, GstPad * pad,
    GstElement * element, void (*play) (GstElement * element));

/* `element` goes from PAUSED to PLAYING or back: returns when nobody is within gst_tfrc_preroll_commit(). */
void gst_tfrc_preroll_settle (GstTfrcPreroll * preroll);

/* `element` goes from PAUSED to READY, or its change of state has failed. */
void gst_tfrc_preroll_cancel (GstTfrcPreroll * preroll, GstElement * element);

G_END_DECLS

#endif
