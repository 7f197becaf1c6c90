/* libtfrc without GStreamer: sends RTP as fast as TFRC-SP allows, for ten seconds
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * README.md says how it is built and run. */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <tfrc/sender.h>
#include <tfrc/wire.h>

#include "udp.h"

#define SSRC 0x12345678

int
main (int argc, char **argv)
{
  uint8_t packet[24 + 160] = { 0x90, 96 }, rtcp[1500];
  struct sockaddr_in remote = { .sin_family = AF_INET };
  int fd = socket (AF_INET, SOCK_DGRAM, 0);
  TfrcTime begin = get_time (), now = begin, departure, timer;
  TfrcConfig config;
  TfrcSender *sender;
  TfrcSenderStats stats;
  TfrcReport report;
  TfrcStamp stamp;
  uint32_t from, about, seq = 0;
  ssize_t size;

  if (argc < 3 || inet_pton (AF_INET, argv[1], &remote.sin_addr) != 1)
    return fprintf (stderr, "usage: sender ADDRESS PORT\n"), 1;
  remote.sin_port = htons (atoi (argv[2]));
  if (connect (fd, (struct sockaddr *) &remote, sizeof remote) != 0)
    return perror (argv[1]), 1;
  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  sender = tfrc_sender_init (malloc (tfrc_sender_size (&config)), &config, now);
  signal (SIGINT, on_interrupt);
  while (now - begin < 10 * TFRC_SEC && !interrupted) {
    departure = tfrc_sender_next_departure (sender, sizeof packet);
    timer = tfrc_sender_next_timer (sender);
    wait_for (fd, departure < timer ? departure : timer);
    now = get_time ();
    while ((size = recv (fd, rtcp, sizeof rtcp, MSG_DONTWAIT)) > 0)
      if (tfrc_report_parse (&report, TFRC_REPORT_FMT, &from, &about, rtcp,
              size) == TFRC_PARSE_OK && about == SSRC)
        tfrc_sender_on_report (sender, &report, now);
    if (now >= timer)
      tfrc_sender_on_timer (sender, now);
    if (now < departure)
      continue;
    tfrc_sender_on_departure (sender, sizeof packet, true, &stamp, now);
    write_rtp_header (packet, seq++, (now - begin) / (TFRC_SEC / 8000), SSRC);
    tfrc_stamp_write_block (&stamp, 1, packet + 12, 12);
    send (fd, packet, sizeof packet, 0);
  }
  tfrc_sender_get_stats (sender, &stats);
  printf
      ("sent %llu packets, %llu reports, X %.0f bytes/s, R %.3f ms, p %.4f\n",
      (unsigned long long) stats.packets, (unsigned long long) stats.reports,
      stats.X, stats.R * 1000, stats.p);
  free (sender);
  return stats.reports == 0 && !interrupted;
}
