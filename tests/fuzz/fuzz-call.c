/* gst-tfrc: fuzzer, a whole receiver: tfrcsrc ! tfrcdecodebin in the network of the tests
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Datagrams of a call, whose bytes the input changes, and datagrams that the input makes up, come from
 * two hosts. Time passes as the input says, in the clock of the tests. */
#include <gst/gst.h>
#include <sanitizer/lsan_interface.h>
#include <string.h>

#include "codec/gsttfrcdecodebin.h"
#include "filter/gstrtptfrcreceive.h"
#include "filter/gstrtptfrcsend.h"
#include "fuzz.h"
#include "net.h"
#include "settle.h"
#include "transport/gsttfrcbin.h"
#include "transport/gsttfrcsrc.h"

#define PORT 6000
#define SSRC 0x0B0B0B0B
#define DATAGRAMS_MAX 100       /* of an input, for time */
#define LINE "tfrcsrc name=src port=6000 mode=tfrc-sp ! tfrcdecodebin ! " \
    "fakesink sync=false async=false"

typedef struct
{
  guint16 seq;
  guint32 timestamp;
  guint32 microseconds;         /* of the stamp */
} Flow;

/* RTP with the stamp of RFC 5450's element: header extension 3, R and the send time. */
static gsize
make_rtp (Flow * flow, guint8 * data)
{
  static const guint8 extension[] = { 0xBE, 0xDE, 0, 2, 0x36, 0, 0x27, 0x10 };

  flow->seq++;
  flow->timestamp += 960;
  flow->microseconds += 20000;
  data[0] = 0x90;
  data[1] = 96;
  GST_WRITE_UINT16_BE (data + 2, flow->seq);
  GST_WRITE_UINT32_BE (data + 4, flow->timestamp);
  GST_WRITE_UINT32_BE (data + 8, SSRC);
  memcpy (data + 12, extension, sizeof extension);
  GST_WRITE_UINT32_BE (data + 20, flow->microseconds);
  memset (data + 24, 0x48, 20);
  return 44;
}

/* A sender report with the CNAME "a". */
static gsize
make_rtcp (Flow * flow, guint8 * data)
{
  static const guint8 sdes[] = { 0x81, 202, 0, 2, 11, 11, 11, 11, 1, 1, 'a',
    0
  };

  memset (data, 0, 28);
  data[0] = 0x80;
  data[1] = 200;
  data[3] = 6;
  GST_WRITE_UINT32_BE (data + 4, SSRC);
  GST_WRITE_UINT32_BE (data + 8, flow->microseconds);
  GST_WRITE_UINT32_BE (data + 16, flow->timestamp);
  memcpy (data + 28, sdes, sizeof sdes);
  return 40;
}

static gsize
mutate (Input * input, guint8 * data, gsize size)
{
  guint how = take (input);

  for (guint n = how % 4; n > 0; n--)
    data[take (input) % size] = take (input);
  return how & 0x40 ? MIN (size, take (input)) : size;
}

static void
send_datagram (Flow * flow, Input * input, guint8 what)
{
  guint8 data[256];
  gsize size = what % 8 == 0 ? take_bytes (input, data) :
      mutate (input, data, what % 8 == 1 ? make_rtcp (flow,
          data) : make_rtp (flow, data));

  net_send_from (what & 0x80 ? "192.0.2.9" : "192.0.2.1",
      5000 + (what >> 6 & 1), "", PORT, 0, data, size);
}

static void
check_no_error (GstElement * pipeline)
{
  GstBus *bus = gst_element_get_bus (pipeline);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);

  LAW (message == NULL);
  gst_object_unref (bus);
}

/* spanplc's library moves its history by a memcpy() that overlaps. */
const char *__asan_default_suppressions (void);

const char *
__asan_default_suppressions (void)
{
  return "interceptor_via_lib:libspandsp\n";
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  __lsan_disable ();            /* what GLib and plugins keep for the life of the process */
  gst_init (argc, argv);
  g_log_set_always_fatal (G_LOG_LEVEL_CRITICAL | G_LOG_FATAL_MASK);
  GST_ELEMENT_REGISTER (rtptfrcreceive, NULL);
  GST_ELEMENT_REGISTER (rtptfrcsend, NULL);
  GST_ELEMENT_REGISTER (tfrcbin, NULL);
  GST_ELEMENT_REGISTER (tfrcsrc, NULL);
  GST_ELEMENT_REGISTER (tfrcdecodebin, NULL);
  __lsan_enable ();
  return 0;
}

int
LLVMFuzzerTestOneInput (const guint8 * data, gsize size)
{
  Input input = { data, size };
  Flow flow = { 0 };
  GstElement *pipeline;
  GstClock *clock;

  net_start ();
  pipeline = gst_parse_launch (LINE, NULL);
  clock = gst_system_clock_obtain ();
  gst_pipeline_use_clock (GST_PIPELINE (pipeline), clock);
  gst_object_unref (clock);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  settle ();
  for (guint i = 0; i < DATAGRAMS_MAX && input.size > 0; i++) {
    guint8 what = take (&input);

    send_datagram (&flow, &input, what);
    if (what & 0x20)
      net_run (take (&input) * 4 * GST_MSECOND);
  }
  net_run (GST_SECOND);
  check_no_error (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  net_stop ();
  return 0;
}
