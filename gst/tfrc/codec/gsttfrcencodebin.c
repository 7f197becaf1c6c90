/* gst-tfrc: element tfrcencodebin, an audio encoder that follows what TFRC allows
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * SECTION:element-tfrcencodebin
 * @title: tfrcencodebin
 * @short_description: Encodes voice or music for a path that changes
 *
 * tfrcencodebin takes raw audio and makes RTP packets, by default with Opus. It obeys the
 * upstream event `application/x-tfrc-rate` of tfrcsink and rtptfrcsend: among the operating
 * points (codec, bit rate, packet time, forward error correction, redundancy) whose rate on the
 * wire, headers included, fits what is allowed, it takes the point that the ITU-T E-model rates
 * best under the measured loss and delay. The encoder's error correction is set to the loss.
 *
 * The rate is not reduced for a dip that is shorter than four round-trip times, it is reduced at
 * once when less than half is left, and room must last before it is used (RFC 4828 section 6).
 * When even the cheapest point needs too much for long, nothing is sent until the average is
 * within what is allowed (RFC 3714).
 *
 * With #GstTfrcEncodeBin:content=music the points are stereo Opus of 32 to 160 kbit/s.
 * #GstTfrcEncodeBin:codecs adds other codecs, and #GstTfrcEncodeBin:ladder names the operating
 * points one by one. For remotes that cannot follow changes, #GstTfrcEncodeBin:ptime fixes the
 * packet time and #GstTfrcEncodeBin:adaptive switches the adaptation off.
 *
 * Each change is announced by notify of the read-only properties, and by the element message
 * `application/x-tfrc-choice` on the bus, whose fields are:
 *
 * * #gchararray `codec`: RTP encoding name
 * * #guint `bitrate`: bit rate of the codec (bit/s)
 * * #guint64 `ptime`: length of the audio in a packet (ns)
 * * #guint `channels`: 1 for mono, 2 for stereo
 * * #gboolean `inband-fec`: whether the codec's own forward error correction is on
 * * #guint `redundancy`: how many earlier packets each packet repeats
 * * #guint `loss-percentage`: loss that the codec protects against (percent)
 * * #gdouble `quality`: predicted mean opinion score of the remote listener (1 to 4.5)
 * * #gboolean `suspended`: whether nothing is sent, because even the cheapest point needs too much
 * * #gboolean `answered`: whether the data receiver reports. While nobody answers, the allowed rate falls, so
 *   that ever less is sent; `suspended` and `bitrate` say what is left
 *
 * |[
 * gst-launch-1.0 audiotestsrc is-live=true wave=ticks ! tfrcencodebin ! tfrcsink host=127.0.0.1 port=5004
 * ]|
 *
 * Since: 0.1
 */
#include "codec/gsttfrcencodebin.h"

#include "base/pads.h"
#include "base/messages.h"
#include "base/propertymutability.h"
#include "base/expectedqualityquery.h"
#include "base/encoderpacketsevent.h"
#include "codec/encodechooser.h"
#include "codec/rtpstream.h"
#include "codec/encoderbranch.h"
#include "codec/encodestatus.h"
#include "codec/encodebinproperties.h"

GST_DEBUG_CATEGORY_STATIC (tfrcencodebin_debug);
#define GST_CAT_DEFAULT tfrcencodebin_debug

/*
 *  sink -> audioconvert -> audiobuffersplit -> branch -> src
 *
 * The ghost pad "sink" leads to an audioconvert, which interleaves the channels of planar audio and hands on any other
 * audio as it is. audiobuffersplit cuts the audio into pieces of 10 ms, because a source may hand out much more at a
 * time (wavparse 128 ms), and an encoder can be set to something new only between two buffers. on_piece() sees each
 * piece before the branch does, and on_packet() each packet that leaves by the ghost pad "src". The inside exists from
 * READY on.
 */
struct _GstTfrcEncodeBin
{
  GstBin parent;
  GstPad *sinkpad, *srcpad;     /* ghost pads, owned by the element */
  GstTfrcChooser *chooser;

  /* From READY on. */
  GstElement *converter, *splitter;     /* owned by the bin */
  GstPad *pieces;               /* src pad of the splitter */
  GPtrArray *codecs;            /* const GstTfrcCodec; the first is the first used */
  TfrcAdaptPoint *ladder;       /* the user's own, or NULL */
  guint n_ladder;
  GstTfrcEncoderBranchConfig config;

  /* object lock */
  GstTfrcEncodeProperties settings;
  gboolean reconfigure;         /* a setting changed */
  GstStructure *message;        /* the fields of the last message, or NULL */

  /* Held while the bin changes its state, and while a branch takes the place of another one: a bin cannot sort
   * elements that are linked meanwhile. The streaming thread never waits for it. */
  GMutex relinking;

  /* streaming thread */
  TfrcAdaptChoice choice;       /* that was applied */
  GstTfrcEncoderBranch *branch; /* changes under `relinking` */
  gboolean deferred;            /* `wanted` is still to be applied */
  TfrcAdaptChoice wanted;
  GstTfrcRtpStream *stream;
  GstTfrcAudioHistory history;  /* empty when the branch is never replaced */
  gboolean replaced;            /* events that a replacing branch gets have been seen */
  guint redundancy;             /* redundant copies that the remote takes */
  gboolean dtx;
  GstTfrcEncoderPackets packets;        /* what they are like by the choice */
  GstTfrcEncoderPackets told;   /* by the last event */
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

/* Time stands still as long as there is no clock: nothing has to be waited for before the pipeline plays. */
static GstClockTime
get_now (GstTfrcEncodeBin * self)
{
  GstClockTime now = gst_element_get_current_clock_time (GST_ELEMENT (self));

  return GST_CLOCK_TIME_IS_VALID (now) ? now : 0;
}

/* --- settings --- */

/* A mask of the codecs that may be used, or of `only` when that is one of them. */
static guint32
get_codecs (GstTfrcEncodeBin * self, const GstTfrcCodec * only)
{
  guint32 codecs = 0;
  guint i;

  for (i = 0; i < self->codecs->len; i++)
    codecs |= 1u << ((const GstTfrcCodec *) self->codecs->pdata[i])->id;
  return only != NULL && codecs & (1u << only->id) ? 1u << only->id : codecs;
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
    const GstTfrcEncodeProperties * settings,
    const TfrcAdaptLadderLimits * limits)
{
  TfrcAdaptPoint *points = g_new (TfrcAdaptPoint, TFRC_ADAPT_LADDER_MAX);
  guint n = self->n_ladder > 0 ?
      gst_tfrc_ladder_limit (self->ladder, self->n_ladder, limits, points) :
      tfrc_adapt_ladder_fill (points, TFRC_ADAPT_LADDER_MAX, limits);
  TfrcAdaptConfig config;

  tfrc_adapt_config_init (&config);
  config.start_bitrate = settings->bitrate;
  config.copy_distance = settings->copy_distance / GST_USECOND;
  config.max_delay = settings->max_delay / 1000.0;
  config.seed = g_random_int ();
  gst_tfrc_chooser_configure (self->chooser, points, n, &config,
      settings->adaptive, get_now (self));
  g_free (points);
  GST_INFO_OBJECT (self, "%u operating points, %s", n,
      settings->adaptive ? "adaptive" : "fixed");
  return n > 0;
}

/* Returns FALSE, after an error was posted, when the settings contradict each other. */
static gboolean
configure (GstTfrcEncodeBin * self)
{
  GstTfrcEncodeProperties settings;
  const GstTfrcCodec *codec;
  TfrcAdaptLadderLimits limits;

  GST_OBJECT_LOCK (self);
  settings = self->settings;
  codec = gst_tfrc_codec_find (settings.codec);
  self->reconfigure = FALSE;
  GST_OBJECT_UNLOCK (self);

  gst_tfrc_encode_properties_to_limits (&settings, get_codecs (self, codec),
      &limits);
  self->dtx = settings.dtx;
  self->redundancy = settings.redundancy;
  if (configure_chooser (self, &settings, &limits))
    return TRUE;
  post_no_points (self, &limits);
  return FALSE;
}

/* --- branches --- */

static GstTfrcEncoderBranch *
new_branch (GstTfrcEncodeBin * self, const GstTfrcCodec * codec)
{
  return gst_tfrc_encoder_branch_new (GST_BIN (self), codec, &self->config);
}

/* Links `branch` in; returns FALSE after an error was posted. */
static gboolean
link_branch (GstTfrcEncodeBin * self, const GstTfrcEncoderBranch * branch)
{
  GstElement *bin = GST_ELEMENT (self);
  GstPad *src = gst_element_get_static_pad (branch->payloader, "src");
  gboolean ok = gst_tfrc_bin_pads_link_elements (bin, self->splitter,
      branch->elements[0])
      && gst_tfrc_bin_pads_set_target (bin, self->srcpad, src);

  gst_object_unref (src);
  return ok;
}

static void
remove_branch (GstTfrcEncodeBin * self)
{
  if (self->branch != NULL)
    gst_tfrc_encoder_branch_free (self->branch, GST_BIN (self));
  self->branch = NULL;
}

/* The stream goes on from where the payloader began, which may have had to take another SSRC. */
static void
keep_origins (GstTfrcEncodeBin * self)
{
  GstCaps *caps = gst_pad_get_current_caps (self->srcpad);

  if (caps != NULL)
    gst_structure_get (gst_caps_get_structure (caps, 0),
        "ssrc", G_TYPE_UINT, &self->config.ssrc, NULL);
  gst_clear_caps (&caps);
}

/* Puts `branch` in the place of the present one. The first packet of the new encoder that is sent
 * begins where the last packet of the old encoder ends. Returns the audio that the new encoder gets again, or NULL after
 * an error was posted. */
static GstBufferList *
replace_branch (GstTfrcEncodeBin * self, GstTfrcEncoderBranch * branch,
    const TfrcAdaptPoint * point)
{
  GstClockTime warm_up = gst_tfrc_encoder_branch_get_warm_up (branch, point);
  GstClockTime end = gst_tfrc_rtp_stream_get_end (self->stream);
  GstBufferList *again;

  remove_branch (self);
  self->branch = branch;
  gst_tfrc_encoder_branch_sync_state (branch);
  if (!link_branch (self, branch))
    return NULL;
  again = gst_tfrc_audio_history_copy (&self->history,
      GST_CLOCK_TIME_IS_VALID (end) ? end - MIN (end, warm_up) : G_MAXINT64);
  GST_INFO_OBJECT (self, "%s takes over at %" GST_TIME_FORMAT ", %u pieces "
      "of audio are encoded again", branch->codec->encoder,
      GST_TIME_ARGS (end), gst_buffer_list_length (again));
  gst_tfrc_rtp_stream_switch (self->stream, branch->codec->clock_rate,
      branch->red_pt, self->redundancy > 0);
  return again;
}

/* --- the choice --- */

static void
announce_choice (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice)
{
  GstStructure *message = gst_tfrc_encode_status_make_message (choice,
      gst_tfrc_chooser_is_answered (self->chooser));

  GST_OBJECT_LOCK (self);
  g_clear_pointer (&self->message, gst_structure_free);
  self->message = gst_structure_copy (message);
  GST_OBJECT_UNLOCK (self);
  gst_tfrc_encode_status_notify (G_OBJECT (self));
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_element (GST_OBJECT (self), message));
}

static void
log_choice (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice,
    const gchar * reason)
{
  const TfrcAdaptPoint *point = &choice->point;

  GST_INFO_OBJECT (self,
      "%s%s, %u channels, %u bit/s, %u us in a packet, in-band FEC %s, "
      "%u copies of packets %u and then each %u before, "
      "%u %% of loss expected, quality %.2f: "
      "%s (needs %.0f of %.0f bytes/s)",
      choice->suspended ? "suspended, " : "",
      tfrc_adapt_codec_get_name (point->codec), point->channels,
      point->bitrate, point->frame_us, point->fec ? "on" : "off",
      choice->copies.n, choice->copies.first, choice->copies.spacing,
      choice->loss_percent, choice->mos, reason, choice->need, choice->allowed);
}

/* FALSE: the codec is another, or takes another bit rate only when it starts, so that a new branch is needed. */
static gboolean
branch_can_take (GstTfrcEncodeBin * self, const TfrcAdaptPoint * point)
{
  return gst_tfrc_codec_get (point->codec, point->channels) ==
      self->branch->codec && !(self->branch->restarts
      && self->choice.point.bitrate != point->bitrate);
}

static void
set_up (GstTfrcEncodeBin * self, GstTfrcEncoderBranch * branch,
    const TfrcAdaptChoice * choice, const gchar * reason)
{
  GstTfrcRtpStreamSettings stream = {
    .copies = choice->copies,
    .suspended = choice->suspended
  };

  log_choice (self, choice, reason);
  stream.silence_size = gst_tfrc_encoder_branch_apply (branch, &choice->point,
      choice->loss_percent, self->dtx);
  gst_tfrc_rtp_stream_set (self->stream, &stream);
}

/* As set_up() with a new branch. Returns the audio that it gets again, or NULL after an error was posted. */
static GstBufferList *
set_up_new_branch (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice,
    const gchar * reason)
{
  const TfrcAdaptPoint *point = &choice->point;
  GstTfrcEncoderBranch *branch;

  keep_origins (self);
  branch = new_branch (self, gst_tfrc_codec_get (point->codec,
          point->channels));
  if (branch == NULL)
    return NULL;
  set_up (self, branch, choice, reason);
  return replace_branch (self, branch, point);
}

static void
push_again (GstTfrcEncodeBin * self, GstBufferList * again)
{
  self->replaced = TRUE;
  gst_pad_push_list (self->pieces, again);
  self->replaced = FALSE;
}

/* A choice that needs a new branch while the bin changes its state is deferred: the next piece tries it again. */
static void
apply (GstTfrcEncodeBin * self, const TfrcAdaptChoice * choice,
    const gchar * reason)
{
  GstBufferList *again;

  self->deferred = FALSE;
  if (branch_can_take (self, &choice->point)) {
    set_up (self, self->branch, choice, reason);
  } else if (g_mutex_trylock (&self->relinking)) {
    again = set_up_new_branch (self, choice, reason);
    g_mutex_unlock (&self->relinking);
    if (again == NULL)
      return;
    push_again (self, again);
  } else {
    self->deferred = TRUE;
    self->wanted = *choice;
    return;
  }
  self->choice = *choice;
  announce_choice (self, choice);
}

/* --- pads --- */

/* The encoder is set up only here, between two pieces. */
static void
before_piece (GstTfrcEncodeBin * self)
{
  gboolean reconfigure;
  TfrcAdaptChoice choice = { 0 };
  const gchar *reason;

  GST_OBJECT_LOCK (self);
  reconfigure = self->reconfigure;
  GST_OBJECT_UNLOCK (self);
  if (reconfigure && !configure (self))
    return;
  reason = gst_tfrc_chooser_poll (self->chooser, &choice, get_now (self));
  self->packets.largest = choice.largest_packet;
  self->packets.queue_time = choice.queue_time;
  if (reason != NULL)
    apply (self, &choice, reason);
  else if (self->deferred)
    apply (self, &self->wanted, "deferred");
}

static gboolean
can_be_replaced (GstTfrcEncodeBin * self)
{
  return self->codecs->len > 1 || self->branch->restarts;
}

static GstPadProbeReturn
on_piece (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);

  before_piece (self);
  if (can_be_replaced (self))
    gst_tfrc_audio_history_add (&self->history,
        GST_PAD_PROBE_INFO_BUFFER (info));
  return GST_PAD_PROBE_OK;
}

static GstPadProbeReturn
on_downstream_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);
  GstEvent *event = GST_PAD_PROBE_INFO_EVENT (info);
  GstCaps *caps;

  if (self->replaced)
    return GST_PAD_PROBE_OK;
  if (GST_EVENT_TYPE (event) == GST_EVENT_CAPS) {
    gst_event_parse_caps (event, &caps);
    gst_tfrc_audio_history_set_caps (&self->history, caps);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_SEGMENT) {
    gst_tfrc_audio_history_clear (&self->history);
  } else if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP) {
    gst_tfrc_audio_history_clear (&self->history);
    gst_tfrc_rtp_stream_flush (self->stream);
  }
  return GST_PAD_PROBE_OK;
}

/* The event goes before a packet, because events that precede it have to be on the pad. */
static void
tell_packets (GstTfrcEncodeBin * self)
{
  self->packets.redundant = self->redundancy > 0;
  self->packets.redundant_type = self->branch->red_pt;
  if (self->packets.largest == self->told.largest
      && self->packets.queue_time == self->told.queue_time
      && self->packets.redundant == self->told.redundant
      && self->packets.redundant_type == self->told.redundant_type)
    return;
  self->told = self->packets;
  gst_pad_push_event (self->srcpad,
      gst_tfrc_encoder_packets_event_new (&self->told));
}

static GstPadProbeReturn
on_packet (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);
  GstBuffer *packet = GST_PAD_PROBE_INFO_BUFFER (info);
  gsize encoded;
  gboolean sent = gst_tfrc_rtp_stream_take (self->stream, &packet, &encoded);

  info->data = packet;
  if (encoded > 0)
    gst_tfrc_chooser_on_encoded (self->chooser, encoded, get_now (self));
  if (sent)
    tell_packets (self);
  return sent ? GST_PAD_PROBE_OK : GST_PAD_PROBE_DROP;
}

static GstPadProbeReturn
on_upstream_event (GstPad * pad, GstPadProbeInfo * info, gpointer user_data)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (user_data);
  GstTfrcRate rate;

  if (gst_tfrc_rate_event_parse (GST_PAD_PROBE_INFO_EVENT (info), &rate)) {
    GST_DEBUG_OBJECT (self, "X_wire %.0f bytes/s, p %f, R %" GST_TIME_FORMAT
        " (%s)", rate.allowance.X_wire, rate.allowance.p,
        GST_TIME_ARGS ((GstClockTime) (rate.allowance.R * GST_SECOND)),
        gst_tfrc_rate_reason_get_name (rate.reason));
    gst_tfrc_chooser_on_rate (self->chooser, &rate, get_now (self));
  }
  return GST_PAD_PROBE_OK;
}

static GstPad *
add_ghost_pad (GstTfrcEncodeBin * self, const gchar * name)
{
  GstPad *pad = gst_ghost_pad_new_no_target_from_template (name,
      gst_element_get_pad_template (GST_ELEMENT (self), name));

  gst_element_add_pad (GST_ELEMENT (self), pad);
  return pad;
}

/* --- the inside --- */

/* Each function returns FALSE after an error was posted. */

static gboolean
add_codec (GstTfrcEncodeBin * self, const GstTfrcCodec * codec)
{
  if (g_ptr_array_find (self->codecs, codec, NULL))
    return TRUE;
  g_ptr_array_add (self->codecs, (gpointer) codec);
  return gst_tfrc_encoder_branch_check (GST_ELEMENT (self), codec);
}

static gboolean
add_named_codec (GstTfrcEncodeBin * self, const gchar * name)
{
  guint channels = self->settings.content == GST_TFRC_CONTENT_MUSIC ? 2 : 1;
  const GstTfrcCodec *codec = gst_tfrc_codec_find (name);

  if (codec != NULL)
    return add_codec (self, gst_tfrc_codec_get (codec->id, channels));
  GST_ELEMENT_ERROR (self, LIBRARY, SETTINGS, (NULL),
      ("\"%s\" in the property \"codecs\" is no codec of tfrcencodebin. Use "
          GST_TFRC_CODEC_NAMES ", separated by commas", name));
  return FALSE;
}

static gboolean
add_named_codecs (GstTfrcEncodeBin * self)
{
  gchar **names = g_strsplit (self->settings.codecs, ",", -1), **name;
  /* g_strsplit() makes no name of an empty text */
  gboolean ok = *names != NULL || add_named_codec (self, "");

  for (name = names; *name != NULL && ok; name++)
    ok = add_named_codec (self, g_strstrip (*name));
  g_strfreev (names);
  return ok;
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
add_ladder_codecs (GstTfrcEncodeBin * self)
{
  gboolean ok = parse_ladder (self);
  guint i;

  for (i = 0; ok && i < self->n_ladder; i++)
    ok = add_codec (self, gst_tfrc_codec_get (self->ladder[i].codec,
            self->ladder[i].channels));
  return ok;
}

static gboolean
begin_with_first_codec (GstTfrcEncodeBin * self)
{
  self->branch = new_branch (self, self->codecs->pdata[0]);
  return self->branch != NULL && link_branch (self, self->branch);
}

static GstElement *
add_element (GstTfrcEncodeBin * self, const gchar * factory)
{
  GstElement *element = gst_element_factory_make (factory, NULL);

  if (element != NULL)
    gst_bin_add (GST_BIN (self), element);
  else
    gst_tfrc_missing_error (GST_ELEMENT (self), factory, "");
  return element;
}

static gboolean
add_converter (GstTfrcEncodeBin * self)
{
  GstPad *sink;
  gboolean ok;

  self->converter = add_element (self, "audioconvert");
  if (self->converter == NULL)
    return FALSE;
  sink = gst_element_get_static_pad (self->converter, "sink");
  ok = gst_tfrc_bin_pads_set_target (GST_ELEMENT (self), self->sinkpad, sink);
  gst_object_unref (sink);
  return ok;
}

static gboolean
add_splitter (GstTfrcEncodeBin * self)
{
  GstElement *splitter = add_element (self, "audiobuffersplit");

  if (splitter == NULL)
    return FALSE;
  /* A jump of the times is a gap in the audio at once, as it is for the encoders. */
  g_object_set (splitter, "output-buffer-duration", 1, 100, "discont-wait",
      G_GUINT64_CONSTANT (0), NULL);
  self->splitter = splitter;
  self->pieces = gst_element_get_static_pad (splitter, "src");
  gst_pad_add_probe (self->pieces, GST_PAD_PROBE_TYPE_BUFFER, on_piece, self,
      NULL);
  gst_pad_add_probe (self->pieces, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM |
      GST_PAD_PROBE_TYPE_EVENT_FLUSH, on_downstream_event, self, NULL);
  return gst_tfrc_bin_pads_link_elements (GST_ELEMENT (self), self->converter,
      splitter);
}

static void
remove_element (GstTfrcEncodeBin * self, GstElement ** element)
{
  if (*element != NULL) {
    gst_element_set_state (*element, GST_STATE_NULL);
    gst_bin_remove (GST_BIN (self), *element);
  }
  *element = NULL;
}

static void
close_inside (GstTfrcEncodeBin * self)
{
  remove_branch (self);
  gst_clear_object (&self->pieces);
  remove_element (self, &self->splitter);
  remove_element (self, &self->converter);
  g_ptr_array_set_size (self->codecs, 0);
  g_clear_pointer (&self->ladder, g_free);
  self->n_ladder = 0;
}

static gboolean
open_inside (GstTfrcEncodeBin * self)
{
  const GstTfrcEncodeProperties *settings = &self->settings;

  self->config =
      (GstTfrcEncoderBranchConfig) {settings->content, settings->pt,
      settings->red_pt, settings->extension_id, g_random_int (),
      g_random_int ()};
  if (add_converter (self) && add_splitter (self)
      && (settings->ladder !=
          NULL ? add_ladder_codecs (self) : add_named_codecs (self))
      && begin_with_first_codec (self))
    return TRUE;
  close_inside (self);
  return FALSE;
}

/* --- element --- */

static gboolean
start (GstTfrcEncodeBin * self)
{
  self->config.seqnum = g_random_int_range (0, 1 << 15);
  g_object_set (self->branch->payloader,
      "seqnum-offset", (gint) self->config.seqnum, NULL);
  gst_tfrc_audio_history_clear (&self->history);
  self->deferred = FALSE;
  self->told = (GstTfrcEncoderPackets) {0};
  gst_tfrc_rtp_stream_start (self->stream,
      self->branch->codec->clock_rate, self->branch->red_pt);
  return configure (self);
}

static GstStateChangeReturn
gst_tfrc_encode_bin_change_state (GstElement * element,
    GstStateChange transition)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (element);
  GstStateChangeReturn ret;

  if (transition == GST_STATE_CHANGE_NULL_TO_READY && !open_inside (self))
    return GST_STATE_CHANGE_FAILURE;
  if (transition == GST_STATE_CHANGE_READY_TO_PAUSED && !start (self))
    return GST_STATE_CHANGE_FAILURE;
  g_mutex_lock (&self->relinking);
  ret = GST_ELEMENT_CLASS (gst_tfrc_encode_bin_parent_class)->change_state
      (element, transition);
  g_mutex_unlock (&self->relinking);
  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    close_inside (self);
  return ret;
}

static void
gst_tfrc_encode_bin_init (GstTfrcEncodeBin * self)
{
  gst_tfrc_encode_properties_init (&self->settings);
  self->chooser = gst_tfrc_chooser_new ();
  self->stream = gst_tfrc_rtp_stream_new ();
  self->codecs = g_ptr_array_new ();
  g_mutex_init (&self->relinking);
  gst_tfrc_audio_history_init (&self->history);
  self->sinkpad = add_ghost_pad (self, "sink");
  self->srcpad = add_ghost_pad (self, "src");
  gst_tfrc_chooser_announce (self->chooser, self->srcpad);
  gst_pad_add_probe (self->srcpad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM,
      on_upstream_event, self, NULL);
  gst_tfrc_expected_quality_query_answer (self->srcpad);
  gst_pad_add_probe (self->srcpad, GST_PAD_PROBE_TYPE_BUFFER, on_packet, self,
      NULL);
}

/* --- properties --- */

static void
gst_tfrc_encode_bin_set_property (GObject * object, guint id,
    const GValue * value, GParamSpec * pspec)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);

  if (!gst_tfrc_property_may_change (object, pspec, value))
    return;
  GST_OBJECT_LOCK (self);
  self->reconfigure = TRUE;
  gst_tfrc_encode_properties_set (&self->settings, id, value);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_encode_bin_get_property (GObject * object, guint id, GValue * value,
    GParamSpec * pspec)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);

  GST_OBJECT_LOCK (self);
  if (id < GST_TFRC_ENCODE_N_SETTINGS)
    gst_tfrc_encode_properties_get (&self->settings, id, value);
  else
    gst_tfrc_encode_status_get (self->message, id, value, pspec);
  GST_OBJECT_UNLOCK (self);
}

static void
gst_tfrc_encode_bin_finalize (GObject * object)
{
  GstTfrcEncodeBin *self = GST_TFRC_ENCODE_BIN (object);

  g_clear_pointer (&self->message, gst_structure_free);
  gst_tfrc_chooser_free (self->chooser);
  gst_tfrc_rtp_stream_free (self->stream);
  gst_tfrc_audio_history_clear (&self->history);
  g_ptr_array_unref (self->codecs);
  g_mutex_clear (&self->relinking);
  gst_tfrc_encode_properties_clear (&self->settings);
  G_OBJECT_CLASS (gst_tfrc_encode_bin_parent_class)->finalize (object);
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

  gst_tfrc_encode_properties_install (object_class);
  gst_tfrc_encode_status_install (object_class);

  gst_element_class_add_static_pad_template (element_class, &sink_template);
  gst_element_class_add_static_pad_template (element_class, &src_template);
  gst_element_class_set_static_metadata (element_class, "TFRC encode bin",
      "Codec/Encoder/Payloader/Audio/RTP",
      "Encodes voice or music to RTP at the bit rate and frame length that TFRC allows",
      "The gst-tfrc developers");
  gst_element_class_add_static_metadata (element_class,
      GST_ELEMENT_METADATA_DOC_URI, TFRC_ORIGIN);
}
