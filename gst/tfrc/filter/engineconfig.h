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

/* Whether each flow has the mode that suits it (GST_TFRC_MODE_AUTO); `config` has the mode of a flow of which nothing
 * is known yet. An experimental loss measure belongs to one mode: TFRC-SP where the measure is gradual, else TFRC. */
gboolean gst_tfrc_engine_config_chooses_mode (const GstTfrcFilterSettings *
    settings, const TfrcConfig * config);

G_END_DECLS

#endif
