# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# The plans of "make quick", "make check" and "make check-all", for scripts/check.

# Steps start in this order, as soon as they can, and have this order in the table.
# @selftests: words for kpttest, if the command is a boot that runs it.
names=() needs=() limits=() commands=() selftests=()

# plan NAME NEEDS SECONDS COMMAND [TESTS]: NEEDS is a step that has to pass first, or to end
# if it is "after STEP"; or empty
plan()
{
	names+=("$1") needs+=("$2") limits+=("$3") commands+=("$4") selftests+=("${5:-}")
}

# listed WORD...: kernels that are marked with one of the words
listed()
{
	awk -v words=" $* " '/^[^#]/ && index(words, " " $7 " ") { print $1 }' \
		tests/qemu/kernels.list
}

# build KERNEL: and see that the module links to nothing that a kernel may keep from it. Other
# kernels than Debian's usual ones have other locks, or what checks memory, which needs more.
# One compiles each file by itself: it may not need what only another file of its piece includes.
build()
{
	local log=$KPTRACE_LOGS/build-$1.out by_file=''

	[ "$1" != 6.12 ] || by_file=BY_FILE=1
	scripts/module --kernel "$1" $by_file >"$log" 2>&1 ||
		{ grep -E 'error|warning' "$log"; return 1; }
	! awk -v k="$1" '$1 == k && $5 == "arm64" { found = 1 } END { exit !found }' \
		tests/qemu/kernels.list || {
		scripts/check-imports "build/$1/kptrace.ko" && with_tags "$1"
	}
}

# with_tags KERNEL: so it is with KASAN_HW_TAGS, as all of Android's kernels are and none of
# Debian's is: a file that reads memory is compiled once more
with_tags()
{
	local dir=$PWD/build/$1 from object command

	object=$(mktemp)
	command=$(<"$dir/src/kernel/.port.o.cmd")
	command=${command%% -c -o *}
	# Where a kernel's make compiles a module, the names of its objects begin.
	from=$dir
	[[ $command != *"cmd_$dir/"* ]] || from=$(scripts/kernel "$1")/build
	(cd "$from" && eval "${command#*:= }" -Wp,-MMD,/dev/null \
		-DCONFIG_KASAN_HW_TAGS=1 -c -o "$object" "$dir/src/kernel/port.c") &&
		scripts/check-imports "$object"
	set -- $?
	rm -f "$object"
	return "$1"
}

# in_make FOLDER [TARGET]: with all CPUs, every target even when one fails
in_make()
{
	make -s -k -j"$(nproc)" --output-sync=target --no-print-directory \
		-C "$@"
}

# in_turn COMMAND...: all of them, even when one fails
in_turn()
{
	local command status=0

	for command; do
		# shellcheck disable=SC2086 # words
		$command || status=1
	done
	return $status
}
export -f build with_tags in_make in_turn

# modules KERNEL...: a kernel that has to be built from source is a step of its own
modules()
{
	local k kernel

	for k; do
		kernel=$(awk -v k="$k" '$1 == k && $2 == "built" { print "kernel " k }' \
			tests/qemu/kernels.list)
		[ -z "$kernel" ] || plan "$kernel" '' 7200 "scripts/kernel $k"
		plan "module $k" "$kernel" 5400 "build $k"
	done
}

# run NAME KERNEL COMMAND [OPTION]...: on a kernel whose module is built
run()
{
	plan "$1" "module $2" 14400 "$3 --kernel $2 $(echo "${@:4}" | tr '\n' ' ')"
}

# selftest NAME TESTS KERNEL [OPTION]...: a boot with these tests, "." for all. On a kernel
# that checks itself they take hours.
selftest()
{
	plan "boot $1" "module $3" 14400 \
		"tests/qemu/run --timeout 14000 --kernel $3 ${*:4}" "$2"
}

# boot NAME KERNEL [OPTION]...: all selftests
boot() { selftest "$1" . "${@:2}"; }

# words LIST: what tests/selftests/LIST names
words() { sed '/^#/d' "tests/selftests/$1" | tr '\n' ' '; }

# each TEST|FOLDER...: the selftests, a line each, none twice
each()
{
	local word

	for word; do
		if [ -d "tests/selftests/test.d/$word" ]; then
			(cd tests/selftests/test.d && find "$word" -name '*.tc' | sort)
		else
			echo "$word"
		fi
	done | awk '!seen[$0]++'
}

# of_once [not KERNEL]: the selftests that once has, or those for another kernel, a line each
of_once()
{
	# shellcheck disable=SC2046 # words
	each $(awk -v kernel="${2:-}" '/^[^#]/ && $1 != kernel { $1 = ""; print }' \
		tests/selftests/once)
}

# here KERNEL: the selftests that "make check" runs there: all but those that once has for another
# kernel, unless they are of core, a line each
here()
{
	# shellcheck disable=SC2046 # words
	each $(cd tests/selftests/test.d && echo *) |
		grep -vxFf <(of_once not "$1" | grep -vxFf <(each $(words core)))
}

# lane_tests LANE: what runs there, a line each, if not all does: core, unless lanes.list says
# "only", and what it names
lane_tests()
{
	# shellcheck disable=SC2046 # words
	each $(awk -v lane="$1" -v core="$(words core)" '
		$1 == lane { for (i = 3; i <= NF; i++) if ($i == "only") core = ""; else names = names " " $i }
		END { print core names }' tests/qemu/lanes.list)
}

# special FEATURE: the selftests that lanes.list names for it, a line each
special()
{
	awk -v feature="$1" '$2 == feature { for (i = 3; i <= NF; i++) print $i }' tests/qemu/lanes.list
}

# is_whole LANE: do all selftests run there, always or because its turn has come? Of every
# twelve commits in a row one is the turn of each lane.
is_whole()
{
	awk -v lane="$1" -v turn="$turn" '
	/^#/ || !NF { next }
	{ if (!($1 in row)) order[++n] = $1; row[$1] }
	$3 == "all" { always[$1] }
	END {
		for (i = 1; i <= n; i++)
			if (order[i] == lane)
				exit !(lane in always || (turn != "" && number % 12 == turn % 12))
			else if (!(order[i] in always))
				number++
		exit 1
	}' tests/qemu/lanes.list
}

# lane KERNEL NAME [OPTION]...: a kernel, or a boot of it that differs by NAME
lane()
{
	local name=$1${2:+ $2} lane=$1${2:+/$2}

	if is_whole "$lane"; then
		boot "$name" "$1" "${@:3}"
	else
		selftest "$name, its own" "$(lane_tests "$lane" | tr '\n' ' ')" "$1" "${@:3}"
	fi
}

# variants: the boots of tests/qemu/variants.list
variants()
{
	local name kernel options

	while read -r name kernel options; do
		# shellcheck disable=SC2086 # words, quoted for the shell that runs them
		lane "$kernel" "$name" $options
	done < <(grep -v '^#' tests/qemu/variants.list)
}

# is_planned NAME
is_planned()
{
	local name

	for name in "${names[@]}"; do
		[ "$name" != "$1" ] || return 0
	done
	return 1
}

portable()
{
	plan 'runners' '' 600 \
		'in_turn tests/selftests/samples/check tests/runner/check tests/build/check \
			tests/build/version tests/tool/doctor tests/tool/usage'
	plan 'host' '' 1800 'in_make tests/host'
	# links objects of the host tests
	plan 'fuzz corpus' 'after host' 1800 'in_make tests/fuzz replay'
}

models() { plan 'models' '' 600 'tests/models/run'; plan 'litmus' '' 3600 'tests/litmus/run'; }

# What needs no part.
core_alone='basic/parts.tc engine buffer events'

# parts TESTS [core|PART]...: the core alone, which has to pass these, and without each part
parts()
{
	plan 'parts' 'after sparse' 7200 "tests/build/parts ${*:2}"
	plan 'core alone' 'parts' 3600 \
		'tests/qemu/run --kernel 6.1 --build build/core --virtual --skips no-parts' "$1"
}

# older TESTS: the module as older kernels than any of Debian's get it, which has to pass these
older()
{
	plan 'older' 'module 5.10' 5400 tests/build/older
	plan 'boot as older' 'older' 14400 \
		'tests/qemu/run --kernel 5.10 --build build/older --virtual --skips no-static' "$1"
}

plan_host() { portable; }

# changed: the files that differ from the last commit; if none does, those of that commit
changed()
{
	{ git diff --name-only HEAD && git ls-files -o --exclude-standard; } | grep . ||
		git diff --name-only HEAD^ HEAD
} 2>/dev/null

# rules: read changed files, and print what changes.list has for each: "HOST SELFTESTS", or
# nothing
rules()
{
	local file line pattern
	local -a lines

	mapfile -t lines < <(grep '^[^#]' tests/selftests/changes.list)
	while read -r file; do
		case $file in
		tests/selftests/test.d/*.tc)
			[ ! -f "$file" ] || echo "- ${file#tests/selftests/test.d/}"
			continue ;;
		tests/host/test_*.c | tests/host/tsan_*.c)
			file=${file##*/}
			echo "${file%.c}"
			continue ;;
		esac
		for line in "${lines[@]}"; do
			pattern=${line%%[[:blank:]]*}
			# shellcheck disable=SC2053 # a pattern
			if [[ $file == $pattern ]]; then
				read -r _ line <<<"$line"
				echo "$line"
				break
			fi
		done
	done
}

# affordable SECONDS TEST...: the first of the selftests that take as much CPU time together;
# one that costs does not have has 2 seconds
affordable()
{
	local limit=$1

	shift
	each "$@" | awk -v limit="$limit" '
	FNR == NR { if (/^[^#]/) cost[$2] = $1; next }
	{
		c = $1 in cost ? cost[$1] : 2
		if (sum + c > limit && sum)
			next
		sum += c
		printf "%s ", $1
	}' tests/selftests/costs -
}

# plan_quick [TEST]...: these selftests; without, what the changed files may have broken
plan_quick()
{
	local rules host='' tests

	if [ $# = 0 ]; then
		rules=$(changed | rules | sort -u)
		host=$(cut -d ' ' -f 1 <<<"$rules" | tr ',' '\n' | grep -v '^-*$' | sort -u |
			tr '\n' ' ')
		tests=$(cut -s -d ' ' -f 2- <<<"$rules")
		plan 'style' '' 600 'scripts/check-style sources'
		# shellcheck disable=SC2046,SC2086 # words
		set -- $(affordable "${KPTRACE_QUICK_SECONDS:-60}" ${tests:-$(words quick)})
		echo "changed files: $(changed | tr '\n' ' ')"
		echo "host tests for them: ${host:-none}"
		echo "selftests for them: $*"
	fi
	modules newest
	[ -z "$host" ] || plan 'host' '' 1800 "in_make tests/host T='$host'"
	selftest 'newest, changed' "$*" newest --virtual
}

plan_check()
{
	local signed

	# shellcheck disable=SC2046 # words
	signed=$(each $(words core) $(special ARM64_PTR_AUTH_KERNEL))

	# The same cases each time, so that a case nobody has tried does not hold up a
	# change. "make quick" and "make check-all" try new ones.
	export SEED=1
	# The longest chains begin first, and what is short fills the gaps.
	modules newest 6.1
	# One CPU, two with every feature, and four, which alone run at the same time. To sign
	# and check return addresses takes a third of the time: only where that can matter.
	selftest 'newest max, core' "$(tr '\n' ' ' <<<"$signed")" newest --cpu max --virtual
	selftest 'newest, others' "$(here newest | grep -vxF "$signed" | tr '\n' ' ')" newest \
		--cpu max,pauth=off --virtual
	selftest '6.1 1 CPU' "$(here 6.1 | tr '\n' ' ')" 6.1 --smp 1 --virtual
	# shellcheck disable=SC2046 # words
	selftest 'newest 4 CPUs, timing' "$(each $(words timing) | tr '\n' ' ')" newest \
		--cpu max,pauth=off --smp 4
	plan 'style' '' 600 'scripts/check-style sources'
	portable
	models
	plan 'sparse' 'module 6.1' 1800 'scripts/check-style sparse'
	# shellcheck disable=SC2086 # words
	parts "$(each $core_alone | grep -vxFf <(of_once) | tr '\n' ' ')" core hist
	# Page tables of its own for user mode take twice as long.
	selftest 'newest kpti' "$(lane_tests newest/kpti | tr '\n' ' ')" newest \
		--cmdline kpti=on --virtual
	run 'definitions newest' newest tests/peer/run definitions --seed 1
	# A BPF program attached behind a function; every way to wait for records.
	run 'fexit, waiting newest' newest tests/stress/run fexit.tc waiting.tc
	run 'lockdown newest' newest tests/stress/run lockdown.tc
}

plan_all()
{
	local k

	plan 'style' '' 600 'scripts/check-style sources'
	plan 'other decoders' '' 3600 \
		'make -s --no-print-directory -C tests/host oracles'
	portable
	plan 'btf of whole kernels' '' 1800 'tests/btf/run'
	models
	plan 'static checkers' '' 7200 'scripts/setup static && tests/static/run'
	# What takes longest is made first, beside the rest.
	# shellcheck disable=SC2046 # words
	modules $(awk '$2 == "built" { print $1 }' tests/qemu/kernels.list)
	# What only happens at the same time is seen on the kernels of "make check".
	for k in $(listed check); do
		modules "$k"
		lane "$k" ''
	done
	for k in $(listed all); do
		is_planned "module $k" || modules "$k"
		lane "$k" '' --virtual
	done
	plan 'sparse' 'module 6.1' 1800 'scripts/check-style sparse'
	parts "$core_alone"
	older "$(words core)"
	plan 'first patch' 'module 6.1' 1800 tests/build/first_patch
	variants
	# Every instruction bare and probed: the same states, and new ones.
	run 'cpu 6.1 cortex-a57' 6.1 tests/cpu/run --seed 1
	run 'cpu 6.1 max' 6.1 tests/cpu/run --cpu max
	run 'cpu newest max' newest tests/cpu/run --cpu max
	# The listings of docs/arm64.md.
	run 'listings 6.1' 6.1 tests/bench/plans
	# Next to the kernel's own: the same cases, and new ones.
	run 'definitions newest' newest tests/peer/run definitions --seed 1 --seed new
	run 'definitions 6.1' 6.1 tests/peer/run definitions --seed 1
	run 'definitions newest new' newest tests/peer/run definitions
	run 'definitions 6.12' 6.12 tests/peer/run definitions
	run 'filters newest' newest tests/peer/run filters --seed 1
	run 'filters 6.1 new' 6.1 tests/peer/run filters
	run 'hists newest' newest tests/peer/run hists --seed 1
	run 'options newest' newest tests/peer/run options
	run 'options 6.1' 6.1 tests/peer/run options
	# Next to the offsets of pahole.
	run 'values by name 6.1' 6.1 tests/btf/values
	run 'values by name 5.10' 5.10 tests/btf/values
	run 'values by name nokprobes' nokprobes tests/btf/values
	# The kernel's own tests, and Debian's tools.
	run 'ftracetest newest' newest tests/ftracetest/run --no-builtin
	run 'ftracetest 6.1' 6.1 tests/ftracetest/run --no-builtin
	run 'ftracetest nokprobes' nokprobes tests/ftracetest/run
	run 'user_events newest' newest tests/kselftest/run user_events
	run 'user_events 6.1' 6.1 tests/kselftest/run user_events
	run 'mapped rings newest' newest tests/kselftest/run ring-buffer
	run 'mapped rings 6.1' 6.1 tests/kselftest/run ring-buffer
	run 'kprobes newest' newest tests/kprobes/run
	run 'kprobes 6.1' 6.1 tests/kprobes/run
	run 'kprobes nokprobes' nokprobes tests/kprobes/run
	# What the console shows of a crash.
	run 'crash newest' newest tests/crash/run
	run 'crash 6.1' 6.1 tests/crash/run
	run 'crash hardened' hardened tests/crash/run
	run 'kdump newest' newest tests/crash/kdump
	run 'kgdb 64k' 64k tests/crash/kgdb
	run 'vmcore newest' newest tests/crash/vmcore
	run 'vmcore 6.1' 6.1 tests/crash/vmcore
	run 'recipes newest' newest tests/recipes/run
	run 'recipes 6.1' 6.1 tests/recipes/run
	run 'tools newest' newest tests/tools/run
	run 'tools 6.1' 6.1 tests/tools/run
	plan 'KernelShark 6.1' 'module 6.1' 1800 \
		'scripts/setup shark && tests/tools/kernelshark --kernel 6.1'
	plan 'tool 6.1' 'module 6.1' 7200 'scripts/setup tool &&
		in_turn "tests/tool/run --kernel 6.1" "tests/tool/tutorial --kernel 6.1"'
	run 'initramfs newest' newest tests/initramfs/run
	run 'fexit, waiting newest' newest tests/stress/run fexit.tc waiting.tc
	run 'wakes newest' newest tests/stress/run --smp 2 --rounds 3 wakes.tc
	run 'graphs newest' newest tests/stress/run --smp 2 graph_like_kernel.tc
	run 'lockdown newest' newest tests/stress/run lockdown.tc
	run 'lockdown 6.1' 6.1 tests/stress/run lockdown.tc
	# The kernel at EL1 and at EL2, with guests.
	run 'kvm newest' newest tests/stress/run --qemu "'-M virtualization=on'" kvm.tc
	run 'kvm newest VHE' newest tests/stress/run --cpu max \
		--qemu "'-M virtualization=on'" kvm.tc
	# Compiled for size: inline functions of KVM are functions there.
	run 'kvm 64k VHE' 64k tests/stress/run --cpu max \
		--qemu "'-M virtualization=on'" kvm.tc
	run 'NMIs 64k' 64k tests/stress/run --qemu "'-M gic-version=3'" \
		--cmdline irqchip.gicv3_pseudo_nmi=1 nmi.tc
	run 'noise 6.1' 6.1 tests/stress/run --smp 1 --qemu "'-icount shift=0'" \
		noise_sized.tc
	run 'user events 6.1' 6.1 tests/stress/run --smp 1 --qemu "'-icount shift=0'" \
		user_many.tc
	run 'user pages 6.1' 6.1 tests/stress/run --smp 2 --modprobe fuse user_dropped.tc
	run 'user pages newest' newest tests/stress/run --smp 2 --modprobe fuse user_dropped.tc
	# An hour of a guest's time, at a rate that the kernel rounds, and one that it is given.
	run 'clock 6.1' 6.1 tests/stress/run --smp 1 --qemu "'-icount shift=0,sleep=off'" \
		--cpu cortex-a57,cntfrq=999999937 clock.tc
	run 'clock newest' newest tests/stress/run --smp 1 \
		--qemu "'-icount shift=0,sleep=off'" --timer clock-frequency=31250000 clock.tc
	run 'livepatch 64k' 64k tests/stress/run livepatch.tc
	run 'faults 6.1' 6.1 tests/stress/run faults.tc
	# Not the machine's speed may decide what they show.
	selftest '6.1, busy' "-b3 $(words timing)" 6.1
	# What only several CPUs at once show; "make stress" has the others.
	run 'stress 6.1' 6.1 tests/stress/run objtrace.tc static_sinks.tc \
		static_held.tc static_pid.tc static_words.tc tool_namespaces.tc \
		user_memcg.tc raw_memcg.tc
}

# is_base STEP: by its number; what others build on is made in each shard
is_base()
{
	case ${names[$1]} in
	'kernel '* | 'module '*) return 0 ;;
	esac
	return 1
}

# keep_shard I N: the part I of N of the plan: every N-th step, with what it needs. The same
# for the same plan, so all parts together are all of it.
keep_shard()
{
	local i j part count=0 need
	local -a all_names=("${names[@]}") all_needs=("${needs[@]}") all_limits=("${limits[@]}")
	local -a all_commands=("${commands[@]}") all_tests=("${selftests[@]}")
	local -A part_of=() wanted=()

	for i in "${!names[@]}"; do
		! is_base "$i" || continue
		need=${needs[i]#after }
		part=${part_of[${need:-none}]:-}
		[ -n "$part" ] || part=$((count++ % $2 + 1))
		part_of[${names[i]}]=$part
		[ "$part" != "$1" ] || wanted[${names[i]}]=1
	done
	# What is needed stands before who needs it.
	for ((i = ${#all_names[@]} - 1; i >= 0; i--)); do
		need=${all_needs[i]#after }
		[ -z "${wanted[${all_names[i]}]:-}" ] || [ -z "$need" ] || wanted[$need]=1
	done
	names=() needs=() limits=() commands=() selftests=()
	for j in "${!all_names[@]}"; do
		[ -z "${wanted[${all_names[j]}]:-}" ] || plan "${all_names[j]}" \
			"${all_needs[j]}" "${all_limits[j]}" "${all_commands[j]}" "${all_tests[j]}"
	done
}
