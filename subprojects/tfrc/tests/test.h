/* libtfrc: the test harness, one program per source file
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   TEST (two_losses_within_one_rtt_are_one_event) { CHECK_NEAR (x, 2.0, 1e-9); }
 *
 * Include it once per program: it brings main(). TAP on stdout; arguments pick
 * tests by name; with TFRC_TEST_FAIL_FAST set the first failure ends the run. */
#ifndef TFRC_TEST_H
#define TFRC_TEST_H

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct _Test
{
  const char *name;
  void (*run) (void);
  struct _Test *next;
} Test;

static Test *test_first, **test_last = &test_first;
static jmp_buf test_failed;
static char test_note[256];     /* where in a loop we are; printed with a failure */

#define TEST(NAME)                                                              \
  static void NAME (void);                                                      \
  static Test test_##NAME = { #NAME, NAME, NULL };                              \
  __attribute__ ((constructor)) static void test_add_##NAME (void)              \
  { *test_last = &test_##NAME; test_last = &test_##NAME.next; }                 \
  static void NAME (void)

#define N_OF(ARRAY) (sizeof (ARRAY) / sizeof ((ARRAY)[0]))

/* NOTE ("case %u", i) within a loop */
#define NOTE(...) ((void) snprintf (test_note, sizeof test_note, __VA_ARGS__))

__attribute__ ((noreturn, unused, format (printf, 3, 4))) static void
test_fail (const char *file, int line, const char *format, ...)
{
  va_list args;

  printf ("# %s:%d: ", file, line);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  printf ("%s%s\n", test_note[0] ? "; at " : "", test_note);
  longjmp (test_failed, 1);
}

#define FAIL(...) test_fail (__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(COND) ((COND) ? (void) 0 : FAIL ("not true: %s", #COND))

/* Within `tol` of `want`, on both sides; no NaN passes. */
#define CHECK_NEAR(GOT, WANT, TOL) do {                                         \
    double got_ = (double) (GOT), want_ = (double) (WANT), tol_ = (double) (TOL); \
    if (!(got_ == want_ || fabs (got_ - want_) <= tol_))                        \
      FAIL ("%s = %.17g, want %.17g +- %.3g", #GOT, got_, want_, tol_);         \
  } while (0)
/* The same with a tolerance relative to `want`. */
#define CHECK_REL(GOT, WANT, REL) CHECK_NEAR (GOT, WANT, fabs ((double) (WANT)) * (REL))
#define CHECK_BETWEEN(GOT, LOW, HIGH) do {                                      \
    double got_ = (double) (GOT), low_ = (double) (LOW), high_ = (double) (HIGH); \
    if (!(got_ >= low_ && got_ <= high_))                                       \
      FAIL ("%s = %.17g, want %.17g to %.17g", #GOT, got_, low_, high_);        \
  } while (0)
#define CHECK_INT(GOT, WANT) do {                                               \
    int64_t got_ = (int64_t) (GOT), want_ = (int64_t) (WANT);                   \
    if (got_ != want_)                                                          \
      FAIL ("%s = %" PRId64 ", want %" PRId64, #GOT, got_, want_);              \
  } while (0)
#define CHECK_STR(GOT, WANT) do {                                               \
    const char *got_ = (GOT), *want_ = (WANT);                                  \
    if (got_ == NULL || strcmp (got_, want_) != 0)                              \
      FAIL ("%s = \"%s\", want \"%s\"", #GOT, got_ ? got_ : "(null)", want_);   \
  } while (0)

static bool
test_is_wanted (const Test * test, int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (strstr (test->name, argv[i]))
      return true;
  return argc < 2;
}

int
main (int argc, char **argv)
{
  volatile unsigned n = 0, failed = 0;

  setvbuf (stdout, NULL, _IOLBF, 0);
  for (Test * volatile test = test_first; test; test = test->next) {
    if (!test_is_wanted (test, argc, argv))
      continue;
    n++;
    test_note[0] = '\0';
    if (setjmp (test_failed) == 0) {
      test->run ();
      printf ("ok %u - %s\n", n, test->name);
      continue;
    }
    printf ("not ok %u - %s\n", n, test->name);
    failed++;
    if (getenv ("TFRC_TEST_FAIL_FAST"))
      break;
  }
  printf ("1..%u\n", n);
  return failed > 0 || n == 0;
}

#endif
