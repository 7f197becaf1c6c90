/* gst-tfrc: the defaults of the writable properties of the filters
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef GST_TFRC_FILTERDEFAULTS_H
#define GST_TFRC_FILTERDEFAULTS_H

#include <tfrc/wire.h>

#include "filter/filtersettings.h"

#define DEFAULT_MODE GST_TFRC_MODE_AUTO
#define DEFAULT_MTU 1500
#define DEFAULT_HEADER_SIZE 40  /* RFC 4828 3 */
#define DEFAULT_EXTENSION_ID 0
#define DEFAULT_FEEDBACK_FMT TFRC_REPORT_FMT
#define DEFAULT_MIN_BITRATE 0
#define DEFAULT_MAX_BITRATE 0
#define DEFAULT_MAX_QUEUE_TIME GST_CLOCK_TIME_NONE
#define DEFAULT_MAX_QUEUE_PACKETS 1000
#define DEFAULT_SYNC FALSE
#define DEFAULT_CONTEXT ""
#define DEFAULT_DSCP -1
#define DEFAULT_INITIAL_RTT 0
#define DEFAULT_CIRCUIT_BREAKER TRUE
#define DEFAULT_MAX_LOSS 0.0
#define DEFAULT_COUPLING GST_TFRC_COUPLING_TRANSPORT
#define DEFAULT_COUPLING_GROUP ""
#define DEFAULT_FEEDBACK GST_TFRC_FEEDBACK_AUTO

#endif
