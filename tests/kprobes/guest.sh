# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Loads the modules in /kpt/kprobes, and looks for what they log.

passed=0 failed=0

# logged REGEX: the kernel's log has such a line
logged()
{
	if dmesg | grep -q "$1"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "no line in the log: $1"
	fi
}

insmod /kpt/kprobes/kprobe_example.ko
/bin/busybox true
rmmod kprobe_example
logged 'kprobe_init: Planted kprobe at [^ ]*$'
logged 'handler_pre: <kernel_clone> p->addr = 0x[^ ,]*, pc = 0x[0-9a-f]*, pstate = 0x[0-9a-f]*$'
logged 'handler_post: <kernel_clone> p->addr = 0x[^ ,]*, pstate = 0x[0-9a-f]*$'
logged 'kprobe_exit: kprobe at [^ ]* unregistered$'

insmod /kpt/kprobes/kretprobe_example.ko func=vfs_read
read -r _ </proc/version
rmmod kretprobe_example
logged 'Planted return probe at vfs_read: [^ ]*$'
logged 'vfs_read returned [0-9]* and took [0-9]* ns to execute$'
logged 'kretprobe at [^ ]* unregistered$'
logged 'Missed probing [0-9]* instances of vfs_read$'

lsmod | grep -q '^kptrace .* 0' || { echo "kptrace is still in use"; failed=$((failed + 1)); }
echo "$passed passed, $failed failed, 0 skipped"
[ $failed = 0 ]
