/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of numbers that every program knows: errors, signals, capabilities, system calls. */
#ifndef KPTRACE_NAMES_H
#define KPTRACE_NAMES_H

#include "lib/base/port.h"

/* Bytes of a name, the NUL included. */
#define KPT_NUMBER_NAME_MAX 64

/**
 * struct kpt_name_run - numbers that follow each other, and have names
 * @first: the least one
 * @nr: how many
 * @name: their names without @prefix; NULL in the place of one that has none. NULL if
 *	they are numbers of system calls: the kernel has the names of these
 */
struct kpt_name_run {
	s64 first;
	u16 nr;
	const char *const *name;
};

/**
 * struct kpt_names - the names of numbers of a type. A number that has none is its own name
 * @prefix: what all names begin with
 * @nr: number of runs
 * @run: the runs
 */
struct kpt_names {
	const char *prefix;
	u16 nr;
	const struct kpt_name_run *run;
};

extern const struct kpt_names kpt_error_names, kpt_signal_names, kpt_cap_names, kpt_uid_names,
	kpt_syscall_names;

u16 kpt_name_run_nr(const struct kpt_name_run *run);
bool kpt_number_name(const struct kpt_names *names, s64 number, char *text);
bool kpt_number_of_name(const struct kpt_names *names, const char *s, size_t len,
			s64 *number);

#endif
