/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Just enough of a kernel to compile arm64's decode-insn.c and insn.c on the
 * host: decode_mainline.py includes this before each of them, and replaces their own
 * includes by empty files.
 */
#ifndef DECODE_MAINLINE_H
#define DECODE_MAINLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_KPROBES 1

typedef uint8_t u8;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
typedef int64_t s64;
typedef uint32_t __le32;
typedef u32 probe_opcode_t;
typedef u32 kprobe_opcode_t;
typedef void (*probes_handler_t)(u32 opcode, long addr, struct pt_regs *regs);

struct arch_probe_insn {
	probes_handler_t *insn;
	probes_handler_t handler;
};

struct arch_specific_insn {
	struct arch_probe_insn api;
};

#define __kprobes
#define __always_inline inline __attribute__((__always_inline__))
#define BIT(n) (1UL << (n))
#define GENMASK(h, l) ((~0UL << (l)) & (~0UL >> (63 - (h))))
#define BUILD_BUG_ON(cond) ((void)sizeof(char[1 - 2 * !!(cond)]))
#define BUILD_BUG() ((void)0)
#define pr_err(...) ((void)0)
#define le32_to_cpu(x) (x)
#define cpu_to_le32(x) (x)
#define hweight64(x) __builtin_popcountll(x)
#define fls64(x) (64 - __builtin_clzll(x))
#define __ffs64(x) __builtin_ctzll(x)
#define fls(x) (32 - __builtin_clz(x))
#define __fls(x) (63 - __builtin_clzl(x))
#define __ffs(x) __builtin_ctzl(x)
#define ilog2(x) (31 - __builtin_clz(x))
#define SZ_32 0x20
#define SZ_64 0x40
#define SZ_4K 0x1000
#define SZ_64K 0x10000
#define SZ_1M 0x100000
#define SZ_2M 0x200000
#define SZ_4M 0x400000
#define SZ_128M 0x8000000
#define EINVAL 22
#define FAULT_BRK_IMM 0x100

/* No symbol is found, so that the lines above an instruction do not count. */
static inline int kallsyms_lookup_size_offset(unsigned long addr,
					      unsigned long *size,
					      unsigned long *offset)
{
	(void)addr, (void)size, (void)offset;
	return 0;
}

#endif
