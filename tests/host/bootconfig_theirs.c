// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel's side of bootconfig_mainline.c, compiled with the headers of the kernel's
 * tools/bootconfig.
 */
#include <linux/kernel.h>
#include <linux/bootconfig.h>
#include <stdio.h>
#include "bootconfig_mainline.h"

static int put_values(struct xbc_node *key, char *to, size_t room)
{
	struct xbc_node *value = xbc_node_get_child(key);
	int len = 0;

	if (!value || !xbc_node_is_value(value))
		return snprintf(to, room, "\"\"");
	for (; value; value = xbc_node_get_child(value))
		len += snprintf(to + len, room - len, "\"%s\"%s",
				xbc_node_get_data(value), value->child ? ", " : "");
	return len;
}

bool mainline_flatten(const char *text, size_t size, char *flat, size_t room)
{
	struct xbc_node *leaf = NULL;
	char key[XBC_KEYLEN_MAX];
	const char *value;
	size_t len = 0;

	if (xbc_init(text, size, NULL, NULL) < 0)
		return false;
	xbc_for_each_key_value(leaf, value) {
		xbc_node_compose_key(leaf, key, sizeof(key));
		len += snprintf(flat + len, room - len, "%s = ", key);
		len += put_values(leaf, flat + len, room - len);
		len += snprintf(flat + len, room - len, "\n");
	}
	_xbc_exit(false);
	return true;
}
