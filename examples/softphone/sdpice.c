/* gst-tfrc: ICE in the SDP of a call, RFC 8839
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <stdlib.h>
#include <string.h>

#include "sdp.h"

#define UFRAG_MIN 4             /* characters, RFC 8839 5.4 */
#define PWD_MIN 22
#define LINES_MAX 64            /* of candidates, that are read */

static const gchar *types[] = { "host", "srflx", "prflx", "relay" };

static gboolean
is_credential (const gchar * text, gsize least)
{
  gsize length = text ? strlen (text) : 0;

  return length >= least && length <= ICE_CREDENTIAL_MAX
      && strspn (text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
      "0123456789+/") == length;
}

static guint
get_number (const gchar * word, guint64 max)
{
  guint64 number;

  return g_ascii_string_to_unsigned (word, 10, 1, max, &number, NULL) ?
      (guint) number : 0;
}

/* "FOUNDATION COMPONENT UDP PRIORITY ADDRESS PORT typ TYPE ...". Others than those of RTP over UDP are left out: with
 * a=rtcp-mux RTCP has no component of its own. */
static void
parse_candidate (IceSide * ice, const gchar * value)
{
  gchar **words = g_strsplit (value, " ", 9);
  IceCandidate *candidate = &ice->candidates[ice->n_candidates];
  guint i;

  if (g_strv_length (words) >= 8 && g_str_equal (words[1], "1")
      && g_ascii_strcasecmp (words[2], "udp") == 0
      && sdp_read_unicast (candidate->host, sizeof candidate->host, words[4])
      && g_str_equal (words[6], "typ")) {
    candidate->priority = get_number (words[3], G_MAXUINT32);
    candidate->port = get_number (words[5], G_MAXUINT16);
    for (i = 0; i < G_N_ELEMENTS (types); i++)
      if (g_str_equal (words[7], types[i]) && candidate->priority != 0
          && candidate->port != 0) {
        candidate->type = i;
        ice->n_candidates++;
        break;
      }
  }
  g_strfreev (words);
}

/* RFC 8839 4.2.5: a server on the way that put another address in knows nothing of ICE. 0.0.0.0 is none: it holds the
 * call (RFC 2543), and ICE goes on. */
static gboolean
has_default (const SdpSide * side)
{
  guint i;

  if (g_str_equal (side->host, "0.0.0.0"))
    return TRUE;
  for (i = 0; i < side->ice.n_candidates; i++)
    if (side->ice.candidates[i].port == side->port
        && g_str_equal (side->ice.candidates[i].host, side->host))
      return TRUE;
  return FALSE;
}

static const gchar *
get_attribute (const GstSDPMessage * message, const GstSDPMedia * media,
    const gchar * name)
{
  const gchar *value = gst_sdp_media_get_attribute_val (media, name);

  return value ? value : gst_sdp_message_get_attribute_val (message, name);
}

void
sdp_parse_ice (SdpSide * side, const GstSDPMessage * message,
    const GstSDPMedia * media)
{
  const gchar *ufrag = get_attribute (message, media, "ice-ufrag");
  const gchar *pwd = get_attribute (message, media, "ice-pwd"), *value;
  guint i;

  if (!side->mux || !is_credential (ufrag, UFRAG_MIN)
      || !is_credential (pwd, PWD_MIN))
    return;
  for (i = 0; i < LINES_MAX && side->ice.n_candidates < ICE_CANDIDATES_MAX
      && (value = gst_sdp_media_get_attribute_val_n (media, "candidate",
              i)) != NULL; i++)
    parse_candidate (&side->ice, value);
  if (!has_default (side))
    return;
  side->ice.lite =
      gst_sdp_message_get_attribute_val (message, "ice-lite") != NULL;
  g_strlcpy (side->ice.ufrag, ufrag, sizeof side->ice.ufrag);
  g_strlcpy (side->ice.pwd, pwd, sizeof side->ice.pwd);
}

/* RFC 8445 5.1.1.3: candidates of one type have one base and one server, and so one foundation. */
void
sdp_format_ice (GString * text, const IceSide * ice)
{
  const IceCandidate *base = &ice->candidates[0];
  guint i;

  if (*ice->ufrag == 0)
    return;
  g_string_append_printf (text, "a=ice-ufrag:%s\r\na=ice-pwd:%s\r\n"
      "a=ice-options:ice2\r\n", ice->ufrag, ice->pwd);
  for (i = 0; i < ice->n_candidates; i++) {
    const IceCandidate *candidate = &ice->candidates[i];

    g_string_append_printf (text, "a=candidate:%u 1 UDP %u %s %u typ %s",
        candidate->type + 1, candidate->priority, candidate->host,
        candidate->port, types[candidate->type]);
    if (candidate->type != ICE_HOST)
      g_string_append_printf (text, " raddr %s rport %u", base->host,
          base->port);
    g_string_append (text, "\r\n");
  }
}
