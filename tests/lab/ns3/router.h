/* lab-ns3: a router of the dumbbell and the links of its leaves
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The routers have no IP stack: ns-3's looks through all interfaces of a node for each
 * packet, and with some fifty leaves that was most of a run. A router knows the addresses
 * of its own leaves; whatever is not theirs goes to the bottleneck's queue. */
#ifndef LAB_NS3_ROUTER_H
#define LAB_NS3_ROUTER_H

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"
/* ns-3's own header of the device leaves these incomplete. */
#include "ns3/error-model.h"
#include "ns3/queue.h"
#include "ns3/simple-channel.h"
#include "ns3/simple-net-device.h"
#include "ns3/traffic-control-layer.h"

#include <memory>
#include <string>
#include <unordered_map>

namespace lab {

class Router;

/* A link between leaf and router: a rate, a delay, a queue without limit. With a jitter, packets to the
 * leaf wait for a part of it besides, which is drawn from a half-normal distribution of a third of the jitter
 * and cut off there; none overtakes another (RFC 8868 4.5.2). */
struct AccessLink {
  AccessLink (const std::string & rate, double delay_ms, double jitter_ms);     /* "": no rate */
  ns3::Time draw_jitter ();
  double rate = 0;              /* bit/s; 0: none */
  double jitter = 0;            /* s */
  ns3::Ptr<ns3::NormalRandomVariable> random;   /* null: no jitter */
  ns3::Time delay, up_until, down_until, arrived;
};

/* A leaf's device. Leaves that share a link are as one: a node is slow with many connections,
 * as ns-3 looks through all of them for each packet. */
class AccessDevice : public ns3::SimpleNetDevice {
 public:
  void attach (Router * router, std::shared_ptr<AccessLink> link);
  bool Send (ns3::Ptr<ns3::Packet> packet, const ns3::Address & to, uint16_t protocol) override;
  void on_packet (ns3::Ptr<ns3::Packet> packet);        /* from the router */

 private:
  ns3::Time pass (ns3::Time & busy_until, ns3::Ptr<const ns3::Packet> packet) const;
  void arrive (ns3::Ptr<ns3::Packet> packet);

  Router *m_router = nullptr;
  std::shared_ptr<AccessLink> m_link;
  ns3::Ptr<ns3::Ipv4L3Protocol> m_ip;
};

class Router {
 public:
  Router ();
  void set_bottleneck (ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<ns3::QueueDisc> queue);
  void add_leaf (ns3::Ipv4Address address, ns3::Ptr<AccessDevice> device);
  void forward (ns3::Ptr<ns3::Packet> packet);
  ns3::Ptr<ns3::Node> get_node () const { return m_node; }

 private:
  ns3::Ptr<ns3::Node> m_node = ns3::CreateObject<ns3::Node> ();
  ns3::Ptr<ns3::TrafficControlLayer> m_control = ns3::CreateObject<ns3::TrafficControlLayer> ();
  ns3::Ptr<ns3::NetDevice> m_bottleneck;
  std::unordered_map<uint32_t, ns3::Ptr<AccessDevice>> m_leaves;
};

}  // namespace lab
#endif
