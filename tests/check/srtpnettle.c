/* gst-tfrc tests: the ciphers and the authentication that libsrtp is given
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The two functions by which libsrtp takes them are of this program here, so that the tests call what it would call. */
#include <gst/check/gstcheck.h>
#include <srtp2/auth.h>
#include <srtp2/cipher.h>
#include <srtp2/srtp.h>
#include <string.h>

#include "transport/srtpnettle.h"

#define BLOCK 16                /* bytes that AES encrypts at once */
#define SALT 14                 /* bytes behind the key */
#define SIZE 100                /* bytes of a packet */
#define TAG 20                  /* bytes of HMAC-SHA1 */

static const srtp_cipher_type_t *ciphers[2];    /* of 128 and of 256 bits */
static const srtp_auth_type_t *hmac;
static guint n_calls, refused;  /* the call that fails; 0: none */

static srtp_err_status_t
answer (void)
{
  return ++n_calls == refused ? srtp_err_status_algo_fail : srtp_err_status_ok;
}

srtp_err_status_t
srtp_replace_cipher_type (const srtp_cipher_type_t * type,
    srtp_cipher_type_id_t id)
{
  fail_unless (id == SRTP_AES_ICM_128 || id == SRTP_AES_ICM_256);
  fail_unless_equals_int (type->id, id);
  ciphers[id == SRTP_AES_ICM_256] = type;
  return answer ();
}

srtp_err_status_t
srtp_replace_auth_type (const srtp_auth_type_t * type, srtp_auth_type_id_t id)
{
  fail_unless_equals_int (id, SRTP_HMAC_SHA1);
  fail_unless_equals_int (type->id, id);
  hmac = type;
  return answer ();
}

/* What is freed next at `watched` has to be zeros. */
static const guint8 *watched;
static gsize watched_size;
static gboolean was_wiped;

void
g_free (gpointer mem)
{
  gsize i;

  if (mem != NULL && mem == watched) {
    for (i = 0, was_wiped = TRUE; i < watched_size; i++)
      was_wiped = was_wiped && watched[i] == 0;
    watched = NULL;
  }
  free (mem);
}

static void
watch (gconstpointer memory, gsize size)
{
  guint8 used = 0;
  gsize i;

  watched = memory;
  watched_size = size;
  for (i = 0; i < size; i++)
    used |= watched[i];
  fail_if (used == 0);
  was_wiped = FALSE;
}

static void
set_up (void)
{
  fail_unless (gst_tfrc_srtp_nettle_install ());
  fail_unless_equals_int (n_calls, 3);
}

GST_START_TEST (all_three_have_to_be_taken)
{
  guint i;

  for (i = 1; i <= 3; i++) {
    n_calls = 0;
    refused = i;
    fail_if (gst_tfrc_srtp_nettle_install ());
    fail_unless_equals_int (n_calls, 3);
  }
}

GST_END_TEST;

/* --- AES in counter mode --- */

static gint
get_key_size (guint bits)
{
  return (bits == 128 ? 16 : 32) + SALT;
}

/* The key of the test vector, which RFC 3711 B.2 and RFC 6188 7.1 print with its salt. */
static srtp_cipher_t *
new_cipher (guint bits)
{
  const srtp_cipher_type_t *type = ciphers[bits == 256];
  srtp_cipher_t *cipher = NULL;

  fail_unless_equals_int (type->alloc (&cipher, get_key_size (bits), 0),
      srtp_err_status_ok);
  fail_unless (cipher->type == type);
  fail_unless_equals_int (cipher->algorithm, type->id);
  fail_unless_equals_int (cipher->key_len, get_key_size (bits));
  fail_unless_equals_int (type->init (cipher->state, type->test_data->key),
      srtp_err_status_ok);
  return cipher;
}

static void
start_packet (srtp_cipher_t * cipher, guint8 last)
{
  guint8 iv[BLOCK] = { 0 };

  iv[3] = last;
  fail_unless_equals_int (cipher->type->set_iv (cipher->state, iv,
          srtp_direction_encrypt), srtp_err_status_ok);
}

static void
encrypt (srtp_cipher_t * cipher, guint8 * data, guint size)
{
  guint done = size;

  fail_unless_equals_int (cipher->type->encrypt (cipher->state, data, &done),
      srtp_err_status_ok);
  fail_unless_equals_int (done, size);
}

static const guint widths[] = { 128, 256 };

GST_START_TEST (the_key_stream_is_that_of_the_rfc)
{
  guint bits = widths[__i__];
  srtp_cipher_t *cipher = new_cipher (bits);
  const srtp_cipher_test_case_t *vector = cipher->type->test_data;
  guint8 data[2 * BLOCK];

  fail_unless_equals_int (vector->ciphertext_length_octets, sizeof data);
  fail_unless_equals_int (vector->key_length_octets, get_key_size (bits));
  start_packet (cipher, 0);
  memset (data, 0, sizeof data);
  encrypt (cipher, data, sizeof data);
  fail_unless (memcmp (data, vector->ciphertext, sizeof data) == 0);
  /* decrypting is the same */
  start_packet (cipher, 0);
  encrypt (cipher, data, sizeof data);
  fail_unless (data[0] == 0 && memcmp (data, data + 1, sizeof data - 1) == 0);
  fail_unless (cipher->type->decrypt == cipher->type->encrypt);
  cipher->type->dealloc (cipher);
}

GST_END_TEST;

/* Pieces of 1 to 40 bytes, within blocks and across them, are encrypted as the whole packet is. */
GST_START_TEST (pieces_go_on_where_the_last_one_ended)
{
  srtp_cipher_t *cipher = new_cipher (widths[__i__]);
  guint8 whole[SIZE], pieces[SIZE];
  guint piece, at;

  for (piece = 1; piece <= 40; piece++) {
    start_packet (cipher, piece);
    memset (whole, 0x55, SIZE);
    encrypt (cipher, whole, SIZE);
    /* the rest of a block of the packet before is not used */
    start_packet (cipher, piece);
    memset (pieces, 0x55, SIZE);
    for (at = 0; at < SIZE; at += MIN (piece, SIZE - at))
      encrypt (cipher, pieces + at, MIN (piece, SIZE - at));
    fail_unless (memcmp (whole, pieces, SIZE) == 0, "pieces of %u", piece);
    encrypt (cipher, pieces, 0);
    fail_unless (memcmp (whole, pieces, SIZE) == 0, "nothing after %u", piece);
  }
  cipher->type->dealloc (cipher);
}

GST_END_TEST;

/* RFC 3711 4.1.1: IV = (k_s * 2^16) XOR ... */
GST_START_TEST (the_iv_is_added_to_the_salt)
{
  guint bits = widths[__i__];
  srtp_cipher_t *one = new_cipher (bits), *other = new_cipher (bits);
  guint8 key[32 + SALT], iv[BLOCK] = { 0 }, a[SIZE] = { 0 }, b[SIZE] = { 0 };
  guint i;

  memcpy (key, one->type->test_data->key, get_key_size (bits));
  for (i = 0; i < SALT; i++) {
    iv[i] = 17 * i + 3;
    key[get_key_size (bits) - SALT + i] ^= iv[i];
  }
  one->type->set_iv (one->state, iv, srtp_direction_encrypt);
  encrypt (one, a, SIZE);
  other->type->init (other->state, key);
  start_packet (other, 0);
  encrypt (other, b, SIZE);
  fail_unless (memcmp (a, b, SIZE) == 0);
  one->type->dealloc (one);
  other->type->dealloc (other);
}

GST_END_TEST;

GST_START_TEST (a_new_key_leaves_nothing_of_the_last_packet)
{
  srtp_cipher_t *cipher = new_cipher (widths[__i__]);
  const srtp_cipher_test_case_t *vector = cipher->type->test_data;
  guint8 data[2 * BLOCK] = { 0 };

  start_packet (cipher, 9);
  encrypt (cipher, data, 5);
  cipher->type->init (cipher->state, vector->key);
  start_packet (cipher, 0);
  memset (data, 0, sizeof data);
  encrypt (cipher, data, sizeof data);
  fail_unless (memcmp (data, vector->ciphertext, sizeof data) == 0);
  cipher->type->dealloc (cipher);
}

GST_END_TEST;

GST_START_TEST (a_key_of_another_size_is_refused)
{
  guint bits = widths[__i__];
  srtp_cipher_t *cipher = NULL;
  gint size;

  for (size = 16; size < 60; size++)
    if (size != get_key_size (bits))
      fail_unless_equals_int (ciphers[bits == 256]->alloc (&cipher, size, 0),
          srtp_err_status_bad_param);
  fail_unless (cipher == NULL);
}

GST_END_TEST;

GST_START_TEST (a_key_is_wiped_when_its_cipher_goes)
{
  srtp_cipher_t *cipher = new_cipher (widths[__i__]);

  watch (cipher->state, 200);
  fail_unless_equals_int (cipher->type->dealloc (cipher), srtp_err_status_ok);
  fail_unless (was_wiped);
}

GST_END_TEST;

/* --- HMAC-SHA1 --- */

static srtp_auth_t *
new_hmac (const guint8 * key, gint key_size, gint tag_size)
{
  srtp_auth_t *auth = NULL;

  fail_unless_equals_int (hmac->alloc (&auth, key_size, tag_size),
      srtp_err_status_ok);
  fail_unless (auth->type == hmac);
  fail_unless_equals_int (auth->key_len, key_size);
  fail_unless_equals_int (auth->out_len, tag_size);
  fail_unless_equals_int (auth->prefix_len, 0);
  fail_unless_equals_int (hmac->init (auth->state, key, key_size),
      srtp_err_status_ok);
  return auth;
}

/* Starts, adds the data but for the last `last` bytes, and has the tag of all. */
static void
compute (srtp_auth_t * auth, const guint8 * data, gint size, gint last,
    guint8 tag[TAG])
{
  fail_unless_equals_int (hmac->start (auth->state), srtp_err_status_ok);
  fail_unless_equals_int (hmac->update (auth->state, data, size - last),
      srtp_err_status_ok);
  fail_unless_equals_int (hmac->compute (auth->state, data + size - last, last,
          auth->out_len, tag), srtp_err_status_ok);
}

GST_START_TEST (a_tag_is_that_of_the_rfc)
{
  const srtp_auth_test_case_t *vector = hmac->test_data;
  gint tag_size, last;

  for (tag_size = 1; tag_size <= TAG; tag_size++) {
    srtp_auth_t *auth = new_hmac (vector->key, vector->key_length_octets,
        tag_size);
    guint8 tag[TAG] = { 0 }, none[TAG] = { 0 };

    for (last = 0; last <= vector->data_length_octets; last++) {
      compute (auth, vector->data, vector->data_length_octets, last, tag);
      fail_unless (memcmp (tag, vector->tag, tag_size) == 0);
      fail_unless (memcmp (tag + tag_size, none, TAG - tag_size) == 0);
    }
    /* what was added before the start does not count */
    hmac->update (auth->state, vector->data, 3);
    compute (auth, vector->data, vector->data_length_octets, 0, tag);
    fail_unless (memcmp (tag, vector->tag, tag_size) == 0);
    hmac->dealloc (auth);
  }
}

GST_END_TEST;

/* RFC 2202 3, the second and the third one: a short key, and a long text. */
GST_START_TEST (tags_of_other_keys)
{
  static const guint8 jefe[] =
      { 0xef, 0xfc, 0xdf, 0x6a, 0xe5, 0xeb, 0x2f, 0xa2, 0xd2, 0x74,
    0x16, 0xd5, 0xf1, 0x84, 0xdf, 0x9c, 0x25, 0x9a, 0x7c, 0x79
  };
  static const guint8 dd[] =
      { 0x12, 0x5d, 0x73, 0x42, 0xb9, 0xac, 0x11, 0xcd, 0x91, 0xa3,
    0x9a, 0xf4, 0x8a, 0xa1, 0x7b, 0x4f, 0x63, 0xf1, 0x75, 0xd3
  };
  guint8 key[TAG], data[50], tag[TAG];
  srtp_auth_t *auth = new_hmac ((const guint8 *) "Jefe", 4, TAG);

  compute (auth, (const guint8 *) "what do ya want for nothing?", 28, 10, tag);
  fail_unless (memcmp (tag, jefe, TAG) == 0);
  hmac->dealloc (auth);
  memset (key, 0xaa, sizeof key);
  memset (data, 0xdd, sizeof data);
  auth = new_hmac (key, TAG, TAG);
  compute (auth, data, sizeof data, 10, tag);
  fail_unless (memcmp (tag, dd, TAG) == 0);
  hmac->dealloc (auth);
}

GST_END_TEST;

GST_START_TEST (a_key_or_a_tag_that_is_too_long_is_refused)
{
  srtp_auth_t *auth = NULL;

  fail_unless_equals_int (hmac->alloc (&auth, TAG + 1, 10),
      srtp_err_status_bad_param);
  fail_unless_equals_int (hmac->alloc (&auth, TAG, TAG + 1),
      srtp_err_status_bad_param);
  fail_unless (auth == NULL);
}

GST_END_TEST;

GST_START_TEST (a_key_is_wiped_when_its_hmac_goes)
{
  srtp_auth_t *auth = new_hmac ((const guint8 *) "Jefe", 4, TAG);

  watch (auth->state, 200);
  fail_unless_equals_int (hmac->dealloc (auth), srtp_err_status_ok);
  fail_unless (was_wiped);
}

GST_END_TEST;

static Suite *
srtpnettle_suite (void)
{
  Suite *s = suite_create ("srtpnettle");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, NULL);
  tcase_add_test (tc, all_three_have_to_be_taken);
  tcase_add_loop_test (tc, the_key_stream_is_that_of_the_rfc, 0, 2);
  tcase_add_loop_test (tc, pieces_go_on_where_the_last_one_ended, 0, 2);
  tcase_add_loop_test (tc, the_iv_is_added_to_the_salt, 0, 2);
  tcase_add_loop_test (tc, a_new_key_leaves_nothing_of_the_last_packet, 0, 2);
  tcase_add_loop_test (tc, a_key_of_another_size_is_refused, 0, 2);
  tcase_add_loop_test (tc, a_key_is_wiped_when_its_cipher_goes, 0, 2);
  tcase_add_test (tc, a_tag_is_that_of_the_rfc);
  tcase_add_test (tc, tags_of_other_keys);
  tcase_add_test (tc, a_key_or_a_tag_that_is_too_long_is_refused);
  tcase_add_test (tc, a_key_is_wiped_when_its_hmac_goes);
  return s;
}

GST_CHECK_MAIN (srtpnettle);
