/* lab: loss intervals unbiased by the packet rate of the moment
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#include "unbias.h"

#include <math.h>

void
lab_unbias_init (LabUnbias * unbias, const LabOptions * options)
{
  *unbias = (LabUnbias) {
      .eta = fmax (1, options->S / options->size),
      .R = (TfrcTime) llround (options->rtt * 1e9)};
}

void
lab_unbias_on_arrival (LabUnbias * unbias, TfrcTime now)
{
  unbias->arrivals[unbias->arrived++ % LAB_UNBIAS_FLIGHT] = now;
}

/* N eta */
static double
count_in_round_trip (const LabUnbias * unbias, TfrcTime now)
{
  uint64_t count = 0;
  while (count < unbias->arrived && count < LAB_UNBIAS_FLIGHT
      && now - unbias->arrivals[(unbias->arrived - count -
              1) % LAB_UNBIAS_FLIGHT] < unbias->R)
    count++;
  return (double) count;
}

void
lab_unbias_on_event (LabUnbias * unbias, double theta)
{
  for (unsigned i = LAB_UNBIAS_N - 1; i > 0; i--)
    unbias->I[i] = unbias->I[i - 1];
  unbias->I[0] = theta;
  unbias->n += unbias->n < LAB_UNBIAS_N;
}

/* RFC 5348 5.4: with the open interval as the newest, or of the closed ones alone. */
static double
get_mean (const LabUnbias * unbias, double I_0, bool open)
{
  double I_tot = 0, W_tot = 0;
  for (unsigned i = 0; i < LAB_UNBIAS_N && i < unbias->n + open; i++) {
    double w =
        i <
        LAB_UNBIAS_N / 2 ? 1 : 2.0 * (LAB_UNBIAS_N - i) / (LAB_UNBIAS_N + 2);
    I_tot += w * (!open ? unbias->I[i] : i ? unbias->I[i - 1] : I_0);
    W_tot += w;
  }
  return I_tot / W_tot;
}

double
lab_unbias_get_p (const LabUnbias * unbias, double I_0, TfrcTime now)
{
  if (!unbias->n)
    return 0;
  double N = count_in_round_trip (unbias, now) / unbias->eta;
  double I_mean =
      fmax (get_mean (unbias, I_0, true), get_mean (unbias, 0, false));
  return 1 / fmax (1, I_mean - (unbias->eta - 1) * N);
}
