/* SPDX-License-Identifier: GPL-2.0-only */
/* The engine proves itself before the module says it is ready. */
#ifndef KPTRACE_SELFTEST_H
#define KPTRACE_SELFTEST_H

/**
 * kpt_selftest_run() - probe functions of our own in every mode
 *
 * Also measures &kpt_arch_preempt_bias. Says in the kernel log which check
 * failed.
 *
 * Context: module load, after kpt_arch_init().
 * Return: 0, or -EIO: this kernel can not be probed.
 */
int kpt_selftest_run(void);

#endif
