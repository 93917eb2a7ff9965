# SPDX-License-Identifier: GPL-2.0-only
#
# A flame graph of folded stacks, sorted lines "FRAME;FRAME;... COUNT": each frame is as wide as
# the stacks through it, and stands on its caller. Hovering over one shows its numbers, a
# click makes it as wide as all. One file, of which programs without scripts show the picture.
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
	gsub(/"/, "\\&quot;", text)
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


# script() - zoom by a click on a frame, back by one on the line above, search by one on the word.
# A frame has where it begins (s) and its width (w), as counts, and its level (l).
function script() {
	print "<script><![CDATA["
	print "var LEFT = 10, WIDE = " WIDTH - 20 ";"
	print "var frames = Array.from(document.querySelectorAll('g[l]')).map(function (g) {"
	print "	return { g: g, box: g.querySelector('rect'), text: g.querySelector('text'),"
	print "		 name: g.getAttribute('n'), s: +g.getAttribute('s'),"
	print "		 w: +g.getAttribute('w'), l: +g.getAttribute('l'),"
	print "		 fill: g.querySelector('rect').getAttribute('fill') };"
	print "});"
	print "function zoom(to) {"
	print "	frames.forEach(function (f) {"
	print "		var carries = f.l < to.l && f.s <= to.s && f.s + f.w >= to.s + to.w;"
	print "		var inside = f.l >= to.l && f.s >= to.s && f.s + f.w <= to.s + to.w;"
	print "		var x = carries ? LEFT : LEFT + (f.s - to.s) / to.w * WIDE;"
	print "		var w = carries ? WIDE : f.w / to.w * WIDE;"
	print "		var room = Math.floor((w - 6) / 6.7), n = f.name;"
	print "		f.g.style.display = (carries || inside) && w >= 0.3 ? '' : 'none';"
	print "		f.g.style.opacity = carries ? 0.5 : 1;"
	print "		f.box.setAttribute('x', x);"
	print "		f.box.setAttribute('width', w);"
	print "		f.text.setAttribute('x', x + 3);"
	print "		n = n.length > room ? n.slice(0, room - 2) + '..' : n;"
	print "		f.text.textContent = room < 3 ? '' : n;"
	print "	});"
	print "	document.getElementById('all').style.display = to === ALL ? 'none' : '';"
	print "}"
	print "function search(text) {"
	print "	var found = [], sum = 0, end = -1, pattern = null;"
	print "	try { pattern = text ? new RegExp(text) : null; }"
	print "	catch (e) { pattern = null; }"
	print "	frames.forEach(function (f) {"
	print "		var is = pattern && pattern.test(f.name);"
	print "		f.box.setAttribute('fill', is ? '#c060f0' : f.fill);"
	print "		if (is) found.push(f);"
	print "	});"
	print "	found.sort(function (a, b) { return a.s - b.s || b.w - a.w; });"
	print "	found.forEach(function (f) {"
	print "		if (f.s >= end) { sum += f.w; end = f.s + f.w; }"
	print "	});"
	print "	document.getElementById('found').textContent = pattern ?"
	print "		text + ': ' + (sum / ALL.w * 100).toFixed(1) + '%' : '';"
	print "}"
	printf "var ALL = { s: 0, w: %.0f, l: 0 };\n", all
	print "frames.forEach(function (f) { f.g.onclick = function () { zoom(f); }; });"
	print "document.getElementById('all').onclick = function () { zoom(ALL); };"
	print "document.getElementById('search').onclick = function () {"
	print "	search(prompt('Search for a regular expression:', '') || '');"
	print "};"
	print "]]></script>"
}

# head() - the title, and what can be clicked
function head(height) {
	printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" " \
	       "viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"11\">\n", WIDTH, height,
	       WIDTH, height
	print "<style>g[l]:hover rect { stroke: #000 } g[l], #all, #search { cursor: pointer }" \
	      " g[l] text { pointer-events: none }</style>"
	print "<rect width=\"100%\" height=\"100%\" fill=\"#fffdf5\"/>"
	printf "<text x=\"10\" y=\"24\" font-size=\"15\" font-family=\"sans-serif\">" \
	       "%s: %.0f %s</text>\n", escaped(title), all, unit
	print "<text id=\"all\" x=\"10\" y=\"42\" style=\"display:none\">show all</text>"
	printf "<text id=\"found\" x=\"%d\" y=\"24\" text-anchor=\"end\"></text>\n", WIDTH - 70
	printf "<text id=\"search\" x=\"%d\" y=\"24\" text-anchor=\"end\">search</text>\n",
	       WIDTH - 10
}

# frame_of() - one; too narrow ones are shown when that is zoomed
function frame_of(i, start,	x, y, w, room, text) {
	w = width[order[i]] / all * (WIDTH - 20)
	x = 10 + start / all * (WIDTH - 20)
	y = height - 10 - level[i] * ROW
	room = int((w - 6) / 6.7)
	text = room < 3 ? "" : name[i]
	if (length(text) > room)
		text = substr(text, 1, room - 2) ".."
	printf "<g n=\"%s\" s=\"%.0f\" w=\"%.0f\" l=\"%d\"%s><title>%s: %.0f %s, %.1f%%</title>" \
	       "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" " \
	       "stroke=\"#fffdf5\" stroke-width=\"0.5\"/><text x=\"%.1f\" y=\"%d\">%s</text></g>\n",
	       escaped(name[i]), start, width[order[i]], level[i],
	       w < 0.3 ? " style=\"display:none\"" : "", escaped(name[i]), width[order[i]], unit,
	       width[order[i]] * 100 / all, x, y, w, ROW - 1, color(name[i]), x + 3, y + 12,
	       escaped(text)
	narrow += w < 0.3
}

END {
	height = TOP + deepest * ROW + 20
	head(height)
	for (i = 1; i <= paths; i++) {
		# free[path]: where the next one that it calls begins
		start = free[under[i]] + 0
		free[under[i]] += width[order[i]]
		free[order[i]] = start
		frame_of(i, start)
	}
	if (narrow)
		printf "<text x=\"%d\" y=\"42\" text-anchor=\"end\">%d frames are too narrow " \
		       "to be seen: click on what is below them</text>\n", WIDTH - 10, narrow
	script()
	print "</svg>"
}
