/* gst-tfrc: SRTP of tfrcsink and tfrcsrc by srtpenc and srtpdec
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/srtpelements.h"

#include <string.h>

#include "base/debugcategory.h"
#include "base/messages.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcsrtpelements", "SRTP of tfrcsink and tfrcsrc");

/* The warning is posted when this many packets arrived and none was authentic. A few may be
 * packets of an earlier call. */
#define WARNING_PACKETS 5

/* srtpdec keeps state for each SSRC that it ever saw. Beyond this number of SSRCs that never
 * sent an authentic packet, the state of the oldest is removed. */
#define MAX_PENDING 32

struct _GstTfrcSrtp
{
  GstElement *owner;            /* not owned */
  GstBuffer *key, *remote_key;
  GstTfrcSrtpCipher cipher;
  GstTfrcSrtpAuth auth;

  GstTfrcWarning warning;       /* under the owner's object lock */

  GMutex lock;                  /* protects what follows; nothing is called under it */
  guint64 arrived, authentic;
  GHashTable *trusted;          /* SSRCs that sent an authentic packet */
  guint pending[MAX_PENDING];   /* ring of the other SSRCs */
  guint n_pending, next_pending;
};

static void
wipe (gpointer user_data)
{
  GByteArray *key = user_data;

  memset (key->data, 0, key->len);
  g_byte_array_unref (key);
}

static GstBuffer *
new_key (const guint8 * data, guint size)
{
  GByteArray *key = g_byte_array_sized_new (size);

  g_byte_array_append (key, data, size);
  return gst_buffer_new_wrapped_full (GST_MEMORY_FLAG_READONLY, key->data,
      size, 0, size, key, wipe);
}

GstTfrcSrtp *
gst_tfrc_srtp_new (GstElement * owner, const GstTfrcSrtpSettings * settings,
    GstTfrcSrtpEnd end)
{
  GstTfrcSrtpKeys keys;
  gchar *error = gst_tfrc_srtp_keys_read (&keys, settings, end);
  GstTfrcSrtp *self;

  if (error != NULL) {
    GST_ELEMENT_ERROR (owner, RESOURCE, SETTINGS, ("%s", error), (NULL));
    g_free (error);
    return NULL;
  }
  self = g_new0 (GstTfrcSrtp, 1);
  self->owner = owner;
  self->key = new_key (keys.local, keys.size);
  self->remote_key = new_key (keys.remote, keys.size);
  self->cipher = keys.cipher;
  self->auth = keys.auth;
  gst_tfrc_srtp_keys_wipe (&keys);
  self->trusted = g_hash_table_new (NULL, NULL);
  g_mutex_init (&self->lock);
  GST_INFO_OBJECT (owner, "SRTP with %s",
      gst_tfrc_srtp_cipher_get_name (self->cipher));
  return self;
}

void
gst_tfrc_srtp_free (GstTfrcSrtp * self)
{
  gst_buffer_unref (self->key);
  gst_buffer_unref (self->remote_key);
  g_hash_table_unref (self->trusted);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static const gchar *
rtp_auth (GstTfrcSrtp * self)
{
  if (gst_tfrc_srtp_cipher_authenticates (self->cipher))
    return "null";
  return self->auth == GST_TFRC_SRTP_HMAC_SHA1_32 ? "hmac-sha1-32" :
      "hmac-sha1-80";
}

static const gchar *
rtcp_auth (GstTfrcSrtp * self)
{
  return gst_tfrc_srtp_cipher_authenticates (self->cipher) ? "null" :
      "hmac-sha1-80";
}

void
gst_tfrc_srtp_set_up_encoder (GstTfrcSrtp * self, GstElement * srtpenc)
{
  const gchar *cipher = gst_tfrc_srtp_cipher_get_name (self->cipher);

  g_object_set (srtpenc, "key", self->key, NULL);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtcp-cipher", cipher);
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtp-auth", rtp_auth (self));
  gst_util_set_object_arg (G_OBJECT (srtpenc), "rtcp-auth", rtcp_auth (self));
}

static GstCaps *
on_request_key (GstElement * srtpdec, guint ssrc, GstTfrcSrtp * self)
{
  const gchar *cipher = gst_tfrc_srtp_cipher_get_name (self->cipher);

  return gst_caps_new_simple ("application/x-srtp",
      "srtp-key", GST_TYPE_BUFFER, self->remote_key,
      "srtp-cipher", G_TYPE_STRING, cipher,
      "srtcp-cipher", G_TYPE_STRING, cipher,
      "srtp-auth", G_TYPE_STRING, rtp_auth (self),
      "srtcp-auth", G_TYPE_STRING, rtcp_auth (self), NULL);
}

/* Returns the SSRC of the sender of an RTP or RTCP packet. */
static guint
get_ssrc (GstBuffer * buffer, gboolean rtcp)
{
  guint8 data[4] = { 0, };

  gst_buffer_extract (buffer, rtcp ? 4 : 8, data, sizeof (data));
  return GST_READ_UINT32_BE (data);
}

/* Called under the lock. Returns TRUE, and in `forget` the oldest SSRC, when there are too
 * many. */
static gboolean
add_pending (GstTfrcSrtp * self, guint ssrc, guint * forget)
{
  gboolean full = self->n_pending == MAX_PENDING;
  guint i;

  for (i = 0; i < self->n_pending; i++)
    if (self->pending[i] == ssrc)
      return FALSE;
  *forget = self->pending[self->next_pending];
  self->pending[self->next_pending] = ssrc;
  self->next_pending = (self->next_pending + 1) % MAX_PENDING;
  if (!full)
    self->n_pending++;
  return full && !g_hash_table_contains (self->trusted,
      GUINT_TO_POINTER (*forget));
}

static void
note_arrival (GstTfrcSrtp * self, GstElement * srtpdec, guint ssrc)
{
  gboolean evict;
  guint64 unauthentic = 0;
  guint forget = 0;

  g_mutex_lock (&self->lock);
  self->arrived++;
  evict = !g_hash_table_contains (self->trusted, GUINT_TO_POINTER (ssrc)) &&
      add_pending (self, ssrc, &forget);
  if (self->authentic == 0 && self->arrived >= WARNING_PACKETS)
    unauthentic = self->arrived;
  g_mutex_unlock (&self->lock);

  GST_LOG_OBJECT (self->owner, "SRTP packet of SSRC %08x", ssrc);
  if (evict)
    g_signal_emit_by_name (srtpdec, "remove-key", forget);
  if (unauthentic > 0)
    gst_tfrc_warning_post (&self->warning, self->owner, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NOT_AUTHORIZED,
        "%" G_GUINT64_FORMAT " packets arrived and none is authentic with this "
        "key. Set \"srtp-key\", \"srtp-cipher\" and \"srtp-auth\" to the same "
        "values at both ends.", unauthentic);
}

static GstPadProbeReturn
on_rtp_arrival (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_arrival (user_data, GST_ELEMENT (GST_PAD_PARENT (pad)),
      get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), FALSE));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtcp_arrival (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_arrival (user_data, GST_ELEMENT (GST_PAD_PARENT (pad)),
      get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), TRUE));
  return GST_PAD_PROBE_OK;
}

static void
note_authentic (GstTfrcSrtp * self, guint ssrc)
{
  g_mutex_lock (&self->lock);
  self->authentic++;
  g_hash_table_add (self->trusted, GUINT_TO_POINTER (ssrc));
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_rtp_authentic (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_authentic (user_data, get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info),
          FALSE));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_rtcp_authentic (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  note_authentic (user_data, get_ssrc (GST_PAD_PROBE_INFO_BUFFER (info), TRUE));
  return GST_PAD_PROBE_OK;
}

static void
add_probe (GstElement * element, const gchar * name,
    GstPadProbeCallback callback, GstTfrcSrtp * self)
{
  GstPad *pad = gst_element_get_static_pad (element, name);

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, callback, self, NULL);
  gst_object_unref (pad);
}

void
gst_tfrc_srtp_set_up_decoder (GstTfrcSrtp * self, GstElement * srtpdec)
{
  g_signal_connect (srtpdec, "request-key", G_CALLBACK (on_request_key), self);
  add_probe (srtpdec, "rtp_sink", on_rtp_arrival, self);
  add_probe (srtpdec, "rtcp_sink", on_rtcp_arrival, self);
  add_probe (srtpdec, "rtp_src", on_rtp_authentic, self);
  add_probe (srtpdec, "rtcp_src", on_rtcp_authentic, self);
}

guint64
gst_tfrc_srtp_get_failures (GstTfrcSrtp * self)
{
  guint64 failures;

  g_mutex_lock (&self->lock);
  failures = self->arrived - self->authentic;
  g_mutex_unlock (&self->lock);
  return failures;
}
