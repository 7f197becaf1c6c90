/* gst-tfrc: the receiving filter
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstrtptfrcreceive.h"

#include <tfrc/wire.h>

#include "gsttfrcenums.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcreceive_debug);
#define GST_CAT_DEFAULT rtptfrcreceive_debug

#define DEFAULT_MODE TFRC_MODE_TFRC
#define DEFAULT_MTU 1500
#define DEFAULT_HEADER_SIZE 40
#define DEFAULT_LOSS_MEASURE TFRC_MEASURE_RFC
#define DEFAULT_EXTENSION_ID 0
#define DEFAULT_FEEDBACK_FMT TFRC_REPORT_FMT

enum
{
  PROP_0,
  PROP_MODE,
  PROP_MTU,
  PROP_HEADER_SIZE,
  PROP_LOSS_MEASURE,
  PROP_EXTENSION_ID,
  PROP_FEEDBACK_FMT,
  PROP_RTP_SESSION,
  PROP_RECEIVE_RATE,
  PROP_LOSS_EVENT_RATE,
  PROP_ROUND_TRIP_TIME,
  PROP_STATS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* What the user set, under the object lock. */
typedef struct
{
  TfrcMode mode;
  TfrcMeasure loss_measure;
  guint mtu, header_size;       /* bytes */
  guint extension_id;
  guint feedback_fmt;
  GObject *rtp_session;
} Settings;

struct _GstRtpTfrcReceive
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  Settings settings;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpTfrcReceive, gst_rtp_tfrc_receive, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (rtptfrcreceive_debug, "rtptfrcreceive", 0,
        "TFRC receiver"));
GST_ELEMENT_REGISTER_DEFINE (rtptfrcreceive, "rtptfrcreceive", GST_RANK_NONE,
    GST_TYPE_RTP_TFRC_RECEIVE);

static GstFlowReturn
gst_rtp_tfrc_receive_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return gst_pad_push (GST_RTP_TFRC_RECEIVE (parent)->srcpad, buffer);
}

static void
gst_rtp_tfrc_receive_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_RTP_TFRC_RECEIVE (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_MODE:
      settings->mode = g_value_get_enum (value);
      break;
    case PROP_MTU:
      settings->mtu = g_value_get_uint (value);
      break;
    case PROP_HEADER_SIZE:
      settings->header_size = g_value_get_uint (value);
      break;
    case PROP_LOSS_MEASURE:
      settings->loss_measure = g_value_get_enum (value);
      break;
    case PROP_EXTENSION_ID:
      settings->extension_id = g_value_get_uint (value);
      break;
    case PROP_FEEDBACK_FMT:
      settings->feedback_fmt = g_value_get_uint (value);
      break;
    case PROP_RTP_SESSION:
      g_set_object (&settings->rtp_session, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_rtp_tfrc_receive_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  Settings *settings = &GST_RTP_TFRC_RECEIVE (object)->settings;

  GST_OBJECT_LOCK (object);
  switch (id) {
    case PROP_MODE:
      g_value_set_enum (value, settings->mode);
      break;
    case PROP_MTU:
      g_value_set_uint (value, settings->mtu);
      break;
    case PROP_HEADER_SIZE:
      g_value_set_uint (value, settings->header_size);
      break;
    case PROP_LOSS_MEASURE:
      g_value_set_enum (value, settings->loss_measure);
      break;
    case PROP_EXTENSION_ID:
      g_value_set_uint (value, settings->extension_id);
      break;
    case PROP_FEEDBACK_FMT:
      g_value_set_uint (value, settings->feedback_fmt);
      break;
    case PROP_RTP_SESSION:
      g_value_set_object (value, settings->rtp_session);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_structure_new_empty ("application/x-tfrc-receiver-stats"));
      break;
    default:
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_rtp_tfrc_receive_finalize (GObject * object)
{
  Settings *settings = &GST_RTP_TFRC_RECEIVE (object)->settings;

  g_clear_object (&settings->rtp_session);
  G_OBJECT_CLASS (gst_rtp_tfrc_receive_parent_class)->finalize (object);
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define SETTING_READY (SETTING | GST_PARAM_MUTABLE_READY)
#define SETTING_PLAYING (SETTING | GST_PARAM_MUTABLE_PLAYING)
#define READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
create_protocol_props (void)
{
  props[PROP_MODE] = g_param_spec_enum ("mode", "Mode",
      "tfrc: RFC 5348; tfrc-sp: RFC 4828, for small packets such as voice. "
      "Both ends must use the same", GST_TYPE_TFRC_MODE, DEFAULT_MODE,
      SETTING_READY);
  props[PROP_MTU] = g_param_spec_uint ("mtu", "MTU",
      "Largest IP packet of the path (bytes)", 576, 65535, DEFAULT_MTU,
      SETTING_READY);
  props[PROP_HEADER_SIZE] = g_param_spec_uint ("header-size", "Header size",
      "Bytes below RTP in each packet: 28 for UDP over IPv4, 48 over IPv6; "
      "RFC 4828 uses 40 (bytes)", 0, 512, DEFAULT_HEADER_SIZE, SETTING_READY);
  props[PROP_LOSS_MEASURE] = g_param_spec_enum ("loss-measure", "Loss measure",
      "How loss intervals are measured; all but rfc are experiments and both "
      "ends must use the same", GST_TYPE_TFRC_MEASURE, DEFAULT_LOSS_MEASURE,
      SETTING_READY);
  props[PROP_EXTENSION_ID] = g_param_spec_uint ("extension-id", "Extension ID",
      "ID of the RTP header extension " TFRC_STAMP_URI
      " (0: from extmap-<id> of the caps, 3 when they have none)", 0, 255,
      DEFAULT_EXTENSION_ID, SETTING_READY);
  props[PROP_FEEDBACK_FMT] = g_param_spec_uint ("feedback-fmt", "Feedback FMT",
      "FMT of the RTPFB packets that carry TFRC reports", 1, 31,
      DEFAULT_FEEDBACK_FMT, SETTING_READY);
  props[PROP_RTP_SESSION] = g_param_spec_object ("rtp-session", "RTP session",
      "The internal-session of the rtpsession that carries the flow's RTCP "
      "(not set: found by following the pads)", G_TYPE_OBJECT, SETTING_READY);
}

static void
create_readings (void)
{
  props[PROP_RECEIVE_RATE] = g_param_spec_double ("receive-rate",
      "Receive rate", "X_recv of RFC 5348: rate of the RTP packets that arrive (bytes/s)",
      0, G_MAXDOUBLE, 0, READING);
  props[PROP_LOSS_EVENT_RATE] = g_param_spec_double ("loss-event-rate",
      "Loss event rate", "p of RFC 5348: loss events per packet, as "
      "measured here (ratio)", 0, 1, 0, READING);
  props[PROP_ROUND_TRIP_TIME] = g_param_spec_uint64 ("round-trip-time",
      "Round-trip time", "R of RFC 5348, as the sender tells it "
      "(ns, 0: unknown)", 0, G_MAXUINT64, 0,
      READING);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "Counters and state: structure application/x-tfrc-receiver-stats",
      GST_TYPE_STRUCTURE, READING);
}

static void
gst_rtp_tfrc_receive_class_init (GstRtpTfrcReceiveClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rtp_tfrc_receive_set_property;
  object_class->get_property = gst_rtp_tfrc_receive_get_property;
  object_class->finalize = gst_rtp_tfrc_receive_finalize;

  create_protocol_props ();
  create_readings ();
  g_object_class_install_properties (object_class, N_PROPS, props);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC receiver",
      "Filter/Network/RTP",
      "Measures what arrives for TCP-friendly rate control and reports it to "
      "the sender", "The gst-tfrc developers");
}

static void
gst_rtp_tfrc_receive_init (GstRtpTfrcReceive * self)
{
  self->settings = (Settings) {
    .mode = DEFAULT_MODE,
    .loss_measure = DEFAULT_LOSS_MEASURE,
    .mtu = DEFAULT_MTU,
    .header_size = DEFAULT_HEADER_SIZE,
    .extension_id = DEFAULT_EXTENSION_ID,
    .feedback_fmt = DEFAULT_FEEDBACK_FMT,
  };

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_tfrc_receive_chain);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
