// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a fuzz target over files, without a fuzzer. A finding ends the program,
 * so the name of the input is told first.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint8_t *read_file(const char *name, size_t *size)
{
	uint8_t *data = NULL;
	FILE *f = fopen(name, "rb");
	long end;

	if (f && !fseek(f, 0, SEEK_END) && (end = ftell(f)) >= 0) {
		rewind(f);
		data = malloc((size_t)end ? (size_t)end : 1);
		*size = fread(data, 1, (size_t)end, f);
	}
	if (f)
		fclose(f);
	return data;
}

int main(int argc, char **argv)
{
	int i, passed = 0, failed = 0;
	uint8_t *data;
	size_t size;

	for (i = 1; i < argc; i++) {
		data = read_file(argv[i], &size);
		if (!data) {
			fprintf(stderr, "%s: can not be read\n", argv[i]);
			failed++;
			continue;
		}
		fprintf(stderr, "%s\n", argv[i]);
		LLVMFuzzerTestOneInput(data, size);
		free(data);
		passed++;
	}
	printf("%d passed, %d failed, 0 skipped\n", passed, failed);
	return failed || !passed;
}
