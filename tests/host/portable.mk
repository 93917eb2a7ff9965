# SPDX-License-Identifier: GPL-2.0-only
# What is portable, and how it is compiled for this machine: once for all programs
# of tests/host and tests/fuzz. Include it first.

top := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))/../..)
host := $(top)/build/host

HOSTCC ?= gcc
CFLAGS := -std=gnu11 -g -O1 -Wall -Wextra -Wundef -Wno-sign-compare -Werror \
	-fno-strict-aliasing -fno-strict-overflow -funsigned-char \
	-I$(top)/src -I$(top)/include -I$(top)/tests/host -I$(top)/arch/arm64
ASAN := -fsanitize=address,undefined -fno-sanitize-recover=all
# gcc warns that the thread sanitizer does not see fences. It need not: what they
# order is accessed by READ_ONCE() and WRITE_ONCE(), which it does not report.
TSAN := -fsanitize=thread -Wno-tsan
# Beside each output, the files that it was made of.
DEPS = -MMD -MP -MF $@.d -MT $@

portable := $(addprefix $(top)/,$(shell $(top)/scripts/portable) \
	tests/host/port_host.c tests/host/world.c)

asan_objs := $(patsubst $(top)/%.c,$(host)/asan/%.o,$(portable))
tsan_objs := $(patsubst $(top)/%.c,$(host)/tsan/%.o,$(portable))

$(host)/asan/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(HOSTCC) $(CFLAGS) $(ASAN) $(DEPS) -c -o $@ $<

$(host)/tsan/%.o: $(top)/%.c
	@mkdir -p $(@D)
	$(HOSTCC) $(CFLAGS) $(TSAN) $(DEPS) -c -o $@ $<

-include $(addsuffix .d,$(asan_objs) $(tsan_objs))
