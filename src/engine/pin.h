/* SPDX-License-Identifier: GPL-2.0-only */
/* The module can not go while return addresses lead into it. */
#ifndef KPTRACE_PIN_H
#define KPTRACE_PIN_H

#include <linux/types.h>

bool kpt_pin_get(void);
void kpt_pin_put(void);
unsigned int kpt_pin_count(void);
void kpt_pin_settle(void);
void kpt_pin_exit(void);

#endif
