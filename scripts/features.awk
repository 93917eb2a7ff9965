# SPDX-License-Identifier: GPL-2.0-only
#
# Make KPT_HAVE_<NAME> of what the compiler said: features.awk features.c OUTPUT

BEGIN { count = 0 }

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
		yes = !(name[n] in failed)
		what = name[n]
		sub(/^[a-z]+_/, "", what)
		if (name[n] ~ /^feature_/)
			print "#define KPT_HAVE_" what, yes
		else if (yes != (name[n] ~ /^control_/))
			wrong = wrong name[n] "() " (yes ? "compiles" : "does not compile") "\n"
	}
	if (wrong != "" || !count) {
		printf "%s", "kptrace: cannot tell what this kernel's headers offer:\n" wrong >"/dev/stderr"
		exit 1
	}
}
