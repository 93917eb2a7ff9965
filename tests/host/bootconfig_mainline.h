/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's parser of boot configurations, for bootconfig_mainline.c. */
#ifndef BOOTCONFIG_MAINLINE_H
#define BOOTCONFIG_MAINLINE_H

#include <stdbool.h>
#include <stddef.h>

/* Write the keys and values of a text, one key a line. False if it is refused. */
bool mainline_flatten(const char *text, size_t size, char *flat, size_t room);

#endif
