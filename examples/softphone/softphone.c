/* A softphone for the terminal
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   softphone --listen
 *   softphone --call 192.0.2.7:5004
 *
 * The call itself is in call.c; here are the options, two keys and the meter. */
#include <glib-unix.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "call.h"

typedef struct
{
  GMainLoop *loop;
  Call *call;
  gboolean muted;
  struct termios terminal;
  gboolean raw;
} Phone;

static gboolean listens, no_echo_cancel;
static gchar *remote, *key_file, *speak, *record;
static gint port = 5004, latency = 100;
static gdouble duration;

static GOptionEntry entries[] = {
  {"listen", 'l', 0, G_OPTION_ARG_NONE, &listens, "Wait for a call", NULL},
  {"call", 'c', 0, G_OPTION_ARG_STRING, &remote,
        "Call someone; with --listen, wait for the call of the phone there",
      "HOST:PORT"},
  {"port", 'p', 0, G_OPTION_ARG_INT, &port, "Our UDP port (5004)", "PORT"},
  {"key-file", 'k', 0, G_OPTION_ARG_FILENAME, &key_file,
        "SRTP keys that both ends share, 120 hexadecimal digits; `openssl rand -hex 60` makes them",
      "FILE"},
  {"speak", 's', 0, G_OPTION_ARG_FILENAME, &speak,
      "Say a recording (the microphone)", "FILE.wav"},
  {"record", 'r', 0, G_OPTION_ARG_FILENAME, &record,
      "Write what is heard to a file (the loudspeaker)", "FILE.wav"},
  {"latency", 0, 0, G_OPTION_ARG_INT, &latency, "Of the jitter buffer (100)",
      "MS"},
  {"no-echo-cancel", 0, 0, G_OPTION_ARG_NONE, &no_echo_cancel,
      "Without webrtcdsp, for headsets", NULL},
  {"duration", 'd', 0, G_OPTION_ARG_DOUBLE, &duration,
      "Hang up after so long (never)", "S"},
  {NULL}
};

static void
print_state (Phone * phone)
{
  switch (call_get_state (phone->call)) {
    case CALL_WAITING:
      printf ("waiting for a call on port %d; q ends\n", port);
      break;
    case CALL_RINGING:
      printf ("calling %s; q hangs up\n", remote);
      break;
    case CALL_TALKING:
      printf ("talking to %s; m mutes, q hangs up\n",
          call_get_remote (phone->call));
      printf ("%-34s   %s\n", "said", "heard");
      break;
    case CALL_ENDED:
      printf ("\nthe call has ended\n");
      break;
    case CALL_FAILED:
      fflush (stdout);
      fprintf (stderr, "\n%s\n", call_get_error (phone->call));
      break;
  }
  fflush (stdout);
}

static void
on_changed (Call * call, gpointer user_data)
{
  Phone *phone = user_data;

  print_state (phone);
  if (call_get_state (call) >= CALL_ENDED)
    g_main_loop_quit (phone->loop);
}

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
  Phone *phone = user_data;
  CallMeter said, heard;

  call_measure (phone->call, &said, &heard);
  if (call_get_state (phone->call) != CALL_TALKING)
    return G_SOURCE_CONTINUE;
  print_meter ("p", &said);
  printf (" | ");
  print_meter ("lost", &heard);
  /* One line that renews itself; a file gets a line each. */
  printf ("%s%s", phone->muted ? " muted" : "      ", phone->raw ? "\r" : "\n");
  fflush (stdout);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_end (gpointer user_data)
{
  call_hang_up (((Phone *) user_data)->call);
  return G_SOURCE_CONTINUE;
}

static gboolean
on_key (gint fd, GIOCondition condition, gpointer user_data)
{
  Phone *phone = user_data;
  gchar key;

  if (read (fd, &key, 1) != 1)
    return G_SOURCE_REMOVE;
  if (key == 'm') {
    phone->muted = !phone->muted;
    call_set_muted (phone->call, phone->muted);
  } else if (key == 'q') {
    call_hang_up (phone->call);
  }
  return G_SOURCE_CONTINUE;
}

/* Keys without Enter. */
static void
open_keyboard (Phone * phone)
{
  struct termios raw;

  if (!isatty (STDIN_FILENO) || tcgetattr (STDIN_FILENO, &phone->terminal) < 0)
    return;
  raw = phone->terminal;
  raw.c_lflag &= ~(tcflag_t) (ICANON | ECHO);
  phone->raw = tcsetattr (STDIN_FILENO, TCSANOW, &raw) == 0;
  g_unix_fd_add (STDIN_FILENO, G_IO_IN, on_key, phone);
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
parse_options (int argc, char **argv, CallSettings * settings, GError ** error)
{
  GOptionContext *context =
      g_option_context_new ("- a voice call that adapts to the network");
  gchar *keys = NULL;
  gboolean parsed;

  g_option_context_add_main_entries (context, entries, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  parsed = g_option_context_parse (context, &argc, &argv, error);
  g_option_context_free (context);
  if (!parsed)
    return FALSE;
  if ((!listens && !remote) || port < 1 || port > 65535) {
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE,
        "say --listen or --call HOST:PORT, and a --port from 1 to 65535; see --help");
    return FALSE;
  }
  if (key_file && !read_keys (&keys, error))
    return FALSE;
  *settings = (CallSettings) {
      .peer = remote,
      .port = (guint) port,
      .listen = listens,
      .keys = keys,
      .speak = speak,
      .record = record,
      .echo_cancel = !no_echo_cancel,
      .latency = (guint) latency,
  };
  return TRUE;
}

int
main (int argc, char **argv)
{
  Phone phone = { 0 };
  CallSettings settings;
  GError *error = NULL;
  CallState end;

  if (!parse_options (argc, argv, &settings, &error)
      || !(phone.call = call_new (&settings, on_changed, &phone, &error))) {
    fprintf (stderr, "softphone: %s\n", error->message);
    return 1;
  }
  phone.loop = g_main_loop_new (NULL, FALSE);
  open_keyboard (&phone);
  g_unix_signal_add (SIGINT, on_end, &phone);
  g_unix_signal_add (SIGTERM, on_end, &phone);
  g_timeout_add_seconds (1, on_meter, &phone);
  if (duration > 0)
    g_timeout_add ((guint) (duration * 1e3), on_end, &phone);
  print_state (&phone);
  call_start (phone.call);
  g_main_loop_run (phone.loop);
  end = call_get_state (phone.call);
  call_free (phone.call);
  g_main_loop_unref (phone.loop);
  if (phone.raw)
    tcsetattr (STDIN_FILENO, TCSANOW, &phone.terminal);
  return end == CALL_FAILED;
}
