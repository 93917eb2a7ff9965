# SPDX-License-Identifier: GPL-2.0-only
#
# From cases and what guest.sh printed to tables. Cells of a case that a tracer
# refused, or that it has no figure for, are '-'.

function trim(s)
{
	gsub(/^ +| +$/, "", s)
	return s
}

# cell(a, key, format): a number if it is there
function cell(a, key, format)
{
	return key in a ? sprintf(format, a[key]) : "-"
}

function ratio(a, name)
{
	if (!((name, "kptrace") in a) || !(a[name, "builtin"] > 0))
		return "-"
	return sprintf("%.2f", a[name, "kptrace"] / a[name, "builtin"])
}

# row(name, a, b): of one figure, and a second one, for both tracers
function row(name, a, b, format)
{
	printf "%-30s %12s %7s %12s %7s %7s\n", name,
		cell(a, name SUBSEP "builtin", format),
		cell(b, name SUBSEP "builtin", "%.4g"),
		cell(a, name SUBSEP "kptrace", format),
		cell(b, name SUBSEP "kptrace", "%.4g"), ratio(a, name)
}

function head(title, first, second)
{
	printf "%-30s %20s %20s\n", "", "built-in", "kptrace"
	printf "%-30s %12s %7s %12s %7s %7s\n", title, first, second,
		first, second, "ratio"
}

FILENAME ~ /cases$/ {
	if (/^#/ || !NF)
		next
	name[++names] = trim($1)
	act[trim($1)] = trim($2)
}
$1 == "exceptions" { exceptions[$2] = $3 / 100 }
$1 == "id" { taken[$2, $3] = exceptions[$4] }
$1 == "base" { base[$2] = $3 }
$1 == "hit" { cost[$2, $3] = ($4 - base[act[$2]]) / 1000 }
$1 == "many" {
	if (!($2 in step)) {
		step[$2] = 1
		order[++steps] = $2
	}
	took[$2, $3] = $4 / 1000
	stops[$2, $3] = $5
}
$1 == "read" {
	if (!($2 in seen)) {
		seen[$2] = 1
		file[++files] = $2
	}
	per_event[$2, $3] = $4 / $5
}

END {
	head("a hit, over the unprobed call", "instr.", "except.")
	for (n = 1; n <= names; n++)
		row(name[n], cost, taken, "%.0f")
	printf "\nbuilt-in, two registers, with kptrace loaded and idle: %s\n\n",
		cell(cost, "entry, two registers" SUBSEP "idle", "%.0f")
	head("1,000 probes", "us", "stops")
	for (n = 1; n <= steps; n++)
		row(order[n], took, stops, "%.0f")
	printf "\n"
	head("reading", "instr./event", "")
	for (n = 1; n <= files; n++)
		row(file[n], per_event, none, "%.0f")
	printf "\n-: the tracer does not take this definition\n"
}
