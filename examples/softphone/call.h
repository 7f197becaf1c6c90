/* gst-tfrc: a two-way voice call by one UDP port on tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The part of the softphone that another phone can take as it is. A call is one
 * pipeline:
 *
 *   microphone ! [echo canceller !] volume ! tfrcencodebin ! tfrcbin     what is said
 *   tfrcbin ! tfrcdecodebin ! [echo probe !] loudspeaker                 what is heard
 *
 * It is one tfrcbin, which sends and receives by one UDP port. Rate control needs no code:
 * tfrcbin sends tfrcencodebin its allowance. */
#ifndef CALL_H
#define CALL_H

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _Call Call;

/* Two SRTP master keys with their salts: of the phone that calls, and of the one that listens. */
#define CALL_KEY_LENGTH 60
#define CALL_KEYS_LENGTH (2 * CALL_KEY_LENGTH)

typedef struct
{
  const gchar *peer;            /* HOST:PORT to call; NULL: whoever calls */
  gboolean listen;              /* wait for the call; with `peer`: of the phone there */
  guint port;                   /* our UDP port */
  const gchar *keys;            /* SRTP: CALL_KEYS_LENGTH hexadecimal digits; NULL: in clear */
  const gchar *speak;           /* WAV file in place of the microphone, or NULL */
  const gchar *record;          /* WAV file in place of the loudspeaker, or NULL */
  gboolean echo_cancel;         /* when webrtcdsp is installed */
  guint latency;                /* ms, of the jitter buffer */
} CallSettings;

/* One direction, as the meter shows it. */
typedef struct
{
  gchar codec[16];              /* "-" when nothing flows */
  gdouble bitrate;              /* bit/s of RTP payload over the last period */
  gdouble frame;                /* ms */
  gdouble rtt;                  /* ms; 0: unknown */
  gdouble loss;                 /* ratio of packets lost over the last period */
  gdouble quality;              /* MOS as the E-model predicts it, 1 to 4.5; 0: unknown */
} CallMeter;

typedef enum
{
  CALL_WAITING,                 /* nobody has called */
  CALL_RINGING,                 /* we call, nothing has come back */
  CALL_TALKING,
  CALL_ENDED,                   /* the remote hung up, or we did */
  CALL_FAILED                   /* call_get_error() says why */
} CallState;

/* NULL and an error when the pipeline cannot be made; the error names the remedy.
 * `changed` is called from the main loop whenever the state changed. */
Call *call_new (const CallSettings * settings, void (*changed) (Call *, gpointer),
    gpointer user_data, GError ** error);
void call_free (Call * call);

void call_start (Call * call);
/* Lets what was said leave, says BYE, and reaches CALL_ENDED within a second. */
void call_hang_up (Call * call);
void call_set_muted (Call * call, gboolean muted);

CallState call_get_state (Call * call);
const gchar *call_get_error (Call * call);
/* Address of the remote, host:port; NULL before a packet of it arrived. */
const gchar *call_get_remote (Call * call);
/* What passed since the last time. */
void call_measure (Call * call, CallMeter * said, CallMeter * heard);

G_END_DECLS
#endif
