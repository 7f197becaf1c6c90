/* libtfrc: the mean segment size s of the flow, and its initial window (RFC 5348 4.1, 4.2, RFC 4828 3)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "segment-size.h"

#include <math.h>

#include "../core/minmax.h"

/* Without losses the current loss interval does not end. When it has this many packets, and three times
 * as many as the intervals before it, all counts are halved. The mean stays the same, but follows an
 * encoder that changes its frame length. */
#define LONG_INTERVAL 1024.0

void
tfrc_segment_init (TfrcSegment * segment)
{
  *segment = (TfrcSegment) {.s_max = 0};
}

static void
fade (TfrcSegment * segment)
{
  segment->all_bytes = segment->all_packets = 0.0;
  for (unsigned i = 0; i < TFRC_SEGMENT_INTERVALS; i++) {
    segment->all_bytes += segment->bytes[i] /= 2.0;
    segment->all_packets += segment->packets[i] /= 2.0;
  }
}

void
tfrc_segment_add (TfrcSegment * segment, uint32_t size)
{
  segment->bytes[0] += size;
  segment->packets[0] += 1.0;
  segment->all_bytes += size;
  segment->all_packets += 1.0;
  if (size > segment->s_max)
    segment->s_max = size;
  if (segment->packets[0] >= LONG_INTERVAL
      && segment->packets[0] >= 0.75 * segment->all_packets)
    fade (segment);
}

/* RFC 5348 4.1, RFC 4828 3: s is the mean over at least the last four loss intervals. A rise of p tells
 * the sender that one has ended. */
void
tfrc_segment_on_loss_event (TfrcSegment * segment)
{
  const unsigned last = TFRC_SEGMENT_INTERVALS - 1;

  segment->all_bytes -= segment->bytes[last];
  segment->all_packets -= segment->packets[last];
  for (unsigned i = last; i > 0; i--) {
    segment->bytes[i] = segment->bytes[i - 1];
    segment->packets[i] = segment->packets[i - 1];
  }
  segment->bytes[0] = segment->packets[0] = 0.0;
}

double
tfrc_segment_get_mean (const TfrcSegment * segment, double unknown)
{
  if (!(segment->all_packets > 0.0))
    return unknown;
  return tfrc_max (segment->all_bytes / segment->all_packets, 1.0);
}

double
tfrc_segment_get_initial_window (uint32_t size)
{
  double mss = size;

  /* RFC 5348 4.2 */
  return tfrc_min (4.0 * mss, tfrc_max (2.0 * mss, 4380.0));
}
