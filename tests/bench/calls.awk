# SPDX-License-Identifier: GPL-2.0-only
#
# After symbols.awk, of logs with in_asm, in their order: what the last call of each act
# executes, from its first instruction to the one before the caller goes on, in LOG.calls,
# a line "ACT PC WORD" each. The emulator logs the words of a place when it translates
# them, which it may have done in an earlier log.

function write_calls(file,  act, i)
{
	for (act in length_of) {
		for (i = 1; i <= length_of[act]; i++)
			print act " " executed[act, i] >(file ".calls")
		length_of[act] = 0
	}
	close(file ".calls")
}

FNR == 1 && log_file != "" { write_calls(log_file) }
{ log_file = FILENAME }

/^0x[0-9a-f]+: / {
	split($0, part, "[x: ]+")
	word[part[2]] = part[3]
}

# The last instruction was not executed, and comes again.
/^Stopped execution/ && act != "" { length_of[act]-- }

/^Trace / {
	pc = pc_of($0)
	at = name_of(pc)
	if (act != "" && at == caller) {
		act = ""
	} else if (act == "" && at ~ /^act_/) {
		act = at
		caller = last
		length_of[act] = 0
	}
	if (act != "")
		executed[act, ++length_of[act]] = pc " " word[pc]
	last = at
}

END { write_calls(log_file) }
