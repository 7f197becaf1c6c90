/* libtfrc: what the receiver has for the receiver that runs at the data sender
 * Copyright (C) 2026 The gst-tfrc developers
 * SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TFRC_RECEIVER_PRIVATE_H
#define TFRC_RECEIVER_PRIVATE_H

#include <tfrc/receiver.h>

/* Leaves `span` ns out of the measure of X_recv, because nobody knows what arrived in them. The span ends with the
 * next packet, and begins when the last call was made or later. */
void tfrc_receiver_leave_out (TfrcReceiver * receiver, TfrcTime span);

#endif
