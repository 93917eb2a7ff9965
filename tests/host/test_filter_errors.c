// SPDX-License-Identifier: GPL-2.0-only
/* Filters that are refused, the columns of their carets, and limits. */
#include "lib/base/port.h"
#include "lib/filter/filter.h"
#include "filter_case.h"

/* columns as Linux 7.3 gives them */
static const struct {
	const char *text;
	enum kpt_diag_code code;
	unsigned int column;
} mistakes[] = {
	{ "nofield == 1", KPT_E_FILT_FIELD_NOT_FOUND, 8 },
	{ "a == 1 && nofield == 1", KPT_E_FILT_FIELD_NOT_FOUND, 18 },
	{ "a", KPT_E_FILT_INVALID_OP, 2 },
	{ "a = 1", KPT_E_FILT_INVALID_OP, 3 },
	{ "a !b", KPT_E_FILT_INVALID_OP, 3 },
	{ "(a == 1", KPT_E_FILT_TOO_MANY_OPEN, 0 },
	{ "a == 1 && (b == 2 || (c == 3)", KPT_E_FILT_TOO_MANY_OPEN, 10 },
	{ "(a == 1 && ('(' == b", KPT_E_FILT_TOO_MANY_OPEN, 11 },
	{ "(a == 1 && (b == 2 && (c == 3)", KPT_E_FILT_TOO_MANY_OPEN,
	  11 },
	{ "a == 1)", KPT_E_FILT_TOO_MANY_CLOSE, 6 },
	{ "(a == 1))", KPT_E_FILT_TOO_MANY_CLOSE, 8 },
	{ "s == 'x", KPT_E_FILT_MISSING_QUOTE, 5 },
	{ "s == 'x\"", KPT_E_FILT_MISSING_QUOTE, 5 },
	{ "a == 'x'", KPT_E_FILT_EXPECT_DIGIT, 6 },
	{ "cpu == 'x'", KPT_E_FILT_EXPECT_DIGIT, 8 },
	{ "b.ustring == 'x'", KPT_E_FILT_EXPECT_DIGIT, 14 },
	{ "s == 1", KPT_E_FILT_EXPECT_STRING, 6 },
	{ "comm == 1", KPT_E_FILT_EXPECT_STRING, 9 },
	{ "s < 'x'", KPT_E_FILT_ILLEGAL_FIELD_OP, 5 },
	{ "a ~ 1", KPT_E_FILT_ILLEGAL_FIELD_OP, 5 },
	{ "a == 1x", KPT_E_FILT_ILLEGAL_INTVAL, 6 },
	{ "a == -1", KPT_E_FILT_ILLEGAL_INTVAL, 6 },
	{ "a == 08", KPT_E_FILT_ILLEGAL_INTVAL, 6 },
	{ "a == 0x", KPT_E_FILT_ILLEGAL_INTVAL, 6 },
	{ "a == 18446744073709551616", KPT_E_FILT_ILLEGAL_INTVAL, 6 },
	{ "a == 12345678901234567890123", KPT_E_FILT_ILLEGAL_INTVAL,
	  6 },
	{ "a == 123456789012345678901234", KPT_E_FILT_OPERAND_TOO_LONG,
	  30 },
	{ "common_pid == -9223372036854775809",
	  KPT_E_FILT_ILLEGAL_INTVAL, 15 },
	{ "a == x", KPT_E_FILT_INVALID_VALUE, 6 },
	{ "a ==", KPT_E_FILT_INVALID_VALUE, 5 },
	{ "a && b", KPT_E_FILT_INVALID_VALUE, 4 },
	{ "a == b", KPT_E_FILT_INVALID_VALUE, 6 },
	{ "a == 1 & b == 2", KPT_E_FILT_TOO_MANY_PREDS, 7 },
	{ "a == 1 b == 2", KPT_E_FILT_TOO_MANY_PREDS, 7 },
	{ "(a == 1)(b == 2)", KPT_E_FILT_TOO_MANY_PREDS, 8 },
	{ "a == 1 !", KPT_E_FILT_TOO_MANY_PREDS, 7 },
	{ "a == 1 &&", KPT_E_FILT_INVALID_FILTER, 9 },
	{ "a == 1 || ", KPT_E_FILT_INVALID_FILTER, 10 },
	{ "a == 1 && !", KPT_E_FILT_INVALID_FILTER, 11 },
	{ "!", KPT_E_FILT_NO_FILTER, 1 },
	{ "", KPT_E_FILT_ERRNO, 0 },
	{ " \n", KPT_E_FILT_ERRNO, 0 },
	{ "()", KPT_E_FILT_ERRNO, 0 },
	{ "(!)", KPT_E_FILT_ERRNO, 0 },
	{ "a == 1 && && b == 2", KPT_E_FILT_ERRNO, 0 },
	{ "(a == 1 &&)", KPT_E_FILT_ERRNO, 0 },
	{ "== 1", KPT_E_FILT_ERRNO, 0 },
	{ "cpu & CPUS", KPT_E_FILT_MISSING_BRACE_OPEN, 12 },
	{ "cpu & CPUS[", KPT_E_FILT_MISSING_BRACE_OPEN, 12 },
	{ "cpu & CPUS{1", KPT_E_FILT_MISSING_BRACE_CLOSE, 13 },
	{ "cpu & CPUS{}", KPT_E_FILT_INVALID_CPULIST, 12 },
	{ "cpu & CPUS{8}", KPT_E_FILT_INVALID_CPULIST, 13 },
	{ "cpu & CPUS{x}", KPT_E_FILT_INVALID_CPULIST, 13 },
	{ "cpu < CPUS{1}", KPT_E_FILT_ILLEGAL_FIELD_OP, 7 },
	{ "comm & CPUS{1}", KPT_E_FILT_ILLEGAL_FIELD_OP, 8 },
	{ "s == CPUS{1}", KPT_E_FILT_ILLEGAL_FIELD_OP, 6 },
	{ "b.function == f", KPT_E_FILT_ILLEGAL_FIELD_OP, 15 },
	{ "a.function < f", KPT_E_FILT_INVALID_OP, 14 },
	{ "a.function == nosuch", KPT_E_FILT_NO_FUNCTION, 21 },
	{ "a.function == 0x10", KPT_E_FILT_NO_FUNCTION, 19 },
	{ "a.function == 1y", KPT_E_FILT_INVALID_VALUE, 17 },
	{ "a.function == 123456789012345678901234",
	  KPT_E_FILT_OPERAND_TOO_LONG, 39 },
};

TEST(mistakes_have_their_columns)
{
	size_t i;

	world_reset();
	shape_init(&shape, false);
	shape_add(&shape, "a", KPT_TYPE_X64, 0);
	shape_add(&shape, "b", KPT_TYPE_U32, 0);
	shape_add(&shape, "c", KPT_TYPE_U32, 0);
	shape_add(&shape, "s", KPT_TYPE_STRING, 0);
	for (i = 0; i < ARRAY_SIZE(mistakes); i++) {
		EXPECT(!compile(mistakes[i].text));
		if (diag.code == mistakes[i].code && diag.column == mistakes[i].column)
			continue;
		printf("'%s': %s at %u\n", mistakes[i].text,
		       kpt_diag_text(diag.code), diag.column);
		test_failures++;
	}
}

TEST(long_operands)
{
	char text[KPT_FILTER_MAX + 16], *s;

	setup_text("bash", 5);
	s = text + sprintf(text, "s != '");
	memset(s, 'x', 255);
	strcpy(s + 255, "'");
	EXPECT_EQ(match(text), 1);
	strcpy(s + 255, "x'");
	EXPECT(!compile(text));
	EXPECT_EQ(diag.code, KPT_E_FILT_OPERAND_TOO_LONG);
	EXPECT_EQ(diag.column, 6 + 256 + 1);
	memset(text, ' ', sizeof(text));
	strcpy(text + KPT_FILTER_MAX - 6, "p > 1");
	EXPECT_EQ(match(text), 1);
	memset(text, ' ', sizeof(text));
	strcpy(text + KPT_FILTER_MAX - 5, "p > 1");
	EXPECT(!compile(text));
}

TEST(many_terms_and_deep_parentheses)
{
	char text[KPT_FILTER_MAX] = "", *s = text;
	unsigned int i;

	setup_letters();
	for (i = 0; i < 500; i++)
		s += sprintf(s, "a==%u||", i + 2);
	strcpy(s, "b==2");
	EXPECT_EQ(match(text), 1);
	strcpy(s, "b==3");
	EXPECT_EQ(match(text), 0);
	memset(text, '(', 2000);
	strcpy(text + 2000, "a==1");
	memset(text + 2004, ')', 2000);
	text[4004] = '\0';
	EXPECT_EQ(match(text), 1);
	for (i = 0; i < 1000; i++)
		memcpy(text + 2 * i, "!(", 2);
	memset(text + 2004, ')', 1000);
	text[3004] = '\0';
	EXPECT_EQ(match(text), 1);
	EXPECT(!compile(text + 2));
}

static const char *shown(const char *text)
{
	static char buf[256];
	struct kpt_strbuf sb;

	EXPECT(!compile(text));
	kpt_strbuf_init(&sb, buf, sizeof(buf));
	kpt_filter_show_error(&sb, text, &diag);
	return buf;
}

TEST(error_display)
{
	setup_letters();
	EXPECT_STR(shown("a == 1 b"), "a == 1 b\n       ^\nparse_error: Too many "
		   "terms in predicate expression\n\n");
	EXPECT_STR(shown("(a == 1"),
		   "(a == 1\n^\nparse_error: Too many '('\n\n");
	EXPECT_STR(shown("a"),
		   "a\n ^\nparse_error: Invalid operator\n\n");
	EXPECT_STR(shown(""), "\nError: (0)\n\n");
}

TEST_MAIN
