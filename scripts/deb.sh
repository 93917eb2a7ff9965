# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Sourced by the other scripts: find, fetch and unpack Debian packages of any
# architecture and any Debian release without touching the host's own apt state.
#
# No address of an archive is written here: those of the main and the security
# archive, proxies and all other settings are those of the host's apt.

# Debian has depmod and modprobe where users other than root do not look.
PATH=$PATH:/usr/sbin:/sbin
KPTRACE_CACHE=${KPTRACE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kptrace}
KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg
INDEX_MAX_AGE_MIN=${KPTRACE_INDEX_AGE:-1440}

say() { echo "${0##*/}: $*" >&2; }
die() { say "$*"; exit 1; }

# lock NAME: wait until no other process works on NAME; held until exit.
lock()
{
	local fd

	mkdir -p "$KPTRACE_CACHE/lock"
	exec {fd}>"$KPTRACE_CACHE/lock/$1"
	flock "$fd"
}

# The architecture of this machine, whose build tools can be executed.
deb_host_arch() { dpkg --print-architecture; }

# archive_uris main|security: addresses of that archive, as apt has them.
archive_uris()
{
	local uri suite kind

	# shellcheck disable=SC2016 # apt expands these
	apt-get indextargets --format '$(REPO_URI) $(RELEASE)' \
		'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
	while read -r uri suite; do
		case $suite in
		*-security | */updates) kind=security ;;
		*) kind=main ;;
		esac
		[ "$kind" != "$1" ] || echo "${uri%/}"
	done | sort -u | head -1
}

# suite_lines CODENAME: sources for all suites of one Debian release.
suite_lines()
{
	local main security opts

	main=$(archive_uris main)
	[ -n "$main" ] || die "apt knows no Debian archive (apt-get update?)"
	security=$(archive_uris security)
	opts="[arch=arm64,$(deb_host_arch) signed-by=$KEYRING]"
	echo "deb $opts $main $1 main"
	[ "$1" != sid ] || return 0
	echo "deb $opts $main $1-backports main"
	echo "deb $opts ${security:-$main-security} $1-security main"
}

# The private apt of one Debian release: deb_apt CODENAME apt-get|apt-cache ...
deb_apt()
{
	local root=$KPTRACE_CACHE/apt/$1 tool=$2

	shift 2
	"$tool" -c "$root/apt.conf" "$@"
}

# deb_index CODENAME [force]: make or refresh the index of a release. One process
# at a time: another would read files that this one is writing.
deb_index() { (lock "index-$1"; refresh_index "$@") || exit 1; }

refresh_index()
{
	local root=$KPTRACE_CACHE/apt/$1

	mkdir -p "$root/state/lists/partial" "$root/cache/archives/partial"
	touch "$root/status"
	cat >"$root/apt.conf" <<-END
		Dir::State "$root/state";
		Dir::State::status "$root/status";
		Dir::Cache "$root/cache";
		Dir::Cache::pkgcache "pkgcache.bin";
		Dir::Cache::srcpkgcache "srcpkgcache.bin";
		Dir::Etc::sourcelist "$root/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Dir::Etc::preferences "/dev/null";
		Dir::Etc::preferencesparts "/dev/null";
		#clear APT::Architectures;
		APT::Architecture "$(deb_host_arch)";
		APT::Architectures { "$(deb_host_arch)"; "arm64"; };
		#clear APT::Update::Post-Invoke;
		#clear APT::Update::Post-Invoke-Success;
		Acquire::Languages "none";
		APT::Sandbox::User "root";
	END
	if [ -z "${2:-}" ] && [ -n "$(find "$root/fresh" \
			-mmin "-$INDEX_MAX_AGE_MIN" 2>/dev/null)" ]; then
		return
	fi
	suite_lines "$1" >"$root/sources.list"
	# A suite that does not exist (any more) is an error to apt, not to us.
	deb_apt "$1" apt-get update >"$root/update.log" 2>&1 || true
	if ! ls "$root"/state/lists/*_Packages* >/dev/null 2>&1; then
		cat "$root/update.log" >&2
		die "no package index for Debian $1"
	fi
	grep -q '^Err:' "$root/update.log" || touch "$root/fresh"
}

# deb_versions CODENAME PACKAGE...: lines "package version", newest last.
deb_versions()
{
	local codename=$1

	shift
	[ $# -gt 0 ] || return 0
	deb_apt "$codename" apt-cache madison "$@" 2>/dev/null |
		awk -F '[ |]+' '!/Sources$/ { sub("^ *", ""); print $1, $2 }' |
		sort -u -k2,2V
}

# deb_depends CODENAME PACKAGE[=VERSION]: the names it depends on.
deb_depends()
{
	deb_apt "$1" apt-cache show "$2" | sed -n 's/^Depends: //p' |
		head -1 | tr ',' '\n' | awk '{ print $1 }'
}

# deb_unpack CODENAME DIR PACKAGE[:ARCH][=VERSION]...: fetch and unpack there.
deb_unpack()
{
	local codename=$1 dir=$2 tmp deb

	shift 2
	tmp=$(mktemp -d "$KPTRACE_CACHE/fetch.XXXXXX")
	if ! (cd "$tmp" && deb_apt "$codename" apt-get download "$@") \
			>"$tmp/log" 2>&1; then
		grep '^E:' "$tmp/log" >&2 || cat "$tmp/log" >&2
		rm -rf "$tmp"
		return 1
	fi
	mkdir -p "$dir"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$dir" || return 1
	done
	rm -rf "$tmp"
}

# deb_closure CODENAME ARCH PACKAGE...: print "package[:ARCH]=version" of them and of all that
# they depend on.
deb_closure()
{
	local codename=$1 arch=$2

	shift 2
	deb_apt "$codename" apt-get -o "APT::Architecture=$arch" \
		-o "APT::Architectures=$arch" -o Dir::Cache::pkgcache= \
		-o Dir::Cache::srcpkgcache= -s install \
		--no-install-recommends "$@" |
		sed -nE "s/^Inst ([^ ]+) \(([^ ]+) .*\[all\].*/\1=\2/p
			s/^Inst ([^ ]+) \(([^ ]+) .*\[$arch\].*/\1:$arch=\2/p"
}

# deb_folder DIR CODENAME PACKAGE[:ARCH][=VERSION]...: unpack them there, if there is no DIR:
# once, and all of them or nothing.
deb_folder()
{
	lock "folder-${1##*/}"
	[ ! -d "$1" ] || return 0
	rm -rf "$1.new"
	deb_unpack "$2" "$1.new" "${@:3}" && mv "$1.new" "$1"
}
