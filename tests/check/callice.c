/* gst-tfrc tests: the call of examples/softphone, as ICE tells it where the remote is
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * call.c, callice.c and callsignals.c run with an element in place of tfrcbin and with functions in place of those of ice.h, of the
 * microphone and of the peers. The test calls what the agent would call. */
#include <gio/gio.h>
#include <gst/check/gstcheck.h>

#include "../../examples/softphone/callprivate.h"
#include "../../examples/softphone/devices.h"

static IceCallbacks ice;        /* of the call */
static gpointer ice_data;
static gchar server[64];        /* that ICE asks, or "" */
static guint stopped, microphones, peers, moves;
static gchar moved_to[80], caller[80];
static guint heard;             /* peers */

/* --- in place of tfrcbin --- */

typedef GstElement Bin;
typedef GstElementClass BinClass;

GType bin_get_type (void);
G_DEFINE_TYPE (Bin, bin, GST_TYPE_ELEMENT);

static gboolean
move_peer (Bin * bin, guint peer, const gchar * host, guint port)
{
  moves++;
  g_snprintf (moved_to, sizeof moved_to, "%u %s:%u", peer, host, port);
  return TRUE;
}

static void
get_property (GObject * object, guint id, GValue * value, GParamSpec * spec)
{
  g_value_set_uint (value, 5004);
}

static void
bin_class_init (BinClass * class)
{
  GObjectClass *object_class = G_OBJECT_CLASS (class);
  GType type = G_TYPE_FROM_CLASS (class);

  object_class->get_property = get_property;
  g_object_class_install_property (object_class, 1,
      g_param_spec_uint ("local-port", "", "", 0, 65535, 0, G_PARAM_READABLE));
  g_signal_new ("stun", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 2, G_TYPE_INET_SOCKET_ADDRESS, G_TYPE_BYTES);
  g_signal_new ("new-peer", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_BOOLEAN, 2, G_TYPE_UINT, G_TYPE_STRING);
  g_signal_new_class_handler ("move-peer", type, G_SIGNAL_RUN_LAST,
      G_CALLBACK (move_peer), NULL, NULL, NULL, G_TYPE_BOOLEAN, 3,
      G_TYPE_UINT, G_TYPE_STRING, G_TYPE_UINT);
}

static void
bin_init (Bin * bin)
{
}

/* --- in place of ice.h --- */

Ice *
ice_new (const gchar * host, guint port, gboolean controlling,
    const IceCallbacks * callbacks, gpointer user_data)
{
  ice = *callbacks;
  ice_data = user_data;
  return g_malloc (1);
}

void
ice_free (Ice * agent)
{
  g_free (agent);
}

void
ice_gather (Ice * agent, const gchar * host, guint port, gint64 now)
{
  g_strlcpy (server, host ? host : "", sizeof server);
}

void
ice_stop (Ice * agent)
{
  stopped++;
}

const IceSide *
ice_get_side (Ice * agent)
{
  return NULL;
}

void
ice_keep_open (Ice * agent, const gchar * host, guint port, gint64 now)
{
}

void
ice_check (Ice * agent, const IceSide * remote, gint64 now)
{
}

void
ice_restart (Ice * agent)
{
}

gboolean
ice_receive (Ice * agent, const gchar * host, guint port, const guint8 * data,
    gsize size, gint64 now)
{
  return FALSE;
}

gint64
ice_get_due (Ice * agent)
{
  return G_MAXINT64;
}

void
ice_on_timer (Ice * agent, gint64 now)
{
}

gboolean
ice_get_selected (Ice * agent, const gchar ** host, guint * port)
{
  return FALSE;
}

/* --- in place of the peers, the devices and the meter --- */

guint
call_add_peer (Call * call, const gchar * host, guint port,
    GstStructure * options)
{
  fail ("nobody calls");
  return CALL_NOBODY;
}

gboolean
call_is_same_peer (const CallMedia * a, const CallMedia * b)
{
  return g_str_equal (a->host, b->host) && a->port == b->port;
}

gboolean
call_set_peer (Call * call, const CallMedia * media, GError ** error)
{
  call->peer = ++peers;
  return TRUE;
}

gboolean
call_add_said (Call * call, GError ** error)
{
  microphones++;
  call->said = gst_element_factory_make ("identity", NULL);
  gst_bin_add (GST_BIN (call->pipeline), call->said);
  return TRUE;
}

gboolean
call_can_say (Call * call, const CallMedia * media)
{
  return TRUE;
}

gboolean
call_add_heard (Call * call, GError ** error)
{
  return TRUE;
}

void
call_link (Call * call)
{
}

void
call_unlink_heard (Call * call, guint peer)
{
}

void
call_update_said (Call * call)
{
}

gboolean
devices_check (const CallSettings * settings, GError ** error)
{
  return TRUE;
}

void
flow_unwatch (Flow * flow)
{
}

/* --- the call --- */

static void
on_changed (Call * call, gpointer user_data)
{
}

static gboolean
on_stranger (gpointer user_data)
{
  gchar *stranger = call_take_stranger (user_data);

  g_strlcpy (caller, stranger, sizeof caller);
  g_free (stranger);
  return G_SOURCE_REMOVE;
}

static gboolean
on_heard (gpointer user_data)
{
  heard++;
  return G_SOURCE_REMOVE;
}

/* A call that has gathered its addresses and checks those of the remote. */
static Call *
make_call (const gchar * host, const gchar * stun_server,
    const gchar * stun_server6)
{
  Call *call = g_new0 (Call, 1);

  stopped = microphones = peers = moves = 0;
  call->settings.changed = on_changed;
  call->settings.stun_server = stun_server;
  call->settings.stun_server6 = stun_server6;
  call->peer = CALL_NOBODY;
  call->state = CALL_RINGING;
  call->pipeline = gst_pipeline_new (NULL);
  call->bin = g_object_new (bin_get_type (), NULL);
  call->heard = gst_element_factory_make ("identity", NULL);
  gst_bin_add_many (GST_BIN (call->pipeline), call->bin, call->heard, NULL);
  call_watch_bin (call, on_stranger, on_heard);
  call_gather (call, host, TRUE);
  g_strlcpy (call->wanted.ice.ufrag, "8hhY", sizeof call->wanted.ice.ufrag);
  fail_if (call_find_way (call));
  return call;
}

/* --- tests --- */

GST_START_TEST (test_the_microphone_opens_when_there_is_a_way)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);

  fail_unless_equals_int (microphones, 0);
  ice.selected ("192.0.2.7", 6000, ice_data);
  fail_unless_equals_int (microphones, 1);
  fail_unless_equals_int (call->state, CALL_TALKING);
  call_free (call);
}

GST_END_TEST;

GST_START_TEST (test_no_way_opens_the_microphone_after_hanging_up)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);

  call_hang_up (call);
  fail_unless_equals_int (stopped, 1);
  ice.selected ("192.0.2.7", 6000, ice_data);
  ice.failed (ice_data);
  fail_unless_equals_int (microphones + peers, 0);
  fail_unless_equals_int (call->state, CALL_RINGING);
  call_free (call);
}

GST_END_TEST;

GST_START_TEST (test_no_way_opens_the_microphone_after_the_end)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);

  ice.failed (ice_data);
  fail_unless_equals_int (call->state, CALL_FAILED);
  ice.selected ("192.0.2.7", 6000, ice_data);
  fail_unless_equals_int (microphones + peers, 0);
  call_free (call);
}

GST_END_TEST;

/* The keys and the pads of the peer stay. */
GST_START_TEST (test_a_better_way_moves_the_peer)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);

  ice.selected ("192.0.2.7", 6000, ice_data);
  fail_unless_equals_int (moves, 0);
  ice.selected ("198.51.100.7", 6002, ice_data);
  fail_unless_equals_int (peers, 1);
  fail_unless_equals_int (moves, 1);
  fail_unless_equals_string (moved_to, "1 198.51.100.7:6002");
  fail_unless_equals_string (call_get_remote (call), "198.51.100.7:6002");
  /* the same way is no move */
  ice.selected ("198.51.100.7", 6002, ice_data);
  fail_unless_equals_int (peers, 1);
  fail_unless_equals_int (moves, 1);
  call_free (call);
}

GST_END_TEST;

GST_START_TEST (test_the_server_has_the_family_of_the_port)
{
  call_free (make_call ("192.0.2.1", "203.0.113.1", "2001:db8::1"));
  fail_unless_equals_string (server, "203.0.113.1");
  call_free (make_call ("2001:db8::5", "203.0.113.1", "2001:db8::1"));
  fail_unless_equals_string (server, "2001:db8::1");
  call_free (make_call ("2001:db8::5", "203.0.113.1", NULL));
  fail_unless_equals_string (server, "");
}

GST_END_TEST;

/* Only a phone without a server is told to name one. */
GST_START_TEST (test_the_error_names_a_remedy_that_there_is)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);

  ice.failed (ice_data);
  fail_unless (strstr (call_get_error (call), "--stun") != NULL);
  call_free (call);
  call = make_call ("192.0.2.1", "203.0.113.1", NULL);
  ice.failed (ice_data);
  fail_unless (strstr (call_get_error (call), "--stun") == NULL);
  call_free (call);
}

GST_END_TEST;

/* A thread of tfrcbin. */
static gpointer
ring (gpointer user_data)
{
  GstElement *bin = user_data;
  GstPad *pad = gst_pad_new ("recv_src_0", GST_PAD_SRC);
  gboolean accepted = TRUE;

  g_signal_emit_by_name (bin, "new-peer", 1, "192.0.2.9:7000", &accepted);
  fail_if (accepted);
  gst_element_add_pad (bin, pad);
  return NULL;
}

static void
ring_at (GstElement * bin)
{
  caller[0] = '\0';
  heard = 0;
  g_thread_join (g_thread_new ("tfrcbin", ring, bin));
  while (g_main_context_iteration (NULL, FALSE));
}

/* tfrcbin may outlive the call. */
GST_START_TEST (test_a_call_that_was_freed_hears_of_nobody)
{
  Call *call = make_call ("192.0.2.1", NULL, NULL);
  GstElement *bin = gst_object_ref (call->bin);

  ring_at (bin);
  fail_unless_equals_string (caller, "192.0.2.9:7000");
  fail_unless_equals_int (heard, 1);
  call_free (call);
  gst_element_remove_pad (bin, bin->pads->data);
  ring_at (bin);
  fail_unless_equals_string (caller, "");
  fail_unless_equals_int (heard, 0);
  gst_object_unref (bin);
}

GST_END_TEST;

static Suite *
callice_suite (void)
{
  Suite *s = suite_create ("callice");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, test_the_microphone_opens_when_there_is_a_way);
  tcase_add_test (tc, test_no_way_opens_the_microphone_after_hanging_up);
  tcase_add_test (tc, test_no_way_opens_the_microphone_after_the_end);
  tcase_add_test (tc, test_a_better_way_moves_the_peer);
  tcase_add_test (tc, test_the_server_has_the_family_of_the_port);
  tcase_add_test (tc, test_the_error_names_a_remedy_that_there_is);
  tcase_add_test (tc, test_a_call_that_was_freed_hears_of_nobody);
  return s;
}

GST_CHECK_MAIN (callice);
