# SPDX-License-Identifier: GPL-2.0-only
#
# Histograms, as files hist_escaped have them, as tables and distributions. Those with variables
# and actions only help others. Uses json.awk, record.awk and formats.awk.
#
# width: columns of the terminal, colour: it shows them; without a terminal both are empty
# title: of distributions; noun: what is counted; member: the name of the title in JSON;
# merged: entries of several histograms are those of one; top: at most so many lines;
# svg: draw the distribution; json: objects instead

BEGIN {
	if (noun == "")
		noun = "count"
	take_columns()
}

/^# trigger info:/ {
	text = masked(substr($0, 17))
	answers = is_answer(text)
	if (!answers)
		next
	sub(/ (if .*)?\[[a-z]+\]$/, "", text)
	section++
	n = split(FILENAME, path, "/")
	event_of[section] = path[n - 1]
	sub(/.*__/, "", event_of[section])
	t = find_table(text)
	next
}

# word_of() - what stands behind NAME= in the text of a trigger
function word_of(text, name) {
	return match(text, ":" name "=[^:]*") ? substr(text, RSTART + length(name) + 2,
		RLENGTH - length(name) - 2) : ""
}

# find_table() - of a histogram. One whose keys are those of another one is a part of the same
# table; a distribution is one by itself.
function find_table(text,	n, i, part, shape, keys, values) {
	keys = word_of(text, "keys")
	values = word_of(text, "vals")
	gsub(/[.](execname|sym-offset|sym|hex)/, "", keys)
	shape = keys
	# A function, or an event itself.
	if (!sub(/__probe_ip$/, "__probe_ip", shape))
		sub(/common_type$/, "__probe_ip", shape)
	shape = shape (keys ~ /[.](log2|buckets)/ ? section : "")
	if (!(shape in table_of)) {
		table_of[shape] = ++nr_tables
		first_section[nr_tables] = section
		sort_of[nr_tables] = word_of(text, "sort")
		keys_of[nr_tables] = n = split(keys, part, ",")
		for (i = 1; i <= n; i++) {
			if (sub(/[.](log2|buckets=.*)$/, "", part[i]))
				range_of[nr_tables] = i
			name_of_key[nr_tables, i] = part[i]
		}
	}
	n = split(values, part, ",")
	for (i = 1; i <= n; i++)
		number_of_column(table_of[shape], part[i])
	return table_of[shape]
}

# full_name() - of the event of a section: one that we have defined is a tracepoint
function full_name(	n, path) {
	n = split(FILENAME, path, "/")
	return (path[n - 2] ~ /^kptrace_[0-9]/ ? "t" : path[n - 2]) ":" path[n - 1]
}

# cells() - take the keys and values of an entry, which is masked
function cells(text,	n, i, at, part, head) {
	head = text
	sub(/ *[}] hitcount:.*/, "", head)
	sub(/^[{] /, "", head)
	n = split(head, part, /, /)
	for (i = 1; i <= n; i++) {
		if (part[i] ~ /^common_type: /) {
			key[i] = full_name()
			continue
		}
		part[i] = substr(part[i], index(part[i], ": ") + 2)
		sub(/^ +/, "", part[i])
		sub(/ +$/, "", part[i])
		sub(/^\[[0-9a-f]+\] /, "", part[i])
		gsub(/ +/, " ", part[i])
		sub(/\[ /, "[", part[i])
		key[i] = unmasked(part[i])
	}
	nr_keys = n
	sub(/.*[}] /, "", text)
	gsub(/: +/, ":", text)
	nr_values = split(text, part, / +/)
	for (i = 1; i <= nr_values; i++) {
		at = index(part[i], ":")
		value_name[i] = substr(part[i], 1, at - 1)
		value[i] = substr(part[i], at + 1)
	}
}

# number_of_column() - of a value of a section
function number_of_column(t, name,	c) {
	if (merged && (t, name) in column_of)
		return column_of[t, name]
	if ((t, section, name) in column_of)
		return column_of[t, section, name]
	c = ++nr_values_of[t]
	column_of[t, section, name] = column_of[t, name] = c
	value_of_column[t, c] = name
	section_of_column[t, c] = section
	if (event_of[section] != event_of[first_section[t]])
		several[t] = 1
	return c
}

answers && /^[{] / {
	cells(masked($0))
	nr_hidden = 0
	id = t
	for (i = 1; i <= nr_keys; i++)
		id = id SUBSEP key[i]
	if (!(id in row_of)) {
		r = row_of[id] = ++nr_rows[t]
		for (i = 1; i <= nr_keys; i++)
			cell[t, r, i] = key[i]
	} else if (merged)
		# What is in two histograms was counted by both.
		next
	r = row_of[id]
	for (i = 1; i <= nr_values; i++)
		sum[t, r, number_of_column(t, value_name[i])] = value[i]
}

# bar() - at least one character for what there is; before it are so many columns
function bar(n, most, before,	len, room) {
	room = width == "" || width - before > 40 ? 40 : width - before
	if (room < 1)
		room = 1
	len = most > 0 ? int(n * room / most + 0.5) : 0
	if (n > 0 && len < 1)
		len = 1
	return coloured(substr("########################################", 1, len), 32)
}

# coloured() - as a terminal shows it: 1 is bold, 32 green
function coloured(text, how) {
	return colour != "" && text != "" ? "\033[" how "m" text "\033[0m" : text
}

# set_range() - from and to become the least and greatest value of "~ 2^3" or "~ 8-15"
function set_range(key,	part) {
	if (sub(/^~ 2\^/, "", key)) {
		from = key > 0 ? power(key - 1) + 1 : 0
		to = power(key)
	} else {
		split(substr(key, 3), part, "-")
		from = part[1]
		to = part[2]
	}
}

# order_rows() - set order[] of a table: as the histogram sorts them, the greatest first
function order_rows(t,	i, j, r, by, c, down, n, sum_of) {
	by = sort_of[t]
	sub(/,.*/, "", by)
	down = sub(/[.]descending$/, "", by)
	c = (t, by) in column_of
	n = nr_rows[t]
	for (i = 1; i <= n; i++)
		order[i] = c && !down ? n + 1 - i : i
	if (!merged && !several[t])
		return
	# Parts of several histograms: by what they have together.
	if (!c)
		by = "hitcount"
	for (r = 1; r <= n; r++)
		for (c = 1; c <= nr_values_of[t]; c++)
			if (value_of_column[t, c] == by)
				sum_of[r] += sum[t, r, c]
	for (i = 2; i <= n; i++) {
		r = order[i]
		for (j = i - 1; j >= 1 && sum_of[order[j]] < sum_of[r]; j--)
			order[j + 1] = order[j]
		order[j + 1] = r
	}
}

function shown_cell(t, r, i,	name) {
	name = name_of_key[t, i]
	if (format_of[name] == "" && cell[t, r, i] ~ /^"/ && name ~ /comm$|common_pid/)
		return shown_execname(cell[t, r, i])
	return shown_field(name, cell[t, r, i])
}

# shown_execname() - "sh" [12], or a name alone, without quotes
function shown_execname(text,	behind) {
	behind = text
	sub(/^"([^"\\]|\\.)*"/, "", behind)
	text = substr(text, 1, length(text) - length(behind))
	return shown_as("name", text) behind
}

function shown_value(t, r, c,	name) {
	name = value_of_column[t, c]
	if (name == "hitcount")
		return sum[t, r, c] + 0 ""
	return shown_field(name, sum[t, r, c] == "" ? 0 : sum[t, r, c])
}

function title_of_value(t, c,	name) {
	name = value_of_column[t, c]
	name = name == "hitcount" ? (several[t] ? "" : toupper(noun)) : title_for(name)
	if (several[t])
		name = toupper(event_of[section_of_column[t, c]]) (name == "" ? "" : "." name)
	return name
}

function padded(text, width) { return sprintf(" %-" (width + 1) "s", text) }

# table() - with a bar if it is one number for one key
function table(t,	i, r, k, c, n, wide, line, most, text) {
	order_rows(t)
	n = nr_rows[t]
	if (top != "" && n > top)
		n = top
	if (keys_of[t] == 1 && nr_values_of[t] == 1) {
		for (r = 1; r <= nr_rows[t]; r++)
			if (sum[t, r, 1] + 0 > most)
				most = sum[t, r, 1] + 0
		for (i = 1; i <= n; i++)
			printf "%10s %-40s %s\n", sum[t, order[i], 1], shown_cell(t, order[i], 1),
				bar(sum[t, order[i], 1], most, 52)
		return
	}
	for (k = 1; k <= keys_of[t]; k++) {
		wide[k] = length(title_for(name_of_key[t, k]))
		for (i = 1; i <= n; i++)
			if (length(text = shown_cell(t, order[i], k)) > wide[k])
				wide[k] = length(text)
	}
	for (c = 1; c <= nr_values_of[t]; c++)
		line = line sprintf("%10s ", title_of_value(t, c))
	for (k = 1; k <= keys_of[t]; k++)
		line = line padded(title_for(name_of_key[t, k]), k < keys_of[t] ? wide[k] : 0)
	print coloured(line, 1)
	for (i = 1; i <= n; i++) {
		line = ""
		for (c = 1; c <= nr_values_of[t]; c++)
			line = line sprintf("%10s ", shown_value(t, order[i], c))
		for (k = 1; k <= keys_of[t]; k++)
			line = line padded(shown_cell(t, order[i], k), k < keys_of[t] ? wide[k] : 0)
		print line
	}
}

# group_rows() - of a table with ranges: rows by their other keys, the greatest group first
function group_rows(t,	r, k, g, i, j, label) {
	nr_groups = 0
	split("", group_of)
	split("", total)
	split("", all)
	for (r = 1; r <= nr_rows[t]; r++) {
		label = ""
		for (k = 1; k <= keys_of[t]; k++)
			if (k != range_of[t])
				label = label (label == "" ? "" : " ") \
					tolower(title_for(name_of_key[t, k])) "=" \
					shown_cell(t, r, k)
		if (!(label in group_of)) {
			g = group_of[label] = ++nr_groups
			label_of[g] = label
			row_of_group[g] = r
			nr_in[g] = 0
		}
		g = group_of[label]
		row_in[g, ++nr_in[g]] = r
		total[g] += sum[t, r, 1]
		all[g] += sum[t, r, 2]
	}
	for (g = 1; g <= nr_groups; g++) {
		for (i = g - 1; i >= 1 && total[group[i]] < total[g]; i--)
			group[i + 1] = group[i]
		group[i + 1] = g
	}
	if (top != "" && nr_groups > top)
		nr_groups = top
}

# sort_ranges() - the rows of a group by their values; for powers of two with those between,
# which are 0
function sort_ranges(t, g,	i, j, r, p, low, high, k, is_log) {
	nr_ranges = 0
	k = range_of[t]
	most = 0
	for (i = 1; i <= nr_in[g]; i++) {
		r = row_in[g, i]
		is_log = cell[t, r, k] ~ /\^/
		set_range(cell[t, r, k])
		if (sum[t, r, 1] + 0 > most)
			most = sum[t, r, 1] + 0
		for (j = nr_ranges; j >= 1 && range_from[j] > from; j--) {
			range_from[j + 1] = range_from[j]
			range_to[j + 1] = range_to[j]
			range_count[j + 1] = range_count[j]
		}
		range_from[j + 1] = from + 0
		range_to[j + 1] = to + 0
		range_count[j + 1] = sum[t, r, 1] + 0
		nr_ranges++
	}
	if (!is_log)
		return
	for (i = 2; i <= nr_ranges; i++)
		if (range_from[i] > range_to[i - 1] + 1) {
			for (j = nr_ranges; j >= i; j--) {
				range_from[j + 1] = range_from[j]
				range_to[j + 1] = range_to[j]
				range_count[j + 1] = range_count[j]
			}
			range_from[i] = range_to[i - 1] + 1
			range_to[i] = range_to[i - 1] ? range_to[i - 1] * 2 : 1
			range_count[i] = 0
			nr_ranges++
		}
}

# heading() - the title of a group
function heading(t, g,	text, field) {
	field = value_of_column[t, 2]
	text = title
	if (label_of[g] != "")
		text = text (text == "" ? "" : " ") label_of[g]
	text = sprintf("%s%s%.0f %s", text, text == "" ? "" : ": ", total[g], noun)
	if (nr_values_of[t] > 1)
		text = text ", " shown_field(field, all[g]) " together, " \
			shown_field(field, sprintf("%.0f", all[g] / total[g])) " on average"
	return text
}

# distributions() - of a table
function distributions(t,	i, g, j, field, is_time, scale, text) {
	field = name_of_key[t, range_of[t]]
	scale = format_of[field] == "usecs" ? 1000 : 1
	is_time = format_of[field] ~ /^(time|usecs)$/
	group_rows(t)
	for (i = 1; i <= nr_groups; i++) {
		g = group[i]
		if (nr_values_of[t] > 1 || label_of[g] != "" || title != "" || nr_tables > 1)
			print coloured(heading(t, g), 1)
		sort_ranges(t, g)
		if (is_time)
			text = sprintf("%10s    %-10s %10s", "more than", "up to", noun)
		else
			text = sprintf("%20s    %-20s %10s", "from", "to", noun)
		printf "%s\n", coloured(text, 1)
		for (j = 1; j <= nr_ranges; j++)
			if (is_time)
				printf "%10s .. %-10s %10.0f %s\n",
				       unit(range_from[j] > 0 ? (range_from[j] - 1) * scale : 0),
				       unit(range_to[j] * scale), range_count[j],
				       bar(range_count[j], most, 36)
			else
				printf "%20.0f .. %-20.0f %10.0f %s\n", range_from[j], range_to[j],
				       range_count[j], bar(range_count[j], most, 56)
	}
}

# json_keys() - of a row, without the range; functions of modules have these as a member
function json_keys(t, r,	k, name, out, text, module) {
	for (k = 1; k <= keys_of[t]; k++) {
		if (k == range_of[t])
			continue
		name = name_of_key[t, k]
		text = cell[t, r, k]
		module = ""
		name = member_of(name)
		if (name_of_key[t, k] ~ /^(__probe_(ip|func)|common_type)$/) {
			name = "function"
			module = text
			if (!sub(/.* \[/, "", module) || !sub(/\]$/, "", module))
				module = ""
			sub(/ .*/, "", text)
			text = quoted(shown_field(name_of_key[t, k], text))
		} else if (text ~ /^".*" \[[0-9]+\]$/)
			text = quoted(unescaped(shown_execname(text)))
		else
			text = json_as(name_of_key[t, k], text)
		out = out (out == "" ? "" : ",") quoted(name) ":" text
		if (module != "")
			out = out ",\"module\":" quoted(module)
	}
	return out
}

# json_table() - a row is an object
function json_table(t,	i, n, c, name, out, r) {
	order_rows(t)
	n = top != "" && nr_rows[t] > top ? top : nr_rows[t]
	for (i = 1; i <= n; i++) {
		r = order[i]
		out = json_keys(t, r)
		for (c = 1; c <= nr_values_of[t]; c++) {
			name = value_of_column[t, c] == "hitcount" ? "count" : value_of_column[t, c]
			if (several[t])
				name = event_of[section_of_column[t, c]] "_" name
			out = out ",\"" name "\":" (sum[t, r, c] == "" ? 0 : sum[t, r, c])
		}
		print "{" out "}"
	}
}

# json_distributions() - with sums a group is an object, else a range
function json_distributions(t,	i, g, j, keys, list, range) {
	group_rows(t)
	if (!nr_groups && member != "")
		print "{" quoted(member) ":" quoted(title) ",\"" noun \
			"\":0,\"sum_ns\":0,\"buckets\":[]}"
	for (i = 1; i <= nr_groups; i++) {
		g = group[i]
		keys = json_keys(t, row_of_group[g])
		if (member != "")
			keys = quoted(member) ":" quoted(title) (keys == "" ? "" : ",") keys
		if (keys != "")
			keys = keys ","
		sort_ranges(t, g)
		list = ""
		for (j = 1; j <= nr_ranges; j++) {
			range = sprintf("\"min\":%.0f,\"max\":%.0f,\"count\":%.0f", range_from[j],
					range_to[j], range_count[j])
			if (nr_values_of[t] > 1)
				list = list (list == "" ? "" : ",") "{" range "}"
			else
				print "{" keys range "}"
		}
		if (nr_values_of[t] > 1)
			printf "{%s\"%s\":%.0f,\"sum%s\":%.0f,\"buckets\":[%s]}\n",
				keys, noun, total[g],
				(format_of[value_of_column[t, 2]] == "time" ? "_ns" : ""),
				all[g], list
	}
}

function picture(	p, width, high_bar) {
	group_rows(1)
	if (nr_groups)
		sort_ranges(1, 1)
	width = 60 + (nr_ranges < 5 ? 5 : nr_ranges) * 56
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"300\" " \
	       "font-family=\"sans-serif\" font-size=\"12\">\n", width
	print "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>"
	printf "<text x=\"20\" y=\"24\" font-size=\"15\">%s</text>\n", escaped(title)
	printf "<text x=\"20\" y=\"42\" fill=\"#555\">%.0f calls, %s on average</text>\n",
	       total[1], unit(total[1] ? all[1] / total[1] : 0)
	for (p = 1; p <= nr_ranges; p++) {
		high_bar = range_count[p] * 170 / most
		printf "<rect x=\"%d\" y=\"%.1f\" width=\"50\" height=\"%.1f\" fill=\"#4878a8\">",
		       30 + (p - 1) * 56, 250 - high_bar, high_bar
		printf "<title>%s to %s: %.0f calls</title></rect>\n",
		       unit(range_from[p] - 1), unit(range_to[p]), range_count[p]
		if (range_count[p])
			printf "<text x=\"%d\" y=\"%.1f\" text-anchor=\"middle\">%.0f</text>\n",
			       55 + (p - 1) * 56, 245 - high_bar, range_count[p]
		printf "<text x=\"%d\" y=\"268\" text-anchor=\"middle\" font-size=\"11\">" \
		       "%s</text>\n", 55 + (p - 1) * 56, unit(range_to[p])
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
	if (svg) {
		picture()
		exit
	}
	if (json && member != "" && !nr_rows[1])
		json_distributions(1)
	for (t = 1; t <= nr_tables; t++) {
		if (!nr_rows[t])
			continue
		if (!json && nr_tables > 1)
			print (any++ ? "\n" : "") event_of[first_section[t]] ":"
		if (json && range_of[t])
			json_distributions(t)
		else if (json)
			json_table(t)
		else if (range_of[t])
			distributions(t)
		else
			table(t)
	}
}
