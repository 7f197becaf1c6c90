/* gst-tfrc: element tfrcdecodebin, which decodes what tfrcencodebin sends
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcdecodebin
 * @title: tfrcdecodebin
 * @short_description: Decodes what tfrcencodebin sends
 *
 * RTP packets come in, raw audio goes out. The element follows changes of the codec, the
 * frame length and the bit rate in mid-stream without a gap or a click. A packet that the
 * jitter buffer gave up on is recovered from a redundant copy in a later packet (RFC 2198)
 * or from the forward error correction of the codec; else it is concealed. Redundant copies
 * that the jitter buffer still holds are found where #rtptfrcreceive is in front of the
 * jitter buffer.
 *
 * The element knows the payload types that tfrcencodebin uses by default. Others are taken
 * from #GstTfrcDecodeBin:caps or from the caps of the stream.
 *
 * |[
 * gst-launch-1.0 tfrcsrc port=5004 ! tfrcdecodebin ! autoaudiosink
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcdecodebin.h"

#include <gst/audio/audio.h>

#include "base/pads.h"
#include "base/json.h"
#include "base/messages.h"
#include "base/propertyfield.h"
#include "base/propertymutability.h"
#include "codec/codectable.h"
#include "codec/decodercrossfade.h"
#include "codec/gsttfrclossrecovery.h"
#include "codec/decodertimeline.h"

GST_DEBUG_CATEGORY_STATIC (tfrcdecodebin_debug);
#define GST_CAT_DEFAULT tfrcdecodebin_debug

enum
{
  PROP_0,
  PROP_CAPS,
  PROP_REPAIR_DELAY,
  PROP_COMPLEXITY,
  PROP_STATS,
  PROP_STATS_JSON
};

/* The longest packet of tfrcencodebin. */
#define DEFAULT_REPAIR_DELAY (60 * GST_MSECOND)

/* As that of tfrcopusdec. */
#define DEFAULT_COMPLEXITY 7

/* Where decoders join: Hz, and the caps. */
#define RATE 48000
#define JOIN_CAPS "audio/x-raw,format=" GST_AUDIO_NE (S16) \
    ",layout=interleaved,rate=" G_STRINGIFY (RATE) ",channels=[1,2]"

/* depayloader, decoder, spanplc, audioresample */
#define BRANCH_MAX 4

/* A data sender may change the codec with each packet. At most so many branches are built in any
 * BUILD_PERIOD of media time, which upstream derives from times of arrival. */
#define BUILDS_MAX 2
#define BUILD_PERIOD GST_SECOND

/* What decodes one codec: depayloader ! decoder [! spanplc, unless the decoder conceals or spanplc
 * is missing] [! audioresample, unless the decoder has 48 kHz] */
typedef struct
{
  const GstTfrcCodec *codec;    /* NULL: there is no branch */
  GstElement *elements[BRANCH_MAX];     /* owned by the bin, in the order of the flow */
  guint n;
  GstElement *decoder, *resample;       /* of them; no `resample`: NULL */
  const gchar *conceals;        /* factory name, or "nothing" without spanplc */
} Branch;

struct _GstTfrcDecodeBin
{
  GstBin parent;
  GstTfrcLossRecovery *recovery;
  GstElement *format, *convert, *resample;
  GstTfrcDecoderTimeline *timeline;
  GstTfrcDecoderCrossfade *join;
  const gchar *missing;         /* factory of an element that every stream needs, or NULL */

  /* object lock */
  GstCaps *caps;
  GstClockTime repair_delay;
  gint complexity;              /* of tfrcopusdec */
  GstTfrcWarning unknown, no_decoder, refused;
  GstTfrcChildWarnings child_warnings;

  /* streaming thread, and the application's below PAUSED */
  Branch branch;
  GPtrArray *plugs;             /* of the pads that no branch is linked to */
  const GstTfrcCodec *failed;   /* its branch cannot be linked: the error was posted */
  GstClockTime built[BUILDS_MAX];       /* media times of the last branches, the oldest first */
  guint builds;                 /* how many branches were built, up to BUILDS_MAX */
  gint ended;                   /* atomic; EOS went to `format` because there was no branch */
};

static GstStaticPadTemplate sink_template = GST_STATIC_PAD_TEMPLATE ("sink",
    GST_PAD_SINK, GST_PAD_ALWAYS,
    GST_STATIC_CAPS ("application/x-rtp, media=(string)audio"));
static GstStaticPadTemplate src_template = GST_STATIC_PAD_TEMPLATE ("src",
    GST_PAD_SRC, GST_PAD_ALWAYS, GST_STATIC_CAPS ("audio/x-raw"));

/* The sound of a stream that ends before its first packet. */
static GstStaticCaps empty_sound_caps =
GST_STATIC_CAPS ("audio/x-raw,format=" GST_AUDIO_NE (S16)
    ",layout=interleaved,rate=" G_STRINGIFY (RATE) ",channels=1");

G_DEFINE_TYPE_WITH_CODE (GstTfrcDecodeBin, gst_tfrc_decode_bin, GST_TYPE_BIN,
    GST_DEBUG_CATEGORY_INIT (tfrcdecodebin_debug, "tfrcdecodebin", 0,
        "TFRC decode bin"));
GST_ELEMENT_REGISTER_DEFINE (tfrcdecodebin, "tfrcdecodebin", GST_RANK_NONE,
    GST_TYPE_TFRC_DECODE_BIN);

/* --- branches ------------------------------------------------------------------- */

/* Adds an element to the end of the branch. */
static GstElement *
branch_add (GstTfrcDecodeBin * self, GstElement * element)
{
  gst_bin_add (GST_BIN (self), element);
  self->branch.elements[self->branch.n++] = element;
  return element;
}

static void
set_complexity (GstTfrcDecodeBin * self, GstElement * decoder)
{
  gint complexity;

  GST_OBJECT_LOCK (self);
  complexity = self->complexity;
  GST_OBJECT_UNLOCK (self);
  /* A decoder of the application's in its place may have none. */
  if (g_object_class_find_property (G_OBJECT_GET_CLASS (decoder),
          "complexity") != NULL)
    g_object_set (decoder, "complexity", complexity, NULL);
}

static void
branch_fill (GstTfrcDecodeBin * self, const GstTfrcCodec * codec)
{
  Branch *branch = &self->branch;
  GstElement *plc = codec->conceals ? NULL :
      gst_element_factory_make ("spanplc", NULL);

  branch->codec = codec;
  branch_add (self, gst_tfrc_codec_make_depayloader (codec));
  branch->decoder = branch_add (self, gst_tfrc_codec_make (codec->decoder,
          codec->decoder_setup));
  if (codec->id == TFRC_ADAPT_CODEC_OPUS)
    set_complexity (self, branch->decoder);
  branch->conceals = codec->conceals ? codec->decoder : "nothing";
  if (plc != NULL) {
    branch_add (self, plc);
    branch->conceals = "spanplc";
  }
  if (codec->rate != RATE)
    branch->resample = branch_add (self,
        gst_element_factory_make ("audioresample", NULL));
}

/* Links the elements of the branch to each other, and the branch to what is before and
 * behind it. The elements start before packets can reach them. FALSE after an error was
 * posted. */
static gboolean
branch_link (GstTfrcDecodeBin * self)
{
  GstElement *bin = GST_ELEMENT (self);
  Branch *branch = &self->branch;
  guint i;

  g_ptr_array_set_size (self->plugs, 0);
  for (i = branch->n; i > 0; i--) {
    if (!gst_tfrc_bin_pads_link_elements (bin, branch->elements[i - 1],
            i < branch->n ? branch->elements[i] : self->format))
      return FALSE;
    gst_element_sync_state_with_parent (branch->elements[i - 1]);
  }
  return gst_tfrc_bin_pads_link_elements (bin, GST_ELEMENT (self->recovery),
      branch->elements[0]);
}

static void
branch_remove (GstTfrcDecodeBin * self)
{
  Branch *branch = &self->branch;

  gst_tfrc_bin_pads_remove_elements (GST_BIN (self), branch->elements,
      branch->n);
  *branch = (Branch) {NULL};
  gst_tfrc_bin_pads_plug (GST_BIN (self), self->plugs);
}

static void
send_event (GstElement * element, GstEvent * event)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");

  gst_pad_send_event (pad, event);
  gst_object_unref (pad);
}

static GstEvent *
get_segment (GstElement * element)
{
  GstPad *pad = gst_element_get_static_pad (element, "sink");
  GstEvent *event = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);

  gst_object_unref (pad);
  return event;
}

/* A segment makes an element push what it still has. */
static void
drain (GstElement * element)
{
  GstEvent *segment = element != NULL ? get_segment (element) : NULL;

  if (segment != NULL)
    send_event (element, segment);
}

/* Makes the elements of the branch push what they still have: the gaps for which the decoder awaits a
 * packet, and the last samples of the resampler. The sound of another decoder begins at the media time
 * `pts`. */
static void
branch_drain (GstTfrcDecodeBin * self, GstClockTime pts)
{
  Branch *branch = &self->branch;

  gst_tfrc_decoder_crossfade_drain (self->join, pts);
  if (branch->codec->conceals)
    drain (branch->decoder);
  gst_tfrc_decoder_crossfade_drain_resampler (self->join);
  drain (branch->resample);
  gst_tfrc_decoder_crossfade_switch (self->join);
}

/* Returns FALSE, and a warning tells of it, when BUILDS_MAX branches were built just before the media
 * time `pts`. */
static gboolean
branch_may_build (GstTfrcDecodeBin * self, GstClockTime pts)
{
  if (self->builds < BUILDS_MAX
      || ABS (GST_CLOCK_DIFF (self->built[0], pts)) >= BUILD_PERIOD)
    return TRUE;
  gst_tfrc_warning_post (&self->refused, GST_ELEMENT (self), GST_STREAM_ERROR,
      GST_STREAM_ERROR_DECODE, "The data sender changes the codec more than %u "
      "times in a second. Packets of another codec than the last one are "
      "dropped meanwhile.", BUILDS_MAX);
  return FALSE;
}

static void
branch_note_build (GstTfrcDecodeBin * self, GstClockTime pts)
{
  if (self->builds == BUILDS_MAX) {
    memmove (self->built, self->built + 1,
        sizeof self->built - sizeof *self->built);
    self->builds--;
  }
  self->built[self->builds++] = pts;
}

/* Replaces the branch by one for `codec`. A branch that could not be linked is not tried again,
 * since its error would be posted with each packet. */
static GstTfrcDecoder
branch_replace (GstTfrcDecodeBin * self, const GstTfrcCodec * codec,
    GstClockTime pts)
{
  if (codec == self->failed)
    return GST_TFRC_DECODER_NONE;
  if (!branch_may_build (self, GST_CLOCK_TIME_IS_VALID (pts) ? pts : 0))
    return GST_TFRC_DECODER_REFUSED;
  if (self->branch.codec != NULL)
    branch_drain (self, pts);
  branch_remove (self);
  branch_fill (self, codec);
  if (!branch_link (self)) {
    branch_remove (self);
    self->failed = codec;
    return GST_TFRC_DECODER_NONE;
  }
  branch_note_build (self, GST_CLOCK_TIME_IS_VALID (pts) ? pts : 0);
  GST_INFO_OBJECT (self, "packets from %" GST_TIME_FORMAT " on are %s: %s "
      "decodes, %s conceals", GST_TIME_ARGS (pts),
      tfrc_adapt_codec_get_name (codec->id), codec->decoder,
      self->branch.conceals);
  return GST_TFRC_DECODER_NEW;
}

static const gchar *
find_missing (const GstTfrcCodec * codec)
{
  const gchar *const factories[] = { codec->decoder, codec->depayloader, NULL };

  return gst_tfrc_missing_find (factories);
}

static void
warn_missing (GstTfrcDecodeBin * self, const gchar * missing)
{
  guint64 count = gst_tfrc_warning_note (&self->no_decoder, GST_ELEMENT (self));
  gchar *more;

  if (count == 0)
    return;
  more =
      g_strdup_printf
      (" Until then the packets of the data sender are dropped; %"
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
      "dropped: tfrcdecodebin decodes " GST_TFRC_CODEC_NAMES ". Allow the "
      "data sender only those.", name);
}

static GstTfrcDecoder
link_decoder (GstCaps * caps, GstClockTime pts, gpointer user_data)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (user_data);
  GstStructure *s = gst_caps_get_structure (caps, 0);
  const gchar *name = gst_structure_get_string (s, "encoding-name"), *missing;
  const GstTfrcCodec *codec = gst_tfrc_codec_find_caps (s);

  if (codec == NULL) {
    warn_unknown (self, name != NULL ? name : "(none)");
    return GST_TFRC_DECODER_NONE;
  }
  missing = find_missing (codec);
  if (missing != NULL) {
    warn_missing (self, missing);
    return GST_TFRC_DECODER_NONE;
  }
  gst_tfrc_codec_complete (codec, s);
  return codec == self->branch.codec ? GST_TFRC_DECODER_SAME :
      branch_replace (self, codec, pts);
}

/* --- pads ----------------------------------------------------------------------- */

/* A packet that is recovered from the next packet is late by one packet, which sinks have to allow
 * for. */
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
add_ghost_pad (GstTfrcDecodeBin * self, const gchar * name,
    GstElement * element)
{
  GstPad *target = gst_element_get_static_pad (element, name);
  GstPad *ghost = gst_ghost_pad_new_from_template (name, target,
      gst_element_get_pad_template (GST_ELEMENT (self), name));

  gst_object_unref (target);
  gst_element_add_pad (GST_ELEMENT (self), ghost);
  return ghost;
}

static gboolean
is_of_branch (const GstTfrcDecodeBin * self, GstObject * source)
{
  for (guint i = 0; i < self->branch.n; i++) {
    if (GST_OBJECT (self->branch.elements[i]) == source)
      return TRUE;
  }
  return FALSE;
}

/* A decoder calls it an error when a stream ends before anything was decoded, which is a call that
 * was over at once, and when it cannot read a packet, which anybody may have sent. Such an error becomes
 * a warning; takes the message. */
static GstMessage *
soften_error (GstTfrcDecodeBin * self, GstMessage * message)
{
  GstMessage *warning = message;
  GError *error;
  gchar *debug;

  gst_message_parse_error (message, &error, &debug);
  if (error->domain == GST_STREAM_ERROR
      && is_of_branch (self, GST_MESSAGE_SRC (message))) {
    gst_tfrc_loss_recovery_note_decoder_error (self->recovery);
    warning = gst_message_new_warning (GST_MESSAGE_SRC (message), error, debug);
    gst_message_unref (message);
  }
  g_error_free (error);
  g_free (debug);
  return warning;
}

/* Bounds the warnings of depayloaders and decoders, which warn of each packet that they
 * cannot read. A branch is short-lived, so that the elements of all branches share one bound for each type. */
static void
gst_tfrc_decode_bin_handle_message (GstBin * bin, GstMessage * message)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (bin);

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR)
    message = soften_error (self, message);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING
      && GST_MESSAGE_SRC (message) == GST_OBJECT_CAST (self->branch.decoder))
    gst_tfrc_loss_recovery_note_decoder_error (self->recovery);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_WARNING)
    message = gst_tfrc_child_warnings_filter (&self->child_warnings, bin,
        is_of_branch (self, GST_MESSAGE_SRC (message)) ?
        G_OBJECT_TYPE_NAME (GST_MESSAGE_SRC (message)) : NULL, message);
  if (message != NULL)
    GST_BIN_CLASS (gst_tfrc_decode_bin_parent_class)->handle_message (bin,
        message);
}

/* --- element ---------------------------------------------------------------------- */

/* A link that fails while the bin is made has no bus for its error: it is tried again, and
 * the error posted, when the bin leaves NULL. */
static gboolean
link_tail (GstTfrcDecodeBin * self)
{
  GstElement *bin = GST_ELEMENT (self);

  return gst_tfrc_bin_pads_link_elements (bin, self->format, self->convert)
      && gst_tfrc_bin_pads_link_elements (bin, self->convert, self->resample);
}

/* What a recorder needs before EOS: a stream-start, caps and a segment. Those of `pad` come first. */
static void
begin_empty_sound (GstTfrcDecodeBin * self, GstPad * pad)
{
  GstEvent *start = gst_pad_get_sticky_event (pad, GST_EVENT_STREAM_START, 0);
  GstEvent *segment = gst_pad_get_sticky_event (pad, GST_EVENT_SEGMENT, 0);
  GstCaps *caps = gst_static_caps_get (&empty_sound_caps);
  GstSegment all;

  gst_segment_init (&all, GST_FORMAT_TIME);
  if (start == NULL) {
    gchar *id = g_uuid_string_random ();

    start = gst_event_new_stream_start (id);
    g_free (id);
  }
  send_event (self->format, start);
  send_event (self->format, gst_event_new_caps (caps));
  gst_caps_unref (caps);
  send_event (self->format,
      segment != NULL ? segment : gst_event_new_segment (&all));
}

/* Nothing leads from the packets to the sound as long as there is no branch. A stream that ends then ends behind the
 * place of the branch as well, and what flushes it does so there. */
static void
pass_by_branch (GstTfrcDecodeBin * self, GstPad * pad, GstEvent * event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_EOS)
    begin_empty_sound (self, pad);
  g_atomic_int_set (&self->ended, GST_EVENT_TYPE (event) !=
      GST_EVENT_FLUSH_STOP);
  send_event (self->format, gst_event_ref (event));
}

static GstPadProbeReturn
on_input_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (user_data);
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_EOS:
      if (self->branch.codec == NULL)
        pass_by_branch (self, pad, event);
      break;
    case GST_EVENT_FLUSH_START:
    case GST_EVENT_FLUSH_STOP:
      if (g_atomic_int_get (&self->ended))
        pass_by_branch (self, pad, event);
      break;
    default:
      break;
  }
  return GST_PAD_PROBE_OK;
}

static void
watch_input (GstTfrcDecodeBin * self)
{
  GstPad *pad = gst_element_get_static_pad (GST_ELEMENT (self->recovery),
      "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
      GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_input_event, self, NULL);
  gst_object_unref (pad);
}

static void
attach_join (GstTfrcDecodeBin * self)
{
  GstPad *pad = gst_element_get_static_pad (self->format, "sink");

  self->join = gst_tfrc_decoder_crossfade_new (pad, self->timeline);
  gst_object_unref (pad);
  pad = gst_element_get_static_pad (self->resample, "src");
  gst_tfrc_decoder_timeline_attach (self->timeline, pad);
  gst_object_unref (pad);
}

/*
 *   sink                                                                        src
 *    |    recovery -> [branch of one codec] -> format -> convert -> resample     |
 *    |        |                                                        |         |
 *    +--------^                                                        '---------+
 */
static void
gst_tfrc_decode_bin_init (GstTfrcDecodeBin * self)
{
  const gchar *const tail[] = { "audioconvert", "audioresample", NULL };

  self->repair_delay = DEFAULT_REPAIR_DELAY;
  self->complexity = DEFAULT_COMPLEXITY;
  self->timeline = gst_tfrc_decoder_timeline_new ();
  self->plugs = gst_tfrc_bin_pads_new_plugs ();
  self->recovery =
      GST_TFRC_LOSS_RECOVERY (gst_tfrc_loss_recovery_new (self->timeline,
          link_decoder, self));
  gst_bin_add (GST_BIN (self), GST_ELEMENT (self->recovery));
  add_ghost_pad (self, "sink", GST_ELEMENT (self->recovery));
  self->missing = gst_tfrc_missing_find (tail);
  if (self->missing != NULL)
    return;
  self->format = gst_tfrc_codec_make ("capsfilter", "caps=" JOIN_CAPS);
  self->convert = gst_element_factory_make (tail[0], NULL);
  self->resample = gst_element_factory_make (tail[1], NULL);
  gst_bin_add_many (GST_BIN (self), self->format, self->convert,
      self->resample, NULL);
  link_tail (self);
  attach_join (self);
  watch_input (self);
  gst_pad_set_query_function (add_ghost_pad (self, "src",
          self->resample), src_query);
  gst_tfrc_bin_pads_plug (GST_BIN (self), self->plugs);
}

static void
start (GstTfrcDecodeBin * self)
{
  GST_OBJECT_LOCK (self);
  gst_tfrc_loss_recovery_set_caps (self->recovery, self->caps);
  GST_OBJECT_UNLOCK (self);
}

static void
stop (GstTfrcDecodeBin * self)
{
  branch_remove (self);
  self->failed = NULL;
  self->builds = 0;
  g_atomic_int_set (&self->ended, FALSE);
  gst_tfrc_decoder_crossfade_reset (self->join);
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
    stop (self);
  return ret;
}

static const gsize fields[] = {
  [PROP_CAPS] = G_STRUCT_OFFSET (GstTfrcDecodeBin, caps),
  [PROP_REPAIR_DELAY] = G_STRUCT_OFFSET (GstTfrcDecodeBin, repair_delay),
  [PROP_COMPLEXITY] = G_STRUCT_OFFSET (GstTfrcDecodeBin, complexity),
};

static void
gst_tfrc_decode_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (object);
  gst_tfrc_property_field_set (object, fields[id], value);
  GST_OBJECT_UNLOCK (object);
  if (id == PROP_REPAIR_DELAY)
    gst_element_post_message (GST_ELEMENT (object),
        gst_message_new_latency (GST_OBJECT (object)));
}

static void
gst_tfrc_decode_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  if (id == PROP_STATS) {
    g_value_take_boxed (value, gst_tfrc_loss_recovery_get_stats
        (GST_TFRC_DECODE_BIN (object)->recovery));
    return;
  }
  if (id == PROP_STATS_JSON) {
    gst_tfrc_json_get_stats (object, value);
    return;
  }
  GST_OBJECT_LOCK (object);
  gst_tfrc_property_field_get (object, fields[id], value);
  GST_OBJECT_UNLOCK (object);
}

static void
gst_tfrc_decode_bin_finalize (GObject * object)
{
  GstTfrcDecodeBin *self = GST_TFRC_DECODE_BIN (object);

  gst_clear_caps (&self->caps);
  g_clear_pointer (&self->join, gst_tfrc_decoder_crossfade_unref);
  g_ptr_array_unref (self->plugs);
  gst_tfrc_decoder_timeline_unref (self->timeline);
  gst_tfrc_child_warnings_clear (&self->child_warnings);
  G_OBJECT_CLASS (gst_tfrc_decode_bin_parent_class)->finalize (object);
}

static void
install_properties (GObjectClass * klass)
{
  /**
   * GstTfrcDecodeBin:caps:
   *
   * Payload types that may come beside those of tfrcencodebin: one structure for each,
   * with payload, encoding-name and clock-rate (Hz).
   *
   * Needed where no caps of the stream say so: in RED packets, and behind a jitter buffer
   * that got the caps of one payload type only.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_CAPS,
      g_param_spec_boxed ("caps", "Caps", "Payload types that may come beside "
          "those of tfrcencodebin: one structure for each, with payload, "
          "encoding-name and clock-rate (Hz)", GST_TYPE_CAPS,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
          G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcDecodeBin:repair-delay:
   *
   * Latency (ns) that is added so that a packet that is recovered from the next packet
   * is in time.
   *
   * The default is the longest packet of tfrcencodebin. A change is in the latency once the application has answered
   * the bus message `latency`.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_REPAIR_DELAY,
      g_param_spec_uint64 ("repair-delay", "Repair delay",
          "Latency (ns) that is added so that a packet that is recovered from "
          "the next packet is in time", 0, GST_SECOND,
          DEFAULT_REPAIR_DELAY, G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
          G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcDecodeBin:complexity:
   *
   * How much computation a better sound of Opus is worth: the complexity of tfrcopusdec (0 to 10).
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_COMPLEXITY,
      g_param_spec_int ("complexity", "Complexity",
          "How much computation a better sound of Opus is worth: the complexity "
          "of tfrcopusdec (0 to 10)", 0, 10, DEFAULT_COMPLEXITY,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
          G_PARAM_STATIC_STRINGS));
  /**
   * GstTfrcDecodeBin:stats:
   *
   * Structure application/x-tfrc-decode-stats: counts of packets that arrived, were
   * recovered, lost, malformed or unknown.
   *
   * All fields are counts of packets (guint64): `packets` that arrived, `recovered` from redundant
   * copies, `lost` and left to concealment, `malformed` ones that could not be read, `unknown`
   * ones that no decoder takes, `refused` ones of another codec that came when the codec had changed
   * twice within the last second.
   *
   * Since: 0.1
   */
  g_object_class_install_property (klass, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "Structure application/x-tfrc-decode-stats: counts of packets that "
          "arrived, were recovered, lost, malformed or unknown",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
  gst_tfrc_json_install (klass, PROP_STATS_JSON);
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
      "Decodes what tfrcencodebin sends, and recovers or conceals lost packets",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}
