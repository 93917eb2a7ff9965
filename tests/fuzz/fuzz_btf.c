// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes are refused as BTF, or can be read: each type is found by its name,
 * each function has a prototype. The first two bytes say how long the BTF of
 * the kernel is; if something follows, that is the BTF of a module.
 */
#include <kptrace/port.h>
#include "lib/prototype.h"
#include "btf_blob.h"
#include "input.h"

static void look(const struct kpt_btf *btf)
{
	static char text[512];
	const struct kpt_btf_type *t;
	struct kpt_strbuf sb;
	const char *name;
	u32 id, found;

	for (id = 1; id < btf->end; id++) {
		t = kpt_btf_type(btf, id);
		name = kpt_btf_name(btf, t->name);
		kpt_btf_resolve(btf, id);
		if (kpt_btf_kind(t) == KPT_BTF_FUNC) {
			kpt_strbuf_init(&sb, text, 1 + id * 97 % sizeof(text));
			kpt_prototype_put(&sb, btf, id);
			MUST(strlen(text) == sb.len);
		}
		found = kpt_btf_find(btf, kpt_btf_kind(t), name, 0);
		while (found && found != id)
			found = kpt_btf_find(btf, kpt_btf_kind(t), name, found);
		MUST(found == (id < btf->first ? 0 : id));
	}
}

/* A blob in memory of exactly its size; NULL if it is refused. */
static u8 *take(struct kpt_btf *btf, struct input *in, size_t size,
		const struct kpt_btf *base)
{
	u8 *bytes = malloc(size ? size : 1);

	memcpy(bytes, in->data, size);
	in->data += size;
	in->left -= size;
	if (blob_open(btf, bytes, size, base)) {
		free(bytes);
		return NULL;
	}
	look(btf);
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
		free(btf.index);
	free(module);
	free(base.index);
	free(bytes);
	return 0;
}
