/* libtfrc: parses RTCP feedback that lists which packets arrived, and when
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/arrival-feedback.h>

#include "big-endian.h"

/* --- draft-holmer-rmcat-transport-wide-cc-extensions-01 3.1 --- */

#define TWCC_HEADER 8u          /* bytes before the packet chunks */
#define TWCC_REFERENCE (64 * TFRC_MSEC) /* unit of the reference time, which has 24 bits */
#define TWCC_TICK (250 * (int64_t) TFRC_USEC)   /* unit of a receive delta */
#define PADDING_MAX 3u          /* bytes that fill the last word of the FCI */

/* The status of a packet, two bits in a chunk. */
typedef enum
{
  TWCC_NOT_RECEIVED = 0,
  TWCC_SMALL_DELTA = 1,         /* the receive delta is an unsigned byte */
  TWCC_LARGE_DELTA = 2,         /* the receive delta is a signed word of 16 bits */
  TWCC_RESERVED = 3
} TwccStatus;

/* Until the receive deltas are parsed, the field `ecn` of an entry has the status of the packet. */
static void
set_status (TfrcArrivalEntry * entry, unsigned status)
{
  *entry = (TfrcArrivalEntry) {
      .received = status != TWCC_NOT_RECEIVED,
      .timed = status != TWCC_NOT_RECEIVED,
      .ecn = (TfrcEcn) status};
}

/* The number of packets that a chunk has a status of. */
static unsigned
get_chunk_length (unsigned chunk)
{
  if ((chunk & 0x8000u) == 0)
    return chunk & 0x1FFFu;     /* run length chunk */
  return chunk & 0x4000u ? 7 : 14;      /* status vector chunk of two bits or of one bit a packet */
}

/* The status of packet `i` of a chunk. */
static unsigned
get_chunk_status (unsigned chunk, unsigned i)
{
  if ((chunk & 0x8000u) == 0)
    return chunk >> 13 & 3u;
  if (chunk & 0x4000u)
    return chunk >> (12 - 2 * i) & 3u;
  return chunk >> (13 - i) & 1u;
}

/* Parses the chunks from *offset on, and moves *offset behind them. What the last chunk has beyond the
 * n packets has no meaning. */
static TfrcParse
parse_chunks (TfrcArrivalFeedback * feedback, const uint8_t * fci, size_t size,
    size_t * offset)
{
  for (size_t done = 0; done < feedback->n; *offset += 2) {
    unsigned chunk;

    if (size - *offset < 2)
      return TFRC_PARSE_SIZE;
    chunk = get_u16 (fci + *offset);
    for (unsigned i = 0; i < get_chunk_length (chunk) && done < feedback->n;
        i++, done++) {
      if (get_chunk_status (chunk, i) == TWCC_RESERVED)
        return TFRC_PARSE_VALUE;
      set_status (&feedback->entries[done], get_chunk_status (chunk, i));
    }
  }
  return TFRC_PARSE_OK;
}

/* Each receive delta is the time since the arrival of the received packet before, in the order of the
 * sequence numbers; the first one is the time since the reference time. */
static TfrcParse
parse_deltas (TfrcArrivalFeedback * feedback, const uint8_t * fci, size_t size,
    size_t * offset)
{
  int64_t arrival = 0;

  for (size_t i = 0; i < feedback->n; i++) {
    TfrcArrivalEntry *entry = &feedback->entries[i];
    unsigned length = (unsigned) entry->ecn;    /* the status is the number of bytes of the delta */

    if (length == 0)
      continue;
    if (size - *offset < length)
      return TFRC_PARSE_SIZE;
    arrival += TWCC_TICK * (length == 1 ? fci[*offset]
        : (int16_t) get_u16 (fci + *offset));
    entry->arrival = arrival;
    entry->ecn = TFRC_ECN_NOT_ECT;
    *offset += length;
  }
  return TFRC_PARSE_OK;
}

TfrcParse
tfrc_arrival_feedback_parse_twcc (TfrcArrivalFeedback * feedback,
    const uint8_t * fci, size_t size)
{
  size_t offset = TWCC_HEADER;
  TfrcParse parse;

  if (size < TWCC_HEADER)
    return TFRC_PARSE_SIZE;
  feedback->begin_seq = (uint16_t) get_u16 (fci);
  feedback->n = get_u16 (fci + 2);
  feedback->T_base = (get_u32 (fci + 4) >> 8) * TWCC_REFERENCE;
  feedback->period = ((TfrcTime) 1 << 24) * TWCC_REFERENCE;
  feedback->T_base_is_report = false;
  feedback->counted = true;
  feedback->count = fci[7];
  if (feedback->n > feedback->room)
    return TFRC_PARSE_ROOM;
  parse = parse_chunks (feedback, fci, size, &offset);
  if (parse == TFRC_PARSE_OK)
    parse = parse_deltas (feedback, fci, size, &offset);
  if (parse == TFRC_PARSE_OK && size - offset > PADDING_MAX)
    return TFRC_PARSE_SIZE;
  return parse;
}

/* --- RFC 8888 3.1 --- */

#define CCFB_BLOCK_HEADER 8u    /* bytes of a report block before its metric blocks */
#define CCFB_TIMESTAMP 4u       /* bytes of the report timestamp at the end */
#define CCFB_PACKETS_MAX 16384u /* packets that a report block may be about */
/* Arrival time offsets have 13 bits and a unit of 1/1024 s. This one and the next stand for "longer ago"
 * and for "not known, or later than the report timestamp". */
#define CCFB_ATO_UNTIMED 0x1FFEu

/* The report timestamp is the middle of an NTP timestamp: 16 bits of seconds and 16 of fractions. */
static TfrcTime
get_report_time (uint32_t timestamp)
{
  return ((uint64_t) timestamp * TFRC_SEC) >> 16;
}

/* A metric block: bit R (received), two bits of ECN, and the arrival time offset (ATO) before the report
 * timestamp. */
static TfrcArrivalEntry
parse_metric (unsigned metric)
{
  TfrcArrivalEntry entry = { .received = false };
  unsigned ATO = metric & 0x1FFFu;

  if ((metric & 0x8000u) == 0)
    return entry;
  entry.received = true;
  entry.ecn = (TfrcEcn) (metric >> 13 & 3u);
  entry.timed = ATO < CCFB_ATO_UNTIMED;
  if (entry.timed)
    entry.arrival = -(int64_t) (ATO * TFRC_SEC / 1024);
  return entry;
}

static TfrcParse
parse_metrics (TfrcArrivalFeedback * feedback, const uint8_t * block)
{
  feedback->begin_seq = (uint16_t) get_u16 (block + 4);
  feedback->n = get_u16 (block + 6);
  if (feedback->n > feedback->room)
    return TFRC_PARSE_ROOM;
  for (size_t i = 0; i < feedback->n; i++)
    feedback->entries[i] =
        parse_metric (get_u16 (block + CCFB_BLOCK_HEADER + 2 * i));
  return TFRC_PARSE_OK;
}

/* Finds the first report block about `media_ssrc`; *found stays NULL if there is none. */
static TfrcParse
find_block (uint32_t media_ssrc, const uint8_t * data, size_t size,
    const uint8_t ** found)
{
  for (size_t offset = 0, length; offset < size; offset += length) {
    unsigned packets;

    if (size - offset < CCFB_BLOCK_HEADER)
      return TFRC_PARSE_SIZE;
    packets = get_u16 (data + offset + 6);
    if (packets > CCFB_PACKETS_MAX)
      return TFRC_PARSE_VALUE;
    /* An odd number of metric blocks is followed by two bytes of padding. */
    length = CCFB_BLOCK_HEADER + 4 * ((packets + 1u) / 2);
    if (length > size - offset)
      return TFRC_PARSE_SIZE;
    if (*found == NULL && get_u32 (data + offset) == media_ssrc)
      *found = data + offset;
  }
  return TFRC_PARSE_OK;
}

TfrcParse
tfrc_arrival_feedback_parse_ccfb (TfrcArrivalFeedback * feedback,
    uint32_t media_ssrc, const uint8_t * data, size_t size)
{
  const uint8_t *block = NULL;
  TfrcParse parse;

  if (size < CCFB_TIMESTAMP)
    return TFRC_PARSE_SIZE;
  size -= CCFB_TIMESTAMP;
  feedback->T_base = get_report_time (get_u32 (data + size));
  feedback->period = ((TfrcTime) 1 << 16) * TFRC_SEC;
  feedback->T_base_is_report = true;
  feedback->counted = false;
  feedback->count = 0;
  parse = find_block (media_ssrc, data, size, &block);
  if (parse != TFRC_PARSE_OK)
    return parse;
  return block ? parse_metrics (feedback, block) : TFRC_PARSE_NOT_FOUND;
}
