# SPDX-License-Identifier: GPL-2.0-only
#
# ", did you mean NAME?" with that of the input's lines which is most like the given word, if one is
# alike enough: letters to add, to leave out, to replace or to swap, one in three at most.

# The number of changes that make b of a.
function changes(a, b,  i, j, d, least, same, swapped)
{
	for (i = 0; i <= length(a); i++)
		for (j = 0; j <= length(b); j++) {
			if (!i || !j) {
				d[i, j] = i + j
				continue
			}
			same = substr(a, i, 1) == substr(b, j, 1)
			least = d[i - 1, j - 1] + !same
			if (d[i - 1, j] + 1 < least)
				least = d[i - 1, j] + 1
			if (d[i, j - 1] + 1 < least)
				least = d[i, j - 1] + 1
			swapped = substr(b, j, 1) substr(b, j - 1, 1)
			if (i > 1 && j > 1 && substr(a, i - 1, 2) == swapped &&
			    d[i - 2, j - 2] + 1 < least)
				least = d[i - 2, j - 2] + 1
			d[i, j] = least
		}
	return d[length(a), length(b)]
}

BEGIN { best = int((length(given) + 2) / 3) + 1 }
{
	n = changes(given, $0)
	if (n < best) {
		best = n
		name = $0
	}
}
END {
	if (name != "")
		print ", did you mean " name "?"
}
