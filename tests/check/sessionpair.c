/* gst-tfrc tests: two RTP sessions joined by a path, in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sessionpair.h"

#include <gst/check/gstcheck.h>

#define START (1000 * TFRC_SEC)

typedef struct
{
  TfrcTime arrival;
  guint to;
  gboolean rtcp;
  GBytes *data;
} Flight;

static TfrcTime
take_30_ms (SessionPair * pair, guint from, gboolean rtcp, guint n)
{
  return 30 * TFRC_MSEC;
}

void
session_pair_init (SessionPair * pair, SessionPath path)
{
  *pair = (SessionPair) {
      .path = path != NULL ? path : take_30_ms,
      .now = START};
  for (guint i = 0; i < 2; i++) {
    SessionEnd *end = &pair->ends[i];

    gst_tfrc_unicast_session_config_init (&end->config);
    g_snprintf (end->config.cname, sizeof end->config.cname, "end-%u@pair", i);
    end->config.ssrc = 0xA0000001 + i;
    end->config.seed = i + 1;
    end->config.clock_rate = end->config.remote_clock_rate = PAIR_CLOCK_RATE;
    end->config.sends = end->config.receives = TRUE;
    end->config.ntp = 3976214400 * TFRC_SEC + i * 777 * TFRC_MSEC;      /* 2026, and not the same */
    end->config.settings.mode = TFRC_MODE_TFRC_SP;
    end->config.settings.H = 40 + i;
    end->config.settings.is_receiver = i;       /* not read */
    end->offset = i * 50 * TFRC_SEC;
    end->talks = TRUE;
    end->present = TRUE;
    end->seq = 100 + i;
    end->rtptime = 5000 * i;
  }
}

void
session_pair_begin_end (SessionPair * pair, guint i)
{
  SessionEnd *end = &pair->ends[i];

  fail_unless (gst_tfrc_unicast_session_config_check (&end->config) == NULL);
  gst_tfrc_unicast_session_init (&end->session, &end->config,
      pair->now + end->offset);
  end->next_media = pair->now;
  end->next_report = pair->now;
  end->present = TRUE;
}

void
session_pair_begin (SessionPair * pair)
{
  for (guint i = 0; i < 2; i++)
    if (pair->ends[i].present)
      session_pair_begin_end (pair, i);
}

GBytes *
session_pair_new_rtp (guint32 ssrc, guint16 seq, guint32 rtptime)
{
  guint8 *data = g_malloc0 (12 + PAIR_PAYLOAD);

  data[0] = 0x80;
  GST_WRITE_UINT16_BE (data + 2, seq);
  GST_WRITE_UINT32_BE (data + 4, rtptime);
  GST_WRITE_UINT32_BE (data + 8, ssrc);
  return g_bytes_new_take (data, 12 + PAIR_PAYLOAD);
}

static gint
compare_flights (gconstpointer a, gconstpointer b)
{
  const Flight *one = a, *other = b;

  return (one->arrival > other->arrival) - (one->arrival < other->arrival);
}

static void
flight_free (gpointer data)
{
  g_bytes_unref (((Flight *) data)->data);
  g_free (data);
}

static void
launch (SessionPair * pair, guint from, gboolean rtcp, GBytes * data)
{
  SessionEnd *end = &pair->ends[from];
  TfrcTime delay =
      pair->path (pair, from, rtcp, rtcp ? end->rtcp_left++ : end->rtp_left++);
  Flight *flight;

  if (delay == TFRC_TIME_NONE || pair->cut) {
    g_bytes_unref (data);
    return;
  }
  flight = g_new (Flight, 1);
  *flight = (Flight) {pair->now + delay, 1 - from, rtcp, data};
  /* behind those of the same time */
  pair->flights = g_list_reverse (pair->flights);
  pair->flights = g_list_prepend (pair->flights, flight);
  pair->flights = g_list_reverse (pair->flights);
  pair->flights = g_list_sort (pair->flights, compare_flights);
}

static void
count_bits (SessionPair * pair, SessionEnd * end, guint bits)
{
  end->bits |= bits;
  for (guint i = 0; i < 32; i++)
    end->events[i] += bits >> i & 1;
  if (bits & GST_TFRC_SESSION_ANSWERED)
    end->answered = pair->now;
  if (bits & GST_TFRC_SESSION_NEW_REMOTE)
    end->taken = pair->now;
}

static void
arrive_rtp (SessionPair * pair, SessionEnd * end, GBytes * data)
{
  GstTfrcRtpFields fields;
  guint bits =
      gst_tfrc_unicast_session_on_rtp (&end->session, g_bytes_get_data (data,
          NULL),
      g_bytes_get_size (data), &fields, pair->now + end->offset);

  end->accepted += (bits & GST_TFRC_SESSION_ACCEPTED) != 0;
  end->refused += (bits & GST_TFRC_SESSION_REFUSED) != 0;
  end->on_probation += (bits & GST_TFRC_SESSION_PROBATION) != 0;
  count_bits (pair, end, bits);
}

static void
arrive_rtcp (SessionPair * pair, SessionEnd * end, GBytes * data)
{
  guint bits =
      gst_tfrc_unicast_session_on_rtcp (&end->session, g_bytes_get_data (data,
          NULL), g_bytes_get_size (data), &end->input,
      pair->now + end->offset);

  if (bits & GST_TFRC_SESSION_SENDER_SETTINGS)
    end->settings[0] = end->input.sender_settings;
  if (bits & GST_TFRC_SESSION_RECEIVER_SETTINGS)
    end->settings[1] = end->input.receiver_settings;
  if (bits & GST_TFRC_SESSION_REPORT) {
    end->last_report = end->input.report.t_i_us;
    end->last_transit = end->input.report.transit_us;
    end->last_arrivals = end->input.report.arrivals;
  }
  count_bits (pair, end, bits);
}

static void
send_media (SessionPair * pair, guint i)
{
  SessionEnd *end = &pair->ends[i];
  GstTfrcRtpFields fields = {
    .ssrc = end->session.ssrc,
    .seq = end->seq,
    .rtptime = end->rtptime,
    .payload_size = PAIR_PAYLOAD
  };

  launch (pair, i, FALSE, session_pair_new_rtp (fields.ssrc, fields.seq,
          fields.rtptime));
  gst_tfrc_unicast_session_on_sent (&end->session, &fields,
      pair->now + end->offset - end->latency, pair->now + end->offset);
  end->seq++;
  end->rtptime += PAIR_PAYLOAD;
  end->next_media += PAIR_PERIOD;
}

static void
send_rtcp (SessionPair * pair, guint i)
{
  SessionEnd *end = &pair->ends[i];
  TfrcReport report = {
    .t_i_us = end->report_number,
    .p_q32 = 1,
    .transit_us = 4711,
    .lists_arrivals = TRUE,
    .arrivals = 4712
  };
  GstBuffer *buffer = gst_tfrc_unicast_session_make_rtcp (&end->session,
      end->report_waits ? &report : NULL, pair->now + end->offset);
  gpointer data;
  gsize size;

  /* what the session calls for leaves */
  fail_unless (buffer != NULL);
  if (end->report_waits && end->session.has_data)
    end->report_number++;
  end->report_waits = FALSE;
  gst_buffer_extract_dup (buffer, 0, -1, &data, &size);
  end->rtcp_octets += size + end->config.H;
  launch (pair, i, TRUE, g_bytes_new_take (data, size));
  gst_buffer_unref (buffer);
}

/* The next time at which an end does something by itself. */
static TfrcTime
next_of_end (SessionPair * pair, SessionEnd * end)
{
  TfrcTime time = TFRC_TIME_NONE, rtcp;

  if (!end->present)
    return time;
  if (end->talks)
    time = MIN (time, end->next_media);
  if (end->report_interval > 0 && !end->report_waits)
    time = MIN (time, end->next_report);
  rtcp = gst_tfrc_unicast_session_next_rtcp (&end->session, end->report_waits);
  if (rtcp != TFRC_TIME_NONE)
    time = MIN (time, MAX (rtcp, pair->now + end->offset) - end->offset);
  return MAX (time, pair->now);
}

static void
run_end (SessionPair * pair, guint i)
{
  SessionEnd *end = &pair->ends[i];

  if (end->report_interval > 0 && end->next_report <= pair->now) {
    end->report_waits = TRUE;
    end->next_report = pair->now + end->report_interval;
  }
  if (end->talks && end->next_media <= pair->now)
    send_media (pair, i);
  if (gst_tfrc_unicast_session_next_rtcp (&end->session, end->report_waits) <=
      pair->now + end->offset)
    send_rtcp (pair, i);
}

static void
arrive (SessionPair * pair)
{
  Flight *flight = pair->flights->data;
  SessionEnd *end = &pair->ends[flight->to];

  pair->flights = g_list_delete_link (pair->flights, pair->flights);
  if (end->present && flight->rtcp)
    arrive_rtcp (pair, end, flight->data);
  else if (end->present)
    arrive_rtp (pair, end, flight->data);
  flight_free (flight);
}

void
session_pair_run (SessionPair * pair, TfrcTime duration)
{
  TfrcTime until = pair->now + duration;

  for (;;) {
    TfrcTime flight = pair->flights != NULL ?
        ((Flight *) pair->flights->data)->arrival : TFRC_TIME_NONE;
    TfrcTime next[2] = { next_of_end (pair, &pair->ends[0]), next_of_end (pair,
          &pair->ends[1])
    };
    TfrcTime time = MIN (flight, MIN (next[0], next[1]));

    if (time >= until)
      break;
    pair->now = time;
    if (flight == time)
      arrive (pair);
    else
      run_end (pair, next[0] == time ? 0 : 1);
  }
  pair->now = until;
}

void
session_pair_clear (SessionPair * pair)
{
  g_list_free_full (pair->flights, flight_free);
}
