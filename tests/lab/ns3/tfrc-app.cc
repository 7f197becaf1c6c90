/* lab-ns3: the engine as an application
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps.h"

#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <tfrc/ecn.h>
#include <tfrc/wire.h>

#include <algorithm>
#include <cmath>

namespace lab {

using ns3::NanoSeconds;
using ns3::Packet;
using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Socket;

namespace {

constexpr unsigned EXTENSION_ID = 3;
constexpr unsigned RTP_HEADER = 12, RTP_EXTENSION = 12;
constexpr unsigned IP_UDP = 28;
constexpr uint32_t SSRC = 0x5446;

TfrcTime
now ()
{
  return static_cast<TfrcTime> (Simulator::Now ().GetNanoSeconds ());
}

ns3::Time
until (TfrcTime when)
{
  return NanoSeconds (when > now () ? when - now () : 0);
}

/* A block of `size` bytes, aligned as malloc() aligns. */
void *
reserve (std::vector<uint64_t> & block, size_t size)
{
  block.assign (size / sizeof (uint64_t) + 1, 0);
  return block.data ();
}

}  // namespace

TfrcSource::TfrcSource (const Options & options, const TfrcConfig & config,
    ns3::InetSocketAddress to, uint64_t seed)
  : m_options (options), m_config (config), m_to (to),
    m_random (ns3::CreateObject<ns3::UniformRandomVariable> ())
{
  m_random->SetStream (static_cast<int64_t> (seed));
  if (options.has ("cir"))
    m_marker = std::make_unique<TwoColourMarker> (options.number ("cir") / 8,
        options.number ("cbs"));
  media = make_media (options, seed);
}

void
TfrcSource::StartApplication ()
{
  m_sender = tfrc_sender_init (reserve (m_block, tfrc_sender_size (&m_config)), &m_config, now ());
  m_socket = open_udp (0);
  m_socket->SetRecvCallback (ns3::MakeCallback (&TfrcSource::on_report, this));
  m_size = next_size ();
  if (media)
    m_frame = Simulator::Schedule (Seconds (m_random->GetValue () / 50), &TfrcSource::on_media_frame, this);
  else if (m_options.has ("pps"))
    m_frame = Simulator::Schedule (Seconds (m_random->GetValue () / m_options.number ("pps")),
        &TfrcSource::on_frame, this);
  else
    m_backlog = 1;
  if (m_options.has ("pause")) {
    const std::string & pause = m_options.text ("pause");
    m_pause_from = std::stod (pause);
    m_pause_to = std::stod (pause.substr (pause.find ('-') + 1));
    Simulator::Schedule (Seconds (m_pause_to) - Simulator::Now (), &TfrcSource::depart, this);
  }
  on_second ();
  depart ();
}

bool
TfrcSource::is_paused () const
{
  const double t = Simulator::Now ().GetSeconds ();
  return t >= m_pause_from && t < m_pause_to;
}

void
TfrcSource::StopApplication ()
{
  for (auto *event : { &m_departure, &m_timer, &m_frame, &m_second })
    event->Cancel ();
}

uint32_t
TfrcSource::next_size ()
{
  if (media)
    return media->get_next_size ();
  const double size = m_options.number ("size"), size_max = m_options.number ("size_max");
  const double least = RTP_HEADER + RTP_EXTENSION + m_options.number ("headers");
  if (m_options.has ("adapt")) {
    TfrcAllowance allowance;
    tfrc_sender_get_allowance (m_sender, &allowance);
    return static_cast<uint32_t> (std::max (least,
        std::min (size, allowance.X / m_options.number ("pps"))));
  }
  return static_cast<uint32_t> (std::max (least,
      size_max > size ? m_random->GetValue (size, size_max + 1) : size));
}

void
TfrcSource::on_frame ()
{
  m_frame = Simulator::Schedule (Seconds (1 / m_options.number ("pps")),
      &TfrcSource::on_frame, this);
  if (m_options.has ("backlog") && m_backlog >= m_options.number ("backlog"))
    m_backlog--;                /* the oldest makes room */
  if (m_backlog++ == 0) {
    m_size = next_size ();
    m_limited = false;
  }
  depart ();
}

void
TfrcSource::on_media_frame ()
{
  const double now_s = Simulator::Now ().GetSeconds ();
  double next = 0.02;
  if (!is_paused ())
    next = media->encode (now_s);
  m_frame = Simulator::Schedule (Seconds (next), &TfrcSource::on_media_frame, this);
  m_limited = false;
  depart ();
}

void
TfrcSource::tell_media (bool expired)
{
  if (!media)
    return;
  Conditions conditions { {}, expired };
  tfrc_sender_get_allowance (m_sender, &conditions.allowance);
  media->on_conditions (conditions, Simulator::Now ().GetSeconds ());
}

void
TfrcSource::send (const TfrcStamp & stamp)
{
  uint8_t head[RTP_HEADER + RTP_EXTENSION] = { 0x90, 96, uint8_t (m_seq >> 8), uint8_t (m_seq) };
  head[10] = SSRC >> 8;
  head[11] = SSRC & 0xFF;
  tfrc_stamp_write_block (&stamp, EXTENSION_ID, head + RTP_HEADER, RTP_EXTENSION);
  m_seq++;
  const auto packet = ns3::Create<Packet> (head, sizeof head);
  const uint32_t size = m_size - uint32_t (m_options.number ("headers"));
  packet->AddPaddingAtEnd (size - sizeof head);
  uint8_t tos = m_options.has ("ecn") ? TFRC_ECN_ECT0 : 0;
  if (m_marker) {
    tos |= m_marker->mark (size + IP_UDP, Simulator::Now ().GetSeconds ());
    ((tos & ~TFRC_ECN_CE) == TOS_IN ? m_in : m_out)++;
  }
  if (tos != 0) {
    ns3::SocketIpTosTag tag;    /* the IP layer writes it into the header */
    tag.SetTos (tos);
    packet->AddPacketTag (tag);
  }
  m_sent.add (size + IP_UDP);
  if (media)
    media->on_sent (Simulator::Now ().GetSeconds ());
  m_socket->SendTo (packet, 0, m_to);
}

void
TfrcSource::depart ()
{
  const bool endless = !media && !m_options.has ("pps");
  if (media) {
    media->drop_stale (Simulator::Now ().GetSeconds ());
    m_backlog = media->get_waiting ();
    m_size = media->get_next_size ();
  }
  while (m_backlog > 0 && !is_paused () && tfrc_sender_next_departure (m_sender, m_size) <= now ()) {
    TfrcStamp stamp;
    m_backlog -= !endless;
    tfrc_sender_on_departure (m_sender, m_size, m_backlog > 0, &stamp, now ());
    send (stamp);
    m_size = next_size ();
    m_limited = false;
  }
  if (m_backlog > 0 && !is_paused () && !m_limited) {
    tfrc_sender_on_limited (m_sender, now ());
    m_limited = true;
  }
  wait_for_departure ();
  wait_for_timer ();
}

void
TfrcSource::wait_for_departure ()
{
  m_departure.Cancel ();
  const TfrcTime next = tfrc_sender_next_departure (m_sender, m_size);
  if (m_backlog > 0 && !is_paused () && next != TFRC_TIME_NONE)
    m_departure = Simulator::Schedule (until (next), &TfrcSource::depart, this);
}

void
TfrcSource::wait_for_timer ()
{
  m_timer.Cancel ();
  const TfrcTime next = tfrc_sender_next_timer (m_sender);
  if (next != TFRC_TIME_NONE)
    m_timer = Simulator::Schedule (until (next), &TfrcSource::on_timer, this);
}

void
TfrcSource::on_timer ()
{
  if (tfrc_sender_on_timer (m_sender, now ()) & TFRC_SENDER_EXPIRED)
    tell_media (true);
  depart ();
}

void
TfrcSource::on_report (Ptr<Socket> socket)
{
  uint8_t bytes[TFRC_REPORT_SIZE_MAX];
  uint32_t from, to;
  TfrcReport report;
  while (const auto packet = socket->Recv ()) {
    const uint32_t size = packet->CopyData (bytes, sizeof bytes);
    if (m_options.has ("report_loss") && m_random->GetValue () < m_options.number ("report_loss"))
      continue;
    if (packet->GetSize () != size || tfrc_report_parse (&report, TFRC_REPORT_FMT, &from, &to, bytes, size)
        != TFRC_PARSE_OK)
      continue;
    const unsigned bits = tfrc_sender_on_report (m_sender, &report, now ());
    if (bits & TFRC_SENDER_LOSS && m_first_loss == 0)
      m_first_loss = Simulator::Now ().GetSeconds ();
    if (!(bits & TFRC_SENDER_REJECTED))
      tell_media (false);
  }
  depart ();
}

void
TfrcSource::on_second ()
{
  TfrcSenderStats stats;
  tfrc_sender_get_stats (m_sender, &stats);
  m_X.push_back (stats.X);
  m_second = Simulator::Schedule (Seconds (1), &TfrcSource::on_second, this);
}

void
TfrcSource::describe (std::map<std::string, double> & metrics) const
{
  TfrcSenderStats stats;
  tfrc_sender_get_stats (m_sender, &stats);
  metrics["p"] += stats.p;
  metrics["R_ms"] += stats.R * 1e3;
  metrics["expiries"] += static_cast<double> (stats.expiries);
  for (int i = 0; i < TFRC_N_REJECTS; i++)
    metrics[std::string ("rejected_") + tfrc_reject_get_name (TfrcReject (i))]
        += static_cast<double> (stats.rejected[i]);
  metrics["first_loss_s"] += m_first_loss;
  if (m_marker)
    metrics["in_profile"] += m_in / static_cast<double> (std::max<uint64_t> (1, m_in + m_out));
}

TfrcSink::TfrcSink (const TfrcConfig & config, uint32_t headers, uint16_t port, Ptr<Source> source)
  : m_config (config), m_headers (headers), m_port (port), m_source (source)
{
}

void
TfrcSink::StartApplication ()
{
  m_receiver = tfrc_receiver_init (reserve (m_block, tfrc_receiver_size (&m_config)), &m_config,
      now ());
  m_socket = Socket::CreateSocket (GetNode (), ns3::UdpSocketFactory::GetTypeId ());
  m_socket->Bind (ns3::InetSocketAddress (ns3::Ipv4Address::GetAny (), m_port));
  m_socket->SetRecvCallback (ns3::MakeCallback (&TfrcSink::on_packet, this));
  m_socket->SetIpRecvTos (true);
}

void
TfrcSink::StopApplication ()
{
  m_timer.Cancel ();
}

void
TfrcSink::on_packet (Ptr<Socket> socket)
{
  uint8_t head[RTP_HEADER + RTP_EXTENSION];
  while (const auto packet = socket->RecvFrom (m_from)) {
    packet->CopyData (head, sizeof head);
    TfrcPacket arrived {};
    arrived.seq = uint16_t (head[2] << 8 | head[3]);
    arrived.size = packet->GetSize () + m_headers;
    ns3::SocketIpTosTag tag;
    arrived.ce = packet->PeekPacketTag (tag) && (tag.GetTos () & TFRC_ECN_CE) == TFRC_ECN_CE;
    arrived.stamped = tfrc_stamp_parse_block (&arrived.stamp, EXTENSION_ID, head + RTP_HEADER,
        RTP_EXTENSION) == TFRC_PARSE_OK;
    tfrc_receiver_on_packet (m_receiver, &arrived, now ());
    m_source->meter.add (packet->GetSize () + IP_UDP);
    const int64_t number = m_highest + int16_t (arrived.seq - uint16_t (m_highest));
    m_highest = std::max (m_highest, number);
    if (m_source->media)
      m_source->media->on_arrived (number, Simulator::Now ().GetSeconds ());
  }
  report ();
}

void
TfrcSink::on_timer ()
{
  tfrc_receiver_on_timer (m_receiver, now ());
  report ();
}

void
TfrcSink::report ()
{
  TfrcReport report;
  if (tfrc_receiver_wants_report (m_receiver)
      && tfrc_receiver_make_report (m_receiver, &report, now ())) {
    uint8_t bytes[TFRC_REPORT_SIZE_MAX];
    report.timed = m_source->media != nullptr;  /* the encoder wants to know of queues */
    const size_t size = tfrc_report_write (&report, TFRC_REPORT_FMT, SSRC + 1, SSRC, bytes);
    m_socket->SendTo (ns3::Create<Packet> (bytes, size), 0, m_from);
  }
  m_timer.Cancel ();
  const TfrcTime next = tfrc_receiver_next_timer (m_receiver);
  if (next != TFRC_TIME_NONE)
    m_timer = Simulator::Schedule (until (next), &TfrcSink::on_timer, this);
}

}  // namespace lab
