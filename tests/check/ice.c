/* gst-tfrc tests: the ICE agent of examples/softphone, between networks that the test makes
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>
#include <stun/stunagent.h>
#include <string.h>

#include "../../examples/softphone/ice.h"

#define MS 1000                 /* us, as of g_get_monotonic_time() */
#define S (1000 * MS)
#define PORT 5004
#define SERVER "203.0.113.1"
#define SERVER_PORT 3478
#define WAYS_MAX 16
#define MESSAGES_MAX 4000

typedef enum
{
  OPEN,                         /* no NAT */
  CONE,                         /* one public port for all remotes; lets in who was sent to */
  SYMMETRIC                     /* a public port for each remote */
} Kind;

typedef struct
{
  gchar host[64];
  guint port, public_port;
} Way;

typedef struct
{
  Ice *ice;
  Kind kind;
  gchar host[64], public_host[64], other_host[64];      /* other_host: a second address, or "" */
  guint n_ways;
  Way ways[WAYS_MAX];           /* that the NAT has opened */
  gboolean cut;                 /* nothing arrives any more */
  gboolean gathered, failed;
  guint selections, received;
  gchar selected[80];
  IceSide said;                 /* by signalling; that of another one, if the test wants it */
} End;

typedef struct
{
  gint64 at;
  gchar from[64], to[64];
  guint from_port, to_port;
  guint8 data[1000];
  gsize size;
} Message;

static End ends[2];
static Message *messages;
static guint n_messages, n_posted, n_indications;
static gint64 now;
static gint64 delay;            /* of each message */
static gboolean server_is_silent, server_says_ipv6;
static gboolean controlling[2];
static gboolean answers_come_from_elsewhere;

/* --- the network --- */

static void
post (const gchar * from, guint from_port, const gchar * to, guint to_port,
    const guint8 * data, gsize size)
{
  Message *message = &messages[n_messages++];

  fail_unless (n_messages < MESSAGES_MAX && size <= sizeof message->data);
  n_posted++;
  message->at = now + delay;
  g_strlcpy (message->from, from, sizeof message->from);
  g_strlcpy (message->to, to, sizeof message->to);
  message->from_port = from_port + (answers_come_from_elsewhere
      && data[0] == 1);
  n_indications += data[0] == 0 && data[1] == 0x11;
  message->to_port = to_port;
  memcpy (message->data, data, size);
  message->size = size;
}

static Way *
find_way (End * end, const gchar * host, guint port)
{
  guint i;

  for (i = 0; i < end->n_ways; i++)
    if (end->ways[i].port == port && g_str_equal (end->ways[i].host, host))
      return &end->ways[i];
  return NULL;
}

static Way *
open_way (End * end, const gchar * host, guint port)
{
  Way *way = find_way (end, host, port);

  if (way)
    return way;
  fail_unless (end->n_ways < WAYS_MAX);
  way = &end->ways[end->n_ways++];
  g_strlcpy (way->host, host, sizeof way->host);
  way->port = port;
  way->public_port = end->kind == CONE ? 40000 : 40000 + end->n_ways;
  return way;
}

static void
on_send (const gchar * host, guint port, const guint8 * data, gsize size,
    gpointer user_data)
{
  End *end = user_data;

  if (end->kind == OPEN)
    post (end->host, PORT, host, port, data, size);
  else if (!g_str_has_prefix (host, "10."))     /* private networks do not reach each other */
    post (end->public_host, open_way (end, host, port)->public_port, host,
        port, data, size);
}

/* Answers a binding request as a STUN server does. */
static void
serve (const Message * request)
{
  struct sockaddr_storage address;
  GSocketAddress *object =
      g_inet_socket_address_new_from_string (server_says_ipv6 ? "2001:db8::9" :
      request->from, request->from_port);
  StunMessage in, out;
  StunAgent agent;
  guint8 data[200];
  gsize size;

  g_socket_address_to_native (object, &address, sizeof address, NULL);
  stun_agent_init (&agent, STUN_ALL_KNOWN_ATTRIBUTES,
      STUN_COMPATIBILITY_RFC5389, STUN_AGENT_USAGE_IGNORE_CREDENTIALS);
  fail_unless_equals_int (stun_agent_validate (&agent, &in, request->data,
          request->size, NULL, NULL), STUN_VALIDATION_SUCCESS);
  stun_agent_init_response (&agent, &out, data, sizeof data, &in);
  stun_message_append_xor_addr (&out, STUN_ATTRIBUTE_XOR_MAPPED_ADDRESS,
      &address, (socklen_t) g_socket_address_get_native_size (object));
  size = stun_agent_finish_message (&agent, &out, NULL, 0);
  post (SERVER, SERVER_PORT, request->from, request->from_port, data, size);
  g_object_unref (object);
}

static gboolean
reaches (End * end, const Message * message)
{
  Way *way;

  if (end->cut)
    return FALSE;
  if (end->kind == OPEN)
    return (g_str_equal (message->to, end->host)
        || g_str_equal (message->to, end->other_host))
        && message->to_port == PORT;
  way = find_way (end, message->from, message->from_port);
  return way && g_str_equal (message->to, end->public_host)
      && message->to_port == way->public_port;
}

static void
deliver (const Message * message)
{
  guint i;

  if (g_str_equal (message->to, SERVER) && !server_is_silent)
    serve (message);
  for (i = 0; i < 2; i++)
    if (ends[i].ice && reaches (&ends[i], message))
      ends[i].received += ice_receive (ends[i].ice, message->from,
          message->from_port, message->data, message->size, now);
}

static gint64
find_due (void)
{
  gint64 due = n_messages > 0 ? messages[0].at : G_MAXINT64;
  guint i;

  for (i = 0; i < 2; i++)
    if (ends[i].ice)
      due = MIN (due, ice_get_due (ends[i].ice));
  return due;
}

static void
step (void)
{
  Message message;
  guint i;

  while (n_messages > 0 && messages[0].at <= now) {
    message = messages[0];
    memmove (messages, messages + 1, --n_messages * sizeof *messages);
    deliver (&message);
  }
  for (i = 0; i < 2; i++)
    if (ends[i].ice && ice_get_due (ends[i].ice) <= now)
      ice_on_timer (ends[i].ice, now);
}

/* A timer that is due and does not move would never let time pass. */
static void
run (gint64 duration)
{
  gint64 end = now + duration;
  guint steps = 0;

  while (find_due () <= end) {
    now = MAX (now, find_due ());
    step ();
    fail_unless (steps++ < 10000, "a timer does not move");
  }
  now = end;
}

/* --- the ends --- */

static void
on_gathered (gpointer user_data)
{
  ((End *) user_data)->gathered = TRUE;
}

static void
on_selected (const gchar * host, guint port, gpointer user_data)
{
  End *end = user_data;

  end->selections++;
  g_snprintf (end->selected, sizeof end->selected, "%s:%u", host, port);
}

static void
on_failed (gpointer user_data)
{
  ((End *) user_data)->failed = TRUE;
}

static void
begin (guint i, Kind kind)
{
  static const IceCallbacks callbacks =
      { on_send, on_gathered, on_selected, on_failed };
  End *end = &ends[i];

  end->kind = kind;
  g_snprintf (end->host, sizeof end->host, kind == OPEN ?
      "198.51.100.%u" : "10.0.%u.2", i + 1);
  g_snprintf (end->public_host, sizeof end->public_host, "198.51.100.%u",
      i + 1);
  end->ice = ice_new (end->host, PORT, controlling[i], &callbacks, end);
  ice_gather (end->ice, SERVER, SERVER_PORT, now);
}

static void
begin_both (Kind a, Kind b)
{
  begin (0, a);
  begin (1, b);
  run (3 * S);
  fail_unless (ends[0].gathered && ends[1].gathered);
  ends[0].said = *ice_get_side (ends[0].ice);
  ends[1].said = *ice_get_side (ends[1].ice);
}

/* Signalling takes a while; the end that called is the last to know. */
static void
check_both (void)
{
  ice_check (ends[1].ice, &ends[0].said, now);
  run (200 * MS);
  ice_check (ends[0].ice, &ends[1].said, now);
}

static void
expect (const gchar * of_first, const gchar * of_second)
{
  fail_unless_equals_string (ends[0].selected, of_first);
  fail_unless_equals_string (ends[1].selected, of_second);
  fail_if (ends[0].failed || ends[1].failed);
}

static void
set_up (void)
{
  memset (ends, 0, sizeof ends);
  messages = g_new (Message, MESSAGES_MAX);
  n_messages = 0;
  now = 100 * S;
  delay = 20 * MS;
  server_is_silent = server_says_ipv6 = answers_come_from_elsewhere = FALSE;
  controlling[0] = TRUE;
  controlling[1] = FALSE;
}

static void
tear_down (void)
{
  g_clear_pointer (&ends[0].ice, ice_free);
  g_clear_pointer (&ends[1].ice, ice_free);
  g_clear_pointer (&messages, g_free);
}

/* --- tests --- */

/* The numbers are those of RFC 8445 5.1.2.1 for the preferences that 5.1.2.2 recommends. */
GST_START_TEST (test_candidates_are_those_of_the_host_and_of_the_server)
{
  const IceSide *side;

  begin (0, CONE);
  run (1 * S);
  side = ice_get_side (ends[0].ice);
  fail_unless_equals_int (side->n_candidates, 2);
  fail_unless_equals_string (side->candidates[0].host, "10.0.1.2");
  fail_unless_equals_int (side->candidates[0].priority, 2130706431);
  fail_unless_equals_int (side->candidates[1].type, ICE_SERVER_REFLEXIVE);
  fail_unless_equals_string (side->candidates[1].host, "198.51.100.1");
  fail_unless_equals_int (side->candidates[1].port, 40000);
  fail_unless_equals_int (side->candidates[1].priority, 1694498815);
  fail_unless (strlen (side->ufrag) >= 4 && strlen (side->pwd) >= 22);
}

GST_END_TEST;

/* Without a NAT the server's view is no other candidate. */
GST_START_TEST (test_an_address_that_is_public_is_one_candidate)
{
  begin (0, OPEN);
  run (1 * S);
  fail_unless_equals_int (ice_get_side (ends[0].ice)->n_candidates, 1);
}

GST_END_TEST;

/* The socket has one family; an address of another one would be no candidate of it, but be in the SDP. */
GST_START_TEST (test_an_address_of_another_family_is_none)
{
  server_says_ipv6 = TRUE;
  begin (0, CONE);
  run (1 * S);
  fail_unless (ends[0].gathered);
  fail_unless_equals_int (ice_get_side (ends[0].ice)->n_candidates, 1);
}

GST_END_TEST;

GST_START_TEST (test_a_server_that_is_silent_is_given_up)
{
  server_is_silent = TRUE;
  begin (0, CONE);
  run (2 * S);
  fail_if (ends[0].gathered);
  run (2 * S);
  fail_unless (ends[0].gathered);
  fail_unless_equals_int (ice_get_side (ends[0].ice)->n_candidates, 1);
}

GST_END_TEST;

GST_START_TEST (test_two_ends_behind_nats_find_each_other)
{
  begin_both (CONE, CONE);
  check_both ();
  run (2 * S);
  expect ("198.51.100.2:40000", "198.51.100.1:40000");
  fail_unless_equals_int (ends[0].selections, 1);
}

GST_END_TEST;

GST_START_TEST (test_the_hosts_own_addresses_are_preferred)
{
  begin_both (OPEN, OPEN);
  ends[1].said.candidates[ends[1].said.n_candidates++] = (IceCandidate) {
      .type = ICE_SERVER_REFLEXIVE,
      .host = "198.51.100.99",
      .port = 9,
      .priority = 1694498815};
  check_both ();
  run (1 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:5004");
}

GST_END_TEST;

/* The port that the NAT uses towards the remote is in no SDP. */
GST_START_TEST (test_a_symmetric_nat_on_one_side_is_passed)
{
  begin_both (SYMMETRIC, OPEN);
  check_both ();
  run (2 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:40002");
}

GST_END_TEST;

GST_START_TEST (test_between_two_symmetric_nats_there_is_no_way)
{
  begin_both (SYMMETRIC, SYMMETRIC);
  check_both ();
  run (29 * S);
  fail_if (ends[0].failed || ends[1].failed);
  run (2 * S);
  fail_unless (ends[0].failed && ends[1].failed);
  fail_unless_equals_int (ends[0].selections + ends[1].selections, 0);
}

GST_END_TEST;

/* RFC 8445 7.2.5.1 and 7.3.1.1 */
GST_START_TEST (test_a_conflict_of_roles_is_resolved)
{
  guint i;

  for (i = 0; i < 20; i++) {
    controlling[0] = controlling[1] = i % 2;
    begin_both (CONE, CONE);
    ice_check (ends[1].ice, &ends[0].said, now);
    ice_check (ends[0].ice, &ends[1].said, now);
    run (5 * S);
    expect ("198.51.100.2:40000", "198.51.100.1:40000");
    tear_down ();
    set_up ();
  }
}

GST_END_TEST;

/* Who has the greater tie-breaker controls; the other one hears of that by an error alone, as this remote does not check. */
GST_START_TEST (test_an_error_changes_the_role)
{
  guint i, selected = 0;

  for (i = 0; i < 40; i++) {
    controlling[0] = FALSE;
    begin_both (OPEN, OPEN);
    ice_check (ends[0].ice, &ends[1].said, now);
    run (3 * S);
    selected += ends[0].selections;
    tear_down ();
    set_up ();
  }
  fail_unless (selected > 5 && selected < 35, "%u", selected);
}

GST_END_TEST;

/* RFC 8445 7.2.5.1: errors to two requests of one role change it once. */
GST_START_TEST (test_two_errors_change_the_role_once)
{
  guint i, selected = 0;

  delay = 100 * MS;
  for (i = 0; i < 40; i++) {
    controlling[0] = FALSE;
    begin_both (OPEN, OPEN);
    g_strlcpy (ends[1].other_host, "198.51.100.99", sizeof ends[1].other_host);
    ends[1].said.candidates[1] = ends[1].said.candidates[0];
    g_strlcpy (ends[1].said.candidates[1].host, "198.51.100.99",
        sizeof ends[1].said.candidates[1].host);
    ends[1].said.n_candidates = 2;
    ice_check (ends[0].ice, &ends[1].said, now);
    run (620 * MS);             /* three round trips */
    selected += ends[0].selections;
    tear_down ();
    set_up ();
    delay = 100 * MS;
  }
  fail_unless (selected > 5 && selected < 35, "%u", selected);
}

GST_END_TEST;

/* An end that only answers is never the one that nominates. */
GST_START_TEST (test_a_lite_remote_is_called)
{
  guint i;

  for (i = 0; i < 20; i++) {
    controlling[0] = FALSE;
    begin_both (CONE, OPEN);
    ends[1].said.lite = TRUE;
    ice_check (ends[0].ice, &ends[1].said, now);
    run (2 * S);
    fail_unless_equals_string (ends[0].selected, "198.51.100.2:5004");
    tear_down ();
    set_up ();
  }
}

GST_END_TEST;

/* RFC 8445 7.2.5.2.1 */
GST_START_TEST (test_an_answer_from_another_address_is_none)
{
  begin_both (OPEN, OPEN);
  answers_come_from_elsewhere = TRUE;
  ice_check (ends[0].ice, &ends[1].said, now);
  run (20 * S);
  fail_unless_equals_int (ends[0].selections, 0);
}

GST_END_TEST;

/* RFC 8445 14.2: a check in 50 ms. */
GST_START_TEST (test_checks_are_paced)
{
  guint i;

  begin_both (OPEN, OPEN);
  for (i = 1; i < 12; i++)
    ends[1].said.candidates[i] = (IceCandidate) {
        .type = ICE_HOST,
        .host = "198.51.100.77",
        .port = i,
        .priority = 2130706431 + i};
  ends[1].said.n_candidates = 12;
  n_posted = 0;
  ice_check (ends[0].ice, &ends[1].said, now);
  run (120 * MS);
  fail_unless_equals_int (n_posted, 3);
  run (300 * MS);
  fail_unless_equals_int (n_posted, 9);
}

GST_END_TEST;

/* A remote that has the password cannot make this end check more than 32 addresses. */
GST_START_TEST (test_a_remote_of_many_addresses_is_bounded)
{
  gboolean checked[2000] = { FALSE, };
  Message request;
  guint i, n = 0;

  begin_both (OPEN, OPEN);
  n_messages = 0;
  ice_check (ends[1].ice, &ends[0].said, now);
  ice_on_timer (ends[1].ice, now);
  request = messages[0];
  ice_check (ends[0].ice, &ends[1].said, now);
  n_messages = 0;
  for (i = 0; i < 200; i++)
    fail_unless (ice_receive (ends[0].ice, "198.51.100.9", 1100 + i,
            request.data, request.size, now));
  n_messages = 0;
  for (i = 0; i < 300; i++) {
    now += 50 * MS;
    ice_on_timer (ends[0].ice, now);
    for (; n_messages > 0; n_messages--)
      checked[messages[n_messages - 1].to_port % 2000] = TRUE;
  }
  for (i = 0; i < 2000; i++)
    n += checked[i];
  fail_unless_equals_int (n, 32);
}

GST_END_TEST;

GST_START_TEST (test_without_the_password_nothing_is_answered)
{
  begin_both (OPEN, OPEN);
  ends[1].said.pwd[3] ^= 1;
  ends[0].received = ends[1].received = 0;
  ice_check (ends[0].ice, &ends[1].said, now);
  run (20 * S);
  fail_unless_equals_int (ends[1].received, 0);
  fail_unless_equals_int (ends[0].received, 0);
  fail_unless_equals_int (ends[0].selections, 0);
}

GST_END_TEST;

/* A check may arrive before the answer of SIP. */
GST_START_TEST (test_checks_before_the_answer_are_not_lost)
{
  controlling[0] = FALSE;
  controlling[1] = TRUE;
  begin_both (CONE, OPEN);
  ends[0].said.n_candidates = 0;        /* all that is known of it is its checks */
  ice_check (ends[0].ice, &ends[1].said, now);
  run (5 * S);
  fail_unless_equals_int (ends[0].selections, 0);
  ice_check (ends[1].ice, &ends[0].said, now);
  run (2 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:40000");
}

GST_END_TEST;

/* RFC 7675: for five minutes, and 30 s after the remote is gone no more. */
GST_START_TEST (test_consent_goes_on_and_ends)
{
  begin_both (CONE, CONE);
  check_both ();
  run (300 * S);
  expect ("198.51.100.2:40000", "198.51.100.1:40000");
  ends[1].cut = TRUE;
  run (22 * S);
  fail_if (ends[0].failed);
  run (10 * S);
  fail_unless (ends[0].failed);
  /* no more is sent */
  n_messages = 0;
  run (60 * S);
  fail_unless_equals_int (ends[0].failed, TRUE);
  fail_unless (ice_get_due (ends[0].ice) == G_MAXINT64);
}

GST_END_TEST;

/* RFC 8445 7.3.1.4: the answer to a check counts although the remote checks, too, before it is there. */
GST_START_TEST (test_a_long_way_is_found)
{
  delay = 450 * MS;
  begin_both (CONE, CONE);
  check_both ();
  run (8 * S);
  expect ("198.51.100.2:40000", "198.51.100.1:40000");
}

GST_END_TEST;

/* RFC 7675 5.1: an answer counts that comes later than a first retransmission would leave. */
GST_START_TEST (test_consent_goes_on_over_a_long_way)
{
  begin_both (CONE, CONE);
  check_both ();
  run (3 * S);
  delay = 450 * MS;
  run (120 * S);
  expect ("198.51.100.2:40000", "198.51.100.1:40000");
}

GST_END_TEST;

GST_START_TEST (test_an_agent_that_is_stopped_sends_nothing)
{
  begin (0, CONE);
  ice_stop (ends[0].ice);
  run (5 * S);
  fail_if (ends[0].gathered);
  ice_free (ends[0].ice);
  begin_both (CONE, CONE);
  check_both ();
  run (100 * MS);
  ice_stop (ends[0].ice);
  g_clear_pointer (&ends[1].ice, ice_free);
  run (1 * S);
  n_posted = 0;
  run (60 * S);
  fail_unless_equals_int (n_posted, 0);
  fail_if (ends[0].failed);
  fail_unless (ice_get_due (ends[0].ice) == G_MAXINT64);
}

GST_END_TEST;

GST_START_TEST (test_a_restart_finds_the_new_place_of_the_remote)
{
  gchar *before;

  begin_both (CONE, CONE);
  check_both ();
  run (5 * S);
  before = g_strdup (ice_get_side (ends[0].ice)->ufrag);
  g_clear_pointer (&ends[1].ice, ice_free);
  begin (1, OPEN);
  run (1 * S);
  ice_restart (ends[0].ice);
  fail_if (g_str_equal (before, ice_get_side (ends[0].ice)->ufrag));
  ends[0].said = *ice_get_side (ends[0].ice);
  ends[1].said = *ice_get_side (ends[1].ice);
  check_both ();
  run (2 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:40000");
  g_free (before);
}

GST_END_TEST;

/* A remote that does no ICE gets messages that open the NAT, and answers none of them. */
GST_START_TEST (test_the_way_to_a_plain_remote_is_kept_open)
{
  guint sent;

  begin (0, CONE);
  run (1 * S);
  ice_keep_open (ends[0].ice, "198.51.100.2", PORT, now);
  n_posted = 0;
  run (10 * MS);
  fail_unless_equals_int (n_posted, 1);
  fail_unless (find_way (&ends[0], "198.51.100.2", PORT) != NULL);
  run (10 * S);
  fail_unless_equals_int (n_posted, 5);
  run (60 * S);
  sent = n_posted;
  fail_unless (sent >= 8 && sent <= 9, "%u", sent);
  fail_unless_equals_int (ends[0].selections + ends[0].failed, 0);
  /* until the remote begins ICE */
  begin (1, OPEN);
  run (1 * S);
  ends[1].said = *ice_get_side (ends[1].ice);
  ends[0].said = *ice_get_side (ends[0].ice);
  check_both ();
  n_indications = 0;
  run (40 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:40000");
  fail_unless_equals_int (n_indications, 0);
}

GST_END_TEST;

/* RFC 8445 7.3.1.3 says what makes a candidate: not what an application or a stranger sends. */
GST_START_TEST (test_whatever_bytes_come_are_survived)
{
  GRand *random = g_rand_new_with_seed (17);
  guint8 data[900];
  guint i, k;

  begin_both (OPEN, OPEN);
  check_both ();
  run (2 * S);
  for (i = 0; i < 20000; i++) {
    gsize size = g_rand_int_range (random, 0, sizeof data + 1);

    for (k = 0; k < size; k++)
      data[k] = g_rand_int (random);
    if (size >= 20 && i % 2) {
      GST_WRITE_UINT32_BE (data + 4, 0x2112A442);
      GST_WRITE_UINT16_BE (data, i % 4 ? 0x0001 : 0x0101);
      GST_WRITE_UINT16_BE (data + 2, size - 20);
    }
    fail_if (ice_receive (ends[0].ice, "198.51.100.2", PORT, data, size, now));
  }
  run (60 * S);
  expect ("198.51.100.2:5004", "198.51.100.1:5004");
  g_rand_free (random);
}

GST_END_TEST;

static Suite *
ice_suite (void)
{
  Suite *s = suite_create ("ice");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, test_candidates_are_those_of_the_host_and_of_the_server);
  tcase_add_test (tc, test_an_address_that_is_public_is_one_candidate);
  tcase_add_test (tc, test_an_address_of_another_family_is_none);
  tcase_add_test (tc, test_a_server_that_is_silent_is_given_up);
  tcase_add_test (tc, test_two_ends_behind_nats_find_each_other);
  tcase_add_test (tc, test_the_hosts_own_addresses_are_preferred);
  tcase_add_test (tc, test_a_symmetric_nat_on_one_side_is_passed);
  tcase_add_test (tc, test_between_two_symmetric_nats_there_is_no_way);
  tcase_add_test (tc, test_a_conflict_of_roles_is_resolved);
  tcase_add_test (tc, test_an_error_changes_the_role);
  tcase_add_test (tc, test_two_errors_change_the_role_once);
  tcase_add_test (tc, test_a_lite_remote_is_called);
  tcase_add_test (tc, test_an_answer_from_another_address_is_none);
  tcase_add_test (tc, test_checks_are_paced);
  tcase_add_test (tc, test_a_remote_of_many_addresses_is_bounded);
  tcase_add_test (tc, test_without_the_password_nothing_is_answered);
  tcase_add_test (tc, test_checks_before_the_answer_are_not_lost);
  tcase_add_test (tc, test_consent_goes_on_and_ends);
  tcase_add_test (tc, test_a_long_way_is_found);
  tcase_add_test (tc, test_consent_goes_on_over_a_long_way);
  tcase_add_test (tc, test_an_agent_that_is_stopped_sends_nothing);
  tcase_add_test (tc, test_a_restart_finds_the_new_place_of_the_remote);
  tcase_add_test (tc, test_the_way_to_a_plain_remote_is_kept_open);
  tcase_add_test (tc, test_whatever_bytes_come_are_survived);
  return s;
}

GST_CHECK_MAIN (ice);
