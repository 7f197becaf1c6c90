/* lab-ns3: the queues that ns-3 lacks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "queues.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/double.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/ipv4-queue-disc-item.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace lab {

using ns3::DropTailQueue;
using ns3::Ptr;
using ns3::QueueDiscItem;
using ns3::QueueSize;
using ns3::QueueSizeUnit;
using ns3::Seconds;
using ns3::Simulator;
using ns3::Time;

namespace {

void
add_fifo (ns3::QueueDisc * disc)
{
  disc->AddInternalQueue (ns3::CreateObjectWithAttributes<DropTailQueue<QueueDiscItem>> (
      "MaxSize", ns3::QueueSizeValue (disc->GetMaxSize ())));
}

ns3::TypeId
make_type (const char *name)
{
  return ns3::TypeId (name).SetParent<ns3::QueueDisc> ();
}

}  // namespace

ns3::TypeId
LossQueueDisc::GetTypeId ()
{
  static ns3::TypeId type = make_type ("lab::LossQueueDisc");
  return type;
}

void
LossQueueDisc::set_loss (const Options & path)
{
  m_options.loss = path.text ("loss").c_str ();
  m_options.p = path.number ("p");
  m_options.b = path.number ("b");
  m_options.period = path.number ("period");
  m_options.burst = path.number ("burst");
  if (!lab_loss_init (&m_loss, &m_options, static_cast<uint64_t> (path.number ("seed"))))
    throw std::runtime_error ("no loss model " + path.text ("loss"));
}

bool
LossQueueDisc::DoEnqueue (Ptr<QueueDiscItem> item)
{
  if (lab_loss_drops (&m_loss, item->GetSize (), Simulator::Now ().GetSeconds ())
      && !Mark (item, "configured")) {
    DropBeforeEnqueue (item, "configured");
    return false;
  }
  return GetInternalQueue (0)->Enqueue (item);
}

Ptr<QueueDiscItem>
LossQueueDisc::DoDequeue ()
{
  return GetInternalQueue (0)->Dequeue ();
}

bool
LossQueueDisc::CheckConfig ()
{
  add_fifo (this);
  return true;
}

void
LossQueueDisc::InitializeParams ()
{
}

ns3::TypeId
PacketRateQueueDisc::GetTypeId ()
{
  static ns3::TypeId type = make_type ("lab::PacketRateQueueDisc");
  return type;
}

PacketProcessor::PacketProcessor (double pps, double limit)
  : m_gap (Seconds (1 / pps)), m_limit (limit)
{
}

bool
PacketProcessor::is_full () const
{
  return m_free - Simulator::Now () >= m_gap * m_limit;
}

Time
PacketProcessor::take ()
{
  const Time departure = std::max (m_free, Simulator::Now ());
  m_free = departure + m_gap;
  return departure;
}

void
PacketRateQueueDisc::set_processor (std::shared_ptr<PacketProcessor> processor)
{
  m_processor = std::move (processor);
}

Ptr<PacketRateQueueDisc>
PacketRateQueueDisc::make_opposite () const
{
  const auto opposite = ns3::CreateObject<PacketRateQueueDisc> ();
  opposite->set_processor (m_processor);
  opposite->SetMaxSize (GetMaxSize ());
  return opposite;
}

bool
PacketRateQueueDisc::DoEnqueue (Ptr<QueueDiscItem> item)
{
  if (m_processor->is_full ()) {
    DropBeforeEnqueue (item, "full");
    return false;
  }
  if (!GetInternalQueue (0)->Enqueue (item))
    return false;
  m_departures.push_back (m_processor->take ());
  return true;
}

Ptr<QueueDiscItem>
PacketRateQueueDisc::DoDequeue ()
{
  const Time now = Simulator::Now ();
  if (m_departures.empty ())
    return nullptr;
  if (now < m_departures.front ()) {
    if (m_wake.IsExpired ())
      m_wake = Simulator::Schedule (m_departures.front () - now, &QueueDisc::Run, this);
    return nullptr;
  }
  m_departures.pop_front ();
  return GetInternalQueue (0)->Dequeue ();
}

bool
PacketRateQueueDisc::CheckConfig ()
{
  add_fifo (this);
  return true;
}

void
PacketRateQueueDisc::InitializeParams ()
{
}

ns3::TypeId
RioQueueDisc::GetTypeId ()
{
  static ns3::TypeId type = make_type ("lab::RioQueueDisc");
  return type;
}

void
RioQueueDisc::set_profiles (const Profile & in, const Profile & out, double packets_per_s)
{
  m_in.profile = in;
  m_out.profile = out;
  m_packets_per_s = packets_per_s;
}

void
RioQueueDisc::Red::update (double queue, double idle_packets)
{
  constexpr double w = 0.002;   /* ns-2's queue weight */
  average = average * std::pow (1 - w, idle_packets) * (1 - w) + w * queue;
}

bool
RioQueueDisc::Red::drops (double draw)
{
  if (average < profile.min) {
    count = -1;
    return false;
  }
  count++;
  const double p_b = profile.p * (average - profile.min) / (profile.max - profile.min);
  const double p_a = count * p_b < 1 ? p_b / (1 - count * p_b) : 1;
  if (average < profile.max && draw >= p_a)
    return false;
  count = 0;
  return true;
}

bool
RioQueueDisc::DoEnqueue (Ptr<QueueDiscItem> item)
{
  const auto ip = ns3::DynamicCast<ns3::Ipv4QueueDiscItem> (item);
  const bool in = ip && ip->GetHeader ().GetTos () == TOS_IN;
  const unsigned n = GetNPackets ();
  const double idle = n > 0 ? 0 : (Simulator::Now () - m_idle_since).GetSeconds () * m_packets_per_s;
  m_out.update (n, idle);
  if (in)
    m_in.update (m_n_in, idle);
  if ((in ? m_in : m_out).drops (m_random->GetValue ())
      || GetCurrentSize () + item > GetMaxSize ()) {
    DropBeforeEnqueue (item, in ? "in" : "out");
    return false;
  }
  m_n_in += in;
  return GetInternalQueue (0)->Enqueue (item);
}

Ptr<QueueDiscItem>
RioQueueDisc::DoDequeue ()
{
  Ptr<QueueDiscItem> item = GetInternalQueue (0)->Dequeue ();
  const auto ip = ns3::DynamicCast<ns3::Ipv4QueueDiscItem> (item);
  if (ip && ip->GetHeader ().GetTos () == TOS_IN)
    m_n_in--;
  if (GetNPackets () == 0)
    m_idle_since = Simulator::Now ();
  return item;
}

bool
RioQueueDisc::CheckConfig ()
{
  add_fifo (this);
  return true;
}

void
RioQueueDisc::InitializeParams ()
{
}

TwoColourMarker::TwoColourMarker (double rate, double depth)
  : m_rate (rate), m_depth (depth), m_tokens (depth)
{
}

uint8_t
TwoColourMarker::mark (unsigned bytes, double now)
{
  m_tokens = std::min (m_depth, m_tokens + (now - m_last) * m_rate);
  m_last = now;
  if (m_tokens < bytes)
    return TOS_OUT;
  m_tokens -= bytes;
  return TOS_IN;
}

namespace {

Ptr<ns3::QueueDisc>
make_red (const Options & path, bool bytes, bool adaptive)
{
  ns3::ObjectFactory factory ("ns3::RedQueueDisc");
  const double unit = bytes ? path.number ("mean_packet") : 1;
  factory.Set ("MinTh", ns3::DoubleValue (path.number ("minth") * unit));
  factory.Set ("MaxTh", ns3::DoubleValue (path.number ("maxth") * unit));
  factory.Set ("LInterm", ns3::DoubleValue (1 / path.number ("maxp")));
  factory.Set ("MeanPktSize", ns3::UintegerValue (path.number ("mean_packet")));
  factory.Set ("LinkBandwidth", ns3::DataRateValue (ns3::DataRate (path.text ("rate"))));
  factory.Set ("LinkDelay", ns3::TimeValue (ns3::MilliSeconds (path.number ("delay"))));
  factory.Set ("Gentle", ns3::BooleanValue (true));
  factory.Set ("QW", ns3::DoubleValue (-1));    /* from the link, as ns-2's default */
  factory.Set ("AdaptMaxP", ns3::BooleanValue (adaptive));
  factory.Set ("UseEcn", ns3::BooleanValue (path.has ("mark")));
  return factory.Create<ns3::QueueDisc> ();
}

Ptr<ns3::QueueDisc>
make_rio (const Options & path)
{
  const auto rio = ns3::CreateObject<RioQueueDisc> ();
  const double pps = ns3::DataRate (path.text ("rate")).GetBitRate () / 8.0
      / path.number ("mean_packet");
  rio->set_profiles ({ 20, 40, 0.02 }, { 10, 20, 0.1 }, pps);
  return rio;
}

/* A queue of ns-3's that measures delay. */
Ptr<ns3::QueueDisc>
make_aqm (const std::string & type, const Options & path)
{
  ns3::ObjectFactory factory (type);
  factory.Set ("UseEcn", ns3::BooleanValue (path.has ("mark")));
  const auto queue = factory.Create<ns3::QueueDisc> ();
  /* ns-3 would take the device's MTU, which is larger than any packet here; RFC 8290 5.2.1 says 1514. */
  if (const auto fair = ns3::DynamicCast<ns3::FqCoDelQueueDisc> (queue))
    fair->SetQuantum (1514);
  return queue;
}

Ptr<ns3::QueueDisc>
make_kind (const std::string & name, const Options & path, bool bytes)
{
  if (name.rfind ("red", 0) == 0)
    return make_red (path, bytes, false);
  if (name.rfind ("ared", 0) == 0)
    return make_red (path, bytes, true);
  if (name == "rio")
    return make_rio (path);
  if (name == "packet-rate") {
    const auto limiter = ns3::CreateObject<PacketRateQueueDisc> ();
    limiter->set_processor (std::make_shared<PacketProcessor> (path.number ("pps"), path.number ("limit")));
    return limiter;
  }
  if (name.rfind ("codel", 0) == 0)
    return make_aqm ("ns3::CoDelQueueDisc", path);
  if (name == "fq-codel")
    return make_aqm ("ns3::FqCoDelQueueDisc", path);
  if (name.rfind ("pie", 0) == 0)
    return make_aqm ("ns3::PieQueueDisc", path);
  if (name.rfind ("droptail", 0) == 0)
    return ns3::ObjectFactory ("ns3::FifoQueueDisc").Create<ns3::QueueDisc> ();
  throw std::runtime_error ("no queue " + name);
}

}  // namespace

/* To add a queue discipline, give it a name here. */
Ptr<ns3::QueueDisc>
make_queue (const Options & path)
{
  const std::string & name = path.text ("queue");
  const bool bytes = name.size () > 5 && name.compare (name.size () - 5, 5, "-byte") == 0;
  if (name == "loss") {
    const auto loss = ns3::CreateObject<LossQueueDisc> ();
    loss->set_loss (path);
    loss->SetMaxSize (QueueSize (QueueSizeUnit::PACKETS, 1000000));
    return loss;
  }
  const auto disc = make_kind (name, path, bytes);
  disc->SetMaxSize (bytes
      ? QueueSize (QueueSizeUnit::BYTES, path.number ("limit") * path.number ("mean_packet"))
      : QueueSize (QueueSizeUnit::PACKETS, path.number ("limit")));
  return disc;
}

}  // namespace lab
