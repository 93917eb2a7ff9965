/* SPDX-License-Identifier: GPL-2.0-only */
/* Free memory for what hits keep of calls: a stock of each CPU. */
#ifndef KPTRACE_STOCK_H
#define KPTRACE_STOCK_H

/* Bytes of each piece of memory: as many as a call has at most. */
#define KPT_STOCK_SIZE	192

void *kpt_stock_get(void);
void kpt_stock_give(void *piece);
void kpt_stock_kick(void);
int kpt_stock_init(void (*reap)(void));
void kpt_stock_exit(void);
void kpt_stock_free(void);

#endif
