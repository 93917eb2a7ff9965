/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Definitions: lines of kprobe_events as a structure. Only their grammar is
 * checked here, not whether the place exists and may be probed, nor what the
 * arguments mean.
 */
#ifndef KPTRACE_DEF_H
#define KPTRACE_DEF_H

#include "lib/base/diag.h"
#include "lib/record/record.h"

/* Characters of a definition, the NUL included. */
#define KPT_DEF_MAX		4096
/* Characters of a group or event name, the NUL included. */
#define KPT_NAME_MAX		64
#define KPT_MAXACTIVE_MAX	4096
/* Bytes that w watches: at most of a word; at most of a block; and if it does not say. */
#define KPT_LENGTH_MAX		8
#define KPT_BLOCK_MAX		0x80000000ULL
#define KPT_LENGTH_DEFAULT	4
/* Objects that it watches at a time, at most: as many registers as a CPU can have. */
#define KPT_OBJECTS_MAX		16
/* Hits of c a second on each CPU, at most. */
#define KPT_RATE_MAX		10000

enum kpt_def_kind {
	KPT_DEF_NONE,		/* a blank line, or an unknown command */
	KPT_DEF_PROBE,		/* p, f, t, e, w, c */
	KPT_DEF_RETURN,		/* r, or p or f with %return */
	KPT_DEF_DELETE,		/* - or (dynamic_events) ! */
	KPT_DEF_SYNTHETIC,	/* s, or a line of synthetic_events */
	KPT_DEF_USER,		/* u */
};

/* How returns of a function are noticed. */
enum kpt_def_method {
	KPT_METHOD_ANY,		/* at the return instructions if possible */
	KPT_METHOD_RET,		/* rret: at the return instructions only */
	KPT_METHOD_HOOK,		/* rhook: by replacing the return address */
};

/**
 * kpt_def_is_length() - can that many bytes be watched?
 * @n: bytes
 *
 * Context: any.
 * Return: true if they can, at some address.
 */
static inline bool kpt_def_is_length(u64 n)
{
	return n && (n <= KPT_LENGTH_MAX || (n <= KPT_BLOCK_MAX && !(n & (n - 1))));
}

/**
 * struct kpt_span - a part of kpt_def.text
 * @at: offset of its first character, which is also its column
 * @len: its characters; 0 if it was not given
 */
struct kpt_span {
	u16 at;
	u16 len;
};

/**
 * struct kpt_def - a parsed definition
 * @kind: what it defines or deletes
 * @of_function: f: the place is a function, or many
 * @is_pattern: of f: @symbol is for kpt_glob_list_match(), and no exact name
 * @of_tracepoint: t: the place is a tracepoint, and @symbol its name
 * @of_event: e: the place is an event
 * @of_data: w: the place is in memory; it is @symbol, @address, or @by_hits
 * @of_clock: c: the place is a time, which comes @rate times a second
 * @by_command: of a delete line: the form !CMD, which only dynamic_events knows
 * @is_synthetic: a delete line that deletes synthetic events only
 * @group: name before the separator, empty if not given
 * @event: name after the separator, empty if not given
 * @method: of r: how returns are noticed
 * @maxactive: of r: limit of calls in progress, 0 if not given
 * @place: the whole word 1, with a %return suffix; of a delete line the place
 *	to match, empty for any place
 * @module: MOD of MOD:SYM, empty if not given
 * @symbol: SYM, empty if the place is an address
 * @offset: of SYM+offset
 * @address: the place if @symbol is empty
 * @displacement: of w: added to the address of @symbol
 * @by_hits: of w: the place is that of objects that triggers set
 * @objects: of w: how many at a time
 * @structure: of w: the place is in a structure of that type, which is at @symbol or @address;
 *	empty if it is not
 * @member: which member it is, "MEMBER[.MEMBER]..."
 * @each_cpu: of w: the place is that of each CPU's copy
 * @length: of w: bytes that are watched; 0: those of @member
 * @reads: of w: reads of them are wanted
 * @writes: of w: writes are wanted
 * @changes: of w: only writes that change something are
 * @rate: of c: hits a second on each CPU
 * @body: of a synthetic or user event: the text after its name
 * @is_multi: of u: other events of that name may have other fields
 * @is_short: of u: the event goes with the last program that uses it
 * @source_group: of e: group of the event
 * @source_event: of e: its name
 * @has_filter: of e: there is an "if"
 * @filter: of e: the text after "if"
 * @nr_args: number of arguments
 * @arg: the words from 2 on; of a delete line the arguments to match
 * @text: the words of the line, joined by single spaces, in which columns count
 */
struct kpt_def {
	enum kpt_def_kind kind;
	bool of_function;
	bool is_pattern;
	bool of_tracepoint;
	bool of_event;
	bool of_data;
	bool of_clock;
	bool by_command;
	bool is_synthetic;
	struct kpt_span group;
	struct kpt_span event;
	enum kpt_def_method method;
	u16 maxactive;
	struct kpt_span place;
	struct kpt_span module;
	struct kpt_span symbol;
	u32 offset;
	u64 address;
	s64 displacement;
	struct kpt_span structure;
	struct kpt_span member;
	bool each_cpu;
	bool by_hits;
	u8 objects;
	u32 length;
	bool reads;
	bool writes;
	bool changes;
	u32 rate;
	struct kpt_span body;
	bool is_multi;
	bool is_short;
	struct kpt_span source_group;
	struct kpt_span source_event;
	bool has_filter;
	struct kpt_span filter;
	u16 nr_args;
	struct kpt_span arg[KPT_ARGS_MAX];
	char text[KPT_DEF_MAX];
};

int kpt_def_parse(struct kpt_def *def, const char *line, size_t len,
		  struct kpt_diag *diag);
int kpt_def_parse_synthetic(struct kpt_def *def, const char *line, size_t len,
			    struct kpt_diag *diag);
struct kpt_span kpt_def_next_word(const struct kpt_def *def, size_t *at, size_t end);
bool kpt_def_is(const struct kpt_def *def, const struct kpt_span *span,
		const char *word);
unsigned int kpt_def_field_column(const struct kpt_def *def, unsigned int nr,
				  unsigned int n);
void kpt_def_auto_name(const struct kpt_def *def, const char *hashed,
		       char *name);

#endif
