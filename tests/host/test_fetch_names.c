// SPDX-License-Identifier: GPL-2.0-only
/*
 * Names in arguments become the same programs as registers and offsets written by
 * hand. The types are those of a small blob, the places those of the AAPCS64.
 */
#include "lib/base/port.h"
#include "lib/fetch/fetch_internal.h"
#include "parts/btf/enum_make.h"
#include "parts/btf/member.h"
#include "lib/format/format.h"
#include "harness.h"
#include "btf_blob.h"
#include "caret.h"
#include "fetch_world.h"

static const struct caret_case names_errors[] = {
#include "../cases/names_errors.h"
};

static struct blob blob;
static struct kpt_btf btf;

/* A function with the parameters that follow. */
static u32 prototype(const char *name, u32 result, u32 nr)
{
	u32 proto = blob.first_id + blob.nr + 1;

	blob_type(&blob, KPT_BTF_FUNC, name, 0, proto);
	return blob_type(&blob, KPT_BTF_FUNC_PROTO, "", nr, result);
}

static void member(const char *name, u32 type, u32 bit, u32 width)
{
	blob_member(&blob, name, type, width << 24 | bit);
}

static u32 structure(const char *name, enum kpt_btf_kind kind, u32 nr, u32 size)
{
	return blob_type(&blob, kind, name, 1U << 7 << 24 | nr, size);
}

/* Numbers of the types that prototypes use. */
static u32 t_int, t_uint, t_long, t_u8, t_s8, t_u16, t_char, t_pchar, t_ppchar,
	t_file, t_pfile, t_pair, t_one, t_big, t_three, t_empty, t_i128, t_enum,
	t_pvoid, t_opaque, t_ssize, t_packed, t_float, t_shade, t_hue, t_huge, t_ppaint,
	t_upaint, t_uchar;

static void make_numbers(void)
{
	u32 t;

	t_int = blob_int(&blob, "int", 4, true);
	t_uint = blob_int(&blob, "unsigned int", 4, false);
	t_long = blob_int(&blob, "long", 8, true);
	t_u8 = blob_int(&blob, "unsigned char", 1, false);
	t_s8 = blob_int(&blob, "signed char", 1, true);
	t_u16 = blob_int(&blob, "short unsigned int", 2, false);
	t_char = blob_int(&blob, "char", 1, false);
	t_i128 = blob_int(&blob, "__int128", 16, true);
	t = blob_ref(&blob, KPT_BTF_CONST, t_char);
	t_pchar = blob_ref(&blob, KPT_BTF_PTR, t);
	t_ppchar = blob_ref(&blob, KPT_BTF_PTR, t_pchar);
	t_pvoid = blob_ref(&blob, KPT_BTF_PTR, 0);
	t_enum = blob_type(&blob, KPT_BTF_ENUM, "color", 0, 4);
	t_ssize = blob_type(&blob, KPT_BTF_TYPEDEF, "ssize_t", 0, t_long);
	t_float = blob_type(&blob, KPT_BTF_FLOAT, "double", 0, 8);
}

/* What is passed by value. */
static void make_values(void)
{
	u32 t;

	t_one = structure("one", KPT_BTF_STRUCT, 1, 4);
	member("val", t_uint, 0, 0);
	t_pair = structure("pair", KPT_BTF_STRUCT, 4, 16);
	member("low", t_uint, 0, 0);
	member("high", t_int, 32, 0);
	member("three", t_uint, 64, 3);
	member("rest", t_pchar, 64, 0);
	t = blob_array(&blob, t_long, 4);
	t_big = structure("big", KPT_BTF_STRUCT, 1, 32);
	member("word", t, 0, 0);
	t = blob_array(&blob, t_u8, 3);
	t_three = structure("three", KPT_BTF_STRUCT, 1, 3);
	member("byte", t, 0, 0);
	t_empty = structure("empty", KPT_BTF_STRUCT, 0, 0);
	t_packed = structure("packed", KPT_BTF_STRUCT, 2, 12);
	member("a", t_uint, 0, 0);
	member("b", t_long, 32, 0);
}

/* A structure with members of all kinds, and what it points to. */
static void make_file(void)
{
	u32 inner, path, numbers, words, text, fwd, fn, mac, t;

	t_file = blob.first_id + blob.nr + 12;
	t_pfile = blob_ref(&blob, KPT_BTF_PTR, t_file);
	fwd = blob_type(&blob, KPT_BTF_FWD, "opaque", 0, 0);
	t_opaque = blob_ref(&blob, KPT_BTF_PTR, fwd);
	inner = structure("", KPT_BTF_UNION, 2, 8);
	member("count", t_int, 0, 0);
	member("whole", t_long, 0, 0);
	path = structure("path", KPT_BTF_STRUCT, 2, 16);
	member("mnt", t_pvoid, 0, 0);
	member("dentry", t_pfile, 64, 0);
	numbers = blob_array(&blob, t_u16, 4);
	words = blob_array(&blob, t_pchar, 4);
	text = blob_array(&blob, t_char, 16);
	fn = blob_type(&blob, KPT_BTF_FUNC_PROTO, "", 0, 0);
	fn = blob_ref(&blob, KPT_BTF_PTR, fn);
	t = blob_array(&blob, t_one, 6);
	mac = blob_array(&blob, t_u8, 6);
	EXPECT_EQ(structure("file", KPT_BTF_STRUCT, 22, 224), t_file);
	member("mode", t_uint, 0, 0);
	member("flags", t_long, 64, 0);
	member("", inner, 128, 0);
	member("path", path, 192, 0);
	member("next", t_pfile, 320, 0);
	member("name", t_pchar, 384, 0);
	member("text", text, 448, 0);
	member("number", numbers, 576, 0);
	member("word", words, 640, 0);
	member("bit", t_uint, 896, 1);
	member("three", t_uint, 897, 3);
	member("sign", t_int, 900, 5);
	member("byte", t_uint, 904, 8);
	member("far", t_uint, 922, 6);
	member("color", t_enum, 928, 0);
	member("kuid", t_one, 960, 0);
	member("mac", mac, 992, 0);
	member("op", fn, 1088, 0);
	member("gone", t_opaque, 1152, 0);
	member("numbers", t_ppchar, 1216, 0);
	member("list", t, 1280, 0);
	member("s8", t_s8, 1472, 0);
	/* Twelve bytes without gaps: numbers and bit fields that are not aligned */
	mac = blob_array(&blob, t_u8, 6);
	structure("tight", KPT_BTF_STRUCT, 2, 12);
	member("to", mac, 0, 0);
	member("from", mac, 48, 0);
	structure("bits", KPT_BTF_STRUCT, 5, 18);
	member("a", t_uint, 0, 4);
	member("b", t_uint, 4, 32);
	member("c", t_uint, 36, 30);
	member("d", t_int, 66, 31);
	member("e", t_long, 76, 64);
	structure("twice", KPT_BTF_STRUCT, 0, 8);
	structure("twice", KPT_BTF_STRUCT, 0, 16);
}

static void enumerator(const char *name, u32 value)
{
	blob_word(&blob, blob_string(&blob, name));
	blob_word(&blob, value);
}

#define IS_SIGNED (1U << 7 << 24)

static void make_enums(void)
{
	u32 hues, uchars, t, i;

	t_shade = blob_type(&blob, KPT_BTF_ENUM, "shade", IS_SIGNED | 4, 4);
	enumerator("DARK", -1);
	enumerator("BRIGHT", 7);
	enumerator("LIGHT", 7);
	enumerator("PALE", 3);
	t_hue = blob_type(&blob, KPT_BTF_ENUM, "hue", 3, 1);
	enumerator("RED", 6);
	enumerator("no name", 5);
	enumerator("LAST", 255);
	t_huge = blob_type(&blob, KPT_BTF_ENUM64, "huge", 2, 8);
	enumerator("ALL", ~0U);
	blob_word(&blob, ~0U);
	enumerator("HIGH", 0);
	blob_word(&blob, 1);
	hues = blob_array(&blob, t_hue, 4);
	t = blob_type(&blob, KPT_BTF_TYPE_TAG, "user", 0, t_char);
	t = blob_ref(&blob, KPT_BTF_CONST, t);
	t_uchar = blob_ref(&blob, KPT_BTF_PTR, t);
	uchars = blob_array(&blob, t_uchar, 4);
	t = blob.first_id + blob.nr + 4;
	t_ppaint = blob_ref(&blob, KPT_BTF_PTR, t);
	i = blob_type(&blob, KPT_BTF_TYPE_TAG, "user", 0, t);
	i = blob_ref(&blob, KPT_BTF_CONST, i);
	t_upaint = blob_ref(&blob, KPT_BTF_PTR, i);
	EXPECT_EQ(structure("paint", KPT_BTF_STRUCT, 9, 96), t);
	member("shade", t_shade, 0, 0);
	member("few", t_hue, 32, 3);
	member("sign", t_shade, 35, 4);
	member("hue", hues, 64, 0);
	member("huge", t_huge, 128, 0);
	member("next", t_ppaint, 192, 0);
	member("theirs", t_upaint, 256, 0);
	member("text", t_uchar, 320, 0);
	member("texts", uchars, 384, 0);
	prototype("paint", t_shade, 4);
	blob_parameter(&blob, "paint", t_ppaint);
	blob_parameter(&blob, "theirs", t_upaint);
	blob_parameter(&blob, "shade", t_shade);
	blob_parameter(&blob, "hue", t_hue);
}

static void make_functions(void)
{
	prototype("f", t_ssize, 6);
	blob_parameter(&blob, "file", t_pfile);
	blob_parameter(&blob, "buf", t_pchar);
	blob_parameter(&blob, "count", t_uint);
	blob_parameter(&blob, "pos", t_pvoid);
	blob_parameter(&blob, "small", t_s8);
	blob_parameter(&blob, "color", t_enum);
	/* One behind a pair, one of two words that does not fit, one behind it. */
	prototype("g", 0, 9);
	blob_parameter(&blob, "a", t_int);
	blob_parameter(&blob, "pair", t_pair);
	blob_parameter(&blob, "b", t_long);
	blob_parameter(&blob, "one", t_one);
	blob_parameter(&blob, "big", t_big);
	blob_parameter(&blob, "c", t_u16);
	blob_parameter(&blob, "last", t_pair);
	blob_parameter(&blob, "d", t_pfile);
	blob_parameter(&blob, "three", t_three);
	prototype("printf", t_int, 2);
	blob_parameter(&blob, "fmt", t_pchar);
	blob_parameter(&blob, "", 0);
	prototype("nothing", 0, 0);
	prototype("h", t_pair, 3);
	blob_parameter(&blob, "empty", t_empty);
	blob_parameter(&blob, "packed", t_packed);
	blob_parameter(&blob, "real", t_float);
	prototype("big", t_big, 2);
	blob_parameter(&blob, "a", t_i128);
	blob_parameter(&blob, "", t_int);
	/* Two of one name that agree in the first parameter alone */
	prototype("same", t_int, 2);
	blob_parameter(&blob, "a", t_int);
	blob_parameter(&blob, "b", t_int);
	prototype("same", t_int, 2);
	blob_parameter(&blob, "a", t_int);
	blob_parameter(&blob, "b", t_long);
	prototype("ptr", t_pfile, 1);
	blob_parameter(&blob, "argv", t_ppchar);
}

static void make(void)
{
	static u8 *bytes;
	const char *why;
	size_t size;

	world_reset();
	add_symbol("known", WORLD_KERNEL + 0x1000, 16);
	if (bytes)
		return;
	blob_init(&blob, NULL);
	make_numbers();
	blob_type(&blob, KPT_BTF_INT, "unused", 0, 4);
	blob_word(&blob, 32);
	make_values();
	make_file();
	structure("task_struct", KPT_BTF_STRUCT, 2, 64);
	member("pid", t_int, 64, 0);
	member("parent", blob.nr + 1, 128, 0);
	blob_ref(&blob, KPT_BTF_PTR, blob.nr);
	make_enums();
	make_functions();
	bytes = blob_bytes(&blob, &size);
	why = blob_open(&btf, bytes, size, NULL);
	if (why)
		fprintf(stderr, "blob: %s\n", why);
}

static void find_types(const struct kpt_fetch_place *place,
		       struct kpt_fetch_types *types)
{
	char name[64] = "";

	(void)place;
	memcpy(name, def.text + def.symbol.at, min_t(int, def.symbol.len, 63));
	types->btf = &btf;
	types->func = kpt_btf_find(&btf, KPT_BTF_FUNC, name, 0);
}

static int compile_names(const char *line, bool pending)
{
	struct kpt_fetch_place place = {
		.is_pending = pending, .by_text = pending,
		.find_types = find_types,
	};
	int err = kpt_def_parse(&def, line, strlen(line), &diag);

	if (err)
		return err;
	place.is_return = def.kind == KPT_DEF_RETURN;
	place.head = place.is_return ? &kpt_head_return : &kpt_head_place;
	place.is_entry = !place.is_return && !def.offset;
	place.hidden = def.of_tracepoint;
	memset(&out, '#', sizeof(out));
	return kpt_fetch_compile(&out, &def, &place, &diag);
}

TEST(error_rows)
{
	char line[KPT_DEF_MAX];
	size_t i;
	int at;

	make();
	for (i = 0; i < ARRAY_SIZE(names_errors); i++) {
		at = caret_strip(names_errors[i].text, line);
		EXPECT(!caret_check(&names_errors[i], line, at,
				    compile_names(line, false), &diag));
	}
}

/* Does @names compile to what @words does? */
static bool same(const char *names, const char *words)
{
	static struct kpt_fetch_scratch first;
	int err = compile_names(names, false);

	if (err) {
		fprintf(stderr, "%s: errno %d, column %u, %s\n", names, err,
			diag.column, kpt_diag_text(diag.code));
		return false;
	}
	first = out;
	err = compile_names(words, false);
	if (!err && !kpt_fields_same(&first.fields, &out.fields) &&
	    first.prog.nr_steps == out.prog.nr_steps &&
	    !memcmp(first.step_room, out.step_room,
		    out.prog.nr_steps * sizeof(out.step_room[0])))
		return true;
	fprintf(stderr, "%s: not as %s\n", names, words);
	return false;
}

TEST(parameters)
{
	make();
	EXPECT(same("p f file", "p f file=%x0"));
	EXPECT(same("p f buf count pos small color",
		    "p f buf=%x1 count=%x2:u32 pos=%x3 small=%x4:s8 color=%x5:s32"));
	EXPECT(same("p f $arg*", "p f file=%x0 buf=%x1 count=%x2:u32 pos=%x3 "
		    "small=%x4:s8 color=%x5:s32"));
	EXPECT(same("p f a=%x9 $arg2 $arg3:x8 x=$arg3 c=count:s16",
		    "p f a=%x9 buf=%x1 count=%x2:x8 x=%x2 c=%x2:s16"));
	EXPECT(same("r f file $retval count=count",
		    "r f file=$arg1 arg2=$retval:s64 count=$arg3:u32"));
	EXPECT(same("f f count", "p f count=%x2:u32"));
	EXPECT(same("p f+0 count", "p f count=%x2:u32"));
	EXPECT(same("p printf $arg*", "p printf fmt=%x0"));
	EXPECT(same("p printf fmt:string", "p printf fmt=+0(%x0):string"));
	EXPECT(same("p same a", "p same a=%x0:s32"));
	EXPECT(same("p same $arg2", "p same arg1=%x1"));
	EXPECT(same("r same $retval:x8", "r same arg1=%x0:x8"));
}

/* The function that a tracepoint calls has a parameter more. */
TEST(tracepoints)
{
	make();
	EXPECT(same("t f $arg*", "t f buf=$arg1 count=$arg2:u32 pos=$arg3 "
		    "small=$arg4:s8 color=$arg5:s32"));
	EXPECT(same("t f $arg2 s=buf:string", "t f count=$arg2:u32 s=+0($arg1):string"));
	EXPECT_EQ(out.step_room[0].a, 2);
	EXPECT(same("t g b one c d", "t g b=$arg3:s64 one=$arg4:x32 c=$arg6:u16 "
		    "d=$arg10"));
	EXPECT(same("t f m=(file)pos->mode", "t f m=+0($arg3):u32"));
	EXPECT_EQ(compile_names("t f file", false), -ENOENT);
	EXPECT_EQ(diag.code, KPT_E_NO_BTFARG);
	EXPECT_EQ(compile_names("t f $arg6", false), -ENOENT);
	EXPECT_EQ(diag.code, KPT_E_NO_BTFARG);
	EXPECT_EQ(compile_names("t big $arg*", false), 0);
	EXPECT_STR(out.listing.buf, " arg1=$arg2:s32");
}

/* A name that an unnamed argument has is not that of another one. */
TEST(names_that_are_used)
{
	make();
	EXPECT_EQ(compile_names("p f $arg* file:u8", false), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_USED_ARG_NAME);
	EXPECT_EQ(compile_names("p f $arg* file:%pD[65]", false), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_USED_ARG_NAME);
	EXPECT_EQ(compile_names("p f $arg* file:%pD", false), 0);
}

TEST(places_by_the_standard)
{
	make();
	EXPECT(same("p g a b one c", "p g a=%x0:s32 b=%x3:s64 one=%x4:x32 c=%x6:u16"));
	EXPECT(same("p g pair big last", "p g pair=%x1 big=%x5 last=$stack0"));
	EXPECT(same("p g d", "p g d=$stack2"));
	EXPECT_EQ(compile_names("p g three", false), 0);
	EXPECT_EQ(out.field_room[0].type, KPT_TYPE_X64);
	EXPECT_EQ(out.step_room[0].imm, 3 * 8);
	EXPECT_EQ(out.step_room[2].op, KPT_OP_BITS);
	EXPECT_EQ(out.step_room[2].imm, 24);
	EXPECT(same("r g d", "r g d=$arg11"));
	EXPECT(same("p g m=d->mode", "p g m=+0($stack2):u32"));
	EXPECT(same("p g x=one.val y=pair.low", "p g x=%x4:u32 y=%x1:u32"));
	EXPECT(same("p g x=pair.rest:string", "p g x=+0(%x2):string"));
	EXPECT(same("p g x=big.word[1] y=last.rest", "p g x=+8(%x5):s64 y=$stack1"));
	EXPECT(same("r g x=last.low", "r g x=$arg9:u32"));
	EXPECT(same("r h x=$retval.low", "r h x=%x0:u32"));
	EXPECT(same("r h x=$retval.rest", "r h x=%x1:x64"));
	EXPECT(same("p big a", "p big a=%x0"));
	EXPECT(same("p big $arg*", "p big a=%x0 arg2=%x2:s32"));
	EXPECT_EQ(compile_names("p g x=pair.high", false), 0);
	EXPECT_EQ(out.step_room[0].op, KPT_OP_REG);
	EXPECT_EQ(out.step_room[1].op, KPT_OP_SHIFT);
	EXPECT_EQ(out.step_room[1].imm, 32);
}

TEST(members)
{
	make();
	EXPECT(same("p f m=file->mode", "p f m=+0(%x0):u32"));
	EXPECT(same("p f file->flags", "p f arg1=+8(%x0):s64"));
	EXPECT(same("p f c=file->count w=file->whole",
		    "p f c=+16(%x0):s32 w=+16(%x0):s64"));
	EXPECT(same("p f d=file->path.dentry", "p f d=+32(%x0)"));
	EXPECT(same("p f d=file->path.dentry->next->mode",
		    "p f d=+0(+40(+32(%x0))):u32"));
	EXPECT(same("p f d=file->path.dentry->path.mnt",
		    "p f d=+24(+32(%x0))"));
	EXPECT(same("p f c=file->color k=file->kuid v=file->kuid.val",
		    "p f c=+116(%x0):s32 k=+120(%x0):x32 v=+120(%x0):u32"));
	EXPECT(same("p f x=+8(file->next)", "p f x=+8(+40(%x0))"));
	EXPECT(same("p f x=file->mode:x8", "p f x=+0(%x0):x8"));
	EXPECT(same("p f x=file->path:x8[4]", "p f x=+24(%x0):x8[4]"));
	EXPECT(same("p f x=file->op:symbol y=file:symstr",
		    "p f x=+136(%x0):symbol y=%x0:symstr"));
	EXPECT(same("p f s=file->s8", "p f s=+184(%x0):s8"));
	EXPECT(same("p f x=this_cpu_read(file->next)",
		    "p f x=this_cpu_read(+40(%x0))"));
	EXPECT(same("r f m=file->mode", "r f m=+0($arg1):u32"));
	EXPECT(same("r ptr m=$retval->mode", "r ptr m=+0(%x0):u32"));
	EXPECT(same("p g+4 m=$current->pid", "p g+4 m=+8($current):s32"));
	EXPECT(same("p f m=$current->parent->pid", "p f m=+8(+16($current)):s32"));
	EXPECT(same("p f file:%pd $arg1:%pD", "p f arg1=%x0:%pd arg2=%x0:%pD"));
}

TEST(strings)
{
	make();
	EXPECT(same("p f buf:string", "p f buf=+0(%x1):string"));
	EXPECT(same("p f buf:ustring", "p f buf=+u0(%x1):ustring"));
	EXPECT(same("p f n=file->name:string t=file->text:string",
		    "p f n=+0(+48(%x0)):string t=+56(%x0):string"));
	EXPECT(same("p f w=file->word:string[4]", "p f w=+80(%x0):string[4]"));
	EXPECT(same("p f w=file->word[2]:string", "p f w=+0(+96(%x0)):string"));
	EXPECT(same("p f w=file->numbers:string[2]",
		    "p f w=+0(+152(%x0)):string[2]"));
	EXPECT(same("p ptr w=argv[1]:string", "p ptr w=+0(+8(%x0)):string"));
	EXPECT(same("p f a=+0(buf):string", "p f a=+0(%x1):string"));
}

TEST(bit_fields)
{
	make();
	EXPECT(same("p f b=file->bit", "p f b=+112(%x0):b1@0/32"));
	EXPECT(same("p f b=file->three", "p f b=+112(%x0):b3@1/32"));
	EXPECT(same("p f b=file->byte", "p f b=+112(%x0):b8@8/32"));
	EXPECT(same("p f b=file->far", "p f b=+112(%x0):b6@26/32"));
	EXPECT_EQ(compile_names("p f b=file->sign", false), 0);
	EXPECT_EQ(out.field_room[0].type, KPT_TYPE_S32);
	EXPECT_EQ(out.step_room[1].op, KPT_OP_SIGNED_BITS);
	EXPECT_EQ(out.step_room[1].imm, 4 << 8 | 5);
	EXPECT_EQ(compile_names("p f b=file->bit:x8", false), 0);
	EXPECT_EQ(out.step_room[0].op, KPT_OP_LOAD);
}

/* What a number of their type cannot hold where they are. */
TEST(tight_members)
{
	make();
	EXPECT(same("p f b=(bits)pos->a", "p f b=+0(%x3):b4@0/32"));
	EXPECT_EQ(compile_names("p f b=(bits)pos->b c=(bits)pos->c d=(bits)pos->d", false), 0);
	EXPECT_EQ(out.field_room[0].type, KPT_TYPE_U64);
	EXPECT_EQ(out.step_room[0].imm, 0);
	EXPECT_EQ(out.step_room[1].imm, 4 << 8 | 32);
	EXPECT_EQ(out.step_room[2].imm, 1);
	EXPECT_EQ(out.step_room[3].imm, 28 << 8 | 30);
	EXPECT_EQ(out.field_room[2].type, KPT_TYPE_S64);
	EXPECT_EQ(out.step_room[4].imm, 8);
	EXPECT_EQ(out.step_room[5].op, KPT_OP_SIGNED_BITS);
	EXPECT_EQ(out.step_room[5].imm, 2 << 8 | 31);
	EXPECT_EQ(compile_names("p f b=(bits)pos->e", false), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_BAD_BITFIELD);
	/* The last one ends with its structure. */
	EXPECT_EQ(compile_names("p f m=(tight)pos->to n=(tight)pos->from", false), 0);
	EXPECT_EQ(out.step_room[0].imm, 0);
	EXPECT_EQ(out.step_room[1].imm, 48);
	EXPECT_EQ(out.step_room[2].imm, 4);
	EXPECT_EQ(out.step_room[3].imm, 16 << 8 | 48);
	/* In front of the value may be another structure. */
	EXPECT_EQ(compile_names("p f n=(tight,from)pos->from", false), 0);
	EXPECT_EQ(out.step_room[0].imm, 0);
}

TEST(indexes)
{
	make();
	EXPECT(same("p f n=file->number[3]", "p f n=+78(%x0):u16"));
	EXPECT(same("p f n=file->list[2].val", "p f n=+168(%x0):u32"));
	EXPECT(same("p ptr n=argv[3]", "p ptr n=+24(%x0)"));
	EXPECT(same("p f n=file->numbers[2][1]:char",
		    "p f n=+1(+16(+152(%x0))):char"));
	EXPECT(same("p f n=file[2].mode", "p f n=+448(%x0):u32"));
	EXPECT(same("p f n=file->text[0]:char", "p f n=+56(%x0):char"));
}

TEST(casts)
{
	make();
	EXPECT(same("p f m=(file)pos->mode", "p f m=+0(%x3):u32"));
	EXPECT(same("p f m=(file)%x3->mode", "p f m=+0(%x3):u32"));
	EXPECT(same("p f m=(file)(pos)->mode", "p f m=+0(%x3):u32"));
	EXPECT(same("p f m=(file,path)pos->mode", "p f m=-24(%x3):u32"));
	EXPECT(same("p f m=(file,path.dentry)pos->flags", "p f m=-24(%x3):s64"));
	EXPECT(same("p f m=(file)((file)pos->next)->mode",
		    "p f m=+0(+40(%x3)):u32"));
	EXPECT(same("p f m=(file)+8(pos)->mode", "p f m=+0(+8(%x3)):u32"));
	EXPECT(same("p f m=(file)@known->mode", "p f m=+0(@known):u32"));
	EXPECT(same("p f m=(file)(@known+8)->mode", "p f m=+0(@known+8):u32"));
	EXPECT(same("p f m=(file)this_cpu_ptr(@known)->mode",
		    "p f m=+0(this_cpu_ptr(@known)):u32"));
	EXPECT(same("p f m=(task_struct)$current->pid", "p f m=+8($current):s32"));
	EXPECT(same("p f+4 m=(file)%x3->mode", "p f+4 m=+0(%x3):u32"));
	EXPECT(same("r f m=(file)$retval->name:string",
		    "r f m=+0(+48(%x0)):string"));
}

/* -u> is to -> what +uOFFS(..) is to +OFFS(..). */
TEST(user_arrows)
{
	make();
	EXPECT(same("p f m=file-u>mode", "p f m=+u0(%x0):u32"));
	EXPECT(same("p f m=file-u>path.dentry->mode", "p f m=+0(+u32(%x0)):u32"));
	EXPECT(same("p f m=file->path.dentry-u>mode", "p f m=+u0(+32(%x0)):u32"));
	EXPECT(same("p f b=file-u>far", "p f b=+u112(%x0):b6@26/32"));
	EXPECT(same("p f n=file-u>text:string", "p f n=+u56(%x0):string"));
	EXPECT(same("p f n=file-u>name:string", "p f n=+0(+u48(%x0)):string"));
	EXPECT(same("p f n=file-u>name:ustring", "p f n=+u0(+u48(%x0)):ustring"));
	EXPECT(same("p f n=file-u>word:string[4]", "p f n=+u80(%x0):string[4]"));
	EXPECT(same("p f n=file-u>number[3]", "p f n=+u78(%x0):u16"));
	EXPECT(same("r ptr m=$retval-u>mode", "r ptr m=+u0(%x0):u32"));
	EXPECT(same("p g+4 m=$current-u>pid", "p g+4 m=+u8($current):s32"));
	EXPECT(same("p f m=(file)pos-u>mode", "p f m=+u0(%x3):u32"));
	EXPECT(same("p f m=(file)(pos)-u>mode", "p f m=+u0(%x3):u32"));
	EXPECT(same("p f m=(file,path)+8(pos)-u>mode", "p f m=+u-24(+8(%x3)):u32"));
	EXPECT_EQ(compile_names("p f file-u>mode", false), 0);
	EXPECT_STR(out.listing.buf, " arg1=file-u>mode");
}

/* What BTF says of a pointer holds without "u", too. */
TEST(user_tags)
{
	make();
	EXPECT(same("p paint s=theirs->shade", "p paint s=+u0(%x1):s32"));
	EXPECT(same("p paint s=theirs-u>shade", "p paint s=+u0(%x1):s32"));
	EXPECT(same("p paint s=paint->shade", "p paint s=+0(%x0):s32"));
	EXPECT(same("p paint s=paint->theirs->next->shade",
		    "p paint s=+0(+u24(+32(%x0))):s32"));
	EXPECT(same("p paint s=theirs[1].shade", "p paint s=+u96(%x1):s32"));
	EXPECT(same("p paint s=paint->text:string", "p paint s=+u0(+40(%x0)):string"));
	EXPECT(same("p paint s=paint->text[2]:char", "p paint s=+u2(+40(%x0)):char"));
	EXPECT_EQ(compile_names("p paint s=paint->texts:string[4]", false), 0);
	EXPECT_EQ(out.step_room[1].op, KPT_OP_STRINGS);
	EXPECT_EQ(out.step_room[1].a, KPT_STRING_USER);
	EXPECT_EQ(compile_names("p paint s=theirs->texts:string[4]", false), 0);
	EXPECT_EQ(out.step_room[1].a, KPT_STRING_USER | KPT_POINTER_USER);
}

/* The enumeration of the @n-th argument, and that its program is that of a number. */
static u32 enum_of(const char *names, const char *words, int n)
{
	if (!same(names, words) || compile_names(names, false))
		return 0;
	return out.named[n].btf == &btf ? out.named[n].type : 0;
}

TEST(enums)
{
	make();
	EXPECT_EQ(enum_of("p paint shade:enum", "p paint shade=%x2:s32", 0), t_shade);
	EXPECT_STR(out.listing.buf, " shade=shade:enum");
	EXPECT_EQ(enum_of("p paint $arg4:enum", "p paint hue=%x3:s8", 0), t_hue);
	EXPECT_STR(out.listing.buf, " hue=hue:enum");
	EXPECT_EQ(enum_of("r paint a=%x9 b=$retval:enum", "r paint a=%x9 b=%x0:s32", 1),
		  t_shade);
	EXPECT(!out.named[0].btf);
	EXPECT_EQ(enum_of("p paint h=theirs->huge:enum", "p paint h=+u16(%x1):s64", 0),
		  t_huge);
	EXPECT_EQ(enum_of("p paint h=paint->hue[3]:enum", "p paint h=+11(%x0):s8", 0), t_hue);
	EXPECT_EQ(enum_of("p paint h=paint->hue:enum[4]", "p paint h=+8(%x0):s8[4]", 0),
		  t_hue);
	EXPECT_EQ(enum_of("p f h=(paint)pos->shade:enum", "p f h=+0(%x3):s32", 0), t_shade);
	/* A bit field has a sign if its enumeration has negative values. */
	EXPECT_EQ(compile_names("p paint f=paint->few:enum s=paint->sign:enum "
				"n=paint->few", false), 0);
	EXPECT_EQ(out.step_room[1].op, KPT_OP_BITS);
	EXPECT_EQ(out.step_room[1].imm, 3);
	EXPECT_EQ(out.step_room[3].op, KPT_OP_SIGNED_BITS);
	EXPECT_EQ(out.step_room[3].imm, 3 << 8 | 4);
	EXPECT_EQ(out.step_room[5].op, KPT_OP_BITS);
}

/* The enumeration of a number that has none by itself. */
TEST(enums_by_name)
{
	make();
	EXPECT_EQ(enum_of("p f n=%x2:enum(shade)", "p f n=%x2:s32", 0), t_shade);
	EXPECT_STR(out.listing.buf, " n=%x2:enum(shade)");
	EXPECT_EQ(enum_of("p f n=%x2:enum(BRIGHT)", "p f n=%x2:s32", 0), t_shade);
	EXPECT_EQ(enum_of("p f n=+0(%x2):enum(HIGH)[2]", "p f n=+0(%x2):s64[2]", 0), t_huge);
	EXPECT_EQ(enum_of("p f n=count:enum(huge)", "p f n=%x2:u32", 0), t_huge);
	EXPECT_EQ(out.named[0].size, 4);
	EXPECT_EQ(enum_of("p f n=file->s8:enum(shade)", "p f n=+184(%x0):s8", 0), t_shade);
	EXPECT_EQ(out.named[0].size, 1);
	EXPECT_EQ(enum_of("p paint n=shade:enum(hue)", "p paint n=%x2:s32", 0), t_hue);
	EXPECT_EQ(enum_of("p paint n=paint->hue:enum(shade)[4]", "p paint n=+8(%x0):s8[4]", 0),
		  t_shade);
}

/* An error is as wide as what has it. */
TEST(errors_of_both_sizes)
{
	make();
	EXPECT_EQ(compile_names("r f %x9 e=$retval:errno n=count:errno w=%x0:errno", false), 0);
	EXPECT_EQ(out.field_room[1].type, KPT_TYPE_ERRNO64);
	EXPECT_EQ(out.field_room[2].type, KPT_TYPE_ERRNO);
	EXPECT_EQ(out.field_room[3].type, KPT_TYPE_ERRNO);
	EXPECT_EQ(compile_names("p f m=file->mac:mac", false), 0);
	EXPECT_EQ(out.step_room[0].c, 6);
}

static struct kpt_enum *names_of(u32 type)
{
	size_t room = 0;
	struct kpt_enum *e;

	EXPECT(!kpt_enum_room(&btf, type, &room));
	e = malloc(room);
	kpt_enum_make(e, &btf, type, (u8)kpt_btf_size(&btf, type));
	EXPECT(e->bytes <= room);
	return e;
}

/* Of several names the first counts; values have no sign; names are C identifiers. */
TEST(enum_names)
{
	struct kpt_enum *e, *other;

	make();
	e = names_of(t_shade);
	EXPECT_EQ(e->nr, 3);
	EXPECT_EQ(e->value[2].value, 0xffffffff);
	EXPECT_STR(kpt_enum_find(e, 7), "BRIGHT");
	EXPECT_STR(kpt_enum_find(e, 3), "PALE");
	EXPECT_STR(kpt_enum_find(e, 0xffffffff), "DARK");
	EXPECT(!kpt_enum_find(e, 0) && !kpt_enum_find(e, 5) && !kpt_enum_find(e, ~0ULL));
	other = names_of(t_shade);
	EXPECT(kpt_enum_same(e, other));
	free(other);
	other = names_of(t_hue);
	EXPECT(!kpt_enum_same(e, other));
	EXPECT_EQ(other->nr, 2);
	EXPECT_STR(kpt_enum_find(other, 255), "LAST");
	free(other);
	other = names_of(t_huge);
	EXPECT_STR(kpt_enum_find(other, ~0ULL), "ALL");
	EXPECT_STR(kpt_enum_find(other, 1ULL << 32), "HIGH");
	free(other);
	free(e);
}

/* The names are those of mainline's __print_symbolic(), in lines and in format files. */
TEST(enum_texts)
{
	static const struct {
		u32 shade;
		const char *text;
	} lines[] = {
		{ 7, " s=BRIGHT h={RED,0x5,LAST,0x0}\n" },
		{ -1, " s=DARK h={RED,0x5,LAST,0x0}\n" },
		{ -2, " s=0xfffffffe h={RED,0x5,LAST,0x0}\n" },
		{ 0, " s=0x0 h={RED,0x5,LAST,0x0}\n" },
	};
	struct kpt_line line = { .event = "e", .fields = &out.fields };
	u8 record[64] = { 0 };
	struct kpt_strbuf sb;
	char text[1024];
	size_t i;

	make();
	EXPECT_EQ(compile_names("p paint s=shade:enum h=paint->hue:enum[4]", false), 0);
	out.field_room[0].names = names_of(t_shade);
	out.field_room[1].names = names_of(t_hue);
	line.record = record;
	line.size = out.fields.size;
	memcpy(record + out.field_room[1].offset, "\6\5\377", 4);
	for (i = 0; i < ARRAY_SIZE(lines); i++) {
		memcpy(record + out.field_room[0].offset, &lines[i].shade, 4);
		kpt_strbuf_init(&sb, text, sizeof(text));
		kpt_format_record(&sb, &line);
		EXPECT_STR(strchr(text, ')') + 1, lines[i].text);
	}
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_format_print_fmt(&sb, &out.fields);
#define HUE(i) ", __print_symbolic((u8)REC->h[" i "], { 6, \"RED\" }, { 255, \"LAST\" })"
	EXPECT_STR(text, "\"(%lx) s=%s h={%s,%s,%s,%s}\", REC->__probe_ip, "
		   "__print_symbolic((u32)REC->s, { 3, \"PALE\" }, { 7, \"BRIGHT\" }, "
		   "{ 4294967295, \"DARK\" })" HUE("0") HUE("1") HUE("2") HUE("3"));
	free((void *)out.field_room[0].names);
	free((void *)out.field_room[1].names);
}

TEST(listings)
{
	make();
	EXPECT_EQ(compile_names("p f $arg* x=file->mode", false), 0);
	EXPECT_STR(out.listing.buf, " file=file buf=buf count=count pos=pos "
		   "small=small color=color x=file->mode");
	EXPECT_EQ(compile_names("p f $arg2:x8 file->mode file:x8", false), 0);
	EXPECT_STR(out.listing.buf, " buf=buf:x8 arg2=file->mode file=file:x8");
	EXPECT_EQ(compile_names("p f $arg1:%pD", false), 0);
	EXPECT_STR(out.listing.buf, " arg1=+0x0(+0x28(+0x98(file))):string");
	EXPECT_EQ(compile_names("p big $arg*", false), 0);
	EXPECT_STR(out.listing.buf, " a=a arg2=$arg3:s32");
}

/* Until the module is there, names need a type; afterwards they mean something. */
TEST(pending)
{
	make();
	EXPECT_EQ(compile_names("p m:f file->mode:u32 n=file->name:string", true), 0);
	EXPECT_STR(out.listing.buf, " arg1=file->mode:u32 n=file->name:string");
	EXPECT_EQ(out.field_room[0].type, KPT_TYPE_U32);
	EXPECT_EQ(compile_names("p m:f $arg1 x=+0(file->name):u8", true), 0);
	EXPECT_STR(out.listing.buf, " arg1=$arg1 x=+0(file->name):u8");
	EXPECT_EQ(compile_names("r m:f $retval a=$retval->mode:u8", true), 0);
	EXPECT_EQ(compile_names("p m:f m=(file)pos->mode", true), 0);
	EXPECT_EQ(compile_names("p m:f m=(nosuch)pos->mode:u8", true), 0);
	EXPECT_EQ(compile_names("p m:f file", true), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_TYPE_PENDING);
	EXPECT_EQ(diag.column, 6);
	EXPECT_EQ(compile_names("p m:f $arg*", true), -EOPNOTSUPP);
	EXPECT_EQ(compile_names("p m:paint shade:enum", true), -EINVAL);
	EXPECT_EQ(diag.code, KPT_E_TYPE_PENDING);
	EXPECT_EQ(diag.column, 16);
	EXPECT_EQ(compile_names("p m:f file-u>mode:u32", true), 0);
}

TEST_MAIN
