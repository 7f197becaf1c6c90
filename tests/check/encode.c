/* gst-tfrc: tests of tfrcencodebin and tfrcdecodebin
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/rtp/rtp.h>
#include <math.h>
#include <string.h>

#include "gsttfrcrate.h"
#include "have.h"

#define STAMP_URI "urn:ietf:params:rtp-hdrext:rtt-sendts"
#define RAW_RATE 48000
#define PIECE_MS 20

static GstHarness *h;
static guint64 sample;          /* of the next piece of sound */
/* A 400 Hz tone, in which a gap or a click is plain to see; or syllables of
 * harmonics of 120 Hz, for which an encoder keeps its bit rate. */
static gboolean tone;
static GstTfrcRate rate;

static void
start (const gchar * line)
{
  h = gst_harness_new_parse (line);
  gst_harness_use_testclock (h);
  gst_harness_set_src_caps_str (h,
      "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1");
  gst_harness_play (h);
  sample = 0;
  tone = FALSE;
  rate = (GstTfrcRate) {.max_packet_rate = 100,.X = 1e6,.X_wire = 1e6,.loss = -1,.R =
        100 * GST_MSECOND,.header_size = 40,.overhead = 24,.mode = "tfrc-sp",
    .reason = GST_TFRC_RATE_REPORT,.ssrc = 1
  };
}

static void
stop (void)
{
  gst_harness_teardown (h);
  h = NULL;
}

static gint16
make_sample (guint64 i)
{
  gdouble t = (gdouble) i / RAW_RATE, v = 0;
  guint k;

  if (tone)
    return 8000 * sin (2 * G_PI * 400 * t);
  for (k = 1; k < 25; k++)
    v += sin (2 * G_PI * 120 * k * t + k * k) / (1 + fabs (k - 5.0));
  return 4000 * v * MAX (0, sin (2 * G_PI * 3 * t));
}

static GstBuffer *
make_sound (guint ms)
{
  guint n = RAW_RATE / 1000 * ms, i;
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, n * 2, NULL);
  GstMapInfo map;
  gint16 *data;

  gst_buffer_map (buffer, &map, GST_MAP_WRITE);
  data = (gint16 *) map.data;
  for (i = 0; i < n; i++)
    data[i] = make_sample (sample + i);
  gst_buffer_unmap (buffer, &map);
  GST_BUFFER_PTS (buffer) =
      gst_util_uint64_scale (sample, GST_SECOND, RAW_RATE);
  GST_BUFFER_DURATION (buffer) = ms * GST_MSECOND;
  sample += n;
  return buffer;
}

/* Sound for `seconds`, and a rate event in every tenth of a second. */
static void
run (gdouble seconds)
{
  guint i, n = (guint) (seconds * 1000 / PIECE_MS + 0.5);

  for (i = 0; i < n; i++) {
    if (i % 5 == 0)
      gst_harness_push_upstream_event (h, gst_tfrc_rate_new_event (&rate));
    fail_unless_equals_int (gst_harness_push (h, make_sound (PIECE_MS)),
        GST_FLOW_OK);
    gst_harness_set_time (h,
        gst_util_uint64_scale (sample, GST_SECOND, RAW_RATE));
  }
}

/* Samples at 48 kHz in an Opus packet, RFC 6716 3.1: packets of one frame. */
static guint
get_opus_samples (const guint8 * payload)
{
  static const guint silk[] = { 480, 960, 1920, 2880 };
  static const guint celt[] = { 120, 240, 480, 960 };
  guint config = payload[0] >> 3, frames = 1;

  if ((payload[0] & 3) == 3)
    frames = payload[1] & 63;
  else if ((payload[0] & 3) != 0)
    frames = 2;
  if (config < 12)
    return frames * silk[config & 3];
  if (config < 16)
    return frames * (config & 1 ? 960 : 480);
  return frames * celt[config & 3];
}

typedef struct
{
  guint packets, payload;       /* bytes */
  guint shortest, longest;      /* samples at 48 kHz */
  guint largest;                /* bytes of a packet */
  gboolean marked;              /* the first */
} Packets;

static guint32 next_timestamp;
static guint16 next_seq;

/* opusenc takes its look-ahead of 6.5 ms off the time of its first packet. */
#define LOOKAHEAD 312

typedef enum
{
  FIRST,                        /* of the stream */
  AFTER_SILENCE,
  CONTINUES                     /* from the last call's */
} Expected;

/* Takes what came out; timestamps and sequence numbers must go on. */
static Packets
take (Expected expected)
{
  Packets got = {.shortest = G_MAXUINT };
  GstBuffer *buffer;

  while ((buffer = gst_harness_try_pull (h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    guint samples;

    fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
    samples = get_opus_samples (gst_rtp_buffer_get_payload (&rtp));
    if (got.packets == 0)
      got.marked = gst_rtp_buffer_get_marker (&rtp);
    if (expected == CONTINUES)
      fail_unless_equals_int (gst_rtp_buffer_get_timestamp (&rtp),
          next_timestamp);
    if (expected != FIRST)
      fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), next_seq);
    next_timestamp = gst_rtp_buffer_get_timestamp (&rtp) + samples;
    if (expected == FIRST)
      next_timestamp -= LOOKAHEAD;
    expected = CONTINUES;
    next_seq = gst_rtp_buffer_get_seq (&rtp) + 1;
    got.packets++;
    got.payload += gst_rtp_buffer_get_payload_len (&rtp);
    got.shortest = MIN (got.shortest, samples);
    got.longest = MAX (got.longest, samples);
    got.largest = MAX (got.largest, gst_buffer_get_size (buffer));
    gst_rtp_buffer_unmap (&rtp);
    gst_buffer_unref (buffer);
  }
  return got;
}

static GstElement *
find_by_factory (const gchar * factory)
{
  GstIterator *it = gst_bin_iterate_all_by_element_factory_name (GST_BIN
      (h->element), factory);
  GValue value = G_VALUE_INIT;
  GstElement *element = NULL;

  if (gst_iterator_next (it, &value) == GST_ITERATOR_OK) {
    element = g_value_dup_object (&value);
    g_value_unset (&value);
  }
  gst_iterator_free (it);
  return element;
}

static guint
get_uint (const gchar * property)
{
  guint value;

  gst_harness_get (h, "tfrcencodebin", property, &value, NULL);
  return value;
}

static guint
get_ptime_ms (void)
{
  guint64 value;

  gst_harness_get (h, "tfrcencodebin", "current-ptime", &value, NULL);
  return value / GST_MSECOND;
}

GST_START_TEST (packets_reserve_the_stamp_under_the_id_in_the_caps)
{
  GstCaps *caps;
  GstStructure *s;
  GstBuffer *buffer;
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  gpointer data;
  guint size;

  start ("tfrcencodebin extension-id=5 pt=111");
  run (0.2);
  caps = gst_pad_get_current_caps (h->sinkpad);
  s = gst_caps_get_structure (caps, 0);
  fail_unless_equals_string (gst_structure_get_string (s, "extmap-5"),
      STAMP_URI);
  fail_unless_equals_string (gst_structure_get_string (s, "encoding-name"),
      "OPUS");
  gst_caps_unref (caps);

  buffer = gst_harness_pull (h);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, &rtp));
  fail_unless_equals_int (gst_rtp_buffer_get_payload_type (&rtp), 111);
  fail_unless (gst_rtp_buffer_get_extension_onebyte_header (&rtp, 5, 0, &data,
          &size));
  fail_unless_equals_int (size, 7);
  gst_rtp_buffer_unmap (&rtp);
  gst_buffer_unref (buffer);
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_lower_allowance_is_obeyed_when_it_lasts)
{
  Packets before, after;

  start ("tfrcencodebin max-ptime=20000000 inband-fec=false");
  rate.X_wire = rate.X = 7500;
  run (20);
  before = take (FIRST);
  fail_unless_equals_int (before.longest, 960);
  fail_unless (get_uint ("current-bitrate") >= 24000);

  /* 50 packets/s with 64 bytes of headers: 8000 bit/s are left. */
  rate.X_wire = rate.X = 50 * (64 + 20);
  rate.reason = GST_TFRC_RATE_LOSS;
  run (0.3);
  fail_unless (get_uint ("current-bitrate") >= 24000);
  run (0.3);
  fail_unless_equals_int (get_uint ("current-bitrate"), 8000);
  take (CONTINUES);
  run (2);
  after = take (CONTINUES);
  fail_unless (after.payload < 1.05 * after.packets * 20,
      "%u bytes in %u packets", after.payload, after.packets);
  fail_unless (after.payload > 0.6 * after.packets * 20,
      "%u bytes in %u packets", after.payload, after.packets);
  stop ();
}

GST_END_TEST;

GST_START_TEST (frames_get_longer_when_headers_would_take_the_rate)
{
  Packets got;

  start ("tfrcencodebin");
  /* 24 kbit/s: at 50 packets/s headers alone would need 25.6. */
  rate.X_wire = rate.X = 3000;
  run (0.1);
  fail_unless (get_ptime_ms () > 20);
  take (FIRST);
  run (4);
  got = take (CONTINUES);
  fail_unless (got.longest > 960);
  fail_unless (get_uint ("current-bitrate") >= 12000);
  fail_unless (got.payload + 64 * got.packets < 1.05 * 3000 * 4,
      "%u bytes in %u packets", got.payload, got.packets);
  stop ();
}

GST_END_TEST;

GST_START_TEST (timestamps_go_on_across_every_change_of_the_frame_length)
{
  static const gdouble rates[] = { 20000, 3000, 1850, 6000, 2200, 20000 };
  guint i, lengths = 0;

  start ("tfrcencodebin min-ptime=10000000");
  for (i = 0; i < G_N_ELEMENTS (rates); i++) {
    rate.X_wire = rate.X = rates[i];
    run (12);
    take (i == 0 ? FIRST : CONTINUES);
    lengths |= 1 << (get_ptime_ms () / 10);
  }
  /* it is no test when one length served all */
  fail_unless (lengths & (lengths - 1));
  stop ();
}

GST_END_TEST;

GST_START_TEST (a_fixed_ptime_is_kept_whatever_is_allowed)
{
  Packets got;

  start ("tfrcencodebin ptime=40000000");
  run (1);
  rate.X_wire = rate.X = 1500;
  run (4);
  got = take (FIRST);
  fail_unless_equals_int (got.shortest, 1920);
  fail_unless_equals_int (got.longest, 1920);
  fail_unless_equals_int (get_uint ("current-bitrate"), 6000);
  stop ();
}

GST_END_TEST;

GST_START_TEST (limits_of_bitrate_and_packet_size_are_kept)
{
  Packets got;

  start ("tfrcencodebin min-bitrate=12000 max-bitrate=20000 "
      "max-packet-size=110");
  run (10);
  got = take (FIRST);
  fail_unless (got.largest <= 110 * 1.25, "%u bytes", got.largest);
  fail_unless (get_uint ("current-bitrate") <= 20000);
  rate.X_wire = rate.X = 1700;
  run (3);
  fail_unless_equals_int (get_uint ("current-bitrate"), 12000);
  stop ();
}

GST_END_TEST;

GST_START_TEST (without_adaptation_nothing_moves_it)
{
  Packets got;

  start ("tfrcencodebin adaptive=false bitrate=25000");
  run (1);
  rate.X_wire = rate.X = 100;
  rate.suspend = TRUE;
  run (3);
  got = take (FIRST);
  fail_unless_equals_int (get_uint ("current-bitrate"), 25000);
  fail_unless_equals_int (got.shortest, 960);
  fail_unless_equals_int (got.longest, 960);
  fail_unless (got.packets >= 198);
  stop ();
}

GST_END_TEST;

GST_START_TEST (measured_loss_turns_on_the_error_correction)
{
  GstElement *encoder;
  gboolean fec;
  gint loss;

  start ("tfrcencodebin redundancy=0");
  rate.X_wire = rate.X = 9000;
  run (3);
  encoder = find_by_factory ("opusenc");
  rate.p = 0.1;
  run (8);
  g_object_get (encoder, "inband-fec", &fec, "packet-loss-percentage", &loss,
      NULL);
  fail_unless (fec);
  fail_unless_equals_int (loss, 10);
  fail_unless_equals_int (get_uint ("expected-loss"), 10);
  gst_object_unref (encoder);
  stop ();
}

GST_END_TEST;

GST_START_TEST (suspended_it_sends_nothing_and_marks_the_first_packet_after)
{
  Packets got;
  guint32 silent_since;
  gboolean suspended;

  start ("tfrcencodebin ptime=20000000");
  run (1);
  take (FIRST);
  silent_since = next_timestamp;
  rate.suspend = TRUE;
  rate.reason = GST_TFRC_RATE_SUSPEND;
  run (2);
  got = take (CONTINUES);
  fail_unless (got.packets <= 1);
  gst_harness_get (h, "tfrcencodebin", "suspended", &suspended, NULL);
  fail_unless (suspended);

  rate.suspend = FALSE;
  rate.reason = GST_TFRC_RATE_RESUME;
  run (1);
  got = take (AFTER_SILENCE);
  fail_unless (got.marked);
  fail_unless (got.packets >= 45);
  /* the silence is in the timestamps */
  fail_unless (next_timestamp - silent_since > 48000 * 28 / 10);
  fail_unless (next_timestamp - silent_since < 48000 * 31 / 10);
  stop ();
}

GST_END_TEST;

/* wavparse hands out 128 ms at a time. */
GST_START_TEST (one_large_buffer_does_not_delay_a_change)
{
  Packets got;
  guint i;

  start ("tfrcencodebin max-ptime=20000000");
  run (10);
  take (FIRST);
  gst_harness_push (h, make_sound (128));
  /* less than half: no hold */
  rate.X_wire = rate.X = 3000;
  gst_harness_push_upstream_event (h, gst_tfrc_rate_new_event (&rate));
  take (CONTINUES);
  for (i = 0; i < 8; i++)
    gst_harness_push (h, make_sound (128));
  got = take (CONTINUES);
  fail_unless (got.packets >= 50);
  /* 6000 bit/s */
  fail_unless (got.payload <= 1.3 * got.packets * 15);
  stop ();
}

GST_END_TEST;

GST_START_TEST (contradictory_limits_are_an_error_that_names_the_remedy)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc ! tfrcencodebin "
      "min-ptime=30000000 max-ptime=35000000 ! fakesink", NULL);
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  gchar *debug = NULL;
  GError *error = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 10 * GST_SECOND,
      GST_MESSAGE_ERROR);
  fail_unless (message != NULL);
  gst_message_parse_error (message, &error, &debug);
  fail_unless (g_error_matches (error, GST_LIBRARY_ERROR,
          GST_LIBRARY_ERROR_SETTINGS));
  fail_unless (strstr (debug, "max-ptime") != NULL);
  g_clear_error (&error);
  g_free (debug);
  gst_message_unref (message);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (bus);
  gst_object_unref (pipeline);
}

GST_END_TEST;

/* The tone must stay a tone across changes of bit rate and frame length. A lost or doubled piece, or a click, lifts what remains when the
 * 400 Hz are taken out. */
static gdouble
get_level (const gint16 * data, guint n)
{
  gdouble power = 0;
  guint i;

  for (i = 0; i < n; i++)
    power += (gdouble) data[i] * data[i];
  return sqrt (power / n);
}

static gdouble
get_noise (const gint16 * data, guint n)
{
  gdouble s = 0, c = 0, power = 0, tone;
  guint i;

  for (i = 0; i < n; i++) {
    s += data[i] * sin (2 * G_PI * 400 * i / RAW_RATE);
    c += data[i] * cos (2 * G_PI * 400 * i / RAW_RATE);
    power += (gdouble) data[i] * data[i];
  }
  tone = 2 * (s * s + c * c) / n;
  return 1 - tone / power;
}

/* --- the far end, behind a jitter buffer ----------------------------------------- */

static GstHarness *far;
static guint lost_packets;

static void
start_far (void)
{
  far = gst_harness_new ("tfrcdecodebin");
  gst_harness_set_src_caps_str (far,
      "application/x-rtp,media=audio,encoding-name=OPUS,clock-rate=48000,"
      "payload=96");
  gst_harness_set_sink_caps_str (far,
      "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1");
  lost_packets = 0;
}

/* What a jitter buffer says of a packet that it gave up on. */
static GstEvent *
new_lost_event (GstBuffer * packet)
{
  return gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
      gst_structure_new ("GstRTPPacketLost", "seqnum", G_TYPE_UINT, 0,
          "timestamp", G_TYPE_UINT64, GST_BUFFER_PTS (packet),
          "duration", G_TYPE_UINT64, GST_BUFFER_DURATION (packet),
          "might-have-been-fec", G_TYPE_BOOLEAN, FALSE, NULL));
}

static GstBuffer *
renumber (GstBuffer * packet, guint less)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  packet = gst_buffer_make_writable (packet);
  gst_rtp_buffer_map (packet, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_seq (&rtp, gst_rtp_buffer_get_seq (&rtp) - less);
  gst_rtp_buffer_unmap (&rtp);
  return packet;
}

/* Hands on what was sent; `pattern`, of characters '.', 'x' (lost) and 'd' (dropped by
 * the sender, before it had a sequence number), repeats. As a jitter buffer has it, the
 * packet after a lost one is marked. */
static void
deliver (const gchar * pattern)
{
  GstBuffer *packet;
  guint i = 0, n = strlen (pattern), dropped = 0;
  gboolean gap = FALSE;

  while ((packet = gst_harness_try_pull (h)) != NULL) {
    gchar fate = pattern[i++ % n];

    if (fate == 'd') {
      lost_packets++;
      dropped++;
      gst_buffer_unref (packet);
    } else if (fate == 'x') {
      lost_packets++;
      gst_harness_push_event (far, new_lost_event (packet));
      gst_buffer_unref (packet);
      gap = TRUE;
    } else {
      packet = renumber (packet, dropped);
      if (gap)
        GST_BUFFER_FLAG_SET (packet, GST_BUFFER_FLAG_DISCONT);
      gap = FALSE;
      fail_unless_equals_int (gst_harness_push (far, packet), GST_FLOW_OK);
    }
  }
}

static void
get_far_stats (guint64 * recovered, guint64 * lost)
{
  GstStructure *stats;

  g_object_get (far->element, "stats", &stats, NULL);
  fail_unless (gst_structure_get (stats, "recovered", G_TYPE_UINT64, recovered,
          "lost", G_TYPE_UINT64, lost, NULL));
  gst_structure_free (stats);
}

/* The worst 20 ms of the sound at the far end, and that no time is missing. */
static gdouble quietest = 2500;

static gdouble
hear (GstHarness * end, gdouble from, gdouble seconds)
{
  GByteArray *sound = g_byte_array_new ();
  GstClockTime next = 0;
  GstBuffer *buffer;
  gdouble worst = 0;
  guint i, n;

  while ((buffer = gst_harness_try_pull (end)) != NULL) {
    gsize at = sound->len, size = gst_buffer_get_size (buffer);

    if (at > RAW_RATE / 5)
      fail_unless (ABS (GST_CLOCK_DIFF (next, GST_BUFFER_PTS (buffer))) <
          GST_MSECOND, "%" G_GINT64_FORMAT " ns off at %u",
          GST_CLOCK_DIFF (next, GST_BUFFER_PTS (buffer)), (guint) at / 96);
    next = GST_BUFFER_PTS (buffer) + GST_BUFFER_DURATION (buffer);
    g_byte_array_set_size (sound, at + size);
    gst_buffer_extract (buffer, 0, sound->data + at, size);
    gst_buffer_unref (buffer);
  }
  n = sound->len / 2;
  fail_unless (n > RAW_RATE * (seconds - 0.3), "%u samples", n);
  fail_unless (n < RAW_RATE * (seconds + 0.1), "%u samples", n);
  for (i = RAW_RATE * from; i + 960 <= n; i += 480) {
    gdouble level = get_level ((gint16 *) sound->data + i, 480);

    /* the tone is of 5657 */
    fail_unless (level > quietest && level < 8000, "level %.0f at %u ms", level,
        i / 48);
    worst = MAX (worst, get_noise ((gint16 *) sound->data + i, 960));
  }
  g_byte_array_unref (sound);
  return worst;
}

GST_START_TEST (the_far_end_hears_no_click_when_the_frame_length_changes)
{
  static const gdouble rates[] = { 4000, 20000, 4000, 9000, 4000, 20000 };
  gdouble worst;
  guint i;

  start ("tfrcencodebin min-bitrate=24000 ! tfrcdecodebin");
  tone = TRUE;
  gst_harness_set_sink_caps_str (h,
      "audio/x-raw,format=S16LE,layout=interleaved,rate=48000,channels=1");
  for (i = 0; i < G_N_ELEMENTS (rates); i++) {
    rate.X_wire = rate.X = rates[i];
    run (7);
  }
  worst = hear (h, 0.5, 42);
  fail_unless (worst < 0.05, "%.3f of the sound is no tone", worst);
  stop ();
}

GST_END_TEST;

static void
check_repair (const gchar * line, const gchar * pattern, gboolean repaired)
{
  guint64 recovered, lost;
  gdouble worst;

  start (line);
  start_far ();
  tone = TRUE;
  rate.p = 0.1;
  rate.X_wire = rate.X = 40000;
  run (10);
  deliver (".");
  run (6);
  deliver (pattern);
  get_far_stats (&recovered, &lost);
  worst = hear (far, 11, 16);
  if (repaired) {
    /* after the very last none may have come */
    fail_unless (recovered >= lost_packets - 1 && recovered <= lost_packets);
    fail_unless_equals_uint64 (lost, 0);
    fail_unless (worst < 0.05, "%.3f of the sound is no tone", worst);
  } else {
    fail_unless_equals_uint64 (recovered, 0);
    fail_unless_equals_uint64 (lost, lost_packets);
  }
  fail_unless (lost_packets > 20);
  gst_harness_teardown (far);
  stop ();
}

GST_START_TEST (copies_restore_every_single_loss)
{
  check_repair ("tfrcencodebin inband-fec=false copy-distance=0", "...x..x.", TRUE);
}

GST_END_TEST;

GST_START_TEST (copies_restore_what_the_sender_dropped)
{
  check_repair ("tfrcencodebin inband-fec=false copy-distance=0", "...d..x..d.d.", TRUE);
}

GST_END_TEST;

GST_START_TEST (two_copies_restore_two_losses_in_a_row)
{
  start ("tfrcencodebin inband-fec=false ptime=20000000");
  rate.p = 0.25;
  rate.X_wire = rate.X = 60000;
  run (10);
  fail_unless_equals_int (get_uint ("current-redundancy"), 2);
  stop ();
}

GST_END_TEST;

/* RFC 2198 3: ms from a packet back to the n-th block in it. */
static guint
get_offset (GstBuffer * packet, guint n)
{
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  const guint8 *header;
  guint offset;

  fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
  header = (guint8 *) gst_rtp_buffer_get_payload (&rtp) + 4 * n;
  fail_unless (header[0] & 0x80);
  offset = (header[1] << 8 | header[2]) >> 2;
  gst_rtp_buffer_unmap (&rtp);
  return offset / 48;
}

static void
check_distance (const gchar * line, guint oldest, guint newest)
{
  GstBuffer *packet, *last = NULL;

  start (line);
  rate.p = 0.25;
  rate.X_wire = rate.X = 60000;
  run (10);
  while ((packet = gst_harness_try_pull (h)) != NULL) {
    gst_clear_buffer (&last);
    last = packet;
  }
  fail_unless_equals_int (get_offset (last, 0), oldest);
  fail_unless_equals_int (get_offset (last, 1), newest);
  gst_buffer_unref (last);
  stop ();
}

GST_START_TEST (copies_travel_80_ms_apart_or_as_the_user_says)
{
  const gchar *line = "tfrcencodebin inband-fec=false ptime=%u000000 "
      "copy-distance=%u000000";
  static const guint cases[][4] = { {20, 80, 160, 80}, {20, 0, 40, 20},
  {40, 80, 160, 80}, {60, 80, 120, 60}, {20, 50, 80, 40}
  };
  guint i;

  check_distance ("tfrcencodebin inband-fec=false ptime=20000000", 160, 80);
  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gchar *text = g_strdup_printf (line, cases[i][0], cases[i][1]);

    check_distance (text, cases[i][2], cases[i][3]);
    g_free (text);
  }
}

GST_END_TEST;

GST_START_TEST (without_copies_losses_are_left_to_the_decoder)
{
  check_repair ("tfrcencodebin inband-fec=false redundancy=0", "...x..x.",
      FALSE);
}

GST_END_TEST;

/* --- other codecs ------------------------------------------------------------------ */

typedef struct
{
  gint pt;
  guint32 timestamp;
  GstClockTime end;
  guint16 seq;
  guint changes;
} Stream;

/* Packets of `stream` so far follow one another in number and time; hands them on. */
static void
follow (Stream * stream)
{
  GstBuffer *packet;

  while ((packet = gst_harness_try_pull (h)) != NULL) {
    GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
    gboolean first = stream->end == 0;
    gint pt;

    fail_unless (gst_rtp_buffer_map (packet, GST_MAP_READ, &rtp));
    pt = gst_rtp_buffer_get_payload_type (&rtp);
    if (!first) {
      fail_unless_equals_int (gst_rtp_buffer_get_seq (&rtp), stream->seq);
      fail_unless (ABS (GST_CLOCK_DIFF (stream->end,
                  GST_BUFFER_PTS (packet))) < GST_MSECOND,
          "%" G_GINT64_FORMAT " ns from one packet to the next",
          GST_CLOCK_DIFF (stream->end, GST_BUFFER_PTS (packet)));
      /* at most a packet of 60 ms on, in the finest clock */
      fail_unless (gst_rtp_buffer_get_timestamp (&rtp) - stream->timestamp
          <= 2880);
      fail_unless (gst_rtp_buffer_get_timestamp (&rtp) != stream->timestamp);
    }
    /* 97, 100 and 101 are RED */
    if (pt != 97 && pt != 100 && pt != 101) {
      stream->changes += !first && pt != stream->pt;
      stream->pt = pt;
    }
    stream->timestamp = gst_rtp_buffer_get_timestamp (&rtp);
    stream->seq = gst_rtp_buffer_get_seq (&rtp) + 1;
    stream->end = GST_BUFFER_PTS (packet) + GST_BUFFER_DURATION (packet);
    gst_rtp_buffer_unmap (&rtp);
    fail_unless_equals_int (gst_harness_push (far, packet), GST_FLOW_OK);
  }
}

static void
check_codecs (const gchar * line, const gchar * const *codecs, guint n,
    gdouble worst_allowed)
{
  Stream stream = { 0 };
  GstElement *bin;
  gdouble worst;
  guint i;

  start (line);
  start_far ();
  tone = TRUE;
  bin = find_by_factory ("tfrcencodebin");
  for (i = 0; i < n; i++) {
    g_object_set (bin, "codec", codecs[i], NULL);
    run (2.03);
    follow (&stream);
  }
  fail_unless_equals_int (stream.changes, n - 1);
  worst = hear (far, 0.5, 2.04 * n);
  fail_unless (worst < worst_allowed, "%.3f of the sound is no tone", worst);
  gst_object_unref (bin);
  gst_harness_teardown (far);
  stop ();
}

GST_START_TEST (codecs_of_one_clock_rate_follow_one_another)
{
  static const gchar *const order[] = { "PCMU", "PCMA", "GSM", "PCMU" };

  if (have ("gsmenc"))
    check_codecs ("tfrcencodebin codecs=PCMU,PCMA,GSM", order, 4, 0.2);
}

GST_END_TEST;

GST_START_TEST (opus_and_others_follow_one_another)
{
  static const gchar *const order[] = { "OPUS", "PCMU", "OPUS", "PCMU", "OPUS" };

  check_codecs ("tfrcencodebin codecs=OPUS,PCMU min-bitrate=32000 "
      "ptime=20000000", order, 5, 0.1);
}

GST_END_TEST;

/* Their delays differ by milliseconds, so the tone jumps in phase: only its level
 * is judged, and that mildly: AMR-WB starts quietly. */
GST_START_TEST (every_codec_has_both_ends)
{
  static const gchar *const order[] = { "OPUS", "G722", "AMR-WB",
    "GSM", "OPUS"
  };

  if (have ("avenc_g722") && have ("voamrwbenc") && have ("amrwbdec")
      && have ("gsmenc")) {
    quietest = 1000;
    check_codecs ("tfrcencodebin codecs=OPUS,G722,AMR-WB,GSM", order, 5,
        1.0);
    quietest = 2500;
  }
}

GST_END_TEST;

/* speexenc takes a bit rate only when it starts: it is restarted between two frames,
 * and begins quietly. */
GST_START_TEST (speex_changes_its_bit_rate_without_a_gap)
{
  Stream stream = { 0 };

  if (!have ("speexenc"))
    return;
  start ("tfrcencodebin codecs=SPEEX redundancy=0");
  start_far ();
  tone = TRUE;
  rate.X_wire = rate.X = 20000;
  run (12);
  fail_unless (get_uint ("current-bitrate") >= 16800);
  follow (&stream);
  rate.X_wire = rate.X = 50 * (20 + 64) * 1.02;
  run (3);
  fail_unless_equals_int (get_uint ("current-bitrate"), 7750);
  follow (&stream);
  fail_unless_equals_int (stream.pt, 102);
  fail_unless_equals_int (stream.changes, 0);
  quietest = 100;
  hear (far, 0.5, 15);
  quietest = 2500;
  gst_harness_teardown (far);
  stop ();
}

GST_END_TEST;

GST_START_TEST (it_starts_and_stops_any_number_of_times)
{
  GstElement *pipeline = gst_parse_launch ("audiotestsrc ! tfrcencodebin ! "
      "tfrcdecodebin ! fakesink", NULL);
  guint i;

  for (i = 0; i < 3; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    fail_unless_equals_int (gst_element_get_state (pipeline, NULL, NULL,
            10 * GST_SECOND), GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (pipeline, GST_STATE_NULL);
  }
  gst_object_unref (pipeline);
}

GST_END_TEST;

static Suite *
encode_suite (void)
{
  Suite *s = suite_create ("encode");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_test (tc, packets_reserve_the_stamp_under_the_id_in_the_caps);
  tcase_add_test (tc, a_lower_allowance_is_obeyed_when_it_lasts);
  tcase_add_test (tc, frames_get_longer_when_headers_would_take_the_rate);
  tcase_add_test (tc,
      timestamps_go_on_across_every_change_of_the_frame_length);
  tcase_add_test (tc, a_fixed_ptime_is_kept_whatever_is_allowed);
  tcase_add_test (tc, limits_of_bitrate_and_packet_size_are_kept);
  tcase_add_test (tc, without_adaptation_nothing_moves_it);
  tcase_add_test (tc, measured_loss_turns_on_the_error_correction);
  tcase_add_test (tc,
      suspended_it_sends_nothing_and_marks_the_first_packet_after);
  tcase_add_test (tc, one_large_buffer_does_not_delay_a_change);
  tcase_add_test (tc, contradictory_limits_are_an_error_that_names_the_remedy);
  tcase_add_test (tc,
      the_far_end_hears_no_click_when_the_frame_length_changes);
  tcase_add_test (tc, copies_restore_every_single_loss);
  tcase_add_test (tc, copies_restore_what_the_sender_dropped);
  tcase_add_test (tc, two_copies_restore_two_losses_in_a_row);
  tcase_add_test (tc, copies_travel_80_ms_apart_or_as_the_user_says);
  tcase_add_test (tc, without_copies_losses_are_left_to_the_decoder);
  tcase_add_test (tc, codecs_of_one_clock_rate_follow_one_another);
  tcase_add_test (tc, opus_and_others_follow_one_another);
  tcase_add_test (tc, every_codec_has_both_ends);
  tcase_add_test (tc, speex_changes_its_bit_rate_without_a_gap);
  tcase_add_test (tc, it_starts_and_stops_any_number_of_times);
  return s;
}

GST_CHECK_MAIN (encode);
