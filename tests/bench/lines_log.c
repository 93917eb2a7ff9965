// SPDX-License-Identifier: GPL-2.0-only
/*
 * A plugin of QEMU, for tests/bench/lines: while there is a file ON, it appends to the file LOG
 * what the guest's kernel does, as struct access: which blocks of instructions it enters, and
 * which lines of memory it reads and writes.
 *
 * The plugin interface is declared here as far as it is used, since QEMU's header is not
 * everywhere where QEMU is.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "lines.h"

struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_plugin_hwaddr;

#define NO_REGS 0
#define READ_WRITE 3

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id,
		void (*call)(uint64_t id, struct qemu_plugin_tb *tb));
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb,
		void (*call)(unsigned int cpu, void *data), int flags, void *data);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *insn,
		void (*call)(unsigned int cpu, uint32_t info, uint64_t addr, void *data),
		int flags, int what, void *data);
void qemu_plugin_register_atexit_cb(uint64_t id, void (*call)(uint64_t id, void *data),
		void *data);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t nr);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *insn);
bool qemu_plugin_mem_is_store(uint32_t info);
struct qemu_plugin_hwaddr *qemu_plugin_get_hwaddr(uint32_t info, uint64_t addr);
uint64_t qemu_plugin_hwaddr_phys_addr(const struct qemu_plugin_hwaddr *addr);
bool qemu_plugin_hwaddr_is_io(const struct qemu_plugin_hwaddr *addr);

int qemu_plugin_version = 2;
int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv);

static const char *on_file;
static volatile bool on;
static FILE *log_file;

/* CPUs are threads. Where they take turns, QEMU tells the plugin that all are the first one. */
static void append(unsigned int cpu, enum kind kind, uint64_t at)
{
	struct access a = { .at = at, .cpu = cpu, .kind = kind };

	fwrite(&a, sizeof(a), 1, log_file);
}

static void entered(unsigned int cpu, void *pc)
{
	if (on)
		append(cpu, ENTERED, (uintptr_t)pc);
}

static void accessed(unsigned int cpu, uint32_t info, uint64_t addr, void *data)
{
	struct qemu_plugin_hwaddr *hw;

	(void)data;
	if (!on)
		return;
	hw = qemu_plugin_get_hwaddr(info, addr);
	if (hw && !qemu_plugin_hwaddr_is_io(hw))
		append(cpu, qemu_plugin_mem_is_store(info) ? WRITTEN : READ,
		       qemu_plugin_hwaddr_phys_addr(hw) / LINE);
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, 0);
	uint64_t pc = qemu_plugin_insn_vaddr(insn);
	size_t i;

	(void)id;
	/* Not user mode. */
	if (!(pc >> 63))
		return;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, entered, NO_REGS, (void *)(uintptr_t)pc);
	for (i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), accessed,
						 NO_REGS, READ_WRITE, NULL);
}

static void *watch(void *unused)
{
	for (;; usleep(20000)) {
		if (on && access(on_file, F_OK)) {
			on = false;
			fflush(log_file);
		} else if (!on) {
			on = !access(on_file, F_OK);
		}
	}
	return unused;
}

static void ended(uint64_t id, void *data)
{
	(void)id;
	(void)data;
	on = false;
	fclose(log_file);
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
	pthread_t thread;
	int i;

	(void)info;
	for (i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "on=", 3))
			on_file = strdup(argv[i] + 3);
		if (!strncmp(argv[i], "log=", 4))
			log_file = fopen(argv[i] + 4, "w");
	}
	if (!on_file || !log_file || pthread_create(&thread, NULL, watch, NULL))
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
