# SPDX-License-Identifier: GPL-2.0-only
#
# The tables of kptrace top, from two looks: lines "FILE:LINE" of the files before and
# after. max: lines of a table; ns: time of a hit; dir: the tracing directory; columns:
# of the terminal, if it is one; json: objects instead of tables.

# integer() - a number as text; printed as a number, some awks round it
function integer(n) { return sprintf("%.0f", n) }

# take_event() - store a line of event_stats, of which the first one names the columns
function take_event(v, line,	word, n, i) {
	n = split(line, word, " ")
	if (word[1] == "#") {
		split(substr(line, 3), column, " ")
		return
	}
	sub(/:/, "/", word[1])
	if (!((word[1], "hits") in v))
		v["event", ++v["events"]] = word[1]
	for (i = 2; i <= n; i++)
		v[word[1], column[i]] = integer(v[word[1], column[i]] + word[i])
}

# take() - store a line of a look in the array old or new
function take(v, file, line,	part, word) {
	sub(/^instances\/[^\/]*\//, "", file)
	split(file, part, "/")
	split(line, word, /: */)
	if (file == "event_stats") {
		take_event(v, line)
	} else if (part[1] == "per_cpu") {
		v[part[2], word[1]] = word[2]
	} else {
		v[file] = line
	}
}

# lost() - number of records of a CPU for which there was no room
function lost(v, cpu) {
	return integer(v[cpu, "dropped events"] + v[cpu, "commit overrun"])
}

function rate(difference) {
	return seconds > 0 ? sprintf("%.0f", difference / seconds) : "-"
}

# cost() - the cost of that many hits between the looks, in percent
function cost(hits) {
	if (ns != "")
		return seconds > 0 ? sprintf("%.2f%%", hits * ns / seconds / 1e7) : "-"
	return all > 0 ? sprintf("%.1f%%", hits * 100 / all) : "-"
}

# bytes() - estimated bytes ever recorded by a CPU, from the average size
# of the records in its buffer
function bytes(v, cpu,	n, all_of) {
	n = v[cpu, "entries"]
	all_of = n + v[cpu, "overrun"] + v[cpu, "read events"]
	return n ? v[cpu, "bytes"] / n * all_of : 0
}

# before() - is one event to be shown above another?
function before(a, b) {
	return speed[a] > speed[b] ||
	       (speed[a] == speed[b] && new[a, "hits"] + 0 > new[b, "hits"] + 0)
}

# sort_events() - into order[], by their rate. Events that nobody has defined, those of the
# kernel and of tracers, are shown when they have hits.
function sort_events(	i, j, event) {
	for (i = 1; i <= new["events"]; i++) {
		event = new["event", i]
		if (!(event in defined) && !(new[event, "hits"] > 0))
			continue
		shown_events++
		speed[event] = new[event, "hits"] - old[event, "hits"]
		all += speed[event]
		for (j = shown_events; j > 1 && before(event, order[j - 1]); j--)
			order[j] = order[j - 1]
		order[j] = event
	}
}

# put() - a cell of the table that is being made; all rows have as many
function put(text) {
	cell[row, ++nr_cells] = text
	if (length(text) > width[nr_cells])
		width[nr_cells] = length(text)
}

function begin_row() {
	row++
	nr_cells = 0
}

# short() - a number with five characters at most
function short(text,	n, unit) {
	if (length(text) <= 5 || text !~ /^[0-9]+$/)
		return text
	for (n = text / 1000; n >= 9999.5; n /= 1000)
		unit++
	return sprintf("%.0f", n) substr("kMGTPE", unit + 1, 1)
}

# shorten() - the numbers of a column
function shorten(j,	i) {
	width[j] = 0
	for (i = 1; i <= row; i++) {
		cell[i, j] = short(cell[i, j])
		if (length(cell[i, j]) > width[j])
			width[j] = length(cell[i, j])
	}
}

# cut() - a name, without its middle if it is too long
function cut(name, most,	half) {
	half = int((most - 2) / 2)
	return length(name) <= most ? name : \
		substr(name, 1, most - 2 - half) ".." substr(name, length(name) - half + 1)
}

# print_line() - as much of it as the terminal has columns
function print_line(line) { print columns ? substr(line, 1, columns) : line }

# fit() - make the columns as wide as needed; if the terminal is too narrow for that,
# shorten numbers and then names
function fit(	j, others) {
	for (j = 2; j <= nr_cells; j++)
		others += 1 + width[j]
	if (!columns || width[1] + others <= columns)
		return
	others = 0
	for (j = 2; j <= nr_cells; j++) {
		shorten(j)
		others += 1 + width[j]
	}
	others = columns - others < 12 ? 12 : columns - others
	if (width[1] > others)
		width[1] = others
}

function end_table(	i, j, line) {
	fit()
	for (i = 1; i <= row; i++) {
		line = sprintf("%-" width[1] "s", cut(cell[i, 1], width[1]))
		for (j = 2; j <= nr_cells; j++)
			line = line sprintf(" %" width[j] "s", cell[i, j])
		print_line(line)
	}
	row = 0
	split("", width)
}

# put_titles() - the first row, of words with commas in between
function put_titles(words,	n, i, title) {
	n = split(words, title, ",")
	begin_row()
	for (i = 1; i <= n; i++)
		put(title[i])
}

function show_events(	i, j, n, event, column) {
	put_titles("EVENT,HITS/s,COST,HITS,MISSED,RECORDED,FILTERED,LOST,LIMITED")
	n = split("hits missed recorded filtered lost limited", column, " ")
	for (i = 1; i <= shown_events && i <= max; i++) {
		event = order[i]
		begin_row()
		put(event)
		put(rate(speed[event]))
		put(cost(speed[event]))
		for (j = 1; j <= n; j++)
			put(new[event, column[j]])
	}
	end_table()
	if (i <= shown_events)
		printf "and %d more\n", shown_events - i + 1
}

# member() - of an object
function member(key, number) {
	sub(/%$/, "", number)
	return ",\"" key "\":" (number == "-" ? "null" : number)
}

# events_as_objects(), cpus_as_objects() - the tables in JSON
function events_as_objects(	i, j, n, event, columns, column) {
	columns = "hits missed recorded filtered lost limited"
	n = split(columns, column, " ")
	for (i = 1; i <= shown_events && i <= max; i++) {
		event = order[i]
		printf "{\"event\":%s%s%s", quoted(event), member("hits_per_second",
			rate(speed[event])), member("cost_percent", cost(speed[event]))
		for (j = 1; j <= n; j++)
			printf "%s", member(column[j], new[event, column[j]])
		print "}"
	}
}

function cpus_as_objects(	i, cpu) {
	for (i = 0; ("cpu" i, "entries") in new; i++) {
		cpu = "cpu" i
		print "{\"cpu\":" i member("lost_per_second",
			rate(lost(new, cpu) - lost(old, cpu))) \
			member("entries", new[cpu, "entries"]) \
			member("read", new[cpu, "read events"]) \
			member("overrun", new[cpu, "overrun"]) \
			member("lost", lost(new, cpu)) "}"
	}
}

function show_cpus(	i, cpu) {
	print ""
	put_titles("CPU,LOST/s,KB/s,IN BUFFER,READ,OVERRUN,LOST")
	for (i = 0; ("cpu" i, "entries") in new; i++) {
		cpu = "cpu" i
		begin_row()
		put(cpu)
		put(rate(lost(new, cpu) - lost(old, cpu)))
		put(rate((bytes(new, cpu) - bytes(old, cpu)) / 1024))
		put(new[cpu, "entries"])
		put(new[cpu, "read events"])
		put(new[cpu, "overrun"])
		put(lost(new, cpu))
	}
	end_table()
}

# place() - of a key with .log2 or .buckets, among the others
function place(key) {
	sub(/.*2\^/, "", key)
	sub(/^[^:]*: *~? */, "", key)
	return key + 0
}

# take_entry() - a line of an entry "{ KEYS } hitcount: N"; a stack as key has lines of its
# own
function take_entry(line) {
	line = masked(line)
	entry = entry == "" ? line : entry "\n" line
	if (entry !~ /[}] hitcount:/)
		return
	entries++
	key[entries] = count[entries] = entry
	sub(/ *[}] hitcount:.*/, "", key[entries])
	sub(/^[{] */, "", key[entries])
	gsub(/ *\n */, ";", key[entries])
	sub(/:;/, ": ", key[entries])
	sub(/;$/, "", key[entries])
	sub(/.*[}] hitcount: */, "", count[entries])
	count[entries] += 0
	key[entries] = unmasked(key[entries])
	entry = ""
	nr_hidden = 0
}

# show_hist() - the entries with most hits of one histogram
function show_hist(in_order,	i, j, n, best, most, bar, shown) {
	for (n = 1; n <= entries && n <= max; n++) {
		best = 1
		for (i = 2; i <= entries; i++)
			if (count[i] > count[best])
				best = i
		most = n == 1 ? count[best] : most
		for (j = n; j > 1 && in_order; j--) {
			if (place(key[best]) >= place(key[shown[j - 1]]))
				break
			shown[j] = shown[j - 1]
		}
		shown[j] = best
		hit[best] = count[best]
		count[best] = -1
	}
	for (i = 1; i < n; i++) {
		if (json) {
			printf "{\"event\":%s,\"trigger\":%s,\"key\":%s,\"count\":%.0f}\n",
				quoted(owner_event), quoted(trigger), quoted(key[shown[i]]),
				hit[shown[i]]
			continue
		}
		bar = most > 0 ? int(hit[shown[i]] * 30 / most) : 0
		print_line(sprintf("%-40s %11.0f %s", columns ? cut(key[shown[i]], 40) : \
			key[shown[i]], hit[shown[i]],
			substr("##############################", 1, bar)))
	}
	entries = 0
}

{
	# FILE: of a line; the name of an instance may have a colon.
	match($0, /^(instances\/[^\/]*\/)?((events\/[^\/]*|per_cpu)\/[^\/]*\/)?[a-z_]+:/)
	file = substr($0, 1, RLENGTH - 1)
	line = substr($0, RLENGTH + 1)
}

FILENAME ~ /before$/ {
	take(old, file, line)
	next
}

file ~ /hist_escaped$/ {
	hist[++nr_hist] = line
	owner[nr_hist] = file
	next
}

file == "dynamic_events" {
	split(line, part, /[: ]/)
	defined[part[2]] = 1
	next
}

{ take(new, file, line) }

END {
	seconds = new["now"] - old["now"]
	sort_events()
	if (json) {
		events_as_objects()
		cpus_as_objects()
	} else {
		printf "%s: %d events, tracing is %s\n\n", dir, shown_events,
		       new["tracing_on"] + 0 ? "on" : "off"
		show_events()
		show_cpus()
	}
	for (h = 1; h <= nr_hist; h++) {
		if (sub(/^# trigger info: /, "", hist[h])) {
			split(owner[h], part, "/")
			owner_event = part[2] "/" part[3]
			trigger = hist[h]
			if (!json) {
				print ""
				print_line(owner_event " " trigger)
			}
			ordered = hist[h] ~ /:keys=[^,:]*\.(log2|buckets)/
			has_hits = hist[h] !~ /:nohitcount/
		} else if (has_hits && (entry != "" || hist[h] ~ /^[{] /)) {
			take_entry(hist[h])
		} else if (hist[h] ~ /^Totals:/) {
			show_hist(ordered)
		}
	}
}
