/* SPDX-License-Identifier: GPL-2.0-only */
/* What lines_log.c tells lines_model.c. */
#ifndef LINES_H
#define LINES_H

#include <stdint.h>

/* Bytes of a cache line. */
#define LINE 64

enum kind { ENTERED, READ, WRITTEN };

/**
 * struct access - what a CPU of the guest did
 * @at: address of the instructions that it ENTERED; number of the line that it READ or WROTE
 * @cpu: the CPU
 * @kind: which of these
 */
struct access {
	uint64_t at;
	uint32_t cpu;
	uint32_t kind;
};

#endif
