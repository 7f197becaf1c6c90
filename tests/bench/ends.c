/* gst-tfrc: elements for the ends of a measured pipeline that themselves cost hardly any time
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

static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);
static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS_ANY);

static void
describe (GstElementClass * klass, const gchar * name,
    GstStaticPadTemplate * template)
{
  gst_element_class_set_static_metadata (klass, name, "Generic",
      "An end of a measured pipeline", "The gst-tfrc developers");
  gst_element_class_add_static_pad_template (klass, template);
}

static GstPad *
add_pad (GstElement * element, GstStaticPadTemplate * template)
{
  GstPad *pad = gst_pad_new_from_static_template (template,
      template->name_template);

  gst_element_add_pad (element, pad);
  return pad;
}

static void
bench_source_class_init (BenchSourceClass * klass)
{
  describe (klass, "Bench source", &src_template);
}

static void
bench_source_init (BenchSource * self)
{
  add_pad (self, &src_template);
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
  describe (klass, "Bench sink", &sink_template);
}

static void
bench_sink_init (BenchSink * self)
{
  gst_pad_set_chain_function (add_pad (self, &sink_template), chain);
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
