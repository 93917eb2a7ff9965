// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running fetch programs. Nothing here checks a place in the fixed part: the
 * compiler has laid it out. Places of run-time length are checked.
 */
#include <kptrace/port.h>
#include "lib/fetch_internal.h"

/* One more than the largest offset that a data_loc can express. */
#define LOC_END 0x10000UL
/* Strings are looked at in pieces of this size, aligned to it. */
#define PIECE 64
/* Room that strings never need, see store_string(). */
#define SPARE 1
/* Text of the longest symbol the kernel knows, with offset, size, module. */
#define SYMBOL_MAX 640

/*
 * struct run - one execution
 * @src: the hit
 * @rec: the record
 * @at: where the next bytes of run-time length go
 * @end: where they have to end
 * @is_measured: there is room for all, unless memory has changed since
 * @is_cut: there was no room for something
 */
struct run {
	const struct kpt_fetch_source *src;
	u8 *rec;
	size_t at;
	size_t end;
	bool is_measured;
	bool is_cut;
};

/* Registers by number: the members of user_pt_regs are an array of 34. */
static __always_inline const u64 *reg_array(const struct kpt_fetch_source *src)
{
	static_assert(sizeof(struct user_pt_regs) == 34 * sizeof(u64),
		      "nothing but registers");

	return (const u64 *)src->regs;
}

/* Fields lie in the record without alignment. */
static __always_inline void put64(u8 *to, u64 value)
{
	memcpy(to, &value, 8);
}

static __always_inline void put32(u8 *to, u32 value)
{
	memcpy(to, &value, 4);
}

static __always_inline void put16(u8 *to, u16 value)
{
	memcpy(to, &value, 2);
}

static __always_inline void put(u8 *to, u64 value, unsigned int size)
{
	switch (size) {
	case 8:
		put64(to, value);
		break;
	case 4:
		put32(to, (u32)value);
		break;
	case 2:
		put16(to, (u16)value);
		break;
	default:
		*to = (u8)value;
	}
}

/*
 * Bit 55 of an address chooses the table it is translated by (Arm ARM D8.2.4),
 * so an address says itself that it is the user's.
 */
static bool is_user(u64 addr)
{
	return !(addr >> 55 & 1);
}

static noinline int read_mem(void *to, u64 addr, size_t size, bool user)
{
	if (user || is_user(addr))
		return port_read_user(to, addr, size);
	return port_read_kernel(to, addr, size);
}

/* One number, most often of kernel memory. */
static __always_inline int read_number(void *to, u64 addr, size_t size,
				       bool user)
{
	if (likely(!user && !is_user(addr) && port_peek(to, addr, size)))
		return 0;
	return read_mem(to, addr, size, user);
}

static long read_str(char *to, u64 addr, size_t size, bool user)
{
	if (user || is_user(addr))
		return port_read_user_str(to, addr, size);
	return port_read_kernel_str(to, addr, size);
}

/* A piece that could not be read at once may hold the end of the string. */
static size_t string_size_slow(u64 addr, size_t len, bool user)
{
	size_t i;
	char c;

	for (i = 0; i < len; i++) {
		if (read_mem(&c, addr + i, 1, user))
			return 0;
		if (!c)
			return i + 1;
	}
	return 0;
}

/* Bytes of a string, its NUL included; 0 if it can not be read. */
static size_t string_size(u64 addr, bool user)
{
	char piece[PIECE];
	size_t n = 0, len, got;

	while (n < KPT_STRING_MAX) {
		len = PIECE - ((addr + n) & (PIECE - 1));
		if (read_mem(piece, addr + n, len, user)) {
			got = string_size_slow(addr + n, len, user);
			return got ? min_t(size_t, n + got, KPT_STRING_MAX) : 0;
		}
		got = strnlen(piece, len);
		n += got;
		if (got < len)
			return min_t(size_t, n + 1, KPT_STRING_MAX);
	}
	return KPT_STRING_MAX;
}

/* A word of the stack that sp points into; beyond its end there is none. */
static u64 stack_word(const struct user_pt_regs *regs, u64 offset)
{
	u64 addr = regs->sp + offset, value;

	if ((addr ^ regs->sp) & ~(u64)(PORT_STACK_SIZE - 1) ||
	    port_read_kernel(&value, addr, sizeof(value)))
		return 0;
	return value;
}

/**
 * kpt_fetch_arg_value() - value of $argN at function entry
 * @regs: registers at the entry
 * @n: 1-based number
 *
 * x0-x7, then the stack, by the AAPCS64 for arguments of 8 bytes.
 *
 * Context: BRK.
 * Return: the value, 0 if it can not be read.
 */
u64 kpt_fetch_arg_value(const struct user_pt_regs *regs, unsigned int n)
{
	if (n <= 8)
		return regs->regs[n - 1];
	return stack_word(regs, (n - 9) * sizeof(u64));
}

/* A step that makes the value. Returns 0, or -EFAULT. */
static int make_value(const struct kpt_fetch_step *s,
		      const struct kpt_fetch_source *src, u64 *value)
{
	switch (s->op) {
	case KPT_OP_REG:
		*value = reg_array(src)[s->a];
		return 0;
	case KPT_OP_READ:
		return read_number(value, *value + s->imm, 8, false);
	case KPT_OP_READ_USER:
		return read_mem(value, *value + s->imm, 8, true);
	case KPT_OP_IMM:
		*value = s->imm;
		return 0;
	case KPT_OP_STACK:
		*value = stack_word(src->regs, s->imm);
		return 0;
	case KPT_OP_ENTRY:
		*value = src->entry[s->a];
		return 0;
	case KPT_OP_TASK:
		*value = port_current_task();
		return 0;
	case KPT_OP_ELAPSED:
		*value = src->elapsed;
		return 0;
	default: /* KPT_OP_THIS_CPU */
		*value = port_this_cpu_ptr(*value);
		return 0;
	}
}

/* The commonest read of all. Like all of them, it reads 0 if it can not. */
static __always_inline void load(u8 *to, u64 addr, u32 size)
{
	if (unlikely(read_number(to, addr, size, false)))
		memset(to, 0, size);
}

static bool is_store(const struct kpt_fetch_step *s)
{
	return s->op > KPT_OP_THIS_CPU;
}

/* The step that stores what @s works on. */
static const struct kpt_fetch_step *find_store(const struct kpt_fetch_step *s)
{
	while (!is_store(s))
		s++;
	return s;
}

/* Numbers and arrays of numbers. One bad element does not spoil the rest. */
static void copy(u8 *to, const struct kpt_fetch_step *s, u64 addr, bool user)
{
	u32 i;

	if (!read_number(to, addr, s->a * s->c, user))
		return;
	for (i = 0; i < s->c; i++, to += s->a, addr += s->a)
		if (s->c == 1 || read_mem(to, addr, s->a, user))
			memset(to, 0, s->a);
}

/* b<width>@<shift>/<container>, in the record already as whole containers. */
static void cut_bits(u8 *to, const struct kpt_fetch_step *s)
{
	unsigned int width = s->imm & 0xff, shift = (s->imm >> 8) & 0xff;
	u32 i;

	for (i = 0; i < s->c; i++, to += s->a) {
		u64 value = 0;

		memcpy(&value, to, s->a);
		put(to, (value >> shift) & GENMASK_ULL(width - 1, 0), s->a);
	}
}

/* Room for the next bytes of run-time length; 0 if none is left. */
static size_t room(const struct run *r)
{
	return r->at < r->end ? min_t(size_t, r->end - r->at, KPT_STRING_MAX) :
				0;
}

/* Note @len bytes as the data of the field at @at; 0 says it faulted. */
static void add_data(struct run *r, u32 at, size_t len)
{
	put32(r->rec + at, kpt_data_loc((u32)(r->at & (LOC_END - 1)),
					(u32)len));
	r->at += len;
}

/*
 * There is a spare byte, so a string that takes all the room was cut. If room
 * was measured, it has either grown since, or it was found then that it can not
 * be read to its end: then what it takes is the room of others.
 */
static void store_string(struct run *r, u32 at, u64 addr, bool user)
{
	size_t size = room(r);
	long n = 0;

	if (likely(size)) {
		n = read_str((char *)r->rec + r->at, addr, size, user);
		if (unlikely(n == (long)size) && size < KPT_STRING_MAX) {
			r->is_cut = true;
			if (r->is_measured && !string_size(addr, user))
				n = 0;
		}
	} else {
		r->is_cut = true;
	}
	add_data(r, at, n > 0 ? (size_t)n : 0);
}

/* Pointers that can not be read give strings that can not be read. */
static void store_strings(struct run *r, const struct kpt_fetch_step *s,
			  u64 addr)
{
	u64 ptr;
	u32 i;

	for (i = 0; i < s->c; i++, addr += sizeof(ptr)) {
		u32 at = s->b + i * sizeof(u32);

		if (read_mem(&ptr, addr, sizeof(ptr), s->a & KPT_POINTER_USER))
			add_data(r, at, 0);
		else
			store_string(r, at, ptr, s->a & KPT_STRING_USER);
	}
}

static void store_symbol(struct run *r, u32 at, u64 addr)
{
	size_t size = room(r), len = 0;

	if (size)
		len = port_symbol_name((char *)r->rec + r->at, size, addr) + 1;
	r->is_cut |= len == size;
	add_data(r, at, len);
}

/* A string that is at hand, its NUL included. */
static void store_text(struct run *r, u32 at, const char *text, size_t len)
{
	size_t size = min(len, room(r));

	r->is_cut |= size < len;
	if (size) {
		memcpy(r->rec + r->at, text, size);
		r->rec[r->at + size - 1] = '\0';
	}
	add_data(r, at, size);
}

/* The first byte that is 0 in a little-endian word which has one. */
static __always_inline unsigned int zero_at(u64 zeros)
{
	return (unsigned int)__builtin_ctzll(zeros) / 8;
}

/* The highest bit of each byte that is 0; of higher bytes, perhaps more. */
static __always_inline u64 zeros_of(u64 word)
{
	return (word - ~0ULL / 0xff) & ~word & ~0ULL / 0xff * 0x80;
}

static void store_comm(struct run *r, u32 at)
{
	u64 comm[PORT_COMM_LEN / sizeof(u64)];
	u64 zeros;
	size_t len;

	static_assert(PORT_COMM_LEN == 16, "a name is two words");

	port_current_comm((char *)comm);
	zeros = zeros_of(comm[0]);
	len = zeros ? zero_at(zeros) : 8 + zero_at(zeros_of(comm[1]));
	if (unlikely(r->end - r->at < sizeof(comm))) {
		store_text(r, at, (const char *)comm, len + 1);
		return;
	}
	put64(r->rec + r->at, comm[0]);
	put64(r->rec + r->at + 8, comm[1]);
	add_data(r, at, len + 1);
}

/* Run one storing step. Returns the last step it consists of. */
static const struct kpt_fetch_step *store(struct run *r,
					  const struct kpt_fetch_step *s,
					  u64 value)
{
	u8 *to = r->rec + s->b;

	switch (s->op) {
	case KPT_OP_STORE:
		put(to, value, s->a);
		break;
	case KPT_OP_COPY:
		copy(to, s, value + s->imm, false);
		break;
	case KPT_OP_COPY_USER:
		copy(to, s, value + s->imm, true);
		break;
	case KPT_OP_BITS:
		cut_bits(to, s);
		break;
	case KPT_OP_STRING:
		store_string(r, s->b, value + s->imm, s->a & KPT_STRING_USER);
		break;
	case KPT_OP_STRINGS:
		store_strings(r, s, value + s->imm);
		break;
	case KPT_OP_SYMBOL:
		store_symbol(r, s->b, value);
		break;
	case KPT_OP_COMM:
		store_comm(r, s->b);
		break;
	default: /* KPT_OP_LITERAL */
		store_text(r, s->b, (const char *)(s + 1), s->c);
		return s + kpt_literal_steps(s->c);
	}
	return s;
}

/* The way to the value broke off: store what stands for that. */
static const struct kpt_fetch_step *store_fault(struct run *r,
						const struct kpt_fetch_step *s)
{
	u32 i;

	s = find_store(s);
	switch (s->op) {
	case KPT_OP_STORE:
	case KPT_OP_COPY:
	case KPT_OP_COPY_USER:
		memset(r->rec + s->b, 0, s->a * s->c);
		break;
	default:
		for (i = 0; i < max_t(u32, s->c, 1); i++)
			add_data(r, s->b + i * sizeof(u32), 0);
	}
	return s;
}

/**
 * kpt_fetch_steps() - run all steps; for kpt_fetch_exec() and kpt_fetch_try()
 * @prog: the program
 * @src: the hit
 * @record: start of the record
 * @size: bytes of the whole record, at least @prog->size
 * @is_measured: by kpt_fetch_size(); else it ends where room ends
 *
 * Context: BRK.
 * Return: bytes of the record that are used; 0 if that may not be all.
 */
size_t kpt_fetch_steps(const struct kpt_fetch_prog *prog,
		       const struct kpt_fetch_source *src, void *record,
		       size_t size, bool is_measured)
{
	struct run r = {
		.src = src, .rec = record, .at = prog->size,
		.end = min_t(size_t, size, LOC_END),
		.is_measured = is_measured,
	};
	const struct kpt_fetch_step *s = prog->step;
	const u64 *reg = reg_array(src);
	u64 value = 0;

	port_peek_begin();
	for (; s->op != KPT_OP_END; s++) {
		if (s->op == KPT_OP_REG64) {
			put64(r.rec + s->b, reg[s->a]);
		} else if (s->op == KPT_OP_LOAD) {
			load(r.rec + s->b, reg[s->a] + s->imm, s->c);
		} else if (s->op == KPT_OP_REG) {
			value = reg[s->a];
		} else if (is_store(s)) {
			s = store(&r, s, value);
			if (unlikely(r.is_cut && !is_measured))
				break;
		} else if (make_value(s, src, &value)) {
			s = store_fault(&r, s);
		}
	}
	port_peek_end();
	return r.is_cut ? 0 : r.at;
}

static size_t strings_size(const struct kpt_fetch_step *s, u64 addr)
{
	size_t sum = 0;
	u64 ptr;
	u32 i;

	for (i = 0; i < s->c; i++, addr += sizeof(ptr))
		if (!read_mem(&ptr, addr, sizeof(ptr), s->a & KPT_POINTER_USER))
			sum += string_size(ptr, s->a & KPT_STRING_USER);
	return sum;
}

static size_t symbol_size(u64 addr)
{
	char name[SYMBOL_MAX];

	return port_symbol_name(name, sizeof(name), addr) + 1;
}

/* Bytes that a storing step will append, those that are known left out. */
static size_t store_size(const struct kpt_fetch_step *s, u64 value)
{
	switch (s->op) {
	case KPT_OP_STRING:
		return string_size(value + s->imm, s->a & KPT_STRING_USER);
	case KPT_OP_STRINGS:
		return strings_size(s, value + s->imm);
	case KPT_OP_SYMBOL:
		return symbol_size(value);
	default: /* KPT_OP_COMM, KPT_OP_LITERAL */
		return 0;
	}
}

/**
 * kpt_fetch_measure() - bytes that strings of this hit need
 * @prog: a program with has_strings set
 * @src: the hit
 *
 * Context: BRK.
 * Return: bytes, besides @prog->size and @prog->room.
 */
size_t kpt_fetch_measure(const struct kpt_fetch_prog *prog,
			 const struct kpt_fetch_source *src)
{
	const struct kpt_fetch_step *s = &prog->step[prog->dynamic_step];
	size_t sum = 0;
	u64 value = 0;

	port_peek_begin();
	for (; s->op != KPT_OP_END; s++) {
		if (is_store(s)) {
			sum += store_size(s, value);
			if (s->op == KPT_OP_LITERAL)
				s += kpt_literal_steps(s->c);
		} else if (make_value(s, src, &value)) {
			s = find_store(s);
		}
	}
	port_peek_end();
	return sum + SPARE;
}
