/* gst-tfrc: ICE for one UDP port, with libnice's STUN library
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ice.h"

#include <gio/gio.h>
#include <stun/usages/bind.h>
#include <string.h>
#include <sys/random.h>

#include "iceprivate.h"

#define TA (50 * ICE_MS)        /* RFC 8445 14.2: between two new checks */
#define GATHER_RC 3             /* the user waits */
#define OPENINGS 5              /* that follow each other fast: some may be lost */
#define OPENING (500 * ICE_MS)
#define KEEPALIVE (15 * ICE_S)  /* RFC 8445 11 */
#define PATIENCE (30 * ICE_S)   /* that the checks take at most */

static gboolean
from_sockaddr (struct sockaddr_storage *address, socklen_t size,
    IceCandidate * candidate)
{
  GSocketAddress *object = g_socket_address_new_from_native (address, size);
  gchar *host;

  if (!G_IS_INET_SOCKET_ADDRESS (object)) {
    g_clear_object (&object);
    return FALSE;
  }
  host = g_inet_address_to_string (g_inet_socket_address_get_address
      (G_INET_SOCKET_ADDRESS (object)));
  g_strlcpy (candidate->host, host, sizeof candidate->host);
  candidate->port =
      g_inet_socket_address_get_port (G_INET_SOCKET_ADDRESS (object));
  g_free (host);
  g_object_unref (object);
  return TRUE;
}

static void
add_own (Ice * ice, IceType type, const gchar * host, guint port)
{
  IceCandidate *candidate = &ice->own.candidates[ice->own.n_candidates++];

  candidate->type = type;
  candidate->port = port;
  candidate->priority = ice_get_type_priority (type);
  g_strlcpy (candidate->host, host, sizeof candidate->host);
}

/* RFC 8445 5.3: of 24 and 128 random bits at least. */
static void
make_word (gchar * word, guint bytes)
{
  guint8 random[16];
  guint i;

  if (getrandom (random, bytes, 0) != (gssize) bytes)
    g_error ("The system has no random numbers.");
  for (i = 0; i < bytes; i++)
    g_snprintf (word + 2 * i, 3, "%02x", random[i]);
}

/* --- candidates of this end --- */

static void
end_gathering (Ice * ice)
{
  ice_transaction_stop (&ice->query, &ice->server_agent);
  ice->callbacks.gathered (ice->user_data);
}

void
ice_gather (Ice * ice, const gchar * server, guint port, gint64 now)
{
  StunMessage message;

  g_strlcpy (ice->server, server ? server : "", sizeof ice->server);
  ice->server_port = port;
  if (!server || !ice_transaction_start (&ice->query, &message,
          stun_usage_bind_create (&ice->server_agent, &message,
              ice->query.message, sizeof ice->query.message), GATHER_RC, now))
    end_gathering (ice);
}

static gboolean
is_same_family (const gchar * a, const gchar * b)
{
  return (strchr (a, ':') != NULL) == (strchr (b, ':') != NULL);
}

static gboolean
take_server_answer (Ice * ice, const gchar * host, guint port,
    const guint8 * data, gsize size)
{
  struct sockaddr_storage mapped, other;
  socklen_t mapped_size = sizeof mapped, other_size = sizeof other;
  IceCandidate found;
  StunMessage message;

  if (!ice->query.running || port != ice->server_port
      || !g_str_equal (host, ice->server)
      || stun_agent_validate (&ice->server_agent, &message, data, size, NULL,
          NULL) != STUN_VALIDATION_SUCCESS
      || !ice_transaction_is_answer (&ice->query, &message))
    return FALSE;
  ice->query.running = FALSE;
  if (stun_usage_bind_process (&message, (struct sockaddr *) &mapped,
          &mapped_size, (struct sockaddr *) &other,
          &other_size) == STUN_USAGE_BIND_RETURN_SUCCESS
      && from_sockaddr (&mapped, mapped_size, &found)
      && is_same_family (found.host, ice->own.candidates[0].host)
      && !(g_str_equal (found.host, ice->own.candidates[0].host)
          && found.port == ice->own.candidates[0].port))
    add_own (ice, ICE_SERVER_REFLEXIVE, found.host, found.port);
  end_gathering (ice);
  return TRUE;
}

const IceSide *
ice_get_side (Ice * ice)
{
  return &ice->own;
}

static void
stop_checking (Ice * ice)
{
  guint i;

  for (i = 0; i < ice->n_pairs; i++)
    ice_transaction_stop (&ice->pairs[i].check, &ice->agent);
  ice->checking = FALSE;
}

void
ice_stop (Ice * ice)
{
  stop_checking (ice);
  ice_transaction_stop (&ice->query, &ice->server_agent);
  *ice->open_host = 0;
}

static void
fail (Ice * ice)
{
  stop_checking (ice);
  ice->callbacks.failed (ice->user_data);
}

gboolean
ice_receive (Ice * ice, const gchar * host, guint port, const guint8 * data,
    gsize size, gint64 now)
{
  StunMessage message;
  StunValidationStatus status;

  if (size > ICE_MESSAGE_MAX)
    return FALSE;
  if (take_server_answer (ice, host, port, data, size))
    return TRUE;
  status = stun_agent_validate (&ice->agent, &message, data, size,
      ice_find_password, ice);
  /* whoever does not know the password gets no answer */
  if (status != STUN_VALIDATION_SUCCESS)
    return FALSE;
  switch (stun_message_get_class (&message)) {
    case STUN_REQUEST:
      return ice_take_request (ice, host, port, &message, now);
    case STUN_RESPONSE:
    case STUN_ERROR:
      return ice_take_answer (ice, host, port, &message, now);
    default:
      return TRUE;
  }
}

/* --- time --- */

void
ice_check (Ice * ice, const IceSide * remote, gint64 now)
{
  guint i;

  *ice->open_host = 0;
  ice->remote = *remote;
  if (remote->lite)
    ice_set_controlling (ice, true);
  for (i = 0; i < remote->n_candidates; i++)
    ice_add_pair (ice, &remote->candidates[i]);
  ice->checking = TRUE;
  ice->begun = ice->next_check = now;
}

void
ice_restart (Ice * ice)
{
  stop_checking (ice);
  ice->n_pairs = 0;
  ice->selected = NULL;
  ice->first_success = 0;
  make_word (ice->own.ufrag, 4);
  make_word (ice->own.pwd, 16);
}

gint64
ice_get_due (Ice * ice)
{
  gint64 due = ice->query.running ? ice->query.due : *ice->open_host ?
      ice->next_open : G_MAXINT64;
  guint i;

  if (!ice->checking)
    return due;
  for (i = 0; i < ice->n_pairs; i++)
    if (ice->pairs[i].check.running)
      due = MIN (due, ice->pairs[i].check.due);
  if (ice_find_next (ice))
    due = MIN (due, ice->next_check);
  if (ice->selected)
    return MIN (due, MIN (ice->next_consent, ice->consent_end));
  if (ice_find_nominee (ice))
    due = MIN (due, ice->first_success + ICE_NOMINATION);
  return MIN (due, ice->begun + PATIENCE);
}

void
ice_keep_open (Ice * ice, const gchar * host, guint port, gint64 now)
{
  ice->checking = FALSE;
  g_strlcpy (ice->open_host, host ? host : "", sizeof ice->open_host);
  ice->open_port = port;
  ice->opened = 0;
  ice->next_open = now;
}

static void
open_way (Ice * ice, gint64 now)
{
  guint8 data[ICE_MESSAGE_MAX];
  StunMessage message;
  gsize size;

  if (*ice->open_host == 0 || now < ice->next_open)
    return;
  size = stun_usage_bind_keepalive (&ice->server_agent, &message, data,
      sizeof data);
  ice->next_open = now + (++ice->opened < OPENINGS ? OPENING : KEEPALIVE);
  ice->callbacks.send (ice->open_host, ice->open_port, data, size,
      ice->user_data);
}

static void
go_on_checking (Ice * ice, gint64 now)
{
  guint i;
  IcePair *next;

  for (i = 0; i < ice->n_pairs; i++) {
    IcePair *pair = &ice->pairs[i];

    if (ice_transaction_go_on (ice, &pair->check, pair->remote.host,
            pair->remote.port, now))
      continue;
    ice_transaction_stop (&pair->check, &ice->agent);
    if (pair != ice->selected)
      pair->state = ICE_FAILED;
  }
  next = ice_find_next (ice);
  if (next && now >= ice->next_check) {
    next->state = ICE_IN_PROGRESS;
    next->triggered = FALSE;
    ice->next_check = now + TA;
    ice_check_pair (ice, next, ICE_RC, now);
  }
}

/* RFC 7675 5.1: each request is sent once, and its answer counts until the next request. */
static void
ask_for_consent (Ice * ice, gint64 now)
{
  if (now < ice->next_consent)
    return;
  ice->next_consent = now + ICE_CONSENT * g_random_int_range (80, 121) / 100;
  ice_check_pair (ice, ice->selected, 1, now);
  ice->selected->check.due = ice->next_consent;
}

void
ice_on_timer (Ice * ice, gint64 now)
{
  if (!ice_transaction_go_on (ice, &ice->query, ice->server, ice->server_port,
          now))
    end_gathering (ice);
  open_way (ice, now);
  if (!ice->checking)
    return;
  go_on_checking (ice, now);
  ice_nominate (ice, now);
  if (ice->selected)
    ask_for_consent (ice, now);
  if (now >= (ice->selected ? ice->consent_end : ice->begun + PATIENCE))
    fail (ice);
}

gboolean
ice_get_selected (Ice * ice, const gchar ** host, guint * port)
{
  if (!ice->selected)
    return FALSE;
  *host = ice->selected->remote.host;
  *port = ice->selected->remote.port;
  return TRUE;
}

/* --- life and death --- */

Ice *
ice_new (const gchar * host, guint port, gboolean controlling,
    const IceCallbacks * callbacks, gpointer user_data)
{
  Ice *ice = g_new0 (Ice, 1);

  ice->callbacks = *callbacks;
  ice->user_data = user_data;
  ice->controlling = controlling;
  stun_agent_init (&ice->agent, STUN_ALL_KNOWN_ATTRIBUTES,
      STUN_COMPATIBILITY_RFC5389, STUN_AGENT_USAGE_SHORT_TERM_CREDENTIALS |
      STUN_AGENT_USAGE_USE_FINGERPRINT);
  stun_agent_init (&ice->server_agent, STUN_ALL_KNOWN_ATTRIBUTES,
      STUN_COMPATIBILITY_RFC5389, STUN_AGENT_USAGE_IGNORE_CREDENTIALS);
  ice->tie = (guint64) g_random_int () << 32 | g_random_int ();
  add_own (ice, ICE_HOST, host, port);
  ice_restart (ice);
  return ice;
}

void
ice_free (Ice * ice)
{
  g_free (ice);
}
