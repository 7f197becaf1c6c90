/* lab-ns3: the queues that ns-3 lacks
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_NS3_QUEUES_H
#define LAB_NS3_QUEUES_H

#include "options.h"

#include "../vt/loss.h"

#include "ns3/event-id.h"
#include "ns3/queue-disc.h"
#include "ns3/random-variable-stream.h"

#include <deque>
#include <memory>

namespace lab {

/* A FIFO without limit that loses packets on their way in by one of the loss models
 * of virtual time; a packet of an ECN flow is marked instead. */
class LossQueueDisc : public ns3::QueueDisc {
 public:
  static ns3::TypeId GetTypeId ();
  void set_loss (const Options & path);

 private:
  bool DoEnqueue (ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue () override;
  bool CheckConfig () override;
  void InitializeParams () override;

  LabOptions m_options {};
  LabLoss m_loss {};
};

/* A router's processor, which handles so many packets a second, whatever their size, one after the other.
 * As many as `limit` may wait for it. */
class PacketProcessor {
 public:
  PacketProcessor (double pps, double limit);
  bool is_full () const;
  ns3::Time take ();            /* when it lets a packet go that arrives now */

 private:
  const ns3::Time m_gap;
  const double m_limit;         /* packets */
  ns3::Time m_free;             /* when it is through with all that it has taken */
};

/* The packets of one direction that wait for a processor. The two directions may have one in common. */
class PacketRateQueueDisc : public ns3::QueueDisc {
 public:
  static ns3::TypeId GetTypeId ();
  void set_processor (std::shared_ptr<PacketProcessor> processor);
  ns3::Ptr<PacketRateQueueDisc> make_opposite () const; /* the other direction, with the same processor */

 private:
  bool DoEnqueue (ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue () override;
  bool CheckConfig () override;
  void InitializeParams () override;

  std::shared_ptr<PacketProcessor> m_processor;
  std::deque<ns3::Time> m_departures;   /* of the packets in the queue */
  ns3::EventId m_wake;
};

/* RED with an In and an Out profile (RIO-C): Out packets are judged by the average
 * of the whole queue, In packets by that of the In packets alone. */
class RioQueueDisc : public ns3::QueueDisc {
 public:
  static ns3::TypeId GetTypeId ();
  struct Profile {
    double min, max, p;         /* packets, packets, probability at max */
  };
  void set_profiles (const Profile & in, const Profile & out, double packets_per_s);

 private:
  /* Floyd's estimator and drop decision for one class. */
  struct Red {
    Profile profile { 0, 0, 0 };
    double average = 0;         /* packets */
    int count = -1;             /* packets since the last drop */
    void update (double queue, double idle_packets);
    bool drops (double draw);
  };
  bool DoEnqueue (ns3::Ptr<ns3::QueueDiscItem> item) override;
  ns3::Ptr<ns3::QueueDiscItem> DoDequeue () override;
  bool CheckConfig () override;
  void InitializeParams () override;

  Red m_in, m_out;
  unsigned m_n_in = 0;          /* In packets in the queue */
  double m_packets_per_s = 0;   /* of the link, for the idle time */
  ns3::Time m_idle_since;
  ns3::Ptr<ns3::UniformRandomVariable> m_random = ns3::CreateObject<ns3::UniformRandomVariable> ();
};

/* The two colours that a marker gives: DSCP AF11 (In) and AF12 (Out). */
constexpr uint8_t TOS_IN = 10 << 2, TOS_OUT = 12 << 2;

/* RFC 2697 with one bucket: In while the tokens last. */
class TwoColourMarker {
 public:
  TwoColourMarker (double rate, double depth);  /* bytes/s, bytes */
  uint8_t mark (unsigned bytes, double now);

 private:
  double m_rate, m_depth, m_tokens, m_last = 0;
};

/* What the path's options ask for. */
ns3::Ptr<ns3::QueueDisc> make_queue (const Options & path);

}  // namespace lab
#endif
