/* SPDX-License-Identifier: GPL-2.0-only */
/* A fuzzer's bytes, taken one by one; zeroes when they are used up. */
#ifndef INPUT_H
#define INPUT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct input {
	const uint8_t *data;
	size_t left;
};

static inline uint8_t input_byte(struct input *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->data++;
}

static inline uint16_t input_word(struct input *in)
{
	uint16_t low = input_byte(in);

	return (uint16_t)(low | input_byte(in) << 8);
}

/* What must hold of every input. */
#define MUST(cond)                                                             \
	do {                                                                   \
		if (!(cond)) {                                                 \
			fprintf(stderr, "%s:%d: not so: %s\n", __FILE__,       \
				__LINE__, #cond);                              \
			abort();                                               \
		}                                                              \
	} while (0)

#endif
