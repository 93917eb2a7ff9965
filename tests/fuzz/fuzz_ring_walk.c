// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any bytes as a ring, and a ring with bits flipped: the walk ends, numbers grow, and
 * every record is inside the memory.
 */
#include "lib/base/port.h"
#include "lib/ring/ring_walk.h"
#include <string.h>
#include "input.h"
#include "world.h"

#define RING_SIZE 8192

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void fill_ring(struct kpt_ring *r, struct input *in)
{
	unsigned int nr = input_word(in) % 1000;
	u32 bytes;
	u64 *p;

	kpt_ring_init(r, world.kernel, RING_SIZE);
	while (nr--) {
		bytes = 8 + input_byte(in) % 64;
		p = kpt_ring_reserve(r, bytes, nr);
		memset(p, 0, bytes);
		kpt_ring_commit(r);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	struct kpt_ring_walk w;
	struct kpt_ring_info info;
	struct kpt_ring r;
	u64 next = 0, records = 0;

	world_reset();
	if (input_byte(&in) % 2) {
		fill_ring(&r, &in);
		while (in.left)
			world.kernel[input_word(&in) % RING_SIZE] ^= input_byte(&in);
	} else {
		memcpy(&r, in.data, min(in.left, sizeof(r)));
		in.data += min(in.left, sizeof(r));
		in.left -= min(in.left, sizeof(r));
		memcpy(world.kernel, in.data, min(in.left, (size_t)WORLD_SIZE));
	}
	r.data = (u8 *)WORLD_KERNEL;
	if (!kpt_ring_walk_begin(&w, &r))
		return 0;
	while (records < 1000000 && kpt_ring_walk_next(&w, &info)) {
		MUST(info.seq >= next && info.seq < w.end_seq);
		MUST(info.size >= 8 && w.at % w.size + info.size <= w.size);
		next = info.seq + 1;
		records++;
	}
	MUST(w.pos >= w.end && records * 16 <= w.size);
	return 0;
}
