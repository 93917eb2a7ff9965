# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Records of all kinds in two instances, shown with the symbols that they are about;
# then waits to be ended, see vmcore.
#
# shellcheck disable=SC2016 # dollars of definitions

cd /sys/kernel || exit
mkdir -p kptrace
mount -t kptracefs none kptrace
cd kptrace || exit
insmod /kpt/kpt_crash.ko
cat >dynamic_events <<'END'
p:place kpt_crash:kpt_crash_here nr=%x0 p=%x1:x64 value=+0(%x1):s32 same=+0(%x1):x8[3] sym=%pc:symbol ip=+0(%x1):ipv4 six=+0(%x1):ipv6 hw=+0(%x1):mac port=+0(%x1):be16
r:back kpt_crash:kpt_crash_here value=$retval comm=$comm
p:inside kpt_crash:kpt_crash_here+4 name=+0(%sp):char
e:other kprobes.place again=$nr if nr > 20
s:made u64 nr; long value; ipv4 at
END
# Only where the kernel has BTF.
echo 'p:nap hrtimer_nanosleep mode:enum' >>dynamic_events 2>/dev/null
echo 'hist:keys=common_pid:n=nr' >events/kprobes/place/trigger
echo 'hist:keys=common_pid:m=$n:onmatch(kprobes.place).trace(made,$m,value,value)' \
	>events/kprobes/back/trigger
mkdir instances/other
echo 1 >instances/other/events/kprobes/back/enable
for e in kprobes/place kprobes/back kprobes/inside kprobes/nap eprobes/other \
	synthetic/made; do
	[ ! -e events/$e ] || echo 1 >events/$e/enable
done
echo stacktrace:3 >events/kprobes/place/trigger
for cpu in 1 2 1; do
	taskset $cpu sh -c 'echo 20 >/sys/module/kpt_crash/parameters/hits'
	printf 'between \351 %s\n' "$cpu" >trace_marker
done
usleep 1000
echo 0 >events/enable
echo 0 >instances/other/events/enable
grep -v '^#' trace | sed 's/^/top: /'
grep -v '^#' instances/other/trace | sed 's/^/other: /'
grep ' [tTwW] ' /proc/kallsyms | sed 's/^/kallsyms: /'
echo ready
sleep 1000
