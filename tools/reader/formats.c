// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fields are shown: what the recipe says in columns, FIELD:FORMAT:TITLE; formats.awk does the
 * same. Environment: KPT_COLUMNS, one a line.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "reader.h"

struct column *columns;
unsigned int nr_columns;

#define NR_OF(list)	(sizeof(list) / sizeof(*(list)))

/* Names of numbers, NULL of one that has none. */
static const char *const signals[] = {
	[1] = "SIGHUP", "SIGINT", "SIGQUIT", "SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS",
	"SIGFPE", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM",
	"SIGTERM", "SIGSTKFLT", "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN",
	"SIGTTOU", "SIGURG", "SIGXCPU", "SIGXFSZ", "SIGVTALRM", "SIGPROF", "SIGWINCH",
	"SIGIO", "SIGPWR", "SIGSYS",
};

static const char *const tcp_states[] = {
	[1] = "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT",
	"CLOSE", "CLOSE_WAIT", "LAST_ACK", "LISTEN", "CLOSING", "NEW_SYN_RECV",
};

static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED",
	"HRTIMER", "RCU",
};

static const char *const block_operations[] = {
	"READ", "WRITE", "FLUSH", "DISCARD", [5] = "SECURE_ERASE", [7] = "ZONE_APPEND",
	[9] = "WRITE_ZEROES",
};

static const char *const families[] = {
	"UNSPEC", "UNIX", "INET", [10] = "INET6", [16] = "NETLINK", "PACKET",
};

static const char *const socket_types[] = {
	[1] = "STREAM", "DGRAM", "RAW", "RDM", "SEQPACKET",
};

static const char *const protocols[] = {
	"IP", "ICMP", "IGMP", [6] = "TCP", [17] = "UDP",
};

static const char *const errors[] = {
	[1] = "EPERM", "ENOENT", "ESRCH", "EINTR", "EIO", "ENXIO", "E2BIG", "ENOEXEC",
	"EBADF", "ECHILD", "EAGAIN", "ENOMEM", "EACCES", "EFAULT", "ENOTBLK", "EBUSY",
	"EEXIST", "EXDEV", "ENODEV", "ENOTDIR", "EISDIR", "EINVAL", "ENFILE", "EMFILE",
	"ENOTTY", "ETXTBSY", "EFBIG", "ENOSPC", "ESPIPE", "EROFS", "EMLINK", "EPIPE",
	"EDOM", "ERANGE", "EDEADLK", "ENAMETOOLONG", "ENOLCK", "ENOSYS", "ENOTEMPTY",
	"ELOOP", [42] = "ENOMSG", "EIDRM", "ECHRNG", "EL2NSYNC", "EL3HLT", "EL3RST",
	"ELNRNG", "EUNATCH", "ENOCSI", "EL2HLT", "EBADE", "EBADR", "EXFULL", "ENOANO",
	"EBADRQC", "EBADSLT", [59] = "EBFONT", "ENOSTR", "ENODATA", "ETIME", "ENOSR",
	"ENONET", "ENOPKG", "EREMOTE", "ENOLINK", "EADV", "ESRMNT", "ECOMM", "EPROTO",
	"EMULTIHOP", "EDOTDOT", "EBADMSG", "EOVERFLOW", "ENOTUNIQ", "EBADFD", "EREMCHG",
	"ELIBACC", "ELIBBAD", "ELIBSCN", "ELIBMAX", "ELIBEXEC", "EILSEQ", "ERESTART",
	"ESTRPIPE", "EUSERS", "ENOTSOCK", "EDESTADDRREQ", "EMSGSIZE", "EPROTOTYPE",
	"ENOPROTOOPT", "EPROTONOSUPPORT", "ESOCKTNOSUPPORT", "EOPNOTSUPP", "EPFNOSUPPORT",
	"EAFNOSUPPORT", "EADDRINUSE", "EADDRNOTAVAIL", "ENETDOWN", "ENETUNREACH",
	"ENETRESET", "ECONNABORTED", "ECONNRESET", "ENOBUFS", "EISCONN", "ENOTCONN",
	"ESHUTDOWN", "ETOOMANYREFS", "ETIMEDOUT", "ECONNREFUSED", "EHOSTDOWN",
	"EHOSTUNREACH", "EALREADY", "EINPROGRESS", "ESTALE", "EUCLEAN", "ENOTNAM",
	"ENAVAIL", "EISNAM", "EREMOTEIO", "EDQUOT", "ENOMEDIUM", "EMEDIUMTYPE", "ECANCELED",
	"ENOKEY", "EKEYEXPIRED", "EKEYREVOKED", "EKEYREJECTED", "EOWNERDEAD",
	"ENOTRECOVERABLE", "ERFKILL",
};

static const struct names {
	const char *format;
	const char *const *names;
	unsigned int nr;
} names[] = {
	{ "signal", signals, NR_OF(signals) },
	{ "tcp_state", tcp_states, NR_OF(tcp_states) },
	{ "softirq", softirqs, NR_OF(softirqs) },
	{ "blkop", block_operations, NR_OF(block_operations) },
	{ "family", families, NR_OF(families) },
	{ "socktype", socket_types, NR_OF(socket_types) },
	{ "protocol", protocols, NR_OF(protocols) },
};

static const struct names error_names = { "errno", errors, NR_OF(errors) };

/* The next part of @rest, up to @c. */
static struct text next_part(struct text *rest, char c)
{
	const char *end = rest->at + rest->len;
	const char *at = rest->len ? memchr(rest->at, c, rest->len) : NULL;
	struct text part = text_from(rest->at, at ? at : end);

	*rest = text_from(at ? at + 1 : end, end);
	return part;
}

static struct text title_of(struct text field)
{
	char *title = more_memory(NULL, field.len + 1);
	size_t i;

	for (i = 0; i < field.len; i++)
		title[i] = field.at[i] - (field.at[i] >= 'a' && field.at[i] <= 'z' ? 32 : 0);
	return (struct text){ title, field.len };
}

void take_columns(void)
{
	const char *given = getenv("KPT_COLUMNS");
	struct text rest = text_of(given ? given : ""), line;
	struct column *c;

	while (rest.len) {
		line = next_part(&rest, '\n');
		if (!line.len)
			continue;
		columns = more_memory(columns, (nr_columns + 1) * sizeof(*columns));
		c = &columns[nr_columns++];
		c->field = next_part(&line, ':');
		c->format = next_part(&line, ':');
		c->title = next_part(&line, ':');
		if (!c->title.len)
			c->title = title_of(c->field);
	}
}

bool has_column(const char *field)
{
	unsigned int i;

	for (i = 0; i < nr_columns; i++)
		if (text_is(columns[i].field, field))
			return true;
	return false;
}

/* The name of a number in a list; without one, the number. */
static void put_name(struct buffer *b, const struct names *list, double n)
{
	bool is_integer = n == (double)(long long)n;

	if (is_integer && n >= 0 && n < list->nr && list->names[(size_t)n])
		put(b, list->names[(size_t)n]);
	else if (is_integer && n >= 0 && n <= UINT_MAX)
		put_number(b, n);
	else
		put_format(b, is_integer ? "%.0f" : "%.6g", n);
}

static void put_error(struct buffer *b, double value)
{
	static struct buffer name;

	name.len = 0;
	put_name(&name, &error_names, -value);
	if (is_digit(*name.at))
		put(b, "error ");
	put_text(b, text_in(&name));
}

/* With three digits, or with all those before the point. */
static void put_digits(struct buffer *b, double n, const char *unit)
{
	if (n >= 99.95) {
		put_format(b, "%.0f", n);
	} else {
		put_format(b, n < 9.995 ? "%.2f" : "%.1f", n);
		while (b->at[b->len - 1] == '0')
			b->len--;
		if (b->at[b->len - 1] == '.')
			b->len--;
	}
	put(b, unit);
}

static void put_unit(struct buffer *b, double ns)
{
	if (ns < 1000)
		put_format(b, "%lld ns", (long long)ns);
	else if (ns < 999500)
		put_digits(b, ns / 1e3, " us");
	else if (ns < 999.5e6)
		put_digits(b, ns / 1e6, " ms");
	else
		put_digits(b, ns / 1e9, " s");
}

/* Of a number that is shown as unsigned, but is signed: "-" and its amount, else as it is. */
static void put_signed(struct buffer *b, struct text value)
{
	char digits[32];
	unsigned long long n;

	if (!text_is_integer(value) || *value.at == '-' || value.len < 19 || value.len > 20) {
		put_text(b, value);
		return;
	}
	memcpy(digits, value.at, value.len);
	digits[value.len] = 0;
	n = strtoull(digits, NULL, 10);
	if (n >> 63)
		put_format(b, "-%llu", 0 - n);
	else
		put_text(b, value);
}

static void put_result(struct buffer *b, struct text value)
{
	static struct buffer number;

	number.len = 0;
	put_signed(&number, value);
	if (number_of(text_in(&number)) < 0)
		put_error(b, number_of(text_in(&number)));
	else
		put_text(b, text_in(&number));
}

static void put_exit(struct buffer *b, long long code)
{
	if (code % 128)
		put_name(b, &names[0], code % 128);
	else
		put_format(b, "%lld", code / 256);
}

static void put_call(struct buffer *b, struct text value)
{
	static const char *const prefixes[] = { "__arm64_sys_", "__arm64_compat_sys_" };
	size_t i;

	for (i = 0; i < 2; i++)
		if (text_begins(value, prefixes[i])) {
			value = text_from(value.at + strlen(prefixes[i]), value.at + value.len);
			break;
		}
	put_text(b, value);
}

static bool is_string(struct text t)
{
	return t.len > 1 && *t.at == '"' && t.at[t.len - 1] == '"';
}

static struct text without_quotes(struct text t)
{
	return is_string(t) ? text_from(t.at + 1, t.at + t.len - 1) : t;
}

static const struct names *names_of(struct text format)
{
	size_t i;

	for (i = 0; i < NR_OF(names); i++)
		if (text_is(format, names[i].format))
			return &names[i];
	return NULL;
}

/* A value as people read it; @time is that of the hit. */
void put_shown(struct buffer *b, struct text format, struct text value, struct text time)
{
	const struct names *list = names_of(format);
	double n = number_of(value);

	if (text_is(value, "(fault)") || !value.len)
		put_text(b, value);
	else if (list)
		put_name(b, list, n);
	else if (text_is(format, "time"))
		put_unit(b, n);
	else if (text_is(format, "since"))
		put_unit(b, number_of(time) * 1e9 - n);
	else if (text_is(format, "usecs"))
		put_unit(b, n * 1000);
	else if (text_is(format, "result") || text_is(format, "errno"))
		put_result(b, value);
	else if (text_is(format, "signed"))
		put_signed(b, value);
	else if (text_is(format, "dev"))
		put_format(b, "%lld:%lld", (long long)n / 1048576, (long long)n % 1048576);
	else if (text_is(format, "exit"))
		put_exit(b, n);
	else if (text_is(format, "syscall"))
		put_call(b, value);
	else if (text_is(format, "name") && is_string(value))
		put_task(b, &(struct record){ .task = without_quotes(value) });
	else
		put_text(b, value);
}

/* As a value of an object, perhaps with a member behind it. */
void put_json_as(struct buffer *b, struct text format, struct text value, struct text time)
{
	static struct buffer shown;

	if (!format.len || text_is(format, "time") || text_is(value, "(fault)")) {
		put_value(b, value);
	} else if (text_is(format, "name")) {
		if (is_string(value))
			put_unescaped(b, without_quotes(value));
		else
			put_quoted(b, value);
	} else if (text_is(format, "result")) {
		put_text(b, value);
		if (number_of(value) < 0) {
			put(b, ",\"error\":\"");
			put_error(b, number_of(value));
			put(b, "\"");
		}
	} else {
		shown.len = 0;
		put_shown(&shown, format, value, time);
		if (text_is_integer(text_in(&shown)))
			put_text(b, text_in(&shown));
		else
			put_quoted(b, text_in(&shown));
	}
}
