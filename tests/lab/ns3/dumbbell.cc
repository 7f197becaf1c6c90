/* lab-ns3: the topology, its flows, and what is counted
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "dumbbell.h"

#include "../vt/measures.h"
#include "web.h"

#include "ns3/boolean.h"
#include "ns3/config.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/object-factory.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace lab {

using ns3::Ipv4Address;
using ns3::Node;
using ns3::Ptr;
using ns3::Seconds;
using ns3::Simulator;
using ns3::StringValue;
using ns3::UintegerValue;

namespace {

/* "40-240" and n give 40, 90, ... 240; "40/640" gives 40, 640, 40, ... */
double
pick_rtt (const std::string & text, unsigned index, unsigned n)
{
  const auto slash = text.find ('/'), dash = text.find ('-');
  if (slash != std::string::npos)
    return std::stod (index % 2 ? text.substr (slash + 1) : text.substr (0, slash));
  if (dash == std::string::npos)
    return std::stod (text);
  const double low = std::stod (text.substr (0, dash)), high = std::stod (text.substr (dash + 1));
  return n < 2 ? low : low + (high - low) * index / (n - 1);
}

TfrcConfig
make_config (const Options & options, uint64_t seed)
{
  TfrcConfig config;
  tfrc_config_init (&config, options.text ("mode") == "tfrc-sp" ? TFRC_MODE_TFRC_SP
      : TFRC_MODE_TFRC);
  const int measure = lab_measure_from_name (options.text ("measure").c_str ());
  if (measure < 0)
    throw std::runtime_error ("no measure " + options.text ("measure"));
  config.measure = static_cast<TfrcMeasure> (measure);
  config.mss = std::max ({ config.mss, uint32_t (options.number ("size")),
      uint32_t (options.number ("size_max")) });
  config.S = options.number ("S");
  config.H = options.number ("H");
  config.t_RTO_R = options.number ("t_RTO_R");
  config.byte_mode_factor = options.number ("factor");
  config.pacing = options.text ("pacing") == "fluid" ? TFRC_PACING_FLUID : TFRC_PACING_RFC;
  config.mppn = options.number ("mppn");
  config.g = options.number ("g") / 8;
  config.dscp_set = options.has ("cir");
  config.t_gran = 0;            /* events fall exactly when they are asked for */
  config.seed = seed;
  if (const char *reason = tfrc_config_check (&config))
    throw std::runtime_error (reason);
  return config;
}

/* The device's rate from each second on, as SECOND:RATE/SECOND:RATE... */
void
schedule_rates (const std::string & text, Ptr<ns3::NetDevice> device)
{
  std::istringstream words (text);
  for (std::string word; std::getline (words, word, '/');) {
    const auto colon = word.find (':');
    const ns3::DataRateValue rate (ns3::DataRate (word.substr (colon + 1)));
    Simulator::Schedule (Seconds (std::stod (word.substr (0, colon))),
        [device, rate] { device->SetAttribute ("DataRate", rate); });
  }
}

std::shared_ptr<AccessLink>
make_link (const std::string & rate, double delay_ms, double jitter_ms = 0)
{
  return std::make_shared<AccessLink> (rate, delay_ms, jitter_ms);
}

/* A number that the group's type may not have. */
double
get_number (const Options & options, const std::string & key, double otherwise)
{
  return options.has (key) ? options.number (key) : otherwise;
}

/* The way back: the same kind of queue, but a path that only loses must not lose reports, and a router that
 * handles so many packets a second handles those of the way back only with `both`. */
Ptr<ns3::QueueDisc>
make_return_queue (Options path, Ptr<ns3::QueueDisc> forward)
{
  const std::string & name = path.text ("queue");
  if (path.has ("both")) {
    const auto limiter = ns3::DynamicCast<PacketRateQueueDisc> (forward);
    if (!limiter)
      throw std::runtime_error ("both=1 is for queue=packet-rate");
    return limiter->make_opposite ();
  }
  if (name == "loss" || name == "packet-rate")
    path.set ("queue=droptail-packet");
  return make_queue (path);
}

void
set_defaults (const Settings & settings)
{
  using ns3::Config::SetDefault;
  bool ecn = false, sack = true;
  for (const auto & group : settings.groups)
    if (group.type == "tcp") {
      ecn |= group.options.has ("ecn");
      sack &= group.options.has ("sack");
    }
  SetDefault ("ns3::TcpL4Protocol::SocketType", StringValue ("ns3::TcpNewReno"));
  SetDefault ("ns3::TcpSocketBase::Sack", ns3::BooleanValue (sack));
  SetDefault ("ns3::TcpSocketBase::Timestamp", ns3::BooleanValue (false));
  SetDefault ("ns3::TcpSocketBase::LimitedTransmit", ns3::BooleanValue (true));
  SetDefault ("ns3::TcpSocketBase::UseEcn", StringValue (ecn ? "On" : "Off"));
  SetDefault ("ns3::TcpSocketBase::MinRto",
      StringValue (settings.path.text ("min_rto") + "s"));
  SetDefault ("ns3::TcpSocketBase::ClockGranularity", StringValue ("10ms"));
  SetDefault ("ns3::TcpSocketBase::MaxSegLifetime", ns3::DoubleValue (0.05));
  SetDefault ("ns3::TcpSocket::DelAckCount", UintegerValue (1));
  SetDefault ("ns3::TcpSocket::InitialCwnd", UintegerValue (2));
  SetDefault ("ns3::TcpSocket::ConnTimeout", StringValue ("1s"));
  /* ns-3 gives a connection up after six; the papers' TCP never does. */
  SetDefault ("ns3::TcpSocket::ConnCount", UintegerValue (1000));
  SetDefault ("ns3::TcpSocket::DataRetries", UintegerValue (1000000));
}

}  // namespace

Dumbbell::Dumbbell (const Settings & settings)
  : m_settings (settings), m_duration (settings.path.number ("duration")),
    m_from (settings.path.number ("from"))
{
  ns3::RngSeedManager::SetSeed (1);
  ns3::RngSeedManager::SetRun (settings.path.number ("seed"));
  /* The same order of events as the usual map's and faster. */
  Simulator::SetScheduler (ns3::ObjectFactory ("ns3::PriorityQueueScheduler"));
  set_defaults (settings);
  m_random = ns3::CreateObject<ns3::UniformRandomVariable> ();
  m_stack.SetRoutingHelper (ns3::Ipv4StaticRoutingHelper ());
  m_stack.SetIpv6StackInstall (false);
  add_bottleneck ();
  for (const auto & group : settings.groups)
    add_group (group);
}

void
Dumbbell::add_bottleneck ()
{
  const Options & path = m_settings.path;
  ns3::PointToPointHelper helper;
  helper.SetDeviceAttribute ("DataRate", StringValue (path.text ("rate")));
  helper.SetDeviceAttribute ("Mtu", UintegerValue (65000));
  helper.SetChannelAttribute ("Delay", StringValue (path.text ("delay") + "ms"));
  /* The device holds one packet, so that the queue discipline is the queue. */
  helper.SetQueue ("ns3::DropTailQueue", "MaxSize", StringValue ("1p"));
  const auto devices = helper.Install (m_left.get_node (), m_right.get_node ());
  const auto queue = make_queue (path);
  connect (queue);
  m_left.set_bottleneck (devices.Get (0), queue);
  m_right.set_bottleneck (devices.Get (1), make_return_queue (path, queue));
  if (path.has ("error")) {
    const auto errors = ns3::CreateObject<ns3::RateErrorModel> ();
    errors->SetUnit (ns3::RateErrorModel::ERROR_UNIT_PACKET);
    errors->SetRate (path.number ("error"));
    devices.Get (1)->SetAttribute ("ReceiveErrorModel", ns3::PointerValue (errors));
  }
  schedule_rates (path.text ("rates"), devices.Get (0));
  schedule_rates (path.text ("back_rates"), devices.Get (1));
}

Dumbbell::Leaf
Dumbbell::add_leaf (Router & router, std::shared_ptr<AccessLink> link)
{
  const auto node = ns3::CreateObject<Node> ();
  const auto device = ns3::CreateObject<AccessDevice> ();
  const Ipv4Address address (m_address++);
  m_stack.Install (node);
  device->SetAddress (ns3::Mac48Address::Allocate ());
  node->AddDevice (device);
  device->attach (&router, std::move (link));
  const auto ip = node->GetObject<ns3::Ipv4> ();
  const uint32_t interface = ip->AddInterface (device);
  ip->AddAddress (interface, { address, ns3::Ipv4Mask ("255.255.255.255") });
  ip->SetUp (interface);
  ns3::Ipv4StaticRoutingHelper ().GetStaticRouting (ip)->SetDefaultRoute (
      Ipv4Address::GetAny (), interface);
  router.add_leaf (address, device);
  return { node, address };
}

void
Dumbbell::install (Ptr<Node> node, Ptr<ns3::Application> application, double start)
{
  application->SetStartTime (Seconds (start));
  application->SetStopTime (Seconds (m_duration));
  node->AddApplication (application);
}

void
Dumbbell::add_group (const Group & group)
{
  if (group.type == "web") {
    add_web (group);
    return;
  }
  const auto n = static_cast<unsigned> (group.options.number ("n"));
  for (unsigned i = 0; i < n; i++)
    add_flow (group, pick_rtt (group.options.text ("rtt"), i, n));
}

void
Dumbbell::add_flow (const Group & group, double rtt_ms)
{
  const double delay = std::max (0.0, rtt_ms / 2 - m_settings.path.number ("delay"));
  const double chance = m_random->GetValue (0, 1) * group.options.number ("spread");
  const double start = get_number (group.options, "start", chance);
  const bool reverse = group.options.has ("reverse");
  const auto leaf = add_leaf (m_left, make_link (group.options.text ("access"), delay));
  const auto & options = group.options;
  const uint16_t port = m_port++;
  const Leaf end = add_leaf (m_right, make_link (group.type == "tcp" ? options.text ("far") : "", 0,
          get_number (options, "jitter", 0)));
  const ns3::InetSocketAddress to (reverse ? leaf.address : end.address, port);
  const Ptr<Node> near = reverse ? end.node : leaf.node, far = reverse ? leaf.node : end.node;
  auto flow = std::make_unique<Flow> (Flow { &group, nullptr, {} });
  Ptr<ns3::Application> sink;

  if (group.type == "tfrc") {
    const auto config = make_config (options,
        static_cast<uint64_t> (m_settings.path.number ("seed") * 1000 + port));
    flow->source = ns3::CreateObject<TfrcSource> (options, config, to, ++m_stream);
    sink = ns3::CreateObject<TfrcSink> (config, options.number ("headers"), port, flow->source);
  } else if (group.type == "nada") {
    flow->source = ns3::CreateObject<NadaSource> (options, to, ++m_stream);
    sink = ns3::CreateObject<NadaSink> (port, flow->source);
  } else if (group.type == "tcp") {
    flow->source = ns3::CreateObject<TcpSource> (options, to);
    sink = ns3::CreateObject<TcpSink> (options,
        static_cast<uint32_t> (4 * options.number ("window") * options.number ("size")), port,
        &flow->source->meter);
  } else if (group.type == "rap") {
    flow->source = ns3::CreateObject<RapSource> (options, to);
    sink = ns3::CreateObject<EchoSink> (port, true, &flow->source->meter);
  } else {
    flow->source = ns3::CreateObject<CbrSource> (options, to);
    sink = ns3::CreateObject<EchoSink> (port, false, &flow->source->meter);
  }
  install (near, flow->source, start);
  if (options.has ("stop"))
    flow->source->SetStopTime (Seconds (options.number ("stop")));
  install (far, sink, 0);
  if (!reverse)
    m_by_address[leaf.address.Get ()] = flow.get ();
  m_flows.push_back (std::move (flow));
}

void
Dumbbell::add_web (const Group & group)
{
  const auto & options = group.options;
  const bool reverse = options.has ("reverse");
  const auto links = static_cast<unsigned> (options.number ("links"));
  const auto sessions = static_cast<unsigned> (options.number ("n"));
  std::vector<std::shared_ptr<AccessLink>> near, far;
  auto flow = std::make_unique<Flow> (Flow { &group, nullptr, {} });
  for (unsigned i = 0; i < links; i++) {
    const double rtt = pick_rtt (options.text ("rtt"), i, links);
    const double delay = std::max (0.0, rtt / 2 - m_settings.path.number ("delay"));
    near.push_back (make_link (options.text ("access"), delay));
    far.push_back (make_link (options.text ("access"), 0));
  }
  for (unsigned i = 0; i < sessions; i++) {
    const Leaf server = add_leaf (reverse ? m_right : m_left, near[i % links]);
    const Leaf client = add_leaf (reverse ? m_left : m_right, far[i % links]);
    install (client.node, ns3::CreateObject<TcpSink> (options, 2 * WEB_LARGEST, 80, nullptr), 0);
    install (server.node, ns3::CreateObject<WebSession> (options,
            ns3::InetSocketAddress (client.address, 80), ++m_stream), m_random->GetValue (0, m_duration));
    if (!reverse)
      m_by_address[server.address.Get ()] = flow.get ();
  }
  m_flows.push_back (std::move (flow));
}

void
Dumbbell::connect (Ptr<ns3::QueueDisc> queue)
{
  queue->TraceConnectWithoutContext ("Enqueue", ns3::Callback<void, Ptr<const ns3::QueueDiscItem>> (
          [this] (Ptr<const ns3::QueueDiscItem> item) { on_arrival (item, false); }));
  queue->TraceConnectWithoutContext ("DropBeforeEnqueue",
      ns3::Callback<void, Ptr<const ns3::QueueDiscItem>, const char *> (
          [this] (Ptr<const ns3::QueueDiscItem> item, const char *reason) {
            on_arrival (item, true);
            m_in_drops += std::strcmp (reason, "in") == 0;
          }));
  queue->TraceConnectWithoutContext ("DropAfterDequeue",
      ns3::Callback<void, Ptr<const ns3::QueueDiscItem>, const char *> (
          [this] (Ptr<const ns3::QueueDiscItem> item, const char *) { on_late_drop (item); }));
  if (m_settings.path.has ("series"))
    queue->TraceConnectWithoutContext ("SojournTime", ns3::Callback<void, ns3::Time> ([this] (ns3::Time wait) {
            if (Simulator::Now () >= Seconds (m_from))
              m_waits.push_back (wait.GetSeconds () * 1e3);
          }));
}

Dumbbell::Flow *
Dumbbell::find (Ptr<const ns3::QueueDiscItem> item)
{
  const auto ip = ns3::DynamicCast<const ns3::Ipv4QueueDiscItem> (item);
  const auto at = ip ? m_by_address.find (ip->GetHeader ().GetSource ().Get ())
      : m_by_address.end ();
  return at == m_by_address.end () ? nullptr : at->second;
}

void
Dumbbell::on_arrival (Ptr<const ns3::QueueDiscItem> item, bool dropped)
{
  Flow *flow = Simulator::Now () >= Seconds (m_from) ? find (item) : nullptr;
  if (!flow)
    return;
  flow->count.packets++;
  flow->count.bytes += item->GetSize ();
  flow->count.drops += dropped;
  flow->count.dropped_bytes += dropped * item->GetSize ();
}

/* CoDel drops when it takes a packet from the queue, and this packet was counted on its arrival. */
void
Dumbbell::on_late_drop (Ptr<const ns3::QueueDiscItem> item)
{
  Flow *flow = Simulator::Now () >= Seconds (m_from) ? find (item) : nullptr;
  if (!flow)
    return;
  flow->count.drops++;
  flow->count.dropped_bytes += item->GetSize ();
}

void
Dumbbell::run ()
{
  Simulator::Stop (Seconds (m_duration));
  Simulator::Run ();
}

void
Dumbbell::print_series (const Flow & flow, const std::string & name) const
{
  for (unsigned second = 1; second <= m_duration; second++)
    std::printf ("%s rate@%u %.6g\n", name.c_str (), second,
        flow.source->meter.get_bytes (second - 1, second) * 8e-3);
  for (unsigned second = 0; flow.source->media && second < m_duration; second++)
    std::printf ("%s delay@%u %.6g\n", name.c_str (), second + 1, flow.source->media->get_delay_ms (second));
  const auto tfrc = ns3::DynamicCast<TfrcSource> (flow.source);
  for (size_t second = 0; tfrc && second < tfrc->get_X ().size (); second++) {
    std::printf ("%s X@%zu %.6g\n", name.c_str (), second, tfrc->get_X ()[second] * 8e-3);
    std::printf ("%s sent@%zu %.6g\n", name.c_str (), second + 1,
        tfrc->get_sent ().get_bytes (second, second + 1) * 8e-3);
  }
}

void
Dumbbell::print_group (const Group & group) const
{
  const std::string & name = group.options.text ("name");
  const double seconds = m_duration - m_from, kbps = 8e-3 / seconds;
  std::map<std::string, double> metrics;
  double n = 0, packets = 0, drops = 0;
  for (const auto & flow : m_flows) {
    if (flow->group != &group)
      continue;
    const Count & count = flow->count;
    n++;
    packets += count.packets;
    drops += count.drops;
    metrics["send_rate_kbps"] += count.bytes * kbps;
    metrics["through_kbps"] += (count.bytes - count.dropped_bytes) * kbps;
    metrics["packets_per_s"] += count.packets / seconds;
    if (!flow->source)
      continue;
    metrics["goodput_kbps"] += flow->source->meter.get_bytes (m_from, m_duration) * kbps;
    metrics["goodput_cov"] += flow->source->meter.get_cov (m_from, m_duration);
    flow->source->describe (metrics);
    if (flow->source->media)
      flow->source->media->describe (metrics, m_from, m_duration);
    if (m_settings.path.has ("series"))
      print_series (*flow, name);
  }
  for (const auto & [metric, sum] : metrics)
    std::printf ("%s %s %.6g\n", name.c_str (), metric.c_str (), sum / n);
  std::printf ("%s drop_rate %.6g\n", name.c_str (), packets > 0 ? drops / packets : 0);
}

void
Dumbbell::print () const
{
  for (const auto & group : m_settings.groups)
    print_group (group);
  std::printf ("queue in_drops %u\n", m_in_drops);
  std::vector<double> waits = m_waits;
  std::sort (waits.begin (), waits.end ());
  for (const unsigned percent : { 50, 95, 99 })
    if (!waits.empty ())
      std::printf ("queue delay_p%u %.6g\n", percent, waits[(waits.size () - 1) * percent / 100]);
}

}  // namespace lab
