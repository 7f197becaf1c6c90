/* gst-tfrc tests: which datagrams are RTP, RTCP or STUN
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "transport/datagramkind.h"

/* RFC 5761 4: second bytes of 192 to 223 are RTCP, all others are RTP. */
GST_START_TEST (every_second_byte_is_of_the_kind_that_rfc_5761_says)
{
  guint8 data[12] = { 0x80, };
  guint i;

  for (i = 0; i < 256; i++) {
    data[1] = i;
    fail_unless_equals_int (gst_tfrc_datagram_find_kind (data, sizeof data),
        i >= 192 && i <= 223 ? GST_TFRC_DATAGRAM_RTCP : GST_TFRC_DATAGRAM_RTP);
  }
}

GST_END_TEST;

GST_START_TEST (what_is_neither_is_told)
{
  static const struct
  {
    guint8 first, second;
    gsize size, least;          /* bytes; of which it is one of the kinds */
  } cases[] = {
    {0x80, 96, 12, 12}, {0x8f, 96, 72, 72}, {0x90, 96, 16, 16},
    {0x91, 96, 20, 20}, {0x80, 200, 8, 8}, {0xa0, 96, 12, 12}
  };
  guint8 data[80];
  guint i;

  for (i = 0; i < G_N_ELEMENTS (cases); i++) {
    gsize size;

    memset (data, 0, sizeof data);
    data[0] = cases[i].first;
    data[1] = cases[i].second;
    for (size = 0; size < cases[i].least; size++)
      fail_unless_equals_int (gst_tfrc_datagram_find_kind (data, size),
          GST_TFRC_DATAGRAM_NEITHER);
    fail_if (gst_tfrc_datagram_find_kind (data, cases[i].size) ==
        GST_TFRC_DATAGRAM_NEITHER);
    data[0] ^= 0x40;
    fail_unless_equals_int (gst_tfrc_datagram_find_kind (data, cases[i].size),
        GST_TFRC_DATAGRAM_NEITHER);
  }
}

GST_END_TEST;

/* The words of a header extension count, too. */
GST_START_TEST (an_extension_has_to_fit)
{
  guint8 data[40] = { 0x90, 96, };

  GST_WRITE_UINT16_BE (data + 14, 6);
  fail_unless_equals_int (gst_tfrc_datagram_find_kind (data, 40),
      GST_TFRC_DATAGRAM_RTP);
  GST_WRITE_UINT16_BE (data + 14, 7);
  fail_unless_equals_int (gst_tfrc_datagram_find_kind (data, 40),
      GST_TFRC_DATAGRAM_NEITHER);
}

GST_END_TEST;

/* RFC 7983 7: first bytes of 0 to 3. RFC 8489 6.3: the cookie, and a length that fits. */
GST_START_TEST (stun_is_known_by_its_first_byte_cookie_and_length)
{
  guint8 data[28] = { 0, 1, 0, 8, 0x21, 0x12, 0xA4, 0x42 };
  guint i;

  for (i = 0; i < 256; i++) {
    data[0] = i;
    fail_unless_equals_int (gst_tfrc_datagram_is_stun (data, sizeof data),
        i <= 3);
  }
  data[0] = 0;
  for (i = 0; i < sizeof data; i++)
    fail_if (gst_tfrc_datagram_is_stun (data, i));
  for (i = 4; i < 8; i++) {
    data[i] ^= 1;
    fail_if (gst_tfrc_datagram_is_stun (data, sizeof data));
    data[i] ^= 1;
  }
  data[3] = 7;
  fail_if (gst_tfrc_datagram_is_stun (data, 27));
  data[3] = 0;
  fail_unless (gst_tfrc_datagram_is_stun (data, 20));
}

GST_END_TEST;

static Suite *
datagramkind_suite (void)
{
  Suite *suite = suite_create ("datagramkind");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, every_second_byte_is_of_the_kind_that_rfc_5761_says);
  tcase_add_test (tcase, what_is_neither_is_told);
  tcase_add_test (tcase, an_extension_has_to_fit);
  tcase_add_test (tcase, stun_is_known_by_its_first_byte_cookie_and_length);
  return suite;
}

GST_CHECK_MAIN (datagramkind);
