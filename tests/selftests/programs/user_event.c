// SPDX-License-Identifier: GPL-2.0-only
/*
 * user_event [DIR]: a program with user events, that does what standard input says, a
 * command a line. DIR is the tracing directory (.). Each command prints one line, but
 * sh prints what its program prints.
 *
 *   at data|anon|shared|file|fuse   where the word with the bits is from now on; fuse is
 *				  user_fuse's, of which no more is read than is asked for
 *   drop                         the page of the word (fuse) is not in memory
 *   own                          wait until somebody has written it; 60 s at the most
 *   away                         the page of the word (anon) is not in memory; a child
 *				  brings it back, all ones, as soon as somebody waits
 *   reg BIT FLAGS TEXT           register; prints the index
 *   reg8 BIT FLAGS TEXT          the same, with a word of 8 bytes
 *   many TEXT                    register so often as "words" has bits
 *   events N                     register so many events, each with a bit of such a word
 *   unreg BIT
 *   del NAME
 *   bits                         the word, which has 8 bytes, in hex
 *   write INDEX [HEX]            write a record
 *   writev INDEX [HEX]           the same in pieces
 *   fill INDEX N                 write a record of N zeroes
 *   bad NAME                     see bad()
 *   repeat N INDEX HEX           write N times
 *   open, read, close            user_events_data; it is open at first; read: only to read
 *   cd DIR
 *   fork                         make a child, which has no child
 *   child COMMAND                the child does it
 *   reap                         let the child end
 *   storm FILE                   make children that end at once, until FILE exists, and wait
 *				  until no bit is set; 40 s at the most
 *   chain FILE                   the same, but each child is the parent of the next one
 *   exec                         run this program anew, which goes on
 *   sh COMMAND
 *
 * A command that fails prints the name of its errno.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdbool.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/userfaultfd.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct user_reg {
	uint32_t size;
	uint8_t bit;
	uint8_t word_size;
	uint16_t flags;
	uint64_t addr;
	uint64_t text;
	uint32_t index;
} __attribute__((packed));

struct user_unreg {
	uint32_t size;
	uint8_t bit;
	uint8_t reserved;
	uint16_t reserved2;
	uint64_t addr;
} __attribute__((packed));

#define REG	_IOWR('*', 0, struct user_reg *)
#define DEL	_IOW('*', 1, char *)
#define UNREG	_IOW('*', 2, struct user_unreg *)

static uint64_t data_word = 1ULL << 63;
static volatile uint64_t *word = &data_word;
static int fd = -1, fuse = -1;
static int to_child[2] = { -1, -1 }, from_child[2] = { -1, -1 };
static pid_t child;
static char **args;

static void show(long result)
{
	if (result < 0)
		printf("%s\n", strerrorname_np(errno));
	else
		printf("%ld\n", result);
	fflush(stdout);
}

static long reg(unsigned int size, char *rest)
{
	struct user_reg r = { .size = sizeof(r), .word_size = size };
	char *end;
	long err;

	r.bit = strtoul(rest, &end, 0);
	r.flags = strtoul(end, &end, 0);
	r.addr = (uintptr_t)word;
	r.text = (uintptr_t)(*end ? end + 1 : end);
	err = ioctl(fd, REG, &r);
	return err ? err : (long)r.index;
}

static uint64_t words[64];

static long reg_nth(int n, const char *text)
{
	struct user_reg r = {
		.size = sizeof(r), .word_size = 8, .text = (uintptr_t)text,
		.bit = n % 64, .addr = (uintptr_t)&words[n / 64],
	};

	return ioctl(fd, REG, &r);
}

static long many(const char *text)
{
	int i;

	for (i = 0; i < 64 * 64; i++)
		if (reg_nth(i, text))
			return -1;
	return i;
}

static long events(int n)
{
	char text[32];
	int i;

	for (i = 0; i < n; i++) {
		snprintf(text, sizeof(text), "nth%d u32 a", i);
		if (reg_nth(i, text))
			return -1;
	}
	return i;
}

static long unreg(unsigned int bit)
{
	struct user_unreg r = {
		.size = sizeof(r), .bit = bit, .addr = (uintptr_t)word,
	};

	return ioctl(fd, UNREG, &r);
}

static size_t page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

static void *map(const char *file, int flags)
{
	int f = file ? open(file, O_RDWR | O_CREAT, 0600) : -1;
	void *at;

	if (file && (f < 0 || ftruncate(f, 4096)))
		return NULL;
	at = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
		  flags | (file ? 0 : MAP_ANONYMOUS), f, 0);
	return at == MAP_FAILED ? NULL : at;
}

/* Nothing reads ahead. */
static void *map_fuse(void)
{
	void *at;

	fuse = open("/tmp/user_fuse/word", O_RDWR);
	if (fuse < 0)
		return NULL;
	at = mmap(NULL, page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE, fuse, 0);
	if (at == MAP_FAILED || madvise(at, page_size(), MADV_RANDOM))
		return NULL;
	return at;
}

static long drop(void)
{
	unsigned char in_memory;

	if (madvise((void *)word, page_size(), MADV_DONTNEED) ||
	    posix_fadvise(fuse, 0, 0, POSIX_FADV_DONTNEED) ||
	    mincore((void *)word, page_size(), &in_memory))
		return -1;
	return in_memory & 1;
}

/* A page that is there, and is none of a file: see pagemap.rst. */
static long is_own(void)
{
	int f = open("/proc/self/pagemap", O_RDONLY);
	uint64_t entry = 0;

	if (pread(f, &entry, sizeof(entry), (uintptr_t)word / page_size() * 8) < 0)
		entry = 0;
	close(f);
	return (entry >> 61 & 5) == 4;
}

static long own(void)
{
	int tries = 600;

	while (!is_own()) {
		if (!--tries) {
			errno = ETIME;
			return -1;
		}
		usleep(100000);
	}
	return 0;
}

static long at(const char *where)
{
	if (!strcmp(where, "data"))
		word = &data_word;
	else if (!strcmp(where, "anon"))
		word = map(NULL, MAP_PRIVATE);
	else if (!strcmp(where, "shared"))
		word = map(NULL, MAP_SHARED);
	else if (!strcmp(where, "file"))
		word = map("/tmp/user_event.word", MAP_PRIVATE);
	else if (!strcmp(where, "fuse"))
		word = map_fuse();
	return word ? 0 : -1;
}

/* Until this program ends. */
static void bring_pages(int uffd)
{
	size_t size = sysconf(_SC_PAGESIZE);
	uint8_t *page = malloc(size);
	struct uffdio_copy copy = { .src = (uintptr_t)page, .len = size };
	struct uffd_msg message;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (!page)
		_exit(1);
	memset(page, 0xff, size);
	while (read(uffd, &message, sizeof(message)) == sizeof(message)) {
		copy.dst = message.arg.pagefault.address & ~(size - 1);
		ioctl(uffd, UFFDIO_COPY, &copy);
	}
	_exit(0);
}

static long away(void)
{
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register reg = {
		.range = { (uintptr_t)word, sysconf(_SC_PAGESIZE) },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};
	int uffd = syscall(SYS_userfaultfd, O_CLOEXEC);

	if (uffd < 0 || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &reg) ||
	    madvise((void *)word, sysconf(_SC_PAGESIZE), MADV_DONTNEED))
		return -1;
	child = fork();
	if (!child)
		bring_pages(uffd);
	return 0;
}

static size_t unhex(const char *s, uint8_t *to)
{
	size_t n;

	for (n = 0; s[2 * n] && s[2 * n + 1]; n++)
		sscanf(s + 2 * n, "%2hhx", &to[n]);
	return n;
}

/* The index, and the bytes behind it. Returns how many bytes they are. */
static size_t payload(const char *rest, uint8_t *to)
{
	char *end;
	int32_t index = strtol(rest, &end, 0);

	memcpy(to, &index, sizeof(index));
	return sizeof(index) + unhex(end + (*end == ' '), to + sizeof(index));
}

static long put(const char *rest)
{
	static uint8_t bytes[1 << 16];

	return write(fd, bytes, payload(rest, bytes));
}

/* In pieces of 4, 1 and all other bytes, with an empty one. */
static long putv(const char *rest)
{
	static uint8_t bytes[1 << 16];
	size_t size = payload(rest, bytes), one = size > 4;
	struct iovec io[] = {
		{ bytes, 4 }, { bytes + 4, one }, { NULL, 0 },
		{ bytes + 4 + one, size - 4 - one },
	};

	return writev(fd, io, 4);
}

static long repeat(char *rest)
{
	static uint8_t bytes[1 << 16];
	char *end;
	long n = strtol(rest, &end, 0), i;
	size_t size = payload(end, bytes);

	for (i = 0; i < n; i++)
		if (write(fd, bytes, size) < 0)
			return -1;
	return n;
}

static long fill(char *rest)
{
	static uint8_t bytes[1 << 16];
	char *end;
	int32_t index = strtol(rest, &end, 0);

	memcpy(bytes, &index, sizeof(index));
	return write(fd, bytes, sizeof(index) + strtoul(end, NULL, 0));
}

/* What the kernel must refuse, or do nothing with. */
static long bad(const char *what)
{
	struct user_reg r = {
		.size = sizeof(r), .word_size = 4, .addr = (uintptr_t)word,
		.text = (uintptr_t)"bad u32 a",
	};
	struct user_unreg u = { .size = sizeof(u), .addr = (uintptr_t)word };
	void *none = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	void *ro = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (!strcmp(what, "small"))
		r.size = sizeof(r) - 1;
	else if (!strcmp(what, "huge"))
		r.size = 1 << 20;
	else if (!strcmp(what, "flags"))
		r.flags = 4;
	else if (!strcmp(what, "word"))
		r.word_size = 2;
	else if (!strcmp(what, "aligned"))
		r.addr++;
	else if (!strcmp(what, "bit"))
		r.bit = 32;
	else if (!strcmp(what, "address"))
		r.addr = (uintptr_t)none;
	else if (!strcmp(what, "readonly"))
		r.addr = (uintptr_t)ro;
	else if (!strcmp(what, "text"))
		r.text = (uintptr_t)none;
	else if (!strcmp(what, "argument"))
		return ioctl(fd, REG, none);
	else if (!strcmp(what, "ioctl"))
		return ioctl(fd, _IO('*', 3), &r);
	else if (!strcmp(what, "reserved"))
		return u.reserved = 1, ioctl(fd, UNREG, &u);
	else if (!strcmp(what, "record"))
		return write(fd, none, 8);
	else if (!strcmp(what, "payload"))
		return writev(fd, (struct iovec[]){ { &r.flags, 0 }, { &r.index, 4 },
						    { none, 8 } }, 3);
	return ioctl(fd, REG, &r);
}

static int run(char *line);

static bool read_line(int from, char *line, size_t size)
{
	size_t n = 0;

	while (n + 1 < size && read(from, line + n, 1) == 1 && line[n] != '\n')
		n++;
	line[n] = '\0';
	return n;
}

static void commands(int from)
{
	static char line[1 << 16];

	while (read_line(from, line, sizeof(line)))
		run(line);
}

static void make_child(void)
{
	if (pipe(to_child) || pipe(from_child))
		exit(1);
	child = fork();
	if (child)
		return;
	dup2(from_child[1], 1);
	close(to_child[1]);
	commands(to_child[0]);
	exit(0);
}

/* Ends well if @file came to exist, and the bits of the last process were cleared then. */
static long storm(const char *file, bool is_chain)
{
	time_t end = time(NULL) + 40;
	int ends[2], n;
	pid_t pid;
	char c;

	if (pipe(ends))
		return -1;
	pid = fork();
	if (pid) {
		close(ends[1]);
		n = read(ends[0], &c, 1);
		close(ends[0]);
		errno = ETIME;
		return n == 1 ? 0 : -1;
	}
	signal(SIGCHLD, SIG_IGN);
	while (access(file, F_OK) && time(NULL) < end) {
		pid = fork();
		if (is_chain ? pid : !pid)
			_exit(pid < 0);
	}
	while (*word << 1 && time(NULL) < end)
		usleep(10000);
	if (time(NULL) < end)
		n = write(ends[1], "", 1);
	_exit(0);
}

static void tell_child(const char *line)
{
	char answer[256];

	dprintf(to_child[1], "%s\n", line);
	read_line(from_child[0], answer, sizeof(answer));
	printf("child %s\n", answer);
	fflush(stdout);
}

static long reap(void)
{
	int status;

	close(to_child[1]);
	return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1;
}

static int run(char *line)
{
	size_t n = strcspn(line, " ");
	char *rest = line + n + (line[n] == ' ');

	line[n] = '\0';
	if (!strcmp(line, "at"))
		show(at(rest));
	else if (!strcmp(line, "drop"))
		show(drop());
	else if (!strcmp(line, "own"))
		show(own());
	else if (!strcmp(line, "away"))
		show(away());
	else if (!strcmp(line, "reg"))
		show(reg(4, rest));
	else if (!strcmp(line, "reg8"))
		show(reg(8, rest));
	else if (!strcmp(line, "many"))
		show(many(rest));
	else if (!strcmp(line, "events"))
		show(events(atoi(rest)));
	else if (!strcmp(line, "unreg"))
		show(unreg(strtoul(rest, NULL, 0)));
	else if (!strcmp(line, "del"))
		show(ioctl(fd, DEL, rest));
	else if (!strcmp(line, "bits"))
		printf("%llx\n", (unsigned long long)*word), fflush(stdout);
	else if (!strcmp(line, "write"))
		show(put(rest));
	else if (!strcmp(line, "writev"))
		show(putv(rest));
	else if (!strcmp(line, "repeat"))
		show(repeat(rest));
	else if (!strcmp(line, "fill"))
		show(fill(rest));
	else if (!strcmp(line, "bad"))
		show(bad(rest));
	else if (!strcmp(line, "open"))
		show((fd = open("user_events_data", O_RDWR)) < 0 ? -1 : 0);
	else if (!strcmp(line, "read"))
		show((fd = open("user_events_data", O_RDONLY)) < 0 ? -1 : 0);
	else if (!strcmp(line, "cd"))
		show(chdir(rest));
	else if (!strcmp(line, "close"))
		show(close(fd));
	else if (!strcmp(line, "fork"))
		make_child(), show(0);
	else if (!strcmp(line, "child"))
		tell_child(rest);
	else if (!strcmp(line, "reap"))
		show(reap());
	else if (!strcmp(line, "storm"))
		show(storm(rest, false));
	else if (!strcmp(line, "chain"))
		show(storm(rest, true));
	else if (!strcmp(line, "exec"))
		execv("/proc/self/exe", args), show(-1);
	else if (!strcmp(line, "sh"))
		return system(rest);
	else
		printf("unknown command %s\n", line);
	return 0;
}

int main(int argc, char **argv)
{
	args = argv;
	if (argc > 1 && chdir(argv[1]))
		return 1;
	fd = open("user_events_data", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror("user_events_data");
		return 1;
	}
	commands(0);
	return 0;
}
