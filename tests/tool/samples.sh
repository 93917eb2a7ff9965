# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# What awks and trees have in common: in tools/, $work is a folder of their own; what is wrong is
# printed, and then $status is 1.

set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../tools" || exit
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
: >"$work/before"

# awks FUNCTION ARGUMENT...: call it with each awk as $awk
awks()
{
	for awk in mawk gawk 'busybox awk' original-awk; do
		! command -v "${awk%% *}" >/dev/null || "$@"
	done
}

# same WHAT: $work/got is $work/wanted
same()
{
	diff -u "$work/wanted" "$work/got" >"$work/diff" && return
	echo "$1, $awk:"
	cat "$work/diff"
	status=1
}

# gives WHAT FILES ARGUMENT...: the awk FILES print $work/wanted for $work/sample
gives()
{
	awks gives_by "$@"
}
gives_by()
{
	local what=$1 file args=()

	for file in $2; do
		args+=(-f "$file.awk")
	done
	shift 2
	# shellcheck disable=SC2086 # two words
	LC_ALL=C timeout 20 $awk -v tracing="$work/tracing" "$@" "${args[@]}" \
		"$work/before" "$work/sample" >"$work/got" 2>&1
	same "$what"
}
# by_awk: let the scripts find this awk
by_awk()
{
	mkdir -p "$work/bin"
	printf '#!/bin/sh\nexec %s "$@"\n' "$awk" >"$work/bin/awk"
	chmod +x "$work/bin/awk"
}
sample() { cat >"$work/sample"; }
wanted() { cat >"$work/wanted"; }
