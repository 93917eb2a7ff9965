// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decode an instruction word: build the table from decode_rows.h, and search it.
 */
#include "lib/base/port.h"
#include "insn/decoder.h"
#include "insn/nibbles.h"

/* The flags as the rows spell them. */
enum {
	MEM = KPT_INSN_MEM,
	PC = KPT_INSN_PC,
	BRANCH = KPT_INSN_BRANCH,
	COND = KPT_INSN_COND,
	CALL = KPT_INSN_CALL,
	INDIRECT = KPT_INSN_INDIRECT,
	RET = KPT_INSN_RET,
	LR = KPT_INSN_LR,
	LEAVES = KPT_INSN_LEAVES,
	LANDING = KPT_INSN_LANDING,
	LDX = KPT_INSN_LDX,
	STX = KPT_INSN_STX,
	CLREX = KPT_INSN_CLREX,
	MOPS_P = KPT_INSN_MOPS_P,
	MOPS_M = KPT_INSN_MOPS_M,
	MOPS_E = KPT_INSN_MOPS_E,
	PACM = KPT_INSN_PACM,
	STOP = KPT_INSN_STOP,
	FP = KPT_INSN_FP,
	EVENT = KPT_INSN_EVENT,
	MADD = KPT_INSN_MADD,
};

/* First pass: number the rows, to compute the length of each group. */
#define GLUE(a, b) a##b
#define UNIQUE(a, b) GLUE(a, b)
#define GROUP(id, ...) ROW_##id,
#define ROW(...) UNIQUE(ROW_NR_, __COUNTER__),
#define HOLE(...) UNIQUE(ROW_NR_, __COUNTER__),
#define END(id) ROW_END_##id,

enum {
#include "insn/decode_rows.h"
	NR_ROWS
};

#undef GROUP
#undef ROW
#undef HOLE
#undef END

/* Second pass: the rows themselves. */
#define STEP .verdict = KPT_INSN_STEP
#define SIM(how) .verdict = KPT_INSN_SIMULATE, .arg = KPT_SIM_##how
#define NO(why) .verdict = KPT_INSN_REFUSE, .arg = KPT_INSN_REASON_##why
#define BITS(a, b, c, d, e, f, g, h)                                           \
	.mask = KPT_MASK(a, b, c, d, e, f, g, h),                              \
	.value = KPT_VALUE(a, b, c, d, e, f, g, h)

#if PORT_ON_HOST
#define WORDS(label, since) .name = label, .feat = since,
#else
#define WORDS(label, since)
#endif
#define GROUP(id, a, b, c, d, e, f, g, h, title)                               \
	{ BITS(a, b, c, d, e, f, g, h), .kind = KPT_ROW_GROUP,                 \
	  .skip = ROW_END_##id + 1 - ROW_##id, WORDS(title, NULL) },
#define ROW(a, b, c, d, e, f, g, h, what, with, since, mnemonic)               \
	{ BITS(a, b, c, d, e, f, g, h), what, .kind = KPT_ROW_INSN,            \
	  .skip = 1, .flags = with, WORDS(mnemonic, #since) },
#define HOLE(a, b, c, d, e, f, g, h)                                           \
	ROW(a, b, c, d, e, f, g, h, NO(UNALLOCATED), 0, BASE, "unallocated")
#define END(id)                                                                \
	{ NO(UNALLOCATED), .kind = KPT_ROW_END, .skip = 1,                     \
	  WORDS("unallocated", "BASE") },

const struct kpt_insn_row kpt_insn_rows[] = {
#include "insn/decode_rows.h"
};

const unsigned int kpt_insn_nr_rows = ARRAY_SIZE(kpt_insn_rows);

#undef GROUP
#undef ROW
#undef HOLE
#undef END

/*
 * Third pass: the mnemonics, each with a 0 behind it, in the order of the rows; empty if it is
 * no instruction. Pointers to strings would take three times the room, and one string of all
 * is longer than sparse takes, so each is a member of a struct.
 */
#define MEMBER(nr, text) char name_##nr[sizeof(text)];
#define NUMBERED(nr, text) MEMBER(nr, text)
#define GROUP(...) NUMBERED(__COUNTER__, "")
#define ROW(a, b, c, d, e, f, g, h, what, with, since, mnemonic) NUMBERED(__COUNTER__, mnemonic)
#define HOLE(...) NUMBERED(__COUNTER__, "")
#define END(...) NUMBERED(__COUNTER__, "")

struct names {
#include "insn/decode_rows.h"
};

#undef GROUP
#undef ROW
#undef HOLE
#undef END

#define GROUP(...) "",
#define ROW(a, b, c, d, e, f, g, h, what, with, since, mnemonic) mnemonic,
#define HOLE(...) "",
#define END(...) "",

static const struct names names = {
#include "insn/decode_rows.h"
};

/* The manual's first split of the encodings, by bits 28:25. */
static const u16 group_row[16] = {
	ROW_RESERVED, ROW_UNALLOCATED, ROW_SVE, ROW_UNALLOCATED,
	ROW_LDST, ROW_DPREG, ROW_LDST, ROW_SIMD,
	ROW_DPIMM, ROW_DPIMM, ROW_BRANCH, ROW_BRANCH,
	ROW_LDST, ROW_DPREG, ROW_LDST, ROW_SIMD,
};

/* The bits that @first_row goes by: most rows differ from others in one of them. */
#define FIRST_BITS GENMASK(31, 21)

/* First row to try, by FIRST_BITS; 0: nobody has looked for it. */
static u16 first_row[1 << 11];

/* The first row, from row @i on, that a word may match as far as @bits tell. */
static inline unsigned int find_row(unsigned int i, u32 word, u32 bits)
{
	const struct kpt_insn_row *row;

	for (;;) {
		row = &kpt_insn_rows[i];
		if ((word ^ row->value) & row->mask & bits)
			i += row->skip;
		else if (row->kind == KPT_ROW_GROUP && !(row->mask & ~bits))
			i++;
		else
			return i;
	}
}

/**
 * kpt_insn_decode() - find the row of the decode table that matches a word
 * @word: any 32 bits, in CPU byte order
 * @insn: result, always written
 *
 * The encodings are those of the Arm ARM (DDI 0487), chapter C4, "A64
 * instruction set encoding".
 *
 * Context: any.
 */
void kpt_insn_decode(u32 word, struct kpt_insn *insn)
{
	unsigned int i = READ_ONCE(first_row[FIELD_GET(FIRST_BITS, word)]);
	const struct kpt_insn_row *row;

	if (!i) {
		i = find_row(group_row[FIELD_GET(GENMASK(28, 25), word)], word, FIRST_BITS);
		WRITE_ONCE(first_row[FIELD_GET(FIRST_BITS, word)], i);
	}
	i = find_row(i, word, ~0U);
	row = &kpt_insn_rows[i];
	insn->word = word;
	insn->flags = row->flags;
	insn->row = i;
	insn->verdict = row->verdict;
	insn->sim = row->verdict == KPT_INSN_SIMULATE ? row->arg : 0;
	insn->reason = row->verdict == KPT_INSN_REFUSE ? row->arg : 0;
	insn->bti = KPT_INSN_BTI_NONE;
}

/**
 * kpt_insn_name() - mnemonic, in the manual's spelling
 * @insn: a decoded instruction
 *
 * Context: any.
 * Return: for instance "LDR (literal)"; "unallocated" for a word that is not an
 * instruction.
 */
const char *kpt_insn_name(const struct kpt_insn *insn)
{
	const char *name = (const char *)&names;
	unsigned int i;

	for (i = 0; i < insn->row; i++)
		name += strlen(name) + 1;
	return *name ? name : "unallocated";
}

#define REASON_TEXT(code, name, text) text,
#define REASON_NAME(code, name, text) name,
static const char *const reason_texts[] = { KPT_INSN_REASONS(REASON_TEXT) };
static const char *const reason_names[] = { KPT_INSN_REASONS(REASON_NAME) };

/**
 * kpt_insn_reason_text() - why an instruction is refused, for people
 * @reason: enum kpt_insn_reason
 *
 * Context: any.
 * Return: a clause that continues a sentence, without a full stop.
 */
const char *kpt_insn_reason_text(unsigned int reason)
{
	return reason < KPT_INSN_NR_REASONS ? reason_texts[reason] : "?";
}

/**
 * kpt_insn_reason_name() - stable short name of a reason
 * @reason: enum kpt_insn_reason
 *
 * Only for host tests and docs/insns.md.
 *
 * Context: any.
 * Return: a name without spaces.
 */
const char *kpt_insn_reason_name(unsigned int reason)
{
	return reason < KPT_INSN_NR_REASONS ? reason_names[reason] : "?";
}

/**
 * kpt_insn_falls_through() - may the next instruction run after this one?
 * @insn: a decoded instruction
 *
 * Context: any.
 * Return: true if it may; a call is assumed to return.
 */
bool kpt_insn_falls_through(const struct kpt_insn *insn)
{
	if (insn->flags & (KPT_INSN_CALL | KPT_INSN_COND))
		return true;
	return !(insn->flags & (KPT_INSN_BRANCH | KPT_INSN_INDIRECT |
				KPT_INSN_RET | KPT_INSN_STOP));
}
