/* lab-ns3: NADA as an application, with media on top
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps.h"

#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/udp-socket-factory.h"

#include <tfrc/ecn.h>

#include <algorithm>
#include <stdexcept>

namespace lab {

using ns3::InetSocketAddress;
using ns3::Packet;
using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Socket;

namespace {

constexpr unsigned IP_UDP = 28;
constexpr double FPS = 30;
constexpr double PAYLOAD_SHARE = 1 - 24 / 1200.0;       /* NADA's rates are of RTP packets */
constexpr double TICK = 1e-6;    /* s, longer than the simulation's unit of time */

/* What a packet of media carries besides. */
struct Head {
  int64_t seq;
  double sent;                  /* s */
};

/* What a packet of feedback carries: it is as long as an RTCP packet would be. */
struct Feedback {
  NadaReport report;
  double sent, held;            /* s: when the newest packet was sent, and how long ago it came */
};

double
now ()
{
  return Simulator::Now ().GetSeconds ();
}

}  // namespace

NadaSource::NadaSource (const Options & options, InetSocketAddress to, uint64_t seed)
  : m_options (options), m_to (to), m_random (ns3::CreateObject<ns3::UniformRandomVariable> ())
{
  m_random->SetStream (static_cast<int64_t> (seed) + 500);
  media = make_media (options, seed);
  if (!media)
    throw std::runtime_error ("nada needs media");
}

void
NadaSource::StartApplication ()
{
  nada_sender_init (&m_sender, m_options.number ("min") * 1e3, m_options.number ("max") * 1e3, now ());
  m_socket = open_udp (0);
  m_socket->SetRecvCallback (ns3::MakeCallback (&NadaSource::on_report, this));
  m_frame = Simulator::Schedule (Seconds (m_random->GetValue () / FPS), &NadaSource::on_frame, this);
}

void
NadaSource::StopApplication ()
{
  m_next.Cancel ();
  m_frame.Cancel ();
}

bool
NadaSource::is_paused () const
{
  if (!m_options.has ("pause"))
    return false;
  const std::string & pause = m_options.text ("pause");
  return now () >= std::stod (pause) && now () < std::stod (pause.substr (pause.find ('-') + 1));
}

void
NadaSource::on_frame ()
{
  double next = 1 / FPS;
  if (!is_paused ()) {
    media->set_target (PAYLOAD_SHARE * nada_sender_get_r_vin (&m_sender, media->get_waiting_bytes (), FPS));
    next = media->encode (now ());
  }
  m_frame = Simulator::Schedule (Seconds (next), &NadaSource::on_frame, this);
  if (m_next.IsExpired ())
    send ();
}

/* Sends what waits, paced at r_send. */
void
NadaSource::send ()
{
  media->drop_stale (now ());
  if (media->get_waiting () == 0)
    return;
  if (now () + TICK >= m_free) {
    const uint32_t size = media->get_next_size ();
    const Head head { m_seq++, now () };
    const auto packet = ns3::Create<Packet> (reinterpret_cast<const uint8_t *> (&head), sizeof head);
    packet->AddPaddingAtEnd (size - sizeof head);
    if (m_options.has ("ecn")) {
      ns3::SocketIpTosTag tag;
      tag.SetTos (TFRC_ECN_ECT0);
      packet->AddPacketTag (tag);
    }
    m_free = now () + 8 * size / nada_sender_get_r_send (&m_sender, media->get_waiting_bytes (), FPS);
    media->on_sent (now ());
    m_socket->SendTo (packet, 0, m_to);
  }
  m_next = Simulator::Schedule (Seconds (std::max (TICK, m_free - now ())), &NadaSource::send, this);
}

void
NadaSource::on_report (Ptr<Socket> socket)
{
  Feedback feedback;
  while (const auto packet = socket->Recv ()) {
    if (packet->CopyData (reinterpret_cast<uint8_t *> (&feedback), sizeof feedback) != sizeof feedback
        || (m_options.has ("report_loss") && m_random->GetValue () < m_options.number ("report_loss")))
      continue;
    nada_sender_on_report (&m_sender, &feedback.report, now () - feedback.sent - feedback.held, now ());
  }
}

NadaSink::NadaSink (uint16_t port, Ptr<Source> source)
  : m_port (port), m_source (source)
{
  nada_receiver_init (&m_receiver);
}

void
NadaSink::StartApplication ()
{
  m_socket = Socket::CreateSocket (GetNode (), ns3::UdpSocketFactory::GetTypeId ());
  m_socket->Bind (InetSocketAddress (ns3::Ipv4Address::GetAny (), m_port));
  m_socket->SetRecvCallback (ns3::MakeCallback (&NadaSink::on_packet, this));
  m_socket->SetIpRecvTos (true);
}

void
NadaSink::StopApplication ()
{
  m_timer.Cancel ();
}

void
NadaSink::on_packet (Ptr<Socket> socket)
{
  Head head;
  while (const auto packet = socket->RecvFrom (m_from)) {
    packet->CopyData (reinterpret_cast<uint8_t *> (&head), sizeof head);
    ns3::SocketIpTosTag tag;
    const bool ce = packet->PeekPacketTag (tag) && (tag.GetTos () & TFRC_ECN_CE) == TFRC_ECN_CE;
    nada_receiver_on_packet (&m_receiver, head.seq, now () - head.sent, packet->GetSize (), ce, now ());
    m_sent = head.sent;
    m_arrived = now ();
    m_source->meter.add (packet->GetSize () + IP_UDP);
    m_source->media->on_arrived (head.seq, now ());
  }
  if (m_timer.IsExpired ())
    m_timer = Simulator::Schedule (Seconds (NADA_DELTA), &NadaSink::report, this);
}

/* After a silence, the next packet starts the timer again. */
void
NadaSink::report ()
{
  Feedback feedback { {}, m_sent, now () - m_arrived };
  nada_receiver_make_report (&m_receiver, &feedback.report, now ());
  m_socket->SendTo (ns3::Create<Packet> (reinterpret_cast<const uint8_t *> (&feedback), sizeof feedback), 0, m_from);
  if (feedback.held < NADA_DELTA)
    m_timer = Simulator::Schedule (Seconds (NADA_DELTA), &NadaSink::report, this);
}

}  // namespace lab
