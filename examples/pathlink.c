/* The path emulator: one direction of a path, as arithmetic on times
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pathlink.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

void
link_config_init (LinkConfig * config)
{
  memset (config, 0, sizeof *config);
  config->header = 28;
  config->loss_run = 1;
  config->reorder_ns = 20000000;
}

/* "number:number,..." in increasing order of the first. */
static bool
parse_schedule (LinkSchedule * schedule, const char *text, double scale)
{
  schedule->n = 0;
  while (schedule->n < LINK_MAX_STEPS) {
    char *end;
    double from = strtod (text, &end), value;
    if (end == text || *end != ':' || !(from >= 0))
      return false;
    text = end + 1;
    value = strtod (text, &end);
    if (end == text || (*end && *end != ',') || !(value >= 0))
      return false;
    LinkStep *step = &schedule->step[schedule->n];
    step->from = (uint64_t) (from * NS_PER_S);
    step->value = value * scale;
    if (schedule->n++ > 0 && step->from <= step[-1].from)
      return false;
    if (!*end)
      return true;
    text = end + 1;
  }
  return false;
}

bool
link_config_parse_capacity (LinkConfig * config, const char *text)
{
  return parse_schedule (&config->capacity, text, 1e3);
}

bool
link_config_parse_outages (LinkConfig * config, const char *text)
{
  if (!parse_schedule (&config->outages, text, NS_PER_S))
    return false;
  for (unsigned i = 0; i < config->outages.n; i++)
    config->outages.step[i].value += config->outages.step[i].from;
  return true;
}

bool
link_config_parse_queue (LinkConfig * config, const char *text)
{
  char *unit;
  double value = strtod (text, &unit);
  if (unit == text || !(value > 0))
    return false;
  if (strcmp (unit, "ms") == 0)
    config->queue_ns = (uint64_t) (value * 1e6);
  else if (strcmp (unit, "B") == 0)
    config->queue_bytes = (size_t) value;
  else
    return false;
  return true;
}

void
link_init (Link * link, const LinkConfig * config, uint64_t seed)
{
  memset (link, 0, sizeof *link);
  link->config = *config;
  link->random = seed;
}

/* splitmix64: a number in [0, 1). */
static double
draw (Link * link)
{
  uint64_t z = link->random += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double) ((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

/* Two states (Gilbert): in one every datagram is lost, in the other none. Runs have the
 * mean length loss_run, and the share of the losing state is loss. */
static bool
loses (Link * link)
{
  const LinkConfig *c = &link->config;
  if (c->loss <= 0)
    return false;
  if (c->loss_run <= 1)
    return draw (link) < c->loss;
  double leave = 1 / c->loss_run, enter =
      c->loss < 1 ? leave * c->loss / (1 - c->loss) : 1;
  link->losing = link->losing ? draw (link) >= leave : draw (link) < enter;
  return link->losing;
}

static bool
in_outage (const Link * link, uint64_t now)
{
  const LinkSchedule *outages = &link->config.outages;
  for (unsigned i = 0; i < outages->n; i++)
    if (now >= outages->step[i].from && (double) now < outages->step[i].value)
      return true;
  return false;
}

/* The step that holds at `now`; before the first one, the first. */
static unsigned
step_at (const LinkSchedule * schedule, uint64_t now)
{
  unsigned i = 0;
  while (i + 1 < schedule->n && schedule->step[i + 1].from <= now)
    i++;
  return i;
}

double
link_get_capacity (const Link * link, uint64_t now)
{
  const LinkSchedule *capacity = &link->config.capacity;
  return capacity->n ? capacity->step[step_at (capacity, now)].value : INFINITY;
}

/* When `bits` that start at `start` have left, through all changes of capacity. */
static uint64_t
finish_time (const Link * link, uint64_t start, double bits)
{
  const LinkSchedule *capacity = &link->config.capacity;
  if (capacity->n == 0)
    return start;
  for (unsigned i = step_at (capacity, start);; i++) {
    double rate = capacity->step[i].value;
    if (i + 1 == capacity->n)
      return rate >
          0 ? start + (uint64_t) (bits / rate * NS_PER_S) : LINK_NEVER;
    uint64_t end = capacity->step[i + 1].from;
    double fits = rate * (double) (end - start) / NS_PER_S;
    if (bits <= fits)
      return start + (uint64_t) (bits / rate * NS_PER_S);
    bits -= fits;
    start = end;
  }
}

static void
forget_sent (Link * link, uint64_t now)
{
  while (link->n_queued > 0 && link->queued[link->first].finish <= now) {
    link->bytes_queued -= link->queued[link->first].bytes;
    link->first = (link->first + 1) % LINK_MAX_QUEUED;
    link->n_queued--;
  }
}

/* Puts a datagram at the tail; LINK_NEVER when there is no room. */
static uint64_t
enqueue (Link * link, size_t bytes, uint64_t now)
{
  const LinkConfig *c = &link->config;
  forget_sent (link, now);
  uint64_t start = link->free_at > now ? link->free_at : now;
  uint64_t finish = finish_time (link, start, 8.0 * (double) bytes);
  if (finish == LINK_NEVER || link->n_queued == LINK_MAX_QUEUED
      || (c->queue_ns && start - now > c->queue_ns)
      || (c->queue_bytes && link->bytes_queued > 0
          && link->bytes_queued + bytes > c->queue_bytes))
    return LINK_NEVER;
  link->queued[(link->first + link->n_queued++) % LINK_MAX_QUEUED] =
      (LinkQueued) {finish, bytes};
  link->bytes_queued += bytes;
  link->free_at = finish;
  if (start - now > link->queue_max)
    link->queue_max = start - now;
  link->queue_sum += start - now;
  return finish;
}

unsigned
link_offer (Link * link, size_t size, uint64_t now, uint64_t due[2])
{
  const LinkConfig *c = &link->config;
  size_t bytes = size + c->header;
  link->offered_bytes += bytes;
  if (in_outage (link, now)) {
    link->outage_drops++;
    return 0;
  }
  if (loses (link)) {
    link->random_drops++;
    return 0;
  }
  uint64_t finish = enqueue (link, bytes, now);
  if (finish == LINK_NEVER) {
    link->tail_drops++;
    return 0;
  }
  link->packets++;
  link->carried_bytes += bytes;
  due[0] = due[1] = finish + c->delay;
  if (c->reorder > 0 && draw (link) < c->reorder)
    due[0] += c->reorder_ns;
  return c->duplicate > 0 && draw (link) < c->duplicate ? 2 : 1;
}

void
link_take_counts (Link * link, uint64_t period, uint64_t now,
    LinkCounts * counts)
{
  double s = (double) period / NS_PER_S;
  *counts = (LinkCounts) {
      .capacity = link_get_capacity (link, now),
      .offered = 8.0 * (double) link->offered_bytes / s,
      .carried = 8.0 * (double) link->carried_bytes / s,
      .queue_mean = link->packets ? (double) link->queue_sum / (double) link->packets / 1e6 : 0,
      .queue_max = (double) link->queue_max / 1e6,
      .tail_drops = link->tail_drops,
      .random_drops = link->random_drops,
      .outage_drops = link->outage_drops,
  };
  link->offered_bytes = link->carried_bytes = link->packets = 0;
  link->tail_drops = link->random_drops = link->outage_drops = 0;
  link->queue_sum = link->queue_max = 0;
}
