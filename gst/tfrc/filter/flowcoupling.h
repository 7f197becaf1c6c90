/* gst-tfrc: a flow among those that share the rate of one flow (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FLOWCOUPLING_H
#define GST_TFRC_FLOWCOUPLING_H

#include <gst/gst.h>
#include <tfrc/coupling.h>
#include <tfrcadapt/video.h>

#include "base/rateevent.h"

G_BEGIN_DECLS

/* The values of the property "coupling". */
typedef enum
{
  GST_TFRC_COUPLING_NONE,
  GST_TFRC_COUPLING_TRANSPORT
} GstTfrcCouplingKind;

#define GST_TYPE_TFRC_COUPLING_KIND (gst_tfrc_coupling_kind_get_type ())
GType gst_tfrc_coupling_kind_get_type (void);

/* The flows of one transport, or those of all elements with the same coupling-group: a flow state exchange of libtfrc
 * with a lock of its own. It has a reference count. */
typedef struct _GstTfrcCouplingGroup GstTfrcCouplingGroup;

/* The group of that name in this process; empty or NULL: a new group without a name. */
GstTfrcCouplingGroup *gst_tfrc_coupling_group_get (const gchar * name);
void gst_tfrc_coupling_group_unref (GstTfrcCouplingGroup * group);

/* What is wanted for a flow, in bit/s of payload. */
typedef struct
{
  gdouble priority;             /* P(f) of RFC 8699 5.2 */
  guint min_bitrate;            /* goes before what other flows get; 0: none */
  guint max_bitrate;            /* that the encoder can use at most; 0: not known */
  gboolean min_as_used;         /* the minimum is kept as far as the flow uses it, and twice that for a next step of its
                                 * encoder */
  gboolean audio;               /* the media are audio */
} GstTfrcFlowWants;

/* Reads the fields tfrc-priority, tfrc-min-bitrate and tfrc-max-bitrate of caps; what they do not say, their `media`
 * does. */
void gst_tfrc_flow_wants_read (GstTfrcFlowWants * wants, const GstStructure * caps);

/* A flow's part in a group. The lock of the flow guards it; the functions take the lock of the group inside, and call
 * nothing else under it. The owner sets `wants`; all other bytes are zero before the first use. */
typedef struct
{
  GstTfrcFlowWants wants;
  GstTfrcCouplingGroup *group;  /* NULL: the flow is not coupled */
  gboolean joined;              /* the flow has a number in the group, after its first report */
  guint number;
  guint serial;                 /* of the rates of the group that the engine has */
  GstTfrcCoupled part;          /* of the flow in the group */
  TfrcAdaptVideo *video;        /* what a flow that gets the rest leaves of the path; NULL: the flow has a minimum, or
                                 * the path is new */
  gdouble limit;                /* bytes/s, the last one of `video` that the engine has */
} GstTfrcFlowCoupling;

/* The first function puts the flow into `group` (NULL: into none), which it joins with its next report. With the
 * second the flow has a new path: it leaves its group until its next report, and its queue is measured anew. In both, `sender` (or NULL) goes on at the rate that it computes alone;
 * gst_tfrc_flow_coupling_leave() returns the bits of tfrc_sender_set_coupled_rate(). */
void gst_tfrc_flow_coupling_set_group (GstTfrcFlowCoupling * coupling,
    GstTfrcCouplingGroup * group, TfrcSender * sender, TfrcTime now);
unsigned gst_tfrc_flow_coupling_leave (GstTfrcFlowCoupling * coupling, TfrcSender * sender,
    TfrcTime now);

/* A report or the nofeedback timer has changed the state of `sender`, whose packets have `overhead` bytes of RTP headers and
 * are `packet_rate` in a second. Returns the bits of tfrc_sender_set_coupled_rate(). */
unsigned gst_tfrc_flow_coupling_update (GstTfrcFlowCoupling * coupling, TfrcSender * sender,
    gdouble packet_rate, guint overhead, TfrcTime now);

/* Gives `sender` its rate when another flow of the group has changed it. Returns the same bits. */
unsigned gst_tfrc_flow_coupling_follow (GstTfrcFlowCoupling * coupling, TfrcSender * sender,
    TfrcTime now);

/* Adds what the flow has of the rate of its group, while the group has other flows. */
void gst_tfrc_flow_coupling_add_stats (const GstTfrcFlowCoupling * coupling, GstStructure * stats);

G_END_DECLS

#endif
