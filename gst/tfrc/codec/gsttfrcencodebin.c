/* gst-tfrc: an audio encoder that follows what TFRC allows
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcencodebin
 * @title: tfrcencodebin
 * @short_description: Encodes voice or music for a path that changes
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
 * With #GstTfrcEncodeBin:content=music it is stereo Opus of 32 to 160 kbit/s.
 * #GstTfrcEncodeBin:codecs adds other codecs, and #GstTfrcEncodeBin:ladder names
 * the operating points one by one.
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
#include "codec/gsttfrcencodebin.h"

#include "codec/encoderbranch.h"
#include "codec/operatingpointchooser.h"
#include "codec/encodesettings.h"
#include "codec/gsttfrcpayloaderjoin.h"
#include "codec/ladderparser.h"
#include "base/binpads.h"
#include "codec/gsttfrcencoderswitch.h"

GST_DEBUG_CATEGORY_STATIC (tfrcencodebin_debug);
#define GST_CAT_DEFAULT tfrcencodebin_debug

#define GST_TFRC_CHOICE_NAME "application/x-tfrc-choice"

enum
{
  PROP_CURRENT_BITRATE = GST_TFRC_ENCODE_N_SETTINGS,
  PROP_CURRENT_PTIME,
  PROP_CURRENT_FEC,
  PROP_CURRENT_REDUNDANCY,
  PROP_CURRENT_CODEC,
  PROP_CURRENT_CHANNELS,
  PROP_EXPECTED_LOSS,
  PROP_EXPECTED_QUALITY,
  PROP_SUSPENDED,
  N_PROPS
};

static GParamSpec *props[N_PROPS];

struct _GstTfrcEncodeBin
{
  GstBin parent;
  GstTfrcEncoderSwitch *router;
  GstTfrcPayloaderJoin *join;
  GArray *branches;             /* GstTfrcEncoderBranch; READY and above */
  TfrcAdaptPoint *ladder;       /* the user's own; READY and above */
  guint n_ladder;
  GstTfrcChooser *chooser;

  /* object lock */
  GstTfrcEncodeSettings settings;
  gboolean reconfigure;
  TfrcAdaptChoice choice;       /* the one that was applied; written by the streaming thread */

  /* streaming thread */
  guint active;                 /* branch */
  guint redundancy;             /* that the far end takes */
  gboolean dtx;
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
  GstClockTime now = gst_element_get_current_clock_time (GST_ELEMENT (self));

  return GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
}

/* --- the choice ------------------------------------------------------------- */

static GstTfrcEncoderBranch *
get_branch (GstTfrcEncodeBin * self, guint index)
{
  return &g_array_index (self->branches, GstTfrcEncoderBranch, index);
}

/* -1: there is none. */
static gint
find_branch (GstTfrcEncodeBin * self, const GstTfrcCodec * codec)
{
  guint i;

  for (i = 0; i < self->branches->len; i++) {
    if (get_branch (self, i)->codec == codec)
      return (gint) i;
  }
  return -1;
}

/* Those that there are branches for, or `only` that. */
static guint32
get_codecs (GstTfrcEncodeBin * self, const GstTfrcCodec * only)
{
  guint32 codecs = 0;
  guint i;

  for (i = 0; i < self->branches->len; i++)
    codecs |= 1u << get_branch (self, i)->codec->id;
  return only != NULL && codecs & (1u << only->id) ? 1u << only->id : codecs;
}

/* The user's own points, but for those that `codecs` and the packet size rule out. */
static guint
copy_ladder (GstTfrcEncodeBin * self, const TfrcAdaptLadderLimits * limits,
    TfrcAdaptPoint * points)
{
  guint i, n = 0;

  for (i = 0; i < self->n_ladder; i++) {
    const TfrcAdaptPoint *point = &self->ladder[i];

    if (limits->codecs & (1u << point->codec) && (limits->max_payload == 0
            || tfrc_adapt_point_get_payload_size (point) <=
            limits->max_payload)) {
      points[n] = *point;
      points[n++].music = limits->music;
    }
  }
  return n;
}

static void
post_no_points (GstTfrcEncodeBin * self, const TfrcAdaptLadderLimits * limits)
{
  if (self->n_ladder > 0) {
    GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
        ("No point of the property \"ladder\" is left: set max-packet-size to 0 "
            "(no limit) or more, and \"codec\" to none or one of the ladder"));
    return;
  }
  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
      ("No way to encode is within %u to %u bit/s, frames of %u to %u us and "
          "payloads of %u bytes. Opus has frames of 10, 20, 40 and 60 ms and "
          "any bit rate, other codecs fewer: set min-ptime and max-ptime (or "
          "ptime) to include one, min-bitrate not above max-bitrate, and "
          "max-packet-size to 0 (no limit) or more",
          limits->min_bitrate, limits->max_bitrate, limits->min_frame_us,
          limits->max_frame_us, limits->max_payload));
}

static gboolean
configure_chooser (GstTfrcEncodeBin * self,
    const GstTfrcEncodeSettings * settings,
    const TfrcAdaptLadderLimits * limits)
{
  TfrcAdaptPoint *points = g_new (TfrcAdaptPoint, TFRC_ADAPT_LADDER_MAX);
  guint n = self->n_ladder > 0 ? copy_ladder (self, limits, points) :
      tfrc_adapt_ladder_fill (points, TFRC_ADAPT_LADDER_MAX, limits);
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  config.start_bitrate = settings->bitrate;
  config.copy_distance = settings->copy_distance / GST_USECOND;
  config.seed = g_random_int ();
  gst_tfrc_chooser_configure (self->chooser, points, n, &config,
      settings->adaptive, get_now (self));
  g_free (points);
  return n > 0;
}

/* FALSE when the settings contradict each other; then an error was posted. */
static gboolean
configure (GstTfrcEncodeBin * self)
{
  GstTfrcEncodeSettings settings;
  const GstTfrcCodec *codec;
  TfrcAdaptLadderLimits limits;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  codec = gst_tfrc_codec_find (settings.codec);
  self->reconfigure = FALSE;
  GST_OBJECT_UNLOCK (self);

  gst_tfrc_encode_settings_to_limits (&settings, get_codecs (self, codec),
      &limits);
  self->dtx = settings.dtx;
  self->redundancy = settings.redundancy;
  if (configure_chooser (self, &settings, &limits))
    return TRUE;
  post_no_points (self, &limits);
  return FALSE;
}

static void
tell_application (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice)
{
  static const gint told[] = { PROP_CURRENT_BITRATE, PROP_CURRENT_PTIME,
    PROP_CURRENT_FEC, PROP_CURRENT_REDUNDANCY, PROP_CURRENT_CODEC,
    PROP_CURRENT_CHANNELS, PROP_EXPECTED_LOSS, PROP_EXPECTED_QUALITY,
    PROP_SUSPENDED
  };
  guint i;

  for (i = 0; i < G_N_ELEMENTS (told); i++)
    g_object_notify_by_pspec (G_OBJECT (self), props[told[i]]);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self),
          gst_structure_new (GST_TFRC_CHOICE_NAME,
              "codec", G_TYPE_STRING,
              tfrc_adapt_codec_get_name (choice->point.codec),
              "bitrate", G_TYPE_UINT, choice->point.bitrate,
              "ptime", G_TYPE_UINT64, choice->point.frame_us * GST_USECOND,
              "channels", G_TYPE_UINT, (guint) choice->point.channels,
              "inband-fec", G_TYPE_BOOLEAN, choice->point.fec,
              "redundancy", G_TYPE_UINT, (guint) choice->point.redundancy,
              "loss-percentage", G_TYPE_UINT, choice->loss_percent,
              "quality", G_TYPE_DOUBLE, choice->mos,
              "suspended", G_TYPE_BOOLEAN, choice->suspended, NULL)));
}

/* The new codec's first packet begins where the old one's last ends. */
static void
switch_branch (GstTfrcEncodeBin * self, guint index,
    const TfrcAdaptPoint * point)
{
  GstTfrcEncoderBranch *branch = get_branch (self, index);
  GstClockTimeDiff late;
  GstClockTime end = gst_tfrc_payloader_join_get_end (self->join), from =
      G_MAXUINT64;

  if (branch->used) {
    gst_tfrc_encoder_branch_restart (branch);
    gst_tfrc_encoder_switch_flush (self->router, index);
  }
  if (GST_CLOCK_TIME_IS_VALID (end))
    from = end - MIN (end, gst_tfrc_encoder_branch_get_warm_up (branch, point));
  self->active = index;
  /* Only when it starts does an encoder take its look-ahead off the time. One that
   * is not warmed up begins at the end. */
  late = branch->codec->lookahead == 0 ? GST_TFRC_PAYLOADER_JOIN_ALIGN :
      branch->used ? (GstClockTimeDiff) branch->codec->lookahead : 0;
  gst_tfrc_payloader_join_switch (self->join, index, end, late,
      self->redundancy > 0);
  branch->used = TRUE;
  gst_tfrc_encoder_switch_switch (self->router, index, from);
}

static void
apply (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice)
{
  gint index = find_branch (self, gst_tfrc_codec_get (choice->point.codec,
          choice->point.channels));
  GstTfrcEncoderBranch *branch;

  g_return_if_fail (index >= 0);
  branch = get_branch (self, index);
  GST_INFO_OBJECT (self,
      "%s: %u bit/s, %u us, %u channels, fec %d, redundancy %u, "
      "loss %u %%, need %.0f of %.0f bytes/s, quality %.2f%s",
      tfrc_adapt_codec_get_name (choice->point.codec), choice->point.bitrate,
      choice->point.frame_us, choice->point.channels, choice->point.fec,
      choice->point.redundancy, choice->loss_percent, choice->need,
      choice->allowed, choice->mos, choice->suspended ? ", suspended" : "");
  branch->codec->apply (branch->encoder, branch->payloader, &choice->point,
      choice->loss_percent);
  gst_tfrc_payloader_join_set_idle_size (self->join,
      gst_tfrc_encoder_branch_set_dtx (branch, self->dtx));
  gst_tfrc_payloader_join_set_redundancy (self->join, choice->point.redundancy,
      choice->copy_spacing);
  gst_tfrc_payloader_join_set_silent (self->join, choice->suspended);
  if ((guint) index != self->active || (branch->codec->restarts
          && choice->point.bitrate != self->choice.point.bitrate))
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
  TfrcAdaptChoice choice;

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

  if (gst_tfrc_rate_event_parse (GST_PAD_PROBE_INFO_EVENT (info), &rate))
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

static gboolean
link_branch (GstTfrcEncodeBin * self, const GstTfrcEncoderBranch * branch)
{
  GstElement *bin = GST_ELEMENT (self);
  GstPad *head = gst_tfrc_encoder_branch_get_head (branch);
  GstPad *tail = gst_tfrc_encoder_branch_get_tail (branch);
  gboolean ok = gst_tfrc_bin_pads_link (bin,
      gst_tfrc_encoder_switch_add_pad (self->router), head)
      && gst_tfrc_bin_pads_link (bin, tail,
      gst_tfrc_payloader_join_add_pad (self->join,
          branch->codec->clock_rate,
          gst_tfrc_encoder_branch_get_red_pt (branch, &self->settings)));

  gst_object_unref (head);
  gst_object_unref (tail);
  return ok;
}

/* FALSE after an error was posted. */
static gboolean
add_branch (GstTfrcEncodeBin * self, const GstTfrcCodec * codec, guint32 ssrc,
    guint32 timestamp)
{
  GstTfrcEncoderBranch branch;
  gboolean ok;

  if (find_branch (self, codec) >= 0)
    return TRUE;
  if (!gst_tfrc_encoder_branch_check (GST_ELEMENT (self), codec))
    return FALSE;
  ok = gst_tfrc_encoder_branch_init (&branch, GST_BIN (self), codec,
      &self->settings, ssrc, timestamp);
  g_array_append_val (self->branches, branch);
  return ok && link_branch (self, &branch);
}

static void
remove_branches (GstTfrcEncodeBin * self)
{
  guint i;

  for (i = 0; i < self->branches->len; i++)
    gst_tfrc_encoder_branch_clear (get_branch (self, i), GST_BIN (self));
  g_array_set_size (self->branches, 0);
  gst_tfrc_encoder_switch_remove_pads (self->router);
  gst_tfrc_payloader_join_remove_pads (self->join);
  g_clear_pointer (&self->ladder, g_free);
  self->n_ladder = 0;
}

/* Of the property "codecs". */
static gboolean
add_named_branch (GstTfrcEncodeBin * self, const gchar * name, guint32 ssrc,
    guint32 timestamp)
{
  guint channels = self->settings.content == GST_TFRC_CONTENT_MUSIC ? 2 : 1;
  const GstTfrcCodec *codec = gst_tfrc_codec_find (name);

  if (codec != NULL)
    return add_branch (self, gst_tfrc_codec_get (codec->id, channels), ssrc,
        timestamp);
  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
      ("\"%s\" in the property \"codecs\" is no codec of tfrcencodebin. Use "
          GST_TFRC_CODEC_NAMES ", separated by commas", name));
  return FALSE;
}

static gboolean
parse_ladder (GstTfrcEncodeBin * self)
{
  GError *error = NULL;

  self->ladder = g_new (TfrcAdaptPoint, TFRC_ADAPT_LADDER_MAX);
  self->n_ladder = gst_tfrc_ladder_parse (self->settings.ladder, self->ladder,
      &error);
  if (self->n_ladder > 0)
    return TRUE;
  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, ("%s", error->message), (NULL));
  g_error_free (error);
  return FALSE;
}

static gboolean
add_ladder_branches (GstTfrcEncodeBin * self, guint32 ssrc, guint32 timestamp)
{
  guint i;

  if (!parse_ladder (self))
    return FALSE;
  for (i = 0; i < self->n_ladder; i++) {
    if (!add_branch (self, gst_tfrc_codec_get (self->ladder[i].codec,
                self->ladder[i].channels), ssrc, timestamp))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_codec_branches (GstTfrcEncodeBin * self, guint32 ssrc, guint32 timestamp)
{
  gchar **names = g_strsplit (self->settings.codecs, ",", -1), **name;
  gboolean ok = TRUE;

  for (name = names; *name != NULL && ok; name++)
    ok = add_named_branch (self, g_strstrip (*name), ssrc, timestamp);
  g_strfreev (names);
  return ok;
}

static gboolean
add_branches (GstTfrcEncodeBin * self)
{
  guint32 ssrc = g_random_int (), timestamp = g_random_int ();
  gboolean ok = self->settings.ladder != NULL ?
      add_ladder_branches (self, ssrc, timestamp) :
      add_codec_branches (self, ssrc, timestamp);

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
  gst_tfrc_encode_settings_init (&self->settings);
  self->chooser = gst_tfrc_chooser_new ();
  self->branches = g_array_new (FALSE, TRUE, sizeof (GstTfrcEncoderBranch));
  self->router =
      GST_TFRC_ENCODER_SWITCH (gst_tfrc_encoder_switch_new (before_piece,
          self));
  self->join =
      GST_TFRC_PAYLOADER_JOIN (gst_tfrc_payloader_join_new (on_encoded, self));
  gst_bin_add_many (GST_BIN (self), GST_ELEMENT (self->router),
      GST_ELEMENT (self->join), NULL);
  add_ghost_pad (self, &sink_template, GST_ELEMENT (self->router));
  add_ghost_pad (self, &src_template, GST_ELEMENT (self->join));
}

static gboolean
start (GstTfrcEncodeBin * self)
{
  self->active = 0;
  get_branch (self, 0)->used = TRUE;
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
  gboolean known;

  GST_OBJECT_LOCK (self);
  self->reconfigure = TRUE;
  known = gst_tfrc_encode_settings_set (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
  if (!known)
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_tfrc_encode_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);
  const TfrcAdaptChoice *choice = &self->choice;

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
      g_value_set_string (value,
          tfrc_adapt_codec_get_name (choice->point.codec));
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
    case PROP_CURRENT_CHANNELS:
      g_value_set_uint (value, choice->point.channels);
      break;
    default:
      gst_tfrc_encode_settings_get (&self->settings, id, value);
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
  gst_tfrc_encode_settings_clear (&self->settings);
  G_OBJECT_CLASS (gst_tfrc_encode_bin_parent_class)->finalize (object);
}

#define READING (G_PARAM_READABLE | G_PARAM_STATIC_STRINGS)

static void
install_readings (GObjectClass * klass)
{
  guint id;

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
      TFRC_ADAPT_REDUNDANCY_MAX, 0, READING);
  props[PROP_CURRENT_CODEC] = g_param_spec_string ("current-codec",
      "Current codec", "RTP encoding name of the codec in use", "OPUS",
      READING);
  props[PROP_CURRENT_CHANNELS] = g_param_spec_uint ("current-channels",
      "Current channels", "1: mono, 2: stereo", 1, 2, 1, READING);
  props[PROP_EXPECTED_LOSS] = g_param_spec_uint ("expected-loss",
      "Expected loss", "Loss that the codec was told to protect against "
      "(percent)", 0, 100, 0, READING);
  props[PROP_EXPECTED_QUALITY] = g_param_spec_double ("expected-quality",
      "Expected quality", "Mean opinion score that the E-model predicts for "
      "the far end's listener (1 to 4.5)", 0, 5, 0, READING);
  props[PROP_SUSPENDED] = g_param_spec_boolean ("suspended", "Suspended",
      "Even the cheapest way to encode is too much for the network: nothing "
      "is sent for a while", FALSE, READING);
  for (id = PROP_CURRENT_BITRATE; id < N_PROPS; id++)
    g_object_class_install_property (klass, id, props[id]);
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

  gst_tfrc_encode_settings_install (object_class);
  install_readings (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC encode bin",
      "Codec/Encoder/Payloader/Audio/RTP",
      "Encodes voice or music to RTP at the bit rate and frame length that TFRC allows",
      "The gst-tfrc developers");
}
