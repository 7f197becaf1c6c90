/* gst-tfrc: a two-way voice call by one UDP port on tfrcbin
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The part of the softphone that another phone can take as it is. A call is one
 * pipeline:
 *
 *   microphone ! [echo canceller !] volume ! valve ! tfrcencodebin ! [rtpdtmfmux !] tfrcbin   what is said
 *   tfrcbin ! tfrcdecodebin ! [echo probe !] loudspeaker                                     what is heard
 *
 * It is one tfrcbin, which sends and receives by one UDP port. Rate control needs no code:
 * tfrcbin sends tfrcencodebin its allowance.
 *
 * There are two ways to a call. Without signalling, `peer` and `listen` of the settings say who calls whom, and
 * the packets themselves are the call. With signalling (sip.c), call_open() binds the UDP port, and
 * call_set_media() says what the two phones have agreed on. The microphone is opened when the user or the
 * application has accepted the call, and by no packet. */
#ifndef CALL_H
#define CALL_H

#include <gst/gst.h>

#include "ice.h"

G_BEGIN_DECLS

typedef struct _Call Call;

/* Two SRTP master keys with their salts: of the phone that calls, and of the one that listens. */
#define CALL_KEY_LENGTH 60
#define CALL_KEYS_LENGTH (2 * CALL_KEY_LENGTH)

typedef enum
{
  CALL_WAITING,                 /* nobody has called */
  CALL_INCOMING,                /* call_get_remote() calls: call_accept() or call_decline() */
  CALL_RINGING,                 /* we call, nothing has come back */
  CALL_TALKING,
  CALL_ENDED,                   /* the remote hung up, or we did */
  CALL_FAILED                   /* call_get_error() says why */
} CallState;

typedef struct
{
  const gchar *peer;            /* HOST:PORT to call; NULL: whoever calls */
  gboolean listen;              /* wait for the call; with `peer`: of the phone there */
  gboolean signalled;           /* by call_set_media(); `peer` and `listen` are not read */
  gboolean dtls;                /* keys by DTLS, of a signalled call */
  gboolean ice;                 /* of a signalled call, see call_gather() */
  const gchar *stun_server, *stun_server6;      /* numeric addresses of IPv4 and IPv6, or NULL; with `ice` */
  guint stun_port;
  guint port;                   /* our UDP port; 0: any */
  const gchar *keys;            /* SRTP: CALL_KEYS_LENGTH hexadecimal digits; NULL: in clear */
  const gchar *speak;           /* WAV file in place of the microphone, or NULL */
  const gchar *record;          /* WAV file in place of the loudspeaker, or NULL */
  gboolean echo_cancel;         /* when webrtcdsp is installed */
  guint latency;                /* ms, of the jitter buffer */
  /* Called from the main loop: the state changed; the remote has pressed a key (0 to 9, *, #, A to D). */
  void (*changed) (Call * call, gpointer user_data);
  void (*digit) (Call * call, gchar digit, gpointer user_data);
  void (*gathered) (Call * call, gpointer user_data);   /* call_gather() is done */
  gpointer user_data;
} CallSettings;

/* What two phones have agreed on by signalling. */
typedef struct
{
  gchar host[256];              /* where the remote receives */
  guint port, rtcp_port;        /* rtcp_port 0: RTCP goes to `port`, too */
  gchar codecs[32];             /* RTP encoding names for tfrcencodebin, the first one is used first */
  guint opus_type;              /* payload types to send with */
  gint red_type;                /* -1: the remote takes no redundant copies */
  gint dtmf_type, dtmf_type_in; /* of telephone events to send and to receive; -1: none */
  guint dtmf_rate;              /* Hz, of those that come */
  gchar caps[1024];             /* what arrives, as the property "caps" of tfrcbin */
  gboolean tfrc;                /* the remote sends TFRC reports; else receiver reports alone */
  guint extension_id;           /* with `tfrc` */
  guint ptime;                  /* ms of sound in a packet; 0: as tfrcencodebin chooses */
  gboolean dtls, active;        /* keys by DTLS, and whether this end begins the handshake */
  gchar fingerprint[128];       /* of the remote's certificate */
  gchar key[CALL_KEY_LENGTH + 1], remote_key[CALL_KEY_LENGTH + 1];      /* "": in clear, or DTLS */
  gboolean short_auth;          /* a tag of 4 bytes instead of 10 */
  gboolean sends, hears;        /* of this end; not both while the call is on hold */
  IceSide ice;                  /* of the remote, without a ufrag: `host` and `port` are the way to it */
} CallMedia;

/* One direction, as the meter shows it. */
typedef struct
{
  gchar codec[16];              /* "-" when nothing flows */
  gdouble bitrate;              /* bit/s of RTP payload over the last period: what has left, or what has come */
  gdouble frame;                /* ms */
  gdouble rtt;                  /* ms; 0: unknown */
  gdouble loss;                 /* ratio of packets lost over the last period */
  gdouble quality;              /* MOS as the E-model predicts it, 1 to 4.5; 0: unknown */
} CallMeter;

/* NULL and an error when the pipeline cannot be made; the error names the remedy. */
Call *call_new (const CallSettings * settings, GError ** error);
void call_free (Call * call);

/* Without signalling: the call begins, or is waited for. */
void call_start (Call * call);
/* Accepts or declines who calls, in the state CALL_INCOMING. Who was declined is not heard of for a minute. */
void call_accept (Call * call);
void call_decline (Call * call);

/* With signalling: binds the UDP port. FALSE: it cannot be had. */
gboolean call_open (Call * call, GError ** error);
/* From call_open() on. The fingerprint of this end's certificate is to be freed; NULL: there is no DTLS. */
guint call_get_port (Call * call);
gchar *call_get_fingerprint (Call * call);
/* With ICE, from call_open() on: finds the addresses at which the port is reached. `host` is the one of this machine, and
 * `controlling` the end that makes the offer. */
void call_gather (Call * call, const gchar * host, gboolean controlling);
/* What SDP says of them; NULL: there is no ICE. */
const IceSide *call_get_ice (Call * call);
/* The remote begins ICE anew, and so does this end. */
void call_restart_ice (Call * call);
/* FALSE: call_set_media() would refuse these, and `error` says why. Nothing changes. */
gboolean call_can_set_media (Call * call, const CallMedia * media, GError ** error);
/* The call has been accepted, and begins; or the two phones have agreed on another address or direction. With
 * ICE it begins when there is a way to the remote, and the state is CALL_RINGING until then. */
gboolean call_set_media (Call * call, const CallMedia * media, GError ** error);

/* Lets what was said leave, says BYE, and reaches CALL_ENDED within a second. */
void call_hang_up (Call * call);
void call_set_muted (Call * call, gboolean muted);
/* Presses a key: 0 to 9, *, #, A to D. FALSE: the remote takes none. */
gboolean call_send_digit (Call * call, gchar digit);

CallState call_get_state (Call * call);
const gchar *call_get_error (Call * call);
/* Address of the remote, host:port; NULL before a packet of it arrived. */
const gchar *call_get_remote (Call * call);
/* What passed since the last time. */
void call_measure (Call * call, CallMeter * said, CallMeter * heard);

G_END_DECLS
#endif
