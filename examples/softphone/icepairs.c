/* gst-tfrc: the pairs of an ICE agent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "iceprivate.h"

#define COMPONENT 1
#define LOCAL_PREFERENCE 65535

/* RFC 8445 5.1.2.1, with the type preferences of 5.1.2.2 */
guint32
ice_get_type_priority (IceType type)
{
  static const guint32 preferences[] = { 126, 100, 110, 0 };

  return preferences[type] << 24 | LOCAL_PREFERENCE << 8 | (256 - COMPONENT);
}

/* RFC 8445 6.1.2.3 */
static guint64
get_pair_priority (Ice * ice, guint32 remote)
{
  guint64 own = ice_get_type_priority (ICE_HOST);
  guint64 g = ice->controlling ? own : remote;
  guint64 d = ice->controlling ? remote : own;

  return (MIN (g, d) << 32) + 2 * MAX (g, d) + (g > d);
}

void
ice_set_controlling (Ice * ice, bool controlling)
{
  guint i;

  ice->controlling = controlling;
  for (i = 0; i < ice->n_pairs; i++) {
    ice->pairs[i].priority =
        get_pair_priority (ice, ice->pairs[i].remote.priority);
    ice->pairs[i].nominates &= controlling;
  }
}

/* --- pairs --- */

static IcePair *
find_pair (Ice * ice, const gchar * host, guint port)
{
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    if (ice->pairs[i].remote.port == port
        && g_str_equal (ice->pairs[i].remote.host, host))
      return &ice->pairs[i];
  return NULL;
}

IcePair *
ice_add_pair (Ice * ice, const IceCandidate * remote)
{
  IcePair *pair = find_pair (ice, remote->host, remote->port);

  if (pair)
    return pair;
  if (ice->n_pairs == ICE_PAIRS_MAX)
    return NULL;
  pair = &ice->pairs[ice->n_pairs++];
  *pair = (IcePair) {.remote = *remote};
  pair->priority = get_pair_priority (ice, remote->priority);
  return pair;
}

gboolean
ice_pair_is_better (const IcePair * a, const IcePair * b)
{
  return !b || a->priority > b->priority;
}

/* Pairs that the remote checks come first. */
static IcePair *
find_waiting (Ice * ice)
{
  IcePair *best = NULL;
  guint i;

  for (i = 0; i < ice->n_pairs; i++) {
    IcePair *pair = &ice->pairs[i];

    if (pair->state == ICE_WAITING && (ice_pair_is_better (pair, best)
            ? !best || pair->triggered >= best->triggered
            : pair->triggered && !best->triggered))
      best = pair;
  }
  return best;
}

IcePair *
ice_find_next (Ice * ice)
{
  IcePair *next = find_waiting (ice);

  return next && ice->selected && !next->triggered ? NULL : next;
}

static IcePair *
find_best_succeeded (Ice * ice)
{
  IcePair *best = NULL;
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    if (ice->pairs[i].state == ICE_SUCCEEDED
        && ice_pair_is_better (&ice->pairs[i], best))
      best = &ice->pairs[i];
  return best;
}

gboolean
ice_may_be_better (Ice * ice, const IcePair * than)
{
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    if (ice->pairs[i].state < ICE_SUCCEEDED
        && ice_pair_is_better (&ice->pairs[i], than))
      return TRUE;
  return FALSE;
}

static gboolean
is_nominating (Ice * ice)
{
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    if (ice->pairs[i].nominates && ice->pairs[i].state < ICE_SUCCEEDED)
      return TRUE;
  return FALSE;
}

IcePair *
ice_find_nominee (Ice * ice)
{
  return ice->controlling && !ice->selected && !is_nominating (ice) ?
      find_best_succeeded (ice) : NULL;
}
