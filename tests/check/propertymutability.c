/* gst-tfrc tests: the states in which a property may be set
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include <gst/check/gstcheck.h>

#include "base/propertymutability.h"
#include "heap.h"

/* --- an element with a property for each state --- */

enum
{
  PROP_0,
  PROP_NULL,
  PROP_READY,
  PROP_PAUSED,
  PROP_PLAYING,
  PROP_SECRET,
  PROP_STRUCTURE,
  PROP_OBJECT
};

typedef struct
{
  GstElement parent;
  guint values[PROP_SECRET + 1];
  GstStructure *structure;
  GObject *object;
} Probe;

typedef GstElementClass ProbeClass;

static GType probe_get_type (void);

G_DEFINE_TYPE (Probe, probe, GST_TYPE_ELEMENT);

static void
probe_set_property (GObject * object, guint id, const GValue * value,
    GParamSpec * spec)
{
  Probe *self = (Probe *) object;

  if (!gst_tfrc_property_may_change (object, spec, value))
    return;
  if (id == PROP_STRUCTURE) {
    g_clear_pointer (&self->structure, gst_structure_free);
    self->structure = g_value_dup_boxed (value);
  } else if (id == PROP_OBJECT) {
    g_set_object (&self->object, g_value_get_object (value));
  } else {
    self->values[id] = g_value_get_uint (value);
  }
}

static void
probe_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * spec)
{
  Probe *self = (Probe *) object;

  if (id == PROP_STRUCTURE)
    g_value_set_boxed (value, self->structure);
  else if (id == PROP_OBJECT)
    g_value_set_object (value, self->object);
  else
    g_value_set_uint (value, self->values[id]);
}

static void
install (ProbeClass * klass, guint id, const gchar * name, GParamFlags flags)
{
  g_object_class_install_property (G_OBJECT_CLASS (klass), id,
      g_param_spec_uint (name, name, name, 0, G_MAXUINT, 0, flags));
}

static void
probe_finalize (GObject * object)
{
  Probe *self = (Probe *) object;

  g_clear_pointer (&self->structure, gst_structure_free);
  g_clear_object (&self->object);
  G_OBJECT_CLASS (probe_parent_class)->finalize (object);
}

static void
probe_class_init (ProbeClass * klass)
{
  G_OBJECT_CLASS (klass)->set_property = probe_set_property;
  G_OBJECT_CLASS (klass)->get_property = probe_get_property;
  G_OBJECT_CLASS (klass)->finalize = probe_finalize;
  install (klass, PROP_NULL, "of-null", G_PARAM_READWRITE);
  install (klass, PROP_READY, "of-ready",
      G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY);
  install (klass, PROP_PAUSED, "of-paused",
      G_PARAM_READWRITE | GST_PARAM_MUTABLE_PAUSED);
  install (klass, PROP_PLAYING, "of-playing",
      G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING);
  install (klass, PROP_SECRET, "secret",
      G_PARAM_WRITABLE | GST_PARAM_MUTABLE_READY);
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_STRUCTURE,
      g_param_spec_boxed ("structure", "structure", "structure",
          GST_TYPE_STRUCTURE, G_PARAM_READWRITE));
  g_object_class_install_property (G_OBJECT_CLASS (klass), PROP_OBJECT,
      g_param_spec_object ("object", "object", "object", G_TYPE_OBJECT,
          G_PARAM_READWRITE));
}

static void
probe_init (Probe * self)
{
}

/* --- tests --- */

static Probe *probe;
static GstBus *bus;

static void
set_up (void)
{
  probe = g_object_ref_sink (g_object_new (probe_get_type (), NULL));
  bus = gst_bus_new ();
  gst_element_set_bus (GST_ELEMENT (probe), bus);
}

static void
tear_down (void)
{
  gst_element_set_bus (GST_ELEMENT (probe), NULL);
  gst_element_set_state (GST_ELEMENT (probe), GST_STATE_NULL);
  gst_object_unref (probe);
  gst_object_unref (bus);
}

/* The text of the one warning; NULL: there is none. */
static gchar *
take_warning (void)
{
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  GError *error = NULL;
  gchar *text;

  if (message == NULL)
    return NULL;
  gst_message_parse_warning (message, &error, NULL);
  fail_unless (g_error_matches (error, GST_RESOURCE_ERROR,
          GST_RESOURCE_ERROR_SETTINGS));
  text = g_strdup (error->message);
  g_error_free (error);
  gst_message_unref (message);
  fail_unless (gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING) == NULL);
  return text;
}

static void
expect_taken (const gchar * name, guint value)
{
  guint now;

  g_object_set (probe, name, value, NULL);
  g_object_get (probe, name, &now, NULL);
  fail_unless_equals_int (now, value);
  fail_unless (take_warning () == NULL);
}

static void
expect_refused (const gchar * name, guint value, const gchar * state,
    const gchar * where)
{
  gchar *expected = g_strdup_printf ("The property \"%s\" cannot be changed in "
      "the state %s and keeps its value. Set it in the state %s.", name, state,
      where);
  gchar *text;

  g_object_set (probe, name, value, NULL);
  text = take_warning ();
  fail_unless_equals_string (text, expected);
  g_free (text);
  g_free (expected);
}

GST_START_TEST (each_property_has_its_last_state)
{
  static const gchar *const names[] =
      { "of-null", "of-ready", "of-paused", "of-playing" };
  static const gchar *const wheres[] =
      { "NULL", "NULL or READY", "NULL or READY", "NULL or READY" };
  GstState state;
  guint i;

  for (state = GST_STATE_NULL; state <= GST_STATE_PLAYING; state++) {
    fail_unless_equals_int (gst_element_set_state (GST_ELEMENT (probe), state),
        GST_STATE_CHANGE_SUCCESS);
    for (i = 0; i < G_N_ELEMENTS (names); i++) {
      guint before;

      g_object_get (probe, names[i], &before, NULL);
      if (state <= GST_STATE_NULL + i) {
        expect_taken (names[i], 10 * state + 1);
        continue;
      }
      expect_refused (names[i], 1000, gst_element_state_get_name (state),
          wheres[i]);
      /* what it has already is no change */
      expect_taken (names[i], before);
    }
  }
}

GST_END_TEST;

/* The state that an element goes to counts, from the moment at which it begins to. */
GST_START_TEST (the_higher_state_counts)
{
  GST_OBJECT_LOCK (probe);
  GST_STATE_NEXT (probe) = GST_STATE_READY;
  GST_OBJECT_UNLOCK (probe);
  expect_refused ("of-null", 1, "READY", "NULL");
  expect_taken ("of-ready", 1);
  GST_OBJECT_LOCK (probe);
  GST_STATE (probe) = GST_STATE_PAUSED;
  GST_STATE_NEXT (probe) = GST_STATE_READY;
  GST_OBJECT_UNLOCK (probe);
  expect_refused ("of-ready", 2, "PAUSED", "NULL or READY");
}

GST_END_TEST;

/* Whether a value that cannot be read is the same is not told. */
GST_START_TEST (a_secret_is_always_a_change)
{
  g_object_set (probe, "secret", 7, NULL);
  fail_unless (take_warning () == NULL);
  fail_unless_equals_int (probe->values[PROP_SECRET], 7);
  gst_element_set_state (GST_ELEMENT (probe), GST_STATE_PAUSED);
  expect_refused ("secret", 7, "PAUSED", "NULL or READY");
  expect_refused ("secret", 8, "PAUSED", "NULL or READY");
  fail_unless_equals_int (probe->values[PROP_SECRET], 7);
}

GST_END_TEST;

static void
set_structure (guint n)
{
  GstStructure *structure =
      gst_structure_new ("structure", "n", G_TYPE_UINT, n, NULL);

  g_object_set (probe, "structure", structure, NULL);
  gst_structure_free (structure);
}

/* Structures are compared by what is in them, objects by which they are. */
GST_START_TEST (an_equal_value_is_no_change)
{
  GObject *object = g_object_new (G_TYPE_OBJECT, NULL);
  GObject *other = g_object_new (G_TYPE_OBJECT, NULL);
  gsize before = 0;
  gchar *text;
  guint i;

  set_structure (7);
  g_object_set (probe, "object", object, NULL);
  gst_element_set_state (GST_ELEMENT (probe), GST_STATE_PLAYING);
  set_structure (7);
  g_object_set (probe, "object", object, NULL);
  fail_unless (take_warning () == NULL);
  for (i = 0; i < 2000; i++) {
    if (i == 1000)
      before = heap_get_used ();
    set_structure (7);
  }
  fail_unless (heap_get_used () < before + 10000);
  set_structure (8);
  text = take_warning ();
  fail_unless (text != NULL);
  g_free (text);
  g_object_set (probe, "object", other, NULL);
  text = take_warning ();
  fail_unless (text != NULL);
  g_free (text);
  g_object_unref (object);
  g_object_unref (other);
}

GST_END_TEST;

static Suite *
propertymutability_suite (void)
{
  Suite *s = suite_create ("propertymutability");
  TCase *tc = tcase_create ("general");

  suite_add_tcase (s, tc);
  tcase_add_checked_fixture (tc, set_up, tear_down);
  tcase_add_test (tc, each_property_has_its_last_state);
  tcase_add_test (tc, the_higher_state_counts);
  tcase_add_test (tc, a_secret_is_always_a_change);
  tcase_add_test (tc, an_equal_value_is_no_change);
  return s;
}

GST_CHECK_MAIN (propertymutability);
