/* lab-ns3: flows of the engine among ns-3's TCP and queues
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 *   lab-ns3 KEY=VALUE... flow=TYPE:KEY=VALUE,KEY=VALUE...
 *
 * Prints lines of FLOW METRIC VALUE; docs/lab.md lists the keys. */
#include "dumbbell.h"

#include "ns3/simulator.h"

#include <cstdio>
#include <exception>

int
main (int argc, char **argv)
{
  try {
    const lab::Settings settings = lab::parse (argc, argv);
    lab::Dumbbell dumbbell (settings);
    dumbbell.run ();
    dumbbell.print ();
  } catch (const std::exception & error) {
    std::fprintf (stderr, "lab-ns3: %s\n", error.what ());
    return 2;
  }
  /* The process ends here; taking ten thousand objects apart would only cost time. */
  std::fflush (stdout);
  std::_Exit (0);
}
