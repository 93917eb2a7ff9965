# SPDX-License-Identifier: GPL-2.0-only
#
# Texts and values of the kernel and in JSON, and what hist.awk and metrics.awk share. Works
# on bytes: LC_ALL=C.

# power() - 2^p; some awks have no operator for it
function power(p,	n) {
	if (p < 0)
		return 0
	for (n = 1; p > 0; p--)
		n *= 2
	return n
}

function codes(	i) {
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
}

# sequence() - bytes of the UTF-8 character at a place of a text; 0 if it is none
function sequence(text, at,	c, len, i, next_) {
	c = code[substr(text, at, 1)]
	len = c < 128 ? 1 : c < 194 ? 0 : c < 224 ? 2 : c < 240 ? 3 : c < 245 ? 4 : 0
	for (i = 1; i < len; i++) {
		next_ = code[substr(text, at + i, 1)]
		if (next_ < 128 || next_ > 191)
			return 0
		# Too long a form, a surrogate, beyond the last character.
		if (i == 1 && ((c == 224 && next_ < 160) || (c == 237 && next_ > 159) ||
		    (c == 240 && next_ < 144) || (c == 244 && next_ > 143)))
			return 0
	}
	return len
}

# utf8() - the text; bytes that are no text become U+FFFD
function utf8(text,	at, len, out) {
	if (text !~ /[^\001-\177]/)
		return text
	if (!("a" in code))
		codes()
	for (at = 1; at <= length(text); at += len > 0 ? len : 1) {
		len = sequence(text, at)
		out = out (len > 0 ? substr(text, at, len) : "\357\277\275")
	}
	return out
}

# quoted() - a string. For html no text ends the script that it is in.
function quoted(text,	at, c, out) {
	text = utf8(text)
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	if (text !~ /[^ -~]/ && (html == "" || text !~ /</))
		return "\"" text "\""
	if (!("a" in code))
		codes()
	for (at = 1; at <= length(text); at++) {
		c = substr(text, at, 1)
		# Terminals have control characters of two bytes, too.
		if (code[c] == 194 && code[substr(text, at + 1, 1)] < 160)
			c = substr(text, ++at, 1)
		else if (code[c] > 31 && code[c] != 127 && (html == "" || c != "<")) {
			out = out c
			continue
		}
		out = out sprintf("\\u%04x", code[c])
	}
	return "\"" out "\""
}

# unescaped() - what the kernel has escaped in a text, as option escape-text says
function unescaped(text,	at, c, out) {
	while ((at = index(text, "\\"))) {
		out = out substr(text, 1, at - 1)
		c = substr(text, at + 1, 1)
		if (c ~ /[0-7]/) {
			c = sprintf("%c", c * 64 + substr(text, at + 2, 1) * 8 + \
				    substr(text, at + 3, 1))
			at += 2
		} else if (c ~ /[nt]/) {
			c = c == "n" ? "\n" : "\t"
		}
		out = out c
		text = substr(text, at + 2)
	}
	return out text
}

# plain() - a string without its quotes
function plain(text) {
	return text ~ /^".*"$/ ? unescaped(substr(text, 2, length(text) - 2)) : text
}

# masked() - a text of the kernel with a number in the place of each string, so that
# nothing in a string looks like a part of the text; unmasked() puts them back
function masked(text,	out) {
	while (match(text, /"([^"\\]|\\.)*"|'([^\\]|\\[0-7][0-7][0-7]|\\.)'/)) {
		hidden[++nr_hidden] = substr(text, RSTART, RLENGTH)
		out = out substr(text, 1, RSTART - 1) "\"" nr_hidden "\""
		text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

function unmasked(text,	out) {
	while (match(text, /"[0-9]+"/)) {
		out = out substr(text, 1, RSTART - 1) \
			hidden[substr(text, RSTART + 1, RLENGTH - 2)]
		text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

# json_value() - of an argument: decimal numbers, strings, lists; all else as a string
function json_value(text,	n, i, element, out) {
	if (text ~ /^-?(0|[1-9][0-9]*)$/)
		return text
	if (text == "(fault)")
		return "null"
	if (text !~ /^[{].*[}]$/)
		return quoted(plain(text))
	n = split(masked(substr(text, 2, length(text) - 2)), element, ",")
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? "," : "") json_value(unmasked(element[i]))
	return "[" out "]"
}

# json_list() - of the parts from first on of a text
function json_list(text, between, first,	n, i, part, out) {
	n = split(text, part, between)
	for (i = first; i <= n; i++)
		out = out (i > first ? "," : "") quoted(part[i])
	return "[" out "]"
}
