/* gst-tfrc: calls by SIP, with the media of call.c
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sip.h"

#include <gio/gio.h>
#include <string.h>

typedef struct _SipLine SipMagic;
#define NUA_MAGIC_T SipMagic
#define NUA_HMAGIC_T SipMagic
#define SU_ROOT_MAGIC_T SipMagic
#include <sofia-sip/msg_header.h>
#include <sofia-sip/nua.h>
#include <sofia-sip/sip_header.h>
#include <sofia-sip/sip_protos.h>
#include <sofia-sip/sip_status.h>
#include <sofia-sip/su_glib.h>
#include <sofia-sip/su_log.h>

#define INVITE_S 60             /* in which a call has to be answered */
#define PING_S 20               /* OPTIONS in a call show whether the remote phone is there */
#define REGISTRATION_S 300
#define RETRY_S 3               /* after which a registrar that did not answer or was not ready is asked again */
#define REFUSAL_S 10            /* in which one line is printed of calls that are refused */
#define SDP_TYPE "application/sdp"

typedef enum
{
  IDLE,
  CALLING,
  INCOMING,
  OFFERED,                      /* the call was accepted with an offer, which the ACK answers */
  TALKING,
  ENDING
} State;

struct _SipLine
{
  SipSettings settings;
  gchar *identity, *password;
  su_root_t *root;
  nua_t *nua;
  nua_handle_t *registration, *handle;  /* handle: of the call */
  State state;
  Call *call;
  SdpSide own, remote;          /* that have been agreed on, or that a call begins with */
  gboolean answered;            /* `own` was an answer */
  SdpSide offer;                /* the last offer of this end */
  gboolean asked;               /* the last INVITE of the remote had no SDP: the 200 has the offer, the ACK the answer */
  guint64 session;              /* number of the SDP session, and how often it changed */
  guint version;
  gboolean registered, holds, held, closing, shut_down, closed;
  gchar *who, *why;             /* the remote, and why the call ended */
  guint ping, reap, retry;
  gint64 refusal_end;           /* us: no line of a refused call before that time */
  guint refusals;               /* that have no line */
};

static void
emit (SipLine * sip, SipEvent event, const gchar * text)
{
  sip->settings.changed (sip, event, text, sip->settings.user_data);
}

/* --- the end of a call --- */

/* SIP has said all, which takes long where a registrar does not answer, and so has the call. */
static void
close_if_done (SipLine * sip)
{
  if (!sip->shut_down || sip->state != IDLE || sip->closed)
    return;
  sip->closed = TRUE;
  emit (sip, SIP_CLOSED, NULL);
}

static gboolean
on_reap (gpointer user_data)
{
  SipLine *sip = user_data;
  gchar *why = g_steal_pointer (&sip->why);

  sip->reap = 0;
  g_clear_pointer (&sip->call, call_free);
  g_clear_pointer (&sip->handle, nua_handle_destroy);
  g_clear_pointer (&sip->who, g_free);
  sip->state = IDLE;
  sip->asked = FALSE;
  emit (sip, SIP_ENDED, why);
  g_free (why);
  close_if_done (sip);
  return G_SOURCE_REMOVE;
}

static void
reap (SipLine * sip)
{
  if (sip->reap == 0)
    sip->reap = g_idle_add (on_reap, sip);
}

/* No message of SIP has to be sent any more. The last sound leaves, and files get their length. */
static void
end_call (SipLine * sip, const gchar * why)
{
  if (sip->state == IDLE || sip->state == ENDING)
    return;
  sip->state = ENDING;
  sip->why = g_strdup (why);
  g_clear_handle_id (&sip->ping, g_source_remove);
  if (sip->call && call_get_state (sip->call) < CALL_ENDED)
    call_hang_up (sip->call);
  else
    reap (sip);
}

static void
on_call_changed (Call * call, gpointer user_data)
{
  SipLine *sip = user_data;

  if (call_get_state (call) == CALL_FAILED && sip->state != ENDING) {
    nua_bye (sip->handle, TAG_END ());
    end_call (sip, call_get_error (call));
  }
  if (call_get_state (call) >= CALL_ENDED)
    reap (sip);
}

static void
on_call_digit (Call * call, gchar digit, gpointer user_data)
{
  SipLine *sip = user_data;

  if (sip->settings.digit)
    sip->settings.digit (sip, digit, sip->settings.user_data);
}

/* --- media --- */

/* The address of this machine that `host` is reached from, to be freed; NULL: it is not reached. */
static gchar *
find_local_address (const gchar * host, GError ** error)
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

/* The pipeline of the call, with its port; nothing is sent yet. `host` is a host on the way to the remote. */
static gboolean
open_media (SipLine * sip, const gchar * host, gboolean dtls, GError ** error)
{
  CallSettings settings = sip->settings.call;
  gchar *local = find_local_address (host, error), *fingerprint;

  if (!local)
    return FALSE;
  settings.signalled = TRUE;
  settings.dtls = dtls;
  settings.changed = on_call_changed;
  settings.digit = on_call_digit;
  settings.user_data = sip;
  sip->call = call_new (&settings, error);
  if (!sip->call || !call_open (sip->call, error)) {
    g_clear_pointer (&sip->call, call_free);
    g_free (local);
    return FALSE;
  }
  sip->own = (SdpSide) {
      .port = call_get_port (sip->call),
      .sends = TRUE,
      .hears = TRUE};
  g_strlcpy (sip->own.host, local, sizeof sip->own.host);
  fingerprint = call_get_fingerprint (sip->call);
  g_strlcpy (sip->own.fingerprint, fingerprint ? fingerprint : "",
      sizeof sip->own.fingerprint);
  sip->session = (guint64) g_get_real_time ();
  sip->version = 0;
  sip->holds = sip->held = FALSE;
  g_free (fingerprint);
  g_free (local);
  return TRUE;
}

static gchar *
format_side (SipLine * sip, const SdpSide * side)
{
  return sdp_format (side, sip->session, ++sip->version);
}

static gboolean
on_ping (gpointer user_data)
{
  SipLine *sip = user_data;

  nua_options (sip->handle, TAG_END ());
  return G_SOURCE_CONTINUE;
}

static void
note_hold (SipLine * sip, const CallMedia * media)
{
  gboolean held = !media->sends && !sip->holds;

  if (held == sip->held)
    return;
  sip->held = held;
  emit (sip, held ? SIP_HELD : SIP_RESUMED, sip->who);
}

/* Both sides are known: the call begins, or goes on in another way. FALSE: nothing has changed. */
static gboolean
run_media (SipLine * sip, const SdpSide * own, const SdpSide * remote,
    gboolean answered, GError ** error)
{
  gboolean first = sip->state != TALKING;
  CallMedia media;

  if (!sdp_negotiate (&media, own, remote, answered, error)
      || !call_set_media (sip->call, &media, error))
    return FALSE;
  sip->own = *own;
  sip->remote = *remote;
  sip->answered = answered;
  if (!first) {
    note_hold (sip, &media);
    return TRUE;
  }
  sip->state = TALKING;
  sip->ping = g_timeout_add_seconds (PING_S, on_ping, sip);
  emit (sip, SIP_TALKING, sip->who);
  return TRUE;
}

/* The SDP of a message. FALSE: it has none that can be used. */
static gboolean
take_sdp (SipLine * sip, SdpSide * remote, const sip_t * message,
    GError ** error)
{
  const sip_payload_t *payload = message ? message->sip_payload : NULL;

  if (!payload) {
    g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
        "The other phone sends no SDP.");
    return FALSE;
  }
  if (!sdp_parse (remote, payload->pl_data, payload->pl_len, error))
    return FALSE;
  if (!g_str_equal (remote->host, "0.0.0.0"))
    return TRUE;
  /* how RFC 2543 holds a call: the address is no other one */
  if (sip->state == TALKING) {
    g_strlcpy (remote->host, sip->remote.host, sizeof remote->host);
    return TRUE;
  }
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
      "The SDP of the other phone has no address.");
  return FALSE;
}

/* --- calls to this phone --- */

static void
refuse (nua_handle_t * handle, int status, const gchar * phrase)
{
  nua_respond (handle, status, phrase, TAG_END ());
}

static void
respond_ok (SipLine * sip, const SdpSide * side)
{
  gchar *text = format_side (sip, side);

  nua_respond (sip->handle, SIP_200_OK, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), TAG_END ());
  g_free (text);
}

/* The remote holds or resumes the call, or its media move. RFC 3261 14.2: a re-INVITE that is refused changes nothing. */
static void
on_reinvite (SipLine * sip, const sip_t * message)
{
  SdpSide own = sip->own, remote;

  own.sends = TRUE;
  own.hears = !sip->holds;
  sip->asked = !message->sip_payload;
  if (sip->asked) {
    sip->offer = own;
    respond_ok (sip, &own);
  } else if (take_sdp (sip, &remote, message, NULL)
      && sdp_make_answer (&own, &remote, &sip->settings.sdp, NULL)
      && run_media (sip, &own, &remote, TRUE, NULL)) {
    respond_ok (sip, &own);
  } else {
    refuse (sip->handle, SIP_488_NOT_ACCEPTABLE);
  }
}

static gchar *
describe_address (const sip_addr_t * address)
{
  return g_strdup_printf ("%s:%s@%s", url_scheme (address->a_url->url_type),
      address->a_url->url_user ? address->a_url->url_user : "anonymous",
      address->a_url->url_host ? address->a_url->url_host : "anonymous");
}

/* Anybody can send calls that are refused: one line in ten seconds says so, and counts those without a line. */
static void
print_refusal (SipLine * sip, const gchar * why)
{
  gint64 now = g_get_monotonic_time ();

  if (now < sip->refusal_end) {
    sip->refusals++;
    return;
  }
  g_printerr ("a call was refused: %s\n", why);
  if (sip->refusals > 0)
    g_printerr ("%u more calls were refused before it\n", sip->refusals);
  sip->refusal_end = now + REFUSAL_S * G_USEC_PER_SEC;
  sip->refusals = 0;
}

/* The media of a call that rings. Where they go to before the caller has sent an SDP, the SIP message says. */
static gboolean
open_incoming (SipLine * sip, SdpSide * remote, const sip_t * message,
    GError ** error)
{
  const sip_via_t *via = message->sip_via;
  const gchar *host = via->v_received ? via->v_received : via->v_host;

  *remote = (SdpSide) { {
      0}};
  if (message->sip_payload)
    return take_sdp (sip, remote, message, error) && open_media (sip,
        remote->host, sip->settings.sdp.keys && *remote->fingerprint, error);
  if (g_hostname_is_ip_address (host))
    return open_media (sip, host, sip->settings.sdp.keys, error);
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
      "The other phone sends neither SDP nor a numeric address.");
  return FALSE;
}

static void
on_invite (SipLine * sip, nua_handle_t * handle, const sip_t * message)
{
  GError *error = NULL;
  SdpSide remote;

  if (handle == sip->handle && sip->state == TALKING) {
    on_reinvite (sip, message);
    return;
  }
  if (sip->state != IDLE) {
    refuse (handle, SIP_486_BUSY_HERE);
    nua_handle_destroy (handle);
    return;
  }
  if (!open_incoming (sip, &remote, message, &error)) {
    print_refusal (sip, error->message);
    g_clear_error (&error);
    refuse (handle, SIP_488_NOT_ACCEPTABLE);
    nua_handle_destroy (handle);
    return;
  }
  sip->handle = handle;
  sip->remote = remote;
  sip->asked = !message->sip_payload;
  sip->state = INCOMING;
  sip->who = describe_address (message->sip_from);
  nua_respond (handle, SIP_180_RINGING, TAG_END ());
  emit (sip, SIP_INCOMING, sip->who);
}

/* RFC 3261 13.2.1: the caller has left the offer to this phone. */
static void
accept_with_offer (SipLine * sip)
{
  sip->offer = sip->own;
  sdp_make_offer (&sip->offer, &sip->settings.sdp);
  sip->state = OFFERED;
  respond_ok (sip, &sip->offer);
}

gboolean
sip_line_accept (SipLine * sip, GError ** error)
{
  SdpSide own = sip->own, remote = sip->remote;

  if (sip->state != INCOMING)
    return FALSE;
  if (sip->asked) {
    accept_with_offer (sip);
    return TRUE;
  }
  if (!sdp_make_answer (&own, &remote, &sip->settings.sdp, error)) {
    refuse (sip->handle, SIP_488_NOT_ACCEPTABLE);
    end_call (sip, "The two phones have nothing in common.");
    return FALSE;
  }
  respond_ok (sip, &own);
  if (run_media (sip, &own, &remote, TRUE, error))
    return TRUE;
  nua_bye (sip->handle, TAG_END ());
  end_call (sip, "The media cannot be used.");
  return FALSE;
}

/* --- calls of this phone --- */

gboolean
sip_line_call (SipLine * sip, const gchar * uri, GError ** error)
{
  sip_to_t *to = sip_to_make (NULL, uri);
  const gchar *host = to && to->a_url->url_host ? to->a_url->url_host : NULL;
  gboolean good = host && sip->state == IDLE;
  gchar *text;

  if (!good)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        host ? "There is a call already." :
        "\"%s\" is no address of a phone, as sip:name@host is.", uri);
  good = good && open_media (sip, host, sip->settings.sdp.keys, error);
  su_free (NULL, to);
  if (!good)
    return FALSE;
  sip->offer = sip->own;
  sdp_make_offer (&sip->offer, &sip->settings.sdp);
  sip->who = g_strdup (uri);
  sip->state = CALLING;
  sip->handle = nua_handle (sip->nua, sip, SIPTAG_TO_STR (uri), TAG_END ());
  text = format_side (sip, &sip->offer);
  nua_invite (sip->handle, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), NUTAG_INVITE_TIMER (INVITE_S), TAG_END ());
  g_free (text);
  return TRUE;
}

static void
authenticate (SipLine * sip, nua_handle_t * handle, const sip_t * message)
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

static gboolean
is_challenge (int status)
{
  return status == 401 || status == 407;
}

/* The remote has answered an offer. */
static void
on_answered (SipLine * sip, const sip_t * message)
{
  GError *error = NULL;
  SdpSide remote;

  if (take_sdp (sip, &remote, message, &error)
      && run_media (sip, &sip->offer, &remote, FALSE, &error))
    return;
  nua_bye (sip->handle, TAG_END ());
  end_call (sip, error->message);
  g_clear_error (&error);
}

static void
on_ack (SipLine * sip, nua_handle_t * handle, const sip_t * message)
{
  if (handle != sip->handle || !sip->asked
      || (sip->state != OFFERED && sip->state != TALKING))
    return;
  sip->asked = FALSE;
  on_answered (sip, message);
}

static void
on_invite_answer (SipLine * sip, int status, const gchar * phrase,
    const sip_t * message)
{
  gchar *why;

  if (status == 180 && sip->state == CALLING)
    emit (sip, SIP_RINGING, sip->who);
  if (status < 200 || sip->state == ENDING || sip->state == IDLE)
    return;
  if (is_challenge (status) && message && sip->password) {
    authenticate (sip, sip->handle, message);
  } else if (status < 300) {
    on_answered (sip, message);
  } else if (sip->state == CALLING) {
    why = g_strdup_printf ("%s: %d %s", sip->who, status, phrase);
    end_call (sip, why);
    g_free (why);
  } else {
    g_printerr ("\nthe other phone refuses: %d %s\n", status, phrase);
  }
}

/* --- during a call --- */

void
sip_line_hang_up (SipLine * sip)
{
  if (sip->state == INCOMING)
    refuse (sip->handle, SIP_603_DECLINE);
  else if (sip->state == CALLING)
    nua_cancel (sip->handle, TAG_END ());
  else if (sip->state == OFFERED || sip->state == TALKING)
    nua_bye (sip->handle, TAG_END ());
  end_call (sip, "hung up");
}

gboolean
sip_line_hold (SipLine * sip, gboolean hold)
{
  gchar *text;

  if (sip->state != TALKING || sip->holds == hold)
    return FALSE;
  sip->holds = hold;
  sip->offer = sip->own;
  sip->offer.sends = TRUE;
  sip->offer.hears = !hold;
  text = format_side (sip, &sip->offer);
  nua_invite (sip->handle, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), TAG_END ());
  g_free (text);
  return TRUE;
}

gchar *
sip_line_describe_media (SipLine * sip)
{
  CallMedia media;

  if (sip->state != TALKING || !sdp_negotiate (&media, &sip->own, &sip->remote,
          sip->answered, NULL))
    return NULL;
  return g_strdup_printf ("%s, %s, %s", media.codecs,
      media.dtls ? "encrypted by DTLS" :
      *media.key ? "encrypted by SDES" : "in clear",
      media.tfrc ? "TFRC reports" : "receiver reports");
}

Call *
sip_line_get_call (SipLine * sip)
{
  return sip->call;
}

/* OPTIONS within a call. A phone that knows nothing of the call, or does not answer, is gone. */
static void
on_pong (SipLine * sip, nua_handle_t * handle, int status)
{
  if (handle != sip->handle || sip->state != TALKING)
    return;
  if (status == 408 || status == 481 || status == 503) {
    nua_bye (handle, TAG_END ());
    end_call (sip, "the other phone is gone");
  }
}

static void
on_state (SipLine * sip, nua_handle_t * handle, int status,
    const gchar * phrase, tagi_t tags[])
{
  int state = nua_callstate_init;

  tl_gets (tags, NUTAG_CALLSTATE_REF (state), TAG_END ());
  if (state == nua_callstate_terminated && handle == sip->handle)
    end_call (sip, sip->state == INCOMING ? "the caller has given up" :
        "the other phone has hung up");
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

static void
on_registered (SipLine * sip, int status, const gchar * phrase,
    const sip_t * message)
{
  gchar *why;

  if (status < 200)
    return;
  if (is_challenge (status) && message && sip->password) {
    authenticate (sip, sip->registration, message);
  } else if (status < 300 && !sip->registered) {
    sip->registered = TRUE;
    emit (sip, SIP_REGISTERED, sip->identity);
  } else if (status >= 300) {
    sip->registered = FALSE;
    why = g_strdup_printf ("%s: %d %s", sip->identity, status, phrase);
    emit (sip, SIP_REFUSED, why);
    g_free (why);
    if ((status == 408 || status >= 500) && sip->retry == 0 && !sip->closing)
      sip->retry = g_timeout_add_seconds (RETRY_S, on_retry, sip);
  }
}

static void
on_event (nua_event_t event, int status, char const *phrase, nua_t * nua,
    SipMagic * sip, nua_handle_t * handle, SipMagic * magic,
    sip_t const *message, tagi_t tags[])
{
  switch (event) {
    case nua_i_invite:
      on_invite (sip, handle, message);
      break;
    case nua_i_ack:
      on_ack (sip, handle, message);
      break;
    case nua_r_invite:
      if (handle == sip->handle)
        on_invite_answer (sip, status, phrase, message);
      break;
    case nua_i_state:
      on_state (sip, handle, status, phrase, tags);
      break;
    case nua_r_options:
      on_pong (sip, handle, status);
      break;
    case nua_r_register:
      on_registered (sip, status, phrase, message);
      break;
    case nua_r_shutdown:
      sip->shut_down |= status >= 200;
      close_if_done (sip);
      break;
    default:
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
    address = find_local_address (host, error);
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
      SIPTAG_FROM_STR (sip->identity),
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
