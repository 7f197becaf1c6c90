/* gst-tfrc tests: the data sender of one flow in virtual time
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dataflow.h"

#include "filter/engineconfig.h"
#include "leaks.h"
#include "statsfield.h"

GstTfrcFilterSettings settings;
GstTfrcDataFlowSender flow;
guint16 seq;

void
data_flow_start (void)
{
  TfrcConfig config;

  fail_unless (gst_tfrc_engine_config_from_settings (&settings,
          &config) == NULL);
  gst_tfrc_data_flow_sender_init (&flow, &settings, &config, START);
}

void
data_flow_set_up (void)
{
  leaks_begin ();
  seq = FIRST_SEQ;
  gst_tfrc_filter_settings_init (&settings, TRUE);
  settings.mode = TFRC_MODE_TFRC;
}

void
data_flow_tear_down (void)
{
  gst_tfrc_data_flow_sender_clear (&flow);
  fail_unless (flow.sender == NULL);
  gst_tfrc_filter_settings_clear (&settings);
  leaks_end ();
}

GstBuffer *
data_flow_make_packet (guint payload)
{
  guint8 *data = g_malloc0 (12 + payload);

  data[0] = 0x80;
  data[1] = 96;
  GST_WRITE_UINT16_BE (data + 2, seq);
  GST_WRITE_UINT32_BE (data + 4, 960 * seq);
  GST_WRITE_UINT32_BE (data + 8, 0x22222222);
  seq++;
  return gst_buffer_new_wrapped (data, 12 + payload);
}

void
data_flow_add (TfrcTime now)
{
  fail_unless (gst_tfrc_data_flow_sender_add (&flow,
          data_flow_make_packet (PAYLOAD), STAMP_ID, now));
}

TfrcStamp
data_flow_take (guint number, TfrcTime now)
{
  GstTfrcDeparture departure;

  fail_unless (gst_tfrc_data_flow_sender_take (&flow, &departure, now));
  fail_unless_equals_int (departure.seq, number & 0xffff);
  gst_buffer_unref (departure.buffer);
  return departure.stamp;
}

void
data_flow_expect_none (TfrcTime now)
{
  GstTfrcDeparture departure;

  fail_if (gst_tfrc_data_flow_sender_take (&flow, &departure, now));
}

guint
data_flow_take_all (TfrcTime now)
{
  GstTfrcDeparture departure;
  guint n = 0;

  for (; gst_tfrc_data_flow_sender_take (&flow, &departure, now); n++)
    gst_buffer_unref (departure.buffer);
  return n;
}

gdouble
data_flow_get_stat (const gchar * name, TfrcTime now)
{
  GstStructure *stats = gst_structure_new_empty ("stats");
  GValue value = G_VALUE_INIT;
  gdouble result;

  gst_tfrc_data_flow_sender_add_stats (&flow, stats, now);
  g_value_init (&value, G_TYPE_DOUBLE);
  fail_unless (stats_field (stats, name) != NULL, "no %s", name);
  if (gst_structure_has_field_typed (stats, name, G_TYPE_BOOLEAN)) {
    gboolean is = FALSE;

    gst_structure_get_boolean (stats, name, &is);
    result = is;
  } else {
    fail_unless (g_value_transform (stats_field (stats, name), &value));
    result = g_value_get_double (&value);
  }
  gst_structure_free (stats);
  return result;
}

gboolean
data_flow_report (const TfrcStamp * stamp, guint x_recv, gdouble p,
    TfrcTime now)
{
  TfrcReport of = { stamp->t_i_us, 0, x_recv, tfrc_report_encode_p (p) };

  return gst_tfrc_data_flow_sender_on_report (&flow, &of, now);
}

void
data_flow_open_path (TfrcTime now, TfrcTime rtt)
{
  TfrcStamp stamp;

  data_flow_add (now);
  stamp = data_flow_take (seq - 1, now);
  fail_unless (data_flow_report (&stamp, 0, 0, now + rtt));
}

GstTfrcRate
data_flow_expect_rate (GstTfrcRateReason reason)
{
  GstTfrcRate rate, again;

  fail_unless (gst_tfrc_data_flow_sender_take_rate (&flow, &rate));
  fail_unless_equals_string (gst_tfrc_rate_reason_get_name (rate.reason),
      gst_tfrc_rate_reason_get_name (reason));
  fail_if (gst_tfrc_data_flow_sender_take_rate (&flow, &again));
  return rate;
}

void
data_flow_expect_no_rate (void)
{
  GstTfrcRate rate;

  fail_if (gst_tfrc_data_flow_sender_take_rate (&flow, &rate));
}
