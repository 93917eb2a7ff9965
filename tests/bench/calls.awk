# SPDX-License-Identifier: GPL-2.0-only
#
# After symbols.awk, of logs with in_asm, in their order: what the shortest call of each act
# executes, from its first instruction to the one before the caller goes on, in LOG.calls,
# a line "ACT PC WORD" each: others have more to do, such as to claim the next part of the
# buffer. The emulator logs the words of a place when it translates them, which it may have
# done in an earlier log.

function end_call(  i)
{
	if (!(act in length_of) || n < length_of[act]) {
		for (i = 1; i <= n; i++)
			shortest[act, i] = executed[i]
		length_of[act] = n
	}
	act = ""
}

function write_calls(file,  of, i)
{
	if (act != "")
		end_call()
	for (of in length_of)
		for (i = 1; i <= length_of[of]; i++)
			print of " " shortest[of, i] >(file ".calls")
	delete length_of
	close(file ".calls")
}

FNR == 1 && log_file != "" { write_calls(log_file) }
{ log_file = FILENAME }

/^0x[0-9a-f]+: / {
	split($0, part, "[x: ]+")
	word[part[2]] = part[3]
}

# The last instruction was not executed, and comes again.
/^Stopped execution/ && act != "" { n-- }

/^Trace / {
	pc = pc_of($0)
	at = name_of(pc)
	if (act != "" && at == caller) {
		end_call()
	} else if (act == "" && at ~ /^act_/) {
		act = at
		caller = last
		n = 0
	}
	if (act != "")
		executed[++n] = pc " " word[pc]
	last = at
}

END { write_calls(log_file) }
