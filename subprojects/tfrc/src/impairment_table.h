/* libtfrc: what was heard of each point, wideband (generated)
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Written by `tools/calibrate.py table results.csv`; its head says how to measure.
 * 16 clips of 8 s from Debian's asterisk-core-sounds-en-g722 and alsa-utils.
 * Codec, bit/s, frame in ms, in-band FEC, and Ie,eff (G.107.1) for random packet
 * losses of 0, 1, 3, 5, 10, 15, 20, 30 %; the comment holds the mean scores. */
