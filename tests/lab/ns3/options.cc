/* lab-ns3: the options of one run, as KEY=VALUE words
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "options.h"

#include <sstream>
#include <stdexcept>

namespace lab {
namespace {

const std::map<std::string, std::string> path_defaults = {
  {"seed", "1"}, {"duration", "100"}, {"from", "50"},
  {"rate", "3Mbps"}, {"delay", "2"},    /* bottleneck: bit/s, ms one way */
  {"rates", ""}, {"back_rates", ""},    /* later: SECOND:RATE/SECOND:RATE... */
  {"queue", "droptail-packet"}, {"limit", "100"},       /* packets, or mean packets in byte mode */
  {"mean_packet", "500"},       /* bytes */
  {"minth", "30"}, {"maxth", "90"}, {"maxp", "0.1"},    /* RED, in packets of the mean size */
  {"mark", "0"},                /* RED marks what is ECN-capable */
  /* queue=loss: a model of virtual time */
  {"loss", "bernoulli"}, {"p", "0"}, {"b", "0"}, {"period", "10"}, {"burst", "2"},
  {"pps", "0"}, {"both", "0"},  /* queue=packet-rate; 1: the limit counts both directions together */
  {"error", "0"},               /* share of packets lost on the bottleneck's wire */
  {"min_rto", "0.2"}, {"series", "0"},
};

const std::map<std::string, std::map<std::string, std::string>> group_defaults = {
  {"tcp", {{"name", "tcp"}, {"n", "1"}, {"size", "1460"}, {"rtt", "100"}, {"window", "100"},
      {"ecn", "0"}, {"sack", "1"}, {"pacing", "0"}, {"access", "100Mbps"}, {"far", ""}, {"reverse", "0"}, {"spread", "2"},
      {"cc", "TcpNewReno"}, {"start", ""}, {"stop", ""}}},
  {"tfrc", {{"name", "tfrc"}, {"n", "1"}, {"size", "204"}, {"size_max", "0"}, {"rtt", "100"},
      {"headers", "0"},         /* 28: the engine's s counts the IP packet, as ns-2's does */
      {"pps", "0"}, {"backlog", "0"}, {"adapt", "0"},   /* backlog: packets that may wait; 0: all */
      {"mode", "tfrc"}, {"measure", "rfc"}, {"S", "1460"},
      {"H", "40"}, {"t_RTO_R", "4"}, {"factor", "1"}, {"pacing", "rfc"}, {"mppn", "0"},
      {"ecn", "0"},             /* packets are ECN-capable, and marks are losses */
      {"pause", ""},            /* FROM-TO, s: the application is silent */
      {"media", ""}, {"min", "150"}, {"max", "1500"},   /* voice or video; kbit/s of the video's payload */
      {"report_loss", "0"}, {"jitter", "0"},    /* share; ms, see AccessLink */
      {"reverse", "0"}, {"start", ""}, {"stop", ""},    /* s */
      {"g", "0"}, {"cir", "0"}, {"cbs", "10000"}, {"access", "100Mbps"}, {"spread", "2"}}},
  {"nada", {{"name", "nada"}, {"n", "1"}, {"rtt", "100"}, {"media", "video"}, {"min", "150"}, {"max", "1500"},
      {"ecn", "0"}, {"pause", ""}, {"report_loss", "0"}, {"jitter", "0"}, {"reverse", "0"}, {"start", ""},
      {"stop", ""}, {"access", "100Mbps"}, {"spread", "2"}}},
  {"rap", {{"name", "rap"}, {"n", "1"}, {"size", "1000"}, {"rtt", "100"}, {"fine", "0"},
      {"access", "100Mbps"}, {"spread", "2"}}},
  {"cbr", {{"name", "cbr"}, {"n", "1"}, {"size", "200"}, {"rtt", "100"}, {"pps", "50"},
      {"access", "100Mbps"}, {"spread", "2"}}},
  {"web", {{"name", "web"}, {"n", "10"}, {"size", "512"}, {"rtt", "20-240"}, {"pages", "10"},
      {"objects", "10"}, {"mean", "60"}, {"shape", "1.05"}, {"between", "1"}, {"reverse", "0"},
      {"links", "50"}, {"access", "100Mbps"}}},
};

Group
parse_group (const std::string & value)
{
  const auto colon = value.find (':');
  const std::string type = value.substr (0, colon);
  const auto defaults = group_defaults.find (type);
  if (defaults == group_defaults.end ())
    throw std::runtime_error ("no flows of type " + type);
  Group group { type, Options (defaults->second) };
  std::istringstream words (colon == std::string::npos ? "" : value.substr (colon + 1));
  for (std::string word; std::getline (words, word, ',');)
    group.options.set (word);
  return group;
}

}  // namespace

Options::Options (std::map<std::string, std::string> defaults)
  : m_values (std::move (defaults))
{
}

void
Options::set (const std::string & word)
{
  const auto equals = word.find ('=');
  const auto at = m_values.find (word.substr (0, equals));
  if (equals == std::string::npos || at == m_values.end ())
    throw std::runtime_error ("cannot read " + word);
  at->second = word.substr (equals + 1);
}

const std::string &
Options::text (const std::string & key) const
{
  return m_values.at (key);
}

double
Options::number (const std::string & key) const
{
  return std::stod (m_values.at (key));
}

bool
Options::has (const std::string & key) const
{
  const auto at = m_values.find (key);
  return at != m_values.end () && !at->second.empty () && at->second != "0";
}

Settings
parse (int argc, char **argv)
{
  Settings settings { Options (path_defaults), {} };
  for (int i = 1; i < argc; i++) {
    const std::string word = argv[i];
    if (word.rfind ("flow=", 0) == 0)
      settings.groups.push_back (parse_group (word.substr (5)));
    else
      settings.path.set (word);
  }
  return settings;
}

}  // namespace lab
