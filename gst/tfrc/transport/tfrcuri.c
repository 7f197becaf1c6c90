/* gst-tfrc: URIs of the form tfrc://host:port?property=value
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/tfrcuri.h"

#include <string.h>

#include "base/debugcategory.h"

GST_TFRC_DEFINE_CATEGORY ("tfrcuri", "tfrc:// URIs");

/* Whether a URI may not set the property: the URI itself, what identifies the element, the keys,
 * which would show in logs and lists of processes, and the certificate, whose text has a key and
 * whose name is that of a file of the user. */
static gboolean
is_refused (const gchar * name)
{
  return g_str_equal (name, "uri") || g_str_equal (name, "name") ||
      g_str_equal (name, "parent") || g_str_equal (name, "srtp-key") ||
      g_str_equal (name, "srtp-remote-key") ||
      g_str_equal (name, "certificate");
}

/* Returns NULL and an error when `object` has no such property or `text` is no value of it. */
static GValue *
parse_value (GObject * object, const gchar * name, const gchar * text,
    GError ** error)
{
  GParamSpec *spec = is_refused (name) ? NULL :
      g_object_class_find_property (G_OBJECT_GET_CLASS (object), name);
  GValue *value;

  if (spec == NULL || (spec->flags & G_PARAM_WRITABLE) == 0) {
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "there is no property \"%s\" that a URI can set", name);
    return NULL;
  }
  value = g_new0 (GValue, 1);
  g_value_init (value, spec->value_type);
  if (text != NULL && gst_value_deserialize (value, text) &&
      !g_param_value_validate (spec, value))
    return value;
  g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
      "\"%s\" cannot be a value of the property \"%s\"",
      text != NULL ? text : "", name);
  g_value_unset (value);
  g_free (value);
  return NULL;
}

static void
free_value (gpointer value)
{
  g_value_unset (value);
  g_free (value);
}

static gboolean
add_value (GHashTable * values, GObject * object, const gchar * name,
    const gchar * text, GError ** error)
{
  GValue *value = parse_value (object, name, text, error);

  if (value == NULL)
    return FALSE;
  g_hash_table_replace (values, g_strdup (name), value);
  return TRUE;
}

static gboolean
add_address (GHashTable * values, GObject * object, const gchar * host_name,
    const GstUri * uri, GError ** error)
{
  const gchar *host = gst_uri_get_host (uri);
  guint port = gst_uri_get_port (uri);
  gchar *path = gst_uri_get_path (uri);
  gchar *text;
  gboolean ok = TRUE;

  if (path != NULL && *path != '\0' && !g_str_equal (path, "/")) {
    g_set_error_literal (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "a tfrc URI has no path: tfrc://host:port?property=value");
    ok = FALSE;
  }
  if (ok && host != NULL && *host != '\0')
    ok = add_value (values, object, host_name, host, error);
  if (ok && port != GST_URI_NO_PORT) {
    text = g_strdup_printf ("%u", port);
    ok = add_value (values, object, "port", text, error);
    g_free (text);
  }
  g_free (path);
  return ok;
}

static gboolean
add_query (GHashTable * values, GObject * object, const GstUri * uri,
    GError ** error)
{
  GHashTable *query = gst_uri_get_query_table (uri);
  GHashTableIter iter;
  gpointer name, text;
  gboolean ok = TRUE;

  if (query == NULL)
    return TRUE;
  g_hash_table_iter_init (&iter, query);
  while (ok && g_hash_table_iter_next (&iter, &name, &text))
    ok = add_value (values, object, name, text, error);
  g_hash_table_unref (query);
  return ok;
}

/* Whether each % of the query begins the two digits of a character. gst_uri_from_string() crashes where one does not. */
static gboolean
is_escaped (const gchar * text)
{
  const gchar *at = strchr (text, '?');

  while (at != NULL && (at = strchr (at, '%')) != NULL) {
    if (!g_ascii_isxdigit (at[1]) || !g_ascii_isxdigit (at[2])
        || (at[1] == '0' && at[2] == '0'))
      return FALSE;
    at += 3;
  }
  return TRUE;
}

gboolean
gst_tfrc_uri_apply (GObject * object, const gchar * host_name,
    const gchar * text, GError ** error)
{
  GstUri *uri = is_escaped (text) ? gst_uri_from_string (text) : NULL;
  GHashTable *values;
  GHashTableIter iter;
  gpointer name, value;
  gboolean ok;

  if (uri == NULL || g_strcmp0 (gst_uri_get_scheme (uri),
          GST_TFRC_URI_SCHEME) != 0) {
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "\"%s\" is not of the form tfrc://host:port?property=value", text);
    g_clear_pointer (&uri, gst_uri_unref);
    return FALSE;
  }
  /* GstUri has no host when it cannot unescape it. */
  if (gst_uri_get_host (uri) == NULL && strstr (text, "://[") != NULL) {
    g_set_error (error, GST_URI_ERROR, GST_URI_ERROR_BAD_URI,
        "the host of \"%s\" cannot be read; an interface follows %%25: "
        "tfrc://[fe80::1%%25eth0]:5004", text);
    gst_uri_unref (uri);
    return FALSE;
  }
  values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_value);
  ok = add_address (values, object, host_name, uri, error) &&
      add_query (values, object, uri, error);
  g_hash_table_iter_init (&iter, values);
  /* without the query, which may have a key that is refused */
  GST_INFO_OBJECT (object, "%s properties of a URI with host %s", ok ?
      "setting" : "refusing", gst_uri_get_host (uri));
  /* host and port are one change */
  g_object_freeze_notify (object);
  while (ok && g_hash_table_iter_next (&iter, &name, &value))
    g_object_set_property (object, name, value);
  g_object_thaw_notify (object);
  g_hash_table_unref (values);
  gst_uri_unref (uri);
  return ok;
}

/* Writes an IPv6 address with its interface as [address%25interface] (RFC 6874 2). */
static gchar *
write_host (const gchar * host)
{
  gchar **parts, *escaped, *text;

  if (host == NULL || strchr (host, ':') == NULL)
    return g_strdup (host != NULL ? host : "");
  parts = g_strsplit (host, "%", 2);
  escaped = g_strjoinv ("%25", parts);
  text = g_strdup_printf ("[%s]", escaped);
  g_free (escaped);
  g_strfreev (parts);
  return text;
}

gchar *
gst_tfrc_uri_from (GObject * object, const gchar * host_name)
{
  GParamSpec *spec = g_object_class_find_property
      (G_OBJECT_GET_CLASS (object), "mode");
  GValue mode = G_VALUE_INIT;
  gchar *host = NULL, *written, *nick, *uri;
  guint port = 0;

  g_object_get (object, host_name, &host, "port", &port, NULL);
  g_value_init (&mode, spec->value_type);
  g_object_get_property (object, "mode", &mode);
  nick = gst_value_serialize (&mode);
  written = write_host (host);
  uri = g_strdup_printf ("%s://%s:%u?mode=%s", GST_TFRC_URI_SCHEME, written,
      port, nick);
  g_free (written);
  g_free (nick);
  g_value_unset (&mode);
  g_free (host);
  return uri;
}
