/* gst-tfrc: the interval of reports, and whether they are sent in reduced-size RTCP
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_REPORTINTERVAL_H
#define GST_TFRC_REPORTINTERVAL_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* Both objects here are plain state of the data receiver, which guards them by its lock.
 * Times are of the system's monotonic clock, ns. */

/* --- the interval of reports --- */

typedef struct
{
  guint H;                      /* bytes below RTCP in each packet */
  gdouble share;                /* of the rate of what arrives, for reports */
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

/* A report was sent at `now`, in an RTCP packet of `rtcp_size` bytes. */
void gst_tfrc_report_interval_add (GstTfrcReportInterval * self,
    gsize rtcp_size, gboolean compound, GstClockTime now);

/* From now on reports are sent in reduced-size packets, or in compound packets. */
void gst_tfrc_report_interval_set_reduced (GstTfrcReportInterval * self,
    gboolean reduced);

/* Whether the last report was sent so short a time before `now` that RFC 4585 3.5.3 does not permit
 * another one. */
gboolean gst_tfrc_report_interval_has_just_left (const GstTfrcReportInterval *
    self, GstClockTime now);

/* Reports say p from now on, and list arrivals or not. A list that comes in time saves the data sender redundant copies, which
 * take more than the reports. Where p is above 0.05, reports that list arrivals have twice the share, and above 0.15 eight times
 * while R is at most 250 ms. */
void gst_tfrc_report_interval_set_losses (GstTfrcReportInterval * self,
    gdouble p, gboolean lists_arrivals);

/* The shortest time between reports in ns for which RTCP keeps its share of the bandwidth. R is in
 * ns (0: unknown), `wire_rate` is the rate of the data on the wire in bytes/s (0: unknown). */
GstClockTime gst_tfrc_report_interval_get_share (const GstTfrcReportInterval *
    self, TfrcTime R, gdouble wire_rate);

/* How far apart compound packets are on average, ns: 1 s, or up to 3 s where they would take more than an eighth of
 * what the RTCP of this end may take. `wire_rate` as above. */
GstClockTime gst_tfrc_report_interval_get_compound (const GstTfrcReportInterval *
    self, gdouble wire_rate);

/* The RTCP bandwidth in bit/s, for all members of the session, with which a report can be sent
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

/* --- whether reports are sent in reduced-size RTCP, RFC 5506 --- */

/* RFC 5506 4.2.1 asks the sender of reduced-size packets to verify that they reach the remote. The
 * data packets show in two ways whether reports reach the data sender:
 *
 * - R in the stamps changes. The data sender changes R only when a report has arrived. A constant R
 *   shows nothing, because a path with a constant delay has a constant R.
 * - The rate of the data stays. A data sender without reports halves its allowed rate after 4 R, or
 *   after four report intervals where these are longer (RFC 5348 4.4), and again after each further
 *   such time. The last report allowed at most twice the rate that it named (RFC 5348 4.3), so that
 *   the rate of the data falls below half within some sixteen lost reports. The rate is measured
 *   here by the bytes that arrive, because X_recv is never less than one packet in R.
 *
 * Reduced size is therefore given up in two cases, each after more than five reduced-size reports
 * during which R was constant:
 *
 * - The rate of the data during the last four of these reports is below half of the rate before.
 *   The application may have reduced the rate; compound packets then cost bandwidth for a while.
 * - R was constant for more than five reduced-size reports, changed right behind a compound packet
 *   by more than its rounding does, and is constant again. Then the compound packets, one in two
 *   seconds, arrive, and the reduced-size packets do not. The rate shows nothing in this case,
 *   because the reports in the compound packets keep it up.
 *
 * After that, reports are sent in compound packets for a while. When the rate falls with these as
 * well, compound packets are of no use, and reduced size is tried again at once. A path that loses
 * one of the two kinds of packets, whichever it is, therefore does not starve the call. */
typedef struct
{
  gboolean remote_takes;        /* the APP packet of the data sender says that it accepts them */
  gboolean on;                  /* reports are sent in reduced-size packets */
  gboolean sent_compound;       /* a report was sent in a compound packet */
  guint unconfirmed;            /* reports since R last changed: in reduced-size packets or, after
                                 * reduced size was given up, in compound packets */
  guint64 received;             /* bytes of data that had arrived at `received_at` */
  GstClockTime received_at;     /* when the last of four unconfirmed reports was sent */
  gdouble rate;                 /* of the data during the last four unconfirmed reports, bytes/s */
  gdouble rate_max;             /* the highest `rate` since R last changed, which fades */
  guint since_compound;         /* reduced-size reports since the last compound packet with one */
  guint32 R;                    /* us, in the stamps, when it last changed */
  gboolean suspect;             /* R last changed right behind a compound packet, after it had been
                                 * constant during reduced-size reports */
  GstClockTime fallback;        /* when reduced size was last given up */
  GstClockTime retry;           /* how long reduced size stays given up, ns */
  guint64 fallbacks;
} GstTfrcReducedSize;

void gst_tfrc_reduced_size_init (GstTfrcReducedSize * reduced);

/* A report was sent at `now`, in a compound packet or in a reduced-size packet. `received` is how
 * many bytes of data had arrived by then. Returns TRUE when `on` has changed. */
gboolean gst_tfrc_reduced_size_choose (GstTfrcReducedSize * reduced,
    gboolean compound, guint64 received, GstClockTime now);

/* R in the stamps of the data, in us, has changed, so that a report has reached the data sender. */
void gst_tfrc_reduced_size_confirm (GstTfrcReducedSize * reduced, guint32 R);

G_END_DECLS

#endif
