# SPDX-License-Identifier: GPL-2.0-only
#
# A line for each record, with the columns that a recipe names. TASK, PID and TID are those of the
# hit, unless the recipe has columns of the names task and tid. Uses json.awk, record.awk,
# formats.awk.
# many: there are several events, so their names are a column; nobody: hits are of no task.

# width() - of a column
function width(field,	format) {
	format = format_of[field]
	if (format == "ip")
		return 15
	if (format == "name" || field ~ /comm$/)
		return 16
	return length(title_of[field]) > 8 ? length(title_of[field]) : 8
}

# is_left() - names stand at the left of their columns, numbers at the right
function is_left(field) { return format_of[field] ~ /^(name|text|ip)$/ }

function put_row(task, pid, tid, name,	i, field, out, text) {
	if (!("task" in title_of) && !nobody)
		out = sprintf("%-16s ", task)
	if (!("tid" in title_of) && !nobody)
		out = out sprintf("%7s %7s ", pid == "" ? "-" : pid, tid)
	if (many)
		out = out sprintf("%-8s ", name)
	for (i = 1; i <= nr_columns; i++) {
		field = column[i]
		text = name == "EVENT" ? title_of[field] : shown_field(field, value_of[field] "")
		if (text == "")
			text = "-"
		if (i == nr_columns)
			out = out " " text
		else
			out = out sprintf("%" (is_left(field) ? "-" : "") width(field) "s ", text)
	}
	return out
}

BEGIN {
	take_columns()
	if (!json)
		put_line(time_column("TIME") put_row("TASK", "PID", "TID", "EVENT"))
}

/^CPU:/ && !json { put_line($0) }

function json_row(	i, out, field) {
	if (nobody)
		out = ""
	else if (!("task" in title_of))
		out = json_task()
	else if (!("tid" in title_of))
		out = json_numbers()
	if (many)
		out = out (out == "" ? "" : ",") "\"event\":" quoted(event)
	for (i = 1; i <= nr_columns; i++) {
		field = column[i]
		if (field in value_of)
			out = out (out == "" ? "" : ",") quoted(field) ":" \
				json_as(field, value_of[field] "")
	}
	return "{" json_time(time) out "}"
}

{
	if (!take($0) || !is_wanted())
		next
	sub(/.*__/, "", event)
	split("", value_of)
	arguments(args)
	put_line(json ? json_row() : time_column(time) put_row(task, pid, tid, event))
	count_event()
}
