/* lab-ns3: media on top of a congestion control: what is encoded, what waits, what comes of it
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "media.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lab {
namespace {

constexpr unsigned RTP_HEADERS = 24;    /* bytes; RTP with the header extension */
constexpr unsigned H = 40;      /* bytes, as TfrcConfig's default */
constexpr double QUEUE_TIME = 0.2;      /* s: max-queue-time of the filters */
constexpr double FPS = 30;
constexpr double SCATTER = 0.15;        /* RFC 8593 table 1: SCALE_B */
constexpr double TAU_V = 0.2;   /* s, RFC 8593 table 1: least time from target to target */
constexpr unsigned PAYLOAD = 1200 - RTP_HEADERS;        /* bytes of video in a packet, at most */
constexpr unsigned WINDOW = 8;  /* s that are scored as one, as in the voice study */
constexpr double BUFFER_WINDOW = 2;     /* s */
constexpr double BUFFER_PACKETS = 125;
constexpr double LOSS_INTERVAL = 1;     /* s from receiver report to receiver report */
constexpr TfrcTime LATENCY_MIN = 10 * TFRC_MSEC, LATENCY_MAX = 400 * TFRC_MSEC;

TfrcTime
ns (double seconds)
{
  return static_cast<TfrcTime> (std::llround (seconds * 1e9));
}

double
get_quantile (std::vector<double> & values, double share)
{
  if (values.empty ())
    return 0;
  const auto at = values.begin () + static_cast<long> (share * static_cast<double> (values.size () - 1));
  std::nth_element (values.begin (), at, values.end ());
  return *at;
}

bool
differs (double value, double last, double notice)
{
  return std::fabs (value - last) > notice * last;
}

}  // namespace

Media::Media (const Options & options)
  : m_options (options), m_random (ns3::CreateObject<ns3::UniformRandomVariable> ())
{
}

void
Media::add_frame (double now, const std::vector<uint32_t> & sizes)
{
  Frame frame;
  frame.made = now;
  frame.parts = static_cast<unsigned> (sizes.size ());
  for (const uint32_t size : sizes)
    m_waiting.push_back ({ size, static_cast<unsigned> (m_frames.size ()) });
  m_frames.push_back (frame);
}

/* Packets of one frame go together: a frame of which a part is missing is of no use. */
void
Media::drop_stale (double now)
{
  while (!m_waiting.empty () && now - m_frames[m_waiting.front ().frame].made > QUEUE_TIME) {
    m_frames[m_waiting.front ().frame].dropped = true;
    m_waiting.pop_front ();
  }
}

uint32_t
Media::get_waiting_bytes () const
{
  uint32_t sum = 0;
  for (const auto & part : m_waiting)
    sum += part.size;
  return sum;
}

uint32_t
Media::get_next_size () const
{
  return m_waiting.empty () ? (m_sent.empty () ? RTP_HEADERS : m_sent.back ().size) : m_waiting.front ().size;
}

void
Media::on_sent (double now)
{
  m_sent.push_back (m_waiting.front ());
  m_sent.back ().sent = now;
  m_waiting.pop_front ();
}

void
Media::on_arrived (int64_t number, double now)
{
  Part & part = m_sent.at (static_cast<size_t> (number));
  Frame & frame = m_frames[part.frame];
  part.arrived = now;
  m_arrived++;
  m_highest = std::max (m_highest, number);
  if (++frame.arrived == frame.parts)
    frame.complete = now;
  on_part (part, now);
}

double
Media::get_delay_ms (unsigned second) const
{
  double sum = 0;
  unsigned n = 0;
  for (const auto & part : m_sent)
    if (part.arrived > 0 && static_cast<unsigned> (part.arrived) == second) {
      sum += part.arrived - part.sent;
      n++;
    }
  return n > 0 ? 1e3 * sum / n : 0;
}

void
Media::describe (std::map<std::string, double> & metrics, double from, double to) const
{
  std::vector<double> delays, frame_delays;
  double sent = 0, lost = 0, frames = 0, missing = 0;
  /* What is sent in the last second may still be on its way. */
  for (const auto & part : m_sent)
    if (part.sent >= from && part.sent < to - 1) {
      sent++;
      lost += part.arrived == 0;
      if (part.arrived > 0)
        delays.push_back (1e3 * (part.arrived - part.sent));
    }
  for (const auto & frame : m_frames)
    if (frame.made >= from && frame.made < to - 1 && frame.parts > 0) {
      const bool whole = frame.arrived == frame.parts;
      frames++;
      missing += !whole;
      if (whole)
        frame_delays.push_back (1e3 * (frame.complete - frame.made));
    }
  metrics["loss"] += sent > 0 ? lost / sent : 0;
  metrics["delay_p50"] += get_quantile (delays, 0.5);
  metrics["delay_p95"] += get_quantile (delays, 0.95);
  metrics["delay_p99"] += get_quantile (delays, 0.99);
  metrics["frame_delay_p95"] += get_quantile (frame_delays, 0.95);
  metrics["frames_missing"] += frames > 0 ? missing / frames : 0;
}

Voice::Voice (const Options & options, uint64_t seed)
  : Media (options)
{
  TfrcAdaptLadderLimits limits;
  TfrcAdaptConfig config;
  TfrcAdaptPoint ladder[TFRC_ADAPT_LADDER_MAX];
  tfrc_adapt_ladder_limits_init (&limits);
  const unsigned n = tfrc_adapt_ladder_fill (ladder, TFRC_ADAPT_LADDER_MAX, &limits);
  tfrc_adapt_config_init (&config);
  config.seed = seed;
  m_block.assign (tfrc_adapt_size (n) / sizeof (uint64_t) + 1, 0);
  m_adapt = tfrc_adapt_init (m_block.data (), &config, ladder, n, 0);
  tfrc_adapt_get_choice (m_adapt, &m_choice);
  tfrc_adapt_loss_share_init (&m_loss);
  tfrc_adapt_playout_delay_init (&m_playout, LATENCY_MIN, LATENCY_MAX);
  tfrc_adapt_playout_delay_set_path (&m_playout, ns (options.number ("rtt") / 2e3));
}

void
Voice::on_adapt (unsigned bits)
{
  m_switches += (bits & TFRC_ADAPT_POINT) != 0;
  tfrc_adapt_get_choice (m_adapt, &m_choice);
}

double
Voice::encode (double now)
{
  if (now >= m_next_loss && m_arrived > 0) {
    tfrc_adapt_loss_share_update (&m_loss, static_cast<uint32_t> (m_highest),
        static_cast<int32_t> (m_highest + 1 - m_arrived));
    m_next_loss = now + LOSS_INTERVAL;
  }
  if (ns (now) >= tfrc_adapt_next_timer (m_adapt))
    on_adapt (tfrc_adapt_on_timer (m_adapt, ns (now)));
  Sound sound;
  sound.point = m_choice.point;
  sound.copies = m_choice.copies;
  m_sounds.push_back (sound);
  if (m_choice.suspended)
    add_frame (now, {});
  else
    add_frame (now, { tfrc_adapt_point_get_payload_size (&m_choice.point) + RTP_HEADERS });
  return m_choice.point.frame_us * 1e-6;
}

/* As rtptfrcsend, which tells the encoder at once of less, and of little changes after a while. */
void
Voice::on_conditions (const Conditions & conditions, double now)
{
  const TfrcAllowance & a = conditions.allowance, & last = m_last.allowance;
  const bool news = conditions.expired || m_told < 0 || a.X_wire < 0.95 * last.X_wire || now - m_told >= 0.5
      || ((differs (a.X_wire, last.X_wire, 0.05) || differs (a.p, last.p, 0.2)
          || differs (a.R_sample, last.R_sample, 0.1)) && now - m_told >= a.R);
  if (!news)
    return;
  m_last = conditions;
  m_told = now;
  TfrcAdaptConditions c {};
  c.mode = TFRC_MODE_TFRC_SP;
  c.H = H;
  c.overhead = RTP_HEADERS;
  c.allowance = a;
  c.expired = conditions.expired;
  c.loss = tfrc_adapt_loss_share_get (&m_loss);
  if (!m_waiting.empty ())
    c.queue = now - m_frames[m_waiting.front ().frame].made;
  on_adapt (tfrc_adapt_on_conditions (m_adapt, &c, ns (now)));
}

void
Voice::on_part (const Part & part, double now)
{
  const Sound & sound = m_sounds[part.frame];
  const double transit = now - m_frames[part.frame].made;
  follow_fastest (transit, now);
  for (unsigned i = 0; i <= sound.copies.n; i++) {
    const unsigned age = tfrc_adapt_copies_get_age (&sound.copies, i);
    if (age <= part.frame)
      on_sound (part.frame - age, i == 0, now);
  }
}

/* As a jitter buffer of GStreamer does: the mean, over 125 packets, of the fastest packet of a window. */
void
Voice::follow_fastest (double transit, double now)
{
  if (m_fastest == 0) {
    m_fastest = m_fastest_of_window = m_fastest_next = transit;
    m_window_end = now + BUFFER_WINDOW;
  }
  m_fastest_next = std::min (m_fastest_next, transit);
  if (now >= m_window_end) {
    m_fastest_of_window = m_fastest_next;
    m_fastest_next = transit;
    m_window_end = now + BUFFER_WINDOW;
  }
  if (transit < m_fastest)
    m_fastest = transit;
  else if (m_fastest_of_window > m_fastest)
    m_fastest += (m_fastest_of_window - m_fastest) / BUFFER_PACKETS;
}

void
Voice::on_sound (unsigned frame, bool own, double now)
{
  Sound & sound = m_sounds[frame];
  const double late = now - m_frames[frame].made - m_fastest;
  const double buffer = tfrc_adapt_playout_delay_get (&m_playout) * 1e-9;
  if (sound.seen)
    return;
  sound.seen = true;
  if (late <= buffer) {
    sound.heard = true;
    sound.own = own;
    sound.delay = m_fastest + buffer;
  }
  tfrc_adapt_playout_delay_on_sound (&m_playout, std::llround (late * 1e9), ns (now));
}

/* The mean rating of frames `begin` to `end` less one. */
double
Voice::get_rating (unsigned begin, unsigned end, bool with_delay) const
{
  double time = 0, lost = 0, late = 0, delay = 0, heard = 0, rating = 0;
  for (unsigned i = begin; i < end; i++) {
    const Sound & sound = m_sounds[i];
    time += sound.point.frame_us;
    lost += sound.heard ? 0 : sound.point.frame_us;
    late += sound.own ? 0 : sound.point.frame_us;
    heard += sound.heard;
    delay += sound.delay;
  }
  for (unsigned i = begin; i < end; i++) {
    TfrcAdaptPoint point = m_sounds[i].point;
    TfrcAdaptListening listening { lost / time, 1, with_delay && heard > 0 ? delay / heard : 0 };
    point.redundancy = 0;
    /* The codec's own error correction is in the next packet. */
    if (point.fec)
      listening.loss = std::sqrt (lost * late) / time;
    rating += tfrc_adapt_quality_get_rating (&point, &listening) * point.frame_us;
  }
  return rating / time;
}

void
Voice::describe (std::map<std::string, double> & metrics, double from, double to) const
{
  Media::describe (metrics, from, to);
  double mos = 0, listening = 0, windows = 0, unheard = 0, time = 0, bits = 0, delay = 0, heard = 0;
  unsigned begin = 0;
  while (begin < m_frames.size () && m_frames[begin].made < from)
    begin++;
  for (double at = from; at + WINDOW <= to; at += WINDOW) {
    unsigned end = begin;
    while (end < m_frames.size () && m_frames[end].made < at + WINDOW)
      end++;
    if (end > begin) {
      mos += tfrc_adapt_quality_get_mos (get_rating (begin, end, true));
      listening += tfrc_adapt_quality_get_mos (get_rating (begin, end, false));
      windows++;
    }
    for (unsigned i = begin; i < end; i++) {
      const Sound & sound = m_sounds[i];
      time += sound.point.frame_us;
      unheard += sound.heard ? 0 : sound.point.frame_us;
      bits += m_frames[i].parts * 1e-6 * sound.point.frame_us * sound.point.bitrate;
      delay += sound.delay;
      heard += sound.heard;
    }
    begin = end;
  }
  metrics["mos"] += windows > 0 ? mos / windows : 0;
  metrics["mos_listening"] += windows > 0 ? listening / windows : 0;
  metrics["unheard"] += time > 0 ? unheard / time : 0;
  metrics["codec_kbps"] += time > 0 ? bits / time * 1e3 : 0;
  metrics["mouth_to_ear_ms"] += heard > 0 ? 1e3 * delay / heard : 0;
  metrics["switches_per_min"] += m_frames.empty () ? 0 : 60 * m_switches / m_frames.back ().made;
}

Video::Video (const Options & options, uint64_t seed)
  : Media (options), m_target (options.number ("min") * 1e3), m_used (m_target)
{
  m_random->SetStream (static_cast<int64_t> (seed));
}

/* Of the Laplace distribution with mean 0 and scale SCATTER. */
double
Video::draw_scatter ()
{
  const double u = m_random->GetValue (-0.5, 0.5);
  return -SCATTER * std::copysign (std::log (1 - 2 * std::fabs (u)), u);
}

double
Video::encode (double now)
{
  if (now - m_taken >= TAU_V) {
    m_used = m_target;
    m_taken = now;
  }
  const double bytes = std::max (100.0, m_used / 8 / FPS * std::max (0.1, 1 + draw_scatter ()));
  const auto parts = static_cast<unsigned> (std::ceil (bytes / PAYLOAD));
  add_frame (now, std::vector<uint32_t> (parts, static_cast<uint32_t> (std::ceil (bytes / parts)) + RTP_HEADERS));
  return 1 / FPS;
}

void
Video::set_target (double bitrate)
{
  m_target = std::min (m_options.number ("max") * 1e3, std::max (m_options.number ("min") * 1e3, bitrate));
}

/* What the allowance leaves for payload, less what is needed to empty the queue within its limit. */
void
Video::on_conditions (const Conditions & conditions, double)
{
  const double packets = std::max (FPS, m_used / 8 / PAYLOAD);
  const double bitrate = tfrc_allowance_get_bitrate (&conditions.allowance, TFRC_MODE_TFRC, 0, packets, RTP_HEADERS);
  set_target (bitrate - 8 * get_waiting_bytes () / QUEUE_TIME * 0.5);
}

void
Video::describe (std::map<std::string, double> & metrics, double from, double to) const
{
  Media::describe (metrics, from, to);
  double bytes = 0;
  for (const auto & part : m_sent)
    if (part.sent >= from && part.sent < to - 1 && m_frames[part.frame].arrived == m_frames[part.frame].parts)
      bytes += part.size - RTP_HEADERS;
  metrics["whole_kbps"] += bytes * 8e-3 / (to - 1 - from);
}

std::unique_ptr<Media>
make_media (const Options & options, uint64_t seed)
{
  const std::string & kind = options.text ("media");
  if (kind == "voice")
    return std::make_unique<Voice> (options, seed);
  if (kind == "video")
    return std::make_unique<Video> (options, seed);
  if (!kind.empty ())
    throw std::runtime_error ("no media " + kind);
  return nullptr;
}

}  // namespace lab
