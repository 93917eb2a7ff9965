# SPDX-License-Identifier: GPL-2.0-only
#
# Make KPT_HAVE_<NAME> of what the compiler said: features.awk features.c OUTPUT. -v without=NAMES:
# as if the headers had nothing of these.

BEGIN {
	count = 0
	split(without, word, " ")
	for (w in word)
		left_out["feature_" word[w]]
}

FNR == NR {
	if (match($0, /^static void [a-z]+_[A-Z_0-9]+/))
		name[++count] = substr($0, 13, RLENGTH - 12)
	inside[FNR] = name[count]
	next
}

/ error: / {
	where = $0
	if (sub(/^.*features\.c:/, "", where) && (inside[where + 0] != ""))
		failed[inside[where + 0]] = 1
	else
		wrong = wrong $0 "\n"
}

END {
	for (n = 1; n <= count; n++) {
		yes = !(name[n] in failed || name[n] in left_out)
		delete left_out[name[n]]
		what = name[n]
		sub(/^[a-z]+_/, "", what)
		if (name[n] ~ /^feature_/)
			print "#define KPT_HAVE_" what, yes
		else if (yes != (name[n] ~ /^control_/))
			wrong = wrong name[n] "() " (yes ? "compiles" : "does not compile") "\n"
	}
	for (n in left_out)
		wrong = wrong "there is no " n "()\n"
	if (wrong != "" || !count) {
		printf "%s", "kptrace: cannot tell what this kernel's headers offer:\n" wrong >"/dev/stderr"
		exit 1
	}
}
