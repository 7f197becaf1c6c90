/* lab-ns3: RAP, TCP and constant bit rate as applications
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "apps.h"

#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/udp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstring>

namespace lab {

using ns3::InetSocketAddress;
using ns3::Ipv4Address;
using ns3::Packet;
using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Socket;

namespace {

constexpr unsigned IP_UDP = 28, IP_TCP = 40;
constexpr unsigned RAP_ACK = 40 - IP_UDP;       /* bytes: acknowledgements of 40 with headers */
constexpr double RAP_FIRST_IPG = 0.5;           /* s */

double
now ()
{
  return Simulator::Now ().GetSeconds ();
}

}  // namespace

void
Meter::add (unsigned bytes)
{
  const auto second = static_cast<size_t> (now ());
  if (m_seconds.size () <= second)
    m_seconds.resize (second + 1);
  m_seconds[second] += bytes;
}

double
Meter::get_bytes (double from, double to) const
{
  double sum = 0;
  for (auto i = static_cast<size_t> (from); i < std::min (to, double (m_seconds.size ())); i++)
    sum += m_seconds[i];
  return sum;
}

double
Meter::get_cov (double from, double to) const
{
  const double mean = get_bytes (from, to) / (to - from);
  double squares = 0;
  for (double i = from; i < to; i++)
    squares += std::pow (get_bytes (i, i + 1) - mean, 2);
  return mean > 0 ? std::sqrt (squares / (to - from)) / mean : 0;
}

void
Source::describe (std::map<std::string, double> &) const
{
}

Ptr<Socket>
Source::open_udp (uint16_t port)
{
  auto socket = Socket::CreateSocket (GetNode (), ns3::UdpSocketFactory::GetTypeId ());
  socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), port));
  return socket;
}

RapSource::RapSource (const Options & options, InetSocketAddress to)
  : m_to (to), m_size (options.number ("size")), m_fine (options.has ("fine"))
{
}

void
RapSource::StartApplication ()
{
  rap_init (&m_rap, m_fine, RAP_FIRST_IPG, now ());
  m_socket = open_udp (0);
  m_socket->SetRecvCallback (ns3::MakeCallback (&RapSource::on_ack, this));
  send ();
  schedule_step ();
}

void
RapSource::StopApplication ()
{
  m_next.Cancel ();
  m_step.Cancel ();
}

void
RapSource::send ()
{
  const int64_t seq = rap_on_sent (&m_rap, now ());
  uint8_t head[sizeof seq];
  std::memcpy (head, &seq, sizeof seq);
  const auto packet = ns3::Create<Packet> (head, sizeof head);
  packet->AddPaddingAtEnd (m_size - IP_UDP - sizeof head);
  m_socket->SendTo (packet, 0, m_to);
  m_next = Simulator::Schedule (Seconds (rap_get_wait (&m_rap)), &RapSource::send, this);
}

void
RapSource::step ()
{
  rap_on_step (&m_rap, now ());
  schedule_step ();
}

void
RapSource::schedule_step ()
{
  m_step.Cancel ();
  m_step = Simulator::Schedule (Seconds (std::max (1e-6, rap_next_step (&m_rap) - now ())),
      &RapSource::step, this);
}

void
RapSource::on_ack (Ptr<Socket> socket)
{
  while (const auto packet = socket->Recv ()) {
    int32_t words[3];           /* received, and how far below it the other two are */
    packet->CopyData (reinterpret_cast<uint8_t *> (words), sizeof words);
    const RapAck ack { words[0], words[1], words[2] };
    const double step = rap_next_step (&m_rap);
    rap_on_ack (&m_rap, &ack, now ());
    if (rap_next_step (&m_rap) != step)
      schedule_step ();
  }
}

EchoSink::EchoSink (uint16_t port, bool acknowledges, Meter * meter)
  : m_port (port), m_acknowledges (acknowledges), m_meter (meter)
{
  rap_sink_init (&m_sink);
}

void
EchoSink::StartApplication ()
{
  m_socket = Socket::CreateSocket (GetNode (), ns3::UdpSocketFactory::GetTypeId ());
  m_socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), m_port));
  m_socket->SetRecvCallback (ns3::MakeCallback (&EchoSink::on_packet, this));
}

void
EchoSink::StopApplication ()
{
}

void
EchoSink::on_packet (Ptr<Socket> socket)
{
  ns3::Address from;
  while (const auto packet = socket->RecvFrom (from)) {
    m_meter->add (packet->GetSize () + IP_UDP);
    if (!m_acknowledges)
      continue;
    int64_t seq;
    packet->CopyData (reinterpret_cast<uint8_t *> (&seq), sizeof seq);
    rap_sink_on_packet (&m_sink, seq);
    const int32_t words[3] = { int32_t (m_sink.ack.received), int32_t (m_sink.ack.missed),
      int32_t (m_sink.ack.before) };
    static_assert (sizeof words == RAP_ACK);
    socket->SendTo (ns3::Create<Packet> (reinterpret_cast<const uint8_t *> (words), sizeof words),
        0, from);
  }
}

CbrSource::CbrSource (const Options & options, InetSocketAddress to)
  : m_to (to), m_size (options.number ("size")), m_gap (Seconds (1 / options.number ("pps")))
{
}

void
CbrSource::StartApplication ()
{
  m_socket = open_udp (0);
  send ();
}

void
CbrSource::StopApplication ()
{
  m_next.Cancel ();
}

void
CbrSource::send ()
{
  m_socket->SendTo (ns3::Create<Packet> (m_size - IP_UDP), 0, m_to);
  m_next = Simulator::Schedule (m_gap, &CbrSource::send, this);
}

Ptr<Socket>
make_tcp_socket (Ptr<ns3::Node> node, const Options & options)
{
  const auto layer = node->GetObject<ns3::TcpL4Protocol> ();
  if (options.has ("cc"))
    layer->SetAttribute ("SocketType", ns3::TypeIdValue (ns3::TypeId::LookupByName ("ns3::" + options.text ("cc"))));
  auto socket = Socket::CreateSocket (node, ns3::TcpSocketFactory::GetTypeId ());
  const auto size = static_cast<uint32_t> (options.number ("size"));
  socket->SetAttribute ("SegmentSize", ns3::UintegerValue (size));
  return socket;
}

Ptr<Socket>
copy_tcp_socket (Ptr<Socket> pattern)
{
  struct Forks : ns3::TcpSocketBase {
    static Ptr<ns3::TcpSocketBase> fork (ns3::TcpSocketBase & socket)
    {
      return (socket.*&Forks::Fork) ();
    }
  };
  const auto copy = Forks::fork (*ns3::DynamicCast<ns3::TcpSocketBase> (pattern));
  pattern->GetNode ()->GetObject<ns3::TcpL4Protocol> ()->AddSocket (copy);
  return copy;
}

TcpSource::TcpSource (const Options & options, InetSocketAddress to)
  : m_options (options), m_to (to)
{
}

void
TcpSource::StartApplication ()
{
  m_socket = make_tcp_socket (GetNode (), m_options);
  /* The papers' window is the receiver's, but ns-3.37 follows a null pointer when it recovers
   * by SACK with more to send than the receiver's window takes; so the sender's buffer is the
   * limit and the receiver's is larger. */
  const double window = m_options.number ("window") * m_options.number ("size");
  m_socket->SetAttribute ("SndBufSize", ns3::UintegerValue (static_cast<uint32_t> (window)));
  const auto tcp = ns3::DynamicCast<ns3::TcpSocketBase> (m_socket);
  tcp->SetPacingStatus (m_options.has ("pacing"));
  m_socket->SetSendCallback (ns3::MakeCallback (&TcpSource::fill, this));
  m_socket->Bind ();
  m_socket->Connect (m_to);
}

void
TcpSource::StopApplication ()
{
  m_stopped = true;
}

void
TcpSource::fill (Ptr<Socket> socket, uint32_t)
{
  const auto chunk = static_cast<uint32_t> (m_options.number ("size"));
  while (!m_stopped && socket->GetTxAvailable () >= chunk)
    if (socket->Send (ns3::Create<Packet> (chunk)) <= 0)
      break;
}

TcpSink::TcpSink (const Options & options, uint32_t window, uint16_t port, Meter * meter)
  : m_size (options.number ("size")), m_window (window), m_port (port), m_meter (meter)
{
}

void
TcpSink::StartApplication ()
{
  m_socket = Socket::CreateSocket (GetNode (), ns3::TcpSocketFactory::GetTypeId ());
  m_socket->SetAttribute ("SegmentSize", ns3::UintegerValue (m_size));
  m_socket->SetAttribute ("RcvBufSize", ns3::UintegerValue (m_window));
  m_socket->Bind (InetSocketAddress (Ipv4Address::GetAny (), m_port));
  m_socket->Listen ();
  m_socket->SetAcceptCallback (ns3::MakeNullCallback<bool, Ptr<Socket>, const ns3::Address &> (),
      [this] (Ptr<Socket> accepted, const ns3::Address &) {
        accepted->SetRecvCallback (ns3::MakeCallback (&TcpSink::on_data, this));
        accepted->SetCloseCallbacks ([] (Ptr<Socket> closing) { closing->Close (); },
            ns3::MakeNullCallback<void, Ptr<Socket>> ());
      });
}

void
TcpSink::StopApplication ()
{
}

void
TcpSink::on_data (Ptr<Socket> socket)
{
  while (const auto packet = socket->Recv ()) {
    if (packet->GetSize () == 0)
      break;
    if (m_meter)
      m_meter->add (packet->GetSize ());
  }
}

}  // namespace lab
