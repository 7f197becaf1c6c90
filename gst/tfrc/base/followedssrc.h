/* gst-tfrc: the SSRC that is followed among all that arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FOLLOWEDSSRC_H
#define GST_TFRC_FOLLOWEDSSRC_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* The rule by which an SSRC takes the place of another, wherever the plugin lets one SSRC speak at
 * a time: the SSRC that spoke before has sent nothing for half a second. That is longer than any
 * packet interval of a call, and short for a listener; with a shorter time two senders would take
 * turns. `last_arrival` is when the last packet of the SSRC arrived. Times are in ns. */
#define GST_TFRC_SSRC_SILENCE (500 * GST_MSECOND)

static inline gboolean
gst_tfrc_ssrc_is_silent (GstClockTime last_arrival, GstClockTime now)
{
  return now >= last_arrival + GST_TFRC_SSRC_SILENCE;
}

/* One data sender is followed at a time, by its SSRC. Another SSRC takes the place of the followed
 * one when that has sent a BYE (RFC 3550 6.6) or is silent. A BYE that a packet of the same SSRC
 * follows was forged, or arrived before the packet, and counts for nothing.
 *
 * The object is plain state, zero to begin with, and guarded by a lock of its owner. Times are in
 * ns of any one clock. */
typedef struct
{
  gboolean following;           /* some SSRC is followed */
  gboolean left;                /* the followed SSRC has sent a BYE */
  guint32 ssrc;                 /* the followed SSRC */
  GstClockTime last_arrival;    /* of a packet of the followed SSRC; may be
                                 * GST_CLOCK_TIME_NONE */
  guint64 changes;              /* how often another SSRC took the place */
  guint64 others;               /* packets of SSRCs that were not followed */
} GstTfrcFollowedSsrc;

typedef enum
{
  GST_TFRC_SSRC_OTHER,          /* another SSRC is followed; the packet was counted */
  GST_TFRC_SSRC_SAME,           /* the packet is of the followed SSRC */
  GST_TFRC_SSRC_FIRST,          /* the SSRC of the packet is the first that is followed */
  GST_TFRC_SSRC_CHANGED         /* the SSRC of the packet took the place of another */
} GstTfrcSsrcVerdict;

/* A packet of `ssrc` arrived at `now`; GST_CLOCK_TIME_NONE: the time is not known, and no SSRC
 * was silent. */
GstTfrcSsrcVerdict gst_tfrc_followed_ssrc_check (GstTfrcFollowedSsrc * self,
    guint32 ssrc, GstClockTime now);

gboolean gst_tfrc_followed_ssrc_is (const GstTfrcFollowedSsrc * self,
    guint32 ssrc);

/* A packet of `ssrc` that cannot be used arrived at `now`. When `ssrc` is followed it was not
 * silent; otherwise the packet changes nothing. */
void gst_tfrc_followed_ssrc_hear (GstTfrcFollowedSsrc * self, guint32 ssrc,
    GstClockTime now);

/* `ssrc` has sent a BYE. Returns FALSE when it is not the followed SSRC. */
gboolean gst_tfrc_followed_ssrc_bye (GstTfrcFollowedSsrc * self, guint32 ssrc);

G_END_DECLS

#endif
