// SPDX-License-Identifier: GPL-2.0-only
/* Damages memory that is reserved, see tests/crash/run: loading it flips bits. */
#include <linux/io.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

static unsigned long address;
module_param(address, ulong, 0);
static unsigned long size;
module_param(size, ulong, 0);

/* Of a million bits so many are flipped; more than a million: all bytes are random. */
static unsigned int rate;
module_param(rate, uint, 0);
static unsigned long seed = 1;
module_param(seed, ulong, 0);

static u32 next_number(void)
{
	seed = seed * 6364136223846793005UL + 1442695040888963407UL;
	return seed >> 32;
}

static u8 damage(void)
{
	u8 bits = 0;
	int i;

	if (rate > 1000000)
		return next_number() >> 8;
	for (i = 0; i < 8; i++)
		bits |= (next_number() % 1000000 < rate) << i;
	return bits;
}

static int __init flip_init(void)
{
	u8 *mem = memremap(address, size, MEMREMAP_WB);
	unsigned long i, bits = 0;
	u8 flip;

	if (!mem)
		return -ENOMEM;
	for (i = 0; i < size; i++) {
		flip = damage();
		mem[i] ^= flip;
		bits += hweight8(flip);
	}
	memunmap(mem);
	pr_info("flip: %lu of %lu bits\n", bits, size * 8);
	return 0;
}

static void __exit flip_exit(void)
{
}

module_init(flip_init);
module_exit(flip_exit);
MODULE_DESCRIPTION("Flips bits of reserved memory, for tests of kptrace");
MODULE_LICENSE("GPL");
