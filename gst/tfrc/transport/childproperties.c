/* gst-tfrc: properties of a bin that belong to an element inside it
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/childproperties.h"

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
    const gchar * factory, const gchar * const *names)
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
    g_object_class_install_property (klass, id++, spec);
  }
  g_type_class_unref (child);
  gst_object_unref (element);
  return id;
}

static void
on_notify (GObject * child, GParamSpec * spec, GObject * bin)
{
  GParamSpec *own = g_object_class_find_property (G_OBJECT_GET_CLASS (bin),
      g_param_spec_get_name (spec));

  if (own != NULL && (own->flags & G_PARAM_WRITABLE) == 0)
    g_object_notify_by_pspec (bin, own);
}

void
gst_tfrc_child_properties_notify (GObject * bin, GObject * child)
{
  /* The handler needs no reference: the bin owns the child and outlives it. */
  g_signal_connect (child, "notify", G_CALLBACK (on_notify), bin);
}
