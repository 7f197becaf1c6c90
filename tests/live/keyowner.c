/* gst-tfrc tests: whoever deletes a key of thread-local memory that somebody else has made is named
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * For LD_PRELOAD. interrupt.py looks for what it prints. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef void (*Destructor) (void *value);
typedef int (*Create) (pthread_key_t * key, Destructor destructor);
typedef int (*Delete) (pthread_key_t key);

static const char *makers[PTHREAD_KEYS_MAX];

static const char *
find_library (void *address)
{
  Dl_info info;

  return dladdr (address, &info) != 0 ? info.dli_fname : "?";
}

int
pthread_key_create (pthread_key_t * key, Destructor destructor)
{
  Create create = dlsym (RTLD_NEXT, "pthread_key_create");
  int result = create (key, destructor);

  if (result == 0)
    makers[*key] = find_library (__builtin_return_address (0));
  return result;
}

int
pthread_key_delete (pthread_key_t key)
{
  Delete delete = dlsym (RTLD_NEXT, "pthread_key_delete");
  const char *library = find_library (__builtin_return_address (0));

  if (key >= PTHREAD_KEYS_MAX || makers[key] == NULL
      || strcmp (makers[key], library) != 0)
    fprintf (stderr, "WRONG KEY %u is deleted by %s\n", key, library);
  return delete (key);
}
