// SPDX-License-Identifier: GPL-2.0-only
/*
 * kvm ROUNDS: run a guest of a few instructions, one virtual CPU, no devices. In each
 * round it does what KVM has code of its own for: floating point, a system register
 * that traps, a TLB invalidation, memory that has to be mapped, a hypercall, MMIO. It watches
 * that memory by a debug register of its own, and takes the exception of each store.
 * Every number that the guest sends has to be the next one: it sends 0 if the exceptions are not
 * as many, or its register has changed. A guest that sends nothing for a minute is given up.
 */
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <linux/kvm.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* Where the guest has its code, its data, and nothing. */
#define GUEST_CODE	0x40000000UL
#define GUEST_DATA	0x50000000UL
#define GUEST_MMIO	0x60000000UL
/* Where in its code it begins, behind its vectors. */
#define GUEST_ENTRY	0x800

extern const char guest_start[], guest_end[];

/*
 * x21 and x22 are GUEST_DATA and GUEST_MMIO. The MMU is off. The hypercall is
 * PSCI_0_2_FN_PSCI_VERSION, which KVM answers itself. The code begins with a page that has
 * the vector of exceptions from EL1: it counts in x23, has the register watch nothing, and
 * returns to the store. DBGWCR: enabled, for EL1, stores, 8 bytes. MDSCR: MDE, KDE.
 */
asm(".pushsection .rodata\n"
    "	.balign	4\n"
    ".globl	guest_start, guest_end\n"
    "guest_start:\n"
    "	.skip	0x200\n"
    "	add	x23, x23, #1\n"
    "	msr	dbgwcr0_el1, xzr\n"
    "	isb\n"
    "	eret\n"
    "	.skip	0x800 - 0x210\n"
    "	adr	x1, guest_start\n"
    "	msr	vbar_el1, x1\n"
    "	mov	x1, #0x300000\n"
    "	msr	cpacr_el1, x1\n"
    "	msr	oslar_el1, xzr\n"
    "	mov	x1, #0xa000\n"
    "	msr	mdscr_el1, x1\n"
    "	msr	dbgwvr0_el1, x21\n"
    "	isb\n"
    "	msr	daifclr, #8\n"
    "	mov	x20, #0\n"
    "	mov	x23, #0\n"
    "1:	add	x20, x20, #1\n"
    "	mov	x1, #0x1ff3\n"
    "	msr	dbgwcr0_el1, x1\n"
    "	fmov	d0, x20\n"
    "	mrs	x1, id_aa64pfr0_el1\n"
    "	msr	contextidr_el1, x20\n"
    "	tlbi	vmalle1\n"
    "	dsb	ish\n"
    "	isb\n"
    "	str	x20, [x21]\n"
    "	ldr	x19, [x21]\n"
    "	mov	w0, #0x84000000\n"
    "	hvc	#0\n"
    "	fmov	x1, d0\n"
    "	cmp	x1, x19\n"
    "	mrs	x2, dbgwvr0_el1\n"
    "	ccmp	x2, x21, #0, eq\n"
    "	ccmp	x23, x20, #0, eq\n"
    "	csel	x1, x19, xzr, eq\n"
    "	str	x1, [x22]\n"
    "	b	1b\n"
    "guest_end:\n"
    ".popsection\n");

static void *memory(int vm, unsigned int slot, uint64_t guest, size_t size)
{
	struct kvm_userspace_memory_region region = {
		.slot = slot,
		.guest_phys_addr = guest,
		.memory_size = size,
	};
	void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		err(1, "mmap");
	region.userspace_addr = (uintptr_t)p;
	if (ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		err(1, "memory");
	return p;
}

static void set_register(int cpu, uint64_t offset, uint64_t value)
{
	struct kvm_one_reg reg = {
		.id = KVM_REG_ARM64 | KVM_REG_SIZE_U64 | KVM_REG_ARM_CORE | offset / 4,
		.addr = (uintptr_t)&value,
	};

	if (ioctl(cpu, KVM_SET_ONE_REG, &reg))
		err(1, "register");
}

static void init_cpu(int vm, int cpu)
{
	struct kvm_vcpu_init init;

	if (ioctl(vm, KVM_ARM_PREFERRED_TARGET, &init))
		err(1, "target");
	init.features[0] |= 1 << KVM_ARM_VCPU_PSCI_0_2;
	if (ioctl(cpu, KVM_ARM_VCPU_INIT, &init))
		err(1, "init");
	set_register(cpu, offsetof(struct kvm_regs, regs.pc), GUEST_CODE + GUEST_ENTRY);
	set_register(cpu, offsetof(struct kvm_regs, regs.regs[21]), GUEST_DATA);
	set_register(cpu, offsetof(struct kvm_regs, regs.regs[22]), GUEST_MMIO);
}

/* Wait for the next number. */
static void run_round(int cpu, struct kvm_run *run, uint64_t wanted)
{
	uint64_t got;

	if (ioctl(cpu, KVM_RUN, 0))
		err(1, "run");
	if (run->exit_reason != KVM_EXIT_MMIO || !run->mmio.is_write ||
	    run->mmio.phys_addr != GUEST_MMIO || run->mmio.len != sizeof(got))
		errx(1, "exit %u in round %lu", run->exit_reason, wanted);
	memcpy(&got, run->mmio.data, sizeof(got));
	if (got != wanted)
		errx(1, "%lu, not %lu", got, wanted);
}

int main(int argc, char **argv)
{
	uint64_t rounds = argc > 1 ? strtoull(argv[1], NULL, 0) : 100, i;
	size_t page = getpagesize();
	struct kvm_run *run;
	int kvm, vm, cpu;
	void *data;

	alarm(60);
	kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	if (kvm < 0)
		err(1, "/dev/kvm");
	vm = ioctl(kvm, KVM_CREATE_VM, 0);
	if (vm < 0)
		err(1, "no virtual machine");
	memcpy(memory(vm, 0, GUEST_CODE, page), guest_start, guest_end - guest_start);
	data = memory(vm, 1, GUEST_DATA, page);
	cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	if (cpu < 0)
		err(1, "no virtual CPU");
	run = mmap(NULL, ioctl(kvm, KVM_GET_VCPU_MMAP_SIZE, 0), PROT_READ | PROT_WRITE,
		   MAP_SHARED, cpu, 0);
	if (run == MAP_FAILED)
		err(1, "mmap");
	init_cpu(vm, cpu);
	for (i = 1; i <= rounds; i++) {
		/* The guest has to fault on it again. */
		madvise(data, page, MADV_DONTNEED);
		run_round(cpu, run, i);
		alarm(60);
	}
	return 0;
}
