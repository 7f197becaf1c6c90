/* gst-tfrc: AES in counter mode and HMAC-SHA1 for libsrtp, by nettle
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/srtpnettle.h"

#include <nettle/aes.h>
#include <nettle/ctr.h>
#include <nettle/hmac.h>
#include <nettle/memxor.h>
#include <srtp2/auth.h>
#include <srtp2/cipher.h>
#include <srtp2/srtp.h>
#include <string.h>

#include "base/secret.h"

/* Bytes of the salt, which follows the key; RFC 3711 4.1.1: the last two bytes of the counter block count blocks. */
#define SALT 14

typedef struct
{
  srtp_cipher_t cipher;         /* what libsrtp sees */
  union
  {
    struct aes128_ctx aes128;
    struct aes256_ctx aes256;
  } key;
  nettle_cipher_func *encrypt;
  guint8 salt[AES_BLOCK_SIZE];
  guint8 counter[AES_BLOCK_SIZE];
  guint8 block[AES_BLOCK_SIZE]; /* of the key stream */
  guint used;                   /* bytes of `block`; AES_BLOCK_SIZE: all */
} Counter;

static const srtp_cipher_type_t aes_128, aes_256;

static srtp_err_status_t
allocate (srtp_cipher_pointer_t * cipher, const srtp_cipher_type_t * type,
    int key_size)
{
  Counter *self = g_new0 (Counter, 1);

  self->cipher.type = type;
  self->cipher.algorithm = type->id;
  self->cipher.key_len = key_size;
  self->cipher.state = self;
  *cipher = &self->cipher;
  return srtp_err_status_ok;
}

static srtp_err_status_t
allocate_128 (srtp_cipher_pointer_t * cipher, int key_size, int tag_size)
{
  return key_size == SRTP_AES_ICM_128_KEY_LEN_WSALT ?
      allocate (cipher, &aes_128, key_size) : srtp_err_status_bad_param;
}

static srtp_err_status_t
allocate_256 (srtp_cipher_pointer_t * cipher, int key_size, int tag_size)
{
  return key_size == SRTP_AES_ICM_256_KEY_LEN_WSALT ?
      allocate (cipher, &aes_256, key_size) : srtp_err_status_bad_param;
}

static srtp_err_status_t
dispose (srtp_cipher_pointer_t cipher)
{
  Counter *self = cipher->state;

  gst_tfrc_secret_wipe (self, sizeof *self);
  g_free (self);
  return srtp_err_status_ok;
}

static srtp_err_status_t
set_key_128 (void *state, const uint8_t * key)
{
  Counter *self = state;

  aes128_set_encrypt_key (&self->key.aes128, key);
  self->encrypt = (nettle_cipher_func *) aes128_encrypt;
  memcpy (self->salt, key + AES128_KEY_SIZE, SALT);
  return srtp_err_status_ok;
}

static srtp_err_status_t
set_key_256 (void *state, const uint8_t * key)
{
  Counter *self = state;

  aes256_set_encrypt_key (&self->key.aes256, key);
  self->encrypt = (nettle_cipher_func *) aes256_encrypt;
  memcpy (self->salt, key + AES256_KEY_SIZE, SALT);
  return srtp_err_status_ok;
}

/* libsrtp calls this before the first byte of each packet. */
static srtp_err_status_t
set_iv (void *state, uint8_t * iv, srtp_cipher_direction_t direction)
{
  Counter *self = state;

  memxor3 (self->counter, self->salt, iv, AES_BLOCK_SIZE);
  self->used = AES_BLOCK_SIZE;
  return srtp_err_status_ok;
}

/* Uses what is left of the key stream's block. Returns the number of bytes. */
static gsize
use_block (Counter * self, guint8 * data, gsize size)
{
  gsize n = MIN (size, AES_BLOCK_SIZE - self->used);

  memxor (data, self->block + self->used, n);
  self->used += n;
  return n;
}

/* Whole blocks go by without the copy in `block`; a call may end within a block, and the next one goes on there. */
static srtp_err_status_t
encrypt (void *state, uint8_t * data, unsigned int *size)
{
  Counter *self = state;
  gsize done = use_block (self, data, *size);
  gsize whole = (*size - done) / AES_BLOCK_SIZE * AES_BLOCK_SIZE;

  ctr_crypt (&self->key, self->encrypt, AES_BLOCK_SIZE, self->counter, whole,
      data + done, data + done);
  done += whole;
  if (done == *size)
    return srtp_err_status_ok;
  memset (self->block, 0, sizeof self->block);
  ctr_crypt (&self->key, self->encrypt, AES_BLOCK_SIZE, self->counter,
      AES_BLOCK_SIZE, self->block, self->block);
  self->used = 0;
  use_block (self, data + done, *size - done);
  return srtp_err_status_ok;
}

/* --- HMAC-SHA1 --- */

typedef struct
{
  srtp_auth_t auth;             /* what libsrtp sees */
  struct hmac_sha1_ctx hmac;
} Hmac;

static const srtp_auth_type_t hmac_sha1;

static srtp_err_status_t
allocate_hmac (srtp_auth_pointer_t * auth, int key_size, int tag_size)
{
  Hmac *self;

  if (key_size > SHA1_DIGEST_SIZE || tag_size > SHA1_DIGEST_SIZE)
    return srtp_err_status_bad_param;
  self = g_new0 (Hmac, 1);
  self->auth.type = &hmac_sha1;
  self->auth.state = self;
  self->auth.key_len = key_size;
  self->auth.out_len = tag_size;
  *auth = &self->auth;
  return srtp_err_status_ok;
}

static srtp_err_status_t
dispose_hmac (srtp_auth_pointer_t auth)
{
  Hmac *self = auth->state;

  gst_tfrc_secret_wipe (self, sizeof *self);
  g_free (self);
  return srtp_err_status_ok;
}

static srtp_err_status_t
set_hmac_key (void *state, const uint8_t * key, int size)
{
  hmac_sha1_set_key (&((Hmac *) state)->hmac, size, key);
  return srtp_err_status_ok;
}

/* Forgets what was added, and keeps the key. */
static srtp_err_status_t
start_hmac (void *state)
{
  struct hmac_sha1_ctx *hmac = &((Hmac *) state)->hmac;

  hmac->state = hmac->inner;
  return srtp_err_status_ok;
}

static srtp_err_status_t
update_hmac (void *state, const uint8_t * data, int size)
{
  hmac_sha1_update (&((Hmac *) state)->hmac, size, data);
  return srtp_err_status_ok;
}

static srtp_err_status_t
compute_hmac (void *state, const uint8_t * data, int size, int tag_size,
    uint8_t * tag)
{
  update_hmac (state, data, size);
  hmac_sha1_digest (&((Hmac *) state)->hmac, tag_size, tag);
  return srtp_err_status_ok;
}

/* --- test vectors, which libsrtp wants beside its own --- */

static const guint8 zeros[32];
static guint8 no_index[AES_BLOCK_SIZE];

/* RFC 3711 B.2, the first two blocks */
static const guint8 key_128[] = {
  0x2b, 0x7e, 0x15, 0x16, 0x28, 0xae, 0xd2, 0xa6,
  0xab, 0xf7, 0x15, 0x88, 0x09, 0xcf, 0x4f, 0x3c,
  0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
  0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd
};

static const guint8 stream_128[] = {
  0xe0, 0x3e, 0xad, 0x09, 0x35, 0xc9, 0x5e, 0x80,
  0xe1, 0x66, 0xb1, 0x6d, 0xd9, 0x2b, 0x4e, 0xb4,
  0xd2, 0x35, 0x13, 0x16, 0x2b, 0x02, 0xd0, 0xf7,
  0x2a, 0x43, 0xa2, 0xfe, 0x4a, 0x5f, 0x97, 0xab
};

/* RFC 6188 7.1, the first two blocks */
static const guint8 key_256[] = {
  0x57, 0xf8, 0x2f, 0xe3, 0x61, 0x3f, 0xd1, 0x70,
  0xa8, 0x5e, 0xc9, 0x3c, 0x40, 0xb1, 0xf0, 0x92,
  0x2e, 0xc4, 0xcb, 0x0d, 0xc0, 0x25, 0xb5, 0x82,
  0x72, 0x14, 0x7c, 0xc4, 0x38, 0x94, 0x4a, 0x98,
  0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
  0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd
};

static const guint8 stream_256[] = {
  0x92, 0xbd, 0xd2, 0x8a, 0x93, 0xc3, 0xf5, 0x25,
  0x11, 0xc6, 0x77, 0xd0, 0x8b, 0x55, 0x15, 0xa4,
  0x9d, 0xa7, 0x1b, 0x23, 0x78, 0xa8, 0x54, 0xf6,
  0x70, 0x50, 0x75, 0x6d, 0xed, 0x16, 0x5b, 0xac
};

static const srtp_cipher_test_case_t test_128 = {
  SRTP_AES_ICM_128_KEY_LEN_WSALT, key_128, no_index, sizeof zeros, zeros,
  sizeof stream_128, stream_128
};

static const srtp_cipher_test_case_t test_256 = {
  SRTP_AES_ICM_256_KEY_LEN_WSALT, key_256, no_index, sizeof zeros, zeros,
  sizeof stream_256, stream_256
};

static const srtp_cipher_type_t aes_128 = {
  .alloc = allocate_128,
  .dealloc = dispose,
  .init = set_key_128,
  .encrypt = encrypt,
  .decrypt = encrypt,
  .set_iv = set_iv,
  .description = "AES-128 counter mode by nettle",
  .test_data = &test_128,
  .id = SRTP_AES_ICM_128
};

static const srtp_cipher_type_t aes_256 = {
  .alloc = allocate_256,
  .dealloc = dispose,
  .init = set_key_256,
  .encrypt = encrypt,
  .decrypt = encrypt,
  .set_iv = set_iv,
  .description = "AES-256 counter mode by nettle",
  .test_data = &test_256,
  .id = SRTP_AES_ICM_256
};

/* RFC 2202 3, the first one */
static const guint8 key_hmac[] = {
  0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b,
  0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b, 0x0b
};
static const guint8 data_hmac[] = { 'H', 'i', ' ', 'T', 'h', 'e', 'r', 'e' };

static const guint8 tag_hmac[] = {
  0xb6, 0x17, 0x31, 0x86, 0x55, 0x05, 0x72, 0x64, 0xe2, 0x8b,
  0xc0, 0xb6, 0xfb, 0x37, 0x8c, 0x8e, 0xf1, 0x46, 0xbe, 0x00
};

static const srtp_auth_test_case_t test_hmac = {
  sizeof key_hmac, key_hmac, sizeof data_hmac, data_hmac, sizeof tag_hmac,
  tag_hmac
};

static const srtp_auth_type_t hmac_sha1 = {
  .alloc = allocate_hmac,
  .dealloc = dispose_hmac,
  .init = set_hmac_key,
  .compute = compute_hmac,
  .update = update_hmac,
  .start = start_hmac,
  .description = "HMAC-SHA1 by nettle",
  .test_data = &test_hmac,
  .id = SRTP_HMAC_SHA1
};

gboolean
gst_tfrc_srtp_nettle_install (void)
{
  gboolean installed_128 = srtp_replace_cipher_type (&aes_128,
      SRTP_AES_ICM_128) == srtp_err_status_ok;
  gboolean installed_256 = srtp_replace_cipher_type (&aes_256,
      SRTP_AES_ICM_256) == srtp_err_status_ok;
  gboolean installed_hmac = srtp_replace_auth_type (&hmac_sha1,
      SRTP_HMAC_SHA1) == srtp_err_status_ok;

  return installed_128 && installed_256 && installed_hmac;
}
