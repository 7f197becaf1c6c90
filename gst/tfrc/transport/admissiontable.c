/* gst-tfrc: who sent a datagram, decided before anything else is spent on it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifdef _WIN32
#define _CRT_RAND_S             /* rand_s */
#endif
#include "transport/admissiontable.h"

#include <stdlib.h>
#include <string.h>
#ifndef G_OS_WIN32
#include <unistd.h>
#endif

/* Senders that are on probation at one time, and groups of hosts that have a bucket of
 * their own. Both are powers of two. At 10,000 random addresses a second a place on
 * probation lasts 100 ms on average: the five packets of a voice. */
#define CANDIDATES 1024
#define HOST_BUCKETS 256
/* A stranger that sends nothing for so long starts its probation anew. */
#define PROBATION_TIMEOUT (2 * GST_SECOND)

/* What is hashed: an address, and an SSRC that stands for itself or for none. */
typedef struct
{
  GstTfrcUdpAddress address;
  guint32 ssrc;
  guint32 has_ssrc;
} Key;

/* An address whose peers have SSRCs has an entry without a peer, too, that counts them. */
typedef struct
{
  Key key;
  guint32 hash;                 /* low bits of the hash of the key */
  gboolean used;                /* FALSE: the place is free */
  gboolean is_second;           /* another address of a peer that has an entry already */
  guint shared;                 /* peers that share the address */
  gpointer peer;
} Entry;

typedef struct
{
  guint64 hash;                 /* of address and SSRC, 0: nobody */
  GstClockTime time;            /* of the last datagram */
  guint count;
} Candidate;

/* Tokens are counted in ns of the time that one takes to come back. */
typedef struct
{
  GstClockTime time;            /* when it was filled up last */
  guint64 tokens;
} Bucket;

struct _GstTfrcAdmissionTable
{
  GstTfrcAdmissionTableSettings settings;
  guint64 secret[2];
  guint size;                   /* peers */
  guint mask;                   /* places of `entries` minus one */
  Bucket bucket;
  Bucket host_buckets[HOST_BUCKETS];
  Candidate candidates[CANDIDATES];
  GstTfrcAdmissionTableStats stats;
  Entry entries[];
};

#define ROTATE(x, n) ((x) << (n) | (x) >> (64 - (n)))

static inline void
sip_round (guint64 v[4])
{
  v[0] += v[1];
  v[2] += v[3];
  v[1] = ROTATE (v[1], 13) ^ v[0];
  v[3] = ROTATE (v[3], 16) ^ v[2];
  v[0] = ROTATE (v[0], 32);
  v[2] += v[1];
  v[0] += v[3];
  v[1] = ROTATE (v[1], 17) ^ v[2];
  v[3] = ROTATE (v[3], 21) ^ v[0];
  v[2] = ROTATE (v[2], 32);
}

/* SipHash-1-3 (Aumasson, Bernstein 2012) of whole words of 64 bits. */
static guint64
hash_words (const guint64 secret[2], const void *data, guint n_words)
{
  guint64 v[4] = { secret[0] ^ G_GUINT64_CONSTANT (0x736f6d6570736575),
    secret[1] ^ G_GUINT64_CONSTANT (0x646f72616e646f6d),
    secret[0] ^ G_GUINT64_CONSTANT (0x6c7967656e657261),
    secret[1] ^ G_GUINT64_CONSTANT (0x7465646279746573)
  };
  guint i;

  for (i = 0; i <= n_words; i++) {
    guint64 word = (guint64) (n_words * 8) << 56;

    if (i < n_words)
      memcpy (&word, (const guint8 *) data + 8 * i, 8);
    v[3] ^= word;
    sip_round (v);
    v[0] ^= word;
  }
  v[2] ^= 0xff;
  sip_round (v);
  sip_round (v);
  sip_round (v);
  return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static guint64
hash_key (const GstTfrcAdmissionTable * table, const Key * key)
{
  G_STATIC_ASSERT (sizeof (Key) == 32);
  return hash_words (table->secret, key, sizeof (*key) / 8);
}

static Entry *
find (GstTfrcAdmissionTable * table, const Key * key)
{
  guint32 hash = hash_key (table, key);
  guint i = hash & table->mask;

  for (; table->entries[i].used; i = (i + 1) & table->mask)
    if (table->entries[i].hash == hash &&
        memcmp (&table->entries[i].key, key, sizeof (*key)) == 0)
      return &table->entries[i];
  return NULL;
}

/* The key is not in the table, and the table is never full. */
static Entry *
insert (GstTfrcAdmissionTable * table, const Key * key)
{
  guint32 hash = hash_key (table, key);
  guint i = hash & table->mask;
  Entry *entry;

  while (table->entries[i].used)
    i = (i + 1) & table->mask;
  entry = &table->entries[i];
  entry->key = *key;
  entry->hash = hash;
  entry->used = TRUE;
  return entry;
}

/* Closes the gap: entries behind it move up to where they are found. */
static void
erase (GstTfrcAdmissionTable * table, Entry * entry)
{
  guint gap = entry - table->entries, i = gap;

  while (table->entries[i = (i + 1) & table->mask].used) {
    guint home = table->entries[i].hash & table->mask;

    if (((i - home) & table->mask) >= ((i - gap) & table->mask)) {
      table->entries[gap] = table->entries[i];
      gap = i;
    }
  }
  memset (&table->entries[gap], 0, sizeof (Entry));
}

/* Takes one token; FALSE: there is none. */
static gboolean
take_token (Bucket * bucket, guint rate, guint burst, GstClockTime now)
{
  guint64 token = GST_SECOND / MIN (rate, GST_SECOND);
  guint64 most = token * MAX (burst, 1);

  bucket->tokens = MIN (bucket->tokens, most);
  if (now > bucket->time) {
    bucket->tokens += MIN (most - bucket->tokens, now - bucket->time);
    bucket->time = now;
  }
  if (bucket->tokens < token)
    return FALSE;
  bucket->tokens -= token;
  return TRUE;
}

/* Counts the datagram; TRUE: its sender has sent enough. */
static gboolean
is_past_probation (GstTfrcAdmissionTable * table, const Key * key,
    GstClockTime now)
{
  guint64 hash = hash_key (table, key) | 1;
  Candidate *candidate = &table->candidates[(hash >> 1) % CANDIDATES];

  if (candidate->hash != hash || now > candidate->time + PROBATION_TIMEOUT) {
    candidate->hash = hash;
    candidate->count = 0;
  }
  candidate->time = now;
  if (++candidate->count < table->settings.probation)
    return FALSE;
  candidate->count = table->settings.probation;
  return TRUE;
}

static gboolean
take_host_token (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, GstClockTime now)
{
  guint64 group[2] = { 0, 0 };
  guint i;

  if (table->settings.host_rate == 0)
    return TRUE;
  memcpy (group, address->ip, gst_tfrc_udp_address_is_ipv4 (address) ? 15 : 8);
  i = hash_words (table->secret, group, 2) % HOST_BUCKETS;
  return take_token (&table->host_buckets[i], table->settings.host_rate,
      table->settings.host_burst, now);
}

static GstTfrcAdmissionVerdict
judge_stranger (GstTfrcAdmissionTable * table, const Key * key,
    GstClockTime now)
{
  if (table->settings.rate == 0)
    return GST_TFRC_ADMISSION_REFUSED;
  if (table->settings.probation > 1 && !is_past_probation (table, key, now))
    return GST_TFRC_ADMISSION_ON_PROBATION;
  if (!take_host_token (table, &key->address, now))
    return GST_TFRC_ADMISSION_HOST_LIMITED;
  if (!take_token (&table->bucket, table->settings.rate, table->settings.burst,
          now))
    return GST_TFRC_ADMISSION_LIMITED;
  return GST_TFRC_ADMISSION_ADMITTED;
}

GstTfrcAdmissionVerdict
gst_tfrc_admission_table_look_up (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc, GstClockTime now,
    gpointer * peer)
{
  Key key = { *address, 0, FALSE };
  GstTfrcAdmissionVerdict verdict = GST_TFRC_ADMISSION_KNOWN;
  Entry *entry = find (table, &key);

  key.ssrc = ssrc;
  key.has_ssrc = TRUE;
  if (entry != NULL && entry->shared > 0)
    entry = find (table, &key);
  *peer = entry != NULL ? entry->peer : NULL;
  if (entry == NULL)
    verdict = judge_stranger (table, &key, now);
  table->stats.verdicts[verdict]++;
  return verdict;
}

gboolean
gst_tfrc_admission_table_refuse_if_full (GstTfrcAdmissionTable * table)
{
  if (table->size < table->settings.max_peers)
    return FALSE;
  table->stats.verdicts[GST_TFRC_ADMISSION_ADMITTED]--;
  table->stats.verdicts[GST_TFRC_ADMISSION_REFUSED]++;
  return TRUE;
}

gboolean
gst_tfrc_admission_table_add (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, gpointer peer)
{
  Key key = { *address, 0, FALSE };

  g_return_val_if_fail (peer != NULL, FALSE);
  if (table->size >= table->settings.max_peers || find (table, &key) != NULL)
    return FALSE;
  insert (table, &key)->peer = peer;
  table->size++;
  return TRUE;
}

gboolean
gst_tfrc_admission_table_add_second (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, gpointer peer)
{
  Key key = { *address, 0, FALSE };
  Entry *entry;

  if (find (table, &key) != NULL)
    return FALSE;
  entry = insert (table, &key);
  entry->peer = peer;
  entry->is_second = TRUE;
  return TRUE;
}

gboolean
gst_tfrc_admission_table_add_ssrc (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc, gpointer peer)
{
  Key key = { *address, 0, FALSE }, own = { *address, ssrc, TRUE };
  Entry *entry = find (table, &key);

  g_return_val_if_fail (peer != NULL, FALSE);
  if (table->size >= table->settings.max_peers || find (table, &own) != NULL ||
      (entry != NULL && entry->shared == 0))
    return FALSE;
  if (entry == NULL)
    entry = insert (table, &key);
  entry->shared++;
  insert (table, &own)->peer = peer;
  table->size++;
  return TRUE;
}

gboolean
gst_tfrc_admission_table_move (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * from, const GstTfrcUdpAddress * to)
{
  Key old = { *from, 0, FALSE }, new = { *to, 0, FALSE };
  Entry *entry = find (table, &old), *other = find (table, &new);
  gboolean is_second;
  gpointer peer;

  if (entry == NULL || entry->shared > 0)
    return FALSE;
  if (other != NULL)
    return other == entry;
  peer = entry->peer;
  is_second = entry->is_second;
  erase (table, entry);
  entry = insert (table, &new);
  entry->peer = peer;
  entry->is_second = is_second;
  return TRUE;
}

gboolean
gst_tfrc_admission_table_remove (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address)
{
  Key key = { *address, 0, FALSE };
  Entry *entry = find (table, &key);

  if (entry == NULL || entry->shared > 0)
    return FALSE;
  table->size -= !entry->is_second;
  erase (table, entry);
  return TRUE;
}

gboolean
gst_tfrc_admission_table_remove_ssrc (GstTfrcAdmissionTable * table,
    const GstTfrcUdpAddress * address, guint32 ssrc)
{
  Key key = { *address, 0, FALSE }, own = { *address, ssrc, TRUE };
  Entry *entry = find (table, &own);

  if (entry == NULL)
    return FALSE;
  erase (table, entry);
  table->size--;
  entry = find (table, &key);
  if (--entry->shared == 0)
    erase (table, entry);
  return TRUE;
}

/* FALSE: the system has no random numbers that nobody can foretell. */
static gboolean
fill_with_entropy (gpointer bytes, gsize size)
{
#ifdef G_OS_WIN32
  guint8 *byte = bytes;
  unsigned number;

  for (; size > 0; size--, *byte++ = number)
    if (rand_s (&number) != 0)
      return FALSE;
  return TRUE;
#else
  return getentropy (bytes, size) == 0;
#endif
}

/* A peer takes up to two entries; the table is at most half full. */
static guint
count_places (guint max_peers)
{
  guint places = 16;

  while (places < 4 * max_peers)
    places *= 2;
  return places;
}

static gsize
get_memory (guint places)
{
  return sizeof (GstTfrcAdmissionTable) + places * sizeof (Entry);
}

GstTfrcAdmissionTable *
gst_tfrc_admission_table_new (const GstTfrcAdmissionTableSettings * settings)
{
  GstTfrcAdmissionTable *table;
  guint places, i;

  g_return_val_if_fail (settings->max_peers >= 1, NULL);
  g_return_val_if_fail (settings->max_peers <= 1000000, NULL);
  places = count_places (settings->max_peers);
  table = g_malloc0 (get_memory (places));
  table->settings = *settings;
  table->mask = places - 1;
  if (!fill_with_entropy (table->secret, sizeof (table->secret)))
    table->secret[0] = (guint64) g_random_int () << 32 | g_random_int ();
  table->bucket.tokens = G_MAXUINT64;
  for (i = 0; i < HOST_BUCKETS; i++)
    table->host_buckets[i].tokens = G_MAXUINT64;
  return table;
}

void
gst_tfrc_admission_table_free (GstTfrcAdmissionTable * table)
{
  g_free (table);
}

guint
gst_tfrc_admission_table_get_size (const GstTfrcAdmissionTable * table)
{
  return table->size;
}

gsize
gst_tfrc_admission_table_get_memory (const GstTfrcAdmissionTable * table)
{
  return get_memory (table->mask + 1);
}

void
gst_tfrc_admission_table_get_stats (const GstTfrcAdmissionTable * table,
    GstTfrcAdmissionTableStats * stats)
{
  *stats = table->stats;
}

const gchar *
gst_tfrc_admission_verdict_get_name (GstTfrcAdmissionVerdict verdict)
{
  static const gchar *const names[GST_TFRC_ADMISSION_VERDICTS] = {
    "known", "admitted", "on-probation", "host-limited", "limited", "refused"
  };

  return names[verdict];
}
