/* gst-tfrc: the interval of reports, and whether they are sent in reduced-size RTCP
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REPORTSCHEDULE_H
#define GST_TFRC_REPORTSCHEDULE_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* Both objects here are plain state of the data receiver, which guards them by its lock.
 * Times are of the system's monotonic clock, ns. */

/* --- the interval of reports --- */

typedef struct
{
  guint H;                      /* bytes below RTCP in each packet */
  GstClockTime interval;        /* between reports, as last computed, ns */
  GstClockTime last;            /* when the last report was sent */
  gdouble rtcp_rate;            /* bandwidth that was last set in the session, bit/s; 0: none */
  gdouble report_size;          /* bytes on the wire with H, moving average */
  gdouble compound_size;        /* bytes of the last compound packet with a report, with H */
} GstTfrcReportInterval;

/* How a new RTCP bandwidth compares with the one that the session has. */
typedef enum
{
  GST_TFRC_REPORT_INTERVAL_SAME,
  GST_TFRC_REPORT_INTERVAL_SLOWER,
  GST_TFRC_REPORT_INTERVAL_FASTER
} GstTfrcReportIntervalChange;

void gst_tfrc_report_interval_init (GstTfrcReportInterval * self, guint H);

/* A report left at `now`, in an RTCP packet of `rtcp_size` bytes. */
void gst_tfrc_report_interval_add (GstTfrcReportInterval * self,
    gsize rtcp_size, gboolean compound, GstClockTime now);

/* From now on reports leave in reduced-size packets, or in compound ones. */
void gst_tfrc_report_interval_set_reduced (GstTfrcReportInterval * self,
    gboolean reduced);

/* TRUE when the last report left so short a time before `now` that the session, by RFC 4585
 * 3.5.3, would not let another one leave. */
gboolean gst_tfrc_report_interval_has_just_left (const GstTfrcReportInterval *
    self, GstClockTime now);

/* The shortest time between reports in ns that the share of RTCP allows. R is in ns (0:
 * unknown), `wire_rate` is what the data take on the wire in bytes/s (0: unknown). */
GstClockTime gst_tfrc_report_interval_get_share (const GstTfrcReportInterval *
    self, TfrcTime R, gdouble wire_rate);

/* The RTCP bandwidth in bit/s, for all members of the session, by which a report can leave
 * every `interval` ns. */
gdouble gst_tfrc_report_interval_get_rtcp_rate (GstClockTime interval,
    guint members);

/* The interval in ns when the application allows only the bandwidth `fixed` and `interval`
 * would need the bandwidth `rate`, both in bit/s. */
GstClockTime gst_tfrc_report_interval_stretch (GstClockTime interval,
    gdouble rate, gdouble fixed);

/* Reports are `interval` ns apart from now on, which needs the bandwidth `rate` in bit/s. */
GstTfrcReportIntervalChange
gst_tfrc_report_interval_set (GstTfrcReportInterval * self,
    GstClockTime interval, gdouble rate);

/* --- whether reports leave in reduced-size RTCP, RFC 5506 --- */

typedef struct
{
  gboolean remote_takes;        /* the data sender has said so by its APP packet */
  gboolean on;                  /* reports may leave in reduced-size packets */
  gboolean sent_compound;       /* a report has left in a compound packet */
  guint unconfirmed;            /* reports in reduced-size packets since the data last
                                 * showed that a report had reached the data sender */
  GstClockTime fallback;        /* when reduced size was last given up */
  GstClockTime retry;           /* how long it stays so, ns */
  guint64 fallbacks;
} GstTfrcReducedSize;

void gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced);

/* A report left at `now`, in a compound packet or a reduced-size one. TRUE when `on` has
 * changed. */
gboolean gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced,
    gboolean compound, GstClockTime now);

/* The data show that a report has reached the data sender. */
void gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced);

G_END_DECLS

#endif
