/* gst-tfrc tests: a UDP relay that a test commands
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Stands between a sender and a receiver as a NAT would: the sender talks to the
 * relay's port, the receiver hears from another port of it, and what the receiver
 * sends there goes back to the sender. */
#ifndef RELAY_H
#define RELAY_H

#include <gio/gio.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct _Relay Relay;

typedef enum
{
  RELAY_FORTH,                  /* sender to receiver */
  RELAY_BACK,
  RELAY_N_WAYS
} RelayWay;

typedef struct
{
  gboolean block;               /* everything is lost */
  gboolean block_rtcp;          /* RTCP is lost */
  guint drop_every;             /* every n-th packet is lost; 0: none */
  guint drop_run;               /* and as many with it in a row; 0: it alone */
  guint duplicate_every;        /* every n-th comes twice */
  guint swap_every;             /* every n-th is overtaken by the next */
  guint delay;                  /* ms */
  gboolean hide_loss;           /* TFRC's reports tell of no loss */
} RelayRules;

typedef struct
{
  guint packets, rtcp, dropped; /* that came; RTCP among them; lost here */
} RelayCounts;

/* Sends what comes to `target_port` of this machine, by IPv4 or IPv6. */
Relay *relay_new (GSocketFamily family, guint target_port);
void relay_free (Relay * relay);
guint relay_get_port (Relay * relay);
/* Where the receiver hears from. */
guint relay_get_back_port (Relay * relay);

void relay_set_rules (Relay * relay, RelayWay way, const RelayRules * rules);
void relay_get_counts (Relay * relay, RelayWay way, RelayCounts * counts);
/* The receiver moved. */
void relay_set_target (Relay * relay, guint target_port);

/* The packets that came since the last call, GBytes; free with
 * g_ptr_array_unref. */
GPtrArray *relay_take_packets (Relay * relay, RelayWay way);
/* As if it had come from the other end. */
void relay_inject (Relay * relay, RelayWay way, gconstpointer data, gsize size);

/* Whether a packet is RTCP (RFC 5761). */
gboolean relay_is_rtcp (gconstpointer data, gsize size);
/* Whether one of the RTCP packets in a compound is of this type. */
gboolean relay_has_rtcp (gconstpointer data, gsize size, guint type);

G_END_DECLS

#endif
