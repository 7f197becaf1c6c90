/* gst-tfrc: the sending filter
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstrtptfrcsend.h"

#include <tfrc/wire.h>

#include "gsttfrcenums.h"
#include "gsttfrcrate.h"

GST_DEBUG_CATEGORY_STATIC (rtptfrcsend_debug);
#define GST_CAT_DEFAULT rtptfrcsend_debug

#define DEFAULT_MODE TFRC_MODE_TFRC
#define DEFAULT_MTU 1500
#define DEFAULT_HEADER_SIZE 40
#define DEFAULT_LOSS_MEASURE TFRC_MEASURE_RFC
#define DEFAULT_EXTENSION_ID 0
#define DEFAULT_MIN_BITRATE 0
#define DEFAULT_MAX_BITRATE 0
#define DEFAULT_MAX_QUEUE_TIME (200 * GST_MSECOND)
#define DEFAULT_MAX_QUEUE_PACKETS 1000
#define DEFAULT_SYNC FALSE
#define DEFAULT_CONTEXT ""
#define DEFAULT_FEEDBACK_FMT TFRC_REPORT_FMT
#define DEFAULT_TARGET_BITRATE 0
#define DEFAULT_DSCP -1
#define DEFAULT_PACING TFRC_PACING_RFC

enum
{
  PROP_0,
  PROP_MODE,
  PROP_MTU,
  PROP_HEADER_SIZE,
  PROP_LOSS_MEASURE,
  PROP_EXTENSION_ID,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_MAX_QUEUE_TIME,
  PROP_MAX_QUEUE_PACKETS,
  PROP_SYNC,
  PROP_CONTEXT,
  PROP_FEEDBACK_FMT,
  PROP_RTP_SESSION,
  PROP_TARGET_BITRATE,
  PROP_DSCP,
  PROP_PACING,
  PROP_ALLOWED_BITRATE,
  PROP_ALLOWED_PACKET_SIZE,
  PROP_MAX_PACKET_RATE,
  PROP_ALLOWED_RATE,
  PROP_LOSS_EVENT_RATE,
  PROP_ROUND_TRIP_TIME,
  PROP_SUSPENDED,
  PROP_STATS,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

/* What the user set, under the object lock. */
typedef struct
{
  TfrcMode mode;
  TfrcMeasure loss_measure;
  TfrcPacing pacing;
  guint mtu, header_size;       /* bytes */
  guint extension_id;
  guint min_bitrate, max_bitrate, target_bitrate;       /* bit/s */
  guint64 max_queue_time;       /* ns */
  guint max_queue_packets;
  gboolean sync;
  gchar *context;
  guint feedback_fmt;
  gint dscp;
  GObject *rtp_session;
} Settings;

struct _GstRtpTfrcSend
{
  GstElement parent;

  GstPad *sinkpad, *srcpad;
  Settings settings;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("application/x-rtp"));

G_DEFINE_TYPE_WITH_CODE (GstRtpTfrcSend, gst_rtp_tfrc_send, GST_TYPE_ELEMENT,
    GST_DEBUG_CATEGORY_INIT (rtptfrcsend_debug, "rtptfrcsend", 0,
        "TFRC sender"));
GST_ELEMENT_REGISTER_DEFINE (rtptfrcsend, "rtptfrcsend", GST_RANK_NONE,
    GST_TYPE_RTP_TFRC_SEND);

static GstFlowReturn
gst_rtp_tfrc_send_chain (GstPad * pad, GstObject * parent, GstBuffer * buffer)
{
  return gst_pad_push (GST_RTP_TFRC_SEND (parent)->srcpad, buffer);
}

static void
gst_rtp_tfrc_send_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  Settings *settings = &GST_RTP_TFRC_SEND (object)->settings;

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
    case PROP_MIN_BITRATE:
      settings->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      settings->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_QUEUE_TIME:
      settings->max_queue_time = g_value_get_uint64 (value);
      break;
    case PROP_MAX_QUEUE_PACKETS:
      settings->max_queue_packets = g_value_get_uint (value);
      break;
    case PROP_SYNC:
      settings->sync = g_value_get_boolean (value);
      break;
    case PROP_CONTEXT:
      g_free (settings->context);
      settings->context = g_value_dup_string (value);
      break;
    case PROP_FEEDBACK_FMT:
      settings->feedback_fmt = g_value_get_uint (value);
      break;
    case PROP_RTP_SESSION:
      g_set_object (&settings->rtp_session, g_value_get_object (value));
      break;
    case PROP_TARGET_BITRATE:
      settings->target_bitrate = g_value_get_uint (value);
      break;
    case PROP_DSCP:
      settings->dscp = g_value_get_int (value);
      break;
    case PROP_PACING:
      settings->pacing = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_rtp_tfrc_send_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  Settings *settings = &GST_RTP_TFRC_SEND (object)->settings;

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
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, settings->min_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, settings->max_bitrate);
      break;
    case PROP_MAX_QUEUE_TIME:
      g_value_set_uint64 (value, settings->max_queue_time);
      break;
    case PROP_MAX_QUEUE_PACKETS:
      g_value_set_uint (value, settings->max_queue_packets);
      break;
    case PROP_SYNC:
      g_value_set_boolean (value, settings->sync);
      break;
    case PROP_CONTEXT:
      g_value_set_string (value, settings->context);
      break;
    case PROP_FEEDBACK_FMT:
      g_value_set_uint (value, settings->feedback_fmt);
      break;
    case PROP_RTP_SESSION:
      g_value_set_object (value, settings->rtp_session);
      break;
    case PROP_TARGET_BITRATE:
      g_value_set_uint (value, settings->target_bitrate);
      break;
    case PROP_DSCP:
      g_value_set_int (value, settings->dscp);
      break;
    case PROP_PACING:
      g_value_set_enum (value, settings->pacing);
      break;
    case PROP_STATS:
      g_value_take_boxed (value,
          gst_structure_new_empty ("application/x-tfrc-sender-stats"));
      break;
    default:
      break;
  }
  GST_OBJECT_UNLOCK (object);
}

static void
gst_rtp_tfrc_send_finalize (GObject * object)
{
  Settings *settings = &GST_RTP_TFRC_SEND (object)->settings;

  g_free (settings->context);
  g_clear_object (&settings->rtp_session);
  G_OBJECT_CLASS (gst_rtp_tfrc_send_parent_class)->finalize (object);
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
create_sender_props (void)
{
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate", "Min bitrate",
      "Lowest useful bit rate of the payload; with less the flow is told to "
      "suspend (bit/s, 0: none)", 0, G_MAXUINT, DEFAULT_MIN_BITRATE,
      SETTING_PLAYING);
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate", "Max bitrate",
      "Highest bit rate of the payload that is told to the encoder "
      "(bit/s, 0: no limit)", 0, G_MAXUINT, DEFAULT_MAX_BITRATE,
      SETTING_PLAYING);
  props[PROP_MAX_QUEUE_TIME] = g_param_spec_uint64 ("max-queue-time",
      "Max queue time", "How long a packet may wait for its departure; older "
      "ones are dropped (ns)", 0, G_MAXUINT64, DEFAULT_MAX_QUEUE_TIME,
      SETTING_PLAYING);
  props[PROP_MAX_QUEUE_PACKETS] = g_param_spec_uint ("max-queue-packets",
      "Max queue packets", "How many packets may wait for their departure; "
      "the oldest are dropped (packets)", 1, G_MAXUINT,
      DEFAULT_MAX_QUEUE_PACKETS, SETTING_PLAYING);
  props[PROP_SYNC] = g_param_spec_boolean ("sync", "Sync",
      "Wait for the running time of each packet, for input that is not live",
      DEFAULT_SYNC, SETTING_READY);
  props[PROP_CONTEXT] = g_param_spec_string ("context", "Context",
      "Elements with the same name share one thread for departures that must "
      "wait (empty: a thread of its own)", DEFAULT_CONTEXT, SETTING_READY);
  props[PROP_TARGET_BITRATE] = g_param_spec_uint ("target-bitrate",
      "Target bitrate", "Rate that the network guarantees to this flow "
      "(gTFRC), only with dscp (bit/s, 0: none)", 0, G_MAXUINT,
      DEFAULT_TARGET_BITRATE, SETTING_READY);
  props[PROP_DSCP] = g_param_spec_int ("dscp", "DSCP",
      "Code point by which the network knows the guaranteed flow; the sink "
      "must mark packets with the same (-1: none)", -1, 63, DEFAULT_DSCP,
      SETTING_READY);
  props[PROP_PACING] = g_param_spec_enum ("pacing", "Pacing",
      "How departures are spread within the allowed rate",
      GST_TYPE_TFRC_PACING, DEFAULT_PACING, SETTING_READY);
}

static void
create_readings (void)
{
  props[PROP_ALLOWED_BITRATE] = g_param_spec_uint ("allowed-bitrate",
      "Allowed bitrate", "What an encoder may use: the payload's bit rate at "
      "the present packet rate, headers taken off (bit/s)", 0, G_MAXUINT, 0,
      READING);
  props[PROP_ALLOWED_PACKET_SIZE] = g_param_spec_uint ("allowed-packet-size",
      "Allowed packet size", "What the payload of a packet may be at the "
      "present packet rate (bytes)", 0, G_MAXUINT, 0, READING);
  props[PROP_MAX_PACKET_RATE] = g_param_spec_double ("max-packet-rate",
      "Max packet rate", "Highest packet rate of the mode (packets/s, 0: no "
      "limit)", 0, G_MAXDOUBLE, 0, READING);
  props[PROP_ALLOWED_RATE] = g_param_spec_double ("allowed-rate",
      "Allowed rate", "X of RFC 5348: allowed rate of RTP packets (bytes/s)",
      0, G_MAXDOUBLE, 0, READING);
  props[PROP_LOSS_EVENT_RATE] = g_param_spec_double ("loss-event-rate",
      "Loss event rate", "p of RFC 5348: loss events per packet, as the "
      "receiver reports it (ratio)", 0, 1, 0, READING);
  props[PROP_ROUND_TRIP_TIME] = g_param_spec_uint64 ("round-trip-time",
      "Round-trip time", "R of RFC 5348 (ns, 0: unknown)", 0, G_MAXUINT64, 0,
      READING);
  props[PROP_SUSPENDED] = g_param_spec_boolean ("suspended", "Suspended",
      "The allowance is below min-bitrate", FALSE, READING);
  props[PROP_STATS] = g_param_spec_boxed ("stats", "Statistics",
      "Counters and state: structure application/x-tfrc-sender-stats",
      GST_TYPE_STRUCTURE, READING);
}

static void
gst_rtp_tfrc_send_class_init (GstRtpTfrcSendClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_rtp_tfrc_send_set_property;
  object_class->get_property = gst_rtp_tfrc_send_get_property;
  object_class->finalize = gst_rtp_tfrc_send_finalize;

  create_protocol_props ();
  create_sender_props ();
  create_readings ();
  g_object_class_install_properties (object_class, N_PROPS, props);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC sender",
      "Filter/Network/RTP",
      "Sends RTP packets when TCP-friendly rate control allows it, and tells "
      "the encoder what it may use", "The gst-tfrc developers");
}

static void
gst_rtp_tfrc_send_init (GstRtpTfrcSend * self)
{
  self->settings = (Settings) {
    .mode = DEFAULT_MODE,
    .loss_measure = DEFAULT_LOSS_MEASURE,
    .pacing = DEFAULT_PACING,
    .mtu = DEFAULT_MTU,
    .header_size = DEFAULT_HEADER_SIZE,
    .extension_id = DEFAULT_EXTENSION_ID,
    .max_queue_time = DEFAULT_MAX_QUEUE_TIME,
    .max_queue_packets = DEFAULT_MAX_QUEUE_PACKETS,
    .sync = DEFAULT_SYNC,
    .context = g_strdup (DEFAULT_CONTEXT),
    .feedback_fmt = DEFAULT_FEEDBACK_FMT,
    .dscp = DEFAULT_DSCP,
  };

  self->sinkpad = gst_pad_new_from_static_template (&sink_template, "sink");
  gst_pad_set_chain_function (self->sinkpad, gst_rtp_tfrc_send_chain);
  GST_PAD_SET_PROXY_CAPS (self->sinkpad);
  gst_element_add_pad (GST_ELEMENT (self), self->sinkpad);

  self->srcpad = gst_pad_new_from_static_template (&src_template, "src");
  GST_PAD_SET_PROXY_CAPS (self->srcpad);
  gst_element_add_pad (GST_ELEMENT (self), self->srcpad);
}
