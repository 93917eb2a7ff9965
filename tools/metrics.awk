# SPDX-License-Identifier: GPL-2.0-only
#
# Metrics in the text format of Prometheus, from lines "FILE:LINE" of the files stats
# and hist. Labels: the instance ("" is the top one), group and event, or CPU.

# metric() - a new kind of metric, in the order of the output
function metric(name, type, help) {
	names[++nr] = name
	types[name] = type
	helps[name] = help
}

function label(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return text
}

function sample(family, name, labels, value) {
	samples[family] = samples[family] name "{" labels "} " value "\n"
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
	metric("kptrace_hist", "histogram", "Values of a hist trigger with a key .log2.")
	metric("kptrace_hist_hits_total", "counter", "Hits by the keys of a hist trigger.")
	metric("kptrace_hist_dropped_total", "counter", "Hits that a hist trigger had no room for.")
	buffer["entries"] = "kptrace_buffer_entries"
	buffer["overrun"] = "kptrace_buffer_overrun_total"
	buffer["dropped events"] = "kptrace_buffer_dropped_total"
	buffer["read events"] = "kptrace_buffer_read_total"
}

# begin_hist() - a histogram: "hist:keys=...:vals=... [active]"
function begin_hist(info) {
	trigger = info
	sub(/^# trigger info: hist:/, "", trigger)
	sub(/ \[[a-z]*\]$/, "", trigger)
	trigger = where ",trigger=\"" label(trigger) "\""
	keys = info
	sub(/.*hist:keys=/, "", keys)
	sub(/[: ].*/, "", keys)
	log2 = keys ~ /^[^,]*\.log2$/
	field = keys
	sub(/\.log2$/, "", field)
	hits = sum = summed = 0
	split("", bucket)
}

# take_entry() - "{ KEYS } hitcount: N  VALUE: N"
function take_entry(line,	key, n) {
	key = line
	sub(/ *\} *hitcount:.*/, "", key)
	sub(/^\{ */, "", key)
	n = line
	sub(/.*\} *hitcount: */, "", n)
	hits += n + 0
	if (!log2) {
		sample("kptrace_hist_hits_total", "kptrace_hist_hits_total",
		       trigger ",key=\"" label(key) "\"", n + 0)
		return
	}
	sub(/.*\^/, "", key)
	bucket[key + 0] = n + 0
	if (index(n, " " field ": ")) {
		sub(".* " field ": *", "", n)
		sum += n
		summed = 1
	}
}

# power() - 2^p; some awks have no operator for it
function power(p,	n) {
	if (p < 0)
		return 0
	for (n = 1; p > 0; p--)
		n *= 2
	return n
}

function end_hist(dropped,	p, so_far) {
	sample("kptrace_hist_dropped_total", "kptrace_hist_dropped_total", trigger, dropped)
	if (!log2)
		return
	for (p = 0; p <= 64; p++) {
		if (!(p in bucket))
			continue
		so_far += bucket[p]
		sample("kptrace_hist", "kptrace_hist_bucket",
		       trigger ",le=\"" sprintf("%.0f", power(p)) "\"", so_far)
	}
	sample("kptrace_hist", "kptrace_hist_bucket", trigger ",le=\"+Inf\"", hits)
	if (summed)
		sample("kptrace_hist", "kptrace_hist_sum", trigger, sprintf("%.0f", sum))
	sample("kptrace_hist", "kptrace_hist_count", trigger, hits)
}

{
	at = index($0, ":")
	file = substr($0, 1, at - 1)
	line = substr($0, at + 1)
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
	sample(buffer[word[1]], buffer[word[1]], from ",cpu=\"" part[2] "\"", word[2] + 0)
}

part[4] == "stats" && ("kptrace_" word[1] "_total") in types {
	sample("kptrace_" word[1] "_total", "kptrace_" word[1] "_total", where, word[2] + 0)
}

part[4] == "hist" && line ~ /^# trigger info:/ { begin_hist(line) }
part[4] == "hist" && line ~ /^\{/ { take_entry(line) }
part[4] == "hist" && line ~ /^ *Dropped:/ { end_hist(word[2] + 0) }

END {
	for (i = 1; i <= nr; i++) {
		if (!(names[i] in samples))
			continue
		print "# HELP " names[i] " " helps[names[i]]
		print "# TYPE " names[i] " " types[names[i]]
		printf "%s", samples[names[i]]
	}
}
