/* gst-tfrc: the call of a line of SIP: its media, hold, and its end
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sipprivate.h"

#define PING_S 20               /* OPTIONS in a call show whether the remote phone is there */

/* --- the end of a call --- */

/* SIP has said all, which takes long where a registrar does not answer, and so has the call. */
void
sip_line_close_if_done (SipLine * sip)
{
  if (!sip->shut_down || sip->state != IDLE || sip->closed)
    return;
  sip->closed = TRUE;
  sip_line_emit (sip, SIP_CLOSED, NULL);
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
  sip->asked = sip->gathered = sip->accepts = FALSE;
  sip_line_emit (sip, SIP_ENDED, why);
  g_free (why);
  sip_line_close_if_done (sip);
  return G_SOURCE_REMOVE;
}

static void
reap (SipLine * sip)
{
  if (sip->reap == 0)
    sip->reap = g_idle_add (on_reap, sip);
}

/* No message of SIP has to be sent any more. The last sound leaves, and files get their length. */
void
sip_line_end_call (SipLine * sip, const gchar * why)
{
  if (sip->state == IDLE || sip->state == ENDING)
    return;
  sip->state = ENDING;
  sip->why = g_strdup (why);
  g_clear_handle_id (&sip->ping, g_source_remove);
  g_clear_handle_id (&sip->unanswered, g_source_remove);
  if (sip->call && call_get_state (sip->call) < CALL_ENDED)
    call_hang_up (sip->call);
  else
    reap (sip);
}

static void
on_call_changed (Call * call, gpointer user_data)
{
  SipLine *sip = user_data;

  if (call_get_state (call) == CALL_TALKING && sip->state == TALKING)
    sip_line_emit (sip, SIP_TALKING, sip->who);
  if (call_get_state (call) == CALL_FAILED && sip->state != ENDING) {
    nua_bye (sip->handle, TAG_END ());
    sip_line_end_call (sip, call_get_error (call));
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

#ifdef HAVE_ICE
/* The addresses of the port are known. The default one is that which most remotes reach, RFC 8445 5.1.3. */
static void
on_gathered (Call * call, gpointer user_data)
{
  SipLine *sip = user_data;
  const IceSide *ice = call_get_ice (call);
  const IceCandidate *candidate = &ice->candidates[ice->n_candidates - 1];

  sip->own.ice = *ice;
  g_strlcpy (sip->own.host, candidate->host, sizeof sip->own.host);
  sip->own.port = candidate->port;
  sip_line_on_gathered (sip);
}
#endif

void
sip_line_gather (SipLine * sip, gboolean controlling)
{
#ifdef HAVE_ICE
  if (sip->settings.call.ice) {
    call_gather (sip->call, sip->own.host, controlling);
    return;
  }
#endif
  sip_line_on_gathered (sip);
}

gboolean
sip_line_open_media (SipLine * sip, const gchar * host, gboolean dtls,
    GError ** error)
{
  CallSettings settings = sip->settings.call;
  gchar *local = sip_line_find_local_address (host, error), *fingerprint;

  if (!local)
    return FALSE;
  settings.signalled = TRUE;
  settings.dtls = dtls;
  settings.changed = on_call_changed;
  settings.digit = on_call_digit;
#ifdef HAVE_ICE
  settings.gathered = on_gathered;
#endif
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

gchar *
sip_line_format_side (SipLine * sip, const SdpSide * side)
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

/* This end holds the call, or does so no longer, and so does the remote. */
static void
note_hold (SipLine * sip, const CallMedia * media)
{
  gboolean held = !media->sends && !sip->holds;

  if (held == sip->held)
    return;
  sip->held = held;
  sip_line_emit (sip, held ? SIP_HELD : SIP_RESUMED, sip->who);
}

gboolean
sip_line_can_run_media (SipLine * sip, const SdpSide * own,
    const SdpSide * remote)
{
  CallMedia media;

  return sdp_negotiate (&media, own, remote, TRUE, NULL)
      && call_can_set_media (sip->call, &media, NULL);
}

gboolean
sip_line_run_media (SipLine * sip, const SdpSide * own, const SdpSide * remote,
    gboolean answered, GError ** error)
{
  gboolean first = sip->state != TALKING;
  CallMedia media;

  if (!sdp_negotiate (&media, own, remote, answered, error))
    return FALSE;
  if (!first && !call_set_media (sip->call, &media, error))
    return FALSE;
  sip->own = *own;
  sip->remote = *remote;
  sip->answered = answered;
  if (!first) {
    note_hold (sip, &media);
    return TRUE;
  }
  /* SIP_TALKING follows when the call runs, which takes a while with ICE */
  sip->state = TALKING;
  sip->ping = g_timeout_add_seconds (PING_S, on_ping, sip);
  return call_set_media (sip->call, &media, error);
}

gboolean
sip_line_take_sdp (SipLine * sip, SdpSide * remote, const sip_t * message,
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
  /* the codec of a call stays as long as both phones have it */
  if (sip->state == TALKING)
    remote->pcmu_first = (sip->answered ? &sip->own : &sip->remote)->pcmu_first;
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

/* --- during a call --- */

void
sip_line_hang_up (SipLine * sip)
{
  if (sip->state == INCOMING)
    nua_respond (sip->handle, SIP_603_DECLINE, TAG_END ());
  else if (sip->state == CALLING && sip->handle)
    nua_cancel (sip->handle, TAG_END ());
  else if (sip->state == OFFERED || sip->state == TALKING)
    nua_bye (sip->handle, TAG_END ());
  sip_line_end_call (sip, "hung up");
}

gchar *
sip_line_describe_media (SipLine * sip)
{
  CallMedia media;

  if (sip->state != TALKING || !sdp_negotiate (&media, &sip->own, &sip->remote,
          sip->answered, NULL))
    return NULL;
  return g_strdup_printf ("%s, %s, %s%s", media.codecs,
      media.dtls ? "encrypted by DTLS" :
      *media.key ? "encrypted by SDES" : "in clear",
      media.tfrc ? "TFRC reports" : "receiver reports",
      *media.ice.ufrag ? ", ICE" : "");
}

Call *
sip_line_get_call (SipLine * sip)
{
  return sip->call;
}

/* OPTIONS within a call. A phone that knows nothing of the call, or does not answer, is gone. */
void
sip_line_on_pong (SipLine * sip, nua_handle_t * handle, int status)
{
  if (handle != sip->handle || sip->state != TALKING)
    return;
  if (status == 408 || status == 481 || status == 503) {
    nua_bye (handle, TAG_END ());
    sip_line_end_call (sip, "the other phone is gone");
  }
}

void
sip_line_on_state (SipLine * sip, nua_handle_t * handle, int status,
    const gchar * phrase, tagi_t tags[])
{
  int state = nua_callstate_init;

  tl_gets (tags, NUTAG_CALLSTATE_REF (state), TAG_END ());
  if (state == nua_callstate_terminated && handle == sip->handle)
    sip_line_end_call (sip, sip->state == INCOMING ? "the caller has given up" :
        "the other phone has hung up");
}
