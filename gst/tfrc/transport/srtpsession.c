/* gst-tfrc: SRTP of one direction with one key
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/srtpsession.h"

#include <srtp2/srtp.h>
#include <string.h>

#include "base/debugcategory.h"
#include "base/secret.h"
#include "transport/srtpnettle.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsrtpsession", "SRTP by libsrtp");

/* SSRCs of a generation. When it is full, the generation before it is given up. */
#define GENERATION 16
#define MAX_SPENT 4096

/* Packets that may come later than the latest one and are not taken for repeated ones: half a
 * second of a video of 2,000 packets a second. */
#define REPLAY_WINDOW 1024

#define RTP_HEADER_SIZE 12
#define RTCP_HEADER_SIZE 8
#define RTCP_INDEX_SIZE 4
#define RTP_SSRC_OFFSET 8
#define RTCP_SSRC_OFFSET 4

typedef struct
{
  srtp_t session;               /* NULL: not needed yet */
  guint n;
  guint32 ssrcs[GENERATION];    /* that the session has state of */
} Generation;

struct _GstTfrcSrtpSession
{
  srtp_policy_t policy;
  guint8 key[GST_TFRC_SRTP_KEY_SIZE_MAX];
  Generation generations[2];    /* the newest first; it is never full between two packets */
  GArray *spent;                /* SSRCs whose state was given up; NULL: none */
};

typedef srtp_err_status_t (*ProcessFunc) (srtp_t session, void *packet,
    int *size);

/* The srtp plugin of GStreamer, or somebody else in the process, may have initialized the library
 * before. srtp_init() fails then, and all is well; when it fails otherwise, srtp_create() does. */
static void
ensure_library (void)
{
  static gsize once = 0;
  srtp_err_status_t status;

  if (g_once_init_enter (&once)) {
    status = srtp_init ();
    GST_DEBUG ("%s: srtp_init() returns %d", srtp_get_version_string (),
        status);
    if (!gst_tfrc_srtp_nettle_install ())
      GST_INFO ("libsrtp keeps ciphers of its own");
    g_once_init_leave (&once, 1);
  }
}

/* --- policy --- */

static void
set_up_policy (srtp_policy_t * policy, const GstTfrcSrtpKeys * keys)
{
  gboolean short_tag = keys->auth == GST_TFRC_SRTP_HMAC_SHA1_32;

  switch (keys->cipher) {
    case GST_TFRC_SRTP_AES_128_ICM:
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80 (&policy->rtp);
      if (short_tag)
        srtp_crypto_policy_set_aes_cm_128_hmac_sha1_32 (&policy->rtp);
      srtp_crypto_policy_set_aes_cm_128_hmac_sha1_80 (&policy->rtcp);
      break;
    case GST_TFRC_SRTP_AES_256_ICM:
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80 (&policy->rtp);
      if (short_tag)
        srtp_crypto_policy_set_aes_cm_256_hmac_sha1_32 (&policy->rtp);
      srtp_crypto_policy_set_aes_cm_256_hmac_sha1_80 (&policy->rtcp);
      break;
    case GST_TFRC_SRTP_AES_128_GCM:
      srtp_crypto_policy_set_aes_gcm_128_16_auth (&policy->rtp);
      srtp_crypto_policy_set_aes_gcm_128_16_auth (&policy->rtcp);
      break;
    case GST_TFRC_SRTP_AES_256_GCM:
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtp);
      srtp_crypto_policy_set_aes_gcm_256_16_auth (&policy->rtcp);
      break;
  }
  policy->window_size = REPLAY_WINDOW;
}

GstTfrcSrtpSession *
gst_tfrc_srtp_session_new (const GstTfrcSrtpKeys * keys, gboolean outbound)
{
  GstTfrcSrtpSession *self = g_new0 (GstTfrcSrtpSession, 1);

  ensure_library ();
  memcpy (self->key, outbound ? keys->local : keys->remote, keys->size);
  set_up_policy (&self->policy, keys);
  self->policy.key = self->key;
  self->policy.ssrc.type = outbound ? ssrc_any_outbound : ssrc_any_inbound;
  return self;
}

static void
generation_clear (Generation * generation)
{
  if (generation->session != NULL)
    srtp_dealloc (generation->session);
  *generation = (Generation) {0};
}

void
gst_tfrc_srtp_session_free (GstTfrcSrtpSession * self)
{
  guint i;

  for (i = 0; i < G_N_ELEMENTS (self->generations); i++)
    generation_clear (&self->generations[i]);
  g_clear_pointer (&self->spent, g_array_unref);
  gst_tfrc_secret_wipe (self, sizeof *self);
  g_free (self);
}

/* --- SSRCs --- */

static gboolean
generation_has (const Generation * generation, guint32 ssrc)
{
  guint i;

  for (i = 0; i < generation->n; i++)
    if (generation->ssrcs[i] == ssrc)
      return TRUE;
  return FALSE;
}

static gboolean
is_spent (GstTfrcSrtpSession * self, guint32 ssrc)
{
  guint i;

  if (self->spent == NULL)
    return FALSE;
  if (self->spent->len >= MAX_SPENT)
    return TRUE;
  for (i = 0; i < self->spent->len; i++)
    if (g_array_index (self->spent, guint32, i) == ssrc)
      return TRUE;
  return FALSE;
}

/* The generation that has an SSRC, or the newest one for a new SSRC; NULL: it is refused. */
static Generation *
find_generation (GstTfrcSrtpSession * self, guint32 ssrc)
{
  Generation *newest = &self->generations[0];

  if (generation_has (newest, ssrc))
    return newest;
  if (generation_has (&self->generations[1], ssrc))
    return &self->generations[1];
  if (is_spent (self, ssrc))
    return NULL;
  if (newest->session == NULL && srtp_create (&newest->session,
          &self->policy) != srtp_err_status_ok) {
    GST_DEBUG ("libsrtp makes no session");
    newest->session = NULL;
    return NULL;
  }
  return newest;
}

/* The newest generation has state of this SSRC. */
static void
add_ssrc (GstTfrcSrtpSession * self, guint32 ssrc)
{
  Generation *newest = &self->generations[0], *former = &self->generations[1];

  if (generation_has (newest, ssrc) || generation_has (former, ssrc))
    return;
  GST_DEBUG ("the first packet of SSRC %08x", ssrc);
  newest->ssrcs[newest->n++] = ssrc;
  if (newest->n < GENERATION)
    return;
  if (former->n > 0 && self->spent == NULL)
    self->spent = g_array_new (FALSE, FALSE, sizeof (guint32));
  if (former->n > 0)
    g_array_append_vals (self->spent, former->ssrcs, former->n);
  generation_clear (former);
  *former = *newest;
  *newest = (Generation) {0};
}

/* --- packets --- */

static gboolean
process (GstTfrcSrtpSession * self, guint8 * data, gsize * size, guint offset,
    ProcessFunc func)
{
  guint32 ssrc = GST_READ_UINT32_BE (data + offset);
  Generation *generation = find_generation (self, ssrc);
  int length = *size;
  srtp_err_status_t status;

  if (generation == NULL)
    return FALSE;
  status = func (generation->session, data, &length);
  if (status != srtp_err_status_ok) {
    GST_LOG ("libsrtp refuses a packet of SSRC %08x: %d", ssrc, status);
    return FALSE;
  }
  *size = length;
  add_ssrc (self, ssrc);
  return TRUE;
}

gboolean
gst_tfrc_srtp_session_protect (GstTfrcSrtpSession * self, guint8 * data,
    gsize * size, gboolean rtcp)
{
  if (*size < (rtcp ? RTCP_HEADER_SIZE : RTP_HEADER_SIZE))
    return FALSE;
  return rtcp ? process (self, data, size, RTCP_SSRC_OFFSET,
      srtp_protect_rtcp) : process (self, data, size, RTP_SSRC_OFFSET,
      srtp_protect);
}

gboolean
gst_tfrc_srtp_session_unprotect (GstTfrcSrtpSession * self, guint8 * data,
    gsize * size, gboolean rtcp)
{
  gsize tag = rtcp ? self->policy.rtcp.auth_tag_len :
      self->policy.rtp.auth_tag_len;

  if (*size < tag + (rtcp ? RTCP_HEADER_SIZE + RTCP_INDEX_SIZE :
          RTP_HEADER_SIZE))
    return FALSE;
  return rtcp ? process (self, data, size, RTCP_SSRC_OFFSET,
      srtp_unprotect_rtcp) : process (self, data, size, RTP_SSRC_OFFSET,
      srtp_unprotect);
}

/* --- SSRCs of this end --- */

/* A permutation of the 32-bit numbers that leaves no likeness between neighbours (the final
 * steps of MurmurHash3). */
static guint32
permute (guint32 n)
{
  n ^= n >> 16;
  n *= 0x85ebca6b;
  n ^= n >> 13;
  n *= 0xc2b2ae35;
  return n ^ n >> 16;
}

guint32
gst_tfrc_srtp_draw_ssrc (void)
{
  static gsize once = 0;
  static gint next;
  guint32 ssrc;

  if (g_once_init_enter (&once)) {
    next = (gint) g_random_int ();
    g_once_init_leave (&once, 1);
  }
  do
    ssrc = permute ((guint32) g_atomic_int_add (&next, 1));
  while (ssrc == 0);            /* which means none */
  return ssrc;
}
