// SPDX-License-Identifier: GPL-2.0-only
/*
 * census functions|members BLOB: for tests/btf/run.
 *
 * functions: counts the functions by how many of their arguments have a place.
 * members: reads lines "STRUCT MEMBER BIT WIDTH", finds each, compares.
 */
#include "lib/base/port.h"
#include <stdio.h>
#include <stdlib.h>
#include "parts/btf/member.h"
#include "parts/btf/prototype_text.h"

static struct kpt_btf btf;

static const char *blob_read(const char *path)
{
	FILE *f = fopen(path, "rb");
	const char *why;
	void *blob;

	fseek(f, 0, SEEK_END);
	btf.size = ftell(f);
	rewind(f);
	btf.blob = blob = malloc(btf.size);
	if (fread(blob, 1, btf.size, f) != btf.size)
		return "it cannot be read";
	fclose(f);
	why = kpt_btf_open(&btf);
	if (why)
		return why;
	return kpt_btf_index(&btf, calloc(1, kpt_btf_index_size(&btf))) ?:
	       kpt_btf_check(&btf);
}

/* What becomes of a function; the last one is good. */
enum fate {
	FATE_SEVERAL,
	FATE_TOO_LONG,
	FATE_UNKNOWN,
	FATE_NO_ARGS,
	FATE_VARIADIC,
	FATE_STACK,
	FATE_STRUCT,
	FATE_GOOD,
	NR_FATES,
};

static const char *const fates[NR_FATES] = {
	"refused: several prototypes for the name",
	"refused: the text is too long",
	"refused: the place of an argument is unknown",
	"nothing to get: no arguments",
	"all arguments but the variable ones",
	"all arguments, some on the stack",
	"all arguments, some by value in two registers or by address",
	"all arguments",
};

static enum fate fate_of(u32 id)
{
	const struct kpt_btf_type *f = kpt_btf_type(&btf, id);
	const struct kpt_btf_type *proto = kpt_btf_type(&btf, f->type);
	const char *name = kpt_btf_name(&btf, f->name);
	static char text[2048];
	struct kpt_strbuf sb;
	u32 nr = kpt_btf_nr(proto), first;
	char *result;

	first = kpt_btf_find(&btf, KPT_BTF_FUNC, name, 0);
	if (first != id || kpt_btf_find(&btf, KPT_BTF_FUNC, name, id))
		return FATE_SEVERAL;
	if (!nr)
		return FATE_NO_ARGS;
	kpt_strbuf_init(&sb, text, sizeof(text));
	kpt_prototype_put(&sb, &btf, id);
	if (sb.overflow)
		return FATE_TOO_LONG;
	result = strstr(text, "\nreturn value:");
	result[1] = '\0';
	if (strstr(text, ": unknown\n") || strstr(text, ": nowhere\n"))
		return FATE_UNKNOWN;
	if (!proto->more[2 * nr - 1])
		return FATE_VARIADIC;
	if (strstr(text, " $stack"))
		return FATE_STACK;
	if (strstr(text, "at the address") || strstr(text, " %x1 %x") ||
	    strstr(text, ": %x0 %x"))
		return FATE_STRUCT;
	return FATE_GOOD;
}

static int functions(void)
{
	u32 counts[NR_FATES] = { 0 }, all = 0, id, i;

	for (id = 1; id < btf.end; id++) {
		if (kpt_btf_kind(kpt_btf_type(&btf, id)) != KPT_BTF_FUNC)
			continue;
		counts[fate_of(id)]++;
		all++;
	}
	printf("# %u functions\n", all);
	for (i = 0; i < NR_FATES; i++)
		printf("# %7u %s\n", counts[i], fates[i]);
	/* Each kernel has that many, and most have arguments in registers. */
	return all < 20000 || counts[FATE_GOOD] < all / 2;
}

static int members(void)
{
	unsigned int bit, width, nr = 0, differ = 0;
	char type[256], name[256];
	struct kpt_member m;
	u32 id;

	while (scanf("%255s %255s %u %u", type, name, &bit, &width) == 4) {
		id = kpt_btf_find(&btf, KPT_BTF_STRUCT, type, 0);
		nr++;
		m = (struct kpt_member){ 0 };
		if (id && kpt_member_find(&btf, kpt_btf_type(&btf, id), name,
					  strlen(name), &m) &&
		    m.bit == bit && m.width == width)
			continue;
		if (differ++ < 10)
			printf("# %s.%s: pahole says bit %u, %u wide; we %llu, %u\n",
			       type, name, bit, width,
			       (unsigned long long)m.bit, m.width);
	}
	printf("# %u members, %u differ\n", nr, differ);
	return nr < 20000 || differ;
}

int main(int argc, char **argv)
{
	const char *why = argc == 3 ? blob_read(argv[2]) : "no blob given";

	if (why) {
		printf("# refused: %s\n", why);
		return 1;
	}
	return strcmp(argv[1], "members") ? functions() : members();
}
