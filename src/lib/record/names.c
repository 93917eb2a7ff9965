// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbers by name. Those of errors, signals and capabilities are a promise of the kernel to
 * programs (uapi/asm-generic/errno.h, signal.h, uapi/linux/capability.h), and so are
 * the same in all kernels; those of system calls grow, and the kernel has its list.
 */
#include "lib/base/port.h"
#include "lib/base/lex.h"
#include "lib/base/strbuf.h"
#include "lib/record/names.h"

/* include/linux/errno.h: programs do not see these, the kernel's functions return them. */
static const char *const inner_errors[] = {
	/* -531 */
	"ENOGRACE", "ERECALLCONFLICT", "EIOCBQUEUED", "EJUKEBOX", "EBADTYPE", "ESERVERFAULT",
	"ETOOSMALL", "ENOTSUPP", "EBADCOOKIE", "ENOTSYNC", "EBADHANDLE",
	[12] = "ENOPARAM", "EOPENSTALE", "EPROBE_DEFER", "ERESTART_RESTARTBLOCK",
	"ENOIOCTLCMD", "ERESTARTNOHAND", "ERESTARTNOINTR", "ERESTARTSYS",
};

static const char *const errors[] = {
	/* -133 */
	"EHWPOISON", "ERFKILL", "ENOTRECOVERABLE", "EOWNERDEAD", "EKEYREJECTED",
	"EKEYREVOKED", "EKEYEXPIRED", "ENOKEY", "ECANCELED", "EMEDIUMTYPE", "ENOMEDIUM",
	"EDQUOT", "EREMOTEIO", "EISNAM", "ENAVAIL", "ENOTNAM", "EUCLEAN", "ESTALE",
	"EINPROGRESS", "EALREADY", "EHOSTUNREACH", "EHOSTDOWN", "ECONNREFUSED",
	"ETIMEDOUT", "ETOOMANYREFS", "ESHUTDOWN", "ENOTCONN", "EISCONN", "ENOBUFS",
	"ECONNRESET", "ECONNABORTED", "ENETRESET", "ENETUNREACH", "ENETDOWN",
	"EADDRNOTAVAIL", "EADDRINUSE", "EAFNOSUPPORT", "EPFNOSUPPORT", "EOPNOTSUPP",
	"ESOCKTNOSUPPORT", "EPROTONOSUPPORT", "ENOPROTOOPT", "EPROTOTYPE", "EMSGSIZE",
	"EDESTADDRREQ", "ENOTSOCK", "EUSERS", "ESTRPIPE", "ERESTART", "EILSEQ", "ELIBEXEC",
	"ELIBMAX", "ELIBSCN", "ELIBBAD", "ELIBACC", "EREMCHG", "EBADFD", "ENOTUNIQ",
	"EOVERFLOW", "EBADMSG", "EDOTDOT", "EMULTIHOP", "EPROTO", "ECOMM", "ESRMNT", "EADV",
	"ENOLINK", "EREMOTE", "ENOPKG", "ENONET", "ENOSR", "ETIME", "ENODATA", "ENOSTR",
	"EBFONT",
	/* -58 */
	[76] = "EBADSLT", "EBADRQC", "ENOANO", "EXFULL", "EBADR", "EBADE", "EL2HLT", "ENOCSI",
	"EUNATCH", "ELNRNG", "EL3RST", "EL3HLT", "EL2NSYNC", "ECHRNG", "EIDRM", "ENOMSG",
	/* -41 */
	[93] = "ELOOP", "ENOTEMPTY", "ENOSYS", "ENOLCK", "ENAMETOOLONG", "EDEADLK", "ERANGE",
	"EDOM", "EPIPE", "EMLINK", "EROFS", "ESPIPE", "ENOSPC", "EFBIG", "ETXTBSY",
	"ENOTTY", "EMFILE", "ENFILE", "EINVAL", "EISDIR", "ENOTDIR", "ENODEV", "EXDEV",
	"EEXIST", "EBUSY", "ENOTBLK", "EFAULT", "EACCES", "ENOMEM", "EAGAIN", "ECHILD",
	"EBADF", "ENOEXEC", "E2BIG", "ENXIO", "EIO", "EINTR", "ESRCH", "ENOENT", "EPERM",
	/* no error */
	NULL,
};

/* That signal 0 is none, and that 32 is for threads, says the number as well. */
static const char *const signals[] = {
	NULL, "HUP", "INT", "QUIT", "ILL", "TRAP", "ABRT", "BUS", "FPE", "KILL", "USR1", "SEGV",
	"USR2", "PIPE", "ALRM", "TERM", "STKFLT", "CHLD", "CONT", "STOP", "TSTP", "TTIN",
	"TTOU", "URG", "XCPU", "XFSZ", "VTALRM", "PROF", "WINCH", "IO", "PWR", "SYS",
};

static const char *const caps[] = {
	"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "FSETID", "KILL", "SETGID",
	"SETUID", "SETPCAP", "LINUX_IMMUTABLE", "NET_BIND_SERVICE", "NET_BROADCAST",
	"NET_ADMIN", "NET_RAW", "IPC_LOCK", "IPC_OWNER", "SYS_MODULE", "SYS_RAWIO",
	"SYS_CHROOT", "SYS_PTRACE", "SYS_PACCT", "SYS_ADMIN", "SYS_BOOT", "SYS_NICE",
	"SYS_RESOURCE", "SYS_TIME", "SYS_TTY_CONFIG", "MKNOD", "LEASE", "AUDIT_WRITE",
	"AUDIT_CONTROL", "SETFCAP", "MAC_OVERRIDE", "MAC_ADMIN", "SYSLOG", "WAKE_ALARM",
	"BLOCK_SUSPEND", "AUDIT_READ", "PERFMON", "BPF", "CHECKPOINT_RESTORE",
};

/* Nobody, or no change. */
static const char *const no_uid[] = { "-1" };
static const char *const root[] = { NULL };

#define RUN(number, array) { .first = number, .nr = ARRAY_SIZE(array), .name = array }
#define NAMES(text, runs) { .prefix = text, .nr = ARRAY_SIZE(runs), .run = runs }

static const struct kpt_name_run error_runs[] = {
	RUN(-531, inner_errors), RUN(-133, errors),
};
static const struct kpt_name_run signal_runs[] = { RUN(0, signals) };
static const struct kpt_name_run cap_runs[] = { RUN(0, caps) };
static const struct kpt_name_run uid_runs[] = { RUN(0, root), RUN(U32_MAX, no_uid) };
static const struct kpt_name_run syscall_runs[] = { { .first = 0 } };

const struct kpt_names kpt_error_names = NAMES("-", error_runs);
const struct kpt_names kpt_signal_names = NAMES("SIG", signal_runs);
const struct kpt_names kpt_cap_names = NAMES("CAP_", cap_runs);
const struct kpt_names kpt_uid_names = NAMES("", uid_runs);
const struct kpt_names kpt_syscall_names = NAMES("", syscall_runs);

/**
 * kpt_name_run_nr() - how many numbers a run has
 * @run: the run
 *
 * Context: any.
 * Return: the number of numbers.
 */
u16 kpt_name_run_nr(const struct kpt_name_run *run)
{
	return run->name ? run->nr : port_nr_syscalls();
}

/* Numbers that no system call has share a function of the kernel. */
static bool syscall_name(s64 number, char *text)
{
	static const char prefix[] = "sys_";
	const size_t n = sizeof(prefix) - 1;

	port_syscall_name(text, KPT_NUMBER_NAME_MAX, (u64)number);
	if (strncmp(text, prefix, n) || !strcmp(text + n, "ni_syscall"))
		return false;
	memmove(text, text + n, strlen(text + n) + 1);
	return true;
}

/**
 * kpt_number_name() - the name of a number
 * @names: the names
 * @number: the number
 * @text: result, KPT_NUMBER_NAME_MAX bytes
 *
 * Context: process context.
 * Return: true, or false if it has no name.
 */
bool kpt_number_name(const struct kpt_names *names, s64 number, char *text)
{
	const struct kpt_name_run *run = names->run;
	struct kpt_strbuf sb;
	u64 i;

	for (; run < names->run + names->nr; run++) {
		i = (u64)number - (u64)run->first;
		if (i >= kpt_name_run_nr(run))
			continue;
		if (!run->name)
			return syscall_name(number, text);
		if (!run->name[i])
			return false;
		kpt_strbuf_init(&sb, text, KPT_NUMBER_NAME_MAX);
		kpt_strbuf_puts(&sb, names->prefix);
		kpt_strbuf_puts(&sb, run->name[i]);
		return true;
	}
	return false;
}

/**
 * kpt_number_of_name() - the number that has a name
 * @names: the names
 * @s: the name
 * @len: its characters
 * @number: result, written on success only
 *
 * Context: process context; long for system calls.
 * Return: true, or false if no number has it.
 */
bool kpt_number_of_name(const struct kpt_names *names, const char *s, size_t len,
			s64 *number)
{
	const struct kpt_name_run *run = names->run;
	char text[KPT_NUMBER_NAME_MAX];
	unsigned int i;

	for (; run < names->run + names->nr; run++) {
		for (i = 0; i < kpt_name_run_nr(run); i++) {
			if (!kpt_number_name(names, run->first + i, text) ||
			    !kpt_lex_is(s, len, text))
				continue;
			*number = run->first + i;
			return true;
		}
	}
	return false;
}
