/* gst-tfrc tests: an encoder as somebody else would write it, from the installed header alone
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef FOREIGN_ENCODER_H
#define FOREIGN_ENCODER_H

#include <gst/gst.h>

G_BEGIN_DECLS

/* Makes frames of 20 ms, of as many bytes as the rate event allows; none while it is suspended. */
GType foreign_encoder_get_type (void);

G_END_DECLS

#endif
