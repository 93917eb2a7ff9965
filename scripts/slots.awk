# SPDX-License-Identifier: GPL-2.0-only
#
# slots.awk NAME_part.c...: src/event/slots.h needs to know which parts keep data of each
# event, event file and instance: KPT_EVENT_SLOTS(X) is X(NAME) for each part whose first
# lines say, for instance, "Slots: event file.".
BEGIN { split("event file instance", of) }

FNR <= 3 && match($0, /Slots: [a-z ]*[.]/) {
	n = split(substr($0, RSTART + 7, RLENGTH - 8), words)
	part = FILENAME
	sub(/_part[.]c$/, "", part)
	sub(/.*\//, "", part)
	while (n) {
		row[words[n]] = row[words[n]] " X(" part ")"
		n--
	}
}

END {
	for (i = 1; i <= 3; i++)
		printf "#define KPT_%s_SLOTS(X)%s\n", toupper(of[i]), row[of[i]]
}
