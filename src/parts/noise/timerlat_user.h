/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads of programs that timerlat measures: readers of osnoise/per_cpu/cpuN/timerlat_fd. */
#ifndef KPTRACE_HIT_TIMERLAT_USER_H
#define KPTRACE_HIT_TIMERLAT_USER_H

#include <linux/percpu.h>
#include <linux/types.h>

struct kpt_noise_cpu;

struct kpt_timerlat_user *kpt_timerlat_user_open(unsigned int number);
int kpt_timerlat_user_read(struct kpt_timerlat_user *user);
void kpt_timerlat_user_release(struct kpt_timerlat_user *user);

/* For src/parts/noise/noise.c. */
void kpt_timerlat_users_begin(struct kpt_noise_cpu __percpu *cpus);
void kpt_timerlat_users_end(void);
void kpt_timerlat_user_kill(struct kpt_noise_cpu *cpu);

/* timerlat.c */
void kpt_timerlat_prepare(struct kpt_noise_cpu *cpu);
void kpt_timerlat_arm(struct kpt_noise_cpu *cpu);
void kpt_timerlat_report(struct kpt_noise_cpu *cpu, s32 who);

#endif
