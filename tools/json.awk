# SPDX-License-Identifier: GPL-2.0-only
#
# Texts and values in JSON, and what hist.awk and metrics.awk share. Works on bytes:
# LC_ALL=C.

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

# quoted() - a string
function quoted(text,	at, c, out) {
	text = utf8(text)
	gsub(/\\/, "&&", text)
	gsub(/"/, "\\\"", text)
	if (text !~ /[\001-\037]/)
		return "\"" text "\""
	if (!("a" in code))
		codes()
	for (at = 1; at <= length(text); at++) {
		c = substr(text, at, 1)
		out = out (code[c] < 32 ? sprintf("\\u%04x", code[c]) : c)
	}
	return "\"" out "\""
}

# plain() - a string without its quotes
function plain(text) {
	return text ~ /^".*"$/ ? substr(text, 2, length(text) - 2) : text
}

# json_value() - of an argument: decimal numbers, strings, lists; all else as a string
function json_value(text,	n, i, element, out, between) {
	if (text ~ /^-?(0|[1-9][0-9]*)$/)
		return text
	if (text == "(fault)")
		return "null"
	if (text !~ /^[{].*[}]$/)
		return quoted(plain(text))
	text = substr(text, 2, length(text) - 2)
	between = text ~ /^"/ ? "\",\"" : ","
	n = split(between == "," ? text : plain(text), element, between)
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? "," : "") \
			(between == "," ? json_value(element[i]) : quoted(element[i]))
	return "[" out "]"
}

# json_list() - of the parts from first on of a text
function json_list(text, between, first,	n, i, part, out) {
	n = split(text, part, between)
	for (i = first; i <= n; i++)
		out = out (i > first ? "," : "") quoted(part[i])
	return "[" out "]"
}
