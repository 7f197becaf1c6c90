/* lab-ns3: the topology, its flows, and what is counted
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   source --- access link (delay sets the RTT) ---+                  +--- sink
 *   source --- ...                                 left ==[queue]== right --- ...
 *   web servers --- ...                            |                  |
 *                                                  +                  +--- web clients
 *
 * The links on the right take no time, unless a flow's options say so. */
#ifndef LAB_NS3_DUMBBELL_H
#define LAB_NS3_DUMBBELL_H

#include "apps.h"
#include "router.h"

#include "ns3/internet-stack-helper.h"

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

  void add_bottleneck ();
  Leaf add_leaf (Router & router, std::shared_ptr<AccessLink> link);
  void add_group (const Group & group);
  void add_flow (const Group & group, double rtt_ms);
  void add_web (const Group & group);
  void install (ns3::Ptr<ns3::Node> node, ns3::Ptr<ns3::Application> application, double start);
  void connect (ns3::Ptr<ns3::QueueDisc> queue);
  void on_arrival (ns3::Ptr<const ns3::QueueDiscItem> item, bool dropped);
  void on_late_drop (ns3::Ptr<const ns3::QueueDiscItem> item);
  Flow *find (ns3::Ptr<const ns3::QueueDiscItem> item);
  void print_group (const Group & group) const;
  void print_series (const Flow & flow, const std::string & name) const;

  const Settings & m_settings;
  const double m_duration, m_from;      /* s */
  Router m_left, m_right;
  ns3::InternetStackHelper m_stack;
  uint32_t m_address = 0x0A000001;      /* 10.0.0.1 and on */
  std::vector<std::unique_ptr<Flow>> m_flows;
  std::map<uint32_t, Flow *> m_by_address;
  std::vector<std::unique_ptr<Meter>> m_meters;
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
  uint16_t m_port = 5000;
  int64_t m_stream = 1000;
  unsigned m_in_drops = 0;      /* packets marked In, in the whole run */
  std::vector<double> m_waits;  /* ms in the queue, of each packet; with `series` */
};

}  // namespace lab
#endif
