/* lab-ns3: web sessions
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_NS3_WEB_H
#define LAB_NS3_WEB_H

#include "apps.h"

namespace lab {

/* One visitor: `pages` pages one after the other with a pause between them, each of
 * `objects` objects, each object a TCP connection of its own whose size has a long
 * (Pareto II) tail. The server's half; a TcpSink is the other. This is the shape of
 * ns-2's web traffic generator as RFC 4828 B.3's authors used it elsewhere; the RFC
 * prints none of the numbers. */
constexpr uint32_t WEB_LARGEST = 4000000;      /* bytes: a limit to the tail, and the buffers */

class WebSession : public ns3::Application {
 public:
  WebSession (const Options & options, ns3::InetSocketAddress to, int64_t stream);

 private:
  void StartApplication () override;
  void StopApplication () override;
  void start_page ();
  void start_object ();
  void on_connected (ns3::Ptr<ns3::Socket> socket, uint64_t bytes);
  void on_done (ns3::Ptr<ns3::Socket> socket);
  double draw_exponential (double mean);
  uint64_t draw_bytes ();

  const Options m_options;
  const ns3::InetSocketAddress m_to;
  ns3::Ptr<ns3::UniformRandomVariable> m_random;
  unsigned m_pages_left, m_objects_left = 0, m_objects_open = 0;
  ns3::Ptr<ns3::Socket> m_pattern;      /* of its connections; never connects itself */
  ns3::EventId m_next;
};

}  // namespace lab
#endif
