/* gst-tfrc: which DTLS handshakes that others have begun may go on
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlshandshakelimit.h"

static GstTfrcDtlsHandshake *
find (GstTfrcDtlsHandshakeLimit * self, guint64 number)
{
  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    if (self->handshakes[i].number == number)
      return &self->handshakes[i];
  return NULL;
}

/* Handshakes of a network count before handshakes of a host. */
static guint
combine (guint network, guint host)
{
  return network * (GST_TFRC_DTLS_HANDSHAKES_MAX + 1) + host;
}

/* How much the caller of a handshake has. */
static guint
get_weight (const GstTfrcDtlsHandshake * handshake)
{
  return combine (handshake->network, handshake->host);
}

/* How much somebody has who may have no handshake. */
static guint
measure_weight (const GstTfrcDtlsHandshakeLimit * self,
    const GstTfrcUdpAddress * caller)
{
  guint network = 0, host = 0;

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++) {
    const GstTfrcDtlsHandshake *handshake = &self->handshakes[i];

    if (handshake->number == 0)
      continue;
    network += gst_tfrc_udp_address_same_network (&handshake->caller, caller);
    host += gst_tfrc_udp_address_same_host (&handshake->caller, caller);
  }
  return combine (network, host);
}

/* Begins handshake `number` of `caller` at a free place. */
static void
add_handshake (GstTfrcDtlsHandshakeLimit * self, GstTfrcDtlsHandshake * added,
    guint64 number, const GstTfrcUdpAddress * caller)
{
  *added = (GstTfrcDtlsHandshake) {number, *caller, 0, 0};
  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++) {
    GstTfrcDtlsHandshake *handshake = &self->handshakes[i];
    gboolean network, host;

    if (handshake->number == 0)
      continue;
    network = gst_tfrc_udp_address_same_network (&handshake->caller, caller);
    host = gst_tfrc_udp_address_same_host (&handshake->caller, caller);
    added->network += network;
    added->host += host;
    if (handshake == added)
      continue;
    handshake->network += network;
    handshake->host += host;
  }
}

static void
remove_handshake (GstTfrcDtlsHandshakeLimit * self,
    GstTfrcDtlsHandshake * removed)
{
  removed->number = 0;
  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++) {
    GstTfrcDtlsHandshake *handshake = &self->handshakes[i];

    if (handshake->number == 0)
      continue;
    handshake->network -= gst_tfrc_udp_address_same_network (&handshake->caller,
        &removed->caller);
    handshake->host -= gst_tfrc_udp_address_same_host (&handshake->caller,
        &removed->caller);
  }
}

/* The oldest handshake of whoever has most, when that is more than `own`; NULL: there is none. */
static GstTfrcDtlsHandshake *
find_victim (GstTfrcDtlsHandshakeLimit * self, guint own)
{
  GstTfrcDtlsHandshake *victim = NULL;
  guint most = own;

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++) {
    GstTfrcDtlsHandshake *handshake = &self->handshakes[i];
    guint weight = get_weight (handshake);

    if (weight > most || (victim != NULL && weight == most
            && handshake->number < victim->number)) {
      most = weight;
      victim = handshake;
    }
  }
  return victim;
}

guint64
gst_tfrc_dtls_handshake_limit_begin (GstTfrcDtlsHandshakeLimit * self,
    const GstTfrcUdpAddress * caller)
{
  GstTfrcDtlsHandshake *place = find (self, 0);

  if (place == NULL)
    place = find_victim (self, measure_weight (self, caller));
  if (place == NULL)
    return 0;
  if (place->number != 0)
    remove_handshake (self, place);
  add_handshake (self, place, ++self->last, caller);
  return self->last;
}

gboolean
gst_tfrc_dtls_handshake_limit_has (const GstTfrcDtlsHandshakeLimit * self,
    guint64 number)
{
  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    if (self->handshakes[i].number == number)
      return TRUE;
  return FALSE;
}

void
gst_tfrc_dtls_handshake_limit_end (GstTfrcDtlsHandshakeLimit * self,
    guint64 number)
{
  GstTfrcDtlsHandshake *handshake = number != 0 ? find (self, number) : NULL;

  if (handshake != NULL)
    remove_handshake (self, handshake);
}

guint
gst_tfrc_dtls_handshake_limit_count (const GstTfrcDtlsHandshakeLimit * self)
{
  guint n = 0;

  for (guint i = 0; i < GST_TFRC_DTLS_HANDSHAKES_MAX; i++)
    n += self->handshakes[i].number != 0;
  return n;
}
