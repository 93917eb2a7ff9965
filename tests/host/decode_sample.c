// SPDX-License-Identifier: GPL-2.0-only
/*
 * Words for other decoders: for each row some random words that it decides, and
 * their neighbours, which differ in one bit, to test the borders of rows.
 *
 * usage: decode_sample PER_ROW SEED: "word|verdict|reason|row name" per line
 */
#include <stdio.h>
#include <stdlib.h>
#include "insn/decode.c"

static const char *const verdicts[] = { "refuse", "simulate", "step" };

static u64 state;

static u32 random_word(void)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return (u32)(state * 0x2545f4914f6cdd1dULL >> 32);
}

static void show(u32 word)
{
	struct kpt_insn insn;

	kpt_insn_decode(word, &insn);
	printf("%08x|%s|%s|%s\n", word, verdicts[insn.verdict],
	       kpt_insn_reason_name(insn.reason), kpt_insn_name(&insn));
}

/* The END of a group has no bits of its own: take those of the group. */
static const struct kpt_insn_row *bits_of(unsigned int i)
{
	int depth = kpt_insn_rows[i].kind == KPT_ROW_END;

	while (depth) {
		i--;
		depth += kpt_insn_rows[i].kind == KPT_ROW_END;
		depth -= kpt_insn_rows[i].kind == KPT_ROW_GROUP;
	}
	return &kpt_insn_rows[i];
}

static void sample(unsigned int i, unsigned int want)
{
	const struct kpt_insn_row *bits = bits_of(i);
	struct kpt_insn insn;
	unsigned int tries;
	u32 word;

	for (tries = 0; want && tries < 4000; tries++) {
		word = (random_word() & ~bits->mask) | bits->value;
		kpt_insn_decode(word, &insn);
		if (insn.row != i)
			continue;
		want--;
		show(word);
		if (want < 64)
			show(word ^ 1u << want / 2);
	}
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 3)
		return 2;
	state = strtoull(argv[2], NULL, 0) | 1;
	for (i = 0; i < NR_ROWS; i++)
		if (kpt_insn_rows[i].kind != KPT_ROW_GROUP)
			sample(i, strtoul(argv[1], NULL, 0));
	return 0;
}
