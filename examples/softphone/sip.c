/* gst-tfrc: a line of SIP: registration, events, life and death
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <string.h>

#include "sipprivate.h"
#include <sofia-sip/msg_header.h>
#include <sofia-sip/sip_protos.h>
#include <sofia-sip/su_glib.h>
#include <sofia-sip/su_log.h>
#include <sofia-sip/su_uniqueid.h>

#define METHODS "INVITE, ACK, BYE, CANCEL, OPTIONS"     /* any other request is refused with 405 */
/* Without 100rel (RFC 3262), in which the answer of SDP may come before the 200 and not in it. */
#define EXTENSIONS "timer"
#define REGISTRATION_S 300
#define RETRY_S 3               /* after which a registrar that did not answer or was not ready is asked again */
#define RETRY_MAX_S 60          /* the time doubles up to that */

void
sip_line_emit (SipLine * sip, SipEvent event, const gchar * text)
{
  sip->settings.changed (sip, event, text, sip->settings.user_data);
}

gchar *
sip_line_find_local_address (const gchar * host, GError ** error)
{
  GSocketConnectable *to = g_network_address_new (host, 5060);
  GSocketAddressEnumerator *list = g_socket_connectable_enumerate (to);
  GSocketAddress *address =
      g_socket_address_enumerator_next (list, NULL, error), *local = NULL;
  GSocket *socket = NULL;
  gchar *text = NULL;

  if (address)
    socket = g_socket_new (g_socket_address_get_family (address),
        G_SOCKET_TYPE_DATAGRAM, G_SOCKET_PROTOCOL_UDP, error);
  if (socket && g_socket_connect (socket, address, NULL, error))
    local = g_socket_get_local_address (socket, error);
  if (local)
    text = g_inet_address_to_string (g_inet_socket_address_get_address
        (G_INET_SOCKET_ADDRESS (local)));
  g_clear_object (&local);
  g_clear_object (&socket);
  g_clear_object (&address);
  g_object_unref (list);
  g_object_unref (to);
  return text;
}

void
sip_line_authenticate (SipLine * sip, nua_handle_t * handle,
    const sip_t * message)
{
  const msg_auth_t *challenge = message->sip_www_authenticate ?
      message->sip_www_authenticate : message->sip_proxy_authenticate;
  const gchar *realm =
      challenge ? msg_params_find (challenge->au_params, "realm=") : NULL;
  sip_from_t *from = sip_from_make (NULL, sip->identity);
  gchar *credentials;

  if (realm && sip->password && from && from->a_url->url_user) {
    credentials = g_strdup_printf ("%s:%s:%s:%s", challenge->au_scheme, realm,
        from->a_url->url_user, sip->password);
    nua_authenticate (handle, NUTAG_AUTH (credentials), TAG_END ());
    g_free (credentials);
  }
  su_free (NULL, from);
}

gboolean
sip_line_is_challenge (int status)
{
  return status == 401 || status == 407;
}

static void
send_registration (SipLine * sip)
{
  nua_register (sip->registration, NUTAG_M_USERNAME (NULL),
      SIPTAG_EXPIRES_STR (G_STRINGIFY (REGISTRATION_S)), TAG_END ());
}

static gboolean
on_retry (gpointer data)
{
  SipLine *sip = data;

  sip->retry = 0;
  if (!sip->closing)
    send_registration (sip);
  return G_SOURCE_REMOVE;
}

/* A registrar that did not answer or was not ready is asked again. FALSE: it has refused for good. */
static gboolean
retry (SipLine * sip, int status)
{
  if ((status != 408 && status < 500) || status >= 600)
    return FALSE;
  if (sip->retry != 0 || sip->closing)
    return TRUE;
  sip->retry_s = CLAMP (2 * sip->retry_s, RETRY_S, RETRY_MAX_S);
  sip->retry = g_timeout_add_seconds (sip->retry_s, on_retry, sip);
  return TRUE;
}

static void
on_refused (SipLine * sip, int status, const gchar * phrase)
{
  gchar *why = g_strdup_printf ("%s: %d %s", sip->identity, status, phrase);

  sip->registered = FALSE;
  sip_line_emit (sip, retry (sip, status) ? SIP_UNREGISTERED : SIP_REFUSED,
      why);
  g_free (why);
}

static void
on_registered (SipLine * sip, int status, const gchar * phrase,
    const sip_t * message)
{

  if (status < 200)
    return;
  if (sip_line_is_challenge (status) && message && sip->password) {
    sip_line_authenticate (sip, sip->registration, message);
  } else if (status < 300 && !sip->registered) {
    sip->registered = TRUE;
    sip->retry_s = 0;
    sip_line_emit (sip, SIP_REGISTERED, sip->identity);
  } else if (status >= 300) {
    on_refused (sip, status, phrase);
  }
}

static void
on_event (nua_event_t event, int status, char const *phrase, nua_t * nua,
    SipMagic * sip, nua_handle_t * handle, SipMagic * magic,
    sip_t const *message, tagi_t tags[])
{
  switch (event) {
    case nua_i_invite:
      sip_line_on_invite (sip, handle, message);
      break;
    case nua_i_ack:
      sip_line_on_ack (sip, handle, message);
      break;
    case nua_r_invite:
      if (handle == sip->handle)
        sip_line_on_invite_answer (sip, status, phrase, message);
      break;
    case nua_i_state:
      sip_line_on_state (sip, handle, status, phrase, tags);
      break;
    case nua_r_options:
      sip_line_on_pong (sip, handle, status);
      break;
    case nua_r_register:
      on_registered (sip, status, phrase, message);
      break;
    case nua_r_shutdown:
      sip->shut_down |= status >= 200;
      sip_line_close_if_done (sip);
      break;
    default:
      if (handle != sip->handle && handle != sip->registration)
        nua_handle_destroy (handle);    /* made for a request of a stranger */
      break;
  }
}

/* --- life and death --- */

/* The address at which others reach this phone, to be freed: that on the way to the registrar, or the one in the
 * identity. A name there says nothing of an address of this machine. */
static gchar *
find_contact (SipLine * sip, GError ** error)
{
  sip_from_t *from = sip_from_make (NULL, sip->identity);
  const gchar *host = from ? from->a_url->url_host : NULL;
  gchar *address = NULL;

  if (!host || !from->a_url->url_user)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        "\"%s\" does not say who this phone is, as sip:name@host does.",
        sip->identity);
  else if (sip->settings.registers)
    address = sip_line_find_local_address (host, error);
  else
    address = g_strdup (g_hostname_is_ip_address (host) || *host == '[' ?
        host : "0.0.0.0");
  su_free (NULL, from);
  return address;
}

static gboolean
start (SipLine * sip, GError ** error)
{
  gchar *address = find_contact (sip, error), *url;
  gboolean bracket = address && strchr (address, ':') && *address != '[';
  GSource *source;

  if (!address)
    return FALSE;
  url = g_strdup_printf (bracket ? "sip:[%s]:%u" : "sip:%s:%u", address,
      sip->settings.port);
  g_free (address);
  su_init ();
  su_log_set_level (su_log_default, 0);
  sip->root = su_glib_root_create (NULL);
  su_root_threading (sip->root, 0);
  source = su_glib_root_gsource (sip->root);
  g_source_attach (source, NULL);
  sip->nua = nua_create (sip->root, on_event, sip, NUTAG_URL (url),
      NUTAG_MEDIA_ENABLE (0), NUTAG_AUTOALERT (0), NUTAG_AUTOANSWER (0),
      NUTAG_SESSION_TIMER (0),
      NUTAG_OUTBOUND
      ("no-outbound no-validate no-natify no-options-keepalive"),
      SIPTAG_FROM_STR (sip->identity), SIPTAG_ALLOW_STR (METHODS),
      SIPTAG_SUPPORTED_STR (EXTENSIONS),
      SIPTAG_USER_AGENT_STR ("gst-tfrc softphone"), TAG_END ());
  g_free (url);
  if (!sip->nua)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_OPEN_READ,
        "The port %u of %s cannot be had for SIP. Is there another phone? Choose another --sip-port.",
        sip->settings.port, sip->identity);
  return sip->nua != NULL;
}

static void
register_line (SipLine * sip)
{
  sip->registration = nua_handle (sip->nua, sip,
      SIPTAG_TO_STR (sip->identity), TAG_END ());
  send_registration (sip);
}

/* At the end of the process sofia-sip deletes its key of thread-local memory, also when it has made none: then the key
 * is 0, which is one of GLib's, and a thread that GLib ends later aborts the process. A random number makes the key. */
void
sip_init (void)
{
  su_randint (0, 1);
}

SipLine *
sip_line_new (const SipSettings * settings, GError ** error)
{
  SipLine *sip = g_new0 (SipLine, 1);

  sip->settings = *settings;
  sip->identity = g_strdup (settings->identity);
  sip->password = g_strdup (settings->password);
  if (!start (sip, error)) {
    sip_line_free (sip);
    return NULL;
  }
  if (settings->registers)
    register_line (sip);
  return sip;
}

void
sip_line_close (SipLine * sip)
{
  if (sip->closing)
    return;
  sip->closing = TRUE;
  sip_line_hang_up (sip);
  nua_shutdown (sip->nua);
}

static void
ignore (SipLine * sip, SipEvent event, const gchar * text, gpointer user_data)
{
}

void
sip_line_free (SipLine * sip)
{
  sip->settings.changed = ignore;
  if (sip->nua)
    sip_line_close (sip);
  while (sip->nua && !sip->closed)
    g_main_context_iteration (NULL, TRUE);
  g_clear_handle_id (&sip->ping, g_source_remove);
  g_clear_handle_id (&sip->unanswered, g_source_remove);
  g_clear_handle_id (&sip->reap, g_source_remove);
  g_clear_handle_id (&sip->retry, g_source_remove);
  g_clear_pointer (&sip->call, call_free);
  g_clear_pointer (&sip->handle, nua_handle_destroy);
  g_clear_pointer (&sip->registration, nua_handle_destroy);
  g_clear_pointer (&sip->nua, nua_destroy);
  g_clear_pointer (&sip->root, su_root_destroy);
  su_deinit ();
  g_free (sip->identity);
  g_free (sip->password);
  g_free (sip->who);
  g_free (sip->why);
  g_free (sip);
}
