/* gst-tfrc: whether the remote end is heard, as elements report it to the application
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "base/remoteliveness.h"

#include "base/enums.h"

/* The interval at which every RTP session sends RTCP at least, RFC 3550 6.2. Ends that hear nothing send
 * RTCP each second before that. */
#define SILENCE (5 * GST_SECOND)

GType
gst_tfrc_remote_liveness_get_type (void)
{
  static gsize type = 0;
  static const GEnumValue values[] = {
    {GST_TFRC_REMOTE_LIVENESS_WAITING,
          "Nothing was heard of the remote end yet",
        "waiting"},
    {GST_TFRC_REMOTE_LIVENESS_CONNECTED, "The remote end is heard",
        "connected"},
    {GST_TFRC_REMOTE_LIVENESS_LOST,
        "Nothing was heard of the remote end for five seconds", "lost"},
    {GST_TFRC_REMOTE_LIVENESS_GONE, "The remote end has left", "gone"},
    {0, NULL, NULL}
  };

  if (g_once_init_enter (&type))
    g_once_init_leave (&type, g_enum_register_static ("GstTfrcConnection",
            values));
  return type;
}

const gchar *
gst_tfrc_remote_liveness_state_get_nick (GstTfrcRemoteLivenessState state)
{
  return gst_tfrc_enum_get_nick (GST_TYPE_TFRC_REMOTE_CONNECTION, (gint) state);
}

static const gchar *
change (GstTfrcRemoteLiveness * connection,
    GstTfrcRemoteLivenessState state, guint64 now)
{
  if (connection->state == state)
    return NULL;
  connection->silence = now - connection->heard;
  connection->state = state;
  return gst_tfrc_remote_liveness_state_get_nick (state);
}

void
gst_tfrc_remote_liveness_init (GstTfrcRemoteLiveness * connection, guint64 now)
{
  *connection = (GstTfrcRemoteLiveness) {
      .heard = now};
}

const gchar *
gst_tfrc_remote_liveness_on_heard (GstTfrcRemoteLiveness * connection,
    guint64 now)
{
  gboolean lost = connection->state == GST_TFRC_REMOTE_LIVENESS_LOST;
  const gchar *name =
      change (connection, GST_TFRC_REMOTE_LIVENESS_CONNECTED, now);

  connection->heard = now;
  return lost ? "regained" : name;
}

const gchar *
gst_tfrc_remote_liveness_on_gone (GstTfrcRemoteLiveness * connection,
    guint64 now)
{
  return change (connection, GST_TFRC_REMOTE_LIVENESS_GONE, now);
}

const gchar *
gst_tfrc_remote_liveness_on_time (GstTfrcRemoteLiveness * connection,
    guint64 now)
{
  if (now < gst_tfrc_remote_liveness_next_time (connection))
    return NULL;
  return change (connection, GST_TFRC_REMOTE_LIVENESS_LOST, now);
}

guint64
gst_tfrc_remote_liveness_next_time (const GstTfrcRemoteLiveness * connection)
{
  if (connection->state != GST_TFRC_REMOTE_LIVENESS_CONNECTED)
    return GST_CLOCK_TIME_NONE;
  return connection->heard + SILENCE;
}

GstStructure *
gst_tfrc_remote_liveness_make_structure (const
    GstTfrcRemoteLiveness * connection, const gchar * name)
{
  return gst_structure_new (GST_TFRC_CONNECTION_MESSAGE,
      "state", G_TYPE_STRING, name,
      "silence", G_TYPE_UINT64, connection->silence, NULL);
}

gboolean
gst_tfrc_remote_liveness_queue_change (const
    GstTfrcRemoteLiveness * connection, const gchar * name, GQueue * messages)
{
  if (name == NULL)
    return FALSE;
  g_queue_push_tail (messages,
      gst_tfrc_remote_liveness_make_structure (connection, name));
  return TRUE;
}
