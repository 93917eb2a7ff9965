// SPDX-License-Identifier: GPL-2.0-only
/* Names of symbols in lines of trace. */
#include "lib/base/port.h"
#include "lib/format/format.h"

/* The slot for the name of an address. */
static struct kpt_symbol *symbol_slot(struct kpt_symbols *symbols, u64 addr)
{
	u32 hash = (u32)(addr >> 2) * 0x9e3779b1;

	return &symbols->symbol[hash >> (32 - KPT_SYMBOL_BITS)];
}

/**
 * kpt_moved_find() - find where some text of another boot is now
 * @moved: what is known of that boot
 * @addr: address in that boot
 *
 * Context: any, while others write kpt_moved_range.now.
 * Return: its address now; 0 if it is not there, or not known.
 */
u64 kpt_moved_find(const struct kpt_moved *moved, u64 addr)
{
	const struct kpt_moved_range *r;
	u64 now;

	for (r = moved->range; r < moved->range + moved->nr; r++) {
		if (addr - r->start >= r->size)
			continue;
		now = READ_ONCE(r->now);
		return now ? now + (addr - r->start) : 0;
	}
	return 0;
}

/**
 * kpt_format_moved() - where an address of a record is now
 * @line: the line; only @line->moved is used
 * @addr: the address
 *
 * Context: process context.
 * Return: the address; 0 if the record is of another boot, and its text is not there now.
 */
u64 kpt_format_moved(const struct kpt_line *line, u64 addr)
{
	return line->moved ? kpt_moved_find(line->moved, addr) : addr;
}

/* Write the name of an address of a line; the number if the text is not there now. */
static size_t symbol_write(char *dst, size_t size, const struct kpt_line *line,
			   u64 addr, bool is_caller)
{
	u64 now = kpt_format_moved(line, addr);
	struct kpt_strbuf sb;

	if (now || !line->moved)
		return is_caller ? port_caller_name(dst, size, now) :
				   port_symbol_name(dst, size, now);
	kpt_strbuf_init(&sb, dst, size);
	kpt_strbuf_printf(&sb, "0x%llx", (unsigned long long)addr);
	return sb.len;
}

static struct kpt_symbol *symbol_look_up(const struct kpt_line *line, u64 addr,
					 bool is_caller)
{
	struct kpt_symbols *symbols = line->symbols;
	struct kpt_symbol *s;
	size_t len;

	if (!symbols)
		return NULL;
	s = symbol_slot(symbols, addr);
	if (s->len && s->addr == addr && s->is_caller == is_caller &&
	    s->round == (s->stays ? symbols->modules : symbols->round))
		return s;
	s->addr = addr;
	s->is_caller = is_caller;
	s->stays = !line->moved && port_symbol_stays(addr);
	s->round = s->stays ? symbols->modules : symbols->round;
	len = symbol_write(s->text, sizeof(s->text), line, addr, is_caller);
	s->len = len + 1 < sizeof(s->text) ? (u16)len : 0;
	return s->len ? s : NULL;
}

/* Write a name that is not kept straight to the end of the text. */
static void symbol_put_new(struct kpt_strbuf *sb, const struct kpt_line *line, u64 addr,
			   bool is_caller)
{
	size_t room = sb->size - sb->len;

	sb->len += symbol_write(sb->buf + sb->len, room, line, addr, is_caller);
	if (sb->len + 1 == sb->size)
		sb->overflow = true;
}

static void symbol_print(struct kpt_strbuf *sb, const struct kpt_line *line, u64 addr,
			 bool is_caller)
{
	const struct kpt_symbol *s = symbol_look_up(line, addr, is_caller);

	if (s)
		kpt_strbuf_add(sb, s->text, s->len);
	else
		symbol_put_new(sb, line, addr, is_caller);
}

/**
 * kpt_format_symbol() - write the symbol of an address, with offset and size
 * @sb: where to write
 * @line: the line; only @line->symbols and @line->moved are used
 * @addr: the address
 *
 * Context: process context.
 */
void kpt_format_symbol(struct kpt_strbuf *sb, const struct kpt_line *line,
		       u64 addr)
{
	symbol_print(sb, line, addr, false);
}

/* Write the name without offset and size, or the number if there is none. */
static void symbol_put_name(struct kpt_strbuf *sb, const struct kpt_line *line,
			    u64 addr, bool is_caller)
{
	bool overflow = sb->overflow;
	size_t start = sb->len;
	char *plus;

	symbol_print(sb, line, addr, is_caller);
	plus = memchr(sb->buf + start, '+', sb->len - start);
	if (plus) {
		sb->len = (size_t)(plus - sb->buf);
		*plus = '\0';
		sb->overflow = overflow;
	} else if (!sb->overflow) {
		sb->len = start;
		kpt_strbuf_puts(sb, "0x");
		kpt_strbuf_hex(sb, addr, 8);
	}
}

static void address_put(struct kpt_strbuf *sb, const struct kpt_line *line, u64 addr,
			u64 options, bool is_caller)
{
	if (!addr) {
		kpt_strbuf_putc(sb, '0');
		return;
	}
	if (options & KPT_OPT_SYM_OFFSET)
		symbol_print(sb, line, addr, is_caller);
	else
		symbol_put_name(sb, line, addr, is_caller);
	if (options & KPT_OPT_SYM_ADDR) {
		kpt_strbuf_puts(sb, " <");
		kpt_strbuf_hex(sb, addr, 16);
		kpt_strbuf_putc(sb, '>');
	}
}

/**
 * kpt_format_address() - write a code address as a line of trace shows it
 * @sb: where to write
 * @line: as for kpt_format_symbol()
 * @addr: the address
 * @options: KPT_OPT_SYM_OFFSET and KPT_OPT_SYM_ADDR; others are ignored
 *
 * Context: process context.
 */
void kpt_format_address(struct kpt_strbuf *sb, const struct kpt_line *line,
			u64 addr, u64 options)
{
	address_put(sb, line, addr, options, false);
}

/**
 * kpt_format_caller() - write the function that a return address belongs to
 * @sb: where to write
 * @line: as for kpt_format_symbol()
 * @addr: the address
 * @options: as for kpt_format_address(); with KPT_OPT_SYM_CALLER the function is that of
 *	the call before the address. Behind the call of a function that never returns,
 *	another function may begin
 *
 * Context: process context.
 */
void kpt_format_caller(struct kpt_strbuf *sb, const struct kpt_line *line, u64 addr,
		       u64 options)
{
	address_put(sb, line, addr, options, options & KPT_OPT_SYM_CALLER);
}

/**
 * kpt_format_user_address() - write an address of a program as a line of trace shows it
 * @sb: where to write
 * @tgid: the process
 * @addr: the address
 * @options: with KPT_OPT_SYM_USEROBJ the file that is there, if the process is, too, and
 *	with KPT_OPT_SYM_ADDR also the address
 *
 * As mainline does: "FILE[+0xOFFSET]", and " <ADDRESS>". The offset is from where the part of
 * the file begins that is mapped there.
 *
 * Context: process context, sleeps.
 */
void kpt_format_user_address(struct kpt_strbuf *sb, s32 tgid, u64 addr, u64 options)
{
	size_t room = sb->size - sb->len, len = 0;

	if (options & KPT_OPT_SYM_USEROBJ)
		len = port_user_place(sb->buf + sb->len, room, tgid, addr);
	sb->len += len;
	if (!len || options & KPT_OPT_SYM_ADDR) {
		kpt_strbuf_puts(sb, " <");
		kpt_strbuf_hex(sb, addr, 16);
		kpt_strbuf_putc(sb, '>');
	}
}
