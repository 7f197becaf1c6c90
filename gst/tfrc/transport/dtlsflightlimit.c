/* gst-tfrc: limits how often GnuTLS sends a flight of DTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsflightlimit.h"

#define FLIGHT_TIME (100 * GST_MSECOND)

/* Where a record and the message in it have what tells them apart (RFC 6347 4.1, 4.2.2). */
#define EPOCH_OFFSET 3
#define MESSAGE_SEQ_OFFSET 17
#define FRAGMENT_OFFSET 19
#define MESSAGE_OFFSET 25
#define HANDSHAKE_RECORD 22


void
gst_tfrc_dtls_flight_limit_init (GstTfrcDtlsFlightLimit * self)
{
  *self = (GstTfrcDtlsFlightLimit) {
      .time = GST_CLOCK_TIME_NONE};
}

void
gst_tfrc_dtls_flight_limit_call (GstTfrcDtlsFlightLimit * self,
    GstClockTime now)
{
  self->now = now;
  self->begins = TRUE;
  self->muted = self->advanced = FALSE;
}

void
gst_tfrc_dtls_flight_limit_allow (GstTfrcDtlsFlightLimit * self)
{
  self->time = GST_CLOCK_TIME_NONE;
}

/* The kind of a record and, of a message of the handshake that can be read, its number and offset. */
static guint64
identify (const guint8 * data, gsize size)
{
  if (data[0] != HANDSHAKE_RECORD || size < MESSAGE_OFFSET ||
      data[EPOCH_OFFSET] != 0 || data[EPOCH_OFFSET + 1] != 0)
    return data[0];
  return data[0] | data[MESSAGE_SEQ_OFFSET + 1] << 8 |
      data[MESSAGE_SEQ_OFFSET] << 16 |
      (guint64) GST_READ_UINT24_BE (data + FRAGMENT_OFFSET) << 24;
}

gboolean
gst_tfrc_dtls_flight_limit_may_leave (GstTfrcDtlsFlightLimit * self,
    const guint8 * data, gsize size)
{
  guint64 record = identify (data, size);
  gboolean again = record == self->record;

  if (!again && !self->begins)
    return !self->muted;
  self->begins = FALSE;
  self->muted = again && GST_CLOCK_TIME_IS_VALID (self->time) &&
      self->now < self->time + FLIGHT_TIME;
  if (self->muted)
    return FALSE;
  self->advanced |= !again;
  self->record = record;
  self->time = self->now;
  return TRUE;
}
