/* gst-tfrc: which fragments of handshake messages GnuTLS may see
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsfragmentcheck.h"

/* RFC 6347 4.1: type (1), version (2), epoch (2), sequence number (6), length (2) */
#define RECORD_HEADER 13
#define HANDSHAKE 22
/* RFC 6347 4.2.2: msg_type (1), length (3), message_seq (2), fragment_offset (3), fragment_length (3) */
#define FRAGMENT_HEADER 12
#define HELLO_VERIFY_REQUEST 3

/* An integer of `n` bytes in network byte order. */
static guint32
read_integer (const guint8 * data, guint n)
{
  guint32 value = 0;

  while (n-- > 0)
    value = value << 8 | *data++;
  return value;
}

/* Whether a fragment agrees with those of its type before. */
static gboolean
note_fragment (GstTfrcDtlsFragmentCheck * self, guint type, guint16 seq,
    guint32 length)
{
  if (type >= GST_TFRC_DTLS_TYPES)
    return FALSE;
  if (self->types[type].seen)
    return self->types[type].length == length
        && (self->types[type].seq == seq || type == HELLO_VERIFY_REQUEST);
  self->types[type].seen = TRUE;
  self->types[type].seq = seq;
  self->types[type].length = length;
  return TRUE;
}

/* Whether a fragment of `part` bytes may have that size and place. */
static gboolean
has_place (guint32 length, guint32 offset, guint32 part)
{
  if (offset > length || part > length - offset)
    return FALSE;
  return part == length || part > 1 || (part == 1 && offset > 0);
}

/* Returns the size of the first fragment with its header, or 0 when the fragment may not be passed on. */
static gsize
check_fragment (GstTfrcDtlsFragmentCheck * self, const guint8 * data,
    gsize size, guint32 message_max)
{
  guint32 length, part;

  if (size < FRAGMENT_HEADER)
    return 0;
  length = read_integer (data + 1, 3);
  part = read_integer (data + 9, 3);
  if (length > message_max || part > size - FRAGMENT_HEADER
      || !has_place (length, read_integer (data + 6, 3), part))
    return 0;
  return note_fragment (self, data[0], read_integer (data + 4, 2),
      length) ? FRAGMENT_HEADER + part : 0;
}

static gboolean
check_record (GstTfrcDtlsFragmentCheck * self, const guint8 * data,
    gsize size, guint32 message_max)
{
  while (size > 0) {
    gsize used = check_fragment (self, data, size, message_max);

    if (used == 0)
      return FALSE;
    data += used;
    size -= used;
  }
  return TRUE;
}

gboolean
gst_tfrc_dtls_fragment_check_may_pass (GstTfrcDtlsFragmentCheck * self,
    const guint8 * data, gsize size, guint32 message_max)
{
  while (size >= RECORD_HEADER) {
    gsize length = read_integer (data + 11, 2);
    guint epoch = read_integer (data + 3, 2);

    data += RECORD_HEADER;
    size -= RECORD_HEADER;
    if (length > size)
      return FALSE;
    if (data[-RECORD_HEADER] == HANDSHAKE && epoch == 0
        && !check_record (self, data, length, message_max))
      return FALSE;
    data += length;
    size -= length;
  }
  return size == 0;
}
