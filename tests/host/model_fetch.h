/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The expected value of an argument, evaluated from its text in the simplest way,
 * again for each record: the oracle of the fetch compiler and executor. Arguments
 * must be valid.
 */
#ifndef MODEL_FETCH_H
#define MODEL_FETCH_H

#include "lib/fetch/fetch.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include "world.h"

struct model_hit {
	const struct user_pt_regs *regs;
	const u64 *entry;
	const u16 *entry_arg;
	u64 elapsed;
	bool is_return;
};

/* An expression: a value, memory that is not read yet, or a text. */
struct model {
	bool fault;
	bool memory;
	bool user;
	u64 value;
	const char *text;
	size_t len;
};

static inline struct model model_expr(const struct model_hit *hit,
				      const char *s, size_t len);

/* Read a byte of memory; false if it cannot be read. */
static inline bool model_byte(u64 addr, bool user, u8 *byte)
{
	if (addr >= WORLD_USER && addr < WORLD_USER + WORLD_SIZE) {
		*byte = world.user[addr - WORLD_USER];
		return !world.user_fault[addr - WORLD_USER];
	}
	if (addr >= WORLD_KERNEL && addr < WORLD_KERNEL + WORLD_SIZE) {
		*byte = world.kernel[addr - WORLD_KERNEL];
		return !user && !world.kernel_fault[addr - WORLD_KERNEL];
	}
	return false;
}

static inline bool model_bytes(u64 addr, bool user, u64 *value,
			       unsigned int size)
{
	unsigned int i;
	u8 byte;

	*value = 0;
	for (i = 0; i < size; i++) {
		if (!model_byte(addr + i, user, &byte))
			return false;
		*value |= (u64)byte << (8 * i);
	}
	return true;
}

/* The value of an expression: read its memory if that was not done yet. */
static inline struct model model_word(struct model m)
{
	if (!m.fault && m.memory && !model_bytes(m.value, m.user, &m.value, 8))
		m.fault = true;
	m.memory = m.user = false;
	return m;
}

static inline u64 model_stack(const struct model_hit *hit, u64 word)
{
	u64 addr = hit->regs->sp + 8 * word, value;

	if (addr / PORT_STACK_SIZE != hit->regs->sp / PORT_STACK_SIZE ||
	    !model_bytes(addr, false, &value, 8))
		return 0;
	return value;
}

static inline u64 model_arg(const struct model_hit *hit, u64 n)
{
	unsigned int i;

	if (hit->is_return) {
		for (i = 0; hit->entry_arg[i] != n; i++)
			;
		return hit->entry[i];
	}
	return n <= 8 ? hit->regs->regs[n - 1] : model_stack(hit, n - 9);
}

static inline struct model model_variable(const struct model_hit *hit,
					  const char *s, size_t len)
{
	struct model m = { .fault = false };

	if (!strncmp(s, "comm", 4) || !strncmp(s, "COMM", 4)) {
		m.text = world.comm;
		m.len = strlen(world.comm);
	} else if (!strncmp(s, "current", 7)) {
		m.value = world.task;
	} else if (!strncmp(s, "tgid", 4)) {
		m.value = port_task_number(PORT_TASK_TGID);
	} else if (!strncmp(s, "uid", 3)) {
		m.value = port_task_number(PORT_TASK_UID);
	} else if (!strncmp(s, "cgroup", 6)) {
		m.value = port_task_number(PORT_TASK_CGROUP);
	} else if (!strncmp(s, "elapsed", 7)) {
		m.value = hit->elapsed;
	} else if (!strncmp(s, "retval", 6)) {
		m.value = hit->regs->regs[0];
	} else if (!strncmp(s, "arg", 3)) {
		m.value = model_arg(hit, strtoull(s + 3, NULL, 10));
	} else if (len > 5) {
		m.value = model_stack(hit, strtoull(s + 5, NULL, 10));
	} else {
		m.value = hit->regs->sp;
	}
	return m;
}

static inline struct model model_register(const struct model_hit *hit,
					  const char *s, size_t len)
{
	struct model m = { .fault = false };

	if (s[0] == 'x')
		m.value = hit->regs->regs[strtoul(s + 1, NULL, 10)];
	else if (!strncmp(s, "lr", 2))
		m.value = hit->regs->regs[30];
	else if (!strncmp(s, "sp", 2))
		m.value = hit->regs->sp;
	else
		m.value = len == 2 ? hit->regs->pc : hit->regs->pstate;
	return m;
}

static inline struct model model_memory(const char *s, size_t len)
{
	struct model m = { .memory = true };
	size_t i, n = strcspn(s, "+-:) ");

	if (s[0] >= '0' && s[0] <= '9') {
		m.value = strtoull(s, NULL, 0);
		return m;
	}
	for (i = 0; i < world.nr_symbols; i++)
		if (strlen(world.symbols[i].name) == n &&
		    !strncmp(world.symbols[i].name, s, n))
			m.value = world.symbols[i].addr;
	if (n < len)
		m.value += (u64)strtoll(s + n, NULL, 0);
	return m;
}

static inline struct model model_immediate(const char *s, size_t len)
{
	struct model m = { .fault = false };

	if (s[0] == '"') {
		m.text = s + 1;
		m.len = len - 2;
	} else if (s[0] == '+') {
		m.value = (u64)strtoll(s + 1, NULL, 0);
	} else if (s[0] == '-') {
		m.value = (u64)strtoll(s, NULL, 0);
	} else {
		m.value = strtoull(s, NULL, 0);
	}
	return m;
}

/* The text between the first '(' and the last ')'. */
static inline struct model model_inner(const struct model_hit *hit,
				       const char *s, size_t len)
{
	const char *open = memchr(s, '(', len);

	while (s[len - 1] != ')')
		len--;
	return model_expr(hit, open + 1, (size_t)(s + len - 1 - (open + 1)));
}

static inline struct model model_deref(const struct model_hit *hit,
				       const char *s, size_t len)
{
	struct model m = model_word(model_inner(hit, s, len));
	bool user = s[1] == 'u';

	m.memory = true;
	m.user = user;
	if (s[0] == '+')
		m.value += (u64)strtoll(s + 1 + user, NULL, 0);
	else
		m.value -= strtoull(s + 1 + user, NULL, 0);
	return m;
}

static inline struct model model_this_cpu(const struct model_hit *hit,
					  const char *s, size_t len)
{
	struct model m = model_inner(hit, s, len);

	if (*((const char *)memchr(s, '(', len) + 1) == '@')
		m.memory = false;
	m = model_word(m);
	m.value += world.percpu_offset;
	m.memory = !strncmp(s, "this_cpu_read", 13);
	return m;
}

static inline struct model model_expr(const struct model_hit *hit,
				      const char *s, size_t len)
{
	switch (s[0]) {
	case '+':
	case '-':
		return model_deref(hit, s, len);
	case '$':
		return model_variable(hit, s + 1, len - 1);
	case '%':
		return model_register(hit, s + 1, len - 1);
	case '@':
		return model_memory(s + 1, len - 1);
	case '\\':
		return model_immediate(s + 1, len - 1);
	default:
		return model_this_cpu(hit, s, len);
	}
}

/* Element @i of a number, @size bytes each, bit field @type or not. */
static inline u64 model_number(struct model m, const char *type,
			       unsigned int i, unsigned int size)
{
	unsigned int width, shift;
	u64 value = m.value;
	char *at;

	if (m.fault ||
	    (m.memory &&
	     !model_bytes(m.value + (u64)i * size, m.user, &value, size)))
		return 0;
	if (size < 8)
		value &= (1ULL << 8 * size) - 1;
	if (type && !strncmp(type, "be", 2))
		return __builtin_bswap64(value) >> (64 - 8 * size);
	if (type && type[0] == 'b') {
		width = (unsigned int)strtoul(type + 1, &at, 0);
		shift = (unsigned int)strtoul(at + 1, NULL, 0);
		value >>= shift;
		if (width < 64)
			value &= (1ULL << width) - 1;
	}
	return value;
}

/* Does @at have element @i, of more bytes than a number? */
static inline bool model_long(struct model m, unsigned int i, unsigned int size,
			      const u8 *at)
{
	u8 want[16] = { 0 };
	unsigned int n;

	for (n = 0; !m.fault && n < size; n++)
		if (!model_byte(m.value + (u64)i * size + n, m.user, &want[n]))
			m.fault = true;
	if (m.fault)
		memset(want, 0, sizeof(want));
	return !memcmp(want, at, size);
}

/* Read the string at an address; false if it cannot be read. */
static inline bool model_string(u64 addr, bool user, char *to)
{
	size_t n;
	u8 byte;

	for (n = 0; n < KPT_STRING_MAX - 1; n++) {
		if (!model_byte(addr + n, user, &byte))
			return false;
		to[n] = (char)byte;
		if (!byte)
			return true;
	}
	to[n] = '\0';
	/* The last byte is read even if the string is cut before it. */
	return model_byte(addr + n, user, &byte);
}

/*
 * Element @i of a string of type @type at @m, to KPT_STRING_MAX bytes at @to;
 * false if it faults.
 */
static inline bool model_text(struct model m, enum kpt_type type,
			      unsigned int i, bool array, char *to)
{
	bool user = m.user || type == KPT_TYPE_USTRING;

	if (m.fault)
		return false;
	if (m.text) {
		memcpy(to, m.text, m.len);
		to[m.len] = '\0';
		return true;
	}
	if (type == KPT_TYPE_SYMSTR) {
		m = model_word(m);
		if (!m.fault)
			port_symbol_name(to, KPT_STRING_MAX, m.value);
		return !m.fault;
	}
	if (array) {
		m.value += 8 * i;
		m = model_word(m);
		if (m.fault)
			return false;
		user = type == KPT_TYPE_USTRING;
	}
	return model_string(m.value, user, to);
}

/* The body of an argument, with %pd and %pD expanded. */
static inline size_t model_body(const char *word, size_t len, char *to)
{
	const char *eq = memchr(word, '=', len);
	size_t skip = eq ? (size_t)(eq + 1 - word) : 0;
	char inner[512];

	snprintf(inner, sizeof(inner), "%.*s", (int)(len - skip), word + skip);
	if (len > 4 && !strncmp(word + len - 4, ":%p", 3)) {
		inner[strlen(inner) - 4] = '\0';
		if (word[len - 1] == 'd')
			return (size_t)sprintf(to, "+0(+%u(%s)):string",
					       WORLD_DENTRY_NAME, inner);
		return (size_t)sprintf(to, "+0(+%u(+%u(%s))):string",
				       WORLD_DENTRY_NAME, WORLD_FILE_DENTRY,
				       inner);
	}
	return (size_t)sprintf(to, "%s", inner);
}

/* Has field @f of @record the value of argument @word? Reports if not. */
static inline bool model_check(const struct model_hit *hit, const char *word,
			       size_t len, const struct kpt_field *f,
			       const u8 *record, size_t size)
{
	unsigned int i, bytes = kpt_type_info[f->type].size;
	static char want[KPT_STRING_MAX + 1];
	char body[640], *type;
	struct model m;
	u64 got, need;
	u32 at, n;

	model_body(word, len, body);
	type = strchr(body, ':');
	m = model_expr(hit, body,
		       type ? (size_t)(type - body) : strlen(body));
	for (i = 0; i < (f->count ? f->count : 1U); i++) {
		got = 0;
		if (bytes == 6 || bytes == 16) {
			if (model_long(m, i, bytes, record + f->offset + i * bytes))
				continue;
			fprintf(stderr, "%s [%u]: other bytes\n", body, i);
			return false;
		}
		memcpy(&got, record + f->offset + i * bytes, bytes);
		if (!kpt_type_info[f->type].is_dynamic) {
			need = model_number(m, type ? type + 1 : NULL, i, bytes);
			if (got == need)
				continue;
			fprintf(stderr, "%s [%u]: %#llx, not %#llx\n", body, i,
				(unsigned long long)got,
				(unsigned long long)need);
			return false;
		}
		at = kpt_data_loc_offset((u32)got);
		n = kpt_data_loc_len((u32)got);
		if (!model_text(m, f->type, i, f->count, want)) {
			if (!n)
				continue;
			fprintf(stderr, "%s [%u]: no fault\n", body, i);
			return false;
		}
		if (n == strlen(want) + 1 && at + n <= size &&
		    !memcmp(record + at, want, n))
			continue;
		fprintf(stderr, "%s [%u]: length %u, not '%s'\n", body, i, n,
			want);
		return false;
	}
	return true;
}

#endif
