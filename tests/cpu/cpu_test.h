/* SPDX-License-Identifier: GPL-2.0-only */
/* One instruction, bare and probed: the program that runs in the guest. */
#ifndef CPU_TEST_H
#define CPU_TEST_H

#include <stdbool.h>
#include <stdint.h>
#include "../kmod/cpu.h"

/* The tests' seam names this type, which here is another one of that size. */
#define __u64 port_u64
#include "insn/decoder.h"
#undef __u64

/* States that each instruction is run from; the last one with a fault behind. */
#define STATES 3

/* What vector registers hold that a load or store takes its addresses from. */
enum vectors {
	ANY,
	OFFSETS,
	POINTERS,
	/* Predicates are false: 32-bit addresses do not reach the kernel. */
	NO_LANES,
};

/**
 * struct test - an instruction and what it needs
 * @row: row of the decoder's table
 * @word: the instruction
 * @pointers: general registers, as bits, that point to memory
 * @offsets: those that are a small number
 * @landing: those that point to a word of its place
 * @vectors: what V and Z registers are
 * @user: its memory is that of a user, not the kernel's
 * @sign: key to sign @signed_reg with, see struct cpu_run
 * @signed_reg: the register
 * @modifier: register with the modifier
 * @fault: register that a load behind it faults through, if it still can
 * @seed: of the first state that it is run from; the next one is of the next
 */
struct test {
	unsigned int row;
	uint32_t word;
	uint32_t pointers;
	uint32_t offsets;
	uint32_t landing;
	enum vectors vectors;
	bool user;
	unsigned int sign;
	unsigned int signed_reg;
	unsigned int modifier;
	unsigned int fault;
	uint64_t seed;
};

/* Random numbers, from the seed of the run. */
uint64_t any(void);
extern uint64_t any_state;

/**
 * fill() - the state that a test is run from
 * @t: the test
 * @s: the state
 * @memory: address of the middle of the memory
 * @place: address of its place
 */
void fill(const struct test *t, struct cpu_state *s, uint64_t memory,
	  uint64_t place);

/* words.c */

/**
 * choose() - an instruction of a row
 * @row: the row
 * @n: the first, second, ... one of it
 * @info: what the CPU has
 * @t: result
 *
 * Return: false if this CPU does not execute the row, or no more of them.
 */
bool choose(unsigned int row, unsigned int n, const struct cpu_info *info,
	    struct test *t);

/* trial.c */

/**
 * trial() - does a program on this CPU execute an instruction?
 * @t: the instruction, tried from all its states
 *
 * Return: false if there was a signal.
 */
bool trial(const struct test *t);

#endif
