/* gst-tfrc: who sent a datagram, decided before anything else is spent on it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A table of fixed size that says to which peer the address of a sender belongs, or its address and SSRC
 * where several peers share an address. A sender that is in no entry is a stranger.
 * A stranger's datagram is worth more work (parsing, authentication, a question to the
 * application) only when the table says "admitted":
 *
 *  - its sender sent `probation` datagrams from one address with one SSRC, none of them
 *    longer after the one before than two seconds (in the spirit of RFC 3550 A.1). A flood
 *    from forged random addresses does not get past this;
 *  - its host has admissions left (a token bucket for each group of hosts: /24 of IPv4,
 *    /64 of IPv6; groups share buckets by a keyed hash). A flood from one host or network
 *    does not get past this, and takes no admissions from others;
 *  - the table as a whole has admissions left (one more token bucket).
 *
 * All else is counted and to be dropped. The cost is one or two keyed hashes and as many
 * look-ups for any datagram; the memory is what gst_tfrc_admission_table_new() allocated. The
 * hash (SipHash-1-3 with a random key) keeps strangers from choosing addresses that
 * collide.
 *
 * Threads: none and no lock inside; one thread at a time uses a table, which is the thread
 * of the worker that receives. */
#ifndef GST_TFRC_ADMISSIONTABLE_H
#define GST_TFRC_ADMISSIONTABLE_H

#include <gst/gst.h>

#include "transport/udpaddress.h"

G_BEGIN_DECLS

typedef struct _GstTfrcAdmissionTable GstTfrcAdmissionTable;

typedef struct
{
  guint max_peers;              /* places for peers, 1 to 1,000,000 */
  guint probation;              /* datagrams before a stranger counts; 0, 1: the first does */
  guint rate;                   /* admissions per second; 0: nobody is admitted */
  guint burst;                  /* admissions at one instant, at least 1 */
  guint host_rate;              /* the same for one group of hosts; 0: not limited */
  guint host_burst;
} GstTfrcAdmissionTableSettings;

typedef enum
{
  GST_TFRC_ADMISSION_KNOWN,        /* `peer` is set */
  GST_TFRC_ADMISSION_ADMITTED,     /* a stranger that is worth a closer look: a peer that has moved, or a caller */
  GST_TFRC_ADMISSION_ON_PROBATION, /* a stranger that has not sent enough; drop */
  GST_TFRC_ADMISSION_HOST_LIMITED, /* its group of hosts asked too often; drop */
  GST_TFRC_ADMISSION_LIMITED,      /* strangers asked too often; drop */
  GST_TFRC_ADMISSION_REFUSED,      /* `rate` is 0; drop */
  GST_TFRC_ADMISSION_VERDICTS
} GstTfrcAdmissionVerdict;

/* Datagrams by verdict since the table was made. */
typedef struct
{
  guint64 verdicts[GST_TFRC_ADMISSION_VERDICTS];
} GstTfrcAdmissionTableStats;

GstTfrcAdmissionTable *gst_tfrc_admission_table_new (const
    GstTfrcAdmissionTableSettings * settings);
void gst_tfrc_admission_table_free (GstTfrcAdmissionTable * table);

/* The verdict on a datagram with this SSRC of its sender (of an RTP packet
 * bytes 8 to 11, of an RTCP packet 4 to 7) at `now` (ns, monotonic), and the peer if it is
 * known. A peer that has its address alone is found whatever the SSRC is. */
GstTfrcAdmissionVerdict gst_tfrc_admission_table_look_up (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc, GstClockTime now,
    gpointer * peer);

/* The stranger that was admitted last is no peer that has moved. TRUE: it is refused, because no place is free, and
 * its datagram counts as such. */
gboolean gst_tfrc_admission_table_refuse_if_full (GstTfrcAdmissionTable * table);

/* Adds a peer that has `address` to itself. FALSE: the table is full, or the address is
 * taken (by a peer of its own or by peers that share it). `peer` is not NULL. */
gboolean gst_tfrc_admission_table_add (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, gpointer peer);

/* Adds another address of a peer that gst_tfrc_admission_table_add() has added; at most one for each peer. FALSE: the
 * address is taken. */
gboolean gst_tfrc_admission_table_add_second (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, gpointer peer);

/* Adds a peer that is known by its SSRC among those that share `address`. FALSE: the
 * table is full, the address belongs to one peer, or the SSRC is taken there. */
gboolean gst_tfrc_admission_table_add_ssrc (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc, gpointer peer);

/* The peer that has `from` to itself, by _add() or _add_second(), has `to` in its place. FALSE, and nothing has changed:
 * `to` is another address that is taken. */
gboolean gst_tfrc_admission_table_move (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * from, const GstTfrcUdpAddress * to);

/* Removes what gst_tfrc_admission_table_add(), _add_second() or _add_ssrc() added. FALSE: it was not there. */
gboolean gst_tfrc_admission_table_remove (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address);
gboolean gst_tfrc_admission_table_remove_ssrc (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc);

/* Peers in the table. */
guint gst_tfrc_admission_table_get_size (const GstTfrcAdmissionTable * table);

/* Bytes that the table takes, the same from its first to its last moment. */
gsize gst_tfrc_admission_table_get_memory (const GstTfrcAdmissionTable * table);

void gst_tfrc_admission_table_get_stats (const GstTfrcAdmissionTable * table,
    GstTfrcAdmissionTableStats * stats);

/* "known", "admitted", "on-probation", ... for statistics. */
const gchar *gst_tfrc_admission_verdict_get_name (GstTfrcAdmissionVerdict verdict);

G_END_DECLS

#endif
