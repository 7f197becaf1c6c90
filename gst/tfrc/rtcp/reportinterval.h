/* gst-tfrc: how far apart reports are, and the RTCP bandwidth for that
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REPORTINTERVAL_H
#define GST_TFRC_REPORTINTERVAL_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

typedef struct
{
  guint H;                      /* bytes */
  GstClockTime interval;        /* between reports, as last told */
  GstClockTime left;            /* system time of the last report */
  gdouble rtcp_rate;            /* bit/s as last set in the session, 0: not yet */
  gdouble report_size;          /* bytes on the wire, moving average */
  gdouble compound_size;        /* of the last in a compound packet */
} GstTfrcReportInterval;

/* What to do to the session's bandwidth. */
typedef enum
{
  GST_TFRC_REPORT_INTERVAL_SAME,
  GST_TFRC_REPORT_INTERVAL_SLOWER,
  GST_TFRC_REPORT_INTERVAL_FASTER
} GstTfrcReportIntervalChange;

void gst_tfrc_report_interval_init (GstTfrcReportInterval * spacing, guint H);

/* A report of that size has left. */
void gst_tfrc_report_interval_add (GstTfrcReportInterval * spacing, gsize rtcp_size,
    gboolean compound, GstClockTime now);

/* Reports are reduced-size, or compound, from now on. */
void gst_tfrc_report_interval_set_reduced (GstTfrcReportInterval * spacing, gboolean reduced);

/* The last one left but now. The session keeps its reports as far apart,
 * RFC 4585 3.5.3. */
gboolean gst_tfrc_report_interval_has_just_left (const GstTfrcReportInterval * spacing,
    GstClockTime now);

/* The time that must pass between reports, with R in ns (0: unknown) and what the data
 * take on the wire in bytes/s (0: unknown), were R shorter than that. */
GstClockTime gst_tfrc_report_interval_get_share (const GstTfrcReportInterval * spacing,
    TfrcTime R, gdouble wire_rate);

/* The bandwidth in bit/s that lets a report leave every `interval`, for all
 * members of the session. */
gdouble gst_tfrc_report_interval_get_rtcp_rate (GstClockTime interval, guint members);

/* The interval where the application allows but `fixed` of the bandwidth `rate` that
 * `interval` wants. */
GstClockTime gst_tfrc_report_interval_stretch (GstClockTime interval, gdouble rate,
    gdouble fixed);

/* Reports are `interval` apart now, which wants bandwidth `rate`. */
GstTfrcReportIntervalChange gst_tfrc_report_interval_set (GstTfrcReportInterval * spacing,
    GstClockTime interval, gdouble rate);

G_END_DECLS

#endif
