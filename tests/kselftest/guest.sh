# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Runs the programs in /kpt/kselftest, and adds up their results.

passed=0 failed=0 skipped=0
for test in /kpt/kselftest/*; do
	/kpt/scripts/with-kptrace "$test" >/tmp/said 2>&1
	sed "s/^/${test##*/}: /" /tmp/said
	passed=$((passed + $(grep -c '^ok .*' /tmp/said)))
	failed=$((failed + $(grep -c '^not ok ' /tmp/said)))
	skipped=$((skipped + $(grep -c '^ok .* # SKIP' /tmp/said)))
	# A program that ends early says nothing about the rest.
	grep -q '^# Totals: ' /tmp/said || failed=$((failed + 1))
done
echo "$((passed - skipped)) passed, $failed failed, $skipped skipped"
[ $failed = 0 ] && [ $skipped = 0 ]
