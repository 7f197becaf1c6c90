/* gst-tfrc: elements for the ends of a measured pipeline, which take next to nothing themselves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ends.h"

typedef GstElement BenchSource;
typedef GstElementClass BenchSourceClass;
typedef GstElement BenchSink;
typedef GstElementClass BenchSinkClass;

static GType bench_source_get_type (void);
static GType bench_sink_get_type (void);

G_DEFINE_TYPE (BenchSource, bench_source, GST_TYPE_ELEMENT);
G_DEFINE_TYPE (BenchSink, bench_sink, GST_TYPE_ELEMENT);

static EndsFunc arrived;

static void
describe (GstElementClass * klass, const gchar * name,
    GstPadDirection direction)
{
  GstCaps *any = gst_caps_new_any ();

  gst_element_class_set_static_metadata (klass, name, "Generic",
      "An end of a measured pipeline", "The gst-tfrc developers");
  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (direction == GST_PAD_SRC ? "src" : "sink",
          direction, GST_PAD_ALWAYS, any));
  gst_caps_unref (any);
}

static GstPad *
add_pad (GstElement * element, const gchar * name)
{
  GstPad *pad =
      gst_pad_new_from_template (gst_element_class_get_pad_template
      (GST_ELEMENT_GET_CLASS (element), name), name);

  gst_element_add_pad (element, pad);
  return pad;
}

static void
bench_source_class_init (BenchSourceClass * klass)
{
  describe (klass, "Bench source", GST_PAD_SRC);
}

static void
bench_source_init (BenchSource * self)
{
  add_pad (self, "src");
}

static GstFlowReturn
chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  arrived (buffer);
  gst_buffer_unref (buffer);
  return GST_FLOW_OK;
}

static void
bench_sink_class_init (BenchSinkClass * klass)
{
  describe (klass, "Bench sink", GST_PAD_SINK);
}

static void
bench_sink_init (BenchSink * self)
{
  gst_pad_set_chain_function (add_pad (self, "sink"), chain);
}

void
ends_register (EndsFunc on_arrival)
{
  arrived = on_arrival;
  gst_element_register (NULL, "benchsource", GST_RANK_NONE,
      bench_source_get_type ());
  gst_element_register (NULL, "benchsink", GST_RANK_NONE,
      bench_sink_get_type ());
}
