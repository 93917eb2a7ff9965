# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# Show the same calls under trace options, recorded by the kernel's own tracing
# and by kptrace. Prints "# CASE SIDE ERRNO", then the text of trace in base64;
# SIDE is kernel or kptrace. See compare.py.

builtin=/sys/kernel/tracing
kptrace=/sys/kernel/kptrace
mount | grep -q kptracefs || mount -t kptracefs none $kptrace
[ -d $builtin/events ] || mount -t tracefs none $builtin
insmod /kpt/kpt_target.ko

# name=value as in trace_options; all begin with what is default
options='sym-offset sym-addr verbose raw hex bin fields latency-format
	nocontext-info noirq-info record-tgid nohash-ptr noannotate
	noprint-parent'

# Definitions; the kernel may be too old for some.
cat >/tmp/wanted <<'END'
p:cmp/none kpt_target:kpt_target_none
p:cmp/ints kpt_target:kpt_target_ints %x0:u8 b=%x1:s8 %x2:x16 d=%x3:s32
p:cmp/two kpt_target:kpt_target_two bits=%x1:b4@4/16 l=%x0:x64 %x0
p:cmp/char kpt_target:kpt_target_ten %x0:char
p:cmp/text kpt_target:kpt_target_string s=+0(%x0):string c=$comm
p:cmp/list kpt_target:kpt_target_object n=+88(%x0):u16[3]
p:cmp/six kpt_target:kpt_target_six at=%lr:symbol x0=%x0
p:cmp/bad kpt_target:kpt_target_bad t=+0(%x0):string
r:cmp/ret kpt_target:kpt_target_returns ret=$retval:s64
r:cmp/void kpt_target:kpt_target_none
END

# define: as many as are taken; these are wanted from then on
define()
{
	while read -r line; do
		(echo "$line" >>kprobe_events) 2>/dev/null && echo "$line"
	done </tmp/wanted >/tmp/taken
	mv /tmp/taken /tmp/wanted
}

# record: the calls, by this process on one CPU
record()
{
	define
	echo record-tgid >trace_options
	echo 1 >events/cmp/enable
	for act in none ints 'two 2' ten string object six bad 'returns 1 -3'; do
		echo "call $act" >/proc/kpt_target
	done
	echo 0 >events/cmp/enable
	echo 'a text' >trace_marker
	printf 'id  some bytes' >trace_marker_raw
	echo norecord-tgid >trace_options
	echo 0 >tracing_on
}

# show SIDE OPTION...: trace under these, which are taken back
show()
{
	side=$1
	shift
	status=0
	for option; do
		echo "$option" >trace_options 2>/dev/null || status=1
	done
	echo "# $(echo "$*" | tr ' ' ,) $side $status"
	base64 <trace
	for option; do
		case $option in
		no*) echo "${option#no}" >trace_options ;;
		*) echo "no$option" >trace_options ;;
		esac 2>/dev/null
	done
}

# run SIDE DIR
run()
{
	cd "$2" || exit
	echo 1 >tracing_on
	record
	show "$1"
	# shellcheck disable=SC2086 # a list
	set -- "$1" $options
	side=$1
	shift
	for one; do
		show "$side" "$one"
		shift
		for other; do
			show "$side" "$one" "$other"
		done
	done
	show "$side" latency-format verbose sym-addr
	show "$side" record-tgid noirq-info fields sym-addr
	echo >kprobe_events
	echo 1 >tracing_on
}

taskset -p 1 $$ >/dev/null
echo 0 >/proc/sys/kernel/kptr_restrict
run kernel $builtin
run kptrace $kptrace
cd / || exit
rmmod kpt_target
