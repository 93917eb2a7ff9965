// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compares our decoder with that of a kernel's kprobes, word by word, and prints
 * kinds of differences, their numbers, and an example word of each.
 * decode_mainline.py links this with the kernel's decoder.
 *
 * usage: decode_mainline STEP: look at every STEPth word, but at all branches and
 * system instructions.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "insn/decode.c"

/*
 * What arm_kprobe_decode_insn() returns: INSN_REJECTED, INSN_GOOD_NO_SLOT and
 * INSN_GOOD are in the order of enum kpt_insn_verdict.
 */
#define NR_THEIRS 3

int arm_kprobe_decode_insn(u32 *addr, void *asi);

static const char *const verdicts[] = { "refuse", "simulate", "step" };

static u64 agree;
static u64 differ[NR_ROWS][NR_THEIRS];
static u32 example[NR_ROWS][NR_THEIRS];

static void compare(u32 word)
{
	struct kpt_insn insn;
	u64 asi[8] = { 0 };
	int their = arm_kprobe_decode_insn(&word, asi);

	kpt_insn_decode(word, &insn);
	agree += insn.verdict == their;
	if (insn.verdict == their)
		return;
	if (!differ[insn.row][their]++)
		example[insn.row][their] = word;
}

static bool is_branch_or_system(u64 word)
{
	return (word >> 26 & 7) == 5;
}

static void print_row(const struct kpt_insn_row *row, unsigned int their)
{
	unsigned int i = row - kpt_insn_rows;

	printf("%s|%s|%s|%s|%" PRIu64 "|%08x\n", verdicts[row->verdict],
	       verdicts[their], row->verdict == KPT_INSN_REFUSE ?
	       kpt_insn_reason_name(row->arg) : "-", row->name,
	       differ[i][their], example[i][their]);
}

int main(int argc, char **argv)
{
	u64 step = argc > 1 ? strtoull(argv[1], NULL, 0) : 1, word, next = 0;
	unsigned int row, their;

	for (word = 0; word <= U32_MAX; word++) {
		if (word == next)
			next += step;
		else if (!is_branch_or_system(word))
			continue;
		compare((u32)word);
	}
	printf("agree|%" PRIu64 "\n", agree);
	for (row = 0; row < NR_ROWS; row++)
		for (their = 0; their < NR_THEIRS; their++)
			if (differ[row][their])
				print_row(&kpt_insn_rows[row], their);
	return 0;
}
