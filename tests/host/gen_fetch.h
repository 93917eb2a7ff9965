/* SPDX-License-Identifier: GPL-2.0-only */
/* Random valid arguments, and a random world to run them in. */
#ifndef GEN_FETCH_H
#define GEN_FETCH_H

#include "lib/fetch/fetch.h"
#include <stdio.h>
#include "world.h"

/* A generator of its own, so that a fuzzer's input can be its seed. */
struct gen {
	u64 state;
};

static inline u64 gen_next(struct gen *g)
{
	g->state ^= g->state >> 12;
	g->state ^= g->state << 25;
	g->state ^= g->state >> 27;
	return g->state * 0x2545f4914f6cdd1dULL;
}

static inline unsigned int gen_below(struct gen *g, unsigned int n)
{
	return (unsigned int)((gen_next(g) >> 32) % n);
}

#define GEN_PICK(g, list) ((list)[gen_below(g, ARRAY_SIZE(list))])

/* Mostly a readable address, in either arena. */
static inline u64 gen_addr(struct gen *g)
{
	u64 offset = gen_next(g) % WORLD_SIZE;

	switch (gen_below(g, 8)) {
	case 0:
		return gen_next(g);
	case 1:
		return gen_below(g, 256);
	case 2:
	case 3:
		return WORLD_USER + offset;
	default:
		return WORLD_KERNEL + offset;
	}
}

static inline void gen_memory(struct gen *g, u8 *mem)
{
	u64 word;
	size_t i;

	for (i = 0; i < WORLD_SIZE; i += 8) {
		word = gen_addr(g);
		if (!gen_below(g, 3))
			word = 0x0a6f6c6c65482d21ULL >> (8 * gen_below(g, 8));
		memcpy(mem + i, &word, 8);
	}
}

/* Memory full of pointers and short strings, and two symbols. */
static inline void gen_world(struct gen *g)
{
	world_reset();
	gen_memory(g, world.kernel);
	gen_memory(g, world.user);
	world.symbols[0] = (struct world_symbol){ "known",
						  WORLD_KERNEL + 0x1000, 64 };
	world.symbols[1] = (struct world_symbol){ "_text",
						  WORLD_KERNEL + 0x2000,
						  0x800 };
	world.nr_symbols = 2;
	world.percpu_offset = 0x4000;
}

static inline void gen_regs(struct gen *g, struct user_pt_regs *regs)
{
	unsigned int i;

	for (i = 0; i < 31; i++)
		regs->regs[i] = gen_addr(g);
	regs->sp = WORLD_KERNEL + 8 * (u64)gen_below(g, WORLD_SIZE / 8);
	regs->pc = gen_addr(g);
	regs->pstate = gen_next(g) & 0xffffffff;
}

/* Choose other unreadable bytes than the last time. */
static inline void gen_faults(struct gen *g)
{
	static size_t bad[64];
	static unsigned int n;
	unsigned int want = gen_below(g, ARRAY_SIZE(bad));

	while (n) {
		n--;
		world.kernel_fault[bad[n]] = world.user_fault[bad[n]] = 0;
	}
	for (; n < want; n++) {
		bad[n] = gen_next(g) % WORLD_SIZE;
		world.kernel_fault[bad[n]] = world.user_fault[bad[n]] = 1;
	}
}

static inline int gen_leaf(struct gen *g, bool is_return, char *to)
{
	static const char *const regs[] = { "x0", "x7", "x30", "lr", "sp",
					    "pc", "pstate", "x29" };
	static const char *const task[] = { "current", "tgid", "uid", "cgroup" };

	switch (gen_below(g, 9)) {
	case 0:
		return sprintf(to, "@%#llx", (unsigned long long)gen_addr(g));
	case 1:
		return sprintf(to, "@known%+d", (int)gen_below(g, 200) - 100);
	case 2:
		return sprintf(to, "$stack%u", gen_below(g, 2049));
	case 3:
		return sprintf(to, "$stack");
	case 4:
		return sprintf(to, "$arg%u", 1 + gen_below(g, 12));
	case 5:
		return sprintf(to, "$%s", GEN_PICK(g, task));
	case 6:
		if (is_return)
			return sprintf(to, gen_below(g, 2) ? "$retval" :
							     "$elapsed");
		return sprintf(to, "\\%lld", (long long)gen_next(g) >> 8);
	case 7:
		return sprintf(to, "\\%#llx", (unsigned long long)gen_addr(g));
	default:
		return sprintf(to, "%%%s", GEN_PICK(g, regs));
	}
}

static inline int gen_expr(struct gen *g, bool is_return, int depth, char *to)
{
	int n;

	if (!depth)
		return gen_leaf(g, is_return, to);
	switch (gen_below(g, 8)) {
	case 0:
		n = sprintf(to, "this_cpu_ptr(");
		break;
	case 1:
		n = sprintf(to, "this_cpu_read(");
		break;
	case 2:
		n = sprintf(to, "+u%#x(", gen_below(g, 64));
		break;
	case 3:
		n = sprintf(to, "-%u(", gen_below(g, 64));
		break;
	default:
		n = sprintf(to, "+%u(", gen_below(g, 64));
	}
	n += gen_expr(g, is_return, depth - 1, to + n);
	return n + sprintf(to + n, ")");
}

/* A random type. It may not fit the expression: the caller must try. */
static inline int gen_type(struct gen *g, char *to)
{
	static const char *const forms[] = {
		"be16", "be32", "be64", "ipv4", "ipv6", "mac", "errno", "signal", "cap",
		"uid", "syscall",
	};
	unsigned int size = 8U << gen_below(g, 4), width, n = 0;

	switch (gen_below(g, 9)) {
	case 0:
		return sprintf(to, "%s", "");
	case 1:
		n = sprintf(to, ":%s", gen_below(g, 2) ? "string" : "ustring");
		break;
	case 2:
		return sprintf(to, ":symstr");
	case 3:
		return sprintf(to, ":%%p%c", gen_below(g, 2) ? 'd' : 'D');
	case 4:
		width = 1 + gen_below(g, size);
		n = sprintf(to, ":b%u@%u/%u", width,
			    gen_below(g, size - width + 1), size);
		break;
	case 5:
		n = sprintf(to, ":%s", GEN_PICK(g, forms));
		break;
	default:
		n = sprintf(to, ":%c%u", "usx"[gen_below(g, 3)], size);
	}
	if (!gen_below(g, 3))
		n += sprintf(to + n, "[%u]", 1 + gen_below(g, 8));
	return (int)n;
}

/* One argument, " " before it. */
static inline int gen_arg(struct gen *g, bool is_return, unsigned int number,
			  char *to)
{
	int n = sprintf(to, " a%u=", number);

	switch (gen_below(g, 10)) {
	case 0:
		return n + sprintf(to + n, "$comm");
	case 1:
		return n + sprintf(to + n, "\\\"%.*s\"", gen_below(g, 30),
				   "abcdefghijklmnopqrstuvwxyz0123456789");
	default:
		n += gen_expr(g, is_return, (int)gen_below(g, 5), to + n);
		return n + gen_type(g, to + n);
	}
}

#endif
