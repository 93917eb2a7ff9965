# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# rtla_suite.sh NAME...: run these of rtla's tests. Prints the lines of their results, and
# the log of those that are not known to fail.

export RTLA=/kpt/bin/rtla
# Their own scripts begin with that path.
ln -s /kpt/bin/bash /bin/bash
mount -t cgroup2 none /sys/fs/cgroup 2>/dev/null
cd /kpt/rtla || exit
passed=0 failed=0 skipped=0
for name; do
	/kpt/scripts/with-kptrace /kpt/bin/bash "tests/$name.t" 2>&1 | tee /tmp/said >/dev/console
	while IFS= read -r line; do
		case $line in
		'ok '*)
			passed=$((passed + 1))
			echo "$name: $line" ;;
		'not ok '*)
			test=${line#not ok * - }
			why=$(sed -n "s|^$name: $test	*||p" /kpt/known)
			echo "$name: $line${why:+ # known: $why}"
			if [ "$why" ]; then
				skipped=$((skipped + 1))
			else
				failed=$((failed + 1))
			fi ;;
		'# '*) [ "$why" ] || echo "  $line" ;;
		esac
	done </tmp/said
	# A suite that ends early says nothing about the rest.
	wanted=$(sed -n 's/^1\.\.//p' /tmp/said)
	[ "$(grep -cE '^(not )?ok ' /tmp/said)" = "$wanted" ] || failed=$((failed + 1))
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
