# SPDX-License-Identifier: GPL-2.0-only
#
# For programs that read the guest's symbols first, "ADDRESS|NAME" by address.

# name_of(pc): the function there; 16 hexadecimal digits
function name_of(pc,  low, high, middle)
{
	if (pc in known)
		return known[pc]
	low = 0
	high = symbols
	while (high - low > 1) {
		middle = int((low + high) / 2)
		if (address[middle] <= pc)
			low = middle
		else
			high = middle
	}
	# Slots have no symbol, and lie far from what has one.
	known[pc] = substr(address[low], 1, 11) == substr(pc, 1, 11) ? \
		name[low] : "(slot)"
	return known[pc]
}

# pc_of(line): of a line "Trace ...[.../PC/...]"
function pc_of(line,  part)
{
	return part[split(line, part, "[][/]") - 3] ""
}

NR == FNR {
	address[symbols] = $1 ""
	name[symbols++] = $2
	next
}
