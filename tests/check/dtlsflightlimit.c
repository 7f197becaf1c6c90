/* gst-tfrc tests: which records of DTLS leave, and which belong to a flight too many
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "transport/dtlsflightlimit.h"

#define MS GST_MSECOND
#define RECORD_SIZE 60
#define HANDSHAKE 22
#define APPLICATION_DATA 23

static GstTfrcDtlsFlightLimit flight;

/* One call of GnuTLS at `now`, in which it sends this record first. */
static gboolean
leaves (const guint8 * record, gsize size, GstClockTime now)
{
  gst_tfrc_dtls_flight_limit_call (&flight, now);
  return gst_tfrc_dtls_flight_limit_may_leave (&flight, record, size);
}

GST_START_TEST (a_flight_leaves_again_after_100_ms)
{
  static const guint8 first[RECORD_SIZE] = { HANDSHAKE };
  static const guint8 next[RECORD_SIZE] = { HANDSHAKE,[18] = 1 };

  gst_tfrc_dtls_flight_limit_init (&flight);
  fail_unless (leaves (first, sizeof first, 0));
  fail_unless (gst_tfrc_dtls_flight_limit_may_leave (&flight, next,
          sizeof next));
  fail_unless (flight.advanced);
  /* all records of the flight are too many */
  fail_if (leaves (first, sizeof first, 99 * MS));
  fail_if (gst_tfrc_dtls_flight_limit_may_leave (&flight, next, sizeof next));
  fail_if (flight.advanced);
  fail_unless (leaves (first, sizeof first, 100 * MS));
  fail_unless (gst_tfrc_dtls_flight_limit_may_leave (&flight, next,
          sizeof next));
  fail_if (flight.advanced);
  fail_if (leaves (first, sizeof first, 199 * MS));
  /* its retransmission is due */
  gst_tfrc_dtls_flight_limit_allow (&flight);
  fail_unless (leaves (first, sizeof first, 199 * MS));
}

GST_END_TEST;

/* RFC 6347 4.1, 4.2.2: a message has its number in bytes 17 and 18, and the offset of its fragment in bytes 19 to
 * 21. */
GST_START_TEST (a_record_that_differs_begins_another_flight)
{
  static const guint offsets[] = { 17, 18, 19, 20, 21 };
  guint8 record[RECORD_SIZE] = { HANDSHAKE };
  guint i, k;

  for (i = 0; i < G_N_ELEMENTS (offsets); i++)
    for (k = 0; k < 8; k++) {
      gst_tfrc_dtls_flight_limit_init (&flight);
      record[offsets[i]] = 0;
      fail_unless (leaves (record, sizeof record, 0));
      record[offsets[i]] = 1 << k;
      fail_unless (leaves (record, sizeof record, MS), "byte %u, bit %u",
          offsets[i], k);
      fail_unless (flight.advanced);
      fail_if (leaves (record, sizeof record, 2 * MS));
      record[offsets[i]] = 0;
    }
}

GST_END_TEST;

/* What cannot be read, because it is encrypted or too short, is known by its content type alone. */
GST_START_TEST (a_record_that_cannot_be_read_is_known_by_its_type)
{
  static const guint8 epochs[][2] = { {0, 1}, {1, 0}, {1, 1} };
  guint8 record[RECORD_SIZE] = { HANDSHAKE };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (epochs); i++) {
    record[3] = epochs[i][0];
    record[4] = epochs[i][1];
    gst_tfrc_dtls_flight_limit_init (&flight);
    record[18] = 1;
    fail_unless (leaves (record, sizeof record, 0));
    record[18] = 2;
    fail_if (leaves (record, sizeof record, MS));
  }
  record[3] = record[4] = 0;
  gst_tfrc_dtls_flight_limit_init (&flight);
  record[18] = 1;
  fail_unless (leaves (record, 24, 0));
  record[18] = 2;
  fail_if (leaves (record, 24, MS));
  fail_unless (leaves (record, 25, MS));
  record[0] = APPLICATION_DATA;
  fail_unless (leaves (record, sizeof record, MS));
  record[18] = 3;
  fail_if (leaves (record, sizeof record, MS));
}

GST_END_TEST;

static Suite *
dtlsflightlimit_suite (void)
{
  Suite *suite = suite_create ("dtlsflightlimit");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_flight_leaves_again_after_100_ms);
  tcase_add_test (tcase, a_record_that_differs_begins_another_flight);
  tcase_add_test (tcase, a_record_that_cannot_be_read_is_known_by_its_type);
  return suite;
}

GST_CHECK_MAIN (dtlsflightlimit);
