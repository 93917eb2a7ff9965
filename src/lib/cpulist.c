// SPDX-License-Identifier: GPL-2.0-only
/* Lists of CPUs as text. */
#include <kptrace/port.h>
#include "lib/cpulist.h"
#include "lib/lex.h"

/**
 * struct range - one element of a list
 * @first: its first CPU
 * @last: its last
 * @used: how many of each @group count
 * @group: CPUs that a group has
 */
struct range {
	u64 first;
	u64 last;
	u64 used;
	u64 group;
};

static bool is_separator(char c)
{
	return c == ',' || kpt_lex_is_space(c);
}

/* Reads "N" or a decimal number; returns its characters, 0 if it is neither. */
static size_t read_cpu(const char *s, size_t len, unsigned int nr, u64 *cpu)
{
	bool overflow = false;
	size_t n;

	if (len && *s == 'N') {
		*cpu = nr - 1;
		return 1;
	}
	n = kpt_lex_digits(s, len, 10, cpu, &overflow);
	return overflow ? 0 : n;
}

/*
 * Reads what stands before the ':' of an element; 0 if it is malformed. A
 * single CPU has none.
 */
static size_t read_range(const char *s, size_t len, unsigned int nr,
			 struct range *r)
{
	size_t n, more;

	if (kpt_lex_prefix(s, len, "all")) {
		r->first = 0;
		r->last = nr - 1;
		return 3;
	}
	n = read_cpu(s, len, nr, &r->first);
	r->last = r->first;
	if (!n || n == len)
		return n;
	if (s[n] != '-')
		return 0;
	more = read_cpu(s + n + 1, len - n - 1, nr, &r->last);
	return more ? n + 1 + more : 0;
}

/* Reads "used/group"; 0 if it is malformed. */
static size_t read_pattern(const char *s, size_t len, struct range *r)
{
	bool overflow = false;
	size_t n, more;

	n = kpt_lex_digits(s, len, 10, &r->used, &overflow);
	if (!n || n == len || s[n] != '/')
		return 0;
	more = kpt_lex_digits(s + n + 1, len - n - 1, 10, &r->group, &overflow);
	return more && !overflow ? n + 1 + more : 0;
}

static int read_element(const char *s, size_t len, unsigned int nr,
			struct range *r)
{
	size_t n = read_range(s, len, nr, r), more;

	r->used = r->group = 1;
	if (n && n < len && s[n] == ':') {
		more = read_pattern(s + n + 1, len - n - 1, r);
		n = more ? n + 1 + more : 0;
	}
	if (!n || n != len || r->first > r->last || !r->group ||
	    r->used > r->group)
		return -EINVAL;
	return r->last < nr ? 0 : -ERANGE;
}

static void add_range(u64 *set, const struct range *r)
{
	u64 cpu;

	for (cpu = r->first; cpu <= r->last; cpu++) {
		if ((cpu - r->first) % r->group < r->used)
			set[cpu / 64] |= 1ULL << (cpu % 64);
	}
}

/**
 * kpt_cpulist_parse() - read a list of CPUs
 * @s: text
 * @len: its characters
 * @set: result, KPT_CPULIST_WORDS(@nr) words; bit n % 64 of word n / 64 is CPU n
 * @nr: CPUs are numbered below this
 *
 * Elements are separated by commas or spaces: "3", "0-7", "N" (the last),
 * "all", and of ranges "0-7:2/4" (the first 2 of every 4), as in the kernel's
 * Documentation/admin-guide/kernel-parameters.rst.
 *
 * Context: any.
 * Return: 0 or -EINVAL, -ERANGE for a CPU beyond the last.
 */
int kpt_cpulist_parse(const char *s, size_t len, u64 *set, unsigned int nr)
{
	const char *end = s + len;
	struct range r;
	size_t n;
	int err;

	memset(set, 0, KPT_CPULIST_WORDS(nr) * sizeof(*set));
	while (s < end) {
		if (is_separator(*s)) {
			s++;
			continue;
		}
		for (n = 0; s + n < end && !is_separator(s[n]); n++)
			;
		err = read_element(s, n, nr, &r);
		if (err)
			return err;
		add_range(set, &r);
		s += n;
	}
	return 0;
}
