/* libtfrc: writes and parses the report in the RTCP feedback packet (RFC 4585 6.1)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <tfrc/wire.h>

#include "big-endian.h"

#define RTCP_VERSION 2u
#define RTCP_PT_RTPFB 205u      /* RFC 4585 6.1 */
#define HEADER_SIZE 12u         /* bytes of a feedback packet before its FCI */

size_t
tfrc_report_write_fci (const TfrcReport * report,
    uint8_t fci[TFRC_REPORT_FCI_SIZE_MAX])
{
  put_u32 (fci, report->t_i_us);
  put_u32 (fci + 4, report->t_delay_us);
  put_u32 (fci + 8, report->x_recv_Bps);
  put_u32 (fci + 12, report->p_q32);
  if (!report->timed && !report->lists_arrivals)
    return TFRC_REPORT_FCI_SIZE;
  put_u32 (fci + 16, report->transit_us);
  if (!report->lists_arrivals)
    return TFRC_REPORT_FCI_SIZE_TIMED;
  put_u32 (fci + 20, report->arrivals);
  return TFRC_REPORT_FCI_SIZE_MAX;
}

TfrcParse
tfrc_report_parse_fci (TfrcReport * report, const uint8_t * fci, size_t size)
{
  if (size != TFRC_REPORT_FCI_SIZE && size != TFRC_REPORT_FCI_SIZE_TIMED
      && size != TFRC_REPORT_FCI_SIZE_MAX)
    return TFRC_PARSE_SIZE;
  report->t_i_us = get_u32 (fci);
  report->t_delay_us = get_u32 (fci + 4);
  report->x_recv_Bps = get_u32 (fci + 8);
  report->p_q32 = get_u32 (fci + 12);
  report->timed = size >= TFRC_REPORT_FCI_SIZE_TIMED;
  report->transit_us = report->timed ? get_u32 (fci + 16) : 0;
  report->lists_arrivals = size == TFRC_REPORT_FCI_SIZE_MAX;
  report->arrivals = report->lists_arrivals ? get_u32 (fci + 20) : 0;
  return TFRC_PARSE_OK;
}

size_t
tfrc_report_write (const TfrcReport * report, unsigned fmt,
    uint32_t sender_ssrc, uint32_t media_ssrc,
    uint8_t packet[TFRC_REPORT_SIZE_MAX])
{
  size_t size = HEADER_SIZE + tfrc_report_write_fci (report,
      packet + HEADER_SIZE);

  packet[0] = (uint8_t) (RTCP_VERSION << 6 | (fmt & 31u));
  packet[1] = RTCP_PT_RTPFB;
  put_u16 (packet + 2, (uint16_t) (size / 4 - 1));
  put_u32 (packet + 4, sender_ssrc);
  put_u32 (packet + 8, media_ssrc);
  return size;
}

TfrcParse
tfrc_report_parse (TfrcReport * report, unsigned fmt,
    uint32_t * sender_ssrc, uint32_t * media_ssrc, const uint8_t * packet,
    size_t size)
{
  size_t padding = 0;
  TfrcParse result;

  if (size < HEADER_SIZE)
    return TFRC_PARSE_SIZE;
  if (packet[0] >> 6 != RTCP_VERSION)
    return TFRC_PARSE_VERSION;
  if (packet[1] != RTCP_PT_RTPFB || (packet[0] & 31u) != fmt)
    return TFRC_PARSE_TYPE;
  if (4 * ((size_t) get_u16 (packet + 2) + 1) != size)
    return TFRC_PARSE_SIZE;
  /* RFC 3550 6.4.1: the last byte has the number of bytes of padding, with itself; a multiple of
   * four. */
  if (packet[0] & 0x20u) {
    padding = packet[size - 1];
    if (padding == 0 || padding % 4 != 0 || padding > size - HEADER_SIZE)
      return TFRC_PARSE_VERSION;
  }
  result = tfrc_report_parse_fci (report, packet + HEADER_SIZE,
      size - padding - HEADER_SIZE);
  if (result != TFRC_PARSE_OK)
    return result;
  *sender_ssrc = get_u32 (packet + 4);
  *media_ssrc = get_u32 (packet + 8);
  return TFRC_PARSE_OK;
}

uint32_t
tfrc_report_encode_p (double p)
{
  if (!(p > 0.0))
    return 0;
  /* 0 would say that there was no loss event. */
  if (p < 0x1p-32)
    return 1;
  return p < 1.0 ? (uint32_t) (p * 0x1p32) : UINT32_MAX;
}

double
tfrc_report_decode_p (uint32_t p_q32)
{
  return (double) p_q32 *0x1p-32;
}
