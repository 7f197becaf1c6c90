/* gst-tfrc: warnings on the bus, and what keeps them from being many
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_WARNINGS_H
#define GST_TFRC_WARNINGS_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* A kind of warning that whoever sends packets here can cause. One is posted in 10 s at
 * most, and says how many there were since the one before: in its text, and as "count"
 * (guint64) in the details of the message. Zero to begin with; under the object lock of
 * the element that posts it. */
typedef struct
{
  gboolean posted;
  GstClockTime last;            /* when, by the element's clock */
  guint64 count;                /* since then */
} GstTfrcWarning;

/* One more at `now`. Returns how many to tell of; 0: none yet. */
guint64 gst_tfrc_warning_count (GstTfrcWarning * warning, GstClockTime now);

/* The same with the element's clock (the system's when it has none) and its lock. */
guint64 gst_tfrc_warning_note (GstTfrcWarning * warning, GstElement * element);

/* One more, and the warning when it is due. */
void gst_tfrc_warning_post (GstTfrcWarning * warning, GstElement * element,
    GQuark domain, gint code, const gchar * format, ...) G_GNUC_PRINTF (5, 6);

/* For handle_message of a bin: warnings of its children, which may be elements of others.
 * A kind is what `kind` says or, when it is NULL, an element's type and an error code. */
typedef struct
{
  GHashTable *kinds;            /* name to GstTfrcWarning; NULL to begin with */
} GstTfrcChildWarnings;

/* Takes the message. Returns NULL when it is not to be posted. */
GstMessage *gst_tfrc_child_warnings_filter (GstTfrcChildWarnings * warnings,
    GstBin * bin, const gchar * kind, GstMessage * message);
void gst_tfrc_child_warnings_clear (GstTfrcChildWarnings * warnings);

G_END_DECLS

#endif
