/* gst-tfrc: messages on the bus: bounded warnings, streams that begin, and elements that are not installed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_MESSAGES_H
#define GST_TFRC_MESSAGES_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* --- warnings that received packets cause --- */

/* A kind of warning that a remote can cause with its packets. One warning of a kind is posted
 * in 10 s at most. It says how many there were since the warning before: in its text, and as
 * "count" (guint64) in the details of the message. Zero to begin with; the object lock of the
 * element that posts the warning protects it. */
typedef struct
{
  gboolean posted;
  GstClockTime last;            /* time of the last post, by the element's clock */
  guint64 count;                /* warnings since the last post */
} GstTfrcWarning;

/* Counts one more warning at the time `now`, in ns. Returns how many warnings the caller has to
 * post as one; 0: none is to be posted now. */
guint64 gst_tfrc_warning_count (GstTfrcWarning * warning, GstClockTime now);

/* As gst_tfrc_warning_count(), at the present time of the clock of `element` or, when it has none,
 * of the system clock. Takes the object lock. */
guint64 gst_tfrc_warning_note (GstTfrcWarning * warning, GstElement * element);

/* Counts one more warning, and posts a warning when it is due. */
void gst_tfrc_warning_post (GstTfrcWarning * warning, GstElement * element,
    GQuark domain, gint code, const gchar * format, ...) G_GNUC_PRINTF (5, 6);

/* The warnings that the children of a bin post, which may be elements of other plugins: one of a
 * kind is handed on in 10 s at most. The object lock of the bin protects the object. */
typedef struct
{
  GHashTable *kinds;            /* name to GstTfrcWarning; NULL to begin with */
} GstTfrcChildWarnings;

/* For GstBinClass.handle_message. Takes `message`, a warning of a child. Returns the message that
 * the bin has to hand on, or NULL. Warnings of one kind have the same `kind`. When `kind` is NULL, they have the same
 * type of child and error code, and a warning that a child of this plugin has counted itself is handed on as it is.
 * Takes the object lock. */
GstMessage *gst_tfrc_child_warnings_filter (GstTfrcChildWarnings * warnings,
    GstBin * bin, const gchar * kind, GstMessage * message);
void gst_tfrc_child_warnings_clear (GstTfrcChildWarnings * warnings);

/* --- element messages --- */

/* Posts each GstStructure of the queue as an element message, and empties the queue. */
void gst_tfrc_structures_post (GQueue * structures, GstElement * element);

/* --- streams that begin --- */

/* Posts STREAM_START, as GstBaseSink does for the event of that name. Without `group_id` the message has no group. */
void gst_tfrc_stream_start_post (GstElement * element, guint32 seqnum,
    const guint * group_id);

/* --- elements that are not installed --- */

/* Posts two messages for `element`, which needs an element of the factory `factory`: the
 * missing-plugin message of GStreamer, which installers understand, and an error or a warning
 * that names the Debian package. `more` is added to its text; "" adds nothing. */
void gst_tfrc_missing_error (GstElement * element, const gchar * factory,
    const gchar * more);
void gst_tfrc_missing_warning (GstElement * element, const gchar * factory,
    const gchar * more);

/* The first of `factories`, an array that ends with NULL, that is not installed or whose plugin
 * cannot be loaded; NULL: there is no such factory. Loads the plugins, so that elements can be made
 * without delay. */
const gchar *gst_tfrc_missing_find (const gchar * const *factories);

G_END_DECLS

#endif
