# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What scripts/check knows from runs before. A step is known by a key, which is made of the
# sources of the module, of the command and of the files that it names, but not of single
# selftests: those are known one by one. So a change of a document makes nothing unknown,
# and one of a test makes that test unknown, in each boot.
#
# Results are lines "KEY COMMIT PASSED FAILED SKIPPED SECONDS CPU WAITING STEP", in a file
# for the whole plan or one for each shard; what selftests a boot has passed is in lines
# "KEY SUM TEST" of NAME.tests. Both can be copied from another machine.

module_sources='Kbuild include src arch scripts/features.awk scripts/features.c scripts/slots.awk scripts/module'
guest_sources='tests/kmod samples tests/qemu tests/selftests tools scripts/with-kptrace'

# By path: the sum of the files there. By step: its key, and the selftests of a boot that
# are known.
declare -A sums=()
keys=() known=()

# files PATH...: those that decide what a test shows
files()
{
	find "$@" -type f ! -path '*/selftests/test.d/*' ! -path '*/__pycache__/*' \
		! -name '*.o' ! -name '*.ko' ! -name '*.mod*' ! -name '.*' -print0 2>/dev/null |
		sort -z
}

# add_sum PATH...: append the sum of what is there to $key
add_sum()
{
	[ -n "${sums[$*]:-}" ] ||
		sums[$*]=$(files "$@" | xargs -0r sha256sum | sha256sum | cut -c 1-16)
	key+=" ${sums[$*]}"
}

# tree_sum: of all files that are not ignored; nothing outside of a git repository
tree_sum()
{
	git rev-parse --git-dir >/dev/null 2>&1 || return 0
	git ls-files -co --exclude-standard -z | sort -z | xargs -0r sha256sum 2>/dev/null |
		sha256sum | cut -c 1-16
}

# make_keys: of all steps
make_keys()
{
	local i path key

	for i in "${!names[@]}"; do
		key=${commands[i]}
		# shellcheck disable=SC2086 # words
		add_sum $module_sources
		# shellcheck disable=SC2086
		case ${needs[i]} in
		'module '*) add_sum $guest_sources ;;
		esac
		for path in $(grep -oE '(tests/[a-z]+|scripts/[a-z.-]+)' <<<"${commands[i]}" |
				sort -u); do
			add_sum "$path"
			case $path in
			scripts/check-style) key+=" $tree" ;;
			tests/runner) add_sum scripts Makefile ;;
			tests/host | tests/fuzz | tests/peer)
				add_sum tests/host tests/cases scripts/insn-table docs/insns.md ;;
			esac
		done
		keys[i]=$(sha256sum <<<"$key" | cut -c 1-16)
	done
}

# tests_of STEP: its selftests, one a line
tests_of()
{
	local word

	for word in ${selftests[$1]}; do
		# An option of kpttest.
		[ "${word#-}" = "$word" ] || continue
		(cd tests/selftests/test.d && find "$word" -name '*.tc' | sed 's,^\./,,') 2>/dev/null
	done | sort -u
}

# tests_known STEP: "KEY SUM TEST" of each
tests_known()
{
	tests_of "$1" | (cd tests/selftests/test.d && xargs -r sha256sum) |
		sed -E "s/^(.{16})[^ ]* +/${keys[$1]} \1 /"
}

# record_result STEP
record_result()
{
	local p f s rest

	read -r p f s rest <<<"${results[$1]}"
	results[$1]="$((p + ${known[$1]:-0})) $f $s $rest"
	echo "${keys[$1]} $commit ${results[$1]} ${names[$1]}" >>"$record"
	[ "$f" != 0 ] || [ -z "${selftests[$1]}" ] || tests_known "$1" >>"$record.tests"
}

# is_needed NAME: does another step use what this one makes?
is_needed()
{
	local need

	for need in "${needs[@]}"; do
		[ "$need" != "$1" ] || return 0
	done
	return 1
}

# some_unknown STEP: if some selftests of it are not known, let it run those alone
some_unknown()
{
	local unknown all

	[ -n "${selftests[$1]}" ] || return 1
	unknown=$(tests_known "$1" | grep -vxFf <(cat "$logs"/results*.tests 2>/dev/null) |
		cut -d ' ' -f 3)
	[ -n "$unknown" ] || return 1
	all=$(tests_of "$1" | wc -l)
	known[$1]=$((all - $(wc -l <<<"$unknown")))
	selftests[$1]="$(grep -oE '^-b[0-9]+ ' <<<"${selftests[$1]}")$(tr '\n' ' ' <<<"$unknown")"
	remark[$1]="${known[$1]} of $all known"
}

# recall: the results of steps that passed before; for a verdict over all, of those that
# failed, too
recall()
{
	local key at p f rest name i
	local -A of=()

	for i in "${!names[@]}"; do
		of[${names[i]}]=$i
	done
	while read -r key at p f rest; do
		name=$(cut -d ' ' -f 5- <<<"$rest")
		i=${of[$name]:-}
		[ -n "$i" ] && [ "$key" = "${keys[i]}" ] || continue
		results[i]='' remark[i]=''
		[ "$f" = 0 ] || [ -n "$join" ] || continue
		[ "$at" = "$commit" ] || [ -n "$join" ] || ! is_needed "$name" || continue
		results[i]="$p $f $(cut -d ' ' -f 1-4 <<<"$rest")"
		[ "$at" = "$commit" ] || remark[i]="at $at"
	done < <(cat "$logs"/results "$logs"/results-*-of-+([0-9]) 2>/dev/null)
	for i in "${!names[@]}"; do
		if [ -n "${results[i]:-}" ] && some_unknown "$i"; then
			results[i]=''
		fi
		[ -z "${results[i]:-}" ] || began[i]=0
	done
}
