/* gst-tfrc tests: DTLS of a build without GnuTLS
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>
#include <string.h>

#include "transport/dtlsidentity.h"
#include "transport/endport.h"
#include "transport/tfrcbinport.h"

/* What the build without GnuTLS has is compiled into this program. A function that the elements call and that is missing
 * here comes from the archive, with all others a second time: the program is not linked. */
#include "transport/dtlsabsent.c"

/* What calls the functions of DTLS. */
static void (*const callers[]) (void) = {
  G_CALLBACK (gst_tfrc_bin_port_open), G_CALLBACK (gst_tfrc_bin_port_add),
  G_CALLBACK (gst_tfrc_end_port_open), G_CALLBACK (gst_tfrc_peer_new),
  G_CALLBACK (gst_tfrc_dtls_identity_open)
};

GST_START_TEST (a_build_without_gnutls_says_what_is_missing)
{
  gchar *error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (callers); i++)
    fail_unless (callers[i] != NULL);
  fail_unless (gst_tfrc_dtls_context_new (NULL, &error) == NULL);
  fail_unless (strstr (error, "libgnutls28-dev") != NULL, "%s", error);
  fail_if (GST_CLOCK_TIME_IS_VALID (gst_tfrc_dtls_session_get_rtt (NULL)));
  g_free (error);
}

GST_END_TEST;

static Suite *
dtlsabsent_suite (void)
{
  Suite *suite = suite_create ("dtlsabsent");
  TCase *tcase = tcase_create ("general");

  suite_add_tcase (suite, tcase);
  tcase_add_test (tcase, a_build_without_gnutls_says_what_is_missing);
  return suite;
}

GST_CHECK_MAIN (dtlsabsent);
