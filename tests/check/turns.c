/* gst-tfrc: tests of calls that change codec and frame length, over real sockets
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <math.h>
#include <stdlib.h>

#include "call.h"
#include "codec/extrapolate.h"

#define RATE 48000
#define WINDOW 480              /* 10 ms */
#define SETTLED (RATE / 2)      /* the start: a cold encoder, an empty jitter buffer */

/* What the turns are about is not how late a packet may come: a machine that holds the
 * test for a while makes none too late. With the default of 100 ms the jitter buffer
 * starts its times anew at a packet that is later, which is a jump of them. */
#define PATIENT "latency=1500"

/* A tone, from which a gap, a click and a doubled piece all stand out. */
#define TONE "audiotestsrc is-live=true freq=400 volume=0.3 samplesperbuffer=480 " \
    "! audio/x-raw,rate=48000,channels=1 ! tfrcencodebin name=encoder %s " \
    "! tfrcsink name=sink host=127.0.0.1 port=%u mode=tfrc-sp"

typedef struct
{
  GArray *sound;                /* gint16 */
  GstClockTime end;
  guint settled;                /* samples before that are not judged */
  GstClockTimeDiff worst_jump;  /* of the times after that */
  guint changes;                /* of the payload type */
  gint pt;
} Heard;

static void
on_sound (GstElement * out, GstBuffer * buffer, GstPad * pad, Heard * heard)
{
  gsize n = gst_buffer_get_size (buffer) / 2;
  guint at = heard->sound->len;

  if (at > heard->settled)
    heard->worst_jump = MAX (heard->worst_jump,
        ABS (GST_CLOCK_DIFF (heard->end, GST_BUFFER_PTS (buffer))));
  heard->end = GST_BUFFER_PTS (buffer) + n * GST_SECOND / RATE;
  g_array_set_size (heard->sound, at + n);
  gst_buffer_extract (buffer, 0, &g_array_index (heard->sound, gint16, at),
      n * 2);
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  Heard *heard = user_data;
  guint8 byte;

  gst_buffer_extract (GST_PAD_PROBE_INFO_BUFFER (info), 1, &byte, 1);
  heard->changes += heard->pt >= 0 && heard->pt != (byte & 0x7f);
  heard->pt = byte & 0x7f;
  return GST_PAD_PROBE_OK;
}

static GstElement *
listen_to (Heard * heard, const gchar * args, guint * port)
{
  gchar *line = g_strdup_printf ("tfrcsrc name=src port=0 mode=tfrc-sp %s "
      "! tfrcdecodebin name=decoder ! audioconvert ! audio/x-raw,format=S16LE,"
      "rate=48000,channels=1 ! fakesink name=out sync=false async=false "
      "signal-handoffs=true", args);
  GstElement *receiver = gst_parse_launch (line, NULL);
  GstElement *out = gst_bin_get_by_name (GST_BIN (receiver), "out");
  GstElement *src = gst_bin_get_by_name (GST_BIN (receiver), "src");
  GstPad *pad = gst_element_get_static_pad (src, "src");

  *heard = (Heard) { g_array_new (FALSE, TRUE, 2), 0, SETTLED, 0, 0, -1 };
  g_signal_connect (out, "handoff", G_CALLBACK (on_sound), heard);
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, heard, NULL);
  gst_element_set_state (receiver, GST_STATE_PLAYING);
  g_object_get (src, "local-port", port, NULL);
  gst_object_unref (pad);
  gst_object_unref (src);
  gst_object_unref (out);
  g_free (line);
  return receiver;
}

/* A fade of 5 ms between tones of opposite phase begins and ends with as much. */
#define FADE_BEND (2 * 9830 / 240)

/* The sharpest bend of a window: what a click is. */
static gint
get_bend (const gint16 * data)
{
  gint worst = 0, i;

  for (i = 2; i < WINDOW; i++)
    worst = MAX (worst, abs (data[i] - 2 * data[i - 1] + data[i - 2]));
  return worst;
}

static gdouble
get_level (const gint16 * data)
{
  gdouble power = 0;
  guint i;

  for (i = 0; i < WINDOW; i++)
    power += (gdouble) data[i] * data[i];
  return sqrt (power / WINDOW);
}

static gint
compare (gconstpointer a, gconstpointer b)
{
  gint x = *(const gint *) a, y = *(const gint *) b;

  return x < y ? -1 : x > y;
}

/* No window bends much more than those in which no change can be: these are the most, as
 * `turns` changes of some 50 ms each are few. Nor is any of them quiet. */
static void
check_sound (const Heard * heard, guint turns)
{
  GArray *bends = g_array_new (FALSE, FALSE, sizeof (gint));
  guint at, n, where = 0;
  gint most = 0, own;

  for (at = SETTLED; at + WINDOW <= heard->sound->len; at += WINDOW) {
    const gint16 *data = &g_array_index (heard->sound, gint16, at);
    gint bend = get_bend (data);

    /* the tone's own level is 6950 */
    fail_unless (get_level (data) > 5000, "level %.0f at %u ms",
        get_level (data), at / 48);
    g_array_append_val (bends, bend);
    if (bend > most) {
      most = bend;
      where = at;
    }
  }
  g_array_sort (bends, compare);
  n = bends->len;
  own = g_array_index (bends, gint, n - 1 - 5 * turns);
  GST_INFO ("bend %d, without the changes %d; jump of the times %" G_GINT64_FORMAT
      " ns", most, own, heard->worst_jump);
  fail_unless (most <= own + FADE_BEND, "bend %d at %u ms, without the changes %d", most,
      where / 48, own);
  g_array_unref (bends);
}

static guint64
get_stat (GstElement * pipeline, const gchar * element, const gchar * name)
{
  GstElement *e = gst_bin_get_by_name (GST_BIN (pipeline), element);
  guint64 value = call_get_stat (e, name);

  gst_object_unref (e);
  return value;
}

/* What comes too late for its time is lost. */
static void
check_none (GstElement * pipeline, const gchar * element, const gchar * name)
{
  fail_unless_equals_uint64 (get_stat (pipeline, element, name), 0);
}

/* Nor does the sender drop what waited while the machine held it; but a backlog of the
 * start goes on as it is, as the jitter buffer takes it for a fast clock. */
static guint64
make_patient (GstElement * sender)
{
  GstElement *sink = gst_bin_get_by_name (GST_BIN (sender), "sink");

  g_object_set (sink, "max-queue-time", G_GUINT64_CONSTANT (0), NULL);
  gst_object_unref (sink);
  return get_stat (sender, "sink", "dropped");
}

static void
check_heard (const Heard * heard, guint turns, guint changes)
{
  fail_unless (heard->changes >= changes, "%u changes", heard->changes);
  /* all of it but for what a slow machine takes to begin */
  fail_unless (heard->sound->len > RATE * 1.5 * (turns - 1));
  check_sound (heard, turns);
  fail_unless (heard->worst_jump < GST_MSECOND, "%" G_GINT64_FORMAT " ns",
      heard->worst_jump);
}

/* Each turn is a codec's name or a packet time in ms, for a second and a half. */
static void
check_turns (const gchar * args, const gchar * const *turns, guint changes)
{
  Heard heard;
  GstElement *sender, *encoder, *receiver;
  guint64 dropped;
  guint port, n;
  gchar *line;

  receiver = listen_to (&heard, PATIENT, &port);
  line = g_strdup_printf (TONE, args, port);
  sender = gst_parse_launch (line, NULL);
  encoder = gst_bin_get_by_name (GST_BIN (sender), "encoder");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_usleep (G_USEC_PER_SEC);
  dropped = make_patient (sender);
  for (n = 0; turns[n] != NULL; n++) {
    if (g_ascii_isdigit (*turns[n]))
      g_object_set (encoder, "ptime", atoi (turns[n]) * GST_MSECOND, NULL);
    else
      g_object_set (encoder, "codec", turns[n], NULL);
    g_usleep (3 * G_USEC_PER_SEC / 2);
  }
  call_check_no_error (sender);
  call_check_no_error (receiver);
  fail_unless_equals_uint64 (get_stat (receiver, "decoder", "unknown"), 0);
  check_none (receiver, "decoder", "lost");
  check_none (receiver, "decoder", "recovered");
  fail_unless_equals_uint64 (get_stat (sender, "sink", "dropped"), dropped);
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_state (receiver, GST_STATE_NULL);
  check_heard (&heard, n, changes);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (receiver);
  g_array_unref (heard.sound);
  g_free (line);
}

GST_START_TEST (codecs_take_turns_without_a_gap_a_click_or_a_jump_of_time)
{
  static const gchar *const turns[] = { "G722", "PCMU", "OPUS", "PCMU", "G722",
    "OPUS", NULL
  };

  check_turns ("codecs=OPUS,G722,PCMU codec=OPUS", turns, 6);
}

GST_END_TEST;

GST_START_TEST (frame_lengths_of_opus_change_without_a_gap_a_click_or_a_jump_of_time)
{
  static const gchar *const turns[] = { "60", "20", "40", "60", "40", "20", NULL };

  check_turns ("ptime=20000000 min-bitrate=24000", turns, 0);
}

GST_END_TEST;

GST_START_TEST (packet_times_of_pcmu_change_without_a_gap_a_click_or_a_jump_of_time)
{
  static const gchar *const turns[] = { "60", "20", "40", "20", NULL };

  check_turns ("codecs=PCMU ptime=20000000", turns, 0);
}

GST_END_TEST;

/* After the first seconds each packet carries one or two that were sent before it; `late`
 * is how many of these may come too late. */
static void
check_copies (const gchar * args, guint late, const RelayRules * rules)
{
  Heard heard;
  guint port, redundancy;
  guint64 before, recovered;
  GstElement *receiver = listen_to (&heard, args, &port), *sender, *encoder;
  Relay *relay = relay_new (G_SOCKET_FAMILY_IPV4, port);
  RelayCounts counts;
  gchar *line = g_strdup_printf (TONE, "ptime=20000000 inband-fec=false "
      "min-bitrate=16000", relay_get_port (relay));

  /* When a packet is lost for good, the times are the jitter buffer's again, which takes
   * the packets that waited for the first departures for a fast clock. */
  heard.settled = 8 * RATE;
  relay_set_rules (relay, RELAY_FORTH, rules);
  sender = gst_parse_launch (line, NULL);
  encoder = gst_bin_get_by_name (GST_BIN (sender), "encoder");
  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_usleep (10 * G_USEC_PER_SEC);
  g_object_get (encoder, "current-redundancy", &redundancy, NULL);
  fail_unless (redundancy >= 1);
  before = get_stat (receiver, "decoder", "lost");
  recovered = get_stat (receiver, "decoder", "recovered");
  g_usleep (4 * G_USEC_PER_SEC);
  relay_get_counts (relay, RELAY_FORTH, &counts);
  fail_unless (counts.dropped > 30, "%u lost on the way",
      counts.dropped);
  fail_unless (get_stat (receiver, "decoder", "lost") <= before + late);
  fail_unless (get_stat (receiver, "decoder", "recovered") > recovered + 10);
  call_check_no_error (sender);
  call_check_no_error (receiver);
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_state (receiver, GST_STATE_NULL);
  /* one that comes later than the jitter buffer waits is a jump */
  fail_unless (heard.worst_jump < GST_MSECOND || late > 0,
      "%" G_GINT64_FORMAT " ns", heard.worst_jump);
  relay_free (relay);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (receiver);
  g_array_unref (heard.sound);
  g_free (line);
}

GST_START_TEST (copies_restore_what_a_real_path_loses)
{
  /* 16 are lost. A copy 80 ms behind has 20 ms of the jitter buffer's 100, which a busy
   * machine may take for itself. */
  check_copies ("", 4,
      &(RelayRules) {.drop_every = 12,.delay = 10 });
}

GST_END_TEST;

/* Longer than two copies right behind a packet could reach over. */
GST_START_TEST (copies_restore_three_losses_in_a_row)
{
  check_copies (PATIENT, 0,
      &(RelayRules) {.drop_every = 30,.drop_run = 3,.delay = 10 });
}

GST_END_TEST;

static GstPadProbeReturn
count_packet (GstPad * pad, GstPadProbeInfo * info, gpointer count)
{
  g_atomic_int_inc ((gint *) count);
  return GST_PAD_PROBE_OK;
}

static guint
count_for (gint * count, gdouble seconds)
{
  gint before = g_atomic_int_get (count);

  g_usleep (seconds * G_USEC_PER_SEC);
  return g_atomic_int_get (count) - before;
}

GST_START_TEST (a_pause_costs_next_to_nothing_and_counts_as_no_loss)
{
  Heard heard;
  guint64 dropped;
  guint port;
  gint count = 0;
  GstElement *receiver = listen_to (&heard, PATIENT, &port), *sender, *voice,
      *encoder;
  GstPad *pad;
  gchar *line = g_strdup_printf ("audiotestsrc name=voice is-live=true "
      "wave=pink-noise volume=0.3 samplesperbuffer=480 ! tfrcencodebin "
      "name=encoder dtx=true ptime=20000000 ! tfrcsink name=sink "
      "host=127.0.0.1 port=%u mode=tfrc-sp", port);

  sender = gst_parse_launch (line, NULL);
  voice = gst_bin_get_by_name (GST_BIN (sender), "voice");
  encoder = gst_bin_get_by_name (GST_BIN (sender), "encoder");
  pad = gst_element_get_static_pad (encoder, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, count_packet, &count, NULL);
  gst_element_set_state (sender, GST_STATE_PLAYING);
  g_usleep (3 * G_USEC_PER_SEC / 2);
  dropped = make_patient (sender);
  fail_unless (count_for (&count, 1) > 40);
  g_object_set (voice, "volume", 0.0, NULL);
  g_usleep (G_USEC_PER_SEC);
  /* Opus describes the silence anew in every 400 ms */
  fail_unless (count_for (&count, 4) <= 4 * 4);
  g_object_set (voice, "volume", 0.3, NULL);
  g_usleep (G_USEC_PER_SEC / 5);
  fail_unless (count_for (&count, 2) > 80);
  check_none (receiver, "decoder", "lost");
  check_none (receiver, "src", "lost");
  fail_unless_equals_uint64 (get_stat (sender, "sink", "dropped"), dropped);
  call_check_no_error (sender);
  call_check_no_error (receiver);
  gst_element_set_state (sender, GST_STATE_NULL);
  gst_element_set_state (receiver, GST_STATE_NULL);
  gst_object_unref (pad);
  gst_object_unref (voice);
  gst_object_unref (encoder);
  gst_object_unref (sender);
  gst_object_unref (receiver);
  g_array_unref (heard.sound);
  g_free (line);
}

GST_END_TEST;

/* A tone of any period goes on as itself. */
GST_START_TEST (a_sound_is_extended_by_its_last_period)
{
  gint16 past[GST_TFRC_EXTRAPOLATE_PAST * 2], more[240 * 2];
  static const gdouble tones[] = { 97, 160, 220, 400, 1000 };
  guint i, t = __i__;

#define AT(i) (9000 * sin (2 * G_PI * tones[t] * (i) / RATE))
  for (i = 0; i < GST_TFRC_EXTRAPOLATE_PAST; i++) {
    past[2 * i] = AT (i);
    past[2 * i + 1] = -AT (i);
  }
  gst_tfrc_extrapolate (past, GST_TFRC_EXTRAPOLATE_PAST, 2, more, 240);
  for (i = 0; i < 240; i++) {
    fail_unless (fabs (more[2 * i] - AT (GST_TFRC_EXTRAPOLATE_PAST + i)) < 450,
        "%g Hz at %u: %d", tones[t], i, more[2 * i]);
    fail_unless_equals_int (more[2 * i + 1], -more[2 * i]);
  }
  gst_tfrc_extrapolate (past, 7, 2, more, 240);
  fail_unless_equals_int (more[2 * 239], past[2 * 6]);
  gst_tfrc_extrapolate (past, 0, 2, more, 240);
  fail_unless_equals_int (more[0], 0);
}

GST_END_TEST;

static Suite *
turns_suite (void)
{
  Suite *s = suite_create ("turns");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, codecs_take_turns_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc,
      frame_lengths_of_opus_change_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc,
      packet_times_of_pcmu_change_without_a_gap_a_click_or_a_jump_of_time);
  tcase_add_test (tc, copies_restore_what_a_real_path_loses);
  tcase_add_test (tc, copies_restore_three_losses_in_a_row);
  tcase_add_test (tc, a_pause_costs_next_to_nothing_and_counts_as_no_loss);
  tcase_add_loop_test (tc, a_sound_is_extended_by_its_last_period, 0, 5);
  return s;
}

GST_CHECK_MAIN (turns);
