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

# pair(a, b, name, tracer, format): one figure and a second one of a tracer
function pair(a, b, name, tracer, format)
{
	return sprintf(" %10s %7s", cell(a, name SUBSEP tracer, format),
		cell(b, name SUBSEP tracer, "%.4g"))
}

# row(name, a, b): of both tracers
function row(name, a, b, format)
{
	return sprintf("%-30s", name) pair(a, b, name, "builtin", format) \
		pair(a, b, name, "kptrace", format) \
		sprintf(" %7s", ratio(a, name))
}

function head(title, first, second, third)
{
	printf "%-30s %18s %18s %26s\n", "", "built-in", "kptrace", third
	printf "%-30s %10s %7s %10s %7s %7s", title, first, second,
		first, second, "ratio"
	printf third ? " %10s %7s\n" : "\n", first, second
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
$1 == "cpus" {
	if (!($2 in scene)) {
		scene[$2] = 1
		scenes[++nr_scenes] = $2
	}
	if ($4 == 1)
		alone[$2, $3] = $5 - alone[$2, "none"]
	else
		together[$2, $3] = $5 - together[$2, "none"]
	nr_cpus = $4
}
$1 == "read" {
	if (!($2 in seen)) {
		seen[$2] = 1
		file[++files] = $2
	}
	per_event[$2, $3] = $4 / $5
}

END {
	if (length(cost)) {
		head("a hit, over the unprobed call", "instr.", "except.",
			"kptrace, jump=0")
		for (n = 1; n <= names; n++)
			print row(name[n], cost, taken, "%.0f") \
				pair(cost, taken, name[n], "brk", "%.0f")
		printf "\nbuilt-in, two registers, with kptrace loaded and" \
			" idle: %s\n\n",
			cell(cost, "entry, two registers" SUBSEP "idle", "%.0f")
	}
	if (nr_scenes) {
		head("a hit, two registers", "1 CPU", nr_cpus " CPUs")
		for (n = 1; n <= nr_scenes; n++)
			print row(scenes[n], alone, together, "%.0f")
	}
	if (steps)
		head(many " probes", "us", "stops")
	for (n = 1; n <= steps; n++) {
		print row(order[n], took, stops, "%.0f")
		took["total", "builtin"] += took[order[n], "builtin"]
		took["total", "kptrace"] += took[order[n], "kptrace"]
	}
	if (steps)
		print row("total", took, none, "%.0f")
	if (files) {
		printf "\n"
		head("reading", "instr./event", "")
	}
	for (n = 1; n <= files; n++)
		print row(file[n], per_event, none, "%.0f")
	printf "\n-: the tracer does not take this definition\n"
}
