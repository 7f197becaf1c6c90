"""The mutations of mutate.py: (file in src, name, old text, new text). The old text
is in the file exactly once.

SPDX-License-Identifier: LGPL-2.1-or-later
"""

EQUATION = [
    ("equation.c", "the 2 of 2p/3", "sqrt (2.0 * p / 3.0)", "sqrt (p / 3.0)"),
    ("equation.c", "the 3 before the root", "(3.0 * sqrt (3.0", "(1.0 * sqrt (3.0"),
    ("equation.c", "the 3/8 in the root", "3.0 * p / 8.0)", "3.0 * p / 4.0)"),
    ("equation.c", "the factor p", "/ 8.0) * p * (1.0", "/ 8.0) * (1.0"),
    ("equation.c", "1 + 32 p^2", "32.0 * p * p", "32.0 * p"),
    ("equation.c", "p over 1", "if (!(p < 1.0))", "if (0)"),
    ("equation.c", "p under the unit", "return p > P_MIN ? p : P_MIN;", "return p;"),
    ("equation.c", "no saturation", "s < seconds * X_MAX ? s / seconds : X_MAX", "s / seconds"),
    ("equation.c", "fewer steps of bisection", "#define BISECTION_STEPS 50", "#define BISECTION_STEPS 40"),
    ("equation.c", "bisection turned round", "p) > X)", "p) < X)"),
    ("equation.c", "t_RTO without its multiple", "config->t_RTO_R * R", "R"),
    ("equation.c", "t_RTO's floor dropped", "fmax (config->t_RTO_R * R,", "fmin (config->t_RTO_R * R,"),
    ("equation.c", "header factor without H", "s / (s + H)", "s / (s + 40.0)"),
]

CONFIG = [
    ("config.c", "a larger mss is nominal", "config->mss < NOMINAL_SIZE ? config->mss : NOMINAL_SIZE",
     "config->mss"),
    ("config.c", "a smaller mss is not nominal", "config->mss < NOMINAL_SIZE ? config->mss : NOMINAL_SIZE",
     "NOMINAL_SIZE"),
    ("config.c", "s_true in the equation of small packets", "return tfrc_config_get_nominal_size (config);\n  return s;",
     "return s;\n  return s;"),
    ("config.c", "a guarantee without DSCP", "config->g > 0.0 && !config->dscp_set", "0"),
    ("config.c", "q of 1", "config->q < 1.0", "config->q <= 1.0"),
]

WIRE = [
    ("stamp.c", "R truncated", "(R + TFRC_USEC - 1) / TFRC_USEC", "R / TFRC_USEC"),
    ("stamp.c", "R over its field", "if (R > TFRC_RTT_MAX * TFRC_USEC)", "if (0)"),
    ("stamp.c", "one-byte length", "(data[i] & 15u) + 1u", "(data[i] & 15u)"),
    ("stamp.c", "id 15 is an element", "this_id == ID_STOP || ", ""),
    ("stamp.c", "id 0 with a length is an element", "|| this_id == ID_PADDING", ""),
    ("stamp.c", "one-byte element past its block", "length > size - i - 1", "length > size - i"),
    ("stamp.c", "two-byte element past its block", "length > size - i - 2", "length > size - i - 1"),
    ("stamp.c", "block past its packet", "if (length > size - BLOCK_HEADER)", "if (length > size)"),
    ("stamp.c", "application bits in the profile", "#define TWO_BYTE_MASK 0xFFF0u", "#define TWO_BYTE_MASK 0xFFFFu"),
    ("stamp.c", "id 14 in the two-byte form", "one_byte = id < ID_STOP", "one_byte = id < ID_STOP - 1"),
    ("report.c", "fields swapped", "put_u32 (fci + 4, report->t_delay_us);\n  put_u32 (fci + 8, report->x_recv_Bps);",
     "put_u32 (fci + 8, report->t_delay_us);\n  put_u32 (fci + 4, report->x_recv_Bps);"),
    ("report.c", "length field unread", "if (4 * ((size_t) get_u16 (packet + 2) + 1) != size)", "if (0)"),
    ("report.c", "padding of any length", "padding % 4 != 0 || ", ""),
    ("report.c", "p of 0 for a small one", "if (p < 0x1p-32)\n    return 1;", ""),
    ("report.c", "p over 2^32 - 1", "p < 1.0 ? (uint32_t) (p * 0x1p32) : UINT32_MAX", "(uint32_t) (uint64_t) (p * 0x1p32)"),
    ("report.c", "p in units of 2^-31", "(double) p_q32 * 0x1p-32", "(double) p_q32 * 0x1p-31"),
]

MUTATIONS = EQUATION + CONFIG + WIRE
