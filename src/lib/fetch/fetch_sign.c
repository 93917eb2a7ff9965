// SPDX-License-Identifier: GPL-2.0-only
/* What was meant by a name that is none: a register, or a variable, without its sign. */
#include "lib/base/port.h"
#include "insn/insn.h"
#include "lib/fetch/fetch_internal.h"
#include "lib/base/lex.h"

static bool is_variable(const char *s, size_t len)
{
	struct kpt_fetch_expr unused = { 0 };
	size_t n = len;

	while (n && kpt_lex_is_digit(s[n - 1]))
		n--;
	if (n < len)
		return kpt_lex_is(s, n, "arg") || kpt_lex_is(s, n, "stack");
	return kpt_lex_is(s, len, "retval") || kpt_lex_is(s, len, "stack") ||
	       kpt_lex_is(s, len, "comm") || kpt_lex_is(s, len, "current") ||
	       kpt_lex_is(s, len, "elapsed") || kpt_fetch_task(s, len, &unused);
}

/**
 * kpt_fetch_tell_sign() - add what may have been meant to the reason why a name is refused
 * @ctx: context, its reason set
 * @arg: the name
 *
 * Context: any.
 */
void kpt_fetch_tell_sign(struct kpt_fetch_ctx *ctx, const struct kpt_span *arg)
{
	const char *s = kpt_fetch_text(ctx, arg);
	/* Functions and tracepoints have no registers, see leaf_register(). */
	bool is_register = !ctx->def->of_function && !ctx->def->of_tracepoint &&
			   kpt_reg_by_name(s, arg->len) >= 0;
	struct kpt_diag *diag = ctx->diag;
	struct kpt_strbuf sb;

	if (!is_register && !is_variable(s, arg->len))
		return;
	kpt_strbuf_init(&sb, diag->detail, sizeof(diag->detail));
	kpt_strbuf_printf(&sb, "did you mean %c%.*s?", is_register ? '%' : '$', (int)arg->len, s);
}
