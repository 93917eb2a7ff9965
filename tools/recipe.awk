# SPDX-License-Identifier: GPL-2.0-only
#
# A recipe, or any boot configuration (docs/boot.md), as lines for the shell, with tabs between
# their parts. The language is that of the kernel's boot configurations; what is new here:
#
#	${NAME}	a parameter: recipe.param.NAME is its default. Text that has an empty one is
#		left out, with its key if that has no other
#	A | B	in probes: B if this kernel has not A; nothing behind the last | if it may have
#		none of them
#
# Environment: KPT_GIVEN, the words behind the name; KPT_NAMED, an argument more of events
# that are enabled. session: the prefix of events, in the place
# of their groups; without it the names stay as they are. file: for messages.
#
#	define EVENT LETTER:GROUP/NAME ALTERNATIVE...	to dynamic_events
#	write FILE TEXT		a setting
#	filter EVENT TEXT
#	trigger EVENT SHOWN TRIGGER FILTER	SHOWN: "shown" if it is an answer, or "-"
#	enable EVENT
#	tasks EVENT FIELD TGID	the task that a hit is of; "-" for none
#	columns TEXT...
#	error TEXT

function fail(why) {
	printf "error\t%s:%d: %s\n", file, line, why
	failed = 1
	exit
}

{ text = text $0 "\n" }

# skip() - what is no text; to the end of the line only if in_line
function skip(in_line,	blanks) {
	while (in_line ? match(text, /^[ \t\r]+/) : match(text, /^[ \t\r\n;]+/)) {
		blanks = substr(text, 1, RLENGTH)
		line += gsub(/\n/, "", blanks)
		text = substr(text, RLENGTH + 1)
	}
	if (text ~ /^#/) {
		sub(/^[^\n]*/, "", text)
		if (!in_line)
			skip()
	}
}

# take_value() - the next value
function take_value(	quote, len, value) {
	quote = substr(text, 1, 1)
	if (quote == "\"" || quote == "'") {
		text = substr(text, 2)
		len = index(text, quote)
		if (!len)
			fail("a string has no end")
		value = substr(text, 1, len - 1)
		text = substr(text, len + 1)
		len = value
		line += gsub(/\n/, "", len)
	} else if (match(text, /^[^,;#}\n]+/)) {
		value = substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
	}
	gsub(/[ \t\n]+/, " ", value)
	sub(/^ /, "", value)
	sub(/ $/, "", value)
	return value
}

# take_values() - of a key
function take_values(name, how) {
	if (!(name in number)) {
		number[name] = ++nr_keys
		key[nr_keys] = name
		key_line[nr_keys] = line
	} else if (how == "=" && nr[name]) {
		fail(name " has a value: := gives another one, += one more")
	}
	if (how == ":=")
		nr[name] = 0
	if (how == "")
		return
	do {
		skip(1)
		value[name, ++nr[name]] = take_value()
		skip(1)
		if (text !~ /^,/)
			break
		text = substr(text, 2)
		skip()
	} while (1)
	if (text !~ /^[;}\n]/)
		fail("no ; or end of the line behind a value")
}

# parse() - all up to the end of a block
function parse(prefix, depth,	name, how) {
	while (1) {
		skip()
		if (text == "" && depth)
			fail("} is missing")
		if (text == "" || text ~ /^}/) {
			if (text != "" && !depth)
				fail("a } without its {")
			text = substr(text, 2)
			return
		}
		if (!match(text, /^[-A-Za-z0-9_.]+/))
			fail("no key: " substr(text, 1, index(text "\n", "\n") - 1))
		name = prefix substr(text, 1, RLENGTH)
		text = substr(text, RLENGTH + 1)
		skip(1)
		if (text ~ /^[{]/) {
			text = substr(text, 2)
			parse(name ".", depth + 1)
			continue
		}
		how = match(text, /^[:+]?=/) ? substr(text, 1, RLENGTH) : ""
		text = substr(text, length(how) + 1)
		take_values(name, how)
	}
}

# nanoseconds() - a time; anything else is as it was
function nanoseconds(text,	n) {
	if (text !~ /^[0-9.]+ ?[mun]?s$/)
		return text
	n = text ~ /ms$/ ? 1e6 : text ~ /us$/ ? 1e3 : text ~ /ns$/ ? 1 : 1e9
	return sprintf("%.0f", n * text)
}

# take_parameters() - what the recipe and the words behind its name say
function take_parameters(	k, name, n, i, word, at, next_, order) {
	for (k = 1; k <= nr_keys; k++) {
		name = key[k]
		if (sub(/^recipe[.]param[.]/, "", name)) {
			order[++n] = name
			is_time[name] = value[key[k], 1] ~ /^[0-9.]+ ?[mun]?s$/
			parameter[name] = value[key[k], 1]
		}
	}
	next_ = 1
	nr_words = split(ENVIRON["KPT_GIVEN"], word, "\n")
	for (i = 1; i <= nr_words; i++) {
		if (word[i] == "")
			continue
		at = match(word[i], /^[A-Za-z_0-9]+=/) ? RLENGTH : 0
		name = at ? substr(word[i], 1, at - 1) : order[next_++]
		if (!(name in parameter))
			fail(at ? "no parameter " name : \
			     "a parameter more than there are: " word[i])
		parameter[name] = substr(word[i], at + 1)
		if (is_time[name] && parameter[name] !~ /^[0-9.]+ ?[mun]?s$/)
			fail(parameter[name] " is no time as 10ms, 1.5us")
	}
	for (name in parameter)
		parameter[name] = nanoseconds(parameter[name])
}

# expand() - replace the parameters of a text; is none of them empty?
function expand(text,	name, out) {
	while (match(text, /[$][{][A-Za-z0-9_]+[}]/)) {
		name = substr(text, RSTART + 2, RLENGTH - 3)
		if (!(name in parameter))
			fail("no parameter " name)
		if (parameter[name] == "")
			return 0
		out = out substr(text, 1, RSTART - 1) parameter[name]
		text = substr(text, RSTART + RLENGTH)
	}
	expanded = out text
	return 1
}

# expand_all() - in all values
function expand_all(	k, i, n, name) {
	for (k = 1; k <= nr_keys; k++) {
		name = key[k]
		line = key_line[k]
		for (i = n = 1; i <= nr[name]; i++)
			if (expand(value[name, i]))
				value[name, n++] = expanded
		if (nr[name] && n == 1)
			key[k] = ""
		nr[name] = n - 1
	}
}

function join(name, between,	i, out) {
	for (i = 1; i <= nr[name]; i++)
		out = out (i > 1 ? between : "") value[name, i]
	return out
}

# event_path() - GROUP/NAME as the tree has it
function event_path(group, name) {
	if (session == "" || !((group, name) in is_ours))
		return group "/" name
	return group == "synthetic" ? group "/" session "__" name : session "/" name
}

# renamed() - a text with the events of the recipe as the tree has them: GROUP.NAME,
# GROUP:NAME, and a synthetic event that an action names
function renamed(text,	e, part, path, out, at, len, before, behind, sep) {
	if (session == "")
		return text
	for (e in is_ours) {
		split(e, part, SUBSEP)
		path = event_path(part[1], part[2])
		out = ""
		while ((at = index(text, part[1] "." part[2])) ||
		       (at = index(text, part[1] ":" part[2]))) {
			len = length(part[1] "." part[2])
			before = substr(text, 1, at - 1)
			behind = substr(text, at + len, 1)
			if (before ~ /[A-Za-z0-9_]$/ || behind ~ /[A-Za-z0-9_]/)
				out = out substr(text, 1, at + len - 1)
			else {
				sep = substr(text, at + length(part[1]), 1)
				out = out before substr(path, 1, index(path, "/") - 1) sep \
					substr(path, index(path, "/") + 1)
			}
			text = substr(text, at + len)
		}
		text = out text
		if (part[1] == "synthetic") {
			gsub("[.]trace[(]" part[2] ",", ".trace(" session "__" part[2] ",", text)
			gsub("[.]" part[2] "[(]", "." session "__" part[2] "(", text)
		}
	}
	return text
}

# find_events() - set at[key][word] of events: the words of a key
function find_events(	k, n, part, base) {
	for (k = 1; k <= nr_keys; k++) {
		n = split(key[k], part, ".")
		base = part[2] == "instance" ? 3 : 1
		if (part[1] != "kptrace" || part[base + 1] != "event" || n < base + 4)
			continue
		if (part[base + 4] == "probes" || part[base + 4] == "fields")
			is_ours[part[base + 2], part[base + 3]] = 1
	}
}

# define() - a key that defines
function define(group, name, k,	i, j, n, part, letter, path, first, word) {
	path = event_path(group, name)
	if (group == "synthetic") {
		printf "define\t%s\ts:%s %s\n", path, path, join(key[k], "; ")
		return
	}
	first = "p"
	if (group ~ /^([efw]probes|samples)$/)
		first = group == "samples" ? "c" : substr(group, 1, 1)
	else if (group ~ /^(tprobes|tracepoints)$/)
		first = "t"
	for (i = 1; i <= nr[key[k]]; i++) {
		printf "define\t%s", path
		n = split(value[key[k], i] " ", part, " [|] ")
		for (j = 1; j <= n; j++) {
			sub(/^ /, "", part[j])
			sub(/ $/, "", part[j])
			letter = first
			if (match(part[j], /^[prftewc][0-9a-z]* /)) {
				letter = substr(part[j], 1, RLENGTH - 1)
				part[j] = substr(part[j], RLENGTH + 1)
			}
			if (part[j] == "")
				printf "\t-"
			else
				printf "\t%s:%s %s%s", letter, path, renamed(part[j]), \
					("kptrace.event." group "." name ".enable") in number ? \
					ENVIRON["KPT_NAMED"] : ""
		}
		print ""
	}
}

# of_hist() - a key of a histogram: the words behind "hist"
function of_hist(path, word, from, n, k,	id, i, sub_, what, id_of, text) {
	id = path
	if (word[from] ~ /^[0-9]+$/)
		id = id SUBSEP word[from++]
	if (!(id in hist)) {
		hist[id] = ++nr_hists
		hist_of[nr_hists] = path
	}
	i = hist[id]
	what = word[from]
	if (what == "keys")
		keys[i] = join(key[k], ",")
	else if (what ~ /^(values|sort|size|name|clock)$/)
		options[i] = options[i] ":" what "=" join(key[k], ",")
	else if (what ~ /^(pause|continue|clear|nohitcount)$/)
		options[i] = options[i] ":" what
	else if (what == "filter")
		hist_filter[i] = renamed(value[key[k], 1])
	else if (what == "var") {
		text = renamed(value[key[k], 1])
		gsub(/ /, "", text)
		vars[i] = vars[i] ":" word[from + 1] "=" text
	}
	else if (what ~ /^on(match|max|change)$/) {
		sub_ = word[from + 1] ~ /^[0-9]+$/ ? word[++from] : ""
		id_of = what SUBSEP sub_
		if (!((i, id_of) in handler))
			order[i] = order[i] "\n" id_of
		sub_ = word[from + 1]
		if (sub_ ~ /^(event|var)$/)
			handler[i, id_of] = ":" what "(" value[key[k], 1] ")"
		else
			action[i, id_of] = "." sub_ "(" join(key[k], ",") ")"
	} else
		fail("no key " what " of a histogram")
}

# show_hists() - of an event
function show_hists(path,	i, j, n, id, text) {
	for (i = 1; i <= nr_hists; i++) {
		if (hist_of[i] != path)
			continue
		text = "hist:keys=" keys[i] options[i] vars[i]
		n = split(order[i], id, "\n")
		for (j = 2; j <= n; j++)
			text = text handler[i, id[j]] action[i, id[j]]
		printf "trigger\t%s\t%s\t%s\t%s\n", path, vars[i] order[i] == "" ? "shown" : "-",
			renamed(text), hist_filter[i]
	}
}

# of_event() - what a key says about an event, and where it stands: first filters, then
# actions, histograms, enable
function of_event(path, word, from, n, k,	what, i) {
	what = word[from]
	if (!(path in seen)) {
		seen[path] = 1
		block[++nr_blocks] = path
	}
	if (what == "filter")
		filters[path] = value[key[k], 1]
	else if (what == "actions") {
		for (i = 1; i <= nr[key[k]]; i++)
			actions[path] = actions[path] value[key[k], i] "\n"
	} else if (what == "hist")
		of_hist(path, word, from + 1, n, k)
	else if (what == "enable")
		enabled[path] = value[key[k], 1] != "0"
	else if (what != "probes" && what != "fields")
		fail("no key " what " of an event")
}

# setting() - any other key
function setting(dir, word, from, n, k,	name, i, to) {
	name = word[from]
	if (name == "ftrace")
		name = word[from + 1]
	to["options"] = "trace_options"
	to["tracing_on"] = "tracing_on"
	to["trace_clock"] = "trace_clock"
	to["buffer_size"] = "buffer_size_kb"
	to["cpumask"] = "tracing_cpumask"
	to["events"] = "set_event"
	to["filters"] = "set_ftrace_filter"
	to["notraces"] = "set_ftrace_notrace"
	to["tracer"] = "current_tracer"
	to["alloc_snapshot"] = "snapshot"
	if (!(name in to))
		fail("no key " key[k])
	if (name == "alloc_snapshot")
		print "write\t" dir "snapshot\t1"
	for (i = 1; i <= nr[key[k]]; i++)
		print "write\t" dir to[name] "\t" (name == "buffer_size" ? \
			kilobytes(value[key[k], i]) : value[key[k], i])
}

function kilobytes(text,	n) {
	n = text + 0
	return sprintf("%d", text ~ /[mM][bB]?$/ ? n * 1024 : text ~ /[kK][bB]?$/ ? n : n / 1024)
}

# show_blocks() - what was kept about events
function show_blocks(dir,	b, path, i, n, list) {
	for (b = 1; b <= nr_blocks; b++) {
		path = block[b]
		if (path in filters)
			printf "filter\t%s%s\t%s\n", dir, path, filters[path]
		n = split(actions[path], list, "\n")
		for (i = 1; i < n; i++)
			printf "trigger\t%s%s\t-\t%s\t\n", dir, path, renamed(list[i])
		show_hists(path)
	}
	for (b = 1; b <= nr_blocks; b++)
		if (enabled[block[b]])
			printf "enable\t%s%s\n", dir, block[b]
}

# recipe_key() - what is about the answer
function recipe_key(word, n, k,	i, part, e) {
	if (word[2] == "param")
		return
	if (word[2] == "columns") {
		for (i = 1; i <= nr[key[k]]; i++)
			print "columns\t" value[key[k], i]
	} else if (word[2] == "tasks") {
		for (i = 1; i <= nr[key[k]]; i++) {
			split(value[key[k], i], part, " ")
			split(part[1] ".", e, ".")
			if (e[1] == "-")
				e[1] = ""
			printf "tasks\t%s\t%s\t%s\n", event_path(e[1], e[2]),
				part[2] == "" ? "-" : part[2], part[3] == "" ? "-" : part[3]
		}
	} else if (word[2] == "noun")
		print "noun\t" value[key[k], 1]
	else
		fail("no key " key[k])
}

# run() - all keys of one directory
function run(instance,	k, n, word, base, dir) {
	dir = ""
	for (k = 1; k <= nr_keys; k++) {
		n = split(key[k], word, ".")
		line = key_line[k]
		base = word[2] == "instance" ? 4 : 2
		if (word[1] != "kptrace" || (base == 4 ? word[3] : "") != instance)
			continue
		if (word[base] != "event")
			setting(instance == "" ? "" : "instances/" instance "/", word, base, n, k)
		else if (n < base + 3)
			fail("no key " key[k])
		else
			of_event(event_path(word[base + 1], word[base + 2]), word, base + 3, n, k)
	}
	show_blocks(instance == "" ? "" : "instances/" instance "/")
	nr_blocks = nr_hists = 0
	split("", seen)
	split("", hist)
	split("", filters)
	split("", actions)
	split("", enabled)
}

END {
	if (failed)
		exit
	line = 1
	parse("", 0)
	take_parameters()
	expand_all()
	find_events()
	for (k = 1; k <= nr_keys; k++) {
		n = split(key[k], word, ".")
		line = key_line[k]
		base = word[2] == "instance" ? 4 : 2
		if (word[1] == "kptrace" && word[base] == "event" &&
		    word[base + 3] ~ /^(probes|fields)$/)
			define(word[base + 1], word[base + 2], k)
		if (word[1] == "kptrace" && base == 4 && !(word[3] in instances)) {
			instances[word[3]] = ++nr_instances
			instance_name[nr_instances] = word[3]
			print "instance\t" word[3]
		}
		if (word[1] == "recipe")
			recipe_key(word, n, k)
	}
	run("")
	for (k = 1; k <= nr_instances; k++)
		run(instance_name[k])
}
