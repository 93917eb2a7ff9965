// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any arguments with names, at any function of a kernel, are refused with a column in
 * them, or become a program that writes only what it was given, and whose listing
 * becomes the same program.
 *
 * The types are those of the file KPTRACE_BTF; without it, of a kernel that has none.
 * The first bytes of an input are the function and how it is probed. The rest is text,
 * in which a byte from 0x80 on stands for the name of a parameter, or of a member of
 * what the name before it leads to.
 */
#include "lib/base/port.h"
#include "parts/btf/btf.h"
#include "lib/format/format.h"
#include "gen_fetch.h"
#include "names.h"
#include "program.h"

static struct kpt_btf btf;
static u32 *functions, nr_functions, function;
static struct user_pt_regs regs;

static void die(const char *path, const char *why)
{
	fprintf(stderr, "%s: %s\n", path, why);
	exit(1);
}

static void read_blob(const char *path)
{
	FILE *f = fopen(path, "rb");
	const char *why;
	void *bytes;

	if (!f)
		die(path, "cannot be opened");
	fseek(f, 0, SEEK_END);
	btf.size = ftell(f);
	rewind(f);
	btf.blob = bytes = malloc(btf.size);
	if (fread(bytes, 1, btf.size, f) != btf.size)
		die(path, "cannot be read");
	fclose(f);
	why = kpt_btf_open(&btf);
	if (!why)
		why = kpt_btf_index(&btf, calloc(1, kpt_btf_index_size(&btf)));
	if (why)
		die(path, why);
}

/* The same memory, registers and types for all inputs. */
static void make_world(void)
{
	const char *path = getenv("KPTRACE_BTF");
	struct gen gen = { .state = 0x9e3779b97f4a7c15ULL };
	static bool made;
	u32 id;

	if (made)
		return;
	made = true;
	gen_world(&gen);
	gen_faults(&gen);
	gen_regs(&gen, &regs);
	if (!path)
		return;
	read_blob(path);
	functions = calloc(btf.end, sizeof(*functions));
	for (id = 1; id < btf.end; id++)
		if (kpt_btf_kind(kpt_btf_type(&btf, id)) == KPT_BTF_FUNC)
			functions[nr_functions++] = id;
}

static void find_types(const struct kpt_fetch_place *place,
		       struct kpt_fetch_types *types)
{
	(void)place;
	types->btf = btf.blob ? &btf : NULL;
	types->func = function;
}

/* What a value of this type leads to, through pointers and arrays. */
static const struct kpt_btf_type *led_to(u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_resolve(&btf, id);
	unsigned int i;

	for (i = 0; i < KPT_BTF_CHAIN; i++) {
		if (kpt_btf_kind(t) == KPT_BTF_PTR)
			t = kpt_btf_resolve(&btf, t->type);
		else if (kpt_btf_kind(t) == KPT_BTF_ARRAY)
			t = kpt_btf_resolve(&btf, t->more[0]);
		else
			break;
	}
	return t;
}

/* The @n-th parameter of the function; what it leads to. */
static const struct kpt_btf_type *put_parameter(struct kpt_strbuf *sb, u32 n)
{
	const struct kpt_btf_type *proto =
		kpt_btf_type(&btf, kpt_btf_type(&btf, function)->type);
	u32 nr = kpt_btf_nr(proto);

	if (!nr)
		return NULL;
	n %= nr;
	kpt_strbuf_puts(sb, kpt_btf_name(&btf, proto->more[2 * n]));
	return led_to(proto->more[2 * n + 1]);
}

static const struct kpt_btf_type *
put_member(struct kpt_strbuf *sb, const struct kpt_btf_type *t, u32 n)
{
	enum kpt_btf_kind kind = t ? kpt_btf_kind(t) : KPT_BTF_VOID;
	struct kpt_btf_member m;

	if ((kind != KPT_BTF_STRUCT && kind != KPT_BTF_UNION) || !kpt_btf_nr(t))
		return NULL;
	kpt_btf_nth_member(t, n % kpt_btf_nr(t), &m);
	kpt_strbuf_puts(sb, kpt_btf_name(&btf, m.name));
	return led_to(m.type);
}

static void put_text(struct kpt_strbuf *sb, struct input *in)
{
	const struct kpt_btf_type *t = NULL;
	u8 byte;

	while (in->left) {
		byte = input_byte(in);
		if (byte < 0x80)
			kpt_strbuf_putc(sb, byte);
		else if (byte < 0xc0 && function)
			t = put_parameter(sb, byte & 0x3f);
		else
			t = put_member(sb, t, byte & 0x3f);
	}
}

enum how { RETURN = 1, OFFSET = 2, PENDING = 4, TRACEPOINT = 8 };

static int compile_text(const char *line, size_t len, u8 how)
{
	struct kpt_fetch_place place = {
		.is_pending = how & PENDING, .by_text = how & PENDING,
		.find_types = find_types,
	};

	memset(&diag, 0, sizeof(diag));
	if (kpt_def_parse(&def, line, len, &diag))
		return -E2BIG;
	place.is_return = def.kind == KPT_DEF_RETURN;
	place.head = place.is_return ? &kpt_head_return : &kpt_head_place;
	place.is_entry = !place.is_return && !def.offset;
	place.hidden = def.of_tracepoint;
	memset(&out, '#', sizeof(out));
	return kpt_fetch_compile(&out, &def, &place, &diag);
}

/* Values with names are numbers; any of them gives a text. */
static void show(const u8 *record, size_t size)
{
	struct kpt_line line = {
		.event = "e", .fields = &out.fields, .record = record, .size = size,
	};
	static char text[1 << 16];
	struct kpt_strbuf sb;
	unsigned int i;

	for (i = 0; i < out.fields.nr; i++) {
		MUST(!out.field_room[i].names);
		if (!out.named[i].btf)
			continue;
		MUST(kpt_type_info[out.field_room[i].type].kind == KPT_FIELD_NUMBER);
		out.field_room[i].names = take_names(out.named[i].btf, out.named[i].type);
		MUST(out.field_room[i].names);
	}
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_record(&sb, &line);
	MUST(strlen(text) <= sb.len);
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_print_fmt(&sb, &out.fields);
	MUST(strlen(text) == sb.len);
	for (i = 0; i < out.fields.nr; i++) {
		free((void *)out.field_room[i].names);
		out.field_room[i].names = NULL;
	}
}

static void run(void)
{
	u64 entry[KPT_FETCH_ENTRY_MAX];
	struct kpt_fetch_source src = { .regs = &regs, .entry = entry };
	unsigned int i;
	u8 *record;
	size_t size;

	for (i = 0; i < out.prog.nr_entry; i++)
		entry[i] = kpt_fetch_arg_value(&regs, out.prog.entry_arg[i]);
	size = kpt_fetch_size(&out.prog, &src);
	record = malloc(size);
	memset(record, FILL, size);
	kpt_fetch_exec(&out.prog, &src, record, size);
	check_record(record, size);
	show(record, size);
	free(record);
}

/* What is listed can be written back. */
static void check_listing(const char *head, u8 how)
{
	static struct kpt_fetch_scratch first;
	static char line[4 * KPT_DEF_MAX];
	int len, err;

	MUST(!out.listing.overflow);
	len = sprintf(line, "%s%s", head, out.listing.buf);
	if (len >= KPT_DEF_MAX)
		return;
	first = out;
	err = compile_text(line, len, how);
	/* What :%pD stands for may be longer than an argument may be. */
	if (err && diag.code == KPT_E_ARG_TOO_LONG)
		return;
	if (err)
		fprintf(stderr, "listed: %s: errno %d, column %u, %s\n", line, err,
			diag.column, kpt_diag_text(diag.code));
	MUST(!err);
	MUST(!kpt_fields_same(&first.fields, &out.fields));
	MUST(first.prog.nr_steps == out.prog.nr_steps);
	MUST(!memcmp(first.step_room, out.step_room,
		     out.prog.nr_steps * sizeof(out.step_room[0])));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char head[KPT_DEF_MAX], line[2 * KPT_DEF_MAX];
	struct input in = { data, size };
	u32 nth = input_word(&in);
	u8 how = input_byte(&in);
	struct kpt_strbuf sb;
	int err;

	make_world();
	function = nr_functions ? functions[nth % nr_functions] : 0;
	snprintf(head, sizeof(head), "%c %s%s",
		 how & TRACEPOINT ? 't' : how & RETURN ? 'r' : 'p',
		 function ? kpt_btf_name(&btf, kpt_btf_type(&btf, function)->name) : "f",
		 how & OFFSET ? "+4" : "");
	kpt_strbuf_init(&sb, line, sizeof(line));
	kpt_strbuf_printf(&sb, "%s ", head);
	put_text(&sb, &in);
	if (sb.overflow || sb.len >= KPT_DEF_MAX)
		return 0;
	err = compile_text(line, sb.len, how);
	if (err == -E2BIG && diag.code == KPT_E_NONE)
		return 0;
	if (err) {
		check_refusal();
		return 0;
	}
	check_program();
	run();
	check_listing(head, how);
	return 0;
}
