/* gst-tfrc: the elements of a process whose flows are exported
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Holds weak references, so that an element ends when the application lets it go. Any thread. */
#ifndef GST_TFRC_ELEMENTLIST_H
#define GST_TFRC_ELEMENTLIST_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _GstTfrcElementList GstTfrcElementList;

GstTfrcElementList *gst_tfrc_element_list_new (void);
void gst_tfrc_element_list_free (GstTfrcElementList * self);

void gst_tfrc_element_list_add (GstTfrcElementList * self,
    GstElement * element);
/* An object of any kind that is being destroyed. */
void gst_tfrc_element_list_remove (GstTfrcElementList * self,
    gconstpointer object);
/* References to the elements that live, to be freed with the array. */
GPtrArray *gst_tfrc_element_list_get (GstTfrcElementList * self);

G_END_DECLS

#endif
