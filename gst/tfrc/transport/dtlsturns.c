/* gst-tfrc: which DTLS handshakes that others have begun may go on
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsturns.h"

static GstTfrcDtlsTurn *
find (GstTfrcDtlsTurns * self, guint64 number)
{
  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++)
    if (self->turns[i].number == number)
      return &self->turns[i];
  return NULL;
}

/* Turns of a network count before turns of a host. */
static guint
combine (guint network, guint host)
{
  return network * (GST_TFRC_DTLS_TURNS + 1) + host;
}

/* How much the caller of a turn has. */
static guint
get_weight (const GstTfrcDtlsTurn * turn)
{
  return combine (turn->network, turn->host);
}

/* How much somebody has who may have no turn. */
static guint
measure_weight (const GstTfrcDtlsTurns * self, const GstTfrcUdpAddress * caller)
{
  guint network = 0, host = 0;

  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++) {
    const GstTfrcDtlsTurn *turn = &self->turns[i];

    if (turn->number == 0)
      continue;
    network += gst_tfrc_udp_address_same_network (&turn->caller, caller);
    host += gst_tfrc_udp_address_same_host (&turn->caller, caller);
  }
  return combine (network, host);
}

/* Begins turn `number` of `caller` at a free place. */
static void
add_turn (GstTfrcDtlsTurns * self, GstTfrcDtlsTurn * added, guint64 number,
    const GstTfrcUdpAddress * caller)
{
  *added = (GstTfrcDtlsTurn) {number, *caller, 0, 0};
  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++) {
    GstTfrcDtlsTurn *turn = &self->turns[i];
    gboolean network, host;

    if (turn->number == 0)
      continue;
    network = gst_tfrc_udp_address_same_network (&turn->caller, caller);
    host = gst_tfrc_udp_address_same_host (&turn->caller, caller);
    added->network += network;
    added->host += host;
    if (turn == added)
      continue;
    turn->network += network;
    turn->host += host;
  }
}

static void
remove_turn (GstTfrcDtlsTurns * self, GstTfrcDtlsTurn * removed)
{
  removed->number = 0;
  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++) {
    GstTfrcDtlsTurn *turn = &self->turns[i];

    if (turn->number == 0)
      continue;
    turn->network -= gst_tfrc_udp_address_same_network (&turn->caller,
        &removed->caller);
    turn->host -= gst_tfrc_udp_address_same_host (&turn->caller,
        &removed->caller);
  }
}

/* The oldest turn of whoever has most, when that is more than `own`; NULL: there is none. */
static GstTfrcDtlsTurn *
find_victim (GstTfrcDtlsTurns * self, guint own)
{
  GstTfrcDtlsTurn *victim = NULL;
  guint most = own;

  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++) {
    GstTfrcDtlsTurn *turn = &self->turns[i];
    guint weight = get_weight (turn);

    if (weight > most || (victim != NULL && weight == most
            && turn->number < victim->number)) {
      most = weight;
      victim = turn;
    }
  }
  return victim;
}

guint64
gst_tfrc_dtls_turns_begin (GstTfrcDtlsTurns * self,
    const GstTfrcUdpAddress * caller)
{
  GstTfrcDtlsTurn *place = find (self, 0);

  if (place == NULL)
    place = find_victim (self, measure_weight (self, caller));
  if (place == NULL)
    return 0;
  if (place->number != 0)
    remove_turn (self, place);
  add_turn (self, place, ++self->last, caller);
  return self->last;
}

gboolean
gst_tfrc_dtls_turns_has (const GstTfrcDtlsTurns * self, guint64 number)
{
  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++)
    if (self->turns[i].number == number)
      return TRUE;
  return FALSE;
}

void
gst_tfrc_dtls_turns_end (GstTfrcDtlsTurns * self, guint64 number)
{
  GstTfrcDtlsTurn *turn = number != 0 ? find (self, number) : NULL;

  if (turn != NULL)
    remove_turn (self, turn);
}

guint
gst_tfrc_dtls_turns_count (const GstTfrcDtlsTurns * self)
{
  guint n = 0;

  for (guint i = 0; i < GST_TFRC_DTLS_TURNS; i++)
    n += self->turns[i].number != 0;
  return n;
}
