/* libtfrc: a program that links libtfrc and nothing else; libraries.py reads its symbols
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <tfrc/receiver.h>
#include <tfrc/sender.h>

/* One packet goes from a sender to a receiver. */
int
main (void)
{
  TfrcConfig config;
  TfrcSender *sender;
  TfrcReceiver *receiver;
  TfrcReceiverStats stats;
  TfrcPacket packet = { .size = 100, .stamped = true };

  tfrc_config_init (&config, TFRC_MODE_TFRC_SP);
  sender = tfrc_sender_init (malloc (tfrc_sender_size (&config)), &config, 0);
  receiver =
      tfrc_receiver_init (malloc (tfrc_receiver_size (&config)), &config, 0);
  tfrc_sender_on_departure (sender, packet.size, false, &packet.stamp,
      TFRC_MSEC);
  tfrc_receiver_on_packet (receiver, &packet, 2 * TFRC_MSEC);
  tfrc_receiver_get_stats (receiver, &stats);
  free (sender);
  free (receiver);
  return stats.packets == 1 ? 0 : 1;
}
