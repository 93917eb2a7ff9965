// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes are refused as BTF, or can be read, whether or not kpt_btf_check() accepts
 * them: each type is found by its name, each function has a prototype and arguments, each
 * structure its members. The first two bytes say how long the BTF of the kernel is; if something
 * follows, that is the BTF of a module.
 */
#include "lib/base/port.h"
#include "lib/format/format.h"
#include "parts/btf/member.h"
#include "parts/btf/prototype_text.h"
#include "btf_blob.h"
#include "input.h"
#include "names.h"

static void look_at_members(const struct kpt_btf *btf,
			    const struct kpt_btf_type *t)
{
	struct kpt_btf_member m;
	struct kpt_member found;
	const char *name;
	u32 i;

	for (i = 0; i < kpt_btf_nr(t); i++) {
		kpt_btf_nth_member(t, i, &m);
		name = kpt_btf_name(btf, m.name);
		kpt_btf_resolve(btf, m.type);
		MUST(!*name || kpt_member_find(btf, t, name, strlen(name), &found));
	}
	kpt_member_find(btf, t, "no such", 7, &found);
}

/* Functions without a prototype are not found. */
static bool is_found(const struct kpt_btf *btf, u32 id)
{
	const struct kpt_btf_type *t = kpt_btf_type(btf, id);

	return id >= btf->first &&
	       (kpt_btf_kind(t) != KPT_BTF_FUNC ||
		kpt_btf_kind(kpt_btf_type(btf, t->type)) == KPT_BTF_FUNC_PROTO);
}

static void look(const struct kpt_btf *btf)
{
	static const u64 reg[KPT_RECORD_ARGS] = { 1, ~0ULL, 0x8000000080000000 };
	static char text[512];
	const struct kpt_btf_type *t;
	struct kpt_strbuf sb;
	const char *name;
	u32 id, found;

	for (id = 1; id < btf->end; id++) {
		t = kpt_btf_type(btf, id);
		name = kpt_btf_name(btf, t->name);
		kpt_btf_resolve(btf, id);
		kpt_btf_is_user(btf, id);
		free(take_names(btf, id));
		if (kpt_btf_kind(t) == KPT_BTF_STRUCT ||
		    kpt_btf_kind(t) == KPT_BTF_UNION)
			look_at_members(btf, t);
		if (kpt_btf_kind(t) == KPT_BTF_FUNC && is_found(btf, id)) {
			kpt_strbuf_init(&sb, text, 1 + id * 97 % sizeof(text));
			kpt_prototype_put(&sb, btf, id);
			MUST(strlen(text) == sb.len);
			kpt_strbuf_init(&sb, text, 1 + id * 89 % sizeof(text));
			kpt_format_args(&sb, btf, id, reg);
			MUST(strlen(text) == sb.len);
		}
		found = kpt_btf_find(btf, kpt_btf_kind(t), name, 0);
		while (found && found != id)
			found = kpt_btf_find(btf, kpt_btf_kind(t), name, found);
		MUST(found == (is_found(btf, id) ? id : 0));
	}
}

/* A blob in memory of exactly its size; NULL if it has no index. */
static u8 *take(struct kpt_btf *btf, struct input *in, size_t size,
		const struct kpt_btf *base)
{
	u8 *bytes = malloc(size ? size : 1);

	memcpy(bytes, in->data, size);
	in->data += size;
	in->left -= size;
	if (blob_index(btf, bytes, size, base)) {
		free(bytes);
		return NULL;
	}
	look(btf);
	kpt_btf_check(btf);
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct kpt_btf base, btf;
	u8 *bytes, *module;

	size = input_word(&in);
	bytes = take(&base, &in, min(size, in.left), NULL);
	if (!bytes)
		return 0;
	module = take(&btf, &in, in.left, &base);
	if (module)
		blob_free(&btf);
	free(module);
	blob_free(&base);
	free(bytes);
	return 0;
}
