/* gst-tfrc: the microphone and the loudspeaker of a call, or files in their place
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "devices.h"

gboolean
devices_have_factory (const gchar * name)
{
  GstElementFactory *factory = gst_element_factory_find (name);

  if (factory)
    gst_object_unref (factory);
  return factory != NULL;
}

/* Is there a microphone ("Audio/Source") or a loudspeaker ("Audio/Sink")? */
static gboolean
has_device (const gchar * classes)
{
  GstDeviceMonitor *monitor = gst_device_monitor_new ();
  GList *devices;

  gst_device_monitor_add_filter (monitor, classes, NULL);
  devices = gst_device_monitor_get_devices (monitor);
  g_list_free_full (devices, gst_object_unref);
  gst_object_unref (monitor);
  return devices != NULL;
}

gboolean
devices_check (const CallSettings * settings, GError ** error)
{
  if (!settings->speak && !has_device ("Audio/Source"))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no microphone. Connect one, or name a recording (--speak FILE.wav).");
  else if (!settings->record && !has_device ("Audio/Sink"))
    g_set_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND,
        "There is no loudspeaker. Connect one, or name a file to record to (--record FILE.wav).");
  else
    return TRUE;
  return FALSE;
}

gboolean
devices_cancel_echo (const CallSettings * settings)
{
  return settings->echo_cancel && !settings->speak && !settings->record
      && devices_have_factory ("webrtcdsp");
}

/* A file's name as gst_parse_launch() reads it. */
static gchar *
quote (const gchar * name)
{
  gchar *escaped = g_strescape (name, NULL), *quoted =
      g_strdup_printf ("\"%s\"", escaped);

  g_free (escaped);
  return quoted;
}

/* A recording goes out as if it were spoken now: in slices of 10 ms, in time. The canceller
 * leaves the level alone: it would raise what is left of the echo as well. */
gchar *
devices_describe_microphone (const CallSettings * settings)
{
  gchar *file, *text;

  if (!settings->speak)
    return g_strdup_printf ("autoaudiosrc ! " DEVICES_SOUND "%s",
        devices_cancel_echo (settings) ?
        " ! webrtcdsp probe=echoprobe gain-control=false" : "");
  file = quote (settings->speak);
  text = g_strdup_printf ("filesrc location=%s ! wavparse ! " DEVICES_SOUND
      " ! audiobuffersplit output-buffer-duration=1/100 ! clocksync", file);
  g_free (file);
  return text;
}

gchar *
devices_describe_loudspeaker (const CallSettings * settings)
{
  gchar *file, *text;

  if (!settings->record)
    return g_strdup_printf ("%sautoaudiosink",
        devices_cancel_echo (settings) ?
        "webrtcechoprobe name=echoprobe ! audioconvert ! " : "");
  file = quote (settings->record);
  text = g_strdup_printf ("audiorate ! wavenc ! filesink location=%s", file);
  g_free (file);
  return text;
}
