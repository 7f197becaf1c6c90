/* gst-tfrc: makes and parses the upstream event with the allowance of the encoder
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/rateevent.h"

#include <math.h>

#include "base/enums.h"

static const gchar *reason_names[] = {
  "start", "report", "loss", "nofeedback", "restart", "suspend", "resume"
};

const gchar *
gst_tfrc_rate_reason_get_name (GstTfrcRateReason reason)
{
  g_return_val_if_fail (reason < G_N_ELEMENTS (reason_names), "report");
  return reason_names[reason];
}

static const gchar *coupled_names[] = { "no", "first", "rest" };

/* The index of the name; `otherwise` when it is none of them. */
static guint
find_name (const gchar * const *names, guint n, const gchar * name,
    guint otherwise)
{
  guint i;

  for (i = 0; i < n; i++) {
    if (g_strcmp0 (name, names[i]) == 0)
      return i;
  }
  return otherwise;
}

/* How a field of the struct is in the event. */
typedef enum
{
  FIELD_UINT,
  FIELD_UINT64,
  FIELD_BOOLEAN,
  FIELD_DOUBLE,
  FIELD_LIMIT,                  /* a double in both; INFINITY is 0 in the event */
  FIELD_SECONDS,                /* a double in s; a guint64 in ns in the event */
  FIELD_TRANSIT,                /* `timed` and `transit` of an allowance; a double in the event, NaN: not known */
  FIELD_MODE,                   /* an enumeration; a name in the event */
  FIELD_REASON,
  FIELD_COUPLED
} FieldType;

typedef struct
{
  const gchar *name;
  FieldType type;
  gsize offset;
  gboolean required;            /* an event without it is refused */
} Field;

#define FIELD(name, type, member, required) \
    {GST_TFRC_RATE_FIELD_##name, FIELD_##type, G_STRUCT_OFFSET (GstTfrcRate, member), required}

static const Field fields[] = {
  FIELD (BITRATE, UINT, bitrate, TRUE),
  FIELD (PAYLOAD_SIZE, UINT, payload_size, TRUE),
  FIELD (PACKET_RATE, DOUBLE, packet_rate, TRUE),
  FIELD (MAX_PACKET_RATE, LIMIT, allowance.max_packet_rate,
      TRUE),
  FIELD (X, DOUBLE, allowance.X, TRUE),
  FIELD (X_WIRE, DOUBLE, allowance.X_wire, TRUE),
  FIELD (X_BPS, DOUBLE, allowance.X_Bps, FALSE),
  FIELD (X_RECV, DOUBLE, allowance.X_recv, FALSE),
  FIELD (P, DOUBLE, allowance.p, TRUE),
  FIELD (LOSS, DOUBLE, loss, FALSE),
  FIELD (R, SECONDS, allowance.R, TRUE),
  FIELD (R_SAMPLE, SECONDS, allowance.R_sample, FALSE),
  FIELD (TRANSIT, TRANSIT, allowance, FALSE),
  FIELD (CAPACITY, DOUBLE, allowance.capacity, FALSE),
  FIELD (PLAYOUT, UINT64, playout, FALSE),
  FIELD (KNOWN_AFTER, UINT64, known_after, FALSE),
  FIELD (SEGMENT_SIZE, DOUBLE, allowance.s, FALSE),
  FIELD (HEADER_SIZE, UINT, header_size, TRUE),
  FIELD (OVERHEAD, UINT, overhead, TRUE),
  FIELD (QUEUE_DELAY, UINT64, queue_delay, TRUE),
  FIELD (DROPPED, UINT64, dropped, FALSE),
  FIELD (PICTURE_HEIGHT, UINT, picture_height, FALSE),
  FIELD (FRAME_RATE, UINT, frame_rate, FALSE),
  FIELD (COUPLED, COUPLED, coupled, FALSE),
  FIELD (MODE, MODE, mode, FALSE),
  FIELD (REASON, REASON, reason, FALSE),
  FIELD (SUSPEND, BOOLEAN, suspend, TRUE),
  FIELD (SSRC, UINT, ssrc, TRUE),
};

static gdouble
get_transit (const TfrcAllowance * allowance)
{
  return allowance->timed ? allowance->transit : NAN;
}

static void
set_transit (TfrcAllowance * allowance, gdouble transit)
{
  allowance->timed = isfinite (transit);
  allowance->transit = allowance->timed ? transit : 0;
}

static void
init_value (GValue * value, const Field * field, const GstTfrcRate * rate)
{
  gconstpointer member = G_STRUCT_MEMBER_P (rate, field->offset);
  gdouble limit;

  switch (field->type) {
    case FIELD_UINT:
      g_value_init (value, G_TYPE_UINT);
      g_value_set_uint (value, *(const guint *) member);
      break;
    case FIELD_UINT64:
      g_value_init (value, G_TYPE_UINT64);
      g_value_set_uint64 (value, *(const guint64 *) member);
      break;
    case FIELD_BOOLEAN:
      g_value_init (value, G_TYPE_BOOLEAN);
      g_value_set_boolean (value, *(const gboolean *) member);
      break;
    case FIELD_DOUBLE:
      g_value_init (value, G_TYPE_DOUBLE);
      g_value_set_double (value, *(const gdouble *) member);
      break;
    case FIELD_LIMIT:
      limit = *(const gdouble *) member;
      g_value_init (value, G_TYPE_DOUBLE);
      g_value_set_double (value, isinf (limit) ? 0.0 : limit);
      break;
    case FIELD_SECONDS:
      g_value_init (value, G_TYPE_UINT64);
      g_value_set_uint64 (value, *(const gdouble *) member * GST_SECOND);
      break;
    case FIELD_TRANSIT:
      g_value_init (value, G_TYPE_DOUBLE);
      g_value_set_double (value, get_transit (member));
      break;
    case FIELD_MODE:
      g_value_init (value, G_TYPE_STRING);
      g_value_set_static_string (value,
          gst_tfrc_mode_get_nick (*(const TfrcMode *) member));
      break;
    case FIELD_REASON:
      g_value_init (value, G_TYPE_STRING);
      g_value_set_static_string (value,
          gst_tfrc_rate_reason_get_name (*(const GstTfrcRateReason *) member));
      break;
    case FIELD_COUPLED:
      g_value_init (value, G_TYPE_STRING);
      g_value_set_static_string (value,
          coupled_names[*(const GstTfrcCoupled *) member]);
      break;
  }
}

static const GQuark *
get_quarks (void)
{
  static GQuark quarks[G_N_ELEMENTS (fields)];
  static gsize once = 0;
  guint i;

  if (g_once_init_enter (&once)) {
    for (i = 0; i < G_N_ELEMENTS (fields); i++)
      quarks[i] = g_quark_from_static_string (fields[i].name);
    g_once_init_leave (&once, 1);
  }
  return quarks;
}

/* A relay with many calls makes many events, so the fields are set in the cheapest way. */
GstEvent *
gst_tfrc_rate_event_new (const GstTfrcRate * rate)
{
  GstStructure *s = gst_structure_new_empty (GST_TFRC_RATE_NAME);
  const GQuark *quarks = get_quarks ();
  guint i;

  for (i = 0; i < G_N_ELEMENTS (fields); i++) {
    GValue value = G_VALUE_INIT;

    init_value (&value, &fields[i], rate);
    gst_structure_id_take_value (s, quarks[i], &value);
  }
  return gst_event_new_custom (GST_EVENT_CUSTOM_UPSTREAM, s);
}

/* FALSE: the event has no such field, or one of another type. */
static gboolean
get_field (const GstStructure * s, const Field * field, GstTfrcRate * rate)
{
  gpointer member = G_STRUCT_MEMBER_P (rate, field->offset);
  const gchar *name = field->name, *text;
  gdouble number;
  guint64 time;

  switch (field->type) {
    case FIELD_UINT:
      return gst_structure_get_uint (s, name, member);
    case FIELD_UINT64:
      return gst_structure_get_uint64 (s, name, member);
    case FIELD_BOOLEAN:
      return gst_structure_get_boolean (s, name, member);
    case FIELD_DOUBLE:
      return gst_structure_get_double (s, name, member);
    case FIELD_LIMIT:
      if (!gst_structure_get_double (s, name, &number))
        return FALSE;
      *(gdouble *) member = number > 0 ? number : INFINITY;
      return TRUE;
    case FIELD_SECONDS:
      if (!gst_structure_get_uint64 (s, name, &time))
        return FALSE;
      *(gdouble *) member = (gdouble) time / GST_SECOND;
      return TRUE;
    case FIELD_TRANSIT:
      if (!gst_structure_get_double (s, name, &number))
        return FALSE;
      set_transit (member, number);
      return TRUE;
    case FIELD_MODE:
      text = gst_structure_get_string (s, name);
      *(TfrcMode *) member =
          g_strcmp0 (text, gst_tfrc_mode_get_nick (TFRC_MODE_TFRC_SP)) == 0 ?
          TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC;
      return text != NULL;
    case FIELD_REASON:
      text = gst_structure_get_string (s, name);
      *(GstTfrcRateReason *) member = find_name (reason_names,
          G_N_ELEMENTS (reason_names), text, GST_TFRC_RATE_REPORT);
      return text != NULL;
    case FIELD_COUPLED:
      text = gst_structure_get_string (s, name);
      *(GstTfrcCoupled *) member = find_name (coupled_names,
          G_N_ELEMENTS (coupled_names), text, GST_TFRC_COUPLED_NO);
      return text != NULL;
  }
  return FALSE;
}

gboolean
gst_tfrc_rate_event_parse (GstEvent * event, GstTfrcRate * rate)
{
  const GstStructure *s = gst_tfrc_rate_event_get_fields (event);
  guint i;

  if (s == NULL)
    return FALSE;
  *rate = (GstTfrcRate) {
      .loss = -1.0};
  for (i = 0; i < G_N_ELEMENTS (fields); i++) {
    if (!get_field (s, &fields[i], rate) && fields[i].required)
      return FALSE;
  }
  rate->allowance.slow_start = rate->allowance.p == 0;
  return TRUE;
}
