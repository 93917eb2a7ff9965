# SPDX-License-Identifier: GPL-2.0-only
#
# A flame graph of folded stacks, lines "FRAME;FRAME;... COUNT": each frame is as wide as
# the stacks through it, and stands on its caller. Hovering over one shows its numbers.
# title: heading; unit: of the counts

BEGIN {
	WIDTH = 1200
	ROW = 17
	TOP = 50
	LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."
}

function escaped(text) {
	gsub(/&/, "\\&amp;", text)
	gsub(/</, "\\&lt;", text)
	gsub(/>/, "\\&gt;", text)
	return text
}

# color() - the same for the same name
function color(name,	i, sum) {
	for (i = 1; i <= length(name); i++)
		sum = (sum * 31 + index(LETTERS, substr(name, i, 1))) % 997
	return sprintf("rgb(%d,%d,%d)", 205 + sum % 50, 90 + int(sum / 7) % 120,
		       30 + int(sum / 3) % 50)
}

# A path is the frames from the bottom to one. Callers are numbered before those they call.
{
	amount = $NF
	stack = $0
	sub(/ [0-9]+$/, "", stack)
	depth = split(stack, frame, ";")
	path = ""
	for (i = 1; i <= depth; i++) {
		caller = path
		path = path ";" frame[i]
		if (!(path in width)) {
			paths++
			order[paths] = path
			under[paths] = caller
			name[paths] = frame[i]
			level[paths] = i
		}
		width[path] += amount
		if (i > deepest)
			deepest = i
	}
	all += amount
}

END {
	height = TOP + deepest * ROW + 20
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" " \
	       "font-family=\"monospace\" font-size=\"11\">\n", WIDTH, height
	print "<rect width=\"100%\" height=\"100%\" fill=\"#fffdf5\"/>"
	printf "<text x=\"10\" y=\"24\" font-size=\"15\" font-family=\"sans-serif\">" \
	       "%s: %.0f %s</text>\n", escaped(title), all, unit
	scale = all ? (WIDTH - 20) / all : 0
	# free[path]: where the next one that it calls begins
	for (i = 1; i <= paths; i++) {
		start = free[under[i]] + 0
		free[under[i]] += width[order[i]]
		free[order[i]] = start
		w = width[order[i]] * scale
		if (w < 0.3)
			continue
		x = 10 + start * scale
		y = height - 10 - level[i] * ROW
		printf "<g><title>%s: %.0f %s, %.1f%%</title>", escaped(name[i]),
		       width[order[i]], unit, width[order[i]] * 100 / all
		printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" " \
		       "stroke=\"#fffdf5\" stroke-width=\"0.5\"/>", x, y, w, ROW - 1,
		       color(name[i])
		room = int((w - 6) / 6.7)
		if (room >= 3) {
			text = name[i]
			if (length(text) > room)
				text = substr(text, 1, room - 2) ".."
			printf "<text x=\"%.1f\" y=\"%d\">%s</text>", x + 3, y + 12,
			       escaped(text)
		}
		print "</g>"
	}
	print "</svg>"
}
