/* gst-tfrc tests: keys that do not stay in memory once they were used
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include <fcntl.h>
#include <gst/check/gstcheck.h>
#include <nettle/hmac.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "base/secret.h"
#include "transport/srtpkeys.h"

#define HEX "000102030405060708090a0b0c0d0e0ff0f1f2f3f4f5f6f7f8f9fafbfcfd"
#define SALT "gst-tfrc SRTP"
#define KEY_SIZE 30
#define DIGEST_SIZE 32
#define STACK_SIZE (2 * 1024 * 1024)    /* more than ThreadSanitizer asks for */

GST_START_TEST (what_is_wiped_is_overwritten_and_no_more)
{
  guint8 bytes[6] = { 1, 2, 3, 4, 5, 6 };
  static const guint8 left[6] = { 1, 0, 0, 0, 0, 6 };

  gst_tfrc_secret_wipe (bytes + 1, 4);
  fail_unless (memcmp (bytes, left, sizeof bytes) == 0);
  gst_tfrc_secret_free (NULL);
}

GST_END_TEST;

/* Calls nothing else, which would overwrite what is left on the stack. */
static G_GNUC_NO_INLINE gboolean
read_keys (GstTfrcSrtpKeys * keys)
{
  GstTfrcSrtpSettings settings = { .key = (gchar *) HEX };

  return gst_tfrc_srtp_keys_read (keys, &settings,
      GST_TFRC_SRTP_DATA_SENDER) == NULL;
}

/* The texts that g_free() got since the last look, with zeros for what was wiped: how many are empty. */
static const gchar *watched[4];
static guint n_watched, n_wiped;

void
g_free (gpointer mem)
{
  guint i;

  for (i = 0; mem != NULL && i < n_watched; i++)
    if (mem == watched[i]) {
      n_wiped += memcmp (mem, (guint8[sizeof HEX]) {
          0}
          , sizeof HEX) == 0;
      watched[i] = NULL;
    }
  free (mem);
}

static void
set_text (GstTfrcSrtpSettings * settings, guint prop, const gchar * text)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_static_string (&value, text);
  fail_unless (gst_tfrc_srtp_settings_set (settings, prop, &value));
  g_value_unset (&value);
}

GST_START_TEST (a_key_is_wiped_when_another_takes_its_place)
{
  GstTfrcSrtpSettings settings;

  gst_tfrc_srtp_settings_init (&settings);
  set_text (&settings, GST_TFRC_SRTP_PROP_KEY, HEX);
  set_text (&settings, GST_TFRC_SRTP_PROP_REMOTE_KEY, HEX);
  watched[n_watched++] = settings.key;
  watched[n_watched++] = settings.remote_key;
  set_text (&settings, GST_TFRC_SRTP_PROP_KEY, HEX);
  fail_unless_equals_int (n_wiped, 1);
  set_text (&settings, GST_TFRC_SRTP_PROP_REMOTE_KEY, HEX);
  fail_unless_equals_int (n_wiped, 2);
  fail_unless_equals_string (settings.key, HEX);
  fail_unless_equals_string (settings.remote_key, HEX);
  watched[n_watched++] = settings.key;
  watched[n_watched++] = settings.remote_key;
  gst_tfrc_srtp_settings_clear (&settings);
  fail_unless_equals_int (n_wiped, 4);
  fail_unless (settings.key == NULL && settings.remote_key == NULL);
}

GST_END_TEST;

GST_START_TEST (keys_are_wiped_in_their_struct)
{
  GstTfrcSrtpKeys keys;
  guint8 none[sizeof keys] = { 0 };

  fail_unless (read_keys (&keys));
  gst_tfrc_srtp_keys_wipe (&keys);
  fail_unless (memcmp (&keys, none, sizeof keys) == 0);
}

GST_END_TEST;

/* What HKDF extracts from the key, from which the keys of both directions could be had (RFC 5869 2.2). */
static void
extract (const guint8 * key, guint8 extracted[DIGEST_SIZE])
{
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, (const guchar *) SALT,
      strlen (SALT));
  gsize size = DIGEST_SIZE;

  g_hmac_update (hmac, key, KEY_SIZE);
  g_hmac_get_digest (hmac, extracted, &size);
  g_hmac_unref (hmac);
}

/* HMAC keeps the states that its key leads to, with which it can be computed without the key. */
static gboolean
has_hmac (const guint8 * memory, const guint8 extracted[DIGEST_SIZE])
{
  struct hmac_sha256_ctx hmac;

  hmac_sha256_set_key (&hmac, DIGEST_SIZE, extracted);
  return memmem (memory, STACK_SIZE, hmac.inner.state,
      sizeof hmac.inner.state) != NULL
      || memmem (memory, STACK_SIZE, hmac.outer.state,
      sizeof hmac.outer.state) != NULL;
}

static guint8 *stack, *left;    /* of the thread; what it had when the keys were read */
static gint memory;             /* of this process, as a file */
static gssize n_left;           /* bytes */

/* Has no variables in memory: all that is below its frame is left over. The system copies it, which for valgrind makes
 * the copy initialised. */
static void *
read_keys_in_thread (void *keys)
{
  read_keys (keys);
  n_left = pread (memory, left, (guint8 *) __builtin_frame_address (0) - stack,
      (off_t) (guintptr) stack);
  return NULL;
}

/* The keys are read by a thread whose stack is the test's, in which nothing of them may be left. */
GST_START_TEST (what_keys_are_derived_from_is_not_left_on_the_stack)
{
  GstTfrcSrtpKeys *keys = g_new0 (GstTfrcSrtpKeys, 1);
  guint8 extracted[DIGEST_SIZE], key[KEY_SIZE];
  pthread_attr_t attributes;
  pthread_t thread;
  guint i;

  fail_unless (posix_memalign ((void **) &stack, 4096, STACK_SIZE) == 0);
  left = g_malloc0 (STACK_SIZE);
  memory = open ("/proc/self/mem", O_RDONLY);
  fail_unless (memory >= 0);
  pthread_attr_init (&attributes);
  fail_unless (pthread_attr_setstack (&attributes, stack, STACK_SIZE) == 0);
  fail_unless (pthread_create (&thread, &attributes, read_keys_in_thread,
          keys) == 0);
  pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
  fail_unless (n_left > STACK_SIZE / 2);
  close (memory);
  fail_unless_equals_int (keys->size, KEY_SIZE);
  for (i = 0; i < KEY_SIZE; i++)
    key[i] = i + (i < 16 ? 0 : 0xf0 - 16);
  extract (key, extracted);
  fail_if (memmem (left, STACK_SIZE, key, KEY_SIZE) != NULL);
  fail_if (has_hmac (left, extracted));
  fail_if (memmem (left, STACK_SIZE, extracted, DIGEST_SIZE) != NULL);
  fail_if (memmem (left, STACK_SIZE, keys->local, KEY_SIZE) != NULL);
  fail_if (memmem (left, STACK_SIZE, keys->remote, KEY_SIZE) != NULL);
  g_free (left);
  free (stack);
  g_free (keys);
}

GST_END_TEST;

static Suite *
secret_suite (void)
{
  Suite *suite = suite_create ("secret");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, what_is_wiped_is_overwritten_and_no_more);
  tcase_add_test (tcase, a_key_is_wiped_when_another_takes_its_place);
  tcase_add_test (tcase, keys_are_wiped_in_their_struct);
  tcase_add_test (tcase, what_keys_are_derived_from_is_not_left_on_the_stack);
  return suite;
}

GST_CHECK_MAIN (secret);
