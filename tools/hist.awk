# SPDX-License-Identifier: GPL-2.0-only
#
# A file hist_escaped as a table. mode: "times" (keys are powers of two of ns, with sums),
# "functions" or "values"; title: of what; svg: draw the times instead; json: objects
# instead; signed: negative values may be among them.

# digits() - a number from 1 on with three digits, or with all those before the point
function digits(n,	text) {
	if (n >= 99.95)
		return sprintf("%.0f", n)
	text = sprintf(n < 9.995 ? "%.2f" : "%.1f", n)
	sub(/[.]?0+$/, "", text)
	return text
}

# unit() - nanoseconds for people
function unit(ns) {
	if (ns < 1000)
		return sprintf("%d ns", ns)
	if (ns < 999500)
		return digits(ns / 1e3) " us"
	if (ns < 999.5e6)
		return digits(ns / 1e6) " ms"
	return digits(ns / 1e9) " s"
}

# with_sign() - a number that is shown as unsigned, from 2^63 on less 2^64, which is
# 18446744073709551616: in two halves, as 20 digits are too many for awk
function with_sign(text,	high, low) {
	if (text !~ /^[0-9]+$/ || length(text) < 19 ||
	    (length(text) == 19 && text "" < "9223372036854775808"))
		return text
	if (length(text) == 19)
		text = "0" text
	high = 1844674407 - substr(text, 1, 10)
	low = 3709551616 - substr(text, 11)
	if (low < 0) {
		low += 1e10
		high--
	}
	return high > 0 ? sprintf("-%.0f%010.0f", high, low) : sprintf("-%.0f", low)
}

# bar() - at least one character for what there is
function bar(n, most,	len) {
	len = most > 0 ? int(n * 40 / most + 0.5) : 0
	if (n > 0 && len < 1)
		len = 1
	return substr("########################################", 1, len)
}

/^[{] / {
	key = hits = masked($0)
	sub(/ *\} *hitcount:.*/, "", key)
	sub(/^\{ *[^:]*: */, "", key)
	# A function that is in two histograms was counted by both.
	if (mode == "functions" && seen[key]++)
		next
	sub(/.*\} *hitcount: */, "", hits)
	sum = 0
	if (hits ~ /elapsed:/) {
		sum = hits
		sub(/.*elapsed: */, "", sum)
	}
	sub(/ .*/, "", hits)
	n++
	total += hits
	all += sum
	if (hits + 0 > most)
		most = hits + 0
	if (mode == "times") {
		sub(/.*\^/, "", key)
		at[key + 0] = hits
		if (n == 1 || key + 0 < low)
			low = key + 0
		if (key + 0 > high)
			high = key + 0
	}
	if (mode == "functions")
		sub(/^\[[^]]*\] */, "", key)
	key = unmasked(key)
	if (signed)
		key = with_sign(key)
	keys[n] = key
	counts[n] = hits
}

function times(	p) {
	printf "%s: %.0f calls, %s together, %s on average\n", title, total,
	       unit(all), unit(all / total)
	printf "%10s    %-10s %10s\n", "more than", "up to", "calls"
	for (p = low; p <= high; p++)
		printf "%10s .. %-10s %10.0f %s\n", unit(power(p - 1)), unit(power(p)),
		       at[p], bar(at[p], most)
}

# set_range() - from and to become the least and greatest value of "~ 2^3" or "~ 8-15"
function set_range(key,	part) {
	if (sub(/^~ 2\^/, "", key)) {
		from = sprintf("%.0f", key > 0 ? power(key - 1) + 1 : 0)
		to = sprintf("%.0f", power(key))
	} else {
		split(substr(key, 3), part, "-")
		from = part[1]
		to = part[2]
	}
}

# In the order of their values.
function table_of_ranges(	i) {
	printf "%20s    %-20s %10s\n", "from", "to", "hits"
	for (i = 1; i <= n; i++) {
		set_range(keys[i])
		printf "%20s .. %-20s %10s %s\n", from, to, counts[i], bar(counts[i], most)
	}
}

function table(	i) {
	# Sorted by their counts: the last is the greatest.
	for (i = n; i >= 1; i--)
		printf "%10s %-40s %s\n", counts[i], keys[i], bar(counts[i], most)
}

# range() - the values of a key in JSON
function range(key) {
	set_range(key)
	return "\"min\":" from ",\"max\":" to
}

# objects() - the table in JSON
function objects(	i, k, what, module) {
	for (k = n; k >= 1; k--) {
		i = ranges ? n + 1 - k : k
		what = keys[i] ~ /^~ / ? range(keys[i]) : "\"value\":" json_value(keys[i])
		if (mode == "functions") {
			module = keys[i]
			what = ""
			if (sub(/.* \[/, "", module) && sub(/\]$/, "", module))
				what = ",\"module\":" quoted(module)
			sub(/ .*/, "", keys[i])
			what = "\"function\":" quoted(keys[i]) what
		}
		print "{" what ",\"count\":" counts[i] "}"
	}
}

# object_of_times() - the distribution in JSON
function object_of_times(	p, list) {
	for (p = low; p <= high && n; p++)
		list = list (p > low ? "," : "") "{" range("~ 2^" p) \
			sprintf(",\"count\":%.0f}", at[p])
	printf "{\"function\":%s,\"calls\":%.0f,\"sum_ns\":%.0f,\"buckets\":[%s]}\n",
		quoted(title), total, all, list
}

function answer_in_json() {
	if (mode == "times")
		object_of_times()
	else
		objects()
}

function picture(	p, width, high_bar) {
	width = 60 + (high - low < 4 ? 5 : high - low + 1) * 56
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"300\" " \
	       "font-family=\"sans-serif\" font-size=\"12\">\n", width
	print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
	printf "<text x=\"20\" y=\"24\" font-size=\"15\">%s</text>\n", escaped(title)
	printf "<text x=\"20\" y=\"42\" fill=\"#555\">%.0f calls, %s on average</text>\n",
	       total, unit(total ? all / total : 0)
	for (p = low; p <= high && n; p++) {
		high_bar = at[p] * 170 / most
		printf "<rect x=\"%d\" y=\"%.1f\" width=\"50\" height=\"%.1f\" fill=\"#4878a8\">",
		       30 + (p - low) * 56, 250 - high_bar, high_bar
		printf "<title>%s to %s: %.0f calls</title></rect>\n",
		       unit(power(p - 1)), unit(power(p)), at[p]
		if (at[p])
			printf "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
			       55 + (p - low) * 56, 245 - high_bar, at[p]
		printf "<text x=\"%d\" y=\"268\" text-anchor=\"middle\" font-size=\"11\">%s</text>\n",
		       55 + (p - low) * 56, unit(power(p))
	}
	print "<line x1=\"20\" x2=\"" width - 20 "\" y1=\"250\" y2=\"250\" stroke=\"#333\"/>"
	printf "<text x=\"20\" y=\"288\" fill=\"#555\">took up to</text>\n</svg>\n"
}

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}

END {
	ranges = n && keys[1] ~ /^~ /
	if (json)
		answer_in_json()
	else if (svg)
		picture()
	else if (!n)
		exit
	else if (mode == "times")
		times()
	else if (ranges)
		table_of_ranges()
	else
		table()
}
