/* gst-tfrc: the two kinds of calls of the softphone behind one set of keys
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef PHONE_H
#define PHONE_H

#include "call.h"

G_BEGIN_DECLS

typedef struct
{
  CallSettings call;            /* without the callbacks, which are set here */
  const gchar *identity;        /* sip:NAME@HOST; NULL: without SIP */
  guint sip_port;
  guint ring;                   /* seconds in which a call of SIP has to be answered */
  gboolean registers;
  const gchar *password;        /* or NULL */
  const gchar *codecs;          /* that SIP offers */
  gboolean clear;               /* SIP offers no keys */
  const gchar *target;          /* whom to call: HOST:PORT or, with SIP, sip:NAME@HOST */
  gboolean listens;             /* to calls, also after one has ended */
  gboolean answers;             /* each call at once */
  gboolean once;                /* the first call is the last */
  void (*ended) (gboolean failed, gpointer user_data);  /* there will be no call any more */
  gpointer user_data;
} PhoneSettings;

typedef struct _Phone Phone;

/* NULL and an error when the phone cannot begin. */
Phone *phone_new (const PhoneSettings * settings, GError ** error);
void phone_free (Phone * phone);

/* A key of the keyboard: a accept, d decline, h hold or resume, m mute, q hang up or quit; 0 to 9, * and #. */
void phone_press (Phone * phone, gchar key);
/* Ends the call and the phone. */
void phone_quit (Phone * phone);

/* The call that the meter is of, or NULL. */
Call *phone_get_call (Phone * phone);
gboolean phone_is_muted (Phone * phone);

G_END_DECLS
#endif
