/* libtfrc: tests of what the sender remembers of its packets
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test.h"

#include "sender/send-history.h"

#define SIZE 64
#define MS(T) ((TfrcTime) (T) * TFRC_MSEC)

typedef struct
{
  TfrcSendHistory history;
  TfrcSent ring[SIZE];
  uint32_t t_i[4096];
  unsigned n;
} Sent;

static Sent
make_sent (uint64_t seed)
{
  Sent sent = { .n = 0 };

  tfrc_send_history_init (&sent.history, SIZE, seed);
  return sent;
}

static void
add (Sent * sent, uint32_t size, TfrcTime now)
{
  sent->t_i[sent->n++] =
      tfrc_send_history_add (&sent->history, sent->ring, size, 100000, now);
}

static bool
find (const Sent * sent, uint32_t t_i, uint64_t * packet)
{
  return tfrc_send_history_find (&sent->history, sent->ring, t_i, packet);
}

static double
get_max_rate (const Sent * sent, uint64_t packet, TfrcTime window,
    TfrcTime reach)
{
  return tfrc_send_history_get_max_rate (&sent->history, sent->ring, packet,
      window, reach, 1e18);
}

TEST (timestamps_have_the_unit_of_a_microsecond_and_a_seeded_origin)
{
  Sent one = make_sent (1), two = make_sent (2), again = make_sent (1);

  for (unsigned i = 0; i < 3; i++) {
    add (&one, 100, 1000 * i + 999);
    add (&two, 100, 1000 * i + 999);
    add (&again, 100, 1000 * i + 999);
  }
  CHECK_INT (one.t_i[1] - one.t_i[0], 1);
  CHECK_INT (one.t_i[2] - one.t_i[0], 2);
  CHECK (one.t_i[0] != two.t_i[0]);
  CHECK_INT (one.t_i[0], again.t_i[0]);
}

TEST (an_empty_history_finds_nothing)
{
  Sent sent = make_sent (1);
  uint64_t packet;

  CHECK (!find (&sent, 0, &packet));
  CHECK (!find (&sent, sent.history.origin, &packet));
}

TEST (each_packet_in_the_ring_is_found_and_no_other)
{
  Sent sent = make_sent (3);
  uint64_t packet;

  for (unsigned i = 0; i < 1000; i++) {
    add (&sent, 100, MS (20) * i + 1234567 + i % 7);
    NOTE ("after packet %u", i);
    for (unsigned j = 0; j <= i; j++) {
      bool kept = i - j < SIZE;

      CHECK (find (&sent, sent.t_i[j], &packet) == kept);
      if (kept)
        CHECK_INT (packet, j);
      CHECK (!find (&sent, sent.t_i[j] + 1, &packet));
      CHECK (!find (&sent, sent.t_i[j] - 1, &packet));
    }
  }
}

TEST (the_send_time_is_exact)
{
  Sent sent = make_sent (3);
  uint64_t packet;

  add (&sent, 100, 123456789);
  CHECK (find (&sent, sent.t_i[0], &packet));
  CHECK_INT (tfrc_send_history_get (&sent.history, sent.ring, packet)->at,
      123456789);
}

TEST (of_packets_in_the_same_microsecond_the_last_is_found)
{
  Sent sent = make_sent (3);
  uint64_t packet;

  add (&sent, 100, 5000);
  add (&sent, 100, 5001);
  add (&sent, 100, 5999);
  add (&sent, 100, 6000);
  CHECK (find (&sent, sent.t_i[0], &packet));
  CHECK_INT (packet, 2);
}

/* 2^32 us are 4294.967296 s. */
TEST (timestamps_wrap_and_are_found_across_it)
{
  const TfrcTime wrap = (TfrcTime) UINT32_MAX * TFRC_USEC + TFRC_USEC;
  uint64_t packet;

  for (unsigned round = 1; round < 4; round++) {
    Sent sent = make_sent (round);
    TfrcTime zero = round * wrap - (TfrcTime) sent.history.origin * TFRC_USEC;

    for (unsigned i = 0; i < 20; i++)
      add (&sent, 100, zero - MS (100) + MS (10) * i);
    CHECK (sent.t_i[9] > 0xFFFF0000u && sent.t_i[10] == 0);
    for (unsigned i = 0; i < 20; i++) {
      NOTE ("round %u, packet %u", round, i);
      CHECK (find (&sent, sent.t_i[i], &packet));
      CHECK_INT (packet, i);
    }
  }
}

TEST (a_timestamp_older_than_time_itself_is_not_found)
{
  Sent sent = make_sent (1);
  uint64_t packet;

  add (&sent, 100, MS (1));
  CHECK (!find (&sent, sent.t_i[0] - 1001, &packet));
  CHECK (!find (&sent, sent.t_i[0] - 1000, &packet));
}

TEST (the_rate_sent_is_that_of_the_busiest_window)
{
  Sent sent = make_sent (1);

  /* 160 bytes each 20 ms: five in any 100 ms. */
  for (unsigned i = 0; i < 40; i++)
    add (&sent, 160, MS (1000) + MS (20) * i);
  CHECK_REL (get_max_rate (&sent, 39, MS (100), MS (200)), 8000, 1e-12);
  /* A burst of ten within it, 100 ms before the end. */
  sent = make_sent (1);
  for (unsigned i = 0; i < 20; i++)
    add (&sent, 160, MS (1000) + MS (20) * i);
  for (unsigned i = 0; i < 10; i++)
    add (&sent, 160, MS (1381));
  for (unsigned i = 0; i < 6; i++)
    add (&sent, 160, MS (1400) + MS (20) * i);
  CHECK_REL (get_max_rate (&sent, 35, MS (100), MS (200)), 8000 + 16000, 1e-12);
  /* out of reach */
  CHECK_REL (get_max_rate (&sent, 35, MS (100), MS (100)), 8000, 1e-12);
}

TEST (one_packet_in_the_window_is_one_packet_per_window)
{
  Sent sent = make_sent (1);

  add (&sent, 160, MS (1000));
  CHECK_REL (get_max_rate (&sent, 0, MS (100), MS (200)), 1600, 1e-12);
  add (&sent, 160, MS (6000));
  CHECK_REL (get_max_rate (&sent, 1, MS (100), MS (200)), 1600, 1e-12);
}

TEST (the_search_for_the_rate_stops_when_it_is_enough)
{
  Sent sent = make_sent (1);

  for (unsigned i = 0; i < 40; i++)
    add (&sent, 160, MS (1000) + MS (20) * i);
  CHECK (tfrc_send_history_get_max_rate (&sent.history, sent.ring, 39, MS (100),
          MS (200), 7000) >= 7000);
}

TEST (sent_bytes_may_wrap)
{
  Sent sent = make_sent (1);

  sent.history.bytes = UINT32_MAX - 1000;
  for (unsigned i = 0; i < 40; i++)
    add (&sent, 160, MS (1000) + MS (20) * i);
  CHECK_REL (get_max_rate (&sent, 39, MS (100), MS (200)), 8000, 1e-12);
}

TEST (the_rate_stays_right_when_the_ring_has_turned)
{
  Sent sent = make_sent (1);

  for (unsigned i = 0; i < 10 * SIZE; i++)
    add (&sent, 100, MS (1) * i);
  CHECK_REL (get_max_rate (&sent, 10 * SIZE - 1, MS (10), MS (20)), 100000,
      1e-12);
  /* longer than the ring remembers: never more than what is known */
  CHECK_BETWEEN (get_max_rate (&sent, 10 * SIZE - 1, MS (100), MS (200)), 60000,
      64000);
}
