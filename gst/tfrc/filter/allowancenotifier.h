/* gst-tfrc: tells what the encoder may use, upstream and by notify, in order
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ALLOWANCENOTIFIER_H
#define GST_TFRC_ALLOWANCENOTIFIER_H

#include <tfrc/tfrc.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* Notifies the properties in which `new` differs from `old`. */
typedef void (*GstTfrcNotifyFunc) (GstElement * element, const GstTfrcRate * old,
    const GstTfrcRate * new);

/* Zero before its first init; under the owner's lock but for `notified`. */
typedef struct
{
  GstTfrcNotifyFunc notify;
  GstTfrcRate next;             /* the newest that is news */
  GstTfrcRate notified;         /* the last whose properties were; of the thread that tells */
  TfrcTime time;                /* when `next` was noted */
  gboolean open;                /* there is a `next` */
  gboolean pending, busy;       /* it waits to be told; a thread is telling */
} GstTfrcNotifier;

void gst_tfrc_notifier_init (GstTfrcNotifier * teller, GstTfrcNotifyFunc notify);

/* What is to be told: the first, a turn (start, restart, suspend, resume), a
 * noticeable drop at once, any other noticeable change once in R. */
void gst_tfrc_notifier_note (GstTfrcNotifier * teller, const GstTfrcRate * rate, TfrcTime now);

/* Without `lock`, which is the owner's, from any thread that may call out: one at a
 * time tells, in order; who comes meanwhile leaves it to that one. */
void gst_tfrc_notifier_run (GstTfrcNotifier * teller, GstElement * element, GstPad * pad,
    GMutex * lock);

G_END_DECLS

#endif
