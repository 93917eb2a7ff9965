# SPDX-License-Identifier: GPL-2.0-only
#
# Metrics in the text format of Prometheus, or of OpenMetrics, from lines "FILE:LINE" of
# the files stats and hist_escaped. Labels: the instance ("" is the top one), group and event, or
# CPU. openmetrics: families of counters are called without _total, and there is an end.

# metric() - a new kind of metric, in the order of the output
function metric(name, type, help) {
	names[++nr] = name
	types[name] = type
	helps[name] = help
}

function label(text) {
	text = utf8(text)
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	gsub(/\n/, "\\n", text)
	# Terminals would obey these.
	gsub(/[\001-\010\013-\037\177]|\302[\200-\237]/, "\357\277\275", text)
	return text
}

function label_name(text) {
	gsub(/[^A-Za-z0-9_]/, "_", text)
	return text
}

# sample() - values with the same labels add up: keys that are no text may look alike
function sample(family, name, labels, value,	series) {
	series = name "{" labels "}"
	if (series in total) {
		total[series] = sprintf("%.0f", total[series] + value)
	} else {
		total[series] = value
		member[family, ++nr_members[family]] = series
	}
}

BEGIN {
	metric("kptrace_hits_total", "counter", "Hits of an event.")
	metric("kptrace_recorded_total", "counter", "Hits that were recorded.")
	metric("kptrace_filtered_total", "counter", "Hits that were not wanted.")
	metric("kptrace_limited_total", "counter", "Hits that were over a limit.")
	metric("kptrace_missed_total", "counter", "Hits that could not be handled.")
	metric("kptrace_lost_total", "counter", "Hits without room for a record.")
	metric("kptrace_buffer_entries", "gauge", "Records in the buffer of a CPU.")
	metric("kptrace_buffer_overrun_total", "counter", "Records that were overwritten.")
	metric("kptrace_buffer_dropped_total", "counter", "Records that found the buffer full.")
	metric("kptrace_buffer_read_total", "counter", "Records that were read.")
	metric("kptrace_hist", "histogram", "Values of a hist trigger with a key of ranges.")
	metric("kptrace_hist_hits_total", "counter", "Hits by the keys of a hist trigger.")
	metric("kptrace_hist_values", "gauge", "Values of a hist trigger by its keys.")
	metric("kptrace_hist_dropped_total", "counter", "Hits that a hist trigger had no room for.")
	buffer["entries"] = "kptrace_buffer_entries"
	buffer["overrun"] = "kptrace_buffer_overrun_total"
	buffer["dropped events"] = "kptrace_buffer_dropped_total"
	buffer["read events"] = "kptrace_buffer_read_total"
}

# begin_hist() - a histogram: "hist:keys=...:vals=... [active]". Its range is the key
# with .log2 or .buckets, if there is one; the other keys become labels.
function begin_hist(info,	text, i, part) {
	trigger = info
	sub(/^# trigger info: hist:/, "", trigger)
	sub(/ \[[a-z]*\]$/, "", trigger)
	text = trigger
	trigger = where ",trigger=\"" label(trigger) "\""
	sub(/^(name=[^:]*:)?keys=/, "", text)
	split(text, part, ":")
	nr_keys = split(part[1], key, ",")
	range = ranges = 0
	for (i = 1; i <= nr_keys; i++) {
		if (key[i] ~ /\.(log2|buckets=.*)$/) {
			range = i
			ranges++
		}
		if (key[i] !~ /\.stacktrace$/)
			sub(/\..*/, "", key[i])
	}
	if (ranges != 1)
		range = 0
	# What is behind the last key of an entry.
	behind = text ~ /:nohitcount/ ? "[}] +[A-Za-z0-9_]+: " : "[}] hitcount: "
	nr_values = part[2] ~ /^vals=/ ? split(substr(part[2], 6), value, ",") : 0
	entry = ""
	edges = 0
	split("", group)
	nr_groups = summed = 0
}

# with_text() - a masked key with its string as it is, without what makes columns
function with_text(key,	text) {
	if (!match(key, /"[0-9]+"/))
		return key
	text = substr(key, RSTART, RLENGTH)
	key = substr(key, RSTART + RLENGTH)
	text = plain(unmasked(text))
	gsub(/ +/, "", key)
	return text (key == "" ? "" : " " key)
}

# key_labels() - of an entry "NAME: KEY, NAME: KEY"; sets of_range to that key
function key_labels(text,	i, one, out, next_) {
	of_range = ""
	for (i = 1; i <= nr_keys; i++) {
		text = substr(text, length(key[i]) + 2)
		next_ = i < nr_keys ? index(text, ", " key[i + 1] ":") : length(text) + 1
		one = substr(text, 1, next_ - 1)
		text = substr(text, next_ + 2)
		gsub(/^ +| +$/, "", one)
		gsub(/ *\n */, ";", one)
		gsub(/^;|;$/, "", one)
		one = with_text(one)
		if (i == range) {
			of_range = one
			continue
		}
		out = out ",key_" label_name(key[i]) "=\"" label(one) "\""
	}
	return out
}

# number_of() - a value of an entry "... hitcount: N  NAME: N"
function number_of(counts, name) {
	if (!sub(".*[ }]" name ": *", "", counts))
		return ""
	sub(/ .*/, "", counts)
	return counts
}

# is_plain() - is a value shown in decimal alone, not as elapsed.hex or elapsed.graph?
function is_plain(name,	i, found) {
	for (i = 1; i <= nr_values; i++) {
		if (value[i] == name)
			found = 1
		else if (index(value[i], name ".") == 1)
			return 0
	}
	return found && name ~ /^[A-Za-z0-9_]+$/
}

# take_entry() - "{ KEYS } hitcount: N  VALUE: N"
function take_entry(text,	at, keys, counts, labels, n, i) {
	at = match(text, " *" behind)
	keys = substr(text, 3, at - 3)
	counts = substr(text, at)
	labels = trigger key_labels(keys)
	n = number_of(counts, "hitcount")
	if (range && n != "") {
		add_to_bucket(labels, n + 0, is_plain(key[range]) ? \
			number_of(counts, key[range]) : "")
		return
	}
	if (n != "")
		sample("kptrace_hist_hits_total", "kptrace_hist_hits_total", labels, n)
	for (i = 1; i <= nr_values; i++)
		if (value[i] != "hitcount" && is_plain(value[i]))
			sample("kptrace_hist_values", "kptrace_hist_values",
			       labels ",value=\"" value[i] "\"", number_of(counts, value[i]))
}

# add_to_bucket() - n hits of a range, in the group of those labels
function add_to_bucket(labels, n, sum,	edge, i) {
	if (!(labels in group)) {
		group[labels] = ++nr_groups
		group_labels[nr_groups] = labels
		hits[labels] = sums[labels] = 0
		summed = sum != ""
	}
	edge = of_range
	if (sub(/^~ 2\^/, "", edge))
		edge = power(edge + 0)
	else
		sub(/.*-/, "", edge)
	edge += 0
	for (i = ++edges; i > 1 && limit[i - 1] > edge; i--)
		limit[i] = limit[i - 1]
	limit[i] = edge
	bucket[labels, edge] += n
	hits[labels] += n
	sums[labels] += sum
}

# end_hist() - its buckets add up, from the lowest edge on
function end_hist(dropped,	g, i, labels, so_far) {
	sample("kptrace_hist_dropped_total", "kptrace_hist_dropped_total", trigger, dropped)
	for (g = 1; g <= nr_groups; g++) {
		labels = group_labels[g]
		so_far = 0
		for (i = 1; i <= edges; i++) {
			if (!((labels, limit[i]) in bucket) || (i > 1 && limit[i] == limit[i - 1]))
				continue
			so_far += bucket[labels, limit[i]]
			sample("kptrace_hist", "kptrace_hist_bucket", labels ",le=\"" \
			       sprintf("%.0f", limit[i]) (openmetrics ? ".0" : "") "\"",
			       sprintf("%.0f", so_far))
		}
		sample("kptrace_hist", "kptrace_hist_bucket", labels ",le=\"+Inf\"",
		       sprintf("%.0f", hits[labels]))
		if (summed)
			sample("kptrace_hist", "kptrace_hist_sum", labels,
			       sprintf("%.0f", sums[labels]))
		# OpenMetrics has both or none.
		if (summed || !openmetrics)
			sample("kptrace_hist", "kptrace_hist_count", labels,
			       sprintf("%.0f", hits[labels]))
	}
	split("", bucket)
}

{
	# FILE: of a line; the name of an instance may have a colon.
	match($0, /^(instances\/[^\/]*\/)?((events\/[^\/]*|per_cpu)\/[^\/]*\/)?[a-z_]+:/)
	file = substr($0, 1, RLENGTH - 1)
	line = substr($0, RLENGTH + 1)
	from = ""
	if (file ~ /^instances\//) {
		from = file
		sub(/^instances\//, "", from)
		sub(/\/.*/, "", from)
		sub(/^instances\/[^\/]*\//, "", file)
	}
	split(file, part, "/")
	split(line, word, /: */)
	from = "trace_instance=\"" label(from) "\""
	where = from ",group=\"" part[2] "\",event=\"" part[3] "\""
}

part[1] == "per_cpu" && word[1] in buffer {
	sub(/^cpu/, "", part[2])
	sample(buffer[word[1]], buffer[word[1]], from ",cpu=\"" part[2] "\"", word[2])
}

file == "dynamic_events" {
	split(line, word, /[: ]/)
	defined[word[2]] = 1
}

file == "event_stats" && line ~ /^#/ {
	split(substr(line, 3), column, " ")
}

# Events that nobody has defined, those of the kernel and of tracers, have metrics when they
# have hits.
file == "event_stats" && line !~ /^#/ {
	n = split(line, word, " ")
	split(word[1], name, ":")
	where = from ",group=\"" name[1] "\",event=\"" name[2] "\""
	for (i = 2; i <= n; i++)
		if (((name[1] "/" name[2]) in defined || word[2] > 0) &&
		    ("kptrace_" column[i] "_total") in types)
			sample("kptrace_" column[i] "_total", "kptrace_" column[i] "_total",
			       where, word[i])
}

part[4] == "hist_escaped" && line ~ /^# trigger info:/ { begin_hist(line) }
# A stack as key has lines of its own.
part[4] == "hist_escaped" { line = masked(line) }
part[4] == "hist_escaped" && (entry != "" || line ~ /^[{] /) {
	entry = entry == "" ? line : entry "\n" line
	if (line ~ behind) {
		take_entry(entry)
		entry = ""
		nr_hidden = 0
	}
}
part[4] == "hist_escaped" && line ~ /^ *Dropped:/ { end_hist(word[2]) }

END {
	for (i = 1; i <= nr; i++) {
		if (!(names[i] in nr_members))
			continue
		family = names[i]
		if (openmetrics)
			sub(/_total$/, "", family)
		print "# HELP " family " " helps[names[i]]
		print "# TYPE " family " " types[names[i]]
		for (j = 1; j <= nr_members[names[i]]; j++) {
			series = member[names[i], j]
			print series, total[series]
		}
	}
	if (openmetrics)
		print "# EOF"
}
