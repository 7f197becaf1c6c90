/* gst-tfrc: the allowance of the encoder: computed, sent upstream, and read as properties
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERALLOWANCE_H
#define GST_TFRC_ENCODERALLOWANCE_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "base/rateevent.h"
#include "filter/filtersettings.h"

G_BEGIN_DECLS

/* --- the allowance --- */

/* Inputs of the allowance of the encoder, other than the allowance of the engine and the settings.
 * The owner's lock guards the object. */
typedef struct
{
  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean reported;            /* a report was accepted since the flow began, or began anew */
  gboolean suspended;           /* the last allowance asks upstream to send nothing */
  guint picture;                /* index of the last advice on pictures */
  gdouble data, repairs;        /* bytes that departed in the last two seconds or so, where repairs share the
                                 * allowance */
  TfrcTime counted;             /* when these were counted last; 0: never */
} GstTfrcEncoderAllowance;

void gst_tfrc_encoder_allowance_init (GstTfrcEncoderAllowance * encoder);

/* A packet of `size` bytes departs, of data or of what repairs them (retransmission, forward error correction). Called for
 * flows that have repairs. */
void gst_tfrc_encoder_allowance_count (GstTfrcEncoderAllowance * encoder,
    guint size, gboolean is_repair, TfrcTime now);

/* Fills the members of `rate` that follow from `allowance`. The bit rate is without the share of what repairs the data. `packet_rate` is the measured packet
 * rate in packets/s; 0: not known yet. */
void gst_tfrc_encoder_allowance_make (const GstTfrcEncoderAllowance * encoder,
    const TfrcAllowance * allowance, const TfrcConfig * config,
    const GstTfrcFilterSettings * settings, gdouble packet_rate,
    GstTfrcRate * rate);

/* Notes that `rate` is sent. Sets the reason in it to `reason`, or to suspend or resume when a suspension begins or ends with
 * `rate`. */
void gst_tfrc_encoder_allowance_set_reason (GstTfrcEncoderAllowance * encoder,
    GstTfrcRate * rate, GstTfrcRateReason reason);

/* --- the notifier --- */

/* Notifies the properties in which `now` differs from `old`. */
typedef void (*GstTfrcNotifyFunc) (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * now);

/* Keeps the newest allowance that is to be sent upstream until a thread may push the event. The
 * object is zero before its first init. The owner's lock guards all members but `notified`. */
typedef struct
{
  GstTfrcNotifyFunc notify;     /* NULL: the properties of the element are not about this allowance */
  GstTfrcRate next;             /* the newest allowance that is worth an event */
  GstTfrcRate notified;         /* the last allowance whose properties were notified; belongs to
                                 * the thread that runs the notifier */
  TfrcTime time;                /* when `next` was noted */
  gboolean has_next;
  gboolean pending;             /* `next` was not sent yet */
  gboolean busy;                /* a thread runs the notifier */
} GstTfrcNotifier;

void gst_tfrc_notifier_init (GstTfrcNotifier * notifier,
    GstTfrcNotifyFunc notify);

/* Takes a new allowance, which is pending when it is worth an event: when it is the first, a start,
 * restart, suspension or resumption, or a noticeable drop. Any other noticeable change is worth one
 * event in a round-trip time, and an allowance that does not change one event in half a second. */
void gst_tfrc_notifier_note (GstTfrcNotifier * notifier,
    const GstTfrcRate * rate, TfrcTime now);

/* Notifies the properties of `element` and pushes the event on `pad` when an allowance is pending.
 * Called without `lock`, the owner's lock, from a thread that may block. One thread at a time runs
 * the notifier, so that events keep their order; another thread returns at once. */
void gst_tfrc_notifier_run (GstTfrcNotifier * notifier, GstElement * element,
    GstPad * pad, GMutex * lock);

/* --- read-only properties of rtptfrcsend --- */

enum
{
  GST_TFRC_PROP_ALLOWED_BITRATE = GST_TFRC_N_SETTINGS,
  GST_TFRC_PROP_ALLOWED_PACKET_SIZE,
  GST_TFRC_PROP_MAX_PACKET_RATE,
  GST_TFRC_PROP_ALLOWED_RATE,
  GST_TFRC_PROP_LOSS_EVENT_RATE,
  GST_TFRC_PROP_ROUND_TRIP_TIME,
  GST_TFRC_PROP_SUSPENDED,
  GST_TFRC_PROP_STATS,
  GST_TFRC_PROP_CONNECTION,
  GST_TFRC_N_READINGS,
  GST_TFRC_PROP_STATS_JSON
};

void gst_tfrc_allowance_properties_install (GObjectClass * klass);

/* The id of the read-only property of that name, which exists; the class of rtptfrcsend has been
 * made before. */
guint gst_tfrc_allowance_properties_find (const gchar * name);

/* Sets `value` to a read-only property. Returns FALSE when `id` is not one of those above, or is
 * that of the statistics. */
gboolean gst_tfrc_allowance_properties_get (const GstTfrcRate * rate, guint id,
    GValue * value);

/* Notifies the properties in which `now` differs from `old`. */
void gst_tfrc_allowance_properties_notify (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * now);

G_END_DECLS

#endif
