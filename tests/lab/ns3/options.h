/* lab-ns3: the options of one run, as KEY=VALUE words
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_NS3_OPTIONS_H
#define LAB_NS3_OPTIONS_H

#include <map>
#include <string>
#include <vector>

namespace lab {

/* Words of one kind; each key must be known, so that a typing error is one. */
class Options {
 public:
  explicit Options (std::map<std::string, std::string> defaults);
  void set (const std::string & word);  /* KEY=VALUE; throws what is wrong */
  const std::string & text (const std::string & key) const;
  double number (const std::string & key) const;
  bool has (const std::string & key) const;     /* set and not empty */

 private:
  std::map<std::string, std::string> m_values;
};

/* A group of flows alike: TYPE:KEY=VALUE,KEY=VALUE... */
struct Group {
  std::string type;             /* tcp, tfrc, rap, web, cbr */
  Options options;
};

struct Settings {
  Options path;
  std::vector<Group> groups;
};

Settings parse (int argc, char **argv);

}  // namespace lab
#endif
