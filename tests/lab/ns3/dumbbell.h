/* lab-ns3: the topology, its flows, and what is counted
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   source --- access link (delay sets the RTT) ---+
 *   source --- ...                                 left ==[queue]== right
 *   web servers --- ...                            |                  |
 *                                                  +                  web clients
 *
 * Far ends of the flows live on `right` itself, each on its own port. */
#ifndef LAB_NS3_DUMBBELL_H
#define LAB_NS3_DUMBBELL_H

#include "apps.h"

#include "ns3/net-device-container.h"
#include "ns3/node-container.h"
#include "ns3/ipv4-address-helper.h"

namespace lab {

class Dumbbell {
 public:
  explicit Dumbbell (const Settings & settings);
  void run ();
  void print () const;

 private:
  /* What the bottleneck saw of a source, in the time that is measured. */
  struct Count {
    double packets = 0, bytes = 0, drops = 0, dropped_bytes = 0, marks = 0;
  };
  struct Flow {
    const Group *group;
    ns3::Ptr<Source> source;    /* null: web */
    Count count;
  };
  struct Leaf {
    ns3::Ptr<ns3::Node> node;
    ns3::Ipv4Address address;
  };

  Leaf add_leaf (ns3::Ptr<ns3::Node> router, const std::string & rate, double delay_ms);
  void add_group (const Group & group);
  void add_flow (const Group & group, unsigned index, double rtt_ms);
  void add_web (const Group & group);
  void install (ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::Application> application, double start);
  void connect (ns3::Ptr<ns3::QueueDisc> queue);
  void on_arrival (ns3::Ptr<const ns3::QueueDiscItem> item, bool dropped);
  Flow *find (ns3::Ptr<const ns3::QueueDiscItem> item);
  void print_group (const Group & group) const;
  void print_series (const Flow & flow, const std::string & name) const;

  const Settings & m_settings;
  const double m_duration, m_from;      /* s */
  ns3::Ptr<ns3::Node> m_left, m_right;
  ns3::Ipv4Address m_right_address;
  ns3::Ipv4AddressHelper m_addresses;
  std::vector<std::unique_ptr<Flow>> m_flows;
  std::map<uint32_t, Flow *> m_by_address;
  std::vector<std::unique_ptr<Meter>> m_meters;
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
  uint16_t m_port = 5000;
  int64_t m_stream = 1000;
};

}  // namespace lab
#endif
