/* gst-tfrc: the interval of reports, and whether they are sent in reduced-size RTCP
 * Copyright (C) 2026 The gst-tfrc developers
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

/* RFC 5506 4.2.1 wants to know whether reduced-size packets reach the data sender. The data
 * show it in two ways:
 *
 * - The R in their stamps moves. The data sender changes R for a report and for nothing else,
 *   so that a report has arrived. A path that takes the same time for each packet has an R
 *   that never moves, so that an R that stays shows nothing.
 * - Their rate holds. A data sender without reports halves the rate that it allows itself
 *   after 4 R, or after four intervals between reports where these are longer (RFC 5348 4.4),
 *   and again after each further such time. The last report allowed at most twice the rate
 *   that it named (RFC 5348 4.3), so that the rate of the data falls below half within some
 *   sixteen lost reports. A rate that holds shows that reports arrive. X_recv does not say it,
 *   since that is never less than one packet in R: the bytes that arrive are counted here.
 *
 * Reduced size is therefore given up in two cases, each after more than five reduced-size
 * reports without a movement of R:
 *
 * - The rate during the last four of them is below half of what it was during earlier ones.
 *   The application may have done that; then compound packets cost some bandwidth for a while.
 * - R stood still for more than five of these reports, moved right behind a compound packet
 *   and stands still again. Then the compound packets, which leave every two seconds, arrive,
 *   and the others do not. The reports in the compound packets also keep up the rate, which
 *   then shows nothing.
 *
 * After that, reports are compound for a while. When the rate falls for these as well, they
 * have no effect either and are no reason to wait: reduced size is tried again at once. So a
 * path that loses one of the two kinds, whichever it is, does not starve the call. */
typedef struct
{
  gboolean remote_takes;        /* the data sender has said so by its APP packet */
  gboolean on;                  /* reports may leave in reduced-size packets */
  gboolean sent_compound;       /* a report has left in a compound packet */
  guint unconfirmed;            /* reports since R last moved: reduced-size ones, or compound
                                 * ones after reduced size was given up */
  guint64 received;             /* bytes of data when the last of four of them left */
  GstClockTime received_at;     /* when that was */
  gdouble rate;                 /* of the data during the last four of them, bytes/s */
  gdouble rate_max;             /* the highest such rate since R last moved, which fades */
  guint since_compound;         /* reduced-size reports since the last compound one */
  gboolean suspect;             /* R last moved right behind a compound report, after it had
                                 * stood still for the reduced-size ones */
  GstClockTime fallback;        /* when reduced size was last given up */
  GstClockTime retry;           /* how long it stays so, ns */
  guint64 fallbacks;
} GstTfrcReducedSize;

void gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced);

/* A report left at `now`, in a compound packet or a reduced-size one, when `received` bytes of
 * data had arrived so far. TRUE when `on` has changed. */
gboolean gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced,
    gboolean compound, guint64 received, GstClockTime now);

/* R in the stamps of the data has moved: a report has reached the data sender. */
void gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced);

G_END_DECLS

#endif
