/* gst-tfrc: the connectivity checks of an ICE agent
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <stun/usages/ice.h>
#include <string.h>

#include "iceprivate.h"

#define RTO (500 * ICE_MS)      /* RFC 8489 6.2.1: before the first retransmission */

/* --- transactions --- */

gboolean
ice_transaction_start (IceTransaction * of, StunMessage * message, gsize size,
    guint max, gint64 now)
{
  of->running = size > 0;
  of->size = size;
  of->sent = 0;
  of->max = max;
  of->due = now;
  if (of->running)
    stun_message_id (message, of->id);
  return of->running;
}

void
ice_transaction_stop (IceTransaction * of, StunAgent * agent)
{
  if (of->running)
    stun_agent_forget_transaction (agent, of->id);
  of->running = FALSE;
}

gboolean
ice_transaction_is_answer (const IceTransaction * of,
    const StunMessage * message)
{
  StunTransactionId id;

  stun_message_id (message, id);
  return of->running && memcmp (id, of->id, sizeof id) == 0;
}

gboolean
ice_transaction_go_on (Ice * ice, IceTransaction * of, const gchar * host,
    guint port, gint64 now)
{
  if (!of->running || now < of->due)
    return TRUE;
  if (of->sent == of->max)
    return FALSE;
  of->sent++;
  /* RFC 8489 6.2.1: twice as long each time; Rm = 16 after the last */
  of->due = now + (of->sent == ICE_RC ? 16 * RTO : RTO << (of->sent - 1));
  ice->callbacks.send (host, port, of->message, of->size, ice->user_data);
  return TRUE;
}

/* --- checks of this end --- */

/* RFC 8445 7.2.4 */
void
ice_check_pair (Ice * ice, IcePair * pair, guint max, gint64 now)
{
  gchar *username = g_strdup_printf ("%s:%s", ice->remote.ufrag,
      ice->own.ufrag);
  StunMessage message;
  gsize size;

  ice_transaction_stop (&pair->check, &ice->agent);
  pair->check.controlling = ice->controlling;
  size = stun_usage_ice_conncheck_create (&ice->agent, &message,
      pair->check.message, sizeof pair->check.message,
      (const guint8 *) username, strlen (username),
      (const guint8 *) ice->remote.pwd, strlen (ice->remote.pwd),
      pair->nominates, ice->controlling,
      ice_get_type_priority (ICE_PEER_REFLEXIVE), ice->tie, NULL,
      STUN_USAGE_ICE_COMPATIBILITY_RFC5245);
  if (!ice_transaction_start (&pair->check, &message, size, max, now))
    pair->state = ICE_FAILED;
  ice_transaction_go_on (ice, &pair->check, pair->remote.host,
      pair->remote.port, now);
  g_free (username);
}

static void
select_pair (Ice * ice, IcePair * pair, gint64 now)
{
  if (pair == ice->selected || !ice_pair_is_better (pair, ice->selected))
    return;
  ice->selected = pair;
  ice->next_consent = now + ICE_CONSENT;
  ice->consent_end = now + ICE_CONSENT_EXPIRY;
  ice->callbacks.selected (pair->remote.host, pair->remote.port,
      ice->user_data);
}

/* RFC 8445 8.1.1: the controlling end chooses one pair that works, and checks it once more to say so. */
void
ice_nominate (Ice * ice, gint64 now)
{
  IcePair *best = ice_find_nominee (ice);

  if (!best || (now < ice->first_success + ICE_NOMINATION
          && ice_may_be_better (ice, best)))
    return;
  best->nominates = TRUE;
  best->state = ICE_IN_PROGRESS;
  ice_check_pair (ice, best, ICE_RC, now);
}

/* --- checks of the remote --- */

bool
ice_find_password (StunAgent * agent, StunMessage * message, uint8_t * username,
    uint16_t size, uint8_t ** password, size_t * password_size, void *user_data)
{
  Ice *ice = user_data;
  gsize length = strlen (ice->own.ufrag);

  if (size <= length || memcmp (username, ice->own.ufrag, length) != 0
      || username[length] != ':')
    return false;
  *password = (uint8_t *) ice->own.pwd;
  *password_size = strlen (ice->own.pwd);
  return true;
}

static gboolean
to_sockaddr (const gchar * host, guint port, struct sockaddr_storage *address,
    socklen_t * size)
{
  GSocketAddress *object = g_inet_socket_address_new_from_string (host, port);
  gboolean good = object && g_socket_address_to_native (object, address,
      sizeof *address, NULL);

  if (good)
    *size = (socklen_t) g_socket_address_get_native_size (object);
  g_clear_object (&object);
  return good;
}

/* RFC 8445 7.3.1.3 to 7.3.1.5: an address that is not known is a candidate; whoever reaches this end is checked at once. */
static void
trigger (Ice * ice, const gchar * host, guint port, guint32 priority,
    gboolean use, gint64 now)
{
  IceCandidate remote = {
    .type = ICE_PEER_REFLEXIVE,
    .port = port,
    .priority = priority
  };
  IcePair *pair;

  g_strlcpy (remote.host, host, sizeof remote.host);
  pair = ice_add_pair (ice, &remote);
  if (!pair)
    return;
  pair->nominated |= use && !ice->controlling;
  if (pair->state == ICE_SUCCEEDED) {
    if (pair->nominated)
      select_pair (ice, pair, now);
    return;
  }
  if (pair->state == ICE_IN_PROGRESS
      && pair->check.controlling == ice->controlling) {
    /* a new request would void the answer, which may be on its way */
    if (pair->check.sent < pair->check.max)
      pair->check.due = now;
    return;
  }
  pair->triggered = TRUE;
  pair->state = ICE_WAITING;
  ice_transaction_stop (&pair->check, &ice->agent);
}

gboolean
ice_take_request (Ice * ice, const gchar * host, guint port,
    StunMessage * request, gint64 now)
{
  struct sockaddr_storage source;
  socklen_t source_size = sizeof source;
  guint8 data[ICE_MESSAGE_MAX];
  size_t size = sizeof data;
  bool controlling = ice->controlling;
  StunMessage reply;
  StunUsageIceReturn result;

  if (!to_sockaddr (host, port, &source, &source_size))
    return FALSE;
  result = stun_usage_ice_conncheck_create_reply (&ice->agent, request, &reply,
      data, &size, &source, source_size, &controlling, ice->tie,
      STUN_USAGE_ICE_COMPATIBILITY_RFC5245);
  if (size > 0)
    ice->callbacks.send (host, port, data, size, ice->user_data);
  if (result != STUN_USAGE_ICE_RETURN_SUCCESS
      && (result != STUN_USAGE_ICE_RETURN_ROLE_CONFLICT
          || controlling == ice->controlling))
    return TRUE;
  if (controlling != ice->controlling)
    ice_set_controlling (ice, controlling);
  trigger (ice, host, port, stun_usage_ice_conncheck_priority (request),
      stun_usage_ice_conncheck_use_candidate (request), now);
  return TRUE;
}

/* --- answers of the remote --- */

static IcePair *
find_checked (Ice * ice, const StunMessage * message)
{
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    if (ice_transaction_is_answer (&ice->pairs[i].check, message))
      return &ice->pairs[i];
  return NULL;
}

static void
on_checked (Ice * ice, IcePair * pair, gint64 now)
{
  pair->state = ICE_SUCCEEDED;
  if (ice->first_success == 0)
    ice->first_success = now;
  if (pair == ice->selected)
    ice->consent_end = now + ICE_CONSENT_EXPIRY;
  pair->nominated |= pair->nominates;
  if (pair->nominated)
    select_pair (ice, pair, now);
  ice_nominate (ice, now);
}

/* RFC 8445 7.2.5.1: the error is about the role that the request said, which may have changed since. */
static void
on_role_conflict (Ice * ice, IcePair * pair)
{
  ice_set_controlling (ice, !pair->check.controlling);
  pair->nominates = FALSE;
  pair->triggered = TRUE;
  pair->state = ICE_WAITING;
}

gboolean
ice_take_answer (Ice * ice, const gchar * host, guint port,
    StunMessage * message, gint64 now)
{
  struct sockaddr_storage mapped;
  socklen_t size = sizeof mapped;
  IcePair *pair = find_checked (ice, message);
  StunUsageIceReturn result;

  if (!pair)
    return FALSE;
  pair->check.running = FALSE;
  result = stun_usage_ice_conncheck_process (message, &mapped, &size,
      STUN_USAGE_ICE_COMPATIBILITY_RFC5245);
  if (result == STUN_USAGE_ICE_RETURN_ROLE_CONFLICT)
    on_role_conflict (ice, pair);
  else if (result == STUN_USAGE_ICE_RETURN_SUCCESS
      && pair->remote.port == port && g_str_equal (pair->remote.host, host))
    on_checked (ice, pair, now);
  else if (pair != ice->selected)
    pair->state = ICE_FAILED;   /* RFC 8445 7.2.5.2.1: the way back is another one */
  return TRUE;
}
