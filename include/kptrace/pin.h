/* SPDX-License-Identifier: GPL-2.0-only */
/* The module can not go while return addresses lead into it. */
#ifndef KPTRACE_PIN_H
#define KPTRACE_PIN_H

#include <linux/types.h>

/**
 * kpt_pin_get() - a return address is going to be replaced
 *
 * Context: BRK.
 * Return: true, or false if the module is being unloaded: then it must not be.
 */
bool kpt_pin_get(void);

/**
 * kpt_pin_put() - the return happened, or never will
 *
 * Context: any.
 */
void kpt_pin_put(void);

/**
 * kpt_pin_count() - how many return addresses are replaced now
 *
 * Context: any.
 */
unsigned int kpt_pin_count(void);

/**
 * kpt_pin_settle() - let the module be unloaded at once, if nothing hinders it
 *
 * Else that is possible up to a second after the last return.
 *
 * Context: process context, sleeps.
 */
void kpt_pin_settle(void);

/**
 * kpt_pin_exit() - stop the worker
 *
 * Context: module unload.
 */
void kpt_pin_exit(void);

#endif
