/* A softphone for the terminal
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   softphone --listen
 *   softphone --call 192.0.2.7:5004
 *   softphone --sip sip:anna@192.0.2.1 --call sip:ben@192.0.2.7
 *
 * The call itself is in call.c, SIP in sip.c; here are the options and the meter. */
#include <gio/gio.h>
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "phone.h"
#ifdef HAVE_SIP
#include "sip.h"
#endif

#define STUN_PORT 3478          /* RFC 8489 18.6 */

typedef struct
{
  GMainLoop *loop;
  Phone *phone;
  struct termios terminal;
  gboolean raw, failed;
} Terminal;

static gboolean listens, no_echo_cancel, answers, once, registers, clear;
static gchar *target, *key_file, *speak, *record, *identity, *password_file;
#ifdef HAVE_ICE
static gchar *stun;
static gboolean no_ice;
#endif
static gchar *codecs = "OPUS,PCMU";
static gint port = 5004, latency = 100, sip_port = 5060, ring = 60;
static gdouble duration;

#ifndef HAVE_ICE
/* An option of what the phone was built without. */
static gboolean
refuse_option (const gchar * name, const gchar * value, gpointer data,
    GError ** error)
{
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED,
      "%s: this phone was built without %s. Install that, then "
      "\"meson setup --reconfigure build && meson compile -C build\".", name,
      g_str_equal (name, "--stun") ? "ICE (libnice; Debian: libnice-dev)" :
      "SIP (sofia-sip; Debian: libsofia-sip-ua-glib-dev)");
  return FALSE;
}
#endif

static GOptionEntry entries[] = {
  {"listen", 'l', 0, G_OPTION_ARG_NONE, &listens,
      "Wait for calls; with --sip also after a call of one's own", NULL},
  {"call", 'c', 0, G_OPTION_ARG_STRING, &target,
        "Call someone; with --listen and without --sip, wait for the call of the phone there",
      "HOST:PORT or sip:NAME@HOST"},
  {"port", 'p', 0, G_OPTION_ARG_INT, &port, "Our UDP port (5004)", "PORT"},
  {"auto-answer", 'a', 0, G_OPTION_ARG_NONE, &answers,
      "Accept each call at once, without the key a", NULL},
  {"once", '1', 0, G_OPTION_ARG_NONE, &once, "End after the first call", NULL},
  {"key-file", 'k', 0, G_OPTION_ARG_FILENAME, &key_file,
        "SRTP keys that both ends share, 120 hexadecimal digits; `openssl rand -hex 60` makes them",
      "FILE"},
  {"speak", 's', 0, G_OPTION_ARG_FILENAME, &speak,
      "Say a recording (the microphone)", "FILE.wav"},
  {"record", 'r', 0, G_OPTION_ARG_FILENAME, &record,
        "Write what is heard to a file, each call anew (the loudspeaker)",
      "FILE.wav"},
  {"latency", 0, 0, G_OPTION_ARG_INT, &latency, "Of the jitter buffer (100)",
      "MS"},
  {"no-echo-cancel", 0, 0, G_OPTION_ARG_NONE, &no_echo_cancel,
      "Without webrtcdsp, for headsets", NULL},
  {"duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration,
      "Hang up and end after so long (never)", "S"},
#ifdef HAVE_SIP
  {"sip", 0, 0, G_OPTION_ARG_STRING, &identity,
        "Call and be called by SIP; who this phone is, and with --register where it registers",
      "sip:NAME@HOST"},
  {"sip-port", 0, 0, G_OPTION_ARG_INT, &sip_port, "Our port of SIP (5060)",
      "PORT"},
  {"ring", 0, 0, G_OPTION_ARG_INT, &ring,
      "End a call of SIP that nobody answers after so long (60)", "S"},
  {"register", 0, 0, G_OPTION_ARG_NONE, &registers,
      "Register at the host of --sip", NULL},
  {"password-file", 0, 0, G_OPTION_ARG_FILENAME, &password_file,
      "The password of the account there", "FILE"},
  {"codecs", 0, 0, G_OPTION_ARG_STRING, &codecs,
      "That SIP offers, the best first (OPUS,PCMU)", "LIST"},
  {"clear", 0, 0, G_OPTION_ARG_NONE, &clear,
      "SIP offers and takes no keys: calls are in clear", NULL},
#else
  {"sip", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, refuse_option, NULL,
      NULL},
#endif
#ifdef HAVE_ICE
  {"stun", 0, 0, G_OPTION_ARG_STRING, &stun,
        "With --sip: a STUN server, for a phone behind a NAT (its port: 3478)",
      "HOST[:PORT]"},
  {"no-ice", 0, 0, G_OPTION_ARG_NONE, &no_ice,
        "With --sip: without ICE, to the address that the other phone names",
      NULL},
#else
  {"stun", 0, G_OPTION_FLAG_HIDDEN, G_OPTION_ARG_CALLBACK, refuse_option, NULL,
      NULL},
#endif
  {NULL}
};

static void
print_meter (const gchar * loss_name, const CallMeter * meter)
{
  printf ("%-5s %5.1f kbit/s %2.0f ms R %3.0f ms %s %4.1f %% MOS %.1f",
      meter->codec, meter->bitrate / 1e3, meter->frame, meter->rtt, loss_name,
      100 * meter->loss, meter->quality);
}

static gboolean
on_meter (gpointer user_data)
{
  Terminal *terminal = user_data;
  Call *call = phone_get_call (terminal->phone);
  CallMeter said, heard;

  if (!call)
    return G_SOURCE_CONTINUE;
  call_measure (call, &said, &heard);
  if (call_get_state (call) != CALL_TALKING)
    return G_SOURCE_CONTINUE;
  print_meter ("p", &said);
  printf (" | ");
  print_meter ("lost", &heard);
  /* One line that renews itself; a file gets a line each. */
  printf ("%s%s", phone_is_muted (terminal->phone) ? " muted" : "      ",
      terminal->raw ? "\r" : "\n");
  fflush (stdout);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_end (gpointer user_data)
{
  phone_quit (((Terminal *) user_data)->phone);
  return G_SOURCE_CONTINUE;
}

static void
on_ended (gboolean failed, gpointer user_data)
{
  Terminal *terminal = user_data;

  terminal->failed = failed;
  g_main_loop_quit (terminal->loop);
}

static gboolean
on_key (gint fd, GIOCondition condition, gpointer user_data)
{
  Terminal *terminal = user_data;
  gchar key;

  if (read (fd, &key, 1) != 1)
    return G_SOURCE_REMOVE;
  phone_press (terminal->phone, key);
  return G_SOURCE_CONTINUE;
}

/* Keys without Enter. */
static void
open_keyboard (Terminal * terminal)
{
  struct termios raw;

  if (!isatty (STDIN_FILENO)
      || tcgetattr (STDIN_FILENO, &terminal->terminal) < 0)
    return;
  raw = terminal->terminal;
  raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
  terminal->raw = tcsetattr (STDIN_FILENO, TCSANOW, &raw) == 0;
  g_unix_fd_add (STDIN_FILENO, G_IO_IN, on_key, terminal);
}

static gboolean
read_keys (gchar ** keys, GError ** error)
{
  if (!g_file_get_contents (key_file, keys, NULL, error))
    return FALSE;
  g_strstrip (*keys);
  if (strlen (*keys) == CALL_KEYS_LENGTH
      && strspn (*keys, "0123456789abcdefABCDEF") == CALL_KEYS_LENGTH)
    return TRUE;
  g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
      "%s has no keys: make %d hexadecimal digits by `openssl rand -hex 60`, the same for both ends",
      key_file, CALL_KEYS_LENGTH);
  return FALSE;
}

static gboolean
check_options (GError ** error)
{
  if ((!listens && !target) || port < 1 || port > 65535 || sip_port < 1
      || sip_port > 65535)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "say --listen or --call WHOM, and a --port from 1 to 65535; see --help");
  else if (ring < 1)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--ring is at least 1 second");
  else if (identity && key_file)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "--key-file is for calls without SIP: SIP agrees on keys by itself");
  else if (!identity && target && g_str_has_prefix (target, "sip:"))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "to call %s, say who calls: --sip sip:NAME@HOST", target);
  else
    return TRUE;
  return FALSE;
}

static gboolean
read_files (PhoneSettings * settings, GError ** error)
{
  gchar *keys = NULL, *password = NULL;

  if ((key_file && !read_keys (&keys, error)) || (password_file
          && !g_file_get_contents (password_file, &password, NULL, error)))
    return FALSE;
  settings->call.keys = keys;
  settings->password = password ? g_strstrip (password) : NULL;
  return TRUE;
}

#ifdef HAVE_ICE
/* The first address of each family counts. */
static void
take_stun_server (CallSettings * call, GInetSocketAddress * address)
{
  GInetAddress *host = g_inet_socket_address_get_address (address);
  const gchar **server =
      g_inet_address_get_family (host) == G_SOCKET_FAMILY_IPV6 ?
      &call->stun_server6 : &call->stun_server;

  if (!*server)
    *server = g_inet_address_to_string (host);
  call->stun_port = g_inet_socket_address_get_port (address);
}

/* The addresses of the STUN server, to be freed by nobody: they are in use until the end. */
static gboolean
find_stun_server (CallSettings * call, GError ** error)
{
  GSocketConnectable *name = g_network_address_parse (stun, STUN_PORT, error);
  GSocketAddressEnumerator *list;
  GSocketAddress *address;

  if (!name)
    return FALSE;
  list = g_socket_connectable_enumerate (name);
  while ((address = g_socket_address_enumerator_next (list, NULL, error))) {
    take_stun_server (call, G_INET_SOCKET_ADDRESS (address));
    g_object_unref (address);
  }
  g_object_unref (list);
  g_object_unref (name);
  if (!call->stun_server && !call->stun_server6)
    return FALSE;
  g_clear_error (error);        /* of an address behind the first ones */
  return TRUE;
}

static gboolean
read_ice (CallSettings * call, GError ** error)
{
  call->ice = !no_ice;
  return !stun || find_stun_server (call, error);
}
#endif

static gboolean
parse_options (int argc, char **argv, PhoneSettings * settings, GError ** error)
{
  GOptionContext *context =
      g_option_context_new ("- a voice call that adapts to the network");
  gboolean parsed;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  parsed = g_option_context_parse (context, &argc, &argv, error);
  g_option_context_free (context);
  if (!parsed || !check_options (error))
    return FALSE;
  *settings = (PhoneSettings) {
      .call = {
        .peer = target,
        .port = (guint) port,
        .listen = listens,
        .speak = speak,
        .record = record,
        .echo_cancel = !no_echo_cancel,
        .latency = (guint) latency,
      },
      .identity = identity,
      .sip_port = (guint) sip_port,
      .ring = (guint) ring,
      .registers = registers,
      .codecs = codecs,
      .clear = clear,
      .target = target,
      .listens = listens,
      .answers = answers,
      .once = once,
  };
#ifdef HAVE_ICE
  if (!read_ice (&settings->call, error))
    return FALSE;
#endif
  return read_files (settings, error);
}

int
main (int argc, char **argv)
{
  Terminal terminal = { 0 };
  PhoneSettings settings = { 0 };
  GError *error = NULL;

#ifdef HAVE_SIP
  sip_init ();
#endif
  if (parse_options (argc, argv, &settings, &error)) {
    settings.ended = on_ended;
    settings.user_data = &terminal;
    terminal.loop = g_main_loop_new (NULL, FALSE);
    terminal.phone = phone_new (&settings, &error);
  }
  if (!terminal.phone) {
    fprintf (stderr, "softphone: %s\n", error->message);
    return 1;
  }
  open_keyboard (&terminal);
  g_unix_signal_add (SIGINT, on_end, &terminal);
  g_unix_signal_add (SIGTERM, on_end, &terminal);
  g_timeout_add_seconds (1, on_meter, &terminal);
  if (duration > 0)
    g_timeout_add ((guint) (duration * 1e3), on_end, &terminal);
  g_main_loop_run (terminal.loop);
  phone_free (terminal.phone);
  g_main_loop_unref (terminal.loop);
  if (terminal.raw)
    tcsetattr (STDIN_FILENO, TCSANOW, &terminal.terminal);
  return terminal.failed;
}
