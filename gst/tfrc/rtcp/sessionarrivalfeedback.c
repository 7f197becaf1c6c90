/* gst-tfrc: takes feedback that lists arrivals from the RTP session of a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "rtcp/sessionarrivalfeedback.h"

#include <gst/rtp/rtp.h>
#include <tfrc/arrival-feedback.h>

#include "base/debugcategory.h"
#include "rtcp/acceptedreceiver.h"
#include "rtcp/attachedsession.h"
#include "rtcp/rtpsession.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsessionarrivalfeedback",
    "TFRC and feedback that lists arrivals");

/* Bytes of the SSRC of the media source, which RTPSession takes off the front of the FCI. In feedback of RFC 8888 it is
 * the SSRC of the first report block. */
#define MEDIA_SSRC_SIZE 4

struct _GstTfrcSessionArrivalFeedback
{
  GWeakRef owner;
  GstTfrcArrivalHandlers handlers;

  GMutex lock;                  /* guards what follows */
  GObject *session;             /* the RTPSession, or NULL */
  gulong handler;
  GstPad *pad;                  /* where the packets leave the session, or NULL */
  gulong probe;
  guint id;                     /* of the header extension; 0: packets have none any more */
  GstTfrcAcceptedReceiver receiver;
};

GstTfrcSessionArrivalFeedback *
gst_tfrc_session_arrival_feedback_new (GstElement * owner,
    const GstTfrcArrivalHandlers * handlers)
{
  GstTfrcSessionArrivalFeedback *self =
      g_atomic_rc_box_new0 (GstTfrcSessionArrivalFeedback);

  g_weak_ref_init (&self->owner, owner);
  g_mutex_init (&self->lock);
  self->handlers = *handlers;
  return self;
}

GstTfrcSessionArrivalFeedback *
gst_tfrc_session_arrival_feedback_ref (GstTfrcSessionArrivalFeedback * self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
clear (gpointer data)
{
  GstTfrcSessionArrivalFeedback *self = data;

  g_weak_ref_clear (&self->owner);
  g_mutex_clear (&self->lock);
}

void
gst_tfrc_session_arrival_feedback_unref (GstTfrcSessionArrivalFeedback * self)
{
  g_atomic_rc_box_release_full (self, clear);
}

static void
closure_unref (gpointer data, GClosure * closure)
{
  gst_tfrc_session_arrival_feedback_unref (data);
}

/* --- feedback --- */

/* Whether the owner may be given feedback of `ssrc`. The feedback is about a whole transport, so that only the SSRC of
 * its sender counts. */
static gboolean
check_receiver (GstTfrcSessionArrivalFeedback * self, guint32 ssrc,
    gboolean * is_new)
{
  gboolean passed;

  g_mutex_lock (&self->lock);
  gst_tfrc_accepted_receiver_set_media_ssrc (&self->receiver, 0);
  passed = gst_tfrc_accepted_receiver_check (&self->receiver, ssrc, 0,
      gst_util_get_timestamp ());
  *is_new = gst_tfrc_accepted_receiver_is_other (&self->receiver, ssrc);
  g_mutex_unlock (&self->lock);
  return passed;
}

static void
bind_receiver (GstTfrcSessionArrivalFeedback * self, guint32 ssrc)
{
  g_mutex_lock (&self->lock);
  gst_tfrc_accepted_receiver_bind (&self->receiver, ssrc,
      gst_util_get_timestamp ());
  g_mutex_unlock (&self->lock);
}

/* `fci` may be NULL. */
static gboolean
hand_over (GstTfrcSessionArrivalFeedback * self, GstElement * owner, guint fmt,
    guint media_ssrc, GstBuffer * fci, gboolean is_new)
{
  gsize size = fci != NULL ? gst_buffer_get_size (fci) : 0;
  guint8 *data = g_malloc (MEDIA_SSRC_SIZE + size);
  gboolean accepted;

  GST_WRITE_UINT32_BE (data, media_ssrc);
  if (size > 0)
    gst_buffer_extract (fci, 0, data + MEDIA_SSRC_SIZE, size);
  accepted = self->handlers.on_arrivals (owner, fmt, data,
      MEDIA_SSRC_SIZE + size, is_new);
  g_free (data);
  return accepted;
}

static void
on_feedback (GObject * session, guint type, guint fmt, guint sender_ssrc,
    guint media_ssrc, GstBuffer * fci, gpointer user_data)
{
  GstTfrcSessionArrivalFeedback *self = user_data;
  gboolean is_new;
  GstElement *owner;

  if (type != GST_RTCP_TYPE_RTPFB
      || (fmt != TFRC_TWCC_FMT && fmt != TFRC_CCFB_FMT))
    return;
  owner = g_weak_ref_get (&self->owner);
  if (owner == NULL)
    return;
  if (check_receiver (self, sender_ssrc, &is_new)
      && hand_over (self, owner, fmt, media_ssrc, fci, is_new))
    bind_receiver (self, sender_ssrc);
  gst_object_unref (owner);
}

/* --- numbers --- */

static void
read_buffer (GstTfrcSessionArrivalFeedback * self, GstElement * owner, guint id,
    GstBuffer * buffer)
{
  GstTfrcTwccSeqnum number;

  if (id != 0 && gst_tfrc_twcc_seqnum_read (buffer, id, &number))
    self->handlers.on_number (owner, &number);
}

static GstPadProbeReturn
on_packets (GstPad * pad, GstPadProbeInfo * info, gpointer data)
{
  GstTfrcSessionArrivalFeedback *self = data;
  GstElement *owner = g_weak_ref_get (&self->owner);
  guint i, id;

  if (owner == NULL)
    return GST_PAD_PROBE_OK;
  g_mutex_lock (&self->lock);
  id = self->id;
  g_mutex_unlock (&self->lock);
  if (info->type & GST_PAD_PROBE_TYPE_BUFFER_LIST) {
    GstBufferList *list = GST_PAD_PROBE_INFO_BUFFER_LIST (info);

    for (i = 0; i < gst_buffer_list_length (list); i++)
      read_buffer (self, owner, id, gst_buffer_list_get (list, i));
  } else {
    read_buffer (self, owner, id, GST_PAD_PROBE_INFO_BUFFER (info));
  }
  gst_object_unref (owner);
  return GST_PAD_PROBE_OK;
}

/* --- the attachment --- */

static void
probe_unref (gpointer data)
{
  gst_tfrc_session_arrival_feedback_unref (data);
}

/* Called with the lock. */
static void
listen (GstTfrcSessionArrivalFeedback * self, GObject * session)
{
  if (self->session != NULL || session == NULL)
    return;
  self->session = g_object_ref (session);
  self->handler = g_signal_connect_data (session, "on-feedback-rtcp",
      G_CALLBACK (on_feedback), gst_tfrc_session_arrival_feedback_ref (self),
      closure_unref, 0);
  gst_tfrc_accepted_receiver_leave (&self->receiver, self->receiver.ssrc);
}

/* Called with the lock. */
static void
read_numbers (GstTfrcSessionArrivalFeedback * self, GstPad * pad, guint id)
{
  self->id = id;
  if (self->pad != NULL || pad == NULL || id == 0)
    return;
  self->pad = gst_object_ref (pad);
  self->probe = gst_pad_add_probe (pad,
      GST_PAD_PROBE_TYPE_BUFFER | GST_PAD_PROBE_TYPE_BUFFER_LIST, on_packets,
      gst_tfrc_session_arrival_feedback_ref (self), probe_unref);
  GST_INFO ("reads transport-wide sequence numbers, header extension %u, at %"
      GST_PTR_FORMAT, id, pad);
}

/* Leaves a session and a pad that the filter is linked to no more. */
static void
leave_stale (GstTfrcSessionArrivalFeedback * self, GObject * session,
    GstPad * pad)
{
  gboolean stale;

  g_mutex_lock (&self->lock);
  stale = (session != NULL && self->session != NULL && session != self->session)
      || (pad != NULL && self->pad != NULL && pad != self->pad);
  g_mutex_unlock (&self->lock);
  if (stale)
    gst_tfrc_session_arrival_feedback_detach (self);
}

void
gst_tfrc_session_arrival_feedback_attach (GstTfrcSessionArrivalFeedback * self,
    GObject * session, GstPad * pad, guint id)
{
  GObject *found = gst_tfrc_rtp_session_find (session, pad);
  GstPad *output = gst_tfrc_rtp_session_find_output (session, pad);

  leave_stale (self, found, output);
  g_mutex_lock (&self->lock);
  listen (self, found);
  read_numbers (self, output, id);
  g_mutex_unlock (&self->lock);
  g_clear_object (&found);
  gst_clear_object (&output);
}

void
gst_tfrc_session_arrival_feedback_detach (GstTfrcSessionArrivalFeedback * self)
{
  GObject *session;
  gulong handler, probe;
  GstPad *pad;

  g_mutex_lock (&self->lock);
  session = g_steal_pointer (&self->session);
  handler = self->handler;
  pad = g_steal_pointer (&self->pad);
  probe = self->probe;
  g_mutex_unlock (&self->lock);
  if (session != NULL)
    g_signal_handler_disconnect (session, handler);
  if (pad != NULL)
    gst_pad_remove_probe (pad, probe);
  g_clear_object (&session);
  gst_clear_object (&pad);
}
