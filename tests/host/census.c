// SPDX-License-Identifier: GPL-2.0-only
/*
 * The census: decode each of the 2^32 words and count by verdict, by reason and
 * by row. `make -C tests/host census` compares it with docs/insns.md, so that a
 * change of the table shows which words get another verdict.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Compiled in, not linked, so that the compiler can inline it. */
#include "insn/decode.c"

static u64 by_row[NR_ROWS];
static u64 by_verdict[3];
static u64 by_reason[KPT_INSN_NR_REASONS];

static const char *const verdicts[] = { "refuse", "simulate", "step" };

#define SIM_NAME(code) #code,
static const char *const sims[] = { KPT_SIMS(SIM_NAME) };

static const char *row_detail(const struct kpt_insn_row *row)
{
	switch (row->verdict) {
	case KPT_INSN_REFUSE:
		return kpt_insn_reason_name(row->arg);
	case KPT_INSN_SIMULATE:
		return sims[row->arg];
	default:
		return "-";
	}
}

static void print_sums(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(by_verdict); i++)
		printf("%10" PRIu64 " %s\n", by_verdict[i], verdicts[i]);
	puts("");
	for (i = 0; i < KPT_INSN_NR_REASONS; i++)
		if (by_reason[i])
			printf("%10" PRIu64 " %s\n", by_reason[i],
			       kpt_insn_reason_name(i));
}

/* The row's bits in the notation of decode_rows.h. */
static const char *row_bits(const struct kpt_insn_row *row)
{
	static char text[33];
	int bit;

	for (bit = 31; bit >= 0; bit--)
		text[31 - bit] = !(row->mask >> bit & 1) ? 'x' :
			row->value >> bit & 1 ? '1' : '0';
	return text;
}

static void print_rows(void)
{
	const struct kpt_insn_row *row;
	unsigned int i;
	int depth = 0;

	for (i = 0; i < NR_ROWS; i++) {
		row = &kpt_insn_rows[i];
		depth -= row->kind == KPT_ROW_END;
		if (row->kind == KPT_ROW_GROUP)
			printf("\n%.*s %s\n", ++depth, "###", row->name);
		else if (by_row[i])
			printf("%10" PRIu64 " %-8s %-18s %s %-8s %s\n",
			       by_row[i], verdicts[row->verdict],
			       row_detail(row), row_bits(row), row->feat,
			       row->name);
	}
}

static pthread_mutex_t sum_lock = PTHREAD_MUTEX_INITIALIZER;
/* The next words that no thread has taken: the upper half of them. */
static u32 next_part;

static u32 take_part(void)
{
	return __atomic_fetch_add(&next_part, 1, __ATOMIC_RELAXED);
}

static void *count_parts(void *unused)
{
	u64 rows[NR_ROWS] = { 0 };
	struct kpt_insn insn;
	unsigned int i;
	u32 part, low;

	while ((part = take_part()) < 1 << 16) {
		for (low = 0; low < 1 << 16; low++) {
			kpt_insn_decode(part << 16 | low, &insn);
			rows[insn.row]++;
		}
	}
	pthread_mutex_lock(&sum_lock);
	for (i = 0; i < NR_ROWS; i++)
		by_row[i] += rows[i];
	pthread_mutex_unlock(&sum_lock);
	return unused;
}

/* One thread for each CPU that this process may use. */
static void count_all(void)
{
	pthread_t threads[64];
	long nr = sysconf(_SC_NPROCESSORS_ONLN), i;

	nr = nr < 1 ? 1 : nr > 64 ? 64 : nr;
	for (i = 0; i < nr; i++)
		if (pthread_create(&threads[i], NULL, count_parts, NULL))
			exit(1);
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
}

int main(void)
{
	const struct kpt_insn_row *row;
	unsigned int i;

	count_all();
	for (i = 0; i < NR_ROWS; i++) {
		row = &kpt_insn_rows[i];
		by_verdict[row->verdict] += by_row[i];
		if (row->verdict == KPT_INSN_REFUSE)
			by_reason[row->arg] += by_row[i];
	}
	print_sums();
	print_rows();
	return 0;
}
