# SPDX-License-Identifier: GPL-2.0-only
#
# Front end. Every target calls a script that can be called by itself.

KERNEL ?=
# Build systems know the tree of the kernel by one of these names.
KDIR ?= $(or $(KERNELDIR),$(KERNEL_SRC))
O ?=

all: module

help:
	@echo 'make                      build kptrace.ko for the running kernel (on arm64)'
	@echo 'make KDIR=DIR             build it for the kernel configured in DIR; KERNELDIR= and'
	@echo '                          KERNEL_SRC= are other names of KDIR='
	@echo 'make module KERNEL=NAME   build it for a kernel of tests/qemu/kernels.list, or for one'
	@echo '                          that was built in a folder: its path, with a slash;'
	@echo '                          O=DIR puts the output there, not in build/NAME; if DIR is'
	@echo '                          the output of a kernel, that is the kernel to build for;'
	@echo "                          CC=, V=1 and the like reach the kernel's makefiles"
	@echo "make PARTS='hist btf'     build it with these parts of src/parts/ only; PARTS= is the"
	@echo '                          core alone, 420 KiB; all: 866 KiB, see docs/install.md'
	@echo "make BY_FILE=1            compile each file by itself, not those of a folder in one"
	@echo '                          piece: takes longer, and less after a change of one file'
	@echo 'make modules_install      install the module that was built for KDIR= or KERNEL='
	@echo '                          below INSTALL_MOD_PATH=, with the makefiles of the kernel'
	@echo 'make install, uninstall   the command kptrace, the service that traces from boot'
	@echo '                          on and, if it is built, kptrace.ko;'
	@echo '                          PREFIX=DIR (/usr/local), DESTDIR=DIR'
	@echo 'make demo                 install tools, boot a kernel in QEMU, trace it'
	@echo 'make quick [T=area]       style, and the tests of what has changed: for every commit'
	@echo 'make check                everything a change must pass'
	@echo 'make check-all            the same with all kernels, and all that is compared;'
	@echo '                          RESUME=1 goes on where the last run was stopped;'
	@echo '                          SHARD=1/3 is a third of it, VERDICT=1 joins all parts'
	@echo 'make check-host           the portable code, on this machine'
	@echo 'make check-models         models of the lock-free protocols, by Spin and herd7'
	@echo "make check-static         clang's analyzer, the kernel's rules for Coccinelle"
	@echo 'make check-qemu KERNEL=NAME [CPU=max] [SMP=4] [T=area[/test.tc]]'
	@echo '                          build, boot, run the selftests'
	@echo 'make check-ftracetest [KERNEL=NAME] [T=FOLDER]'
	@echo "                          the kernel's own tests of its tracing, on our tree"
	@echo "make check-tools [KERNEL=NAME]  Debian's trace-cmd, perf and perf-tools on our tree"
	@echo 'make style                checkers that run nothing'
	@echo 'make checkpatch           the checker of kernel patches (fetches a source tree)'
	@echo 'make bench [KERNEL=NAME]  cost of a hit next to the built-in probes: the tables'
	@echo '                          of docs/performance.md'
	@echo 'make bench-limits [KERNEL=NAME]  has any hit become more expensive?'
	@echo 'make bench-random [KERNEL=NAME] [SEED=N] [SEEDS=N]'
	@echo '                          do combinations cost the sum of their parts?'
	@echo 'make cycles [KERNEL=NAME]  a lower bound of the cycles of a hit on four cores'
	@echo 'make stress [KERNEL=NAME]  storms of everything at once, with exact accounting'
	@echo 'make check-cpu [KERNEL=NAME] [CPU=max]'
	@echo '                          every instruction, bare and probed'
	@echo 'make soak [KERNEL=NAME] [SECS=600]'
	@echo '                          everything probed under load, in six boots'
	@echo 'make fuzz [SECS=60] [T=format]'
	@echo 'make coverage             lines that the host tests run, file by file'
	@echo 'make setup                install the tools of make check'
	@echo 'make dist                 build/kptrace-VERSION.tar.gz'
	@echo 'make clean                remove build/'

# The other variables of the command line, CC= or V=1, are for the kernel's makefiles.
OWN := KERNEL=% KDIR=% KERNELDIR=% KERNEL_SRC=% O=% M=% KBUILD_OUTPUT=%
quoted = '$(subst ','\'',$(1))'
build = scripts/module $(if $(KERNEL),--kernel $(call quoted,$(KERNEL))) \
	$(if $(KDIR),--kdir $(call quoted,$(KDIR))) $(if $(O),--out $(call quoted,$(O))) \
	$(1) --given $(call quoted,$(filter-out $(OWN),$(MAKEOVERRIDES)))

# To makefiles of kernels, M= is the folder of a module's sources, from where they are. Who
# gives it calls them, with all that else is given: O= is the output of the kernel then.
ifeq ($(origin M),command line)
ifeq ($(filter $(realpath .),$(realpath $(M) $(KDIR)/$(M))),)
$(error M=$(M) is another folder: the sources of kptrace are here)
endif
export ARCH ?= arm64
module modules modules_install:
	$(MAKE) -C $(KDIR) $(@:module=modules)
else
module modules:
	@$(call build)

modules_install:
	@$(call build,--install)
endif

install:
	@PREFIX='$(or $(PREFIX),/usr/local)' DESTDIR='$(DESTDIR)' scripts/install

uninstall:
	@PREFIX='$(or $(PREFIX),/usr/local)' DESTDIR='$(DESTDIR)' scripts/install --uninstall

setup:
	@scripts/setup

demo:
	@scripts/setup build boot
	@tests/qemu/demo

quick:
	@scripts/check quick $(T)

check:
	@scripts/check check

check-all:
	@scripts/check $(if $(RESUME),--resume) $(if $(SHARD),--shard $(SHARD)) \
		$(if $(VERDICT),--join) all

check-host:
	@scripts/check host

check-models:
	@scripts/setup models
	@tests/models/run
	@tests/litmus/run

check-static:
	@scripts/setup static
	@tests/static/run

check-qemu: KERNEL := $(or $(KERNEL),6.1)
check-qemu:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/qemu/run --kernel $(KERNEL) $(if $(CPU),--cpu $(CPU)) \
		$(if $(SMP),--smp $(SMP)) -- sh /kpt/selftests/kpttest $(T)

check-ftracetest: KERNEL := $(or $(KERNEL),6.1)
check-ftracetest:
	@scripts/setup btf
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/ftracetest/run --kernel $(KERNEL) $(T)

check-tools: KERNEL := $(or $(KERNEL),6.1)
check-tools:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/tools/run --kernel $(KERNEL)

style:
	@scripts/check-style

checkpatch:
	@scripts/checkpatch

bench: KERNEL := $(or $(KERNEL),6.1)
bench:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/bench/run --kernel $(KERNEL)
	@tests/bench/draw >docs/performance.svg

bench-limits: KERNEL := $(or $(KERNEL),6.1)
bench-limits:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/bench/limits.sh --kernel $(KERNEL)

bench-random: KERNEL := $(or $(KERNEL),6.1)
bench-random:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/bench/combine.py --kernel $(KERNEL) $(if $(SEED),--seed $(SEED)) \
		$(if $(SEEDS),--seeds $(SEEDS))

cycles: KERNEL := $(or $(KERNEL),6.1)
cycles:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/bench/cycles --kernel $(KERNEL)

stress: KERNEL := $(or $(KERNEL),6.1)
stress:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/stress/run --kernel $(KERNEL)

check-cpu: KERNEL := $(or $(KERNEL),6.1)
check-cpu:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/cpu/run --kernel $(KERNEL) $(if $(CPU),--cpu $(CPU))

soak: KERNEL := $(or $(KERNEL),6.1)
soak:
	@scripts/module --kernel $(KERNEL) >/dev/null
	@tests/soak/run --kernel $(KERNEL) $(if $(SECS),--secs $(SECS))

fuzz:
	@scripts/setup fuzz
	@$(MAKE) --no-print-directory -C tests/fuzz fuzz

coverage:
	@scripts/setup host
	@tests/host/coverage $(sort $(wildcard src/lib/fetch/*.c))

dist:
	@scripts/dist

clean:
	rm -rf build kptrace.ko

.PHONY: all help module modules modules_install install uninstall setup demo quick check check-all check-host check-models check-static check-qemu \
	check-ftracetest check-tools style checkpatch bench bench-limits bench-random cycles stress check-cpu soak fuzz coverage dist clean
