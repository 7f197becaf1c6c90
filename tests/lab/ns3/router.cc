/* lab-ns3: a router of the dumbbell and the links of its leaves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "router.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>

namespace lab {

using ns3::Ipv4L3Protocol;
using ns3::Packet;
using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Time;

namespace {

constexpr unsigned IP_HEADER = 20, IP_DESTINATION = 16;
constexpr double FRAMING = 2;   /* bytes that ns-3's point-to-point device puts on each packet */

}  // namespace

AccessLink::AccessLink (const std::string & rate_, double delay_ms, double jitter_ms)
  : rate (rate_.empty () ? 0 : ns3::DataRate (rate_).GetBitRate ()), jitter (jitter_ms * 1e-3),
    delay (Seconds (delay_ms * 1e-3))
{
  if (jitter > 0) {
    random = ns3::CreateObject<ns3::NormalRandomVariable> ();
    random->SetAttribute ("Variance", ns3::DoubleValue (jitter * jitter / 9));
  }
}

Time
AccessLink::draw_jitter ()
{
  if (!random)
    return Seconds (0);
  const Time now = Simulator::Now ();
  arrived = std::max (arrived, now + Seconds (std::min (jitter, std::fabs (random->GetValue ()))));
  return arrived - now;
}

void
AccessDevice::attach (Router * router, std::shared_ptr<AccessLink> link)
{
  m_router = router;
  m_link = std::move (link);
  m_ip = GetNode ()->GetObject<Ipv4L3Protocol> ();
  SetMtu (65000);
  SetAttribute ("PointToPointMode", ns3::BooleanValue (true));
}

/* How long a packet takes that begins now behind those before it. */
Time
AccessDevice::pass (Time & busy_until, Ptr<const Packet> packet) const
{
  if (m_link->rate == 0)
    return m_link->delay;
  busy_until = std::max (busy_until, Simulator::Now ())
      + Seconds ((packet->GetSize () + FRAMING) * 8 / m_link->rate);
  return busy_until - Simulator::Now () + m_link->delay;
}

bool
AccessDevice::Send (Ptr<Packet> packet, const ns3::Address &, uint16_t)
{
  const Time wait = pass (m_link->up_until, packet);
  if (wait.IsZero ())
    m_router->forward (packet);
  else
    Simulator::Schedule (wait, &Router::forward, m_router, packet);
  return true;
}

void
AccessDevice::on_packet (Ptr<Packet> packet)
{
  const Time wait = pass (m_link->down_until, packet) + m_link->draw_jitter ();
  if (wait.IsZero ())
    arrive (packet);
  else
    Simulator::Schedule (wait, &AccessDevice::arrive, this, packet);
}

void
AccessDevice::arrive (Ptr<Packet> packet)
{
  m_ip->Receive (this, packet, Ipv4L3Protocol::PROT_NUMBER, GetAddress (), GetAddress (), PACKET_HOST);
}

Router::Router ()
{
  m_node->AggregateObject (m_control);
}

void
Router::set_bottleneck (Ptr<ns3::NetDevice> device, Ptr<ns3::QueueDisc> queue)
{
  m_bottleneck = device;
  m_control->SetRootQueueDiscOnDevice (device, queue);
  device->SetReceiveCallback ([this] (Ptr<ns3::NetDevice>, Ptr<const Packet> packet, uint16_t,
          const ns3::Address &) {
        forward (packet->Copy ());
        return true;
      });
}

void
Router::add_leaf (ns3::Ipv4Address address, Ptr<AccessDevice> device)
{
  m_leaves[address.Get ()] = device;
}

void
Router::forward (Ptr<Packet> packet)
{
  uint8_t bytes[IP_HEADER];
  packet->CopyData (bytes, sizeof bytes);
  const auto leaf = m_leaves.find (ns3::Ipv4Address::Deserialize (bytes + IP_DESTINATION).Get ());
  if (leaf != m_leaves.end ()) {
    leaf->second->on_packet (packet);
    return;
  }
  ns3::Ipv4Header header;
  packet->RemoveHeader (header);
  m_control->Send (m_bottleneck, ns3::Create<ns3::Ipv4QueueDiscItem> (packet,
          m_bottleneck->GetBroadcast (), Ipv4L3Protocol::PROT_NUMBER, header));
}

}  // namespace lab
