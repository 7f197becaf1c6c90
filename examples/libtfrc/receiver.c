/* libtfrc without GStreamer: receives what sender.c sends and reports on it, for twelve seconds
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * README.md says how it is built and run. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <tfrc/receiver.h>
#include <tfrc/wire.h>

#include "udp.h"

#define SSRC 0x87654321

int
main (int argc, char **argv)
{
  uint8_t rtp[1500], rtcp[TFRC_REPORT_SIZE_MAX];
  struct sockaddr_in local = { .sin_family = AF_INET }, remote = { 0 };
  socklen_t length = sizeof remote;
  int fd = socket (AF_INET, SOCK_DGRAM, 0);
  TfrcTime begin = get_time (), now = begin;
  TfrcConfig config;
  TfrcReceiver *receiver;
  TfrcReceiverStats stats;
  TfrcReport report;
  uint32_t media_ssrc = 0;
  ssize_t size;

  local.sin_port = htons (argc > 1 ? atoi (argv[1]) : 5004);
  if (bind (fd, (struct sockaddr *) &local, sizeof local) != 0)
    return perror ("bind"), 1;
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  receiver =
      tfrc_receiver_init (malloc (tfrc_receiver_size (&config)), &config, now);
  tfrc_receiver_set_report_interval (receiver, 20 * TFRC_MSEC, now);
  signal (SIGINT, on_interrupt);
  while (now - begin < 12 * TFRC_SEC && !interrupted) {
    TfrcTime timer = tfrc_receiver_next_timer (receiver), end =
        begin + 12 * TFRC_SEC;
    wait_for (fd, timer < end ? timer : end);
    now = get_time ();
    while ((size =
            recvfrom (fd, rtp, sizeof rtp, MSG_DONTWAIT,
                (struct sockaddr *) &remote, &length)) > 0) {
      TfrcPacket packet = { .size = size };
      if (size < 24 || rtp[0] != 0x90 || rtp[1] != 96)
        continue;
      packet.seq = rtp[2] << 8 | rtp[3];
      media_ssrc =
          (uint32_t) rtp[8] << 24 | rtp[9] << 16 | rtp[10] << 8 | rtp[11];
      packet.stamped =
          tfrc_stamp_parse_block (&packet.stamp, 1, rtp + 12,
          size - 12) == TFRC_PARSE_OK;
      tfrc_receiver_on_packet (receiver, &packet, now);
    }
    if (now >= timer)
      tfrc_receiver_on_timer (receiver, now);
    if (tfrc_receiver_wants_report (receiver)
        && tfrc_receiver_make_report (receiver, &report, now)) {
      size_t size =
          tfrc_report_write (&report, TFRC_REPORT_FMT, SSRC, media_ssrc, rtcp);

      sendto (fd, rtcp, size, 0, (struct sockaddr *) &remote, length);
    }
  }
  tfrc_receiver_get_stats (receiver, &stats);
  printf ("received %llu packets, lost %llu, %llu reports, p %.4f\n",
      (unsigned long long) stats.packets, (unsigned long long) stats.lost,
      (unsigned long long) stats.reports, stats.p);
  free (receiver);
  return stats.packets == 0 && !interrupted;
}
