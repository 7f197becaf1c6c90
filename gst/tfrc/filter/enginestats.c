/* gst-tfrc: the engine's statistics as fields of a structure
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "filter/enginestats.h"

void
gst_tfrc_engine_stats_add_sender (GstStructure * stats,
    const TfrcSenderStats * s)
{
  guint i;

  gst_structure_set (stats,
      "X", G_TYPE_DOUBLE, s->X, "X-inst", G_TYPE_DOUBLE, s->X_inst,
      "X-Bps", G_TYPE_DOUBLE, s->X_Bps, "X-recv", G_TYPE_DOUBLE, s->X_recv,
      "recv-limit", G_TYPE_DOUBLE, s->recv_limit, "G", G_TYPE_DOUBLE, s->G,
      "p", G_TYPE_DOUBLE, s->p, "R", G_TYPE_DOUBLE, s->R,
      "t-RTO", G_TYPE_DOUBLE, s->t_RTO,
      "R-sqmean", G_TYPE_DOUBLE, s->R_sqmean,
      "s", G_TYPE_DOUBLE, s->s, "s-max", G_TYPE_DOUBLE, s->s_max,
      "T-report", G_TYPE_DOUBLE, s->T_report,
      "packets", G_TYPE_UINT64, s->packets, "bytes", G_TYPE_UINT64, s->bytes,
      "reports", G_TYPE_UINT64, s->reports,
      "limited-x-recv", G_TYPE_UINT64, s->limited_x_recv,
      "limited-p", G_TYPE_UINT64, s->limited_p,
      "limited-t-delay", G_TYPE_UINT64, s->limited_t_delay,
      "nofeedback-expiries", G_TYPE_UINT64, s->expiries,
      "loss-reports", G_TYPE_UINT64, s->loss_reports,
      "data-limited-reports", G_TYPE_UINT64, s->data_limited_reports,
      "clock-steps", G_TYPE_UINT64, s->clock_steps,
      "data-limited", G_TYPE_BOOLEAN, s->data_limited,
      "slow-start", G_TYPE_BOOLEAN, s->slow_start, NULL);
  for (i = 0; i < TFRC_N_REJECTS; i++) {
    gchar *name = g_strconcat ("rejected-", tfrc_reject_get_name (i), NULL);

    gst_structure_set (stats, name, G_TYPE_UINT64, s->rejected[i], NULL);
    g_free (name);
  }
}

void
gst_tfrc_engine_stats_add_receiver (GstStructure * stats,
    const TfrcReceiverStats * s)
{
  gst_structure_set (stats,
      "p", G_TYPE_DOUBLE, s->p, "X-recv", G_TYPE_DOUBLE, s->X_recv,
      "R", G_TYPE_DOUBLE, s->R, "I-mean", G_TYPE_DOUBLE, s->I_mean,
      "I-0", G_TYPE_DOUBLE, s->I_0, "I-1", G_TYPE_DOUBLE, s->I_1,
      "intervals", G_TYPE_UINT, s->intervals,
      "packets", G_TYPE_UINT64, s->packets, "bytes", G_TYPE_UINT64, s->bytes,
      "lost", G_TYPE_UINT64, s->lost, "healed", G_TYPE_UINT64, s->healed,
      "loss-events", G_TYPE_UINT64, s->loss_events,
      "duplicates", G_TYPE_UINT64, s->duplicates,
      "reordered", G_TYPE_UINT64, s->reordered,
      "marked", G_TYPE_UINT64, s->marked,
      "too-late", G_TYPE_UINT64, s->too_late,
      "unstamped", G_TYPE_UINT64, s->unstamped,
      "bad-stamps", G_TYPE_UINT64, s->bad_stamps,
      "jumps", G_TYPE_UINT64, s->jumps,
      "restarts", G_TYPE_UINT64, s->restarts,
      "reports", G_TYPE_UINT64, s->reports,
      "empty-expiries", G_TYPE_UINT64, s->empty_expiries,
      "clock-steps", G_TYPE_UINT64, s->clock_steps, NULL);
}
