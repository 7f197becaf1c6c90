/* gst-tfrc tests: the room base: RTP header and header extension, enumerations, the followed SSRC, property fields
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <gst/rtp/rtp.h>
#include <string.h>

#include "base/remoteliveness.h"
#include "base/enums.h"
#include "base/followedssrc.h"
#include "base/propertyfield.h"
#include "base/rtpheader.h"
#include "base/twccseqnum.h"
#include "leaks.h"

/* --- RTP header --- */

#define PACKET 400

/* A packet in memories of these sizes, up to a 0, and the rest. */
static GstBuffer *
make_packet (const gsize sizes[3])
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize at = 0;

  for (guint i = 0; at < PACKET; i++) {
    gsize size = i < 3 && sizes[i] > 0 ? sizes[i] : PACKET - at;
    guint8 *data = g_malloc (size);

    for (gsize k = 0; k < size; k++)
      data[k] = (at + k) & 0xff;
    gst_buffer_append (buffer, gst_buffer_new_wrapped (data, size));
    at += size;
  }
  return buffer;
}

GST_START_TEST (the_head_of_a_packet_is_read_where_it_lies)
{
  static const struct
  {
    gsize sizes[3];
    gboolean copied;
    gsize size;
  } packets[] = {
    {{0}, FALSE, PACKET},
    {{GST_TFRC_RTP_HEADER_SIZE}, FALSE, GST_TFRC_RTP_HEADER_SIZE},
    {{GST_TFRC_RTP_HEADER_SIZE - 1}, TRUE, GST_TFRC_RTP_HEADER_SIZE},
    {{12, 8, 4}, TRUE, GST_TFRC_RTP_HEADER_SIZE},
  };
  GstBuffer *buffer = make_packet (packets[__i__].sizes);
  GstTfrcRtpHeader head;
  GstMapInfo map;

  gst_tfrc_rtp_header_map (&head, buffer);
  fail_unless_equals_int (head.data == head.copy, packets[__i__].copied);
  fail_unless_equals_int (head.size, packets[__i__].size);
  for (gsize i = 0; i < head.size; i++)
    fail_unless_equals_int (head.data[i], i & 0xff);
  gst_tfrc_rtp_header_unmap (&head);
  /* Only a memory that nobody reads can be written to. */
  fail_unless (gst_memory_map (gst_buffer_peek_memory (buffer, 0), &map,
          GST_MAP_WRITE));
  gst_memory_unmap (gst_buffer_peek_memory (buffer, 0), &map);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

GST_START_TEST (an_empty_packet_has_no_head)
{
  GstBuffer *buffer = gst_buffer_new ();
  GstTfrcRtpHeader head;

  gst_tfrc_rtp_header_map (&head, buffer);
  fail_unless_equals_int (head.size, 0);
  gst_tfrc_rtp_header_unmap (&head);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

/* --- enumerations --- */

GST_START_TEST (values_have_nicks)
{
  static const gchar *const measures[] = {
    "rfc", "unbias-packet", "unbias-byte", "virtual-packet", "virtual-byte",
    "sample-packet",
    "sample-byte", "lip-scale", "gradual"
  };

  fail_unless_equals_string (gst_tfrc_mode_get_nick (TFRC_MODE_TFRC), "tfrc");
  fail_unless_equals_string (gst_tfrc_mode_get_nick (TFRC_MODE_TFRC_SP),
      "tfrc-sp");
  fail_unless_equals_string (gst_tfrc_mode_get_nick ((TfrcMode) 77), "unknown");
  for (guint i = 0; i < G_N_ELEMENTS (measures); i++)
    fail_unless_equals_string (gst_tfrc_measure_get_nick ((TfrcMeasure) i),
        measures[i]);
}

GST_END_TEST;

/* --- the followed SSRC --- */

#define HALF_A_SECOND (500 * GST_MSECOND)

GST_START_TEST (another_ssrc_is_followed_after_half_a_second)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  fail_if (gst_tfrc_followed_ssrc_is (&followed, 0));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 1000),
      GST_TFRC_SSRC_FIRST);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 2000),
      GST_TFRC_SSRC_SAME);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          1999 + HALF_A_SECOND), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2000 + HALF_A_SECOND), GST_TFRC_SSRC_CHANGED);
  fail_unless (gst_tfrc_followed_ssrc_is (&followed, 2));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1,
          2002 + HALF_A_SECOND), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_uint64 (followed.changes, 1);
  fail_unless_equals_uint64 (followed.others, 2);
}

GST_END_TEST;

GST_START_TEST (packets_that_cannot_be_used_are_no_silence)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  gst_tfrc_followed_ssrc_check (&followed, 1, 0);
  gst_tfrc_followed_ssrc_hear (&followed, 1, HALF_A_SECOND);
  gst_tfrc_followed_ssrc_hear (&followed, 2, 2 * HALF_A_SECOND);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2 * HALF_A_SECOND - 1), GST_TFRC_SSRC_OTHER);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          2 * HALF_A_SECOND), GST_TFRC_SSRC_CHANGED);
}

GST_END_TEST;

GST_START_TEST (a_connection_is_lost_after_five_seconds_and_regained)
{
  GstTfrcRemoteLiveness connection;
  const guint64 t = 100 * GST_SECOND;
  GstStructure *structure;

  gst_tfrc_remote_liveness_init (&connection, t);
  fail_unless_equals_uint64 (gst_tfrc_remote_liveness_next_time (&connection),
      GST_CLOCK_TIME_NONE);
  fail_unless (gst_tfrc_remote_liveness_on_time (&connection,
          t + 90 * GST_SECOND) == NULL);
  fail_unless_equals_string (gst_tfrc_remote_liveness_on_heard (&connection,
          t + GST_SECOND), "connected");
  fail_unless_equals_uint64 (connection.silence, GST_SECOND);
  fail_unless (gst_tfrc_remote_liveness_on_heard (&connection,
          t + 2 * GST_SECOND) == NULL);
  fail_unless_equals_uint64 (gst_tfrc_remote_liveness_next_time (&connection),
      t + 7 * GST_SECOND);
  fail_unless (gst_tfrc_remote_liveness_on_time (&connection,
          t + 7 * GST_SECOND - 1) == NULL);
  fail_unless_equals_string (gst_tfrc_remote_liveness_on_time (&connection,
          t + 7 * GST_SECOND), "lost");
  fail_unless (gst_tfrc_remote_liveness_on_time (&connection,
          t + 9 * GST_SECOND) == NULL);
  fail_unless_equals_string (gst_tfrc_remote_liveness_on_heard (&connection,
          t + 12 * GST_SECOND), "regained");
  fail_unless_equals_uint64 (connection.silence, 10 * GST_SECOND);
  structure = gst_tfrc_remote_liveness_make_structure (&connection, "regained");
  fail_unless (gst_structure_has_name (structure,
          "application/x-tfrc-connection"));
  fail_unless_equals_string (gst_structure_get_string (structure, "state"),
      "regained");
  fail_unless_equals_string (gst_structure_get_name (structure),
      GST_TFRC_CONNECTION_MESSAGE);
  gst_structure_free (structure);
}

GST_END_TEST;

GST_START_TEST (a_connection_that_said_bye_is_connected_anew)
{
  GstTfrcRemoteLiveness connection;

  gst_tfrc_remote_liveness_init (&connection, 0);
  fail_unless_equals_string (gst_tfrc_remote_liveness_on_gone (&connection,
          1), "gone");
  fail_unless (gst_tfrc_remote_liveness_on_gone (&connection, 2) == NULL);
  fail_unless (gst_tfrc_remote_liveness_on_time (&connection,
          60 * GST_SECOND) == NULL);
  fail_unless_equals_string (gst_tfrc_remote_liveness_on_heard (&connection,
          3), "connected");
  fail_unless_equals_int (connection.state, GST_TFRC_REMOTE_LIVENESS_CONNECTED);
}

GST_END_TEST;

GST_START_TEST (without_times_no_ssrc_is_silent)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  gst_tfrc_followed_ssrc_check (&followed, 1, GST_CLOCK_TIME_NONE);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          GST_SECOND), GST_TFRC_SSRC_OTHER);
  gst_tfrc_followed_ssrc_check (&followed, 1, GST_SECOND);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2,
          GST_CLOCK_TIME_NONE), GST_TFRC_SSRC_OTHER);
}

GST_END_TEST;

GST_START_TEST (an_ssrc_that_said_bye_gives_way_at_once)
{
  GstTfrcFollowedSsrc followed = { FALSE };

  fail_if (gst_tfrc_followed_ssrc_bye (&followed, 0));
  gst_tfrc_followed_ssrc_check (&followed, 1, 0);
  fail_if (gst_tfrc_followed_ssrc_bye (&followed, 2));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 1),
      GST_TFRC_SSRC_OTHER);
  fail_unless (gst_tfrc_followed_ssrc_bye (&followed, 1));
  /* a BYE that a packet follows was forged, or arrived before the packet */
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 1, 2),
      GST_TFRC_SSRC_SAME);
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 3),
      GST_TFRC_SSRC_OTHER);
  fail_unless (gst_tfrc_followed_ssrc_bye (&followed, 1));
  fail_unless_equals_int (gst_tfrc_followed_ssrc_check (&followed, 2, 4),
      GST_TFRC_SSRC_CHANGED);
  fail_if (followed.left);
}

GST_END_TEST;

/* --- property fields --- */

typedef struct
{
  gboolean flag;
  gint mode;
  guint number;
  guint64 time;
  gchar *name;
  GstCaps *caps;
  GObject *object;
} Fields;

/* Sets the field at `offset`, and checks that the same value is read from there. */
static void
check_field (Fields * fields, gsize offset, GType type, const GValue * value)
{
  GValue read = G_VALUE_INIT;

  gst_tfrc_property_field_set (fields, offset, value);
  g_value_init (&read, type);
  gst_tfrc_property_field_get (fields, offset, &read);
  fail_unless_equals_int (gst_value_compare (&read, value), GST_VALUE_EQUAL);
  g_value_unset (&read);
}

#define CHECK_FIELD(fields, field, type, set, what) G_STMT_START { \
  GValue value = G_VALUE_INIT; \
  g_value_init (&value, type); \
  set (&value, what); \
  check_field (fields, G_STRUCT_OFFSET (Fields, field), type, &value); \
  g_value_unset (&value); \
} G_STMT_END

static void
set_fields (Fields * fields, guint n, const gchar * name, GstCaps * caps,
    GObject * object)
{
  CHECK_FIELD (fields, flag, G_TYPE_BOOLEAN, g_value_set_boolean, n % 2);
  CHECK_FIELD (fields, mode, GST_TYPE_TFRC_MODE, g_value_set_enum, n % 2);
  CHECK_FIELD (fields, number, G_TYPE_UINT, g_value_set_uint, n);
  CHECK_FIELD (fields, time, G_TYPE_UINT64, g_value_set_uint64, n * GST_SECOND);
  CHECK_FIELD (fields, name, G_TYPE_STRING, g_value_set_string, name);
  CHECK_FIELD (fields, caps, GST_TYPE_CAPS, gst_value_set_caps, caps);
  CHECK_FIELD (fields, object, G_TYPE_OBJECT, g_value_set_object, object);
}

GST_START_TEST (a_field_owns_the_last_value_of_its_property)
{
  Fields fields = { FALSE };
  GstCaps *caps = gst_caps_new_any ();
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);

  set_fields (&fields, 3, "first", caps, object);
  fail_unless (fields.flag && fields.mode == 1 && fields.number == 3);
  fail_unless_equals_uint64 (fields.time, 3 * GST_SECOND);
  fail_unless_equals_string (fields.name, "first");
  fail_unless (fields.caps == caps && fields.object == object);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 2);
  ASSERT_OBJECT_REFCOUNT (object, "object", 2);
  set_fields (&fields, 4, NULL, NULL, NULL);
  fail_unless (!fields.flag && fields.name == NULL && fields.caps == NULL);
  ASSERT_CAPS_REFCOUNT (caps, "caps", 1);
  ASSERT_OBJECT_REFCOUNT (object, "object", 1);
  gst_caps_unref (caps);
  g_object_unref (object);
}

GST_END_TEST;

/* --- transport-wide sequence number --- */

static GstBuffer *
make_rtp (void)
{
  GstBuffer *buffer = gst_rtp_buffer_new_allocate (10, 0, 0);
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_WRITE, &rtp);
  gst_rtp_buffer_set_ssrc (&rtp, 0x12345678);
  gst_rtp_buffer_set_seq (&rtp, 500);
  gst_rtp_buffer_unmap (&rtp);
  return buffer;
}

static void
add_extension (GstBuffer * buffer, guint id, guint size)
{
  static const guint8 bytes[] = { 0xab, 0xcd, 0xef };
  GstRTPBuffer rtp = GST_RTP_BUFFER_INIT;

  gst_rtp_buffer_map (buffer, GST_MAP_READWRITE, &rtp);
  if (id < 15)
    gst_rtp_buffer_add_extension_onebyte_header (&rtp, id, bytes, size);
  else
    gst_rtp_buffer_add_extension_twobytes_header (&rtp, 0, id, bytes, size);
  gst_rtp_buffer_unmap (&rtp);
}

GST_START_TEST (a_transport_wide_number_has_two_bytes_in_either_form)
{
  static const guint ids[] = { 1, 14, 15, 200 };
  GstTfrcTwccSeqnum number;
  guint i, size;

  for (i = 0; i < G_N_ELEMENTS (ids); i++)
    for (size = 1; size <= 3; size++) {
      GstBuffer *buffer = make_rtp ();

      fail_if (gst_tfrc_twcc_seqnum_read (buffer, ids[i], &number));
      add_extension (buffer, ids[i], size);
      fail_unless (gst_tfrc_twcc_seqnum_read (buffer, ids[i],
              &number) == (size == 2));
      fail_if (gst_tfrc_twcc_seqnum_read (buffer, ids[i] + 1, &number));
      if (size == 2) {
        fail_unless (number.ssrc == 0x12345678);
        fail_unless_equals_int (number.seq, 500);
        fail_unless_equals_int (number.number, 0xabcd);
      }
      gst_buffer_unref (buffer);
    }
}

GST_END_TEST;

GST_START_TEST (room_for_a_transport_wide_number_is_made_once)
{
  static const guint ids[] = { 1, 14, 15, 200 };
  GstTfrcTwccSeqnum number;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (ids); i++) {
    GstBuffer *buffer = gst_tfrc_twcc_seqnum_reserve (make_rtp (), ids[i]);
    gsize size = gst_buffer_get_size (buffer);

    fail_unless (gst_tfrc_twcc_seqnum_read (buffer, ids[i], &number));
    fail_unless_equals_int (number.number, 0);
    fail_unless_equals_int (number.seq, 500);
    buffer = gst_tfrc_twcc_seqnum_reserve (buffer, ids[i]);
    fail_unless_equals_int (gst_buffer_get_size (buffer), size);
    gst_buffer_unref (buffer);
  }
}

GST_END_TEST;

GST_START_TEST (what_is_not_rtp_has_no_transport_wide_number)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, 5, NULL);
  GstTfrcTwccSeqnum number;

  gst_buffer_memset (buffer, 0, 0, 5);
  fail_if (gst_tfrc_twcc_seqnum_read (buffer, 1, &number));
  buffer = gst_tfrc_twcc_seqnum_reserve (buffer, 1);
  fail_unless_equals_int (gst_buffer_get_size (buffer), 5);
  gst_buffer_unref (buffer);
}

GST_END_TEST;

static Suite *
base_suite (void)
{
  Suite *suite = suite_create ("base");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_checked_fixture (tcase, leaks_begin, leaks_end);
  tcase_add_loop_test (tcase, the_head_of_a_packet_is_read_where_it_lies, 0, 4);
  tcase_add_test (tcase, an_empty_packet_has_no_head);
  tcase_add_test (tcase, a_transport_wide_number_has_two_bytes_in_either_form);
  tcase_add_test (tcase, room_for_a_transport_wide_number_is_made_once);
  tcase_add_test (tcase, what_is_not_rtp_has_no_transport_wide_number);
  tcase_add_test (tcase, values_have_nicks);
  tcase_add_test (tcase, a_field_owns_the_last_value_of_its_property);
  tcase_add_test (tcase, another_ssrc_is_followed_after_half_a_second);
  tcase_add_test (tcase, packets_that_cannot_be_used_are_no_silence);
  tcase_add_test (tcase, without_times_no_ssrc_is_silent);
  tcase_add_test (tcase, a_connection_is_lost_after_five_seconds_and_regained);
  tcase_add_test (tcase, a_connection_that_said_bye_is_connected_anew);
  tcase_add_test (tcase, an_ssrc_that_said_bye_gives_way_at_once);
  return suite;
}

GST_CHECK_MAIN (base);
