// SPDX-License-Identifier: GPL-2.0-only
/*
 * guest SEED: run instructions of every row of the decoder's table that this CPU
 * has, bare and then probed in each mode, from the same random state. They must
 * end alike. Run in the tracing directory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include "cpu_test.h"

#include "insn/decode.c"

/*
 * Ways to perform a displaced instruction: what a parameter has to be for it
 * when a probe is defined, and is otherwise. Instructions that a way does not
 * know take the next one that does.
 */
static const struct {
	const char *name;
	const char *param;
	const char *is;
	const char *was;
	const char *stub;
} modes[] = {
	{ "jump", "/sys/module/kptrace/parameters/jump", "1", "1", "1" },
	/* Stubs perform an instruction in the same way after a BRK. */
	{ "boosted", "/sys/module/kptrace/parameters/jump", "0", "1", "0" },
	{ "stepped", "/sys/module/kptrace/parameters/stepped", "1", "0", "0" },
};

#define NR_MODES (sizeof(modes) / sizeof(modes[0]))

/* Features that the kernel tells programs of: their rows have to be run. */
static const struct {
	const char *feat;
	unsigned long hwcap;
	unsigned long hwcap2;
} features[] = {
	{ "BASE", 0, 0 },	    { "FP", HWCAP_FP, 0 },
	{ "AdvSIMD", HWCAP_ASIMD, 0 }, { "AES", HWCAP_AES, 0 },
	{ "SHA1", HWCAP_SHA1, 0 },  { "SHA256", HWCAP_SHA2, 0 },
	{ "CRC32", HWCAP_CRC32, 0 },   { "LSE", HWCAP_ATOMICS, 0 },
	{ "FP16", HWCAP_ASIMDHP, 0 },  { "RDM", HWCAP_ASIMDRDM, 0 },
	{ "SHA3", HWCAP_SHA3, 0 },  { "SM3", HWCAP_SM3, 0 },
	{ "SM4", HWCAP_SM4, 0 },    { "SHA512", HWCAP_SHA512, 0 },
	{ "LRCPC", HWCAP_LRCPC, 0 },   { "LRCPC2", HWCAP_ILRCPC, 0 },
	{ "FlagM", HWCAP_FLAGM, 0 },   { "FlagM2", 0, HWCAP2_FLAGM2 },
	{ "PAuth", HWCAP_PACA, 0 },    { "SVE", HWCAP_SVE, 0 },
	{ "SVE2", 0, HWCAP2_SVE2 }, { "SVE_AES", 0, HWCAP2_SVEAES },
	{ "DIT", HWCAP_DIT, 0 },    { "SB", HWCAP_SB, 0 },
	{ "BTI", 0, HWCAP2_BTI },   { "MTE", 0, HWCAP2_MTE },
};

static int cpu_fd, events_fd;
static struct cpu_info info;
static unsigned int differences, faults;

uint64_t any_state;

uint64_t any(void)
{
	any_state ^= any_state >> 12;
	any_state ^= any_state << 25;
	any_state ^= any_state >> 27;
	return any_state * 0x2545f4914f6cdd1dULL;
}

static void die(const char *what)
{
	printf("%s: %s\n", what, strerror(errno));
	exit(1);
}

static void put(const char *file, const char *text)
{
	int fd = open(file, O_WRONLY | O_TRUNC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(file);
	close(fd);
}

static void fill_vectors(const struct test *t, struct cpu_state *s,
			 uint64_t memory)
{
	uint64_t *lane = (uint64_t *)s->z;

	for (size_t i = 0; i < sizeof(s->z) / sizeof(*lane); i++) {
		if (t->vectors == OFFSETS)
			lane[i] = any() & 0x1f8;
		else if (t->vectors == POINTERS)
			lane[i] = memory + (any() & 0x1f8);
	}
}

void fill(const struct test *t, struct cpu_state *s, uint64_t memory,
	  uint64_t place)
{
	uint64_t *word = (uint64_t *)s, saved = any_state;

	any_state = t->seed * 2 + 1;
	for (size_t i = 0; i < sizeof(*s) / sizeof(*word); i++)
		word[i] = any();
	fill_vectors(t, s, memory);
	if (t->vectors == NO_LANES)
		memset(s->p, 0, 16 * CPU_VL / 8);
	/* FFR has no other value that is sure to be allowed. */
	memset(s->p + 16 * CPU_VL / 8, 0xff, CPU_VL / 8);
	s->fpcr = 0;
	s->fpsr = 0;
	for (unsigned int r = 0; r < 31; r++) {
		if (t->pointers >> r & 1)
			s->x[r] = memory + (any() & 0x1c0);
		else if (t->offsets >> r & 1)
			s->x[r] = any() & 0x70;
		else if (t->landing >> r & 1)
			s->x[r] = place + 4 * (any() % 31);
	}
	/* No address at all: neither of the kernel's nor of a program's. */
	if (t->fault)
		s->x[t->fault] = 0xffdead0000000000 | (uint32_t)s->x[t->fault];
	any_state = saved;
}

/* Memory for what acts as a program would. */
static uint8_t *user_memory(void)
{
	static uint8_t *at;

	if (!at)
		at = mmap(NULL, CPU_MEMORY, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return at;
}

static void run(const struct test *t, unsigned int place, unsigned int state,
		struct cpu_state *s)
{
	static struct cpu_run r;
	uint64_t memory = info.memory;

	if (t->user)
		memory = (uint64_t)user_memory() + CPU_MEMORY / 2;
	memset(&r, 0, sizeof(r));
	r.place = place;
	r.sign = t->sign;
	r.signed_reg = t->signed_reg;
	r.modifier = t->modifier;
	r.fault = state == STATES - 1 ? t->fault : 0;
	fill(t, &r.state, memory, info.code + place * CPU_PLACE_WORDS * 4);
	memcpy(user_memory(), r.state.memory, CPU_MEMORY);
	if (ioctl(cpu_fd, CPU_RUN, &r))
		die("CPU_RUN");
	*s = r.state;
	if (t->user)
		memcpy(s->memory, user_memory(), CPU_MEMORY);
}

static void differ(const struct test *t, const char *mode,
		   const struct cpu_state *bare, const struct cpu_state *probed)
{
	const uint64_t *a = (const uint64_t *)bare;
	const uint64_t *b = (const uint64_t *)probed;
	unsigned int shown = 0;

	differences++;
	printf("DIFFERENT %s %08x (%s)\n", mode, t->word,
	       kpt_insn_rows[t->row].name);
	for (size_t i = 0; i < sizeof(*bare) / sizeof(*a) && shown < 6; i++)
		if (a[i] != b[i] && ++shown)
			printf("  word %zu of the state: %016lx, not %016lx\n",
			       i, b[i], a[i]);
}

/* How often the probe in a place was hit. */
static unsigned long hits_of(const char *profile, unsigned int place)
{
	char name[16];
	const char *at;

	snprintf(name, sizeof(name), " c%u ", place);
	at = strstr(profile, name);
	return at ? strtoul(at + strlen(name), NULL, 10) : 0;
}

static void check_hits(const struct test *t, unsigned int nr)
{
	static char profile[CPU_PLACES * 128];
	size_t len = 0;
	ssize_t n;
	int fd = open("kprobe_profile", O_RDONLY);

	while ((n = read(fd, profile + len, sizeof(profile) - len - 1)) > 0)
		len += n;
	close(fd);
	profile[len] = '\0';
	for (unsigned int i = 0; i < nr; i++)
		if (hits_of(profile, i) != STATES) {
			differences++;
			printf("DIFFERENT %08x (%s): %lu hits\n", t[i].word,
			       kpt_insn_rows[t[i].row].name,
			       hits_of(profile, i));
		}
}

static void define(unsigned int place, const struct test *t)
{
	char line[64];

	snprintf(line, sizeof(line), "p:cpu/c%u 0x%llx", place,
		 info.code + 4 * (place * CPU_PLACE_WORDS + CPU_PLACE_AT));
	if (write(events_fd, line, strlen(line)) < 0) {
		printf("%08x (%s)\n", t->word, kpt_insn_rows[t->row].name);
		die(line);
	}
}

/* A batch of instructions, one in each place. */
static unsigned int run_batch(struct test *t, unsigned int nr)
{
	struct cpu_state *bare = calloc(nr * STATES, sizeof(*bare)), probed;
	unsigned int i, s, mode, runs = 0;
	struct cpu_set set;

	for (i = 0; i < nr; i++) {
		set.place = i;
		set.word = t[i].word;
		if (ioctl(cpu_fd, CPU_SET, &set))
			die("CPU_SET");
		for (s = 0; s < STATES; s++, t[i].seed++)
			run(&t[i], i, s, &bare[i * STATES + s]);
		t[i].seed -= STATES;
		faults += bare[i * STATES + STATES - 1].pc == CPU_FIXED_UP;
	}
	for (mode = 0; mode < NR_MODES; mode++) {
		put(modes[mode].param, modes[mode].is);
		put("/sys/module/kptrace/parameters/stub", modes[mode].stub);
		for (i = 0; i < nr; i++)
			define(i, &t[i]);
		put("events/cpu/enable", "1");
		for (i = 0; i < nr; i++) {
			for (s = 0; s < STATES; s++, t[i].seed++) {
				run(&t[i], i, s, &probed);
				runs++;
				if (memcmp(&probed, &bare[i * STATES + s],
					   sizeof(probed)))
					differ(&t[i], modes[mode].name,
					       &bare[i * STATES + s], &probed);
			}
			t[i].seed -= STATES;
		}
		put("events/cpu/enable", "0");
		check_hits(t, nr);
		put("kprobe_events", "");
		put(modes[mode].param, modes[mode].was);
	}
	free(bare);
	return runs;
}

static bool must_have(const char *feat)
{
	unsigned long hwcap = getauxval(AT_HWCAP), hwcap2 = getauxval(AT_HWCAP2);

	for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++)
		if (!strcmp(features[i].feat, feat))
			return (hwcap & features[i].hwcap) ==
				       features[i].hwcap &&
			       (hwcap2 & features[i].hwcap2) ==
				       features[i].hwcap2;
	return false;
}

static char absent[1024];

static void note_absent(const char *feat)
{
	char word[32];

	snprintf(word, sizeof(word), " %s", feat);
	if (!strstr(absent, word))
		strncat(absent, word, sizeof(absent) - strlen(absent) - 1);
}

/* A register that the instruction is not told to do anything with. */
static void choose_fault(struct test *t)
{
	uint32_t taken = t->pointers | t->offsets | t->landing | 1;

	if (t->sign)
		taken |= 1u << t->signed_reg;
	if (t->sign && t->modifier < 31)
		taken |= 1u << t->modifier;
	do
		t->fault = any() % 31;
	while (taken >> t->fault & 1);
}

int main(int argc, char **argv)
{
	unsigned int row, n, nr = 0, rows = 0, run_rows = 0, missing = 0;
	unsigned int tests = 0, runs = 0;
	static struct test batch[CPU_PLACES];
	const struct kpt_insn_row *r;

	if (argc != 2)
		return 2;
	setvbuf(stdout, NULL, _IOLBF, 0);
	any_state = strtoull(argv[1], NULL, 0) | 1;
	cpu_fd = open("/proc/kpt_cpu", O_RDWR);
	events_fd = open("kprobe_events", O_WRONLY | O_APPEND);
	if (cpu_fd < 0 || events_fd < 0 || ioctl(cpu_fd, CPU_INFO, &info))
		die("/proc/kpt_cpu");

	for (row = 0; row < kpt_insn_nr_rows; row++) {
		r = &kpt_insn_rows[row];
		if (r->kind != KPT_ROW_INSN || r->verdict == KPT_INSN_REFUSE)
			continue;
		rows++;
		for (n = 0; choose(row, n, &info, &batch[nr]); n++) {
			choose_fault(&batch[nr]);
			tests++;
			if (++nr < CPU_PLACES)
				continue;
			runs += run_batch(batch, nr);
			nr = 0;
		}
		run_rows += n > 0;
		if (!n)
			note_absent(r->feat);
		if (!n && must_have(r->feat)) {
			missing++;
			printf("NOT RUN: %s (%s)\n", r->name, r->feat);
		}
	}
	runs += run_batch(batch, nr);
	printf("not run for lack of:%s\n", absent);
	printf("rows: %u, run on this CPU: %u, %u not run that it has\n", rows,
	       run_rows, missing);
	printf("instructions: %u, probed runs: %u, differences: %u\n", tests,
	       runs, differences);
	printf("faults right behind, fixed up: %u\n", faults);
	return missing || differences || !faults;
}
