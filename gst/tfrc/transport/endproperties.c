/* gst-tfrc: properties that tfrcsink and tfrcsrc have in common
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/endproperties.h"

#include <string.h>

/* --- UDP, RTCP and SRTP --- */

#define DEFAULT_RTCP_MUX TRUE
#define DEFAULT_DSCP -1
#define DEFAULT_TTL 64
#define DEFAULT_BUFFER_SIZE 0

/* The sockets open on the way to READY: what they are opened with can be changed in NULL alone. */
#define IN_NULL (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define READY (IN_NULL | GST_PARAM_MUTABLE_READY)

static void
install_transport (GObjectClass * klass)
{
  /**
   * GstTfrcEnd:rtcp-mux:
   *
   * RTP and RTCP share one port, both ways: works through NAT (RFC 5761).
   * Otherwise RTCP uses the port after that of RTP. Both ends must use the
   * same. The default is TRUE because a single port needs a single binding in
   * a NAT.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, GST_TFRC_TRANSPORT_PROP_RTCP_MUX,
      g_param_spec_boolean ("rtcp-mux", "RTCP mux",
          "RTP and RTCP share one port, both ways: works through NAT (RFC "
          "5761). Otherwise RTCP uses the port after that of RTP. Both ends "
          "must use the same", DEFAULT_RTCP_MUX, IN_NULL));
  /**
   * GstTfrcEnd:dscp:
   *
   * Code point that packets are marked with (-1: unmarked). tfrcsink passes
   * the value on to #GstRtpTfrcSend:dscp. The default leaves the packets as
   * the system sends them.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, GST_TFRC_TRANSPORT_PROP_DSCP,
      g_param_spec_int ("dscp", "DSCP",
          "Code point that packets are marked with (-1: unmarked)", -1, 63,
          DEFAULT_DSCP, READY));
  /**
   * GstTfrcEnd:ttl:
   *
   * Time to live of packets (hops). The default is that of IP (64).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, GST_TFRC_TRANSPORT_PROP_TTL,
      g_param_spec_int ("ttl", "TTL", "Time to live of packets (hops)", 1, 255,
          DEFAULT_TTL, IN_NULL));
  /**
   * GstTfrcEnd:buffer-size:
   *
   * Size of the kernel's socket buffers (bytes, 0: as the system has it).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, GST_TFRC_TRANSPORT_PROP_BUFFER_SIZE,
      g_param_spec_int ("buffer-size", "Buffer size",
          "Size of the kernel's socket buffers (bytes, 0: as the system has "
          "it)", 0, G_MAXINT, DEFAULT_BUFFER_SIZE, IN_NULL));
  /**
   * GstTfrcEnd:sdes:
   *
   * What RTCP says of this end, application/x-rtp-source-sdes with cname,
   * name, tool, ... (not set: a random cname).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, GST_TFRC_TRANSPORT_PROP_SDES,
      g_param_spec_boxed ("sdes", "SDES",
          "What RTCP says of this end, application/x-rtp-source-sdes with "
          "cname, name, tool, ... (not set: a random cname)",
          GST_TYPE_STRUCTURE, READY));
}

void
gst_tfrc_transport_settings_install (GObjectClass * klass)
{
  install_transport (klass);
  gst_tfrc_srtp_settings_install (klass, GST_TFRC_TRANSPORT_PROP_SRTP);
}

void
gst_tfrc_transport_settings_init (GstTfrcTransportSettings * settings)
{
  memset (settings, 0, sizeof (*settings));
  settings->rtcp_mux = DEFAULT_RTCP_MUX;
  settings->dscp = DEFAULT_DSCP;
  settings->ttl = DEFAULT_TTL;
  settings->buffer_size = DEFAULT_BUFFER_SIZE;
  gst_tfrc_srtp_settings_init (&settings->srtp);
}

void
gst_tfrc_transport_settings_clear (GstTfrcTransportSettings * settings)
{
  gst_tfrc_srtp_settings_clear (&settings->srtp);
  gst_clear_structure (&settings->sdes);
}

gboolean
gst_tfrc_transport_settings_set (GstTfrcTransportSettings * settings, guint id,
    const GValue * value)
{
  switch (id) {
    case GST_TFRC_TRANSPORT_PROP_RTCP_MUX:
      settings->rtcp_mux = g_value_get_boolean (value);
      break;
    case GST_TFRC_TRANSPORT_PROP_DSCP:
      settings->dscp = g_value_get_int (value);
      break;
    case GST_TFRC_TRANSPORT_PROP_TTL:
      settings->ttl = g_value_get_int (value);
      break;
    case GST_TFRC_TRANSPORT_PROP_BUFFER_SIZE:
      settings->buffer_size = g_value_get_int (value);
      break;
    case GST_TFRC_TRANSPORT_PROP_SDES:
      gst_clear_structure (&settings->sdes);
      settings->sdes = g_value_dup_boxed (value);
      break;
    default:
      return gst_tfrc_srtp_settings_set (&settings->srtp,
          id - GST_TFRC_TRANSPORT_PROP_SRTP, value);
  }
  return TRUE;
}

gboolean
gst_tfrc_transport_settings_get (const GstTfrcTransportSettings * settings,
    guint id, GValue * value)
{
  switch (id) {
    case GST_TFRC_TRANSPORT_PROP_RTCP_MUX:
      g_value_set_boolean (value, settings->rtcp_mux);
      break;
    case GST_TFRC_TRANSPORT_PROP_DSCP:
      g_value_set_int (value, settings->dscp);
      break;
    case GST_TFRC_TRANSPORT_PROP_TTL:
      g_value_set_int (value, settings->ttl);
      break;
    case GST_TFRC_TRANSPORT_PROP_BUFFER_SIZE:
      g_value_set_int (value, settings->buffer_size);
      break;
    case GST_TFRC_TRANSPORT_PROP_SDES:
      g_value_set_boxed (value, settings->sdes);
      break;
    default:
      return gst_tfrc_srtp_settings_get (&settings->srtp,
          id - GST_TFRC_TRANSPORT_PROP_SRTP, value);
  }
  return TRUE;
}

/* --- properties of a child --- */

static GParamSpec *
copy_number (GParamSpec * from, const gchar * name, const gchar * nick,
    const gchar * blurb)
{
  if (G_IS_PARAM_SPEC_UINT (from)) {
    GParamSpecUInt *spec = G_PARAM_SPEC_UINT (from);

    return g_param_spec_uint (name, nick, blurb, spec->minimum, spec->maximum,
        spec->default_value, from->flags);
  }
  if (G_IS_PARAM_SPEC_INT (from)) {
    GParamSpecInt *spec = G_PARAM_SPEC_INT (from);

    return g_param_spec_int (name, nick, blurb, spec->minimum, spec->maximum,
        spec->default_value, from->flags);
  }
  if (G_IS_PARAM_SPEC_UINT64 (from)) {
    GParamSpecUInt64 *spec = G_PARAM_SPEC_UINT64 (from);

    return g_param_spec_uint64 (name, nick, blurb, spec->minimum,
        spec->maximum, spec->default_value, from->flags);
  }
  if (G_IS_PARAM_SPEC_DOUBLE (from)) {
    GParamSpecDouble *spec = G_PARAM_SPEC_DOUBLE (from);

    return g_param_spec_double (name, nick, blurb, spec->minimum,
        spec->maximum, spec->default_value, from->flags);
  }
  return NULL;
}

static GParamSpec *
copy_spec (GParamSpec * from)
{
  const gchar *name = g_param_spec_get_name (from);
  const gchar *nick = g_param_spec_get_nick (from);
  const gchar *blurb = g_param_spec_get_blurb (from);

  if (G_IS_PARAM_SPEC_ENUM (from))
    return g_param_spec_enum (name, nick, blurb, from->value_type,
        G_PARAM_SPEC_ENUM (from)->default_value, from->flags);
  if (G_IS_PARAM_SPEC_BOOLEAN (from))
    return g_param_spec_boolean (name, nick, blurb,
        G_PARAM_SPEC_BOOLEAN (from)->default_value, from->flags);
  if (G_IS_PARAM_SPEC_STRING (from))
    return g_param_spec_string (name, nick, blurb,
        G_PARAM_SPEC_STRING (from)->default_value, from->flags);
  if (G_IS_PARAM_SPEC_BOXED (from))
    return g_param_spec_boxed (name, nick, blurb, from->value_type,
        from->flags);
  return copy_number (from, name, nick, blurb);
}

guint
gst_tfrc_child_properties_install (GObjectClass * klass, guint first_id,
    const gchar * factory, const gchar * const *names, GParamFlags flags)
{
  GstElementFactory *element = gst_element_factory_find (factory);
  GObjectClass *child;
  guint id = first_id;

  /* plugin.c registers the filters before the bins. */
  g_return_val_if_fail (element != NULL, first_id);
  child = g_type_class_ref (gst_element_factory_get_element_type (element));

  for (; *names != NULL; names++) {
    GParamSpec *from = g_object_class_find_property (child, *names);
    GParamSpec *spec = from != NULL ? copy_spec (from) : NULL;

    g_return_val_if_fail (spec != NULL, id);
    if (flags != 0)
      spec->flags = flags;
    g_object_class_install_property (klass, id++, spec);
  }
  g_type_class_unref (child);
  gst_object_unref (element);
  return id;
}
