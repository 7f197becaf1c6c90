/* The path emulator: one direction of a path, as arithmetic on times
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A link is a queue in front of a wire. Its capacity follows a schedule that is known
 * from the start, so the moment a datagram leaves the queue is known when it enters:
 * there is nothing to simulate, only a time to compute. */
#ifndef PATHLINK_H
#define PATHLINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LINK_MAX_STEPS 64
#define LINK_NEVER UINT64_MAX

typedef struct
{
  uint64_t from;                /* ns since the path's start */
  double value;                 /* bit/s, or the step's end in ns */
} LinkStep;

typedef struct
{
  unsigned n;
  LinkStep step[LINK_MAX_STEPS];
} LinkSchedule;

typedef struct
{
  LinkSchedule capacity;        /* bit/s from a time on; none: unlimited */
  LinkSchedule outages;         /* from, until (ns): all that enters is lost */
  uint64_t delay;               /* ns */
  uint64_t queue_ns;            /* longest wait, 0: no such bound */
  size_t queue_bytes;           /* most bytes waiting, 0: no such bound */
  unsigned header;              /* bytes of IP and UDP that each datagram costs */
  double loss;                  /* ratio of datagrams lost at random */
  double loss_run;              /* mean length of a run of losses, datagrams; 1: independent */
  double reorder;               /* ratio held back by reorder_ns */
  uint64_t reorder_ns;
  double duplicate;             /* ratio that arrives twice */
} LinkConfig;

typedef struct
{
  uint64_t finish;              /* ns: when its last bit leaves the queue */
  size_t bytes;
} LinkQueued;

#define LINK_MAX_QUEUED 4096

typedef struct
{
  LinkConfig config;
  uint64_t random;              /* state of the generator */
  bool losing;                  /* within a run of losses */
  uint64_t free_at;             /* ns: when the wire has sent all that was accepted */
  LinkQueued queued[LINK_MAX_QUEUED];
  unsigned first, n_queued;
  size_t bytes_queued;

  /* counters since the last link_take_counts() */
  uint64_t offered_bytes, carried_bytes, packets;
  uint64_t tail_drops, random_drops, outage_drops;
  uint64_t queue_sum, queue_max;        /* ns, over the accepted packets */
} Link;

typedef struct
{
  double capacity;              /* bit/s now */
  double offered, carried;      /* bit/s, headers counted */
  double queue_mean, queue_max; /* ms */
  uint64_t tail_drops, random_drops, outage_drops;
} LinkCounts;

void link_config_init (LinkConfig * config);
/* "0:200,20:48" (s:kbit/s), "20:10,50:0.4" (s:duration in s), "300ms" or "6000B". */
bool link_config_parse_capacity (LinkConfig * config, const char *text);
bool link_config_parse_outages (LinkConfig * config, const char *text);
bool link_config_parse_queue (LinkConfig * config, const char *text);

void link_init (Link * link, const LinkConfig * config, uint64_t seed);

/* A datagram of `size` bytes enters. Returns how many copies come out, 0 to 2, at the
 * times in `due`. */
unsigned link_offer (Link * link, size_t size, uint64_t now, uint64_t due[2]);

/* bit/s at `now`; INFINITY without a schedule. */
double link_get_capacity (const Link * link, uint64_t now);

/* The counters over the last `period` ns, which start anew. */
void link_take_counts (Link * link, uint64_t period, uint64_t now, LinkCounts * counts);

#endif
