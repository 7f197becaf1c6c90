/* gst-tfrc: the sequence numbers that packets had before they departed
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/seqnumtranslation.h"

/* Packets that departed longer ago are taken for packets to come. */
#define REACH 0x4000

/* A step has at most so many packets, so that a number that has just departed is within REACH of the newest step. */
#define STEP_MAX (REACH / 2)

/* Whether the packet is one more of the newest step. */
static gboolean
continues_step (const GstTfrcSeqnumTranslation * map, guint16 original,
    guint16 departed)
{
  guint16 since_original = original - map->steps[map->newest].original;
  guint16 since_departed = departed - map->steps[map->newest].departed;

  return map->n > 0 && since_original == since_departed
      && since_departed < STEP_MAX;
}

void
gst_tfrc_seqnum_translation_add (GstTfrcSeqnumTranslation * map,
    guint16 original, guint16 departed)
{
  if (!continues_step (map, original, departed)) {
    map->newest = (map->newest + 1) % GST_TFRC_SEQUENCE_STEPS;
    map->steps[map->newest].original = original;
    map->steps[map->newest].departed = departed;
    map->n = MIN (map->n + 1, GST_TFRC_SEQUENCE_STEPS);
  }
  map->last = departed;
}

/* Whether `a` is `b` or comes after it, within REACH. */
static gboolean
is_after (guint16 a, guint16 b)
{
  return (guint16) (a - b) < REACH;
}

/* Walks from the newest step back to the one that `number` belongs to, which is an original number or one
 * of departure. `*end` is the number of departure behind the last packet of that step. */
static gint
find_step (const GstTfrcSeqnumTranslation * map, guint16 number,
    gboolean is_original, guint16 * end)
{
  guint i;

  *end = map->last + 1;
  for (i = 0; i < map->n; i++) {
    gint at = (map->newest + GST_TFRC_SEQUENCE_STEPS - i)
        % GST_TFRC_SEQUENCE_STEPS;

    if (is_after (number, is_original ? map->steps[at].original :
            map->steps[at].departed))
      return at;
    *end = map->steps[at].departed;
  }
  return -1;
}

gboolean
gst_tfrc_seqnum_translation_get_departed (const GstTfrcSeqnumTranslation * map,
    guint16 original, guint16 * departed)
{
  guint16 end;
  gint at = find_step (map, original, TRUE, &end);

  if (at < 0)
    return FALSE;
  *departed = map->steps[at].departed + (original - map->steps[at].original);
  return !is_after (*departed, end);
}

gboolean
gst_tfrc_seqnum_translation_get_original (const GstTfrcSeqnumTranslation * map,
    guint16 departed, guint16 * original)
{
  guint16 end;
  gint at = find_step (map, departed, FALSE, &end);

  if (at < 0 || is_after (departed, end))
    return FALSE;
  *original = map->steps[at].original + (departed - map->steps[at].departed);
  return TRUE;
}
