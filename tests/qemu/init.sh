#!/bin/busybox sh
# SPDX-License-Identifier: GPL-2.0-only
#
# The first program in the guest: load kptrace, run the command, unload, report
# to the host through a virtio port, power off.
#
# shellcheck shell=dash

/bin/busybox mkdir -p /proc /sys /dev /tmp /sbin /etc
/bin/busybox --install -s /bin
export PATH=/bin:/sbin HOME=/ TERM=linux
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /tmp
mount -t debugfs debugfs /sys/kernel/debug 2>/dev/null
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
ip link set lo up 2>/dev/null

# shellcheck source=/dev/null
. /kpt/env
export KPT_KERNEL KPT_EXPECT_SKIP

if [ -f /kpt/boot/order ]; then
	while read -r ko; do
		insmod "/kpt/boot/$ko"
	done </kpt/boot/order
fi

# port NAME: the device of the virtio port with that name, once it is there
port()
{
	for _ in $(seq 300); do
		for p in /sys/class/virtio-ports/*; do
			[ "$(cat "$p/name" 2>/dev/null)" = "$1" ] || continue
			echo "/dev/${p##*/}"
			return
		done
		sleep 0.1
	done
	echo "no virtio port $1" >/dev/console
	echo /dev/console
}

# Without static events, as insmod_kptrace of the selftests.
# shellcheck disable=SC2086 # words
load() { insmod /kpt/kptrace.ko static_events=0 $KPT_PARAMETERS; }
loaded() { grep -q '^kptrace ' /proc/modules; }

cd /kpt || exit
if [ -n "$KPT_SHELL" ]; then
	[ -z "$KPT_INSMOD" ] || load
	setsid cttyhack sh
	poweroff -f
fi

result=$(port kptrace.result)
output=$(port kptrace.output)
status=0
if [ -n "$KPT_INSMOD" ]; then
	load >"$output" 2>&1 || status=insmod
fi
if [ "$status" = 0 ]; then
	eval "$KPT_COMMAND" >"$output" 2>&1 </dev/null || status=$?
fi
unload=ok
cd /
awk '$3 ~ /^k?p?tracefs$/ { print $2 }' /proc/mounts | while read -r dir; do
	umount "$dir" >"$output" 2>&1
done
if loaded; then
	rmmod kptrace >"$output" 2>&1 || unload=failed
	loaded && unload=failed
fi

# What a debug kernel thinks was never freed. Only an object that two scans
# find, some seconds apart, is one: before, it may be on its way somewhere.
leaks=/sys/kernel/debug/kmemleak
if [ -f $leaks ] && [ -n "$KPT_INSMOD" ]; then
	echo scan >$leaks
	sleep 6
	echo scan >$leaks
	cat $leaks >/tmp/leaks
	if [ -s /tmp/leaks ]; then
		cat /tmp/leaks >"$output"
		unload=leaks
	fi
fi
# How long no CPU had work to do, at least: their idle time is that of all together.
waited=$(awk -v cpus="$(grep -c '^processor' /proc/cpuinfo)" '{
	t = $2 - $1 * (cpus - 1); printf "%.2f", (t > 0 ? t : 0) }' /proc/uptime)
# The report is one write: an exclusive port can be opened once at a time.
printf 'command: %s\nunload: %s\nwaited: %s\n' "$status" "$unload" "$waited" >"$result"
sync
poweroff -f
