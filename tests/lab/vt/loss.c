/* lab: loss models of a path without a queue
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "loss.h"

#include <math.h>
#include <string.h>

double
lab_random_next (LabRandom * random)
{
  uint64_t z = (random->state += 0x9E3779B97F4A7C15u);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  z ^= z >> 31;
  return (double) (z >> 11) * 0x1p-53;
}

/* RFC 4828 B.1: every packet alike. */
static bool
bernoulli (LabLoss * loss, double wire_size, double now)
{
  (void) wire_size, (void) now;
  return lab_random_next (&loss->random) < loss->options->p;
}

/* RFC 4828 B.2: a packet is lost when one of its bytes is. */
static bool
byte (LabLoss * loss, double wire_size, double now)
{
  (void) now;
  return lab_random_next (&loss->random) <
      -expm1 (wire_size * log1p (-loss->options->b));
}

/* WBL04 4.1.2: 0.5 p and 1.5 p in turn. */
static bool
dynamic (LabLoss * loss, double wire_size, double now)
{
  (void) wire_size;
  bool high = fmod (now, 2 * loss->options->period) >= loss->options->period;
  return lab_random_next (&loss->random) <
      loss->options->p * (high ? 1.5 : 0.5);
}

/* WBL04 4.1.3: two states in time, not in packets; all is lost in the bad one.
 * The bad state lasts `burst` slots on average and holds a share p of the time. */
static bool
gilbert (LabLoss * loss, double wire_size, double now)
{
  (void) wire_size;
  double p = loss->options->p, leave_bad = 1 / loss->options->burst;
  double enter_bad = leave_bad * p / (1 - p);
  for (; loss->until <= now; loss->until += loss->options->period) {
    double draw = lab_random_next (&loss->random);
    loss->bad = loss->bad ? draw >= leave_bad : draw < enter_bad;
  }
  return loss->bad;
}

static bool
every (LabLoss * loss, double wire_size, double now)
{
  (void) wire_size, (void) now;
  return loss->options->every > 0
      && fmod ((double) loss->count, loss->options->every) == 0;
}

static const struct
{
  const char *name;
  bool (*drops) (LabLoss * loss, double wire_size, double now);
} models[] = {
  {"none", NULL}, {"bernoulli", bernoulli}, {"byte", byte}, {"dynamic",
      dynamic},
  {"gilbert", gilbert}, {"every", every}
};

static int
find_model (const char *name)
{
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
    if (strcmp (models[i].name, name) == 0)
      return (int) i;
  return -1;
}

bool
lab_loss_init (LabLoss * loss, const LabOptions * options, uint64_t seed)
{
  /* The engine draws its samples by the same kind of generator from the flow's seed: the two
   * must not be one sequence. */
  *loss = (LabLoss) {
      .options = options,
      .random = { seed * 0xD1342543DE82EF95u + 0x632BE59BD9B4E019u }};
  return find_model (options->loss) >= 0;
}

bool
lab_loss_drops (LabLoss * loss, double wire_size, double now)
{
  int model = find_model (loss->options->loss);
  loss->count++;
  return models[model].drops && models[model].drops (loss, wire_size, now);
}
