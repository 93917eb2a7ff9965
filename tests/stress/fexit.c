// SPDX-License-Identifier: GPL-2.0-only
/*
 * fexit FUNCTION: have the kernel call a BPF program that does nothing behind each
 * return of a function, until this program ends. Prints a line once that is so.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What the kernel knows of its own types, whole. */
static char *read_types(void)
{
	int fd = open("/sys/kernel/btf/vmlinux", O_RDONLY);
	struct stat st;
	char *types;
	ssize_t n;
	off_t done = 0;

	if (fd < 0 || fstat(fd, &st) || !(types = malloc(st.st_size)))
		return NULL;
	while (done < st.st_size) {
		n = read(fd, types + done, st.st_size - done);
		if (n <= 0)
			return NULL;
		done += n;
	}
	close(fd);
	return types;
}

/* Bytes behind the head of a type (Documentation/bpf/btf.rst). */
static size_t rest_of(const struct btf_type *t)
{
	unsigned int vlen = BTF_INFO_VLEN(t->info);

	switch (BTF_INFO_KIND(t->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return 4;
	case BTF_KIND_ARRAY:
		return 12;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
	case BTF_KIND_DATASEC:
	case BTF_KIND_ENUM64:
		return 12 * vlen;
	case BTF_KIND_ENUM:
	case BTF_KIND_FUNC_PROTO:
		return 8 * vlen;
	default:
		return 0;
	}
}

/* The number of a function among the types, 0 if it is not there. */
static unsigned int find_function(const char *types, const char *name)
{
	const struct btf_header *h = (const void *)types;
	const char *pos = types + h->hdr_len + h->type_off;
	const char *end = pos + h->type_len;
	const char *names = types + h->hdr_len + h->str_off;
	const struct btf_type *t;
	unsigned int id;

	for (id = 1; pos < end; id++) {
		t = (const void *)pos;
		if (BTF_INFO_KIND(t->info) == BTF_KIND_FUNC &&
		    !strcmp(names + t->name_off, name))
			return id;
		pos += sizeof(*t) + rest_of(t);
	}
	return 0;
}

static int bpf(int cmd, union bpf_attr *attr)
{
	return syscall(SYS_bpf, cmd, attr, sizeof(*attr));
}

/* "return 0" */
static int load(unsigned int function)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K },
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.prog_type = BPF_PROG_TYPE_TRACING;
	attr.expected_attach_type = BPF_TRACE_FEXIT;
	attr.attach_btf_id = function;
	attr.insns = (unsigned long)insns;
	attr.insn_cnt = sizeof(insns) / sizeof(insns[0]);
	attr.license = (unsigned long)"GPL";
	return bpf(BPF_PROG_LOAD, &attr);
}

static int attach(int program)
{
	union bpf_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.raw_tracepoint.prog_fd = program;
	return bpf(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int main(int argc, char **argv)
{
	unsigned int function;
	char *types = read_types();

	if (argc != 2 || !types)
		return 2;
	function = find_function(types, argv[1]);
	if (!function || attach(load(function)) < 0) {
		fprintf(stderr, "fexit: %s: %s\n", argv[1],
			function ? strerror(errno) : "no such function");
		return 1;
	}
	puts("attached");
	fflush(stdout);
	pause();
	return 0;
}
