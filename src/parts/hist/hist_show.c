// SPDX-License-Identifier: GPL-2.0-only
/* Maps of hist triggers: sort them and write them as text. */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/hist/hist.h"

static const char *const modifier_names[] = {
	[KPT_HIST_HEX] = "hex",
	[KPT_HIST_SYM] = "sym",
	[KPT_HIST_SYM_OFFSET] = "sym-offset",
	[KPT_HIST_EXECNAME] = "execname",
	[KPT_HIST_LOG2] = "log2",
	[KPT_HIST_BUCKETS] = "buckets",
	[KPT_HIST_USECS] = "usecs",
	[KPT_HIST_PERCENT] = "percent",
	[KPT_HIST_GRAPH] = "graph",
	[KPT_HIST_SYSCALL] = "syscall",
	[KPT_HIST_STACKTRACE] = "stacktrace",
};

static u64 hist_key_number(const struct kpt_hist_field *f,
			   const struct kpt_hist_entry *e)
{
	u64 v;

	memcpy(&v, e->key + f->key_offset, sizeof(v));
	return v;
}

static int hist_compare_numbers(u64 a, u64 b)
{
	return a < b ? -1 : a > b;
}

/* Flips the sign bit of signed numbers: they then compare as unsigned ones. */
static u64 hist_sign_bias(const struct kpt_hist_field *f)
{
	return f->is_signed ? 1ULL << 63 : 0;
}

static int hist_compare_keys(const struct kpt_hist_field *f,
			     const struct kpt_hist_entry *a,
			     const struct kpt_hist_entry *b)
{
	u64 bias = hist_sign_bias(f);

	if (kpt_hist_is_stack(f))
		return 0;
	if (kpt_hist_is_text(f))
		return strcmp((const char *)a->key + f->key_offset,
			      (const char *)b->key + f->key_offset);
	return hist_compare_numbers(hist_key_number(f, a) ^ bias,
				    hist_key_number(f, b) ^ bias);
}

static u64 hist_read_sum(struct kpt_hist_entry *e, unsigned int i)
{
	return (u64)atomic64_read(&e->sum[i]);
}

static int hist_compare_by(const struct kpt_hist *h,
			   const struct kpt_hist_sort *sort,
			   struct kpt_hist_entry *a, struct kpt_hist_entry *b)
{
	u64 bias;
	int c;

	if (sort->index < h->nr_vals) {
		bias = hist_sign_bias(&h->val[sort->index]);
		c = hist_compare_numbers(hist_read_sum(a, sort->index) ^ bias,
					 hist_read_sum(b, sort->index) ^ bias);
	} else {
		c = hist_compare_keys(&h->key[sort->index - h->nr_vals], a, b);
	}
	return sort->descending ? -c : c;
}

/* For sort_r(). If sums change during the sort, only the order is affected. */
static int hist_compare(const void *a, const void *b, const void *view)
{
	const struct kpt_hist_view *v = view;
	struct kpt_hist_entry *ea = kpt_hist_map_entry(v->map, *(const u32 *)a);
	struct kpt_hist_entry *eb = kpt_hist_map_entry(v->map, *(const u32 *)b);
	const struct kpt_hist *h = v->hist;
	unsigned int i;
	int c = 0;

	for (i = 0; !c && i < h->nr_sort; i++)
		c = hist_compare_by(h, &h->sort[i], ea, eb);
	for (i = 0; !c && i < h->nr_keys; i++)
		c = hist_compare_keys(&h->key[i], ea, eb);
	return c;
}

static void hist_sum_up(struct kpt_hist_view *v)
{
	unsigned int i;
	u32 n;
	u64 s;

	for (n = 0; n < v->nr; n++) {
		for (i = 0; i < v->hist->nr_vals; i++) {
			s = hist_read_sum(kpt_hist_map_entry(v->map, v->order[n]),
					  i);
			v->total[i] += s;
			v->max[i] = max(v->max[i], s);
		}
	}
	v->hits = v->total[0];
}

/**
 * kpt_hist_view_init() - sort a map to show it
 * @view: result
 * @hist: the trigger
 * @map: its map; other CPUs may add to it, or clear it
 * @order: room for 2 to the power of @hist->bits numbers
 *
 * Sorts by the sort keys, then by the keys. Entries made later are not in @view.
 *
 * Context: process context; long for large maps.
 */
void kpt_hist_view_init(struct kpt_hist_view *view, const struct kpt_hist *hist,
			struct kpt_hist_map *map, u32 *order)
{
	u32 slots = 2U << map->bits, i, n;

	*view = (struct kpt_hist_view){
		.hist = hist, .map = map, .order = order,
	};
	for (i = 0; i < slots && view->nr < 1U << hist->bits; i++) {
		n = smp_load_acquire(&map->slot[i]); /* A, see hist.c */
		if (n)
			order[view->nr++] = n - 1;
	}
	sort_r(order, view->nr, sizeof(*order), hist_compare, NULL, view);
	hist_sum_up(view);
}

static unsigned long long hist_bucket_width(const struct kpt_hist_field *f)
{
	return f->op[1].number;
}

/**
 * kpt_hist_put_modifier() - write the modifier of a key or value, with the dot before it
 * @sb: gets the text; nothing if there is none
 * @f: the key or value
 *
 * Context: any.
 */
void kpt_hist_put_modifier(struct kpt_strbuf *sb, const struct kpt_hist_field *f)
{
	if (f->modifier != KPT_HIST_PLAIN)
		kpt_strbuf_printf(sb, ".%s", modifier_names[f->modifier]);
	else if (f->op[0].code == KPT_HIST_FIELD_STACK)
		kpt_strbuf_puts(sb, ".stacktrace");
	if (f->modifier == KPT_HIST_BUCKETS)
		kpt_strbuf_printf(sb, "=%llu", hist_bucket_width(f));
}

static void hist_put_field(struct kpt_strbuf *sb, const struct kpt_hist_field *f)
{
	kpt_strbuf_puts(sb, kpt_hist_special_name(f) ?: f->name);
	kpt_hist_put_modifier(sb, f);
}

static void hist_put_sort_keys(struct kpt_strbuf *sb, const struct kpt_hist *h)
{
	unsigned int i, index;

	for (i = 0; i < h->nr_sort; i++) {
		index = h->sort[i].index;
		kpt_strbuf_puts(sb, i ? "," : ":sort=");
		hist_put_field(sb, index < h->nr_vals ? &h->val[index] :
						   &h->key[index - h->nr_vals]);
		if (h->sort[i].descending)
			kpt_strbuf_puts(sb, ".descending");
	}
}

/**
 * kpt_hist_show_keys() - write the value of keys= of a trigger
 * @sb: gets the text
 * @hist: the trigger
 *
 * Context: any.
 */
void kpt_hist_show_keys(struct kpt_strbuf *sb, const struct kpt_hist *hist)
{
	unsigned int i;

	for (i = 0; i < hist->nr_keys; i++) {
		kpt_strbuf_puts(sb, i ? "," : "");
		hist_put_field(sb, &hist->key[i]);
	}
}

/**
 * kpt_hist_show_trigger() - write a trigger as trigger and hist files show it
 * @sb: gets the text
 * @hist: the trigger
 * @filter: its filter or NULL
 * @paused: it is paused
 *
 * Context: any.
 */
void kpt_hist_show_trigger(struct kpt_strbuf *sb, const struct kpt_hist *hist,
			   const char *filter, bool paused)
{
	unsigned int i, first = hist->no_hitcount;

	kpt_strbuf_puts(sb, "hist:");
	if (hist->name[0])
		kpt_strbuf_printf(sb, "name=%s:", hist->name);
	kpt_strbuf_puts(sb, "keys=");
	kpt_hist_show_keys(sb, hist);
	for (i = first; i < hist->nr_vals; i++) {
		kpt_strbuf_puts(sb, i == first ? ":vals=" : ",");
		hist_put_field(sb, &hist->val[i]);
	}
	for (i = 0; i < hist->nr_vars; i++) {
		kpt_strbuf_printf(sb, "%s%s=", i ? "," : ":", hist->var[i].name);
		hist_put_field(sb, &hist->var[i].value);
	}
	hist_put_sort_keys(sb, hist);
	kpt_strbuf_printf(sb, ":size=%u", 1U << hist->bits);
	if (hist->uses_time)
		kpt_strbuf_printf(sb, ":clock=%s", hist->clock);
	if (hist->no_hitcount)
		kpt_strbuf_puts(sb, ":nohitcount");
	kpt_strbuf_puts(sb, hist->actions);
	if (filter)
		kpt_strbuf_printf(sb, " if %s", filter);
	kpt_strbuf_puts(sb, paused ? " [paused]\n" : " [active]\n");
}

/**
 * kpt_hist_show_head() - write the lines above the entries in a hist file
 * @sb: gets the text
 * @hist: the trigger
 * @filter: its filter or NULL
 * @paused: it is paused
 *
 * The caller writes two empty lines between the histograms of one file.
 *
 * Context: any.
 */
void kpt_hist_show_head(struct kpt_strbuf *sb, const struct kpt_hist *hist,
			const char *filter, bool paused)
{
	kpt_strbuf_puts(sb, "# event histogram\n#\n# trigger info: ");
	kpt_hist_show_trigger(sb, hist, filter, paused);
	kpt_strbuf_puts(sb, "#\n\n");
}

/* Write "[address] name" as .sym shows it, or as .sym-offset if @offset. */
static void hist_put_symbol(struct kpt_strbuf *sb, u64 addr, bool offset)
{
	char name[KPT_HIST_KEY_MAX], *plus, *module;

	port_symbol_name(name, sizeof(name), addr);
	plus = strchr(name, '+');
	if (plus && !offset) {
		module = strchr(plus, ' ');
		if (module)
			memmove(plus, module, strlen(module) + 1);
		else
			*plus = '\0';
	}
	kpt_strbuf_printf(sb, "[%llx] %-*s", (unsigned long long)addr,
			  offset ? 55 : 45, name);
}

/* Write a string or the name of a task, with blanks up to @width behind it. */
static void hist_put_text(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			  const char *text, size_t most, size_t width)
{
	size_t start = sb->len;

	kpt_format_text(sb, v->options, text, strnlen(text, most));
	kpt_strbuf_left(sb, start, width);
}

/*
 * Write a stack as lines. @addr is the number of words, and these: addresses, for which @tgid is
 * the process if they are those of a program.
 */
static void hist_put_stack(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			   const struct kpt_hist_field *f, const u64 *addr, s32 tgid)
{
	const struct kpt_line line = { 0 };
	const u64 *end = addr + 1 + min(addr[0], (u64)(KPT_HIST_STACK_MAX / 8 - 1));
	const char *name = kpt_hist_special_name(f);
	u64 options = KPT_OPT_SYM_OFFSET | KPT_OPT_SYM_USEROBJ | v->options;
	const u64 *first = ++addr;

	kpt_strbuf_printf(sb, name ? "%s:\n" : "%s.stacktrace:\n", name ?: f->name);
	for (; addr < end; addr++) {
		kpt_strbuf_puts(sb, "         ");
		if (f->op[0].code == KPT_HIST_USER_STACK)
			kpt_format_user_address(sb, tgid, *addr, options);
		else if (addr > first)
			kpt_format_caller(sb, &line, *addr, options);
		else
			kpt_format_symbol(sb, &line, *addr);
		kpt_strbuf_putc(sb, '\n');
	}
}

/* The same of a key. That of a program begins with its process. */
static void hist_put_stack_key(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			       const struct kpt_hist_field *f, const u64 *key)
{
	u64 words[KPT_HIST_STACK_MAX / sizeof(u64)];

	if (f->op[0].code != KPT_HIST_USER_STACK) {
		hist_put_stack(sb, v, f, key, 0);
		return;
	}
	memcpy(words + 1, key + 2, sizeof(words) - 2 * sizeof(u64));
	words[0] = key[0] - 1;
	hist_put_stack(sb, v, f, words, (s32)key[1]);
}

/* Write a number as lines of trace show it, if that is by a name or as an address. */
static bool hist_put_form(struct kpt_strbuf *sb, const struct kpt_hist_field *f, u64 v)
{
	const char *name = NULL;
	char room[KPT_NUMBER_NAME_MAX + 1];
	struct kpt_strbuf text;

	if (f->nr_ops != 1 || f->modifier != KPT_HIST_PLAIN)
		return false;
	if (f->names) {
		name = kpt_enum_find(f->names, v << (64 - 8 * f->size) >> (64 - 8 * f->size));
	} else if (kpt_type_has_form(f->type)) {
		kpt_strbuf_init(&text, room, sizeof(room));
		kpt_format_value(&text, f->type, (const u8 *)&v);
		name = room;
	}
	if (name)
		kpt_strbuf_printf(sb, "%10s", name);
	return name;
}

static void hist_put_key(struct kpt_strbuf *sb, const struct kpt_hist_view *view,
			 const struct kpt_hist_field *f, const struct kpt_hist_entry *e)
{
	unsigned long long v = hist_key_number(f, e);
	char name[64];

	if (kpt_hist_is_stack(f)) {
		hist_put_stack_key(sb, view, f, (const u64 *)(e->key + f->key_offset));
		return;
	}

	kpt_strbuf_printf(sb, "%s: ", f->name);
	if (kpt_hist_is_text(f)) {
		hist_put_text(sb, view, (const char *)e->key + f->key_offset,
			      KPT_HIST_KEY_MAX, 50);
		return;
	}
	switch (f->modifier) {
	case KPT_HIST_HEX:
		kpt_strbuf_printf(sb, "%llx", v);
		break;
	case KPT_HIST_SYM:
	case KPT_HIST_SYM_OFFSET:
		hist_put_symbol(sb, v, f->modifier == KPT_HIST_SYM_OFFSET);
		break;
	case KPT_HIST_EXECNAME:
		hist_put_text(sb, view, e->comm, PORT_COMM_LEN - 1, 16);
		kpt_strbuf_printf(sb, "[%10llu]", v);
		break;
	case KPT_HIST_SYSCALL:
		port_syscall_name(name, sizeof(name), v);
		kpt_strbuf_printf(sb, "%-30s[%3llu]", name, v);
		break;
	case KPT_HIST_LOG2:
		kpt_strbuf_printf(sb, "~ 2^%-2llu", v);
		break;
	case KPT_HIST_BUCKETS:
		kpt_strbuf_printf(sb, "~ %llu-%llu", v,
				  v + hist_bucket_width(f) - 1);
		break;
	default:
		if (!hist_put_form(sb, f, v))
			kpt_strbuf_printf(sb, "%10llu", v);
	}
}

/* Returns 10000 if @val is all of @whole, ~0 if the quotient overflows. */
static unsigned int hist_fraction(u64 val, u64 whole)
{
	if (whole && val < ~0ULL / 10000)
		return (unsigned int)(val * 10000 / whole);
	if (whole / 10000)
		return (unsigned int)(val / (whole / 10000));
	return val ? ~0U : 0;
}

#define BAR 20

static void hist_put_bar(struct kpt_strbuf *sb, u64 val, u64 max)
{
	static const char bar[] = "####################";
	unsigned int part = hist_fraction(val, max);

	if (part == ~0U)
		kpt_strbuf_printf(sb, "%*s", BAR, "[ERROR]");
	else
		kpt_strbuf_printf(sb, "%-*.*s", BAR,
				  (int)(min(part, 10000U) * BAR / 10000), bar);
}

static void hist_put_val(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			 unsigned int i, struct kpt_hist_entry *e)
{
	const struct kpt_hist_field *f = &v->hist->val[i];
	unsigned long long sum = hist_read_sum(e, i);
	unsigned int part;

	kpt_strbuf_printf(sb, " %s", f->name);
	switch (f->modifier) {
	case KPT_HIST_PERCENT:
		part = hist_fraction(sum, v->total[i]);
		if (part == ~0U)
			kpt_strbuf_puts(sb, " (%):[ERROR]");
		else
			kpt_strbuf_printf(sb, " (%%): %3u.%02u", part / 100,
					  part % 100);
		break;
	case KPT_HIST_GRAPH:
		kpt_strbuf_puts(sb, ": ");
		hist_put_bar(sb, sum, v->max[i]);
		break;
	case KPT_HIST_HEX:
		kpt_strbuf_printf(sb, ": %10llx", sum);
		break;
	default:
		kpt_strbuf_printf(sb, f->is_signed ? ": %10lld" : ": %10llu", sum);
	}
}

/* Write the keys of an entry, in braces. */
static void hist_put_keys(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			  const struct kpt_hist_entry *e)
{
	const struct kpt_hist *hist = v->hist;
	bool is_multiline = false;
	unsigned int n;

	for (n = 0; n < hist->nr_keys; n++) {
		kpt_strbuf_puts(sb, n ? ", " : "{ ");
		hist_put_key(sb, v, &hist->key[n], e);
		is_multiline |= kpt_hist_is_stack(&hist->key[n]);
	}
	kpt_strbuf_puts(sb, is_multiline ? "}" : " }");
}

static void hist_put_number(struct kpt_strbuf *sb, const struct kpt_hist_field *f, u64 v)
{
	if (hist_put_form(sb, f, v))
		return;
	kpt_strbuf_printf(sb, f->is_signed ? "%10lld" : "%10llu", (unsigned long long)v);
}

static void hist_put_saved(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			   const struct kpt_hist_param *p, struct kpt_hist_entry *e)
{
	if (kpt_hist_is_stack(&p->value)) {
		kpt_strbuf_puts(sb, "  ");
		hist_put_stack(sb, v, &p->value,
			       (const u64 *)kpt_hist_blob(v->map, e, p->place), 0);
	} else if (kpt_hist_is_number(&p->value)) {
		kpt_strbuf_printf(sb, "  %s: ", p->value.name);
		hist_put_number(sb, &p->value,
				READ_ONCE(*kpt_hist_word(v->map, e, p->place)));
	} else {
		kpt_strbuf_printf(sb, "  %s: ", p->value.name);
		hist_put_text(sb, v, (const char *)kpt_hist_blob(v->map, e, p->place),
			      255, 32);
	}
}

/* Write the values of onmax() and onchange(), and what save() has kept. */
static void hist_put_tracked(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			     struct kpt_hist_entry *e)
{
	const struct kpt_hist_action *a = v->hist->action;
	unsigned int i, n;

	for (i = 0; i < v->hist->nr_actions; i++, a++) {
		if (a->handler == KPT_HIST_ONMATCH || a->deed == KPT_HIST_SNAPSHOT)
			continue;
		kpt_strbuf_puts(sb, a->handler == KPT_HIST_ONMAX ? "\n\tmax: " :
								   "\n\tchanged: ");
		hist_put_number(sb, &a->tracked, kpt_hist_tracked(v->map, e, a));
		for (n = 0; a->deed == KPT_HIST_SAVE && n < a->nr; n++)
			hist_put_saved(sb, v, &v->hist->param[a->first + n], e);
	}
}

/**
 * kpt_hist_show_entry() - write one entry of a hist file
 * @sb: gets the text
 * @view: the sorted map
 * @i: index in @view->order, less than @view->nr
 *
 * Context: process context (symbol lookup).
 */
void kpt_hist_show_entry(struct kpt_strbuf *sb,
			 const struct kpt_hist_view *view, u32 i)
{
	struct kpt_hist_entry *e = kpt_hist_map_entry(view->map,
						      view->order[i]);
	const struct kpt_hist *h = view->hist;
	unsigned int n;

	hist_put_keys(sb, view, e);
	if (!h->no_hitcount)
		hist_put_val(sb, view, 0, e);
	for (n = 1; n < h->nr_vals; n++) {
		kpt_strbuf_putc(sb, ' ');
		hist_put_val(sb, view, n, e);
	}
	hist_put_tracked(sb, view, e);
	kpt_strbuf_putc(sb, '\n');
}

static void hist_put_snapshot(struct kpt_strbuf *sb, const struct kpt_hist_view *v,
			      unsigned int i)
{
	const struct kpt_hist_action *a = &v->hist->action[i];
	const struct kpt_hist_snap *snap = &v->snap[i];

	if (!snap->entry)
		return;
	kpt_strbuf_puts(sb, "\nSnapshot taken (see tracing/snapshot).  Details:\n");
	kpt_strbuf_printf(sb, "\ttriggering value { %s(%s) }: ",
			  a->handler == KPT_HIST_ONMAX ? "onmax" : "onchange",
			  a->tracked.name);
	hist_put_number(sb, &a->tracked, snap->value);
	kpt_strbuf_puts(sb, "\ttriggered by event with key: ");
	hist_put_keys(sb, v, snap->entry);
	kpt_strbuf_putc(sb, '\n');
}

/**
 * kpt_hist_show_totals() - write the lines below the entries in a hist file
 * @sb: gets the text
 * @view: the sorted map
 *
 * Hits is the sum of the hits of all entries, without the dropped ones.
 *
 * Context: any.
 */
void kpt_hist_show_totals(struct kpt_strbuf *sb,
			  const struct kpt_hist_view *view)
{
	unsigned int i;

	for (i = 0; view->snap && i < view->hist->nr_actions; i++)
		hist_put_snapshot(sb, view, i);
	kpt_strbuf_printf(sb, "\nTotals:\n    Hits: %llu\n    Entries: %u\n",
			  (unsigned long long)view->hits, view->nr);
	kpt_strbuf_printf(sb, "    Dropped: %llu\n",
			  (unsigned long long)kpt_hist_map_drops(view->map));
	if (view->hist->nr_refs)
		kpt_strbuf_printf(sb, "    Unmatched: %llu\n", (unsigned long long)
				  atomic64_read(&view->map->unmatched));
}
