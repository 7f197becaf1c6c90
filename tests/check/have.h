/* gst-tfrc tests: what a test needs of other plugins
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef HAVE_H
#define HAVE_H

#include <gst/check/gstcheck.h>
#include <sys/mman.h>

/* Shared by the processes of the tests and the one that starts them: whether one of
 * them missed an element. */
static gboolean *have_missed;

/* FALSE, and a line that says so, when no plugin here has `factory`; the program is
 * skipped then, unless a test fails. */
static inline gboolean
have (const gchar * factory)
{
  GstElementFactory *f = gst_element_factory_find (factory);

  if (f == NULL) {
    g_print ("SKIP no %s\n", factory);
    *have_missed = TRUE;
    return FALSE;
  }
  gst_object_unref (f);
  return TRUE;
}

/* GST_CHECK_MAIN for programs that call have (). Meson takes the exit status 77 for a
 * skip. */
#define HAVE_CHECK_MAIN(name)                                           \
int                                                                     \
main (int argc, char **argv)                                            \
{                                                                       \
  gst_check_init (&argc, &argv);                                        \
  have_missed = mmap (NULL, sizeof (*have_missed), PROT_READ | PROT_WRITE, \
      MAP_SHARED | MAP_ANONYMOUS, -1, 0);                               \
  g_assert (have_missed != MAP_FAILED);                                 \
  if (gst_check_run_suite (name##_suite (), #name, __FILE__) != 0)      \
    return 1;                                                           \
  return *have_missed ? 77 : 0;                                         \
}

#endif
