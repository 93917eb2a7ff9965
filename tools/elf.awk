# SPDX-License-Identifier: GPL-2.0-only
#
# The functions of the ELF file KPT_ELF, as od and tr show its parts: a line "OFFSET NAME" for
# each, sorted as the file has them. OFFSET is from where the part of the file begins that is
# mapped as code. Needs no tool for programs, and reads no more than it has to.

# words() - become unsigned numbers of 4 bytes from the bytes AT up to AT + SIZE
function words(at, size,	command, line, n, i, part) {
	command = sprintf("od -An -v -tu4 -j %.0f -N %.0f \"$KPT_ELF\" 2>/dev/null", at, size)
	nr_words = 0
	while ((command | getline line) > 0) {
		n = split(line, part, " ")
		for (i = 1; i <= n; i++)
			word[nr_words++] = part[i]
	}
	close(command)
	return nr_words * 4 >= size
}

# long() - the number of 8 bytes in two words
function long(i) { return word[i] + word[i + 1] * 4294967296 }

function high_half(n) { return int(n / 65536) }
function low_half(n) { return n % 65536 }

# name_at() - the name at an offset of the strings
function name_at(at,	text, end) {
	text = substr(names, at + 1, 512)
	end = index(text, "\n")
	return end ? substr(text, 1, end - 1) : text
}

BEGIN {
	# "\177ELF", 64 bits, the lower bytes first
	if (!words(0, 64) || word[0] != 1179403647 || low_half(word[1]) != 258)
		exit
	segments = long(8)
	sections = long(10)
	nr_segments = low_half(word[14])
	nr_sections = low_half(word[15])
	if (!words(segments, nr_segments * 56))
		exit
	for (i = nr_segments - 1; i >= 0; i--)
		if (word[i * 14] == 1 && word[i * 14 + 1] % 2)
			begin = long(i * 14 + 4)
	begin -= begin % page
	if (!words(sections, nr_sections * 64))
		exit
	# Those of the linker are all; those that others may call are left when a file is stripped.
	for (i = 0; i < nr_sections; i++) {
		type = word[i * 16 + 1]
		if (type != 2 && (type != 11 || size_of != ""))
			continue
		symbols = long(i * 16 + 6)
		size_of = long(i * 16 + 8)
		strings = word[i * 16 + 10] * 16
		strings_at = long(strings + 6)
		strings_size = long(strings + 8)
		if (type == 2)
			break
	}
	if (size_of == "")
		exit
	command = sprintf("tail -c +%.0f \"$KPT_ELF\" | head -c %.0f | tr '\\0' '\\n'",
		strings_at + 1, strings_size)
	while ((command | getline line) > 0)
		names = names line "\n"
	close(command)
	words(symbols, size_of)
	for (i = 0; i + 5 < nr_words; i += 6)
		# A function, and here.
		if (word[i + 1] % 16 == 2 && high_half(word[i + 1]))
			printf "%.0f %.0f %s\n", long(i + 2) - begin, long(i + 4), name_at(word[i])
}
