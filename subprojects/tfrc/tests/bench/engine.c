/* libtfrc: what the engine costs per packet
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * A flow runs over a path in virtual time and every call is written down; then
 * the calls of one end are played again, timed, with instructions counted where
 * the machine has a counter and allocations always. engine.py makes a table. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#define PACKETS 100000u         /* measured */
#define WARM_UP 2000u           /* packets before: history and slow start settle */
#define PATH 4096u              /* packets under way at most */

typedef enum
{ DEPARTURE, REPORT, SENDER_TIMER, ARRIVAL, MAKE, RECEIVER_TIMER } CallType;

typedef struct
{
  CallType type;
  TfrcTime now;
  TfrcPacket packet;            /* ARRIVAL; its size for DEPARTURE */
  TfrcReport report;
} Call;

typedef struct
{
  Call *calls;
  size_t n, warm;               /* calls, and how many of them are warm-up */
} Tape;

typedef struct
{
  const char *name;
  TfrcMode mode;
  uint32_t size;
  TfrcTime R, interval;         /* interval: the source's packet spacing, 0 backlogged */
  unsigned loss;                /* one packet in so many */
} Flow;

static const Flow flows[] = {
  {"voice, tfrc-sp, 160 B every 20 ms, R 100 ms, 1 % lost", TFRC_MODE_TFRC_SP,
        160,
      100 * TFRC_MSEC, 20 * TFRC_MSEC, 100},
  {"bulk, tfrc, 1200 B, R 50 ms, 1 % lost", TFRC_MODE_TFRC, 1200,
      50 * TFRC_MSEC, 0, 100},
};

static unsigned long allocations;
void *__real_malloc (size_t size);
void *__real_calloc (size_t n, size_t size);
void *__real_realloc (void *block, size_t size);
void *__wrap_malloc (size_t size);
void *__wrap_calloc (size_t n, size_t size);
void *__wrap_realloc (void *block, size_t size);

void *
__wrap_malloc (size_t size)
{
  allocations++;
  return __real_malloc (size);
}

void *
__wrap_calloc (size_t n, size_t size)
{
  allocations++;
  return __real_calloc (n, size);
}

void *
__wrap_realloc (void *block, size_t size)
{
  allocations++;
  return __real_realloc (block, size);
}

/* Instructions since the last call, or -1 without a counter. */
static double
count_instructions (void)
{
#ifdef __linux__
  static int fd = -2;
  static long long last;
  long long now;
  double count;

  if (fd == -2) {
    struct perf_event_attr attr = {
      .type = PERF_TYPE_HARDWARE,
      .size = sizeof attr,
      .config = PERF_COUNT_HW_INSTRUCTIONS,
      .exclude_kernel = 1,
      .exclude_hv = 1
    };

    fd = (int) syscall (SYS_perf_event_open, &attr, 0, -1, -1, 0);
  }
  if (fd < 0 || read (fd, &now, sizeof now) != sizeof now)
    return -1;
  count = (double) (now - last);
  last = now;
  return count;
#else
  return -1;
#endif
}

static double
seconds (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec *1e-9;
}

static void
write_down (Tape * tape, const Call * call)
{
  if (tape->n % 4096 == 0)
    tape->calls = realloc (tape->calls, (tape->n + 4096) * sizeof *tape->calls);
  tape->calls[tape->n++] = *call;
}

typedef struct
{
  const Flow *flow;
  TfrcSender *sender;
  TfrcReceiver *receiver;
  Tape *sending, *receiving;
  TfrcTime now, produced;       /* produced: when the source has its next packet */
  struct
  {
    TfrcTime at;
    TfrcPacket packet;
  } data[PATH];                 /* rings: a fixed delay */
  struct
  {
    TfrcTime at;
    TfrcReport report;
  } reports[PATH];
  unsigned data_in, data_out, reports_in, reports_out;
  unsigned sent;
} Run;

static TfrcTime
next_send (const Run * run)
{
  TfrcTime departure =
      tfrc_sender_next_departure (run->sender, run->flow->size);

  return departure > run->produced ? departure : run->produced;
}

static void
send_packet (Run * run)
{
  const Flow *flow = run->flow;
  Call call = { .type = DEPARTURE, .now = run->now };
  bool backlogged = flow->interval == 0
      || run->produced + flow->interval <= run->now;
  TfrcStamp stamp;

  call.packet.size = flow->size;
  call.packet.stamped = backlogged;
  write_down (run->sending, &call);
  tfrc_sender_on_departure (run->sender, flow->size, backlogged, &stamp,
      run->now);
  run->produced += flow->interval;
  run->sent++;
  /* prime steps: the losses are spread, and fall differently in each interval */
  if ((run->sent * 7919u) % (flow->loss * 97u) / 97u == 0)
    return;
  run->data[run->data_in % PATH].at = run->now + flow->R / 2;
  run->data[run->data_in++ % PATH].packet =
      (TfrcPacket) {(uint16_t) run->sent, flow->size, true, false, stamp};
}

static void
receive_packet (Run * run)
{
  Call call = {
    .type = ARRIVAL,
    .now = run->now,
    .packet = run->data[run->data_out++ % PATH].packet
  };

  write_down (run->receiving, &call);
  tfrc_receiver_on_packet (run->receiver, &call.packet, run->now);
}

static void
make_report (Run * run)
{
  Call call = { .type = MAKE, .now = run->now };

  write_down (run->receiving, &call);
  if (!tfrc_receiver_make_report (run->receiver, &call.report, run->now))
    return;
  run->reports[run->reports_in % PATH].at = run->now + run->flow->R / 2;
  run->reports[run->reports_in++ % PATH].report = call.report;
}

static void
step (Run * run)
{
  TfrcTime send = next_send (run), timer = tfrc_sender_next_timer (run->sender);
  TfrcTime feedback = tfrc_receiver_next_timer (run->receiver);
  TfrcTime arrival =
      run->data_out <
      run->data_in ? run->data[run->data_out % PATH].at : TFRC_TIME_NONE;
  TfrcTime report =
      run->reports_out <
      run->reports_in ? run->reports[run->reports_out %
      PATH].at : TFRC_TIME_NONE;
  TfrcTime events[] = { send, timer, feedback, arrival, report };
  TfrcTime next = TFRC_TIME_NONE;

  for (unsigned i = 0; i < 5; i++)
    next = events[i] < next ? events[i] : next;
  if (next > run->now)
    run->now = next;
  if (next == report) {
    Call call = {
      .type = REPORT,
      .now = run->now,
      .report = run->reports[run->reports_out++ % PATH].report
    };

    write_down (run->sending, &call);
    tfrc_sender_on_report (run->sender, &call.report, run->now);
  } else if (next == arrival) {
    receive_packet (run);
  } else if (next == timer) {
    write_down (run->sending, &(Call) {
            .type = SENDER_TIMER,
            .now = run->now});
    tfrc_sender_on_timer (run->sender, run->now);
  } else if (next == feedback) {
    write_down (run->receiving, &(Call) {
            .type = RECEIVER_TIMER,
            .now = run->now});
    tfrc_receiver_on_timer (run->receiver, run->now);
  } else {
    send_packet (run);
  }
  if (tfrc_receiver_wants_report (run->receiver))
    make_report (run);
}

static void
record (const Flow * flow, const TfrcConfig * config, Tape * sending,
    Tape * receiving)
{
  Run *run = calloc (1, sizeof *run);

  run->flow = flow;
  run->sending = sending;
  run->receiving = receiving;
  run->now = run->produced = TFRC_SEC;
  run->sender =
      tfrc_sender_init (malloc (tfrc_sender_size (config)), config, run->now);
  run->receiver =
      tfrc_receiver_init (malloc (tfrc_receiver_size (config)), config,
      run->now);
  while (run->sent < WARM_UP + PACKETS) {
    step (run);
    if (run->sent == WARM_UP && sending->warm == 0) {
      sending->warm = sending->n;
      receiving->warm = receiving->n;
    }
  }
  free (run->sender);
  free (run->receiver);
  free (run);
}

/* For functions within which callgrind counts by their names. */
#define NOT_INLINED __attribute__((noinline))

static NOT_INLINED void
play_sender (TfrcSender * sender, const Call * call, const Call * end)
{
  TfrcStamp stamp;

  for (; call < end; call++) {
    if (call->type == DEPARTURE) {
      tfrc_sender_next_departure (sender, call->packet.size);
      tfrc_sender_on_departure (sender, call->packet.size, call->packet.stamped,
          &stamp, call->now);
    } else if (call->type == REPORT) {
      tfrc_sender_on_report (sender, &call->report, call->now);
    } else {
      tfrc_sender_on_timer (sender, call->now);
    }
  }
}

static NOT_INLINED void
play_receiver (TfrcReceiver * receiver, const Call * call, const Call * end)
{
  TfrcReport report;

  for (; call < end; call++) {
    if (call->type == ARRIVAL) {
      tfrc_receiver_on_packet (receiver, &call->packet, call->now);
    } else if (call->type == MAKE) {
      if (tfrc_receiver_wants_report (receiver))
        tfrc_receiver_make_report (receiver, &report, call->now);
    } else {
      tfrc_receiver_on_timer (receiver, call->now);
    }
  }
}

static void
warm_sender (TfrcSender * sender, const Tape * tape)
{
  play_sender (sender, tape->calls, tape->calls + tape->warm);
}

static void
warm_receiver (TfrcReceiver * receiver, const Tape * tape)
{
  play_receiver (receiver, tape->calls, tape->calls + tape->warm);
}

static void
measure (const Flow * flow, const TfrcConfig * config, const Tape * tape,
    bool sending)
{
  void *block =
      malloc (sending ? tfrc_sender_size (config) :
      tfrc_receiver_size (config));
  const Call *from = tape->calls + tape->warm, *end = tape->calls + tape->n;
  double started, took, instructions;
  unsigned packets = 0, reports = 0;
  unsigned long before;

  for (const Call * call = from; call < end; call++) {
    packets += call->type == DEPARTURE || call->type == ARRIVAL;
    reports += call->type == REPORT || call->type == MAKE;
  }
  if (sending)
    warm_sender (tfrc_sender_init (block, config, TFRC_SEC), tape);
  else
    warm_receiver (tfrc_receiver_init (block, config, TFRC_SEC), tape);
  before = allocations;
  count_instructions ();
  started = seconds ();
  if (sending)
    play_sender (block, from, end);
  else
    play_receiver (block, from, end);
  took = seconds () - started;
  instructions = count_instructions ();
  printf ("%s\t%s\t%u\t%u\t%.1f\t%.0f\t%lu\t%zu\n", flow->name,
      sending ? "sent" : "received", packets, reports, took * 1e9 / packets,
      instructions < 0 ? -1 : instructions / packets, allocations - before,
      sending ? tfrc_sender_size (config) : tfrc_receiver_size (config));
  free (block);
}

/* With a number and "sent" or "received", only that flow and end (for callgrind). */
int
main (int argc, char **argv)
{
  for (unsigned i = 0; i < sizeof flows / sizeof flows[0]; i++) {
    Tape sending = { 0 }, receiving = { 0 };
    TfrcConfig config;

    if (argc > 1 && (unsigned) atoi (argv[1]) != i)
      continue;
    tfrc_config_init (&config, flows[i].mode);
    record (&flows[i], &config, &sending, &receiving);
    if (argc < 3 || strcmp (argv[2], "sent") == 0)
      measure (&flows[i], &config, &sending, true);
    if (argc < 3 || strcmp (argv[2], "received") == 0)
      measure (&flows[i], &config, &receiving, false);
    free (sending.calls);
    free (receiving.calls);
  }
  return 0;
}
