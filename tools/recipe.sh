# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154,SC2034 # variables of the other files
#
# Recipes: questions as files, docs/recipes.md. recipe.awk reads them; what they define is a
# session like any other.

# recipe_folders: print them, those of a user first
recipe_folders()
{
	printf '%s\n' "${XDG_CONFIG_HOME:-${HOME:-/root}/.config}/kptrace/recipes" \
		/etc/kptrace/recipes "$lib/recipes"
}

# find_recipe NAME: set $recipe to its file. Before anything changes the current directory.
find_recipe()
{
	recipe=''
	case $1 in
	/*) recipe=$1 ;;
	*/*) recipe=$PWD/$1 ;;
	*)
		IFS=$newline
		for dir in $(recipe_folders); do
			[ -n "$recipe" ] || [ ! -f "$dir/$1" ] || recipe=$dir/$1
		done
		unset IFS ;;
	esac
	[ -f "$recipe" ] || die "no recipe $1$(
		recipe_names | meant_word "$1"); kptrace list shows those there are"
}

# list_recipes: with what they answer. The first file of a name counts.
list_recipes()
{
	IFS=$newline
	for dir in $(recipe_folders); do
		for file in "$dir"/*; do
			[ ! -f "$file" ] || set -- "$@" "$file"
		done
	done
	unset IFS
	[ $# = 0 ] || LC_ALL=C awk -v json="$json" -f "$lib/json.awk" -f "$lib/list.awk" "$@"
}

# recipe_names: one a line
recipe_names() { (json='' && list_recipes) | cut -d ' ' -f 1; }

# List all, or show the text at the head of one.
ask_list()
{
	if [ -z "$first" ]; then
		list_recipes | to_output
	else
		find_recipe "$first"
		awk '!/^#/ { exit } !/SPDX-/ && (n || /^# /) { n++; sub(/^# ?/, ""); print }' \
			"$recipe" | to_output
	fi
	status=$?
}

# read_recipe SESSION PARAMETERS: set $lines to what recipe.awk makes of $recipe
read_recipe()
{
	lines=$(KPT_GIVEN=$2 KPT_NAMED=$named LC_ALL=C awk -v session="$1" -v file="${recipe##*/}" \
		-f "$lib/recipe.awk" "$recipe") || die "cannot read $recipe"
	case $newline$lines in
	*"${newline}error$tab"*) die "${lines##*error"$tab"}" ;;
	esac
}

# static_on: the kernel's own events are there; fails if they were before
static_on()
{
	grep -q N /sys/module/kptrace/parameters/static_events &&
		echo 1 >/sys/module/kptrace/parameters/static_events
} 2>/dev/null

# can_define DEFINITION
can_define() { (printf '%s\n' "$1" >>dynamic_events) 2>/dev/null; }

# try_define DEFINITION: has this kernel what it needs, now?
try_define()
{
	case $1 in
	e:*) can_define "$1" || { static_on && can_define "$1"; } || return 1 ;;
	*) can_define "$1" || return 1 ;;
	esac
	# What waits for a module counts nothing.
	path=${1#*:}
	path=${path%%[[:space:]]*}
	case $(grep ":$path .* # waits for " dynamic_events) in
	?*) echo "-:$path" >>dynamic_events
		return 1 ;;
	esac
}

# define_any DEFINITION...: the first one that this kernel has; fails if it may have none
define_any()
{
	for definition; do
		[ "$definition" != - ] || return 1
		! try_define "$definition" || return 0
	done
	put dynamic_events "$definition"
	# shellcheck disable=SC2086 # words
	case $definition in
	t:*)
		set -- $definition
		no_tracepoint "$2" ;;
	esac
	die "$definition: that is in a module that is not loaded"
}

# take_line WORD...: of recipe.awk, into the session
take_line()
{
	unset IFS
	dir=$own/events/${2:-}
	case " $absent" in
	*" ${2:-} "*) [ "$1" = define ] || return 0 ;;
	esac
	case $1 in
	define)
		shift
		path=$1
		shift
		if define_any "$@"; then
			absent=${absent%"$path "}
			events="$events $dir"
		else
			case " $events " in
			*" $dir "*) ;;
			*) absent="$absent$path " ;;
			esac
		fi ;;
	write) put "$own/$2" "$3" ;;
	filter) own_filters="$own_filters$2$tab$3$newline" ;;
	trigger)
		[ "$3" != shown ] ||
			set -- "$1" "$2" "$3" "hist:keys=$by_key${4#hist:keys=}" "${5:-}"
		case " $events " in
		*" $dir "*) ;;
		*) static_on || :
			events="$events $dir" ;;
		esac
		task_of "$2"
		all=${5:-}
		[ "$3" != shown ] || all_of "${5:-}" "$filter"
		add_trigger "$dir" "$3" "$tid" "$tgid" "$4" "$all"
		case $3,$4 in
		shown,*stacktrace*)
			stacks=1
			case $4 in
			*:values=*) weight=${4#*:values=} weight=${weight%%[,:]*} unit=$weight ;;
			esac ;;
		esac ;;
	enable) enabled="$enabled$dir " ;;
	tasks)
		[ "$2" != / ] || nobody=1
		tasks_of="$tasks_of$2$tab$3$tab$4$newline" ;;
	columns) columns=$columns$2$newline ;;
	noun) noun=$2 ;;
	esac
}

# task_of EVENT: set $tid and $tgid to the fields with the thread and the process that a hit is
# of; to "-" if it is of none
task_of()
{
	tid=common_pid tgid=common_tgid
	case $newline$tasks_of,$1 in
	"$newline,synthetic/"*) tid=- tgid=- ;;
	"$newline",*) ;;
	*"$newline$1$tab"*)
		tid=${tasks_of#*"$1$tab"}
		tid=${tid%%"$newline"*}
		tgid=${tid#*"$tab"}
		tid=${tid%"$tab"*} ;;
	*) tid=- tgid=- ;;
	esac
}

# filter_event DIR [hide]: by what the recipe says, --if and --pid; hits of ours are hidden when all
# our processes are there
filter_event()
{
	path=${1#"$own"/events/}
	text=''
	case $newline$own_filters in
	*"$newline$path$tab"*)
		text=${own_filters#*"$path$tab"}
		text=${text%%"$newline"*} ;;
	esac
	task_of "$path"
	tasks=''
	if [ -n "${2:-}" ]; then
		all_of "$text" "$filter"
		seen_by "$tid" "$tgid" "$all"
		all=$seen
	else
		[ "$tid" = - ] || tasks_by "$tid" "$tgid"
		all_of "$text" "$filter" "$tasks"
	fi
	[ -z "$all" ] || put "$1/filter" "$all"
}

show_rows()
{
	export KPT_COLUMNS="$columns"
	read_records rows -f "$lib/formats.awk"
}

answer_recipe()
{
	if [ -n "$stacks" ]; then
		draw_stacks "$what" "${unit:-hits}"
		answer_stacks
	else
		[ -z "$svg" ] || die "--svg: $what has no stacks"
		answer noun="$noun"
	fi
}

ask_run()
{
	find_recipe "$first"
	what=${recipe##*/}
	case $by in
	'' | comm | pid | tid | uid | cgroup | cpu) split_by ;;
	*) by_key=$by, ;;
	esac
	session_begin
	name_tasks
	read_recipe "$name" "${operands#"$first"}"
	events='' enabled='' absent='' tasks_of='' own_filters='' noun='' many='' stacks=''
	weight='' unit='' nobody=''
	IFS=$newline
	set -f
	for line in $lines; do
		IFS=$tab
		# shellcheck disable=SC2086 # words
		take_line $line
		set -f
	done
	unset IFS
	set +f
	[ -n "$events" ] || die "this kernel has nothing of what $what needs"
	if [ -n "$counted" ]; then
		[ -z "$follow$max" ] || die "$what counts in the kernel: no --follow, --max"
		find_mawk
		hidden=1 print_answer=answer_recipe
		watch "$@"
		return
	fi
	[ -n "$enabled" ] || die "$what asks nothing: it has no histogram, and no event is enabled"
	[ -z "$triggers" ] || hidden=1
	[ -z "$hidden" ] || [ -z "$follow" ] || die "$what: no --follow; use --pid"
	case $enabled in
	*' '?*) many=1 ;;
	esac
	for dir in $enabled; do
		filter_event "$dir"
	done
	reader=show_rows
	if [ -n "$output" ]; then
		record "$@"
	else
		find_mawk
		watch "$@"
	fi
}

# apply_line WORD...: of recipe.awk, to the tree, where it stays
apply_line()
{
	unset IFS
	set +f
	case $1 in
	instance) [ -d "instances/$2" ] || mkdir "instances/$2" ;;
	define)
		shift 2
		define_any "$@" || return 0 ;;
	write) put "$2" "$3" ;;
	*)
		dir=events/$2
		case $2 in
		instances/*)
			dir=${2#instances/}
			dir=instances/${dir%%/*}/events/${dir#*/} ;;
		esac
		case $1 in
		filter) put "$dir/filter" "$3" ;;
		trigger) put "$dir/trigger" "$4${5:+ if $5}" ;;
		enable) put "$dir/enable" 1 ;;
		esac ;;
	esac
}

# Each line by itself: what is refused does not keep the others from their effect.
ask_apply()
{
	find_recipe "$first"
	enter_tree
	own=. name='no group' named=''
	read_recipe '' "${operands#"$first"}"
	status=0
	IFS=$newline
	set -f
	for line in $lines; do
		IFS=$tab
		# shellcheck disable=SC2086 # words
		(apply_line $line) || status=1
		IFS=$newline
	done
	unset IFS
	set +f
	# It was no session: none ends.
	own=''
}
