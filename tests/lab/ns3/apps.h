/* lab-ns3: the applications: the engine, RAP, TCP, constant bit rate
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_NS3_APPS_H
#define LAB_NS3_APPS_H

#include "media.h"
#include "options.h"
#include "queues.h"

#include "../nada/nada.h"
#include "../rap/rap.h"

#include <tfrc/receiver.h>
#include <tfrc/sender.h>

#include "ns3/application.h"
#include "ns3/inet-socket-address.h"
#include "ns3/socket.h"

#include <memory>
#include <vector>

namespace lab {

/* Bytes of IP packets that reached the sink, by whole seconds. */
class Meter {
 public:
  void add (unsigned bytes);
  double get_bytes (double from, double to) const;      /* s, whole */
  /* Coefficient of variation of the bytes per second. */
  double get_cov (double from, double to) const;

 private:
  std::vector<double> m_seconds;
};

/* Any source: what the lab asks of each flow. */
class Source : public ns3::Application {
 public:
  virtual void describe (std::map<std::string, double> & metrics) const;
  Meter meter;                  /* fed by the sink */
  std::unique_ptr<Media> media; /* null: packets without a meaning */

 protected:
  ns3::Ptr<ns3::Socket> open_udp (uint16_t port);
};

/* The engine's sender behind RTP over UDP, as the plugin has it: stamps in the
 * header extension, reports as RTCP packets. */
class TfrcSource : public Source {
 public:
  TfrcSource (const Options & options, const TfrcConfig & config,
      ns3::InetSocketAddress to, uint64_t seed);
  void describe (std::map<std::string, double> & metrics) const override;
  const std::vector<double> & get_X () const { return m_X; }    /* bytes/s, each second */
  const Meter & get_sent () const { return m_sent; }

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_frame ();
  void on_media_frame ();
  void tell_media (bool expired);
  void on_timer ();
  void on_report (ns3::Ptr<ns3::Socket> socket);
  void on_second ();
  void depart ();
  void send (const TfrcStamp & stamp);
  void wait_for_departure ();
  void wait_for_timer ();
  uint32_t next_size ();
  bool is_paused () const;

  const Options m_options;
  const TfrcConfig m_config;
  ns3::InetSocketAddress m_to;
  std::vector<uint64_t> m_block;
  TfrcSender *m_sender = nullptr;
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
  std::unique_ptr<TwoColourMarker> m_marker;
  ns3::EventId m_departure, m_timer, m_frame, m_second;
  double m_pause_from = 0, m_pause_to = 0;      /* s */
  uint64_t m_backlog = 0, m_in = 0, m_out = 0;
  uint32_t m_size = 0;
  bool m_limited = false;
  uint16_t m_seq = 0;
  double m_first_loss = 0;      /* s; 0: none */
  std::vector<double> m_X;
  Meter m_sent;
};

class TfrcSink : public ns3::Application {
 public:
  TfrcSink (const TfrcConfig & config, uint32_t headers, uint16_t port, ns3::Ptr<Source> source);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_packet (ns3::Ptr<ns3::Socket> socket);
  void on_timer ();
  void report ();

  const TfrcConfig m_config;
  const uint32_t m_headers;     /* bytes below the segment that the engine counts too */
  const uint16_t m_port;
  const ns3::Ptr<Source> m_source;      /* whose packets they are */
  std::vector<uint64_t> m_block;
  TfrcReceiver *m_receiver = nullptr;
  int64_t m_highest = -1;       /* sequence number, extended */
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::Address m_from;
  ns3::EventId m_timer;
};

/* NADA with media on top: a comparator. */
class NadaSource : public Source {
 public:
  NadaSource (const Options & options, ns3::InetSocketAddress to, uint64_t seed);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_frame ();
  void on_report (ns3::Ptr<ns3::Socket> socket);
  void send ();
  bool is_paused () const;

  const Options m_options;
  const ns3::InetSocketAddress m_to;
  NadaSender m_sender {};
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::EventId m_next, m_frame;
  int64_t m_seq = 0;
  double m_free = 0;            /* s, when the next packet may depart */
};

class NadaSink : public ns3::Application {
 public:
  NadaSink (uint16_t port, ns3::Ptr<Source> source);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_packet (ns3::Ptr<ns3::Socket> socket);
  void report ();

  const uint16_t m_port;
  const ns3::Ptr<Source> m_source;
  NadaReceiver m_receiver {};
  double m_sent = 0, m_arrived = 0;     /* s, of the newest packet */
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::Address m_from;
  ns3::EventId m_timer;
};

class RapSource : public Source {
 public:
  RapSource (const Options & options, ns3::InetSocketAddress to);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_ack (ns3::Ptr<ns3::Socket> socket);
  void send ();
  void step ();
  void schedule_step ();

  const ns3::InetSocketAddress m_to;
  const unsigned m_size;
  const bool m_fine;
  Rap m_rap {};
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::EventId m_next, m_step;
};

/* Acknowledges each packet of a RapSource; for a CbrSource it only counts. */
class EchoSink : public ns3::Application {
 public:
  EchoSink (uint16_t port, bool acknowledges, Meter * meter);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_packet (ns3::Ptr<ns3::Socket> socket);

  const uint16_t m_port;
  const bool m_acknowledges;
  Meter *const m_meter;
  RapSink m_sink;
  ns3::Ptr<ns3::Socket> m_socket;
};

class CbrSource : public Source {
 public:
  CbrSource (const Options & options, ns3::InetSocketAddress to);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void send ();

  const ns3::InetSocketAddress m_to;
  const unsigned m_size;
  const ns3::Time m_gap;
  ns3::Ptr<ns3::Socket> m_socket;
  ns3::EventId m_next;
};

/* ns-3's TCP, always with data to send. */
class TcpSource : public Source {
 public:
  TcpSource (const Options & options, ns3::InetSocketAddress to);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void fill (ns3::Ptr<ns3::Socket> socket, uint32_t available);

  const Options m_options;
  const ns3::InetSocketAddress m_to;
  ns3::Ptr<ns3::Socket> m_socket;
  bool m_stopped = false;
};

/* Takes all connections to its port; `window` is in bytes. */
class TcpSink : public ns3::Application {
 public:
  TcpSink (const Options & options, uint32_t window, uint16_t port, Meter * meter);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void on_data (ns3::Ptr<ns3::Socket> socket);

  const unsigned m_size, m_window;
  const uint16_t m_port;
  Meter *const m_meter;         /* null: not measured */
  ns3::Ptr<ns3::Socket> m_socket;
};

ns3::Ptr<ns3::Socket> make_tcp_socket (ns3::Ptr<ns3::Node> node, const Options & options);
/* A new socket with the options of `pattern`, made as TCP makes those that it accepts: ns-3
 * takes far longer to set a socket's attributes than to copy them. */
ns3::Ptr<ns3::Socket> copy_tcp_socket (ns3::Ptr<ns3::Socket> pattern);

}  // namespace lab
#endif
