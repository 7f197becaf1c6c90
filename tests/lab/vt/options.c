/* lab: the options of one virtual-time run, as KEY=VALUE words
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "options.h"
#include "measures.h"

#include <stdlib.h>
#include <string.h>

#define TEXT(name) { #name, offsetof (LabOptions, name), true }
#define NUMBER(name) { #name, offsetof (LabOptions, name), false }

static const struct
{
  const char *name;
  size_t offset;
  bool text;
} words[] = {
  TEXT (run), TEXT (mode), TEXT (measure), TEXT (loss), TEXT (file),
  NUMBER (seed), NUMBER (flows), NUMBER (duration), NUMBER (from), NUMBER (rtt),
  NUMBER (rtt_max),
  NUMBER (size), NUMBER (size_max), NUMBER (wire), NUMBER (pps), NUMBER (adapt),
  NUMBER (p), NUMBER (b), NUMBER (period), NUMBER (burst), NUMBER (every),
  NUMBER (s), NUMBER (S), NUMBER (H), NUMBER (t_RTO_R),
  NUMBER (byte_mode_factor),
  NUMBER (discount), NUMBER (oscillation), TEXT (sender),
  NUMBER (slow_increase), NUMBER (scaled), NUMBER (detect), NUMBER (recv_limit),
  NUMBER (unbias), NUMBER (back_p), NUMBER (mute)
};

static bool
set_word (LabOptions * options, const char *name, size_t length,
    const char *value)
{
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strlen (words[i].name) != length
        || strncmp (words[i].name, name, length) != 0)
      continue;
    char *field = (char *) options + words[i].offset;
    if (words[i].text) {
      memcpy (field, &value, sizeof value);
      return true;
    }
    char *end;
    double number = strtod (value, &end);
    memcpy (field, &number, sizeof number);
    return end != value && *end == '\0';
  }
  return false;
}

const char *
lab_options_parse (LabOptions * options, int argc, char **argv)
{
  *options = (LabOptions) {
      .run = "flow",
      .mode = "tfrc-sp",
      .measure = "rfc",
      .loss = "none",
      .sender = "engine",
      .seed = 1,
      .flows = 1,
      .duration = 100,
      .from = 50,
      .rtt = 0.1,
      .size = 200,
      .wire = 32,
      .period = 10,
      .burst = 2,
      .every = 100,
      .S = 1460,
      .H = 40,
      .t_RTO_R = 4,
      .byte_mode_factor = 1,
      .discount = 1,
      .oscillation = 1,
      .slow_increase = 1,
      .detect = 3,
      .recv_limit = 1
  };
  for (int i = 1; i < argc; i++) {
    const char *equals = strchr (argv[i], '=');
    if (!equals
        || !set_word (options, argv[i], (size_t) (equals - argv[i]),
            equals + 1))
      return argv[i];
  }
  return NULL;
}

const char *
lab_options_get_config (const LabOptions * options, TfrcConfig * config)
{
  int measure = lab_measure_from_name (options->measure);
  if (measure < 0)
    return "no such measure";
  tfrc_config_init (config, strcmp (options->mode, "tfrc-sp") == 0 ?
      TFRC_MODE_TFRC_SP : TFRC_MODE_TFRC);
  config->measure = (TfrcMeasure) measure;
  config->S = (uint32_t) options->S;
  config->H = (uint32_t) options->H;
  config->t_RTO_R = options->t_RTO_R;
  config->byte_mode_factor = options->byte_mode_factor;
  config->history_discounting = options->discount != 0;
  config->oscillation_reduction = options->oscillation != 0;
  config->seed = (uint64_t) options->seed;
  return tfrc_config_check (config);
}
