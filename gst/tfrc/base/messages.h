/* gst-tfrc: messages on the bus: bounded warnings, and elements that are not installed
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

/* Counts one more warning at time `now`. Returns the count to post; 0: nothing is to be
 * posted now. */
guint64 gst_tfrc_warning_count (GstTfrcWarning * warning, GstClockTime now);

/* The same, with the time of the element's clock (without one, of the system's), under the
 * object lock, which the function takes. */
guint64 gst_tfrc_warning_note (GstTfrcWarning * warning, GstElement * element);

/* Counts one more warning, and posts a warning when it is due. */
void gst_tfrc_warning_post (GstTfrcWarning * warning, GstElement * element,
    GQuark domain, gint code, const gchar * format, ...) G_GNUC_PRINTF (5, 6);

/* The warnings of a bin's children, which may be elements of other plugins, for its
 * handle_message. A kind has the name `kind` or, when that is NULL, the name of the child's
 * type and the error code. The object lock of the bin protects it. */
typedef struct
{
  GHashTable *kinds;            /* name to GstTfrcWarning; NULL to begin with */
} GstTfrcChildWarnings;

/* Takes a warning. Returns the message to post, or NULL. Takes the object lock. */
GstMessage *gst_tfrc_child_warnings_filter (GstTfrcChildWarnings * warnings,
    GstBin * bin, const gchar * kind, GstMessage * message);
void gst_tfrc_child_warnings_clear (GstTfrcChildWarnings * warnings);

/* --- elements that are not installed --- */

/* Posts two messages for `element`, which needs an element of the factory `factory`: the
 * missing-plugin message of GStreamer, which installers understand, and an error or a warning
 * that names the Debian package. `more` is added to its text; "" adds nothing. */
void gst_tfrc_missing_error (GstElement * element, const gchar * factory,
    const gchar * more);
void gst_tfrc_missing_warning (GstElement * element, const gchar * factory,
    const gchar * more);

/* The first of the factories, an array that ends with NULL, that is not installed or whose plugin
 * cannot be loaded; NULL: all can. Loads the plugins, so that elements can be made without
 * delay. */
const gchar *gst_tfrc_missing_find (const gchar * const *factories);

G_END_DECLS

#endif
