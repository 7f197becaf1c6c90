/* lab: the options of one virtual-time run, as KEY=VALUE words
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef LAB_OPTIONS_H
#define LAB_OPTIONS_H

#include <tfrc/tfrc.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct
{
  const char *run;              /* flow, loss, equation, replay */
  const char *mode;             /* tfrc, tfrc-sp */
  const char *measure;          /* rfc, virtual-packet, ... */
  const char *loss;             /* none, bernoulli, byte, dynamic, gilbert, every */
  const char *file;             /* replay: the packets; reports are beside it */

  double seed;
  double flows;                 /* independent flows to average over */
  double duration, from;        /* s: length, and where measuring starts */
  double rtt;                   /* s, constant */
  double size, size_max;        /* bytes of a segment; with size_max uniform from size to it */
  double wire;                  /* bytes below the segment, in the rates printed */
  double pps;                   /* packets/s of the application; 0: always backlogged */
  double adapt;                 /* 1: fixed pps, the size follows X */

  double p, b;                  /* drop probability by packet; by byte */
  double period;                /* s: of dynamic Bernoulli; of Gilbert's slots */
  double burst;                 /* Gilbert: mean length of the bad state, in slots */
  double every;                 /* every n-th packet is lost */

  double s, S, H, t_RTO_R, byte_mode_factor;    /* engine */
  double discount, oscillation;
  const char *sender;           /* engine, ns2 */
  double slow_increase, scaled; /* of sender=ns2; scaled: S in the equation */
  double detect;                /* 1: ns-2's inference: the next arrival shows it, as one event */
  double recv_limit;            /* of sender=ns2; 0: X_recv does not limit X once p is known */
  double unbias;                /* 1: p is unbiased by the packet rate of the moment */
  double rtt_max;               /* s: the flows' round-trip times go from rtt to it; 0: all alike */
  double back_p;                /* probability that the way back loses a report */
  double mute;                  /* s: the way back loses all reports from this time on; 0: never */
} LabOptions;

/* Returns NULL or the word that could not be read. */
const char *lab_options_parse (LabOptions * options, int argc, char **argv);

/* Returns NULL or why the engine refuses. */
const char *lab_options_get_config (const LabOptions * options, TfrcConfig * config);

#ifdef __cplusplus
}
#endif
#endif
