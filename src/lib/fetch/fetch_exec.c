// SPDX-License-Identifier: GPL-2.0-only
/*
 * Fetch programs at run time. Offsets in the fixed part of the record are those
 * that the compiler gave, and are not checked. The length of what follows the
 * fixed part is known only at run time, and is checked.
 */
#include "lib/base/port.h"
#include "lib/fetch/fetch_internal.h"

/* One more than the largest offset in a data_loc, where all strings end. */
#define LOC_END 0x10000UL
/* Strings are measured in pieces of this size, aligned to it. */
#define PIECE 64
/* A byte more than all strings need, by which store_string() sees a cut. */
#define SPARE 1
/* Bytes of the longest symbol, with offset, size and module. */
#define SYMBOL_MAX 640

/**
 * struct fetch_run - one execution of a program
 * @src: the hit
 * @rec: the record
 * @at: offset of the next bytes behind the fixed part
 * @end: offset at which they must end
 * @in_vain: bytes that were read of strings that cannot be read to their end
 * @is_measured: kpt_fetch_size() gave the size of the record
 * @is_cut: something did not fit
 */
struct fetch_run {
	const struct kpt_fetch_source *src;
	u8 *rec;
	size_t at;
	size_t end;
	size_t in_vain;
	bool is_measured;
	bool is_cut;
};

/* The members of user_pt_regs are 34 u64: use it as an array. */
static __always_inline const u64 *fetch_regs(const struct kpt_fetch_source *src)
{
	static_assert(sizeof(struct user_pt_regs) == 34 * sizeof(u64),
		      "nothing but registers");

	return (const u64 *)src->regs;
}

/* Fields of the record are not aligned. */
static __always_inline void rec_put64(u8 *to, u64 value)
{
	memcpy(to, &value, 8);
}

static __always_inline void rec_put32(u8 *to, u32 value)
{
	memcpy(to, &value, 4);
}

static __always_inline void rec_put16(u8 *to, u16 value)
{
	memcpy(to, &value, 2);
}

static __always_inline void rec_put(u8 *to, u64 value, unsigned int size)
{
	switch (size) {
	case 8:
		rec_put64(to, value);
		break;
	case 4:
		rec_put32(to, (u32)value);
		break;
	case 2:
		rec_put16(to, (u16)value);
		break;
	default:
		*to = (u8)value;
	}
}

/*
 * Is it a user address? Bit 55 selects the translation table of an address (Arm
 * ARM D8.2.4).
 */
static bool addr_is_user(u64 addr)
{
	return !(addr >> 55 & 1);
}

static noinline int fetch_read_mem(void *to, u64 addr, size_t size, bool user)
{
	if (user || addr_is_user(addr))
		return port_read_user(to, addr, size);
	return port_read_kernel(to, addr, size);
}

/* Reads one number, most often from kernel memory. Returns 0 or -EFAULT. */
static __always_inline int fetch_read_number(void *to, u64 addr, size_t size,
					     bool user)
{
	if (likely(!user && !addr_is_user(addr) && port_peek(to, addr, size)))
		return 0;
	return fetch_read_mem(to, addr, size, user);
}

static long fetch_read_str(char *to, u64 addr, size_t size, bool user)
{
	if (user || addr_is_user(addr))
		return port_read_user_str(to, addr, size);
	return port_read_kernel_str(to, addr, size);
}

/*
 * The string may end inside a piece of which not all can be read. Returns the
 * bytes up to its NUL, or 0.
 */
static size_t string_tail_size(u64 addr, size_t len, bool user)
{
	size_t i;
	char c;

	for (i = 0; i < len; i++) {
		if (fetch_read_mem(&c, addr + i, 1, user))
			return 0;
		if (!c)
			return i + 1;
	}
	return 0;
}

/*
 * Bytes of a string, its NUL included; 0 if it cannot be read, and then the
 * bytes that could be read are added to *@in_vain.
 */
static size_t string_size(u64 addr, bool user, size_t *in_vain)
{
	char piece[PIECE];
	size_t n = 0, len, got;

	while (n < KPT_STRING_MAX) {
		len = PIECE - ((addr + n) & (PIECE - 1));
		if (fetch_read_mem(piece, addr + n, len, user)) {
			got = string_tail_size(addr + n, len, user);
			if (got)
				return min_t(size_t, n + got, KPT_STRING_MAX);
			*in_vain += n;
			return 0;
		}
		got = strnlen(piece, len);
		n += got;
		if (got < len)
			return min_t(size_t, n + 1, KPT_STRING_MAX);
	}
	return KPT_STRING_MAX;
}

/* A word of the stack that sp points into; 0 if it is beyond its end. */
static u64 fetch_stack_word(const struct user_pt_regs *regs, u64 offset)
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
 * @n: N, counted from 1
 *
 * x0 to x7, then 8 bytes each of the stack, as the AAPCS64 passes arguments.
 *
 * Context: BRK.
 * Return: the value; 0 if it cannot be read.
 */
u64 kpt_fetch_arg_value(const struct user_pt_regs *regs, unsigned int n)
{
	if (n <= 8)
		return regs->regs[n - 1];
	return fetch_stack_word(regs, (n - 9) * sizeof(u64));
}

/*
 * The address of an array or a string. Returns -EFAULT for a string that could not
 * be fetched.
 */
static int field_address(const struct kpt_fetch_step *s,
			 const struct kpt_fetch_source *src, u64 *value)
{
	const struct kpt_field_ref ref = {
		.kind = s->a, .offset = s->b, .size = s->c,
	};
	const char *at;
	size_t len;

	if (ref.kind == KPT_FIELD_NUMBER) {
		*value = (uintptr_t)src->record + ref.offset;
		return 0;
	}
	at = kpt_field_data(&ref, src->record, src->size, &len);
	*value = (uintptr_t)at;
	return at && len ? 0 : -EFAULT;
}

/* Not inline: other steps need no memory of the stack. Returns 0 or -EFAULT. */
static noinline int field_value(const struct kpt_fetch_step *s,
				const struct kpt_fetch_source *src, u64 *value)
{
	if (s->op == KPT_OP_FIELD_ADDR)
		return field_address(s, src, value);
	*value = kpt_fetch_number(s, src->record);
	return 0;
}

/* Run a step that makes the value. Returns 0 or -EFAULT. */
static int step_value(const struct kpt_fetch_step *s,
		      const struct kpt_fetch_source *src, u64 *value)
{
	switch (s->op) {
	case KPT_OP_REG:
		*value = fetch_regs(src)[s->a];
		return 0;
	case KPT_OP_READ:
		return fetch_read_number(value, *value + s->imm, 8, false);
	case KPT_OP_READ_USER:
		return fetch_read_mem(value, *value + s->imm, 8, true);
	case KPT_OP_IMM:
		*value = s->imm;
		return 0;
	case KPT_OP_STACK:
		*value = fetch_stack_word(src->regs, s->imm);
		return 0;
	case KPT_OP_ENTRY:
		*value = src->entry[s->a];
		return 0;
	case KPT_OP_TASK:
		*value = port_task_number(s->imm);
		return 0;
	case KPT_OP_ELAPSED:
		*value = src->elapsed;
		return 0;
	case KPT_OP_SHIFT:
		*value >>= s->imm;
		return 0;
	case KPT_OP_THIS_CPU:
		*value = port_this_cpu_ptr(*value);
		return 0;
	default: /* KPT_OP_FIELD, KPT_OP_FIELD_ADDR */
		return field_value(s, src, value);
	}
}

/* The commonest read. What cannot be read is 0. */
static __always_inline void store_load(u8 *to, u64 addr, u32 size)
{
	if (unlikely(fetch_read_number(to, addr, size, false)))
		memset(to, 0, size);
}

static bool step_is_store(const struct kpt_fetch_step *s)
{
	return s->op >= KPT_OP_STORE;
}

/* The step that stores the value that @s makes. */
static const struct kpt_fetch_step *step_find_store(const struct kpt_fetch_step *s)
{
	while (!step_is_store(s))
		s++;
	return s;
}

/* Numbers and arrays of numbers. An element that cannot be read is 0. */
static void store_copy(u8 *to, const struct kpt_fetch_step *s, u64 addr, bool user)
{
	u32 i;

	if (!fetch_read_number(to, addr, s->a * s->c, user))
		return;
	for (i = 0; i < s->c; i++, to += s->a, addr += s->a)
		if (s->c == 1 || fetch_read_mem(to, addr, s->a, user))
			memset(to, 0, s->a);
}

/* b<width>@<shift>/<container>: the containers are in the record already. */
static void store_bits(u8 *to, const struct kpt_fetch_step *s)
{
	unsigned int width = s->imm & 0xff, shift = (s->imm >> 8) & 0xff;
	u32 i;

	for (i = 0; i < s->c; i++, to += s->a) {
		u64 value = 0;

		memcpy(&value, to, s->a);
		rec_put(to, (value >> shift) & GENMASK_ULL(width - 1, 0), s->a);
	}
}

static void store_signed_bits(u8 *to, const struct kpt_fetch_step *s)
{
	unsigned int width = s->imm & 0xff, shift = (s->imm >> 8) & 0xff;
	u64 value = 0;

	memcpy(&value, to, s->a);
	value <<= 64 - shift - width;
	rec_put(to, (u64)((s64)value >> (64 - width)), s->a);
}

static void store_swapped(u8 *to, const struct kpt_fetch_step *s)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < s->c; i++, to += s->a) {
		memcpy(&value, to, s->a);
		rec_put(to, __builtin_bswap64(value) >> (64 - 8 * s->a), s->a);
	}
}

/* Bytes that the next string may take; 0 if no room is left. */
static size_t run_room(const struct fetch_run *r)
{
	return r->at < r->end ? min_t(size_t, r->end - r->at, KPT_STRING_MAX) :
				0;
}

/*
 * The next @len bytes are the data of the field at offset @at; 0 for data that
 * could not be read.
 */
static void run_add_data(struct fetch_run *r, u32 at, size_t len)
{
	rec_put32(r->rec + at, kpt_data_loc((u32)(r->at & (LOC_END - 1)),
					    (u32)len));
	r->at += len;
}

/*
 * A string that begins in readable memory and does not end there takes as long
 * as one that can be stored, but no room: kpt_fetch_steps() must end all the
 * same.
 */
static void run_add_unreadable(struct fetch_run *r, u64 addr, size_t size,
			       bool user)
{
	char c;

	if (!fetch_read_mem(&c, addr, 1, user))
		r->in_vain += size;
	if (r->in_vain >= LOC_END)
		r->end = r->at;
}

/*
 * There is a spare byte, so a string that takes all the room was cut. If the
 * record was measured, then either the string has grown since, or it was found
 * to be unreadable, and must not take the room of others.
 */
static void store_string(struct fetch_run *r, u32 at, u64 addr, bool user)
{
	size_t size = run_room(r);
	long n = 0;

	if (likely(size)) {
		n = fetch_read_str((char *)r->rec + r->at, addr, size, user);
		if (unlikely(n == (long)size) && size < KPT_STRING_MAX) {
			r->is_cut = true;
			if (r->is_measured &&
			    !string_size(addr, user, &r->in_vain))
				n = 0;
		}
		if (unlikely(n <= 0))
			run_add_unreadable(r, addr, size, user);
	} else {
		r->is_cut = true;
	}
	run_add_data(r, at, n > 0 ? (size_t)n : 0);
}

/* A pointer that cannot be read gives a string that cannot be read. */
static void store_strings(struct fetch_run *r, const struct kpt_fetch_step *s,
			  u64 addr)
{
	u64 ptr;
	u32 i;

	for (i = 0; i < s->c; i++, addr += sizeof(ptr)) {
		u32 at = s->b + i * sizeof(u32);

		if (fetch_read_mem(&ptr, addr, sizeof(ptr), s->a & KPT_POINTER_USER))
			run_add_data(r, at, 0);
		else
			store_string(r, at, ptr, s->a & KPT_STRING_USER);
	}
}

static void store_symbol(struct fetch_run *r, u32 at, u64 addr)
{
	size_t size = run_room(r), len = 0;

	if (size)
		len = port_symbol_name((char *)r->rec + r->at, size, addr) + 1;
	r->is_cut |= len == size;
	run_add_data(r, at, len);
}

/* A string that needs no fetch; @len is its bytes, its NUL included. */
static void store_text(struct fetch_run *r, u32 at, const char *text, size_t len)
{
	size_t size = min(len, run_room(r));

	r->is_cut |= size < len;
	if (size) {
		memcpy(r->rec + r->at, text, size);
		r->rec[r->at + size - 1] = '\0';
	}
	run_add_data(r, at, size);
}

/* The index of the first byte marked by comm_zeros(). */
static __always_inline unsigned int comm_zero_at(u64 zeros)
{
	return (unsigned int)__builtin_ctzll(zeros) / 8;
}

/*
 * Sets the highest bit of the first byte of @word that is 0; bytes behind it
 * may be marked as well. 0 if no byte is 0.
 */
static __always_inline u64 comm_zeros(u64 word)
{
	return (word - ~0ULL / 0xff) & ~word & ~0ULL / 0xff * 0x80;
}

static void store_comm(struct fetch_run *r, u32 at)
{
	u64 comm[PORT_COMM_LEN / sizeof(u64)];
	u64 zeros;
	size_t len;

	static_assert(PORT_COMM_LEN == 16, "a name is two words");

	port_current_comm((char *)comm);
	zeros = comm_zeros(comm[0]);
	len = zeros ? comm_zero_at(zeros) : 8 + comm_zero_at(comm_zeros(comm[1]));
	if (unlikely(r->end - r->at < sizeof(comm))) {
		store_text(r, at, (const char *)comm, len + 1);
		return;
	}
	rec_put64(r->rec + r->at, comm[0]);
	rec_put64(r->rec + r->at + 8, comm[1]);
	run_add_data(r, at, len + 1);
}

/* Run a storing step. Returns it, or the last step of its immediate string. */
static const struct kpt_fetch_step *step_store(struct fetch_run *r,
					       const struct kpt_fetch_step *s,
					       u64 value)
{
	u8 *to = r->rec + s->b;

	switch (s->op) {
	case KPT_OP_STORE:
		rec_put(to, value, s->a);
		break;
	case KPT_OP_COPY:
		store_copy(to, s, value + s->imm, false);
		break;
	case KPT_OP_COPY_USER:
		store_copy(to, s, value + s->imm, true);
		break;
	case KPT_OP_BITS:
		store_bits(to, s);
		break;
	case KPT_OP_SIGNED_BITS:
		store_signed_bits(to, s);
		break;
	case KPT_OP_SWAP:
		store_swapped(to, s);
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

/* A dereference faulted: store the fault value of the type. */
static const struct kpt_fetch_step *step_store_fault(struct fetch_run *r,
						     const struct kpt_fetch_step *s)
{
	u32 i;

	s = step_find_store(s);
	switch (s->op) {
	case KPT_OP_STORE:
	case KPT_OP_COPY:
	case KPT_OP_COPY_USER:
		memset(r->rec + s->b, 0, s->a * s->c);
		break;
	default:
		for (i = 0; i < max_t(u32, s->c, 1); i++)
			run_add_data(r, s->b + i * sizeof(u32), 0);
	}
	return s;
}

/**
 * kpt_fetch_steps() - run all steps; for kpt_fetch_exec() and kpt_fetch_try()
 * @prog: the program
 * @src: the hit
 * @record: start of the record
 * @size: bytes at @record, at least @prog->size
 * @is_measured: @size is from kpt_fetch_size(). If not, stop at the first
 *	string that does not fit
 *
 * Context: BRK.
 * Return: bytes of the record that are used; 0 if something did not fit.
 */
size_t kpt_fetch_steps(const struct kpt_fetch_prog *prog,
		       const struct kpt_fetch_source *src, void *record,
		       size_t size, bool is_measured)
{
	struct fetch_run r = {
		.src = src, .rec = record, .at = prog->size,
		.end = min_t(size_t, size, LOC_END),
		.is_measured = is_measured,
	};
	const struct kpt_fetch_step *s = prog->step;
	const u64 *reg = fetch_regs(src);
	u64 value = 0;

	port_peek_begin();
	for (; s->op != KPT_OP_END; s++) {
		if (s->op == KPT_OP_REG64) {
			rec_put64(r.rec + s->b, reg[s->a]);
		} else if (s->op == KPT_OP_LOAD) {
			store_load(r.rec + s->b, reg[s->a] + s->imm, s->c);
		} else if (s->op == KPT_OP_REG) {
			value = reg[s->a];
		} else if (step_is_store(s)) {
			s = step_store(&r, s, value);
			if (unlikely(r.is_cut && !is_measured))
				break;
		} else if (step_value(s, src, &value)) {
			s = step_store_fault(&r, s);
		}
	}
	port_peek_end();
	return r.is_cut ? 0 : r.at;
}

/* Is the largest record full? */
static bool measure_is_full(size_t sum, size_t in_vain)
{
	return sum + in_vain >= LOC_END;
}

static size_t measure_strings(const struct kpt_fetch_step *s, u64 addr,
			      size_t sum, size_t *in_vain)
{
	u64 ptr;
	u32 i;

	for (i = 0; i < s->c && !measure_is_full(sum, *in_vain); i++) {
		if (!fetch_read_mem(&ptr, addr + i * sizeof(ptr), sizeof(ptr),
				    s->a & KPT_POINTER_USER))
			sum += string_size(ptr, s->a & KPT_STRING_USER, in_vain);
	}
	return sum;
}

static size_t measure_symbol(u64 addr)
{
	static_assert(SYMBOL_MAX <= PORT_SCRATCH_SIZE, "it is large enough");

	return port_symbol_name(port_scratch(), SYMBOL_MAX, addr) + 1;
}

/* Add to @sum the bytes of a storing step that kpt_fetch_prog.room lacks. */
static size_t measure_step(const struct kpt_fetch_step *s, u64 value,
			   size_t sum, size_t *in_vain)
{
	switch (s->op) {
	case KPT_OP_STRING:
		return sum + string_size(value + s->imm,
					 s->a & KPT_STRING_USER, in_vain);
	case KPT_OP_STRINGS:
		return measure_strings(s, value + s->imm, sum, in_vain);
	case KPT_OP_SYMBOL:
		return sum + measure_symbol(value);
	default: /* KPT_OP_COMM, KPT_OP_LITERAL */
		return sum;
	}
}

/**
 * kpt_fetch_measure() - bytes that the strings of a hit need
 * @prog: a program with has_strings set
 * @src: the hit
 *
 * Stops when the strings measured so far fill the largest record. That bounds
 * the time, since all of them are read with exceptions masked: a hit reads at
 * most LOC_END bytes, and for each string the rest of a PIECE.
 *
 * Context: BRK.
 * Return: bytes in addition to @prog->size and @prog->room, at most about
 * LOC_END.
 */
size_t kpt_fetch_measure(const struct kpt_fetch_prog *prog,
			 const struct kpt_fetch_source *src)
{
	const struct kpt_fetch_step *s = &prog->step[prog->dynamic_step];
	size_t sum = 0, in_vain = 0;
	u64 value = 0;

	port_peek_begin();
	for (; s->op != KPT_OP_END && !measure_is_full(sum, in_vain); s++) {
		if (step_is_store(s)) {
			sum = measure_step(s, value, sum, &in_vain);
			if (s->op == KPT_OP_LITERAL)
				s += kpt_literal_steps(s->c);
		} else if (step_value(s, src, &value)) {
			s = step_find_store(s);
		}
	}
	port_peek_end();
	return (measure_is_full(sum, in_vain) ? LOC_END : sum) + SPARE;
}
