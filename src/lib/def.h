/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One line of kprobe_events as a structure: grammar only. Whether the place
 * exists, may be probed, or the arguments make sense is for others to say.
 */
#ifndef KPTRACE_DEF_H
#define KPTRACE_DEF_H

#include "lib/diag.h"
#include "lib/record.h"

/* Characters of a definition, the NUL included. */
#define KPT_DEF_MAX		4096
/* Characters of a group or event name, the NUL included. */
#define KPT_NAME_MAX		64
#define KPT_MAXACTIVE_MAX	4096

enum kpt_def_kind {
	KPT_DEF_NONE,		/* a blank line, or no command of ours */
	KPT_DEF_PROBE,		/* p, f */
	KPT_DEF_RETURN,		/* r, or p or f with %return */
	KPT_DEF_DELETE,		/* - or (dynamic_events) ! */
};

/* How a return is to be seen. */
enum kpt_def_method {
	KPT_METHOD_ANY,		/* at the return instructions if that will do */
	KPT_METHOD_RET,		/* rret: at the return instructions or not at all */
	KPT_METHOD_HOOK,		/* rhook: by replacing the return address */
};

/**
 * struct kpt_span - a piece of kpt_def.text
 * @at: offset of its first character, which is also its column
 * @len: characters; 0 if it was not given
 */
struct kpt_span {
	u16 at;
	u16 len;
};

/**
 * struct kpt_def - a definition taken apart
 * @kind: what it asks for
 * @of_function: f: the place is a function, not any instruction
 * @by_command: delete: the !CMD form, which only dynamic_events understands
 * @text: the words of the line, joined by single spaces; columns count in it
 * @group: name before the separator, empty if not given
 * @event: name after it, empty if not given (an automatic name is wanted)
 * @method: of r, how to do it
 * @maxactive: of r, 0 if not given
 * @place: word 1 whole, a %return suffix included; of a delete line the place
 *	to match, empty if any will do
 * @module: MOD of MOD:SYM, empty if not given
 * @symbol: SYM, empty if the place is an address
 * @offset: of SYM+offset
 * @address: if @symbol is empty
 * @nr_args: number of arguments
 * @arg: words 2 and following, whole; of a delete line the arguments to match
 */
struct kpt_def {
	enum kpt_def_kind kind;
	bool of_function;
	bool by_command;
	struct kpt_span group;
	struct kpt_span event;
	enum kpt_def_method method;
	u16 maxactive;
	struct kpt_span place;
	struct kpt_span module;
	struct kpt_span symbol;
	u32 offset;
	u64 address;
	u16 nr_args;
	struct kpt_span arg[KPT_ARGS_MAX];
	char text[KPT_DEF_MAX];
};

int kpt_def_parse(struct kpt_def *def, const char *line, size_t len,
		  struct kpt_diag *diag);
void kpt_def_auto_name(const struct kpt_def *def, const char *hashed,
		       char *name);

#endif
