/* gst-tfrc: the elements of a process whose flows are exported
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "metrics/elementlist.h"

struct _GstTfrcElementList
{
  GMutex lock;
  GHashTable *elements;         /* address of an element: GWeakRef */
};

static void
weak_ref_free (gpointer ref)
{
  g_weak_ref_clear (ref);
  g_free (ref);
}

GstTfrcElementList *
gst_tfrc_element_list_new (void)
{
  GstTfrcElementList *self = g_new0 (GstTfrcElementList, 1);

  g_mutex_init (&self->lock);
  self->elements = g_hash_table_new_full (NULL, NULL, NULL, weak_ref_free);
  return self;
}

void
gst_tfrc_element_list_free (GstTfrcElementList * self)
{
  g_hash_table_unref (self->elements);
  g_mutex_clear (&self->lock);
  g_free (self);
}

void
gst_tfrc_element_list_add (GstTfrcElementList * self, GstElement * element)
{
  GWeakRef *ref = g_new (GWeakRef, 1);

  g_weak_ref_init (ref, element);
  g_mutex_lock (&self->lock);
  g_hash_table_insert (self->elements, element, ref);
  g_mutex_unlock (&self->lock);
}

void
gst_tfrc_element_list_remove (GstTfrcElementList * self, gconstpointer object)
{
  g_mutex_lock (&self->lock);
  g_hash_table_remove (self->elements, object);
  g_mutex_unlock (&self->lock);
}

GPtrArray *
gst_tfrc_element_list_get (GstTfrcElementList * self)
{
  GPtrArray *found = g_ptr_array_new_with_free_func (gst_object_unref);
  GHashTableIter iter;
  gpointer ref;

  g_mutex_lock (&self->lock);
  g_hash_table_iter_init (&iter, self->elements);
  while (g_hash_table_iter_next (&iter, NULL, &ref)) {
    gpointer element = g_weak_ref_get (ref);

    if (element != NULL)
      g_ptr_array_add (found, element);
  }
  g_mutex_unlock (&self->lock);
  return found;
}
