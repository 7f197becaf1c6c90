/* lab: the engine's receiver driven by a recorded trace
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * FILE.packets.csv holds seq, t_send_s, lost; FILE.csv a report a line, its
 * second column the time at which the recorded receiver made it. */
#include "replay.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <tfrc/receiver.h>
#include <tfrc/wire.h>

typedef struct
{
  const LabOptions *options;
  TfrcReceiver *receiver;
  FILE *packets;
  bool more;
  double t_send;                /* s: of the packet that comes next */
  unsigned seq, lost;
  unsigned missing[64], n_missing;      /* detect=1: lost since the last arrival */
} Replay;

static FILE *
open_table (const char *stem, const char *suffix)
{
  char name[1024], line[1024];
  snprintf (name, sizeof name, "%s%s", stem, suffix);
  FILE *file = fopen (name, "r");
  if (!file || !fgets (line, sizeof line, file)) {
    fprintf (stderr, "lab-vt: cannot read %s\n", name);
    exit (2);
  }
  return file;
}

static void
read_packet (Replay * replay)
{
  char line[256];
  replay->more = fgets (line, sizeof line, replay->packets)
      && sscanf (line, "%u,%lf,%u", &replay->seq, &replay->t_send,
      &replay->lost) == 3;
}

static void
put_missing (Replay * replay)
{
  unsigned most = sizeof replay->missing / sizeof replay->missing[0];
  if (replay->options->detect == 1 && replay->n_missing < most)
    replay->missing[replay->n_missing++] = replay->seq;
}

/* With detect=1 what is missing comes as marks, by the packet that shows it. */
static void
deliver (Replay * replay, TfrcPacket packet, TfrcTime now)
{
  TfrcPacket mark = packet;
  mark.size = 1;
  mark.ce = true;
  for (unsigned i = 0; i < replay->n_missing; i++) {
    mark.seq = (uint16_t) replay->missing[i];
    tfrc_receiver_on_packet (replay->receiver, &mark, now);
  }
  replay->n_missing = 0;
  tfrc_receiver_on_packet (replay->receiver, &packet, now);
}

static void
deliver_until (Replay * replay, double now)
{
  double delay = replay->options->rtt / 2;
  for (; replay->more && replay->t_send + delay <= now + 1e-9;
      read_packet (replay)) {
    TfrcPacket packet = {
      .seq = (uint16_t) replay->seq,
      .stamped = true,
      .size = (uint32_t) replay->options->size
    };
    packet.stamp.rtt_us =
        tfrc_stamp_encode_rtt ((TfrcTime) (replay->options->rtt * 1e9));
    packet.stamp.t_i_us = (uint32_t) (uint64_t) (replay->t_send * 1e6);
    if (replay->lost)
      put_missing (replay);
    else
      deliver (replay, packet,
          (TfrcTime) llround ((replay->t_send + delay) * 1e9));
  }
}

int
lab_replay_run (const LabOptions * options, const TfrcConfig * config)
{
  Replay replay = {
    .options = options,
    .packets = open_table (options->file, ".packets.csv")
  };
  FILE *reports = open_table (options->file, ".csv");
  void *block = calloc (1, tfrc_receiver_size (config));
  char line[2048];
  double t_sent;
  unsigned k;

  replay.receiver = tfrc_receiver_init (block, config, 0);
  read_packet (&replay);
  while (fgets (line, sizeof line, reports)
      && sscanf (line, "%u,%lf", &k, &t_sent) == 2) {
    TfrcReceiverStats stats;
    TfrcReport report;
    deliver_until (&replay, t_sent);
    tfrc_receiver_make_report (replay.receiver, &report,
        (TfrcTime) llround (t_sent * 1e9));
    tfrc_receiver_get_stats (replay.receiver, &stats);
    printf ("report%u p %.9g\n", k, stats.p);
  }
  fclose (reports);
  fclose (replay.packets);
  free (block);
  return 0;
}
