/* gst-tfrc: an audio encoder that follows what TFRC allows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcencodebin
 * @title: tfrcencodebin
 * @short_description: Encodes voice for a path that changes
 *
 * Raw audio in, RTP with Opus out. It obeys the upstream event
 * `application/x-tfrc-rate` that tfrcsink and rtptfrcsend emit: among the
 * operating points (bit rate, frame length, forward error correction) whose cost
 * on the wire fits what is allowed, headers counted, it takes the one that
 * sounds best by the ITU-T E-model under the measured loss and delay. The loss
 * goes to the encoder's error correction.
 *
 * Nothing is reduced for a dip shorter than four round-trip times, all at once
 * when less than half is left, and room must last before it is used (RFC 4828
 * section 6). When even the cheapest point is too much for long, nothing is sent
 * until the average is within what is allowed (RFC 3714).
 *
 * For far ends that cannot follow, #GstTfrcEncodeBin:ptime fixes the frame length
 * and #GstTfrcEncodeBin:adaptive switches the adaptation off.
 *
 * Each switch is told by notify of the read-only properties and by an element
 * message `application/x-tfrc-choice` on the bus.
 *
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004 mode=tfrc-sp
 * ]|
 *
 * Since: 0.1
 */
#include "gsttfrcencodebin.h"

#include <gst/pbutils/missing-plugins.h>
#include <gst/rtp/rtp.h>
#include <tfrc/wire.h>

#include "gsttfrcchooser.h"
#include "gsttfrccodec.h"
#include "gsttfrcjoin.h"
#include "gsttfrcrouter.h"

GST_DEBUG_CATEGORY_STATIC (tfrcencodebin_debug);
#define GST_CAT_DEFAULT tfrcencodebin_debug

#define GST_TFRC_CHOICE_NAME "application/x-tfrc-choice"

enum
{
  PROP_0,
  PROP_ADAPTIVE,
  PROP_BITRATE,
  PROP_MIN_BITRATE,
  PROP_MAX_BITRATE,
  PROP_PTIME,
  PROP_MIN_PTIME,
  PROP_MAX_PTIME,
  PROP_MAX_PACKET_SIZE,
  PROP_INBAND_FEC,
  PROP_DTX,
  PROP_REDUNDANCY,
  PROP_CODECS,
  PROP_CODEC,
  PROP_PT,
  PROP_RED_PT,
  PROP_EXTENSION_ID,
  PROP_CURRENT_BITRATE,
  PROP_CURRENT_PTIME,
  PROP_CURRENT_FEC,
  PROP_CURRENT_REDUNDANCY,
  PROP_CURRENT_CODEC,
  PROP_EXPECTED_LOSS,
  PROP_EXPECTED_QUALITY,
  PROP_SUSPENDED,
  N_PROPS
};

#define DEFAULT_BITRATE 16000
#define DEFAULT_MIN_BITRATE 6000
#define DEFAULT_MAX_BITRATE 64000
#define DEFAULT_MIN_PTIME (20 * GST_MSECOND)
#define DEFAULT_MAX_PTIME (60 * GST_MSECOND)
#define DEFAULT_PT 96
#define DEFAULT_RED_PT 97
#define DEFAULT_CODECS "OPUS"
#define DEFAULT_EXTENSION_ID 3

/* RTP header, and the header extension with TFRC's stamp alone in it. */
#define RTP_OVERHEAD (12 + 12)

/* Shorter than what the router remembers, a packet in the making counted. */
#define WARM_UP (120 * GST_MSECOND)

static GParamSpec *props[N_PROPS];

typedef struct
{
  gboolean adaptive;
  guint bitrate, min_bitrate, max_bitrate;      /* bit/s */
  GstClockTime ptime, min_ptime, max_ptime;
  guint max_packet_size;        /* bytes of RTP packet */
  gboolean inband_fec, dtx;
  guint redundancy;             /* packets back */
  gchar *codecs;                /* encoding names, the first is the first used */
  gchar *codec;                 /* the only one for now, or NULL */
  guint pt, red_pt, extension_id;
} Settings;

/* One codec: convert ! resample ! capsfilter ! encoder ! payloader. */
typedef struct
{
  const GstTfrcCodec *codec;
  GPtrArray *elements;          /* in the order of the flow */
  GstElement *encoder, *payloader;
  gboolean used;
} Branch;

struct _GstTfrcEncodeBin
{
  GstBin parent;
  GstTfrcRouter *router;
  GstTfrcJoin *join;
  GArray *branches;             /* Branch; READY and above */
  GstTfrcChooser *chooser;

  /* object lock */
  Settings settings;
  gboolean reconfigure;
  TfrcChoice choice;            /* the one that was applied; written by the streaming thread */

  /* streaming thread */
  guint active;                 /* branch */
  guint redundancy;             /* that the far end takes */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-raw"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media=(string)audio"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcEncodeBin, gst_tfrc_encode_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (tfrcencodebin_debug, "tfrcencodebin", 0,
        "TFRC encode bin"));
GST_ELEMENT_REGISTER_DEFINE (tfrcencodebin, "tfrcencodebin", GST_RANK_NONE,
    GST_TYPE_TFRC_ENCODE_BIN);

/* Without a clock time stands still: nothing has to be waited for before the
 * pipeline plays. */
static GstClockTime
get_now (GstTfrcEncodeBin * self)
{
  GstClock *clock = gst_element_get_clock (GST_ELEMENT (self));
  GstClockTime now = 0;

  if (clock != NULL) {
    now = gst_clock_get_time (clock);
    gst_object_unref (clock);
  }
  return now;
}

/* --- the choice ------------------------------------------------------------- */

static void
limits_from_settings (const Settings * settings, guint32 codecs,
    TfrcLimits * limits)
{
  GstClockTime min = settings->ptime ? settings->ptime : settings->min_ptime;
  GstClockTime max = settings->ptime ? settings->ptime : settings->max_ptime;

  tfrc_limits_init (limits);
  limits->codecs = codecs;
  limits->min_bitrate = settings->min_bitrate;
  limits->max_bitrate = settings->max_bitrate;
  limits->min_frame_us = min / GST_USECOND;
  limits->max_frame_us = max / GST_USECOND;
  if (settings->max_packet_size > 0)
    limits->max_payload =
        MAX (settings->max_packet_size, RTP_OVERHEAD + 1) - RTP_OVERHEAD;
  limits->fec = settings->inband_fec;
  limits->max_redundancy = settings->redundancy;
  if (!settings->adaptive) {
    limits->min_bitrate = limits->max_bitrate = settings->bitrate;
    limits->max_frame_us = limits->min_frame_us;
    limits->fec = FALSE;
    limits->max_redundancy = 0;
  }
}

/* Those that there are branches for. */
static guint32
get_codecs (GstTfrcEncodeBin * self)
{
  guint32 codecs = 0;
  guint i;

  for (i = 0; i < self->branches->len; i++)
    codecs |= 1u << g_array_index (self->branches, Branch, i).codec->id;
  return codecs;
}

/* Not every encoder can fall silent by itself. */
static void
set_dtx (GstTfrcEncodeBin * self, gboolean dtx)
{
  guint i;

  for (i = 0; i < self->branches->len; i++) {
    GObject *encoder =
        G_OBJECT (g_array_index (self->branches, Branch, i).encoder);

    if (g_object_class_find_property (G_OBJECT_GET_CLASS (encoder), "dtx"))
      g_object_set (encoder, "dtx", dtx, NULL);
  }
}

/* FALSE when the settings contradict each other; then an error was posted. */
static gboolean
configure (GstTfrcEncodeBin * self)
{
  Settings settings;
  TfrcLimits limits;
  TfrcAdaptConfig config;
  const GstTfrcCodec *codec;
  guint32 codecs;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  codec = gst_tfrc_codec_find (settings.codec);
  self->reconfigure = FALSE;
  GST_OBJECT_UNLOCK (self);

  codecs = get_codecs (self);
  if (codec != NULL && codecs & (1u << codec->id))
    codecs = 1u << codec->id;
  limits_from_settings (&settings, codecs, &limits);
  tfrc_adapt_config_init (&config);
  config.start_bitrate = settings.bitrate;
  config.seed = g_random_int ();
  set_dtx (self, settings.dtx);
  self->redundancy = settings.redundancy;
  if (gst_tfrc_chooser_configure (self->chooser, &limits, &config,
          settings.adaptive, get_now (self)))
    return TRUE;

  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
      ("No way to encode is within %u to %u bit/s, frames of %u to %u us and "
          "packets of %u bytes. Opus has frames of 10, 20, 40 and 60 ms and "
          "any bit rate, other codecs fewer: set min-ptime and max-ptime (or "
          "ptime) to include one, min-bitrate not above max-bitrate, and "
          "max-packet-size to 0 (no limit) or more",
          limits.min_bitrate, limits.max_bitrate, limits.min_frame_us,
          limits.max_frame_us, settings.max_packet_size));
  return FALSE;
}

static void
tell_application (GstTfrcEncodeBin * self, const TfrcChoice * choice)
{
  static const gint told[] = { PROP_CURRENT_BITRATE, PROP_CURRENT_PTIME,
    PROP_CURRENT_FEC, PROP_CURRENT_REDUNDANCY, PROP_CURRENT_CODEC,
    PROP_EXPECTED_LOSS, PROP_EXPECTED_QUALITY, PROP_SUSPENDED
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (told); i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[told[i]]);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_TFRC_CHOICE_NAME,
              "codec", G_TYPE_STRING,
              tfrc_codec_get_name (choice->point.codec),
              "bitrate", G_TYPE_UINT, choice->point.bitrate,
              "ptime", G_TYPE_UINT64, choice->point.frame_us * GST_USECOND,
              "inband-fec", G_TYPE_BOOLEAN, choice->point.fec,
              "redundancy", G_TYPE_UINT, (guint) choice->point.redundancy,
              "loss-percentage", G_TYPE_UINT, choice->loss_percent,
              "quality", G_TYPE_DOUBLE, choice->mos,
              "suspended", G_TYPE_BOOLEAN, choice->suspended, NULL)));
}

static guint
find_branch (GstTfrcEncodeBin * self, TfrcCodec codec)
{
  guint i;

  for (i = 0; i < self->branches->len; i++) {
    if (g_array_index (self->branches, Branch, i).codec->id == codec)
      return i;
  }
  g_return_val_if_reached (0);
}

/* How long before `end` an encoder must begin so that one of its packets begins
 * at `end`. The frames before, of which only copies are sent, warm it and its
 * decoder: a cold Opus is too quiet for its first tenth of a second. Other codecs
 * start cold at both ends, which have to agree in what they predict from. */
static GstClockTime
get_warm_up (const Branch * branch, const TfrcPoint * point)
{
  GstClockTime frame = point->frame_us * GST_USECOND;
  guint frames = MAX (1, WARM_UP / frame);

  return branch->codec->lookahead > 0 ?
      frames * frame - branch->codec->lookahead : 0;
}

/* The new codec's first packet begins where the old one's last ends. */
static void
switch_branch (GstTfrcEncodeBin * self, guint index, const TfrcPoint * point)
{
  Branch *branch = &g_array_index (self->branches, Branch, index);
  GstClockTime end = gst_tfrc_join_get_end (self->join), from = G_MAXUINT64;

  if (branch->used)
    gst_tfrc_router_flush (self->router, index);
  if (GST_CLOCK_TIME_IS_VALID (end))
    from = end - MIN (end, get_warm_up (branch, point));
  self->active = index;
  /* Only when it starts does an encoder take its look-ahead off the time. */
  gst_tfrc_join_switch (self->join, index, end,
      branch->used ? branch->codec->lookahead : 0, self->redundancy > 0);
  branch->used = TRUE;
  gst_tfrc_router_switch (self->router, index, from);
}

static void
apply (GstTfrcEncodeBin * self, const TfrcChoice * choice)
{
  guint index = find_branch (self, choice->point.codec);
  Branch *branch = &g_array_index (self->branches, Branch, index);

  GST_INFO_OBJECT (self, "%s: %u bit/s, %u us, fec %d, redundancy %u, "
      "loss %u %%, need %.0f of %.0f bytes/s, quality %.2f%s",
      tfrc_codec_get_name (choice->point.codec), choice->point.bitrate,
      choice->point.frame_us, choice->point.fec, choice->point.redundancy,
      choice->loss_percent, choice->need, choice->allowed, choice->mos,
      choice->suspended ? ", suspended" : "");
  branch->codec->apply (branch->encoder, branch->payloader, &choice->point,
      choice->loss_percent);
  gst_tfrc_join_set_redundancy (self->join, choice->point.redundancy);
  gst_tfrc_join_set_silent (self->join, choice->suspended);
  if (index != self->active)
    switch_branch (self, index, &choice->point);

  GST_OBJECT_LOCK (self);
  self->choice = *choice;
  GST_OBJECT_UNLOCK (self);
  tell_application (self, choice);
}

/* Streaming thread, between two pieces of audio: the only place where the
 * encoder is told anything. */
static void
before_piece (gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);
  gboolean reconfigure;
  TfrcChoice choice;

  GST_OBJECT_LOCK (self);
  reconfigure = self->reconfigure;
  GST_OBJECT_UNLOCK (self);
  if (reconfigure && !configure (self))
    return;
  if (gst_tfrc_chooser_poll (self->chooser, &choice, get_now (self)) != 0)
    apply (self, &choice);
}

/* --- pads ------------------------------------------------------------------- */

static GstPadProbeReturn
on_upstream_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);
  GstTfrcRate rate;

  if (gst_tfrc_rate_parse_event (GST_PAD_PROBE_INFO_EVENT (info), &rate))
    gst_tfrc_chooser_on_rate (self->chooser, &rate, get_now (self));
  return GST_PAD_PROBE_OK;
}

static void
on_encoded (gsize size, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);

  gst_tfrc_chooser_on_encoded (self->chooser, size, get_now (self));
}

static void
add_ghost_pad (GstTfrcEncodeBin * self, GstStaticPadTemplate * template,
    GstElement * element)
{
  GstPadTemplate *t = gst_static_pad_template_get (template);
  GstPad *target = gst_element_get_static_pad (element, t->name_template);

  if (t->direction == GST_PAD_SRC)
    gst_pad_add_probe (target, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
        on_upstream_event, self, NULL);
  gst_element_add_pad (GST_ELEMENT (self),
      gst_ghost_pad_new_from_template (t->name_template, target, t));
  gst_object_unref (target);
  gst_object_unref (t);
}

/* --- branches ---------------------------------------------------------------- */

static GstElement *
make_capsfilter (gint rate)
{
  GstElement *filter = gst_element_factory_make ("capsfilter", NULL);
  GstCaps *caps = gst_caps_new_simple ("audio/x-raw",
      "rate", G_TYPE_INT, rate, "channels", G_TYPE_INT, 1, NULL);

  g_object_set (filter, "caps", caps, NULL);
  gst_caps_unref (caps);
  return filter;
}

/* The payloader reserves the stamp's bytes, and its caps say under which id. */
static void
reserve_stamp (GstTfrcEncodeBin * self, GstElement * payloader)
{
  GstRTPHeaderExtension *ext =
      gst_rtp_header_extension_create_from_uri (TFRC_STAMP_URI);

  if (ext == NULL) {
    GST_WARNING_OBJECT (self, "no %s: rtptfrcsend must insert it",
        TFRC_STAMP_URI);
    return;
  }
  gst_rtp_header_extension_set_id (ext, self->settings.extension_id);
  g_signal_emit_by_name (payloader, "add-extension", ext);
  gst_object_unref (ext);
}

static void
branch_add (GstTfrcEncodeBin * self, Branch * branch, GstElement * element)
{
  gst_bin_add (GST_BIN (self), element);
  g_ptr_array_add (branch->elements, element);
}

static void
branch_link (GstTfrcEncodeBin * self, Branch * branch, guint red_pt)
{
  GstPad *head = gst_element_get_static_pad (branch->elements->pdata[0],
      "sink");
  GstPad *tail = gst_element_get_static_pad (branch->payloader, "src");
  guint i;

  for (i = 1; i < branch->elements->len; i++)
    gst_element_link (branch->elements->pdata[i - 1],
        branch->elements->pdata[i]);
  gst_pad_link (gst_tfrc_router_add_pad (self->router), head);
  gst_pad_link (tail, gst_tfrc_join_add_pad (self->join,
          branch->codec->clock_rate, red_pt));
  gst_object_unref (head);
  gst_object_unref (tail);
}

/* `ssrc` and `timestamp`: the stream goes on when another branch takes over. */
static void
add_branch (GstTfrcEncodeBin * self, const GstTfrcCodec * codec, guint32 ssrc,
    guint32 timestamp)
{
  gboolean opus = codec->id == TFRC_CODEC_OPUS;
  Branch branch = {.codec = codec,.elements = g_ptr_array_new () };

  branch.encoder = gst_tfrc_codec_make (codec->encoder, codec->encoder_setup);
  branch.payloader = gst_tfrc_codec_make (codec->payloader, NULL);
  g_object_set (branch.payloader,
      "pt", opus ? self->settings.pt : codec->pt, "ssrc", ssrc,
      "timestamp-offset", timestamp, NULL);
  reserve_stamp (self, branch.payloader);
  branch_add (self, &branch, gst_element_factory_make ("audioconvert", NULL));
  branch_add (self, &branch, gst_element_factory_make ("audioresample", NULL));
  branch_add (self, &branch, make_capsfilter (codec->rate));
  branch_add (self, &branch, branch.encoder);
  branch_add (self, &branch, branch.payloader);
  branch_link (self, &branch, opus ? self->settings.red_pt :
      gst_tfrc_codec_get_red_pt (codec->clock_rate));
  g_array_append_val (self->branches, branch);
}

static void
remove_branches (GstTfrcEncodeBin * self)
{
  guint i, j;

  for (i = 0; i < self->branches->len; i++) {
    Branch *branch = &g_array_index (self->branches, Branch, i);

    for (j = 0; j < branch->elements->len; j++) {
      gst_element_set_state (branch->elements->pdata[j], GST_STATE_NULL);
      gst_bin_remove (GST_BIN (self), branch->elements->pdata[j]);
    }
    g_ptr_array_unref (branch->elements);
  }
  g_array_set_size (self->branches, 0);
  gst_tfrc_router_remove_pads (self->router);
  gst_tfrc_join_remove_pads (self->join);
}

static gboolean
post_missing (GstTfrcEncodeBin * self, const gchar * factory)
{
  gst_element_post_message (GST_ELEMENT (self),
      gst_missing_element_message_new (GST_ELEMENT (self), factory));
  GST_ELEMENT_ERROR (self, CORE, MISSING_PLUGIN, (NULL),
      ("The element \"%s\" is not installed. It comes with one of GStreamer's "
          "plugin packages (base, good, bad, ugly or libav); or leave its codec "
          "out of the property \"codecs\"", factory));
  return FALSE;
}

/* One branch for each name; FALSE after an error was posted. */
static gboolean
add_named_branch (GstTfrcEncodeBin * self, const gchar * name, guint32 ssrc,
    guint32 timestamp)
{
  const GstTfrcCodec *codec = gst_tfrc_codec_find (name);
  const gchar *missing;

  if (codec == NULL) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
        ("\"%s\" in the property \"codecs\" is no codec of tfrcencodebin. Use "
            "OPUS, G722, PCMU, PCMA, GSM or AMR-WB, separated by commas",
            name));
    return FALSE;
  }
  missing = gst_tfrc_codec_get_missing_encoder (codec);
  if (missing != NULL)
    return post_missing (self, missing);
  if (!(get_codecs (self) & (1u << codec->id)))
    add_branch (self, codec, ssrc, timestamp);
  return TRUE;
}

static gboolean
add_branches (GstTfrcEncodeBin * self)
{
  static const gchar *const common[] = { "audioconvert", "audioresample" };
  guint32 ssrc = g_random_int (), timestamp = g_random_int ();
  gboolean ok = TRUE;
  gchar **names, **name;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (common); i++) {
    GstElementFactory *factory = gst_element_factory_find (common[i]);

    if (factory == NULL)
      return post_missing (self, common[i]);
    gst_object_unref (factory);
  }
  GST_OBJECT_LOCK (self);
  names = g_strsplit (self->settings.codecs, ",", -1);
  GST_OBJECT_UNLOCK (self);
  for (name = names; *name != NULL && ok; name++)
    ok = add_named_branch (self, g_strstrip (*name), ssrc, timestamp);
  g_strfreev (names);
  if (!ok)
    remove_branches (self);
  return ok;
}

/* --- element ----------------------------------------------------------------- */

/*
 *   sink                                                                    src
 *    |    router -> convert -> resample -> filter -> enc -> pay -> join      |
 *    |       | '--> ... one branch for each codec ... ------------->|        |
 *    +-------^                                                      '--------+
 */
static void
gst_tfrc_encode_bin_init (GstTfrcEncodeBin * self)
{
  self->settings = (Settings) {
    .adaptive = TRUE,
    .bitrate = DEFAULT_BITRATE,
    .min_bitrate = DEFAULT_MIN_BITRATE,
    .max_bitrate = DEFAULT_MAX_BITRATE,
    .min_ptime = DEFAULT_MIN_PTIME,
    .max_ptime = DEFAULT_MAX_PTIME,
    .inband_fec = TRUE,
    .redundancy = TFRC_REDUNDANCY_MAX,
    .codecs = g_strdup (DEFAULT_CODECS),
    .pt = DEFAULT_PT,
    .red_pt = DEFAULT_RED_PT,
    .extension_id = DEFAULT_EXTENSION_ID,
  };
  self->chooser = gst_tfrc_chooser_new ();
  self->branches = g_array_new (FALSE, TRUE, sizeof (Branch));
  self->router = GST_TFRC_ROUTER (gst_tfrc_router_new (before_piece, self));
  self->join = GST_TFRC_JOIN (gst_tfrc_join_new (on_encoded, self));
  gst_bin_add_many (GST_BIN (self), GST_ELEMENT (self->router),
      GST_ELEMENT (self->join), NULL);
  add_ghost_pad (self, &sink_template, GST_ELEMENT (self->router));
  add_ghost_pad (self, &src_template, GST_ELEMENT (self->join));
}

static gboolean
start (GstTfrcEncodeBin * self)
{
  self->active = 0;
  g_array_index (self->branches, Branch, 0).used = TRUE;
  return configure (self);
}

static GstStateChangeReturn
gst_tfrc_encode_bin_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !add_branches (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  ret = GST_ELEMENT_CLASS (gst_tfrc_encode_bin_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    remove_branches (self);
  return ret;
}

/* --- properties ---------------------------------------------------------------- */

static void
gst_tfrc_encode_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);
  Settings *settings = &self->settings;

  GST_OBJECT_LOCK (self);
  self->reconfigure = TRUE;
  switch (id) {
    case PROP_ADAPTIVE:
      settings->adaptive = g_value_get_boolean (value);
      break;
    case PROP_BITRATE:
      settings->bitrate = g_value_get_uint (value);
      break;
    case PROP_MIN_BITRATE:
      settings->min_bitrate = g_value_get_uint (value);
      break;
    case PROP_MAX_BITRATE:
      settings->max_bitrate = g_value_get_uint (value);
      break;
    case PROP_PTIME:
      settings->ptime = g_value_get_uint64 (value);
      break;
    case PROP_MIN_PTIME:
      settings->min_ptime = g_value_get_uint64 (value);
      break;
    case PROP_MAX_PTIME:
      settings->max_ptime = g_value_get_uint64 (value);
      break;
    case PROP_MAX_PACKET_SIZE:
      settings->max_packet_size = g_value_get_uint (value);
      break;
    case PROP_INBAND_FEC:
      settings->inband_fec = g_value_get_boolean (value);
      break;
    case PROP_DTX:
      settings->dtx = g_value_get_boolean (value);
      break;
    case PROP_REDUNDANCY:
      settings->redundancy = g_value_get_uint (value);
      break;
    case PROP_CODECS:
      g_free (settings->codecs);
      settings->codecs = g_value_dup_string (value);
      if (settings->codecs == NULL)
        settings->codecs = g_strdup (DEFAULT_CODECS);
      break;
    case PROP_CODEC:
      g_free (settings->codec);
      settings->codec = g_value_dup_string (value);
      break;
    case PROP_PT:
      settings->pt = g_value_get_uint (value);
      break;
    case PROP_RED_PT:
      settings->red_pt = g_value_get_uint (value);
      break;
    case PROP_EXTENSION_ID:
      settings->extension_id = g_value_get_uint (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
get_setting (const Settings * settings, guint id, GValue * value)
{
  switch (id) {
    case PROP_ADAPTIVE:
      g_value_set_boolean (value, settings->adaptive);
      break;
    case PROP_BITRATE:
      g_value_set_uint (value, settings->bitrate);
      break;
    case PROP_MIN_BITRATE:
      g_value_set_uint (value, settings->min_bitrate);
      break;
    case PROP_MAX_BITRATE:
      g_value_set_uint (value, settings->max_bitrate);
      break;
    case PROP_PTIME:
      g_value_set_uint64 (value, settings->ptime);
      break;
    case PROP_MIN_PTIME:
      g_value_set_uint64 (value, settings->min_ptime);
      break;
    case PROP_MAX_PTIME:
      g_value_set_uint64 (value, settings->max_ptime);
      break;
    case PROP_MAX_PACKET_SIZE:
      g_value_set_uint (value, settings->max_packet_size);
      break;
    case PROP_INBAND_FEC:
      g_value_set_boolean (value, settings->inband_fec);
      break;
    case PROP_DTX:
      g_value_set_boolean (value, settings->dtx);
      break;
    case PROP_REDUNDANCY:
      g_value_set_uint (value, settings->redundancy);
      break;
    case PROP_CODECS:
      g_value_set_string (value, settings->codecs);
      break;
    case PROP_CODEC:
      g_value_set_string (value, settings->codec);
      break;
    case PROP_PT:
      g_value_set_uint (value, settings->pt);
      break;
    case PROP_RED_PT:
      g_value_set_uint (value, settings->red_pt);
      break;
    case PROP_EXTENSION_ID:
      g_value_set_uint (value, settings->extension_id);
      break;
  }
}

static void
gst_tfrc_encode_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);
  const TfrcChoice *choice = &self->choice;

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_CURRENT_BITRATE:
      g_value_set_uint (value, choice->point.bitrate);
      break;
    case PROP_CURRENT_PTIME:
      g_value_set_uint64 (value, choice->point.frame_us * GST_USECOND);
      break;
    case PROP_CURRENT_FEC:
      g_value_set_boolean (value, choice->point.fec);
      break;
    case PROP_CURRENT_REDUNDANCY:
      g_value_set_uint (value, choice->point.redundancy);
      break;
    case PROP_CURRENT_CODEC:
      g_value_set_string (value, tfrc_codec_get_name (choice->point.codec));
      break;
    case PROP_EXPECTED_LOSS:
      g_value_set_uint (value, choice->loss_percent);
      break;
    case PROP_EXPECTED_QUALITY:
      g_value_set_double (value, choice->mos);
      break;
    case PROP_SUSPENDED:
      g_value_set_boolean (value, choice->suspended);
      break;
    default:
      get_setting (&self->settings, id, value);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_encode_bin_finalize (GObject * object)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);

  gst_tfrc_chooser_free (self->chooser);
  g_array_unref (self->branches);
  g_free (self->settings.codecs);
  g_free (self->settings.codec);
  G_OBJECT_CLASS (gst_tfrc_encode_bin_parent_class)->finalize (object);
}

#define SETTING (G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS)
#define LIVE (SETTING | GST_PARAM_MUTABLE_PLAYING)
#define READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
install_settings (GObjectClass * klass)
{
  props[PROP_ADAPTIVE] = g_param_spec_boolean ("adaptive", "Adaptive",
      "Follow what the network allows; off: encode at bitrate and ptime "
      "whatever happens", TRUE, LIVE);
  props[PROP_BITRATE] = g_param_spec_uint ("bitrate", "Bitrate",
      "Bit rate of the codec before anything is known of the network, and "
      "the only one when not adaptive (bit/s)", 6000, 510000,
      DEFAULT_BITRATE, LIVE);
  props[PROP_MIN_BITRATE] = g_param_spec_uint ("min-bitrate", "Min bitrate",
      "Lowest bit rate of the codec; when less is allowed for long, nothing is "
      "sent (bit/s)", 6000, 510000, DEFAULT_MIN_BITRATE, LIVE);
  props[PROP_MAX_BITRATE] = g_param_spec_uint ("max-bitrate", "Max bitrate",
      "Highest bit rate of the codec, headers not counted (bit/s)", 6000,
      510000, DEFAULT_MAX_BITRATE, LIVE);
  props[PROP_PTIME] = g_param_spec_uint64 ("ptime", "Packet time",
      "The only length of sound in a packet, for far ends that cannot follow "
      "changes (ns, 0: choose within min-ptime and max-ptime)", 0,
      60 * GST_MSECOND, 0, LIVE);
  props[PROP_MIN_PTIME] = g_param_spec_uint64 ("min-ptime", "Min packet time",
      "Shortest length of sound in a packet (ns)", 0, 60 * GST_MSECOND,
      DEFAULT_MIN_PTIME, LIVE);
  props[PROP_MAX_PTIME] = g_param_spec_uint64 ("max-ptime", "Max packet time",
      "Longest length of sound in a packet (ns)", 0, 60 * GST_MSECOND,
      DEFAULT_MAX_PTIME, LIVE);
  props[PROP_MAX_PACKET_SIZE] = g_param_spec_uint ("max-packet-size",
      "Max packet size", "Largest RTP packet, its header included (bytes, 0: "
      "no limit)", 0, 65507, 0, LIVE);
  props[PROP_INBAND_FEC] = g_param_spec_boolean ("inband-fec", "In-band FEC",
      "Let the codec's own forward error correction be used when the measured "
      "loss makes it worth its rate", TRUE, LIVE);
  props[PROP_DTX] = g_param_spec_boolean ("dtx", "DTX",
      "Send next to nothing while nobody speaks", FALSE, LIVE);
  props[PROP_REDUNDANCY] = g_param_spec_uint ("redundancy", "Redundancy",
      "How many earlier packets a packet may repeat when the measured loss "
      "makes it worth its rate (RFC 2198). 0 for far ends without RED",
      0, TFRC_REDUNDANCY_MAX, TFRC_REDUNDANCY_MAX, LIVE);
  props[PROP_CODECS] = g_param_spec_string ("codecs", "Codecs",
      "Codecs that may be used, RTP encoding names separated by commas: OPUS, "
      "G722, PCMU, PCMA, GSM, AMR-WB. The first is the first used",
      DEFAULT_CODECS, SETTING | GST_PARAM_MUTABLE_READY);
  props[PROP_CODEC] = g_param_spec_string ("codec", "Codec",
      "The only one of the codecs to use from now on (none: choose among all)",
      NULL, LIVE);
  props[PROP_PT] = g_param_spec_uint ("pt", "Payload type",
      "RTP payload type of Opus", 0, 127, DEFAULT_PT,
      SETTING | GST_PARAM_MUTABLE_READY);
  props[PROP_RED_PT] = g_param_spec_uint ("red-pt", "RED payload type",
      "RTP payload type of packets that repeat earlier Opus packets", 0, 127,
      DEFAULT_RED_PT, SETTING | GST_PARAM_MUTABLE_READY);
  props[PROP_EXTENSION_ID] = g_param_spec_uint ("extension-id",
      "Extension id", "Id of the RTP header extension that carries TFRC's "
      "stamp", 1, 255, DEFAULT_EXTENSION_ID,
      SETTING | GST_PARAM_MUTABLE_READY);
}

static void
install_readings (GObjectClass * klass)
{
  props[PROP_CURRENT_BITRATE] = g_param_spec_uint ("current-bitrate",
      "Current bitrate", "Bit rate that the codec was told (bit/s)", 0,
      G_MAXUINT, 0, READING);
  props[PROP_CURRENT_PTIME] = g_param_spec_uint64 ("current-ptime",
      "Current packet time", "Length of sound in a packet (ns)", 0,
      G_MAXUINT64, 0, READING);
  props[PROP_CURRENT_FEC] = g_param_spec_boolean ("current-inband-fec",
      "Current in-band FEC", "The codec's own forward error correction is on",
      FALSE, READING);
  props[PROP_CURRENT_REDUNDANCY] = g_param_spec_uint ("current-redundancy",
      "Current redundancy", "How many earlier packets each packet repeats", 0,
      TFRC_REDUNDANCY_MAX, 0, READING);
  props[PROP_CURRENT_CODEC] = g_param_spec_string ("current-codec",
      "Current codec", "RTP encoding name of the codec in use", "OPUS",
      READING);
  props[PROP_EXPECTED_LOSS] = g_param_spec_uint ("expected-loss",
      "Expected loss", "Loss that the codec was told to protect against "
      "(percent)", 0, 100, 0, READING);
  props[PROP_EXPECTED_QUALITY] = g_param_spec_double ("expected-quality",
      "Expected quality", "Mean opinion score that the E-model predicts for "
      "the far end's listener (1 to 4.5)", 0, 5, 0, READING);
  props[PROP_SUSPENDED] = g_param_spec_boolean ("suspended", "Suspended",
      "Even the cheapest way to encode is too much for the network: nothing "
      "is sent for a while", FALSE, READING);
}

static void
gst_tfrc_encode_bin_class_init (GstTfrcEncodeBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_tfrc_encode_bin_set_property;
  object_class->get_property = gst_tfrc_encode_bin_get_property;
  object_class->finalize = gst_tfrc_encode_bin_finalize;
  element_class->change_state = gst_tfrc_encode_bin_change_state;

  install_settings (object_class);
  install_readings (object_class);
  g_object_class_install_properties (object_class, N_PROPS, props);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC encode bin",
      "Codec/Encoder/Payloader/Audio/RTP",
      "Encodes voice to RTP at the bit rate and frame length that TFRC allows",
      "The gst-tfrc developers");
}
