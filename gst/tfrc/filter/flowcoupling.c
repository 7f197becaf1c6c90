/* gst-tfrc: a flow among those that share the rate of one flow (RFC 8699)
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/flowcoupling.h"

#include <math.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcflowcoupling", "coupled TFRC flows");

/* Voice of which nothing else is known gets this much before pictures get anything (bit/s of payload): PCMU, and
 * more than Opus needs. */
#define VOICE_BITRATE 64000
/* An encoder that goes up by steps needs to see the rate of the next step, which is twice that of the one before at
 * most. */
#define STEP 2
/* Packets/s that are assumed until packets are measured. */
#define DEFAULT_PACKET_RATE 50.0

struct _GstTfrcCouplingGroup
{
  gint references;              /* guarded by the lock of the table */
  gchar *name;                  /* in the table; NULL: in none */
  GMutex lock;                  /* guards what follows */
  TfrcCoupling coupling;
  guint serial;                 /* grows when a rate changes */
};

GType
gst_tfrc_coupling_kind_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_COUPLING_NONE, "Each flow takes a share of its own", "none"},
    {GST_TFRC_COUPLING_TRANSPORT,
        "The flows of the element take one share together", "transport"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcCoupling",
            values));
  return type;
}

/* --- groups --- */

static GMutex table_lock;
static GHashTable *table;       /* the groups with names; NULL: there never was one */

static GstTfrcCouplingGroup *
create_group (const gchar * name)
{
  GstTfrcCouplingGroup *group = g_new0 (GstTfrcCouplingGroup, 1);

  g_mutex_init (&group->lock);
  tfrc_coupling_init (&group->coupling, 0);
  group->name = g_strdup (name);
  return group;
}

static GstTfrcCouplingGroup *
find_group (const gchar * name)
{
  GstTfrcCouplingGroup *group;

  if (table == NULL)
    table = g_hash_table_new (g_str_hash, g_str_equal);
  group = g_hash_table_lookup (table, name);
  if (group == NULL) {
    group = create_group (name);
    g_hash_table_insert (table, group->name, group);
  }
  return group;
}

GstTfrcCouplingGroup *
gst_tfrc_coupling_group_get (const gchar * name)
{
  GstTfrcCouplingGroup *group;

  g_mutex_lock (&table_lock);
  group = name != NULL && name[0] != '\0' ? find_group (name) :
      create_group (NULL);
  group->references++;
  g_mutex_unlock (&table_lock);
  return group;
}

static void
free_group (GstTfrcCouplingGroup * group)
{
  if (group->name != NULL)
    g_hash_table_remove (table, group->name);
  g_mutex_clear (&group->lock);
  g_free (group->name);
  g_free (group);
}

void
gst_tfrc_coupling_group_unref (GstTfrcCouplingGroup * group)
{
  g_mutex_lock (&table_lock);
  if (--group->references == 0)
    free_group (group);
  g_mutex_unlock (&table_lock);
}

static void
ref_group (GstTfrcCouplingGroup * group)
{
  g_mutex_lock (&table_lock);
  group->references++;
  g_mutex_unlock (&table_lock);
}

/* --- what is wanted for a flow --- */

static void
read_priority (GstTfrcFlowWants * wants, const gchar * name)
{
  static const struct
  {
    const gchar *name;
    gdouble priority;
  } priorities[] = {
    {"very-low", TFRC_PRIORITY_VERY_LOW}, {"low", TFRC_PRIORITY_LOW},
    {"medium", TFRC_PRIORITY_MEDIUM}, {"high", TFRC_PRIORITY_HIGH},
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (priorities); i++)
    if (g_strcmp0 (name, priorities[i].name) == 0)
      wants->priority = priorities[i].priority;
}

void
gst_tfrc_flow_wants_read (GstTfrcFlowWants * wants, const GstStructure * caps)
{
  gboolean audio =
      g_strcmp0 (gst_structure_get_string (caps, "media"), "audio") == 0;

  *wants = (GstTfrcFlowWants) {
      .priority = audio ? TFRC_PRIORITY_HIGH : TFRC_PRIORITY_MEDIUM,
      .min_bitrate = audio ? VOICE_BITRATE : 0,
      .min_as_used = TRUE,
      .audio = audio,
  };
  read_priority (wants, gst_structure_get_string (caps, "tfrc-priority"));
  if (gst_structure_get_uint (caps, "tfrc-min-bitrate", &wants->min_bitrate))
    wants->min_as_used = FALSE;
  gst_structure_get_uint (caps, "tfrc-max-bitrate", &wants->max_bitrate);
}

/* bytes/s of segments for a bit rate of the payload */
static gdouble
get_segment_rate (guint bitrate, gdouble packet_rate, guint overhead)
{
  if (packet_rate <= 0)
    packet_rate = DEFAULT_PACKET_RATE;
  return bitrate / 8.0 + packet_rate * overhead;
}

static TfrcFlowDemand
make_demand (const GstTfrcFlowWants * wants, const TfrcFlowState * state,
    gdouble packet_rate, guint overhead)
{
  TfrcFlowDemand demand = { wants->priority, 0.0, INFINITY };

  if (demand.priority <= 0)
    demand.priority = TFRC_PRIORITY_MEDIUM;
  if (wants->min_bitrate > 0)
    demand.min = get_segment_rate (wants->min_bitrate, packet_rate, overhead);
  if (wants->min_as_used)
    demand.min = MIN (demand.min, STEP * state->X_used);
  if (wants->max_bitrate > 0)
    demand.max = get_segment_rate (wants->max_bitrate, packet_rate, overhead);
  return demand;
}

/* --- flows --- */

static void
remove_from_group (GstTfrcFlowCoupling * coupling, TfrcTime now)
{
  GstTfrcCouplingGroup *group = coupling->group;

  if (!coupling->joined)
    return;
  coupling->joined = FALSE;
  coupling->part = GST_TFRC_COUPLED_NO;
  g_mutex_lock (&group->lock);
  if (tfrc_coupling_remove (&group->coupling, coupling->number, now)
      & TFRC_COUPLING_RATES)
    group->serial++;
  GST_INFO ("group %s: flow %u leaves, %u are left", GST_STR_NULL (group->name),
      coupling->number, group->coupling.n);
  g_mutex_unlock (&group->lock);
}

static unsigned
leave (GstTfrcFlowCoupling * coupling, TfrcSender * sender, gdouble limit,
    TfrcTime now)
{
  gboolean joined = coupling->joined;

  remove_from_group (coupling, now);
  return joined && sender != NULL ?
      tfrc_sender_set_coupled_rate (sender, limit, now) : 0;
}

unsigned
gst_tfrc_flow_coupling_leave (GstTfrcFlowCoupling * coupling,
    TfrcSender * sender, TfrcTime now)
{
  g_clear_pointer (&coupling->video, g_free);
  return leave (coupling, sender, INFINITY, now);
}

void
gst_tfrc_flow_coupling_set_group (GstTfrcFlowCoupling * coupling,
    GstTfrcCouplingGroup * group, TfrcSender * sender, TfrcTime now)
{
  gst_tfrc_flow_coupling_leave (coupling, sender, now);
  if (group != NULL)
    ref_group (group);
  g_clear_pointer (&coupling->group, gst_tfrc_coupling_group_unref);
  coupling->group = group;
}

/* Called with the lock of the group. */
static unsigned
join_or_update (GstTfrcFlowCoupling * coupling, const TfrcFlowState * state,
    const TfrcFlowDemand * demand, TfrcTime now)
{
  TfrcCoupling *exchange = &coupling->group->coupling;
  gint number;

  if (coupling->joined)
    return tfrc_coupling_set_demand (exchange, coupling->number, demand, now)
        | tfrc_coupling_update (exchange, coupling->number, state, now);
  number = tfrc_coupling_add (exchange, demand, state, now);
  if (number < 0)
    return 0;
  coupling->joined = TRUE;
  coupling->number = number;
  coupling->serial = coupling->group->serial;   /* those that the flow changes by joining come next */
  GST_INFO ("group %s: flow %d of %u, priority %g, minimum %g, %g bytes/s",
      GST_STR_NULL (coupling->group->name), number, exchange->n,
      demand->priority, demand->min, demand->max);
  return TFRC_COUPLING_RATES;
}

/* A flow without a minimum leaves the queue of the path to those with one: voice that waits in it, or loses packets
 * with it, is of less use than pictures at a lower rate. */
static GstTfrcCoupled
find_part (const TfrcCoupling * exchange, guint number)
{
  gboolean first = FALSE, rest = FALSE;
  guint i;

  for (i = 0; i < TFRC_COUPLING_FLOWS; i++) {
    if (!exchange->flows[i].used)
      continue;
    first |= exchange->flows[i].demand.min > 0;
    rest |= exchange->flows[i].demand.min <= 0;
  }
  if (!first || !rest)
    return GST_TFRC_COUPLED_NO;
  return exchange->flows[number].demand.min > 0 ? GST_TFRC_COUPLED_FIRST :
      GST_TFRC_COUPLED_REST;
}

static gdouble
get_limit (const GstTfrcFlowCoupling * coupling)
{
  return coupling->part == GST_TFRC_COUPLED_REST && coupling->video != NULL ?
      tfrc_adapt_video_get_limit (coupling->video) : INFINITY;
}

/* A flow that gets the rest sends less than its portion while its packets make a queue. A flow without a minimum learns
 * the times of the empty path before a flow with one is there too, because afterwards the path may have a queue. */
static void
watch_queue (GstTfrcFlowCoupling * coupling, const TfrcSender * sender,
    TfrcTime now)
{
  TfrcAllowance allowance;

  if (coupling->video == NULL)
    coupling->video =
        tfrc_adapt_video_init (g_malloc0 (tfrc_adapt_video_size ()), now);
  tfrc_sender_get_allowance (sender, &allowance);
  if (coupling->part == GST_TFRC_COUPLED_REST)
    tfrc_adapt_video_on_allowance (coupling->video, &allowance,
        allowance.X_recv, now);
  else
    tfrc_adapt_video_on_unlimited (coupling->video, &allowance, now);
  GST_LOG ("limit %g bytes/s, X_recv %g, R %g",
      tfrc_adapt_video_get_limit (coupling->video), allowance.X_recv,
      allowance.R_sample);
}

unsigned
gst_tfrc_flow_coupling_update (GstTfrcFlowCoupling * coupling,
    TfrcSender * sender, gdouble packet_rate, guint overhead, TfrcTime now)
{
  GstTfrcCouplingGroup *group = coupling->group;
  TfrcFlowState state;
  TfrcFlowDemand demand;

  if (group == NULL)
    return 0;
  tfrc_sender_get_flow_state (sender, &state);
  /* Video that pauses goes on with the rate that left the queue to voice. */
  if (state.idle || state.reports == 0)
    return leave (coupling, sender, get_limit (coupling), now);
  demand = make_demand (&coupling->wants, &state, packet_rate, overhead);
  g_mutex_lock (&group->lock);
  if (join_or_update (coupling, &state, &demand, now) & TFRC_COUPLING_RATES)
    group->serial++;
  if (coupling->joined)
    coupling->part = find_part (&group->coupling, coupling->number);
  GST_LOG ("%p: S_CR %g of %u flows", group, group->coupling.S_CR,
      group->coupling.n);
  g_mutex_unlock (&group->lock);
  if (demand.min <= 0)
    watch_queue (coupling, sender, now);
  return gst_tfrc_flow_coupling_follow (coupling, sender, now);
}

unsigned
gst_tfrc_flow_coupling_follow (GstTfrcFlowCoupling * coupling,
    TfrcSender * sender, TfrcTime now)
{
  GstTfrcCouplingGroup *group = coupling->group;
  gdouble rate, limit;
  gboolean changed;

  if (!coupling->joined)
    return 0;
  g_mutex_lock (&group->lock);
  changed = coupling->serial != group->serial;
  coupling->serial = group->serial;
  rate = tfrc_coupling_get_rate (&group->coupling, coupling->number);
  if (changed)
    coupling->part = find_part (&group->coupling, coupling->number);
  g_mutex_unlock (&group->lock);
  limit = get_limit (coupling);
  changed |= limit != coupling->limit;
  coupling->limit = limit;
  return changed ? tfrc_sender_set_coupled_rate (sender, MIN (rate, limit),
      now) : 0;
}

void
gst_tfrc_flow_coupling_add_stats (const GstTfrcFlowCoupling * coupling,
    GstStructure * stats)
{
  GstTfrcCouplingGroup *group = coupling->group;
  gdouble S_CR, portion;
  guint n;

  if (!coupling->joined)
    return;
  g_mutex_lock (&group->lock);
  n = group->coupling.n;
  S_CR = group->coupling.S_CR;
  portion = tfrc_coupling_get_portion (&group->coupling, coupling->number);
  g_mutex_unlock (&group->lock);
  if (n > 1)
    gst_structure_set (stats, "coupled-flows", G_TYPE_UINT, n,
        "coupled-rate", G_TYPE_DOUBLE, 8 * S_CR,
        "coupled-portion", G_TYPE_DOUBLE, portion, NULL);
}
