/* gst-tfrc: which worker an element or a socket gets, by the name of a context, which is the property `context` of the
 * elements and no GstContext
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transport/udpworkerprivate.h"

struct _GstTfrcUdpContext
{
  gchar *name;
  GPtrArray *workers;           /* GstTfrcUdpWorker, or NULL where none runs */
};

static GMutex contexts_lock;
static GList *contexts;         /* GstTfrcUdpContext */

static GstTfrcUdpContext *
find_context (const gchar * name)
{
  GList *l;

  for (l = contexts; l != NULL; l = l->next) {
    GstTfrcUdpContext *context = l->data;

    if (g_str_equal (context->name, name))
      return context;
  }
  return NULL;
}

static GstTfrcUdpContext *
context_new (const gchar * name)
{
  GstTfrcUdpContext *context = g_new0 (GstTfrcUdpContext, 1);

  context->name = g_strdup (name);
  context->workers = g_ptr_array_new ();
  contexts = g_list_prepend (contexts, context);
  return context;
}

/* Frees a context in which no worker runs. */
static void
context_drop_if_idle (GstTfrcUdpContext * context)
{
  guint i;

  for (i = 0; i < context->workers->len; i++)
    if (g_ptr_array_index (context->workers, i) != NULL)
      return;
  contexts = g_list_remove (contexts, context);
  g_ptr_array_unref (context->workers);
  g_free (context->name);
  g_free (context);
}

/* Returns the index of the worker with the fewest members; an index without a worker has none. */
static guint
choose_worker (GstTfrcUdpContext * context)
{
  guint i, best = 0, fewest = G_MAXUINT;

  for (i = 0; i < context->workers->len; i++) {
    GstTfrcUdpWorker *worker = g_ptr_array_index (context->workers, i);
    guint members = worker != NULL ? worker->members : 0;

    if (members < fewest) {
      fewest = members;
      best = i;
    }
  }
  return best;
}

GstTfrcUdpWorker *
gst_tfrc_udp_worker_join (const gchar * name, guint threads, GError ** error)
{
  GstTfrcUdpContext *context;
  GstTfrcUdpWorker *worker;
  guint i;

  g_return_val_if_fail (name != NULL && threads > 0, NULL);
  g_mutex_lock (&contexts_lock);
  context = find_context (name);
  if (context == NULL)
    context = context_new (name);
  if (context->workers->len < threads)
    g_ptr_array_set_size (context->workers, threads);
  i = choose_worker (context);
  worker = g_ptr_array_index (context->workers, i);
  if (worker == NULL)
    worker = gst_tfrc_udp_worker_new (context, i, error);
  g_ptr_array_index (context->workers, i) = worker;
  if (worker != NULL)
    worker->members++;
  else
    context_drop_if_idle (context);
  g_mutex_unlock (&contexts_lock);
  return worker;
}

GstTfrcUdpWorker *
gst_tfrc_udp_worker_share (GstTfrcUdpWorker * worker)
{
  g_mutex_lock (&contexts_lock);
  worker->members++;
  g_mutex_unlock (&contexts_lock);
  return worker;
}

const gchar *
gst_tfrc_udp_worker_get_context (GstTfrcUdpWorker * worker)
{
  return worker->context->name;
}

void
gst_tfrc_udp_worker_leave (GstTfrcUdpWorker * worker)
{
  gboolean last;

  g_mutex_lock (&contexts_lock);
  last = --worker->members == 0;
  if (last) {
    g_ptr_array_index (worker->context->workers, worker->index) = NULL;
    context_drop_if_idle (worker->context);
  }
  g_mutex_unlock (&contexts_lock);
  if (last)
    gst_tfrc_udp_worker_stop (worker);
}
