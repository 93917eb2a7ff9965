#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# In the guest, for user: the same writes into either tree.
PATH=/kpt/selftests/programs:$PATH
mount -t tracefs none /sys/kernel/tracing
mount -t kptracefs none /sys/kernel/kptrace
writes=100000
event_nr=0

# write_all NAME FIELDS HEX [FILTER none]: what a write takes with the event enabled
write_all()
{
	event=ev$((event_nr += 1))
	cat >/tmp/commands <<END
reg 3 0 $event $2
sh echo 1 >events/user_events/$event/enable
sh echo '${4:-0}' >events/user_events/$event/filter
sh echo >trace
repeat 100 0 00000000$3
sh grep -m 1 '^now at ' /proc/timer_list
repeat 0 0 00000000$3
sh grep -m 1 '^now at ' /proc/timer_list
repeat $writes 0 00000000$3
sh grep -m 1 '^now at ' /proc/timer_list
sh grep -c " $event:" trace | sed 's/^0/none/; s/^[1-9].*/some/; s/^/records /'
sh echo 0 >events/user_events/$event/enable
END
	user_event </tmp/commands | awk -v name="$1" -v who="$who" -v n=$writes \
		-v want="${5:-some}" '
		/^E[A-Z]/ { print "wrong|" name "|" who "|" $0 }
		/^records/ && $2 != want { print "wrong|" name "|" who "|" $2 " recorded" }
		/^now at/ { at[++i] = $3 }
		END { printf "cost|%s|%s|%d\n", name, who,
			     ((at[3] - at[2]) - (at[2] - at[1])) / n }'
}

for who in built-in kptrace; do
	cd /sys/kernel/tracing || exit
	[ $who = built-in ] || cd /sys/kernel/kptrace || exit
	[ -e user_events_data ] || continue
	write_all 'a number' 'u32 a' 01000000
	write_all 'four numbers' 'u64 a; u64 b; u64 c; u64 d' "$(printf %064d 0)"
	write_all 'a string of 5' '__rel_loc char[] s' 0000060068656c6c6f00
	write_all 'filtered out by a number' 'u32 a' 01000000 'a == 2' none
done
