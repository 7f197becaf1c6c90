/* gst-tfrc tests: keys that do not stay in memory once they were used
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#define _GNU_SOURCE
#include <gst/check/gstcheck.h>
#include <pthread.h>
#include <string.h>

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

static void *
read_keys (void *data)
{
  GstTfrcSrtpSettings settings = { .key = (gchar *) HEX };

  fail_unless (gst_tfrc_srtp_keys_read (data, &settings,
          GST_TFRC_SRTP_DATA_SENDER) == NULL);
  return NULL;
}

/* What HKDF extracts from the key, from which the keys of both directions could be had (RFC 5869 2.2). */
static void
extract (guint8 extracted[DIGEST_SIZE])
{
  GHmac *hmac = g_hmac_new (G_CHECKSUM_SHA256, (const guchar *) SALT,
      strlen (SALT));
  gsize size = DIGEST_SIZE;
  guint i;

  for (i = 0; i < KEY_SIZE; i++) {
    guint8 byte = i + (i < 16 ? 0 : 0xf0 - 16);

    g_hmac_update (hmac, &byte, 1);
  }
  g_hmac_get_digest (hmac, extracted, &size);
  g_hmac_unref (hmac);
}

/* The keys are read by a thread whose stack is the test's, in which nothing of them may be left. */
GST_START_TEST (what_keys_are_derived_from_is_not_left_on_the_stack)
{
  GstTfrcSrtpKeys *keys = g_new0 (GstTfrcSrtpKeys, 1);
  guint8 *stack, extracted[DIGEST_SIZE];
  pthread_attr_t attributes;
  pthread_t thread;

  fail_unless (posix_memalign ((void **) &stack, 4096, STACK_SIZE) == 0);
  memset (stack, 0, STACK_SIZE);
  pthread_attr_init (&attributes);
  fail_unless (pthread_attr_setstack (&attributes, stack, STACK_SIZE) == 0);
  fail_unless (pthread_create (&thread, &attributes, read_keys, keys) == 0);
  pthread_join (thread, NULL);
  pthread_attr_destroy (&attributes);
  fail_unless_equals_int (keys->size, KEY_SIZE);
  extract (extracted);
  fail_if (memmem (stack, STACK_SIZE, extracted, DIGEST_SIZE) != NULL);
  fail_if (memmem (stack, STACK_SIZE, keys->local, KEY_SIZE) != NULL);
  fail_if (memmem (stack, STACK_SIZE, keys->remote, KEY_SIZE) != NULL);
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
  tcase_add_test (tcase, what_keys_are_derived_from_is_not_left_on_the_stack);
  return suite;
}

GST_CHECK_MAIN (secret);
