/* gst-tfrc: fingerprints of certificates, as two people exchange them
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/dtlsfingerprint.h"

#include <string.h>

#define ANY "any"
#define ALGORITHM "sha-256"

void
gst_tfrc_dtls_fingerprint_write (const guint8 * hash,
    gchar text[GST_TFRC_DTLS_FINGERPRINT_SIZE])
{
  guint i;

  for (i = 0; i < GST_TFRC_DTLS_HASH_SIZE; i++)
    g_snprintf (text + 3 * i, 4, "%02X:", hash[i]);
  text[GST_TFRC_DTLS_FINGERPRINT_SIZE - 1] = '\0';
}

/* Reads one fingerprint, which may have spaces around it. */
static gboolean
parse (const gchar * text, guint8 * hash)
{
  guint i;

  text += strspn (text, " \t\n");
  if (g_ascii_strncasecmp (text, ALGORITHM, strlen (ALGORITHM)) == 0)
    text += strlen (ALGORITHM);
  text += strspn (text, " \t\n");
  for (i = 0; i < GST_TFRC_DTLS_HASH_SIZE; i++) {
    if (!g_ascii_isxdigit (text[0]) || !g_ascii_isxdigit (text[1]))
      return FALSE;
    hash[i] = g_ascii_xdigit_value (text[0]) << 4 |
        g_ascii_xdigit_value (text[1]);
    text += 2;
    if (i < GST_TFRC_DTLS_HASH_SIZE - 1 && *text++ != ':')
      return FALSE;
  }
  return text[strspn (text, " \t\n")] == '\0';
}

static gboolean
is_any (const gchar * list)
{
  return g_ascii_strcasecmp (list, ANY) == 0;
}

gboolean
gst_tfrc_dtls_fingerprints_are_valid (const gchar * list)
{
  guint8 hash[GST_TFRC_DTLS_HASH_SIZE];
  gchar **parts;
  gboolean valid;
  guint i;

  if (is_any (list))
    return TRUE;
  parts = g_strsplit (list, ",", -1);
  valid = parts[0] != NULL;
  for (i = 0; valid && parts[i] != NULL; i++)
    valid = parse (parts[i], hash);
  g_strfreev (parts);
  return valid;
}

gboolean
gst_tfrc_dtls_fingerprints_have (const gchar * list, const gchar * fingerprint)
{
  guint8 wanted[GST_TFRC_DTLS_HASH_SIZE], hash[GST_TFRC_DTLS_HASH_SIZE];
  gchar **parts;
  gboolean found = FALSE;
  guint i;

  if (list == NULL || !parse (fingerprint, wanted))
    return FALSE;
  if (is_any (list))
    return TRUE;
  parts = g_strsplit (list, ",", -1);
  for (i = 0; !found && parts[i] != NULL; i++)
    found = parse (parts[i], hash) && memcmp (hash, wanted, sizeof hash) == 0;
  g_strfreev (parts);
  return found;
}
