// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which instructions does this CPU have? A program tries: a signal handler puts
 * registers and memory as the test wants them and goes to the instruction. The
 * BRK behind it, or its own fault, brings the program back.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ucontext.h>
#include <asm/sigcontext.h>
#include "cpu_test.h"

#define BRK_0 0xd4200000
#define PAGE 4096

static uint32_t *code;
static uint8_t *memory, *stack;
static struct cpu_state state;
static mcontext_t before;
static volatile int ended_by;

/* The vector registers, in as many records as the kernel has for them. */
static void put_vectors(mcontext_t *m)
{
	struct _aarch64_ctx *head = (void *)m->__reserved;
	struct fpsimd_context *fp;
	struct sve_context *sve;
	unsigned int vq, n;

	for (; head->magic; head = (void *)((char *)head + head->size)) {
		if (head->magic == FPSIMD_MAGIC) {
			fp = (void *)head;
			memcpy(fp->vregs, state.z, sizeof(fp->vregs));
			fp->fpcr = 0;
		} else if (head->magic == SVE_MAGIC) {
			sve = (void *)head;
			vq = sve_vq_from_vl(sve->vl);
			if (head->size < SVE_SIG_CONTEXT_SIZE(vq))
				continue;
			memcpy((char *)sve + SVE_SIG_ZREGS_OFFSET, state.z,
			       SVE_SIG_ZREGS_SIZE(vq));
			for (n = 0; n < 17; n++)
				memcpy((char *)sve + SVE_SIG_PREGS_OFFSET(vq) +
					       n * SVE_SIG_PREG_SIZE(vq),
				       state.p + n * CPU_VL / 8,
				       SVE_SIG_PREG_SIZE(vq));
		}
	}
}

static void go(mcontext_t *m)
{
	before = *m;
	put_vectors(m);
	memcpy(m->regs, state.x, sizeof(m->regs));
	m->sp = (uint64_t)stack + PAGE / 2;
	m->pstate = state.pstate & 0xf0000000;
	m->pc = (uint64_t)&code[CPU_PLACE_AT];
}

static void back(mcontext_t *m)
{
	memcpy(m->regs, before.regs, sizeof(m->regs));
	m->sp = before.sp;
	m->pc = before.pc + 4;
	m->pstate = before.pstate;
}

static void on_signal(int sig, siginfo_t *info, void *context)
{
	mcontext_t *m = &((ucontext_t *)context)->uc_mcontext;

	(void)info;
	if (ended_by < 0) {
		ended_by = 0;
		go(m);
	} else {
		ended_by = sig;
		back(m);
	}
}

/*
 * The breakpoint is a signal like any other, but no system call, at which the
 * kernel forgets vectors.
 */
static noinline void go_and_come_back(void)
{
	ended_by = -1;
	if (getauxval(AT_HWCAP) & HWCAP_SVE)
		asm volatile(".inst 0x2518e3e0" ::: "memory"); /* ptrue p0.b */
	asm volatile("brk #1" ::: "memory");
}

/* Memory with nothing on either side. */
static uint8_t *guarded(size_t size, int prot)
{
	uint8_t *at = mmap(NULL, size + 2 * 64 * PAGE, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED || mprotect(at + 64 * PAGE, size, prot))
		exit(2);
	return at + 64 * PAGE;
}

static void set_up(void)
{
	static const int ends[] = { SIGTRAP, SIGILL, SIGSEGV, SIGBUS, SIGFPE };
	struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t alt = { .ss_size = 256 * 1024 };

	alt.ss_sp = malloc(alt.ss_size);
	sigaltstack(&alt, NULL);
	if (getauxval(AT_HWCAP) & HWCAP_SVE)
		prctl(PR_SVE_SET_VL, CPU_VL);
	action.sa_sigaction = on_signal;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		sigaction(ends[i], &action, NULL);
	code = (uint32_t *)guarded(PAGE, PROT_READ | PROT_WRITE | PROT_EXEC);
	memory = guarded(CPU_MEMORY, PROT_READ | PROT_WRITE);
	stack = guarded(PAGE, PROT_READ | PROT_WRITE);
	for (int i = 0; i < CPU_PLACE_WORDS; i++)
		code[i] = BRK_0;
}

static bool try_once(const struct test *t)
{
	fill(t, &state, (uint64_t)memory + CPU_MEMORY / 2, (uint64_t)code);
	memcpy(memory, state.memory, CPU_MEMORY);
	go_and_come_back();
	return ended_by == SIGTRAP;
}

bool trial(const struct test *t)
{
	struct test again = *t;

	if (!code)
		set_up();
	code[CPU_PLACE_AT] = t->word;
	__builtin___clear_cache((char *)&code[CPU_PLACE_AT],
				(char *)&code[CPU_PLACE_AT + 1]);
	for (; again.seed < t->seed + STATES; again.seed++)
		if (!try_once(&again))
			return false;
	return true;
}
