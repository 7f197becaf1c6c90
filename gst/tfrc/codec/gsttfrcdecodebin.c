/* gst-tfrc: the far end of tfrcencodebin
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcdecodebin
 * @title: tfrcdecodebin
 * @short_description: Decodes what tfrcencodebin sends
 *
 * RTP in, raw audio out. It follows changes of the codec, the frame length and the
 * bit rate in mid-stream, without a gap or a click. Packets that the jitter buffer
 * gave up on are restored from the copies in later ones (RFC 2198), or from the
 * codec's forward error correction, else concealed. Copies that travel far behind are
 * found where #rtptfrcreceive stands in front of the jitter buffer.
 *
 * It knows the payload types that tfrcencodebin uses by default; others are told
 * by #GstTfrcDecodeBin:caps or by the caps of the stream.
 *
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 mode=tfrc-sp ! tfrcdecodebin ! autoaudiosink
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcdecodebin.h"

#include <gst/audio/audio.h>

#include "codec/codectable.h"
#include "base/missingelements.h"
#include "base/binpads.h"
#include "codec/gsttfrcdecoderjoin.h"
#include "codec/gsttfrclossrecovery.h"
#include "base/warnings.h"
#include "codec/clockdrift.h"

GST_DEBUG_CATEGORY_STATIC (tfrcdecodebin_debug);
#define GST_CAT_DEFAULT tfrcdecodebin_debug

enum
{
  PROP_0,
  PROP_CAPS,
  PROP_REPAIR_DELAY,
  PROP_STATS
};

/* The longest packet of tfrcencodebin. */
#define DEFAULT_REPAIR_DELAY (60 * GST_MSECOND)

#define RATE 48000

/* depayloader ! decoder [! spanplc] ! convert ! resample ! capsfilter */
typedef struct
{
  const GstTfrcCodec *codec;
  GPtrArray *elements;          /* in the order of the flow */
  GstElement *decoder, *resample;
  GstPad *srcpad, *sinkpad;     /* of the unpacker and the splice */
  gboolean stopped;             /* another decodes now */
} Branch;

struct _GstTfrcDecodeBin
{
  GstBin parent;
  GstTfrcLossRecovery *unpack;
  GstTfrcDecoderJoin *splice;
  GstElement *convert, *resample;
  const gchar *missing;         /* factory of what every stream needs */

  /* object lock */
  GstCaps *caps;
  GstClockTime repair_delay;
  GstTfrcWarning unknown, no_decoder;
  GstTfrcChildWarnings child_warnings;

  /* streaming thread, and the application's below PAUSED */
  GArray *branches;
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media=(string)audio"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-raw"));

G_DEFINE_TYPE_WITH_CODE (GstTfrcDecodeBin, gst_tfrc_decode_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (tfrcdecodebin_debug, "tfrcdecodebin", 0,
        "TFRC decode bin"));
GST_ELEMENT_REGISTER_DEFINE (tfrcdecodebin, "tfrcdecodebin", GST_RANK_NONE,
    GST_TYPE_TFRC_DECODE_BIN);

/* --- branches ------------------------------------------------------------------- */

static Branch *
find_branch (GstTfrcDecodeBin * self, GstPad * srcpad)
{
  guint i;

  for (i = 0; i < self->branches->len; i++) {
    if (g_array_index (self->branches, Branch, i).srcpad == srcpad)
      return &g_array_index (self->branches, Branch, i);
  }
  g_return_val_if_reached (NULL);
}

static gboolean
branch_add (GstTfrcDecodeBin * self, Branch * branch, GstElement * element)
{
  guint n = branch->elements->len;

  gst_bin_add (GST_BIN (self), element);
  g_ptr_array_add (branch->elements, element);
  return n == 0 || gst_tfrc_bin_pads_link_elements (GST_ELEMENT (self),
      branch->elements->pdata[n - 1], element);
}

static GstElement *
make_capsfilter (void)
{
  GstElement *filter = gst_element_factory_make ("capsfilter", NULL);
  GstCaps *caps = gst_caps_new_simple ("audio/x-raw",
      "format", G_TYPE_STRING, GST_AUDIO_NE (S16),
      "layout", G_TYPE_STRING, "interleaved",
      "rate", G_TYPE_INT, RATE, NULL);

  g_object_set (filter, "caps", caps, NULL);
  gst_caps_unref (caps);
  return filter;
}

/* Every element is added, and so owned by the bin, whether or not it can be linked.
 * FALSE after an error was posted. */
static gboolean
branch_fill (GstTfrcDecodeBin * self, Branch * branch)
{
  const GstTfrcCodec *codec = branch->codec;
  GstElement *decoder =
      gst_tfrc_codec_make (codec->decoder, codec->decoder_setup);
  GstElement *plc = codec->conceals ? NULL :
      gst_element_factory_make ("spanplc", NULL);
  gboolean ok;

  branch->decoder = decoder;
  branch->resample = gst_element_factory_make ("audioresample", NULL);
  ok = branch_add (self, branch, gst_tfrc_codec_make_depayloader (codec));
  ok &= branch_add (self, branch, decoder);
  ok &= branch_add (self, branch, gst_element_factory_make ("audioconvert",
          NULL));
  if (plc != NULL) {
    ok &= branch_add (self, branch, plc);
    ok &= branch_add (self, branch, gst_element_factory_make ("audioconvert",
            NULL));
  }
  gst_tfrc_clock_drift_hide (branch->resample);
  ok &= branch_add (self, branch, branch->resample);
  return branch_add (self, branch, make_capsfilter ()) && ok;
}

static void
remove_branch (GstTfrcDecodeBin * self, guint index)
{
  Branch *branch = &g_array_index (self->branches, Branch, index);
  guint i;

  for (i = 0; i < branch->elements->len; i++) {
    gst_element_set_state (branch->elements->pdata[i], GST_STATE_NULL);
    gst_bin_remove (GST_BIN (self), branch->elements->pdata[i]);
  }
  g_ptr_array_unref (branch->elements);
  gst_element_remove_pad (GST_ELEMENT (self->unpack), branch->srcpad);
  gst_element_remove_pad (GST_ELEMENT (self->splice), branch->sinkpad);
  g_array_remove_index (self->branches, index);
}

/* The elements start before packets can reach them. */
static gboolean
branch_link (GstTfrcDecodeBin * self, const Branch * branch)
{
  GPtrArray *elements = branch->elements;
  GstPad *head = gst_element_get_static_pad (elements->pdata[0], "sink");
  GstPad *tail = gst_element_get_static_pad (elements->pdata
      [elements->len - 1], "src");
  gboolean ok =
      gst_tfrc_bin_pads_link (GST_ELEMENT (self), tail, branch->sinkpad);
  guint i;

  for (i = elements->len; ok && i > 0; i--)
    gst_element_sync_state_with_parent (elements->pdata[i - 1]);
  ok = ok && gst_tfrc_bin_pads_link (GST_ELEMENT (self), branch->srcpad, head);
  gst_object_unref (head);
  gst_object_unref (tail);
  return ok;
}

/* NULL after an error was posted. */
static GstPad *
add_branch (GstTfrcDecodeBin * self, const GstTfrcCodec * codec)
{
  Branch branch = {.codec = codec,.elements = g_ptr_array_new () };
  gboolean ok = branch_fill (self, &branch);

  branch.sinkpad = gst_tfrc_decoder_join_add_pad (self->splice);
  branch.srcpad = gst_tfrc_loss_recovery_add_pad (self->unpack);
  g_array_append_val (self->branches, branch);
  if (!ok || !branch_link (self, &branch)) {
    remove_branch (self, self->branches->len - 1);
    return NULL;
  }
  GST_INFO_OBJECT (self, "decoding %s", tfrc_adapt_codec_get_name (codec->id));
  return branch.srcpad;
}

/* What elements hold back until they know more comes out: opusdec with forward
 * error correction lets go of its last frame when a gap comes, the resampler of
 * its last samples when a segment does. */
static void
on_stopped (GstPad * srcpad, GstClockTime pts, gpointer user_data)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (user_data);
  Branch *branch = find_branch (self, srcpad);
  GstPad *pad = gst_element_get_static_pad (branch->decoder, "sink");
  GstEvent *segment;

  branch->stopped = TRUE;
  gst_tfrc_decoder_join_finish (self->splice, pts, FALSE);
  if (branch->codec->conceals && GST_CLOCK_TIME_IS_VALID (pts))
    gst_pad_send_event (pad, gst_event_new_gap (pts, 5 * GST_MSECOND));
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (branch->resample, "sink");
  segment = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  gst_tfrc_decoder_join_finish (self->splice, pts, TRUE);
  if (segment != NULL)
    gst_pad_send_event (pad, segment);
  gst_tfrc_decoder_join_finish (self->splice, GST_CLOCK_TIME_NONE, FALSE);
  gst_object_unref (pad);
}

static void
warn_missing (GstTfrcDecodeBin * self, const gchar * missing)
{
  guint64 count = gst_tfrc_warning_note (&self->no_decoder, GST_ELEMENT (self));
  gchar *more;

  if (count == 0)
    return;
  more = g_strdup_printf (" Until then what the far end sends is dropped; %"
      G_GUINT64_FORMAT " since the last such warning.", count);
  gst_tfrc_missing_warning (GST_ELEMENT (self), missing, more);
  g_free (more);
}

static void
warn_unknown (GstTfrcDecodeBin * self, const gchar * name)
{
  gst_tfrc_warning_post (&self->unknown, GST_ELEMENT (self), GST_STREAM_ERROR,
      GST_STREAM_ERROR_WRONG_TYPE,
      "RTP packets with encoding-name \"%s\" are "
      "dropped: tfrcdecodebin decodes " GST_TFRC_CODEC_NAMES ". Allow the far "
      "end only those.", name);
}

/* A decoder that comes into use again is made anew: a flush leaves opusdec with
 * the frame that it held. */
static GstPad *
get_branch_pad (GstCaps * caps, gpointer user_data)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (user_data);
  const gchar *name = gst_structure_get_string (gst_caps_get_structure (caps,
          0), "encoding-name"), *missing = NULL;
  const GstTfrcCodec *codec =
      gst_tfrc_codec_find_caps (gst_caps_get_structure (caps, 0));
  guint i;

  if (codec != NULL) {
    const gchar *const factories[] =
        { codec->decoder, codec->depayloader, NULL };

    missing = gst_tfrc_missing_find (factories);
  }
  if (codec == NULL)
    warn_unknown (self, name != NULL ? name : "(none)");
  else if (missing != NULL)
    warn_missing (self, missing);
  if (codec == NULL || missing != NULL)
    return NULL;
  gst_tfrc_codec_complete (codec, gst_caps_get_structure (caps, 0));
  for (i = 0; i < self->branches->len; i++) {
    Branch *branch = &g_array_index (self->branches, Branch, i);

    if (branch->codec == codec && !branch->stopped)
      return branch->srcpad;
    if (branch->codec == codec) {
      remove_branch (self, i);
      break;
    }
  }
  return add_branch (self, codec);
}

/* --- pads ----------------------------------------------------------------------- */

/* What is restored from the next packet comes a packet later than what was not
 * lost: sinks must allow for it. */
static gboolean
src_query (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (parent);
  GstClockTime min, max, delay;
  gboolean live;

  if (!gst_pad_query_default (pad, parent, query))
    return FALSE;
  if (GST_QUERY_TYPE (query) != GST_QUERY_LATENCY)
    return TRUE;
  GST_OBJECT_LOCK (self);
  delay = self->repair_delay;
  GST_OBJECT_UNLOCK (self);
  gst_query_parse_latency (query, &live, &min, &max);
  if (GST_CLOCK_TIME_IS_VALID (max))
    max += delay;
  gst_query_set_latency (query, live, min + delay, max);
  return TRUE;
}

static GstPad *
add_ghost_pad (GstTfrcDecodeBin * self, GstStaticPadTemplate * template,
    GstElement * element)
{
  GstPadTemplate *t = gst_static_pad_template_get (template);
  GstPad *target = gst_element_get_static_pad (element, t->name_template);
  GstPad *ghost = gst_ghost_pad_new_from_template (t->name_template, target, t);

  gst_object_unref (target);
  gst_object_unref (t);
  gst_element_add_pad (GST_ELEMENT (self), ghost);
  return ghost;
}

/* Depayloaders and decoders warn of each packet that they cannot read. */
static void
gst_tfrc_decode_bin_handle_message (GstBin * bin, GstMessage * message)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (bin);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    message = gst_tfrc_child_warnings_filter (&self->child_warnings, bin,
        NULL, message);
  if (message != NULL)
    GST_BIN_CLASS (gst_tfrc_decode_bin_parent_class)->handle_message (bin,
        message);
}

/* --- element ---------------------------------------------------------------------- */

/* When the bin is made nobody hears of an error: what has failed is tried again, and
 * posted, when the bin leaves NULL. */
static gboolean
link_tail (GstTfrcDecodeBin * self)
{
  GstElement *bin = GST_ELEMENT (self);

  return gst_tfrc_bin_pads_link_elements (bin, GST_ELEMENT (self->splice),
      self->convert)
      && gst_tfrc_bin_pads_link_elements (bin, self->convert, self->resample);
}

/*
 *   sink                                                                        src
 *    |    unpack -> depay -> decoder -> ... -> splice -> convert -> resample     |
 *    |       | '--> ... one branch for each codec ...---^                |       |
 *    +-------^                                                           '-------+
 */
static void
gst_tfrc_decode_bin_init (GstTfrcDecodeBin * self)
{
  self->repair_delay = DEFAULT_REPAIR_DELAY;
  self->branches = g_array_new (FALSE, TRUE, sizeof (Branch));
  self->unpack =
      GST_TFRC_LOSS_RECOVERY (gst_tfrc_loss_recovery_new (get_branch_pad,
          on_stopped, self));
  self->splice = GST_TFRC_DECODER_JOIN (gst_tfrc_decoder_join_new ());
  self->convert = gst_element_factory_make ("audioconvert", NULL);
  self->resample = gst_element_factory_make ("audioresample", NULL);
  gst_bin_add_many (GST_BIN (self), GST_ELEMENT (self->unpack),
      GST_ELEMENT (self->splice), NULL);
  add_ghost_pad (self, &sink_template, GST_ELEMENT (self->unpack));
  if (self->convert == NULL || self->resample == NULL) {
    self->missing = self->convert == NULL ? "audioconvert" : "audioresample";
    return;
  }
  gst_bin_add_many (GST_BIN (self), self->convert, self->resample, NULL);
  link_tail (self);
  gst_pad_set_query_function (add_ghost_pad (self, &src_template,
          self->resample), src_query);
}

static void
start (GstTfrcDecodeBin * self)
{
  GstCaps *map = gst_tfrc_codec_get_default_caps ();

  GST_OBJECT_LOCK (self);
  if (self->caps != NULL)
    map = gst_caps_merge (gst_caps_ref (self->caps), map);
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_loss_recovery_set_map (self->unpack, map);
}

static GstStateChangeReturn
gst_tfrc_decode_bin_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && self->missing != NULL) {
    gst_tfrc_missing_error (element, self->missing, "");
    return GST_STATE_CHANGE_FAILURE;
  }
  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !link_tail (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED)
    start (self);
  ret = GST_ELEMENT_CLASS (gst_tfrc_decode_bin_parent_class)->change_state
      (element, transition);
  if (transition == GST_STATE_CHANGE_PAUSED_TO_READY)
    while (self->branches->len > 0)
      remove_branch (self, 0);
  return ret;
}

static void
gst_tfrc_decode_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (object);

  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_CAPS:
      gst_clear_caps (&self->caps);
      if (gst_value_get_caps (value) != NULL)
        self->caps = gst_caps_copy (gst_value_get_caps (value));
      break;
    case PROP_REPAIR_DELAY:
      self->repair_delay = g_value_get_uint64 (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static GstStructure *
get_stats (GstTfrcDecodeBin * self)
{
  GstTfrcLossRecoveryStats stats;

  gst_tfrc_loss_recovery_get_stats (self->unpack, &stats);
  return gst_structure_new ("application/x-tfrc-decode-stats",
      "packets", G_TYPE_UINT64, stats.packets,
      "recovered", G_TYPE_UINT64, stats.recovered,
      "lost", G_TYPE_UINT64, stats.lost,
      "malformed", G_TYPE_UINT64, stats.malformed,
      "unknown", G_TYPE_UINT64, stats.unknown, NULL);
}

static void
gst_tfrc_decode_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (object);

  if (id == PROP_STATS) {
    g_value_take_boxed (value, get_stats (self));
    return;
  }
  GST_OBJECT_LOCK (self);
  switch (id) {
    case PROP_CAPS:
      gst_value_set_caps (value, self->caps);
      break;
    case PROP_REPAIR_DELAY:
      g_value_set_uint64 (value, self->repair_delay);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_decode_bin_finalize (GObject * object)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (object);

  gst_clear_caps (&self->caps);
  g_array_unref (self->branches);
  gst_tfrc_child_warnings_clear (&self->child_warnings);
  G_OBJECT_CLASS (gst_tfrc_decode_bin_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * klass)
{
  g_object_class_install_property (klass, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps", "Payload types that may come beside "
          "those of tfrcencodebin: one structure for each, with payload, "
          "encoding-name and clock-rate", GST_TYPE_CAPS,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
          G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_REPAIR_DELAY,
      g_param_spec_uint64 ("repair-delay", "Repair delay",
          "Latency that is added so that what the next packet restores comes in "
          "time: as long as the longest packet (ns)", 0, GST_SECOND,
          DEFAULT_REPAIR_DELAY, G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
          G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "application/x-tfrc-decode-stats: packets, recovered (from copies), "
          "lost (left to concealment), malformed, unknown (payload type)",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}

static void
gst_tfrc_decode_bin_class_init (GstTfrcDecodeBinClass * klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);

  object_class->set_property = gst_tfrc_decode_bin_set_property;
  object_class->get_property = gst_tfrc_decode_bin_get_property;
  object_class->finalize = gst_tfrc_decode_bin_finalize;
  element_class->change_state = gst_tfrc_decode_bin_change_state;
  GST_BIN_CLASS (klass)->handle_message = gst_tfrc_decode_bin_handle_message;

  install_properties (object_class);
  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC decode bin",
      "Codec/Depayloader/Decoder/Audio/RTP",
      "Decodes what tfrcencodebin sends, and restores or conceals what was lost",
      "The gst-tfrc developers");
}
