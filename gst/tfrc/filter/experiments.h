/* gst-tfrc: the fields of the property "experimental" of the filters
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_EXPERIMENTS_H
#define GST_TFRC_EXPERIMENTS_H

#include <gst/gst.h>
#include <tfrc/tfrc.h>

G_BEGIN_DECLS

/* Puts the fields of `experiments` (NULL: none) into the engine's configuration; `sends` those
 * of rtptfrcsend, too. Returns NULL, or the text of an error, to be freed, that names a wrong
 * field and those that there are. */
gchar *gst_tfrc_experiments_to_config (const GstStructure * experiments,
    gboolean sends, TfrcConfig * config);

G_END_DECLS

#endif
