/* gst-tfrc: limits how often GnuTLS sends a flight of DTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * GnuTLS sends its whole flight again for each repeated message of the remote, and now and then for one
 * that came too early, so that a flood of datagrams would be answered by a larger one. A flight that has
 * left leaves again after 100 ms at the earliest, unless its retransmission is due.
 *
 * A flight is known by its first record. Plain state without a lock, part of a session; times in ns. */
#ifndef GST_TFRC_DTLSFLIGHTLIMIT_H
#define GST_TFRC_DTLSFLIGHTLIMIT_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 record;               /* the first one of the last flight */
  GstClockTime time;            /* when that flight left; NONE: it may leave again at once */
  GstClockTime now;             /* of this call */
  gboolean begins;              /* nothing has left during this call */
  gboolean muted;               /* what leaves during this call is a flight too many */
  gboolean advanced;            /* a new flight has left during this call */
} GstTfrcDtlsFlightLimit;

void gst_tfrc_dtls_flight_limit_init (GstTfrcDtlsFlightLimit * limit);

/* GnuTLS is about to be called. */
void gst_tfrc_dtls_flight_limit_call (GstTfrcDtlsFlightLimit * limit, GstClockTime now);

/* The retransmission of the last flight is due. */
void gst_tfrc_dtls_flight_limit_allow (GstTfrcDtlsFlightLimit * limit);

/* GnuTLS sends a record. FALSE: it is part of a flight too many. */
gboolean gst_tfrc_dtls_flight_limit_may_leave (GstTfrcDtlsFlightLimit * limit,
    const guint8 * data, gsize size);

G_END_DECLS

#endif
