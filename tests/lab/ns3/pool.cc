/* lab-ns3: memory
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * For each packet ns-3 takes and returns some hundred small blocks. The program has one thread,
 * where lists of free blocks by size need a few instructions; with malloc() it was a seventh of
 * a run. Nothing goes back to the system. */
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#include <sys/mman.h>

namespace {

/* A block is its class and then what is asked for, which so falls on multiples of UNIT. */
constexpr size_t UNIT = 16, HEAD = sizeof (uint64_t), LARGEST = 1024, CHUNK = 2 << 20;

struct Free {
  Free *next;
};

Free *lists[LARGEST / UNIT + 1];
char *chunk, *chunk_end;

void *
carve (size_t units)
{
  const size_t size = units * UNIT;
  if (size_t (chunk_end - chunk) < size) {
    chunk = static_cast<char *> (std::aligned_alloc (CHUNK, CHUNK));
    if (!chunk)
      throw std::bad_alloc ();
    madvise (chunk, CHUNK, MADV_HUGEPAGE);
    chunk_end = chunk + CHUNK;
    chunk += UNIT - HEAD;
  }
  char *const block = chunk;
  chunk += size;
  *reinterpret_cast<uint64_t *> (block) = units;
  return block + HEAD;
}

void *
take_large (size_t size)
{
  char *const block = static_cast<char *> (std::malloc (size + UNIT));
  if (!block)
    throw std::bad_alloc ();
  *reinterpret_cast<uint64_t *> (block + UNIT - HEAD) = 0;
  return block + UNIT;
}

}  // namespace

void *
operator new (size_t size)
{
  const size_t units = (size + HEAD + UNIT - 1) / UNIT;
  if (__builtin_expect (units > LARGEST / UNIT, 0))
    return take_large (size);
  Free *const block = lists[units];
  if (!block)
    return carve (units);
  lists[units] = block->next;
  return block;
}

void
operator delete (void *block) noexcept
{
  if (!block)
    return;
  const uint64_t units = *reinterpret_cast<uint64_t *> (static_cast<char *> (block) - HEAD);
  if (units == 0) {
    std::free (static_cast<char *> (block) - UNIT);
    return;
  }
  Free *const freed = static_cast<Free *> (block);
  freed->next = lists[units];
  lists[units] = freed;
}

void
operator delete (void *block, size_t) noexcept
{
  operator delete (block);
}
