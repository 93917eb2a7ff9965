// SPDX-License-Identifier: GPL-2.0-only
/*
 * kernelshark FILE: print what KernelShark shows of a trace.dat, by its library: a line
 * for each entry, fields divided by semicolons.
 */

#include <stdio.h>
#include <stdlib.h>
#include <kernelshark/libkshark.h>

int main(int argc, char **argv)
{
	struct kshark_context *context = NULL;
	struct kshark_entry **entries = NULL;
	int stream;
	ssize_t nr, i;

	if (argc != 2 || !kshark_instance(&context))
		return 2;
	stream = kshark_open(context, argv[1]);
	if (stream < 0) {
		fprintf(stderr, "kernelshark: cannot open %s\n", argv[1]);
		return 1;
	}
	nr = kshark_load_entries(context, stream, &entries);
	for (i = 0; i < nr; i++) {
		char *text = kshark_dump_entry(entries[i]);

		puts(text ? text : "?");
		free(text);
		free(entries[i]);
	}
	free(entries);
	kshark_close_all(context);
	kshark_free(context);
	return nr < 0;
}
