/* gst-tfrc: what the fuzzers of the plugin share
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A fuzzer reads its input byte by byte and does what each byte says. A law is what holds whatever comes
 * in: the fuzzer aborts where one is broken. */
#ifndef FUZZ_H
#define FUZZ_H

#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LAW(COND) do {                                                          \
    if (!(COND)) {                                                              \
      fprintf (stderr, "%s:%d: law broken: %s\n", __FILE__, __LINE__, #COND);   \
      abort ();                                                                 \
    }                                                                           \
  } while (0)

/* What is left of the input. */
typedef struct
{
  const guint8 *data;
  gsize size;
} Input;

/* What libFuzzer and the sanitizers call. */
int LLVMFuzzerInitialize (int *argc, char ***argv);
const char *__asan_default_options (void);
const char *__lsan_default_suppressions (void);
int LLVMFuzzerTestOneInput (const guint8 * data, gsize size);

/* GLib gives up a table that its constructor made, and has no frame pointers to find it by. */
const char *
__asan_default_options (void)
{
  return "fast_unwind_on_malloc=0";
}

const char *
__lsan_default_suppressions (void)
{
  return "leak:_dl_init\n";
}

/* Returns the next byte of the input, and 0 after its end. */
static inline guint8
take (Input * input)
{
  if (input->size == 0)
    return 0;
  input->size--;
  return *input->data++;
}

/* Copies as many of the next bytes as the next byte says, at most 255, and returns their number. */
static inline gsize
take_bytes (Input * input, guint8 * data)
{
  gsize size = take (input);

  size = MIN (size, input->size);
  memcpy (data, input->data, size);
  input->data += size;
  input->size -= size;
  return size;
}

#endif
