/* gst-tfrc: the engine's configuration, from the settings of a filter
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_ENGINECONFIG_H
#define GST_TFRC_ENGINECONFIG_H

#include "filter/filtersettings.h"

G_BEGIN_DECLS

/* Fills the configuration of the engine from `settings`, the fields of the property "experimental"
 * included. Returns NULL, or the text of an error that says what is wrong with the settings and how
 * to mend it; the caller frees the text. The function has no state. */
gchar *gst_tfrc_engine_config_from_settings (const GstTfrcFilterSettings *
    settings, TfrcConfig * config);

G_END_DECLS

#endif
