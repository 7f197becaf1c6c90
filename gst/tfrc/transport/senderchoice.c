/* gst-tfrc: which data sender tfrcsrc follows, of all whose packets arrive
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/senderchoice.h"

#include "base/debugcategory.h"
#include "base/followedssrc.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsenderchoice",
    "the data sender that tfrcsrc follows");

/* RFC 3550 A.1: MIN_SEQUENTIAL */
#define MIN_SEQUENTIAL 2

/* A data sender that has lost its place may take it back within this time. peerrun.c takes a remote end for gone
 * after the same time. */
#define FORMER_TIME (60 * TFRC_SEC)

/* Whether the packet is of `source`: by address and SSRC, or by SSRC alone when it is authentic. */
static gboolean
is_of (const GstTfrcDataSource * source, const GstTfrcUdpAddress * address,
    guint32 ssrc, gboolean authentic)
{
  return source->ssrc == ssrc && (authentic
      || gst_tfrc_udp_address_equal (&source->address, address));
}

/* Packets that come by two ways, or late by the one before, do not move the sender with each packet. */
static gboolean
may_move (const GstTfrcSenderChoice * choice, TfrcTime now)
{
  return choice->moved_at == 0
      || now >= choice->moved_at + GST_TFRC_SSRC_SILENCE;
}

static GstTfrcSenderVerdict
follow_again (GstTfrcSenderChoice * choice, const GstTfrcUdpAddress * address,
    TfrcTime now)
{
  GstTfrcDataSource *followed = &choice->followed;
  gboolean moved = may_move (choice, now)
      && !gst_tfrc_udp_address_equal (&followed->address, address);

  if (moved) {
    followed->address = *address;
    choice->moved_at = now;
  }
  followed->heard = now;
  /* a packet that the BYE has overtaken does not undo it */
  choice->left &= now < choice->left_at + GST_TFRC_SSRC_SILENCE;
  choice->in_sequence = 0;
  return moved ? GST_TFRC_SENDER_MOVED : GST_TFRC_SENDER_SAME;
}

static GstTfrcSenderVerdict
take (GstTfrcSenderChoice * choice, const GstTfrcUdpAddress * address,
    guint32 ssrc, TfrcTime now)
{
  GST_DEBUG ("SSRC %08x is followed", ssrc);
  choice->changes += choice->following && choice->followed.ssrc != ssrc;
  choice->following = TRUE;
  choice->left = FALSE;
  choice->in_sequence = 0;
  choice->moved_at = 0;
  choice->followed = (GstTfrcDataSource) {*address, ssrc, now};
  return GST_TFRC_SENDER_TAKEN;
}

static gboolean
is_former (const GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, gboolean authentic,
    TfrcTime now)
{
  return choice->has_former && now < choice->former.heard + FORMER_TIME &&
      is_of (&choice->former, address, ssrc, authentic);
}

/* When the data sender that took a place loses it as well, the first one keeps the right to come back. */
static void
keep_former (GstTfrcSenderChoice * choice, TfrcTime now)
{
  if (choice->has_former && now < choice->former.heard + FORMER_TIME)
    return;
  choice->has_former = TRUE;
  choice->former = choice->followed;
}

/* Whether the candidate, which this packet is of, has sent enough packets in sequence. */
static gboolean
passes_probation (GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, guint16 seq, TfrcTime now)
{
  gboolean next = choice->in_sequence > 0 && seq == choice->next_seq &&
      is_of (&choice->candidate, address, ssrc, FALSE);

  choice->candidate = (GstTfrcDataSource) {*address, ssrc, now};
  choice->in_sequence = next ? choice->in_sequence + 1 : 1;
  choice->next_seq = seq + 1;
  return choice->in_sequence >= MIN_SEQUENTIAL;
}

/* Decides about a packet of another data sender, which takes the place of the followed one when that is silent. What it
 * sends before counts for its probation: a sender that begins anew, and whose BYE was lost, has one packet in a second. */
static GstTfrcSenderVerdict
judge_other (GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, guint16 seq,
    gboolean authentic, TfrcTime now)
{
  gboolean same_address =
      gst_tfrc_udp_address_equal (&choice->followed.address, address);
  gboolean passes = passes_probation (choice, address, ssrc, seq, now)
      || authentic || same_address;

  if (!passes || !gst_tfrc_ssrc_is_silent (choice->followed.heard, now)) {
    choice->others++;
    return GST_TFRC_SENDER_OTHER;
  }
  if (ssrc == choice->followed.ssrc)
    return follow_again (choice, address, now);
  if (!same_address)
    keep_former (choice, now);
  return take (choice, address, ssrc, now);
}

GstTfrcSenderVerdict
gst_tfrc_sender_choice_on_packet (GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, guint16 seq,
    gboolean authentic, TfrcTime now)
{
  if (choice->following && is_of (&choice->followed, address, ssrc, authentic))
    return follow_again (choice, address, now);
  if (is_former (choice, address, ssrc, authentic, now)) {
    choice->has_former = FALSE;
    return take (choice, address, ssrc, now);
  }
  if (!choice->following || choice->left) {
    choice->has_former = FALSE;
    return take (choice, address, ssrc, now);
  }
  return judge_other (choice, address, ssrc, seq, authentic, now);
}

void
gst_tfrc_sender_choice_on_useless (GstTfrcSenderChoice * choice,
    const GstTfrcUdpAddress * address, guint32 ssrc, TfrcTime now)
{
  if (choice->following && is_of (&choice->followed, address, ssrc, FALSE))
    choice->followed.heard = now;
}

void
gst_tfrc_sender_choice_on_bye (GstTfrcSenderChoice * choice, TfrcTime now)
{
  if (!choice->left)
    choice->left_at = now;
  choice->left = choice->following;
}
