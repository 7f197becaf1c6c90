/* gst-tfrc: INVITE of a line of SIP, to this phone and of this phone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <string.h>

#include "sipprivate.h"

#define REFUSAL_S 10            /* in which one line is printed of calls that are refused */
#define SDP_TYPE "application/sdp"

/* --- calls that nobody answers --- */

/* A caller that never gives up does not keep the line from others. */
static gboolean
on_unanswered (gpointer user_data)
{
  SipLine *sip = user_data;

  sip->unanswered = 0;
  if (sip->state == INCOMING)
    nua_respond (sip->handle, SIP_480_TEMPORARILY_UNAVAILABLE, TAG_END ());
  else if (sip->state == CALLING)
    nua_cancel (sip->handle, TAG_END ());
  else                          /* it was answered */
    return G_SOURCE_REMOVE;
  sip_line_end_call (sip, "nobody has answered");
  return G_SOURCE_REMOVE;
}

static void
wait_for_answer (SipLine * sip)
{
  sip->unanswered = g_timeout_add_seconds (sip->settings.ring,
      on_unanswered, sip);
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
  gchar *text = sip_line_format_side (sip, side);

  nua_respond (sip->handle, SIP_200_OK, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), TAG_END ());
  g_free (text);
}

#ifdef HAVE_ICE
/* RFC 8445 9: other credentials begin ICE anew. */
static void
restart_ice (SipLine * sip, SdpSide * own, const SdpSide * remote)
{
  if (*own->ice.ufrag && *remote->ice.ufrag
      && !g_str_equal (remote->ice.ufrag, sip->remote.ice.ufrag)) {
    call_restart_ice (sip->call);
    own->ice = *call_get_ice (sip->call);
  }
}
#endif

/* An offer in a call that runs. FALSE: it is refused, and nothing has changed: ICE begins anew for an offer alone that
 * can be accepted. */
static gboolean
take_offer (SipLine * sip, SdpSide * own, const sip_t * message)
{
  SdpSide remote;

  if (!sip_line_take_sdp (sip, &remote, message, NULL)
      || !sdp_make_answer (own, &remote, &sip->settings.sdp, NULL)
      || !sip_line_can_run_media (sip, own, &remote))
    return FALSE;
#ifdef HAVE_ICE
  restart_ice (sip, own, &remote);
#endif
  return sip_line_run_media (sip, own, &remote, TRUE, NULL);
}

/* The remote holds or resumes the call, or its media move. RFC 3261 14.2: a re-INVITE that is refused changes nothing. */
static void
on_reinvite (SipLine * sip, const sip_t * message)
{
  SdpSide own = sip->own;

  own.sends = TRUE;
  own.hears = !sip->holds;
  sip->asked = !message->sip_payload;
  if (sip->asked) {
    sip->offer = own;
    respond_ok (sip, &own);
  } else if (take_offer (sip, &own, message)) {
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
    return sip_line_take_sdp (sip, remote, message, error)
        && sip_line_open_media (sip, remote->host, sip->settings.sdp.keys
        && *remote->fingerprint, error);
  if (g_hostname_is_ip_address (host))
    return sip_line_open_media (sip, host, sip->settings.sdp.keys, error);
  g_set_error (error, GST_CORE_ERROR, GST_CORE_ERROR_NEGOTIATION,
      "The other phone sends neither SDP nor a numeric address.");
  return FALSE;
}

void
sip_line_on_invite (SipLine * sip, nua_handle_t * handle, const sip_t * message)
{
  GError *error = NULL;
  SdpSide remote;

  if (handle == sip->handle && sip->state == TALKING) {
    on_reinvite (sip, message);
    return;
  }
  if (sip->state != IDLE) {
    refuse (handle, SIP_486_BUSY_HERE);
    if (handle != sip->handle)  /* that of a call which ends goes with the call */
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
  wait_for_answer (sip);
  nua_respond (handle, SIP_180_RINGING, TAG_END ());
  sip_line_gather (sip, sip->asked);
  sip_line_emit (sip, SIP_INCOMING, sip->who);
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
  sip->accepts = !sip->gathered;
  if (sip->accepts)
    return TRUE;
  if (sip->asked) {
    accept_with_offer (sip);
    return TRUE;
  }
  if (!sdp_make_answer (&own, &remote, &sip->settings.sdp, error)) {
    refuse (sip->handle, SIP_488_NOT_ACCEPTABLE);
    sip_line_end_call (sip, "The two phones have nothing in common.");
    return FALSE;
  }
  respond_ok (sip, &own);
  if (sip_line_run_media (sip, &own, &remote, TRUE, error))
    return TRUE;
  nua_bye (sip->handle, TAG_END ());
  sip_line_end_call (sip, "The media cannot be used.");
  return FALSE;
}

/* --- calls of this phone --- */

gboolean
sip_line_call (SipLine * sip, const gchar * uri, GError ** error)
{
  sip_to_t *to = sip_to_make (NULL, uri);
  const gchar *host = to && to->a_url->url_host ? to->a_url->url_host : NULL;
  gboolean good = host && sip->state == IDLE;

  if (!good)
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_SETTINGS,
        host ? "There is a call already." :
        "\"%s\" is no address of a phone, as sip:name@host is.", uri);
  good = good && sip_line_open_media (sip, host, sip->settings.sdp.keys, error);
  su_free (NULL, to);
  if (!good)
    return FALSE;
  sip->who = g_strdup (uri);
  sip->state = CALLING;
  sip_line_gather (sip, TRUE);
  return TRUE;
}

static void
send_invite (SipLine * sip)
{
  gchar *text;

  sip->offer = sip->own;
  sdp_make_offer (&sip->offer, &sip->settings.sdp);
  sip->handle = nua_handle (sip->nua, sip, SIPTAG_TO_STR (sip->who),
      TAG_END ());
  text = sip_line_format_side (sip, &sip->offer);
  nua_invite (sip->handle, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), TAG_END ());
  g_free (text);
  wait_for_answer (sip);
}

void
sip_line_on_gathered (SipLine * sip)
{
  sip->gathered = TRUE;
  if (sip->state == CALLING)
    send_invite (sip);
  else if (sip->state == INCOMING && sip->accepts)
    sip_line_accept (sip, NULL);
}

gboolean
sip_line_hold (SipLine * sip, gboolean hold)
{
  gchar *text;

  if (sip->state != TALKING || sip->holds == hold)
    return FALSE;
  sip->offer = sip->own;
  sip->offer.sends = TRUE;
  sip->offer.hears = !hold;
  text = sip_line_format_side (sip, &sip->offer);
  nua_invite (sip->handle, SIPTAG_CONTENT_TYPE_STR (SDP_TYPE),
      SIPTAG_PAYLOAD_STR (text), TAG_END ());
  g_free (text);
  return TRUE;
}

/* The remote has answered an offer. */
static void
on_answered (SipLine * sip, const sip_t * message)
{
  GError *error = NULL;
  SdpSide remote;
  gboolean held = sip->holds;

  sip->holds = !sip->offer.hears;
  if (sip_line_take_sdp (sip, &remote, message, &error)
      && sip_line_run_media (sip, &sip->offer, &remote, FALSE, &error)) {
    if (held != sip->holds)
      sip_line_emit (sip, held ? SIP_UNHELD : SIP_HOLDS, sip->who);
    return;
  }
  nua_bye (sip->handle, TAG_END ());
  sip_line_end_call (sip, error->message);
  g_clear_error (&error);
}

void
sip_line_on_ack (SipLine * sip, nua_handle_t * handle, const sip_t * message)
{
  if (handle != sip->handle || !sip->asked
      || (sip->state != OFFERED && sip->state != TALKING))
    return;
  sip->asked = FALSE;
  on_answered (sip, message);
}

void
sip_line_on_invite_answer (SipLine * sip, int status, const gchar * phrase,
    const sip_t * message)
{
  gchar *why;

  if (status == 180 && sip->state == CALLING)
    sip_line_emit (sip, SIP_RINGING, sip->who);
  if (status < 200 || sip->state == ENDING || sip->state == IDLE)
    return;
  if (sip_line_is_challenge (status) && message && sip->password) {
    sip_line_authenticate (sip, sip->handle, message);
  } else if (status < 300) {
    on_answered (sip, message);
  } else if (sip->state == CALLING) {
    why = g_strdup_printf ("%s: %d %s", sip->who, status, phrase);
    sip_line_end_call (sip, why);
    g_free (why);
  } else {
    why = g_strdup_printf ("%d %s", status, phrase);
    sip_line_emit (sip, SIP_HOLD_REFUSED, why);
    g_free (why);
  }
}
