/* lab-ns3: web sessions
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "web.h"

#include "ns3/packet.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>

namespace lab {

using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Socket;

namespace {

constexpr double BETWEEN_OBJECTS = 0.01;        /* s */

}  // namespace

WebSession::WebSession (const Options & options, ns3::InetSocketAddress to, int64_t stream)
  : m_options (options), m_to (to),
    m_random (ns3::CreateObject<ns3::UniformRandomVariable> ()),
    m_pages_left (options.number ("pages"))
{
  m_random->SetStream (stream);
}

void
WebSession::StartApplication ()
{
  m_pattern = make_tcp_socket (GetNode (), m_options);
  m_pattern->SetAttribute ("SndBufSize", ns3::UintegerValue (WEB_LARGEST + 1));
  start_page ();
}

void
WebSession::StopApplication ()
{
  m_next.Cancel ();
}

double
WebSession::draw_exponential (double mean)
{
  return -mean * std::log (1 - m_random->GetValue (0, 1));
}

uint64_t
WebSession::draw_bytes ()
{
  const double shape = m_options.number ("shape");
  const double scale = m_options.number ("mean") * (shape - 1);
  const double packets = scale * (std::pow (1 - m_random->GetValue (0, 1), -1 / shape) - 1);
  const double bytes = std::ceil (packets) * m_options.number ("size");
  return static_cast<uint64_t> (std::min<double> (WEB_LARGEST, std::max (bytes, 1.0)));
}

void
WebSession::start_page ()
{
  if (m_pages_left-- == 0)
    return;
  m_objects_left = m_options.number ("objects");
  start_object ();
}

void
WebSession::start_object ()
{
  const auto bytes = draw_bytes ();
  const auto socket = copy_tcp_socket (m_pattern);
  socket->SetConnectCallback (
      [this, bytes] (Ptr<Socket> connected) { on_connected (connected, bytes); },
      [this] (Ptr<Socket> failed) { on_done (failed); });
  socket->SetCloseCallbacks ([this] (Ptr<Socket> closed) { on_done (closed); },
      [this] (Ptr<Socket> closed) { on_done (closed); });
  socket->Bind ();
  socket->Connect (m_to);
  m_objects_open++;
  if (--m_objects_left > 0)
    m_next = Simulator::Schedule (Seconds (draw_exponential (BETWEEN_OBJECTS)),
        &WebSession::start_object, this);
}

void
WebSession::on_connected (Ptr<Socket> socket, uint64_t bytes)
{
  socket->Send (ns3::Create<ns3::Packet> (bytes));
  socket->Close ();
}

void
WebSession::on_done (Ptr<Socket> socket)
{
  socket->SetCloseCallbacks (ns3::MakeNullCallback<void, Ptr<Socket>> (),
      ns3::MakeNullCallback<void, Ptr<Socket>> ());
  if (--m_objects_open > 0 || m_objects_left > 0)
    return;
  m_next = Simulator::Schedule (Seconds (draw_exponential (m_options.number ("between"))),
      &WebSession::start_page, this);
}

}  // namespace lab
