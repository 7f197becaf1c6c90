/* gst-tfrc tests: one filter in a harness, on a clock that the test moves, bound to
 * a real RTP session whose signals the test sets off
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter.h"

#include <gst/check/gstcheck.h>
#include <gst/check/gstharness.h>
#include <gst/check/gsttestclock.h>
#include <string.h>

#include "leaks.h"
#include "settle.h"
#include "statsfield.h"

#define CAPS "application/x-rtp, media=(string)audio, clock-rate=(int)48000, " \
    "encoding-name=(string)OPUS, payload=(int)96, ssrc=(uint)572662306"

/* The clock of the filter that was started last, or NULL. */
static GstTestClock *plugin_clock;

/* The plugin's other way to ask for the time: that of the clock that the test moves. A symbol
 * of the program goes before those of libraries. */
GstClockTime
gst_util_get_timestamp (void)
{
  return plugin_clock != NULL ? gst_clock_get_time (GST_CLOCK (plugin_clock)) :
      0;
}

static GstElement *
find_filter (GstElement * element)
{
  GstIterator *it;
  GValue item = G_VALUE_INIT;
  GstElement *found = NULL;

  if (!GST_IS_BIN (element))
    return element;
  it = gst_bin_iterate_elements (GST_BIN (element));
  while (found == NULL && gst_iterator_next (it, &item) == GST_ITERATOR_OK) {
    GstElement *child = g_value_get_object (&item);

    if (g_str_has_prefix (GST_OBJECT_NAME (child), "rtptfrc"))
      found = child;
    g_value_reset (&item);
  }
  gst_iterator_free (it);
  g_assert (found != NULL);
  return found;
}

void
filter_start (Filter * f, const gchar * line)
{
  GError *error = NULL;
  GstElement *whole;

  leaks_begin ();
  whole = strchr (line, '!') != NULL ?
      gst_parse_bin_from_description (line, TRUE, &error) :
      gst_parse_launch (line, &error);
  g_assert_no_error (error);
  gst_object_ref_sink (whole);
  memset (f, 0, sizeof *f);
  f->element = gst_object_ref (find_filter (whole));
  f->rtpsession = gst_element_factory_make ("rtpsession", NULL);
  gst_object_ref_sink (f->rtpsession);
  g_object_get (f->rtpsession, "internal-session", &f->session, NULL);
  g_object_set (f->element, "rtp-session", f->session, NULL);
  f->bus = gst_bus_new ();
  gst_element_set_bus (whole, f->bus);
  f->ssrc = OWN_SSRC;
  f->seq = 65530;               /* the wrap is never far */
  f->h = gst_harness_new_with_element (whole, "sink", "src");
  f->clock = gst_harness_get_testclock (f->h);
  filter_set_time (f, 100 * GST_SECOND);
  g_set_object (&plugin_clock, f->clock);
  gst_harness_set_src_caps_str (f->h, CAPS);
  gst_object_unref (whole);
}

void
filter_stop (Filter * f)
{
  gst_harness_teardown (f->h);
  g_clear_object (&plugin_clock);
  gst_object_unref (f->clock);
  gst_bus_set_flushing (f->bus, TRUE);
  gst_object_unref (f->bus);
  gst_object_unref (f->element);
  g_object_unref (f->session);
  gst_object_unref (f->rtpsession);
  leaks_end ();
}

void
filter_set_time (Filter * f, GstClockTime time)
{
  gst_test_clock_set_time (f->clock, time);
}

void
filter_advance (Filter * f, GstClockTime duration)
{
  gst_test_clock_advance_time (f->clock, duration);
}

GstClockTime
filter_next_wait (Filter * f)
{
  GstClockTime time;
  GList *ids;

  gst_test_clock_wait_for_multiple_pending_ids (f->clock, 2, &ids);
  time = gst_test_clock_id_list_get_latest_time (ids);
  time = MIN (time, gst_test_clock_get_next_entry_time (f->clock));
  g_list_free_full (ids, gst_clock_id_unref);
  return time;
}

GstClockTime
filter_crank (Filter * f)
{
  GstClockTime time = filter_next_wait (f);

  fail_unless (gst_test_clock_crank (f->clock));
  return time;
}

static GstClockTime
next_alone (Filter * f)
{
  gst_test_clock_wait_for_next_pending_id (f->clock, NULL);
  return gst_test_clock_get_next_entry_time (f->clock);
}

GstClockTime
filter_crank_alone (Filter * f)
{
  GstClockTime time = next_alone (f);

  fail_unless (gst_test_clock_crank (f->clock));
  return time;
}

void
filter_settle (Filter * f)
{
  GstClockTime time = gst_clock_get_time (GST_CLOCK (f->clock));
  GstClockTime next = gst_test_clock_get_next_entry_time (f->clock);

  if (next != GST_CLOCK_TIME_NONE && next <= time)
    gst_clock_id_unref (gst_test_clock_process_next_clock_id (f->clock));
  settle ();
}

GstBuffer *
filter_new_packet (Filter * f, guint payload)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (payload, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  gst_rtp_buffer_set_payload_type (&rtp, 96);
  gst_rtp_buffer_set_seq (&rtp, f->seq);
  gst_rtp_buffer_set_timestamp (&rtp, f->seq * 960u);
  gst_rtp_buffer_set_ssrc (&rtp, f->ssrc);
  memset (gst_rtp_buffer_get_payload (&rtp), (guint8) f->seq, payload);
  gst_rtp_buffer_unmap (&rtp);
  f->seq++;
  return buffer;
}

GstBuffer *
filter_new_stamped (Filter * f, guint payload, guint32 rtt_us, guint32 t_i_us)
{
  GstBuffer *buffer = filter_new_packet (f, payload);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;
  guint8 data[TFRC_STAMP_SIZE];

  tfrc_stamp_write (&(TfrcStamp) {rtt_us, t_i_us}, data);
  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  fail_unless (gst_rtp_buffer_add_extension_onebyte_header (&rtp, STAMP_ID,
          data, sizeof data));
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

void
filter_push (Filter * f, guint payload)
{
  fail_unless_equals_int (gst_harness_push (f->h, filter_new_packet (f,
              payload)), GST_FLOW_OK);
}

void
filter_push_stamped (Filter * f, guint32 rtt_us, guint32 t_i_us)
{
  fail_unless_equals_int (gst_harness_push (f->h, filter_new_stamped (f, 160,
              rtt_us, t_i_us)), GST_FLOW_OK);
}

static void
map_packet (GstBuffer * buffer, GstRTPBuffer * rtp)
{
  memset (rtp, 0, sizeof *rtp);
  fail_unless (gst_rtp_buffer_map (buffer, GST_MAP_READ, rtp));
}

guint16
packet_get_seq (GstBuffer * buffer)
{
  GstRTPBuffer rtp;
  guint16 seq;

  map_packet (buffer, &rtp);
  seq = gst_rtp_buffer_get_seq (&rtp);
  gst_rtp_buffer_unmap (&rtp);
  return seq;
}

guint32
packet_get_timestamp (GstBuffer * buffer)
{
  GstRTPBuffer rtp;
  guint32 timestamp;

  map_packet (buffer, &rtp);
  timestamp = gst_rtp_buffer_get_timestamp (&rtp);
  gst_rtp_buffer_unmap (&rtp);
  return timestamp;
}

TfrcStamp
packet_get_stamp (GstBuffer * buffer, guint id)
{
  GstRTPBuffer rtp;
  TfrcStamp stamp;
  gpointer data = NULL;
  guint size = 0;
  guint8 appbits;
  gboolean found;

  map_packet (buffer, &rtp);
  found = id < 15 && gst_rtp_buffer_get_extension_onebyte_header (&rtp, id, 0,
      &data, &size);
  if (!found)
    found = gst_rtp_buffer_get_extension_twobytes_header (&rtp, &appbits, id,
        0, &data, &size);
  fail_unless (found);
  fail_unless_equals_int (tfrc_stamp_parse (&stamp, data, size), TFRC_PARSE_OK);
  gst_rtp_buffer_unmap (&rtp);
  return stamp;
}

GstBuffer *
filter_take (Filter * f)
{
  GstBuffer *buffer = gst_harness_try_pull (f->h);

  fail_unless (buffer != NULL);
  return buffer;
}

void
filter_expect_nothing (Filter * f)
{
  fail_unless_equals_int (gst_harness_buffers_in_queue (f->h), 0);
}

TfrcStamp
filter_take_stamp (Filter * f)
{
  GstBuffer *buffer = filter_take (f);
  TfrcStamp stamp = packet_get_stamp (buffer, STAMP_ID);

  gst_buffer_unref (buffer);
  return stamp;
}

TfrcStamp
filter_pull_stamp (Filter * f)
{
  GstBuffer *buffer = gst_harness_pull (f->h);
  TfrcStamp stamp = packet_get_stamp (buffer, STAMP_ID);

  gst_buffer_unref (buffer);
  return stamp;
}

void
filter_feedback (Filter * f, guint fmt, guint32 sender, guint32 media,
    const guint8 * fci, gsize size)
{
  GstBuffer *buffer = size > 0 ? gst_buffer_new_memdup (fci, size) : NULL;

  g_signal_emit_by_name (f->session, "on-feedback-rtcp", GST_RTCP_TYPE_RTPFB,
      fmt, sender, media, buffer);
  gst_clear_buffer (&buffer);
}

void
filter_report (Filter * f, guint32 t_i_us, guint32 t_delay_us,
    guint32 x_recv_Bps, gdouble p)
{
  TfrcReport report = { t_i_us, t_delay_us, x_recv_Bps,
    tfrc_report_encode_p (p), FALSE, 0
  };
  guint8 fci[TFRC_REPORT_FCI_SIZE_MAX];
  gsize size = tfrc_report_write_fci (&report, fci);

  filter_feedback (f, TFRC_REPORT_FMT, PEER_SSRC, OWN_SSRC, fci, size);
}

static void
start_rtcp (GstBuffer * buffer, gboolean compound, gboolean bye)
{
  GstRTCPBuffer rtcp = GST_RTCP_BUFFER_INIT;
  GstRTCPPacket packet;

  gst_rtcp_buffer_map (buffer, GST_MAP_READWRITE, &rtcp);
  if (compound) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_RR, &packet);
    gst_rtcp_packet_rr_set_ssrc (&packet, PEER_SSRC);
  }
  if (bye) {
    gst_rtcp_buffer_add_packet (&rtcp, GST_RTCP_TYPE_BYE, &packet);
    gst_rtcp_packet_bye_add_ssrc (&packet, PEER_SSRC);
  }
  gst_rtcp_buffer_unmap (&rtcp);
}

GBytes *
filter_send_rtcp (Filter * f, gboolean compound, gboolean bye)
{
  GstBuffer *buffer = gst_rtcp_buffer_new (1400);
  gboolean keep;
  gpointer data;
  gsize size;

  start_rtcp (buffer, compound, bye);
  g_signal_emit_by_name (f->session, "on-sending-rtcp", buffer, !compound,
      &keep);
  gst_buffer_extract_dup (buffer, 0, -1, &data, &size);
  gst_buffer_unref (buffer);
  return g_bytes_new_take (data, size);
}

gboolean
rtcp_find_report (GBytes * rtcp, TfrcReport * report, guint32 * sender,
    guint32 * media)
{
  gsize size, at;
  const guint8 *data = g_bytes_get_data (rtcp, &size);

  for (at = 0; at + 4 <= size; at += 4 * (1 + GST_READ_UINT16_BE (data + at +
              2))) {
    if (data[at + 1] == GST_RTCP_TYPE_RTPFB)
      return tfrc_report_parse (report, TFRC_REPORT_FMT, sender, media,
          data + at, 4 * (1 + GST_READ_UINT16_BE (data + at + 2))) ==
          TFRC_PARSE_OK;
  }
  return FALSE;
}

static const GValue *
get_field (Filter * f, const gchar * name, GstStructure ** stats)
{
  const GValue *value;

  g_object_get (f->element, "stats", stats, NULL);
  value = stats_field (*stats, name);
  if (value == NULL)
    g_error ("no %s in %s", name, gst_structure_get_name (*stats));
  return value;
}

guint32
filter_receive_voice (Filter * f, guint n, guint32 t_i_us)
{
  guint i;

  for (i = 0; i < n; i++) {
    filter_push_stamped (f, FILTER_R_US, t_i_us);
    gst_buffer_unref (filter_take (f));
    filter_advance (f, FRAME);
    t_i_us += FILTER_FRAME_US;
  }
  return t_i_us - FILTER_FRAME_US;
}

gboolean
filter_take_report (Filter * f, TfrcReport * report)
{
  GBytes *rtcp = filter_send_rtcp (f, TRUE, FALSE);
  guint32 sender, media;
  gboolean found = rtcp_find_report (rtcp, report, &sender, &media);

  g_bytes_unref (rtcp);
  if (found) {
    fail_unless_equals_int (sender, PEER_SSRC);
    fail_unless_equals_int (media, f->ssrc);
  }
  return found;
}

guint64
filter_get_stat (Filter * f, const gchar * name)
{
  GstStructure *stats;
  const GValue *value = get_field (f, name, &stats);
  guint64 stat;

  if (G_VALUE_HOLDS_UINT64 (value))
    stat = g_value_get_uint64 (value);
  else if (G_VALUE_HOLDS_UINT (value))
    stat = g_value_get_uint (value);
  else
    stat = g_value_get_boolean (value);
  gst_structure_free (stats);
  return stat;
}

gdouble
filter_get_rate (Filter * f, const gchar * name)
{
  GstStructure *stats;
  gdouble rate = g_value_get_double (get_field (f, name, &stats));

  gst_structure_free (stats);
  return rate;
}

gchar *
filter_get_error (Filter * f, GstMessageType type)
{
  GstMessage *message = gst_bus_pop_filtered (f->bus, type);
  GError *error = NULL;
  gchar *text;

  fail_unless (message != NULL);
  if (type == GST_MESSAGE_ERROR)
    gst_message_parse_error (message, &error, NULL);
  else
    gst_message_parse_warning (message, &error, NULL);
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  return text;
}

GstStructure *
filter_take_rate (Filter * f)
{
  GstEvent *event;
  GstStructure *s = NULL;

  while (s == NULL &&
      (event = gst_harness_try_pull_upstream_event (f->h)) != NULL) {
    if (gst_event_has_name (event, "application/x-tfrc-rate"))
      s = gst_structure_copy (gst_event_get_structure (event));
    gst_event_unref (event);
  }
  return s;
}

guint
rate_get_uint (const GstStructure * s, const gchar * field)
{
  guint value;

  fail_unless (gst_structure_get_uint (s, field, &value));
  return value;
}

gdouble
rate_get_double (const GstStructure * s, const gchar * field)
{
  gdouble value;

  fail_unless (gst_structure_get_double (s, field, &value));
  return value;
}
