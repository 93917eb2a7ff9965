# SPDX-License-Identifier: GPL-2.0-only
#
# Completion of kptrace for fish.

function __kptrace_complete
	set -l words (commandline -opc)[2..] (commandline -ct)
	for answer in (kptrace --complete $words 2>/dev/null)
		switch $answer
			case ':command*'
				set -l n (string replace ':command ' '' -- $answer)
				__fish_complete_subcommand --fcs-skip=$n
			case :files
				__fish_complete_path (commandline -ct)
			case '*'
				echo $answer
		end
	end
end
complete -c kptrace -f -a '(__kptrace_complete)'
