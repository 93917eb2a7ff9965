/* SPDX-License-Identifier: GPL-2.0-only */
/* Search for a symbol by printing those around another one. */
#ifndef KPTRACE_SCAN_H
#define KPTRACE_SCAN_H

#include "lib/base/port.h"

/* How far to look: no kernel has that much text, or so many symbols. */
#define KPT_SCAN_REACH (1UL << 27)
#define KPT_SCAN_STEPS (1U << 20)

/* Room for the longest text of a symbol. */
#define KPT_SCAN_TEXT 1024

/**
 * struct kpt_scan - one direction of a search
 * @at: address of the symbol to be looked at next; when that was the wanted one, its entry
 * @up: to higher addresses
 * @steps: symbols that were looked at
 * @ended: why it goes no further, NULL while it does
 */
struct kpt_scan {
	unsigned long at;
	bool up;
	unsigned int steps;
	const char *ended;
};

/**
 * struct kpt_scans - a search
 * @wanted: name of the symbol
 * @from: where to begin
 * @print: write "SYMBOL+0xOFFSET/0xSIZE" of an address, with " [MODULE]" behind it if that is
 *	in a module; any other text if it is in no symbol. KPT_SCAN_TEXT bytes are enough
 * @scans: result: how far each direction has come, up first
 */
struct kpt_scans {
	const char *wanted;
	unsigned long from;
	void (*print)(char *text, unsigned long addr);
	struct kpt_scan scans[2];
};

unsigned long kpt_scan(struct kpt_scans *search);

#endif
