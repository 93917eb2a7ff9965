// SPDX-License-Identifier: GPL-2.0-only
/* Search for a symbol by printing those around another one. */
#include "lib/base/port.h"
#include "lib/base/scan.h"

/*
 * Look at the symbol at s->at and advance to the next one. True if the symbol is
 * @wanted: then s->at is its address. Each step leads on in the direction of the scan, so
 * that it ends, whatever sizes the kernel prints: for what lies behind the text of a module
 * these are no sizes.
 */
static bool scan_step(struct kpt_scan *s, const struct kpt_scans *search)
{
	unsigned long off, size, next;
	char text[KPT_SCAN_TEXT];
	char *plus;

	search->print(text, s->at);
	plus = strrchr(text, '+');
	if (!plus || sscanf(plus, "+%lx/%lx", &off, &size) != 2) {
		s->ended = "no symbol";
		return false;
	}
	if (strchr(plus, '[')) {
		s->ended = "a module";
		return false;
	}
	*plus = '\0';
	if (!strcmp(text, search->wanted)) {
		s->at -= off;
		return true;
	}
	next = s->at - off + (s->up ? max(size, off + 4) : -4UL);
	if (s->up ? next <= s->at : next >= s->at)
		s->ended = "a symbol without an end";
	else if (++s->steps == KPT_SCAN_STEPS)
		s->ended = "too many symbols";
	else
		s->at = next;
	return false;
}

/**
 * kpt_scan() - find a symbol
 * @search: what, from where, and how; its scans are filled in
 *
 * Compilers order the functions of an object file differently: it looks both ways, by turns.
 * It ends whatever is printed.
 *
 * Context: process context, as far as @search->print may run there.
 * Return: the address of the symbol; 0 if it was not found.
 */
unsigned long kpt_scan(struct kpt_scans *search)
{
	struct kpt_scan *up = &search->scans[0], *down = &search->scans[1], *s = up;
	unsigned long reach;

	*up = (struct kpt_scan){ .at = search->from, .up = true };
	*down = (struct kpt_scan){ .at = search->from };
	for (; !up->ended || !down->ended; s = s == up ? down : up) {
		if (s->ended)
			continue;
		if (scan_step(s, search))
			return s->at;
		reach = s->up ? s->at - search->from : search->from - s->at;
		if (reach >= KPT_SCAN_REACH)
			s->ended = "no kernel";
	}
	return 0;
}
