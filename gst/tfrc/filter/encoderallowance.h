/* gst-tfrc: what an encoder may use: computed, told upstream, and read as properties
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENCODERALLOWANCE_H
#define GST_TFRC_ENCODERALLOWANCE_H

#include <gst/gst.h>
#include <tfrc/sender.h>

#include "base/rateevent.h"
#include "filter/filtersettings.h"

G_BEGIN_DECLS

/* --- what an encoder may use --- */

/* What the encoder's allowance depends on besides the engine's allowance and the settings;
 * under the owner's lock. */
typedef struct
{
  guint overhead;               /* bytes of RTP header and extension in the last packet */
  gboolean fed;                 /* a report was accepted */
  gboolean suspended;           /* upstream was told to send nothing */
} GstTfrcEncoderAllowance;

void gst_tfrc_encoder_allowance_init (GstTfrcEncoderAllowance * encoder);

/* Fills all of `rate` that follows from `allowance`. `packet_rate` is the measured one in
 * packets/s, 0: nothing was measured yet. */
void gst_tfrc_encoder_allowance_make (const GstTfrcEncoderAllowance * encoder,
    const TfrcAllowance * allowance, const TfrcConfig * config,
    const GstTfrcFilterSettings * settings, gdouble packet_rate,
    GstTfrcRate * rate);

/* Upstream is about to be told `rate` for `reason`, or for a suspension that begins or ends
 * with it, which then is the reason in `rate`. */
void gst_tfrc_encoder_allowance_set_reason (GstTfrcEncoderAllowance * encoder,
    GstTfrcRate * rate, GstTfrcRateReason reason);

/* --- when upstream is told --- */

/* Notifies the properties in which `now` differs from `old`. */
typedef void (*GstTfrcNotifyFunc) (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * now);

/* Keeps the newest allowance that upstream should hear of until a thread may push the event.
 * Zero before its first init; under the owner's lock, but for `notified`. */
typedef struct
{
  GstTfrcNotifyFunc notify;
  GstTfrcRate next;             /* the newest that is worth telling */
  GstTfrcRate notified;         /* the last whose properties were notified; belongs to the
                                 * thread that runs the notifier */
  TfrcTime time;                /* when `next` was noted */
  gboolean has_next;
  gboolean pending;             /* `next` waits to be told */
  gboolean busy;                /* a thread runs the notifier */
} GstTfrcNotifier;

void gst_tfrc_notifier_init (GstTfrcNotifier * notifier,
    GstTfrcNotifyFunc notify);

/* `rate` is worth telling when it is the first, a start, restart, suspension or resumption,
 * or a noticeable drop; any other noticeable change is, once in a round-trip time. */
void gst_tfrc_notifier_note (GstTfrcNotifier * notifier,
    const GstTfrcRate * rate, TfrcTime now);

/* Tells what is pending: notifies properties of `element` and pushes the event on `pad`.
 * Called without `lock`, which is the owner's, from a thread that may block. One thread at a
 * time tells, in order; another one that calls this meanwhile returns at once. */
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
  GST_TFRC_N_READINGS
};

void gst_tfrc_allowance_properties_install (GObjectClass * klass);

/* FALSE when the id is not one of those above, or that of the statistics. */
gboolean gst_tfrc_allowance_properties_get (const GstTfrcRate * rate, guint id,
    GValue * value);

/* Notifies the properties in which `now` differs from `old`. */
void gst_tfrc_allowance_properties_notify (GstElement * element,
    const GstTfrcRate * old, const GstTfrcRate * now);

G_END_DECLS

#endif
