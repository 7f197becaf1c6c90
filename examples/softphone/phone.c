/* gst-tfrc: the two kinds of calls of the softphone behind one set of keys
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "phone.h"

#include <stdio.h>

#ifdef HAVE_SIP
#include "sip.h"
#endif

struct _Phone
{
  PhoneSettings settings;
  Call *call;                   /* without SIP */
#ifdef HAVE_SIP
  SipLine *sip;
#endif
  gboolean registered, rings, talks, holds, muted, quits, failed;
  guint next;                   /* source that begins the next call, or ends the phone */
};

static gboolean listen (Phone * phone, GError ** error);

static void
say (const gchar * format, const gchar * text)
{
  printf (format, text ? text : "");
  printf ("\n");
  fflush (stdout);
}

static void
say_meter_title (void)
{
  printf ("%-34s   %s\n", "said", "heard");
  fflush (stdout);
}

static gboolean
on_next (gpointer user_data)
{
  Phone *phone = user_data;
  GError *error = NULL;

  phone->next = 0;
  g_clear_pointer (&phone->call, call_free);
  if (!phone->quits && listen (phone, &error))
    return G_SOURCE_REMOVE;
  if (error)
    fprintf (stderr, "%s\n", error->message);
  phone->failed |= error != NULL;
  g_clear_error (&error);
#ifdef HAVE_SIP
  if (phone->sip) {
    sip_line_close (phone->sip);        /* SIP_CLOSED ends the phone */
    return G_SOURCE_REMOVE;
  }
#endif
  phone->settings.ended (phone->failed, phone->settings.user_data);
  return G_SOURCE_REMOVE;
}

/* A call is over. A phone that listens goes on, whatever ended the call. */
static void
finish (Phone * phone, gboolean failed)
{
  phone->rings = phone->talks = phone->holds = phone->muted = FALSE;
  phone->failed = failed;
  phone->quits |= phone->settings.once || !phone->settings.listens;
  if (phone->next == 0)
    phone->next = g_idle_add (on_next, phone);
}

static void
on_ringing (Phone * phone, const gchar * who)
{
  phone->rings = TRUE;
  say ("\a%s calls; a accepts, d declines", who);
  if (phone->settings.answers)
    phone_press (phone, 'a');
}

static void
on_talking (Phone * phone, const gchar * who, gboolean by_sip)
{
  phone->rings = FALSE;
  phone->talks = TRUE;
  say (by_sip ? "talking to %s; m mutes, h holds, 0-9 * # are sent, q hangs up"
      : "talking to %s; m mutes, q hangs up", who);
}

/* --- without SIP --- */

static void
on_changed (Call * call, gpointer user_data)
{
  Phone *phone = user_data;

  switch (call_get_state (call)) {
    case CALL_WAITING:
      phone->rings = FALSE;
      printf ("waiting for a call on port %u; q ends\n",
          phone->settings.call.port);
      break;
    case CALL_INCOMING:
      on_ringing (phone, call_get_remote (call));
      break;
    case CALL_RINGING:
      say ("calling %s; q hangs up", phone->settings.target);
      break;
    case CALL_TALKING:
      on_talking (phone, call_get_remote (call), FALSE);
      say_meter_title ();
      break;
    case CALL_ENDED:
      say ("\nthe call has ended%s", NULL);
      finish (phone, FALSE);
      break;
    case CALL_FAILED:
      fflush (stdout);
      fprintf (stderr, "\n%s\n", call_get_error (call));
      finish (phone, TRUE);
      break;
  }
  fflush (stdout);
}

/* A call that is waited for, or the one that is to be made. */
static gboolean
begin_call (Phone * phone, GError ** error)
{
  CallSettings settings = phone->settings.call;

  settings.changed = on_changed;
  settings.user_data = phone;
  phone->call = call_new (&settings, error);
  if (!phone->call)
    return FALSE;
  on_changed (phone->call, phone);
  call_start (phone->call);
  return TRUE;
}

/* --- with SIP --- */

#ifdef HAVE_SIP
static void
say_waiting (Phone * phone)
{
  printf ("waiting for a call as %s on port %u; q ends\n",
      phone->settings.identity, phone->settings.sip_port);
  fflush (stdout);
}

/* The first registration, or that there is none, begins what the phone was started for. */
static gboolean
begin_sip (Phone * phone, GError ** error)
{
  if (!phone->settings.target) {
    say_waiting (phone);
    return TRUE;
  }
  say ("calling %s; q hangs up", phone->settings.target);
  return sip_line_call (phone->sip, phone->settings.target, error);
}

static void
on_registered (Phone * phone, const gchar * text)
{
  GError *error = NULL;

  say ("registered as %s", text);
  if (phone->registered)
    return;
  phone->registered = TRUE;
  if (begin_sip (phone, &error))
    return;
  fprintf (stderr, "%s\n", error->message);
  g_clear_error (&error);
  finish (phone, TRUE);
}

/* A phone whose registration is refused later is still reached by those who know its address. */
static void
quit_refused (Phone * phone)
{
  phone->quits = TRUE;
  finish (phone, TRUE);
}

static void
on_sip_ended (Phone * phone, const gchar * why)
{
  gboolean failed = !phone->talks && phone->settings.target != NULL
      && !phone->quits;

  say ("\nthe call has ended: %s", why);
  /* no key is for the call any more, also while the line closes */
  phone->rings = phone->talks = FALSE;
  if (!phone->quits)
    finish (phone, failed);
}

static void
on_sip_talking (Phone * phone, const gchar * who)
{
  gchar *media = sip_line_describe_media (phone->sip);

  on_talking (phone, who, TRUE);
  say ("%s", media);
  say_meter_title ();
  g_free (media);
}

static void
on_sip (SipLine * sip, SipEvent event, const gchar * text, gpointer user_data)
{
  Phone *phone = user_data;

  switch (event) {
    case SIP_REGISTERED:
      on_registered (phone, text);
      break;
    case SIP_REFUSED:
      fprintf (stderr, "the registrar refuses %s\n", text);
      if (!phone->registered)
        quit_refused (phone);
      break;
    case SIP_UNREGISTERED:
      fprintf (stderr, "the registrar is not ready for %s; it is asked again\n",
          text);
      break;
    case SIP_INCOMING:
      on_ringing (phone, text);
      break;
    case SIP_RINGING:
      say ("%s rings", text);
      break;
    case SIP_TALKING:
      on_sip_talking (phone, text);
      break;
    case SIP_HOLDS:
      phone->holds = TRUE;
      say ("\nthe call is on hold; h resumes%s", NULL);
      break;
    case SIP_UNHELD:
      phone->holds = FALSE;
      say ("\nthe call goes on%s", NULL);
      break;
    case SIP_HOLD_REFUSED:
      say (phone->holds ?
          "\nthe call stays on hold, the other phone refuses: %s" :
          "\nthe call goes on, the other phone refuses: %s", text);
      break;
    case SIP_HELD:
      say ("\n%s holds the call", text);
      break;
    case SIP_RESUMED:
      say ("\n%s resumes the call", text);
      break;
    case SIP_ENDED:
      on_sip_ended (phone, text);
      break;
    case SIP_CLOSED:
      phone->settings.ended (phone->failed, phone->settings.user_data);
      break;
  }
}

static void
on_digit (SipLine * sip, gchar digit, gpointer user_data)
{
  printf ("\nthe other phone has pressed %c\n", digit);
  fflush (stdout);
}

static gboolean
open_line (Phone * phone, GError ** error)
{
  const PhoneSettings *of = &phone->settings;
  SipSettings settings = {
    .identity = of->identity,
    .port = of->sip_port,
    .ring = of->ring,
    .registers = of->registers,
    .password = of->password,
    .sdp = {of->codecs, !of->clear},
    .call = of->call,
    .changed = on_sip,
    .digit = on_digit,
    .user_data = phone,
  };

  phone->sip = sip_line_new (&settings, error);
  return phone->sip && (of->registers || begin_sip (phone, error));
}

static void
press_sip (Phone * phone, gchar key)
{
  GError *error = NULL;

  if (key == 'a' && phone->rings && !sip_line_accept (phone->sip, &error)
      && error)
    fprintf (stderr, "%s\n", error->message);
  else if ((key == 'd' && phone->rings)
      || (key == 'q' && sip_line_get_call (phone->sip)))
    sip_line_hang_up (phone->sip);
  else if (key == 'h')
    sip_line_hold (phone->sip, !phone->holds);
  else if (phone->talks)
    call_send_digit (sip_line_get_call (phone->sip), key);
  g_clear_error (&error);
}
#endif

/* --- both --- */

static gboolean
listen (Phone * phone, GError ** error)
{
#ifdef HAVE_SIP
  if (phone->sip) {
    phone->settings.target = NULL;
    say_waiting (phone);
    return TRUE;
  }
#endif
  return begin_call (phone, error);
}

Phone *
phone_new (const PhoneSettings * settings, GError ** error)
{
  Phone *phone = g_new0 (Phone, 1);
  gboolean good;

  phone->settings = *settings;
#ifdef HAVE_SIP
  good = settings->identity ? open_line (phone, error) :
      begin_call (phone, error);
#else
  good = begin_call (phone, error);
#endif
  if (good)
    return phone;
  phone_free (phone);
  return NULL;
}

void
phone_free (Phone * phone)
{
  g_clear_handle_id (&phone->next, g_source_remove);
  g_clear_pointer (&phone->call, call_free);
#ifdef HAVE_SIP
  g_clear_pointer (&phone->sip, sip_line_free);
#endif
  g_free (phone);
}

static void
press_call (Phone * phone, gchar key)
{
  if (key == 'a')
    call_accept (phone->call);
  else if (key == 'd')
    call_decline (phone->call);
  else if (key == 'q' && phone->talks)
    call_hang_up (phone->call);
}

void
phone_press (Phone * phone, gchar key)
{
  Call *call = phone_get_call (phone);

  if (key == 'q' && !phone->talks && !phone->rings
      && phone->settings.target == NULL)
    phone_quit (phone);
  else if (key == 'm' && call) {
    phone->muted = !phone->muted;
    call_set_muted (call, phone->muted);
#ifdef HAVE_SIP
  } else if (phone->sip) {
    press_sip (phone, key);
#endif
  } else if (phone->call) {
    press_call (phone, key);
    if (key == 'q' && !phone->talks)
      phone_quit (phone);
  }
}

void
phone_quit (Phone * phone)
{
  if (phone->quits)
    return;
  phone->quits = TRUE;
#ifdef HAVE_SIP
  if (phone->sip) {
    sip_line_close (phone->sip);
    return;
  }
#endif
  call_hang_up (phone->call);
}

Call *
phone_get_call (Phone * phone)
{
#ifdef HAVE_SIP
  if (phone->sip)
    return phone->talks ? sip_line_get_call (phone->sip) : NULL;
#endif
  return phone->call;
}

gboolean
phone_is_muted (Phone * phone)
{
  return phone->muted;
}
