/* SPDX-License-Identifier: GPL-2.0-only */
/* The world that port_host.c shows to portable code, for tests to arrange. */
#ifndef WORLD_H
#define WORLD_H

#include "lib/base/port.h"

#define WORLD_SIZE 0x10000
/* First address of the kernel arena and of the user arena. */
#define WORLD_KERNEL 0xffff800010000000ULL
#define WORLD_USER 0x0000aaaa00000000ULL

/* Offsets in struct dentry and struct file, different from all other test values. */
#define WORLD_DENTRY_NAME 0x28
#define WORLD_FILE_DENTRY 0x98

struct world_symbol {
	const char *name;
	u64 addr;
	u64 size;
};

/**
 * struct world - memory, task and symbols
 * @kernel: bytes at WORLD_KERNEL
 * @kernel_fault: a byte that is not 0 makes the byte of @kernel unreadable
 * @user: bytes at WORLD_USER
 * @user_fault: likewise for @user
 * @comm: name of the current task
 * @tgid: its process
 * @uid: its user
 * @cgroup: its control group
 * @comm_hook: if set, called when @comm is read: what another CPU does in the
 *	middle of what the code under test does
 * @is_other_cpu: port_scratch() is that of another CPU
 * @task: address of the current task
 * @percpu_offset: added by port_this_cpu_ptr()
 * @symbols: what kallsyms would know
 * @nr_symbols: how many of @symbols are set
 * @text_goes: what port_symbol_stays() is asked for is no text that stays
 * @no_data_symbols: an unknown symbol may be one that kallsyms does not list
 * @btf: types of @func, NULL for none
 * @func: number of the only function that has types
 * @func_addr: its entry
 * @func_users: how many have its types now
 * @reads: calls of the port_read family so far
 * @bytes: bytes that they could read
 * @fpreg: the SIMD&FP registers, low half first
 * @fpreg_writes: calls of kpt_arch_write_fpreg() so far
 */
struct world {
	u8 kernel[WORLD_SIZE];
	u8 kernel_fault[WORLD_SIZE];
	u8 user[WORLD_SIZE];
	u8 user_fault[WORLD_SIZE];
	char comm[PORT_COMM_LEN];
	s32 tgid;
	u32 uid;
	u64 cgroup;
	void (*comm_hook)(void);
	bool is_other_cpu;
	u64 task;
	u64 percpu_offset;
	struct world_symbol symbols[16];
	size_t nr_symbols;
	bool text_goes;
	bool no_data_symbols;
	const struct kpt_btf *btf;
	u32 func;
	u64 func_addr;
	int func_users;
	unsigned long reads;
	unsigned long bytes;
	u64 fpreg[32][2];
	unsigned long fpreg_writes;
};

extern struct world world;

/* Empty memory, no faults, no symbols, a task called "hosttest". */
void world_reset(void);
size_t world_symbol_name(char *dst, size_t size, u64 addr, u64 before);

/* @size readable bytes at a kernel address, or NULL. */
const u8 *world_kernel(u64 addr, size_t size);

/* @size readable bytes at a user address, or NULL. */
const u8 *world_user(u64 addr, size_t size);

#endif
