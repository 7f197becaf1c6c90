/* gst-tfrc tests: what is done again and again takes no more memory each time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * leaks.h sees what GStreamer counts references of; here are strings, structures and all other
 * blocks of the heap. Each scenario is played until the caches of the libraries are filled, and then
 * some times more: in these, no block may be left for each time. LeakSanitizer does the same where
 * it replaces malloc(), so that nothing is counted there. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/messages.h"
#include "base/pads.h"
#include "base/propertyfield.h"
#include "base/tfrccaps.h"
#include "element.h"
#include "settle.h"
#include "voice.h"

#include "send.h"
#undef R

#define FILL 6                  /* times until the caches are filled */
#define TIMES 8                 /* times that are counted */

/* --- the heap --- */

static gint blocks;             /* that are in use */

#if defined (__has_feature)
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
#define SANITIZED
#endif
#elif defined (__SANITIZE_ADDRESS__) || defined (__SANITIZE_THREAD__)
#define SANITIZED
#endif

#if defined (__GLIBC__) && !defined (SANITIZED)
extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);
extern void __libc_free (void *block);

static void *
count (void *block)
{
  if (block != NULL)
    __atomic_add_fetch (&blocks, 1, __ATOMIC_RELAXED);
  return block;
}

/* A symbol of the program goes before those of libraries. */
void *
malloc (size_t size)
{
  return count (__libc_malloc (size));
}

void *
calloc (size_t n, size_t size)
{
  return count (__libc_calloc (n, size));
}

void *
realloc (void *block, size_t size)
{
  return block == NULL ? malloc (size) : __libc_realloc (block, size);
}

void *
memalign (size_t alignment, size_t size)
{
  return count (__libc_memalign (alignment, size));
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return memalign (alignment, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  *block = memalign (alignment, size);
  return *block != NULL ? 0 : ENOMEM;
}

void
free (void *block)
{
  if (block != NULL)
    __atomic_sub_fetch (&blocks, 1, __ATOMIC_RELAXED);
  __libc_free (block);
}
#endif

static gint
get_blocks (void)
{
  settle ();
  return __atomic_load_n (&blocks, __ATOMIC_RELAXED);
}

/* --- base --- */

static void
play_base (void)
{
  static const gchar *const more[] = { "fakesink", "no-such-element", NULL };
  GstBus *bus;
  GstElement *bin = element_new (&bus), *a, *b;
  GstTfrcChildWarnings warnings = { NULL };
  GstTfrcWarning warning = { 0 };
  GPtrArray *plugs = gst_tfrc_bin_pads_new_plugs ();
  GstCaps *caps = gst_caps_from_string ("application/x-rtp,payload=96,"
      "rtcp-fb-nack=true,extmap-3=" TFRC_STAMP_URI);
  gchar *name = NULL;
  GValue value = G_VALUE_INIT;
  guint i;

  gst_tfrc_missing_find (more);
  gst_tfrc_missing_error (bin, "no-such-element", "");
  for (i = 0; i < 3; i++) {
    GError *error = g_error_new (GST_STREAM_ERROR, GST_STREAM_ERROR_FAILED,
        "error");
    GstMessage *message = gst_message_new_warning (GST_OBJECT (bin), error,
        "debug");

    message = gst_tfrc_child_warnings_filter (&warnings, GST_BIN (bin),
        i == 2 ? "kind" : NULL, message);
    gst_clear_message (&message);
    g_error_free (error);
    gst_tfrc_warning_post (&warning, bin, GST_STREAM_ERROR,
        GST_STREAM_ERROR_FAILED, "%u", i);
    warning.posted = FALSE;     /* posts each of them */
  }
  gst_tfrc_child_warnings_clear (&warnings);
  gst_tfrc_caps_judge (caps, TFRC_MODE_TFRC, bin);
  gst_event_unref (gst_tfrc_caps_complete (gst_event_new_caps (caps), 4,
          TFRC_MODE_TFRC_SP));
  gst_caps_unref (caps);

  a = gst_element_factory_make ("identity", "a");
  b = gst_element_factory_make ("identity", "b");
  gst_bin_add_many (GST_BIN (bin), a, b, NULL);
  gst_tfrc_bin_pads_plug (GST_BIN (bin), plugs);
  g_ptr_array_unref (plugs);
  gst_tfrc_bin_pads_link_elements (bin, a, b);
  gst_tfrc_bin_pads_link_elements (bin, a, b);
  gst_tfrc_bin_pads_link_named (bin, a, "src", b, "none");

  g_value_init (&value, G_TYPE_STRING);
  for (i = 0; i < 3; i++) {
    g_value_set_static_string (&value, "text");
    gst_tfrc_property_field_set (&name, 0, &value);
  }
  g_value_set_string (&value, NULL);
  gst_tfrc_property_field_set (&name, 0, &value);
  g_value_unset (&value);
  element_free (bin, bus);
}

/* --- the filters --- */

static void
send_app (Filter * f, guint mode, guint32 flags, guint32 ssrc)
{
  guint8 words[12] = { mode, 0, 0, 40, };
  GstBuffer *buffer;

  GST_WRITE_UINT32_BE (words + 4, flags);
  buffer = gst_buffer_new_memdup (words, sizeof words);
  g_signal_emit_by_name (f->session, "on-app-rtcp", 0, ssrc, "TFRC", buffer);
  gst_buffer_unref (buffer);
}

static void
take_messages (Filter * f)
{
  GstMessage *message;

  while ((message = gst_bus_pop (f->bus)) != NULL)
    gst_message_unref (message);
}

static void
play_send (void)
{
  GstStructure *rate;
  GstBuffer *packet;
  TfrcStamp stamp;
  gchar *context;
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcsend mode=tfrc-sp context=shared "
      "experimental=experimental,loss-measure=rfc");
  g_object_get (f.element, "context", &context, NULL);
  g_free (context);
  g_object_set (f.element, "experimental", NULL, NULL);
  send_open_path (&f);
  for (i = 0; i < 100; i++) {
    filter_push (&f, 148);
    filter_advance (&f, FRAME / 2);
  }
  while ((packet = gst_harness_try_pull (f.h)) != NULL) {
    stamp = packet_get_stamp (packet, STAMP_ID);
    gst_buffer_unref (packet);
  }
  filter_report (&f, stamp.t_i_us, 0, 9000, 0.1);
  send_app (&f, TFRC_MODE_TFRC, 3, PEER_SSRC);
  g_bytes_unref (filter_send_rtcp (&f, TRUE, FALSE));
  gst_harness_push (f.h, gst_buffer_new_memdup ("no RTP", 6));
  filter_get_stat (&f, "packets");
  while ((rate = filter_take_rate (&f)) != NULL)
    gst_structure_free (rate);
  gst_element_set_state (f.element, GST_STATE_READY);
  gst_util_set_object_arg (G_OBJECT (f.element), "experimental",
      "experimental,loss-measure=none");
  gst_element_set_state (f.element, GST_STATE_PAUSED);
  take_messages (&f);
  filter_stop (&f);
}

static void
play_receive (void)
{
  GstHarness *rtcp;
  GstBuffer *packet;
  Filter f;
  guint i;

  filter_start (&f, "rtptfrcreceive mode=tfrc-sp");
  rtcp = gst_harness_new_with_element (f.element, NULL, "rtcp_src");
  send_app (&f, TFRC_MODE_TFRC_SP, 2, OWN_SSRC);
  for (i = 0; i < 100; i++) {
    filter_push_stamped (&f, 100000, i * 20000);
    filter_advance (&f, FRAME);
    if (i % 10 == 0) {
      g_bytes_unref (filter_send_rtcp (&f, TRUE, FALSE));
      send_app (&f, TFRC_MODE_TFRC_SP, 2, OWN_SSRC);
    }
  }
  g_bytes_unref (filter_send_rtcp (&f, TRUE, TRUE));
  send_app (&f, TFRC_MODE_TFRC, 2, OWN_SSRC);
  while ((packet = gst_harness_try_pull (rtcp)) != NULL)
    gst_buffer_unref (packet);
  filter_get_stat (&f, "packets");
  gst_harness_teardown (rtcp);
  gst_element_set_state (f.element, GST_STATE_READY);
  gst_element_set_state (f.element, GST_STATE_PLAYING);
  filter_push_stamped (&f, 100000, 0);
  take_messages (&f);
  filter_stop (&f);
}

/* --- codecs --- */

/* A voice in two codecs, with copies and losses, through both bins. */
static void
play_voice (void)
{
  GstHarness *far = far_start ();
  GstStructure *stats;
  GstElement *bin;
  GstBuffer *packet;
  guint n = 0, i;
  gchar *codec;
  Voice v;

  voice_start (&v, "tfrcencodebin codecs=OPUS,PCMU bitrate=24000 redundancy=2");
  bin = voice_find (&v, "tfrcencodebin");
  v.rate.allowance.p = v.rate.loss = 0.2;
  for (i = 0; i < 4; i++) {
    g_object_set (bin, "codec", i % 2 == 0 ? "OPUS" : "PCMU", NULL);
    voice_run (&v, 1.2);
    while ((packet = gst_harness_try_pull (v.h)) != NULL) {
      if (n++ % 7 != 6) {
        gst_harness_push (far, packet);
        continue;
      }
      gst_harness_push_event (far,
          gst_event_new_custom (GST_EVENT_CUSTOM_DOWNSTREAM,
              gst_structure_new ("GstRTPPacketLost", "timestamp",
                  G_TYPE_UINT64, GST_BUFFER_PTS (packet), "duration",
                  G_TYPE_UINT64, GST_BUFFER_DURATION (packet), NULL)));
      gst_buffer_unref (packet);
    }
  }
  g_object_get (bin, "current-codec", &codec, NULL);
  g_free (codec);
  g_object_get (far->element, "stats", &stats, NULL);
  gst_structure_free (stats);
  gst_object_unref (bin);
  voice_stop (&v);
  while ((packet = gst_harness_try_pull (far)) != NULL)
    gst_buffer_unref (packet);
  gst_harness_teardown (far);
}

static void
play_ladder (void)
{
  static const gchar *const ladders[] = { "OPUS 16k/60 fec, OPUS 24k/20 red1",
    "OPUS 16k", "MP3 1/1", ""
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ladders); i++) {
    GstElement *bin = gst_element_factory_make ("tfrcencodebin", NULL);

    g_object_set (bin, "ladder", ladders[i], "codecs", "OPUS,PCMU", "codec",
        "PCMU", NULL);
    gst_element_set_state (bin, GST_STATE_PAUSED);
    gst_element_set_state (bin, GST_STATE_NULL);
    gst_object_unref (bin);
  }
}

static void
play_control (void)
{
  GstHarness *h = gst_harness_new_parse ("speexenc ! tfrcencodercontrol");
  GstTfrcRate rate = { .allowance.R = 0.1 };
  GstElement *control = gst_harness_find_element (h, "tfrcencodercontrol");
  guint i;

  gst_harness_set_src_caps_str (h, "audio/x-raw,format=S16LE,"
      "layout=interleaved,rate=16000,channels=1");
  g_object_set (control, "bitrate-property", NULL, NULL);
  for (i = 0; i < 6; i++) {
    GstBuffer *sound = gst_buffer_new_allocate (NULL, 6400, NULL);

    rate.bitrate = i % 2 == 0 ? 20000 : 9000;
    gst_buffer_memset (sound, 0, 0, 6400);
    gst_harness_push_upstream_event (h, gst_tfrc_rate_event_new (&rate));
    gst_harness_push (h, sound);
  }
  gst_object_unref (control);
  gst_harness_teardown (h);
}

/* --- the test --- */

static const struct
{
  const gchar *name;
  void (*play) (void);
} scenarios[] = {
  {"base", play_base}, {"send", play_send}, {"receive", play_receive},
  {"voice", play_voice}, {"ladder", play_ladder}, {"control", play_control},
};

GST_START_TEST (what_is_done_again_takes_no_more_memory)
{
  gint before;
  guint i;

  for (i = 0; i < FILL; i++)
    scenarios[__i__].play ();
  before = get_blocks ();
  for (i = 0; i < TIMES; i++)
    scenarios[__i__].play ();
  fail_unless (get_blocks () - before < TIMES, "%s: %d blocks more after %u "
      "times", scenarios[__i__].name, get_blocks () - before, TIMES);
}

GST_END_TEST;

static Suite *
memory_suite (void)
{
  Suite *suite = suite_create ("memory");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_loop_test (tcase, what_is_done_again_takes_no_more_memory, 0,
      G_N_ELEMENTS (scenarios));
  return suite;
}

GST_CHECK_MAIN (memory);
