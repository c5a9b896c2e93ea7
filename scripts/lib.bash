# Functions for the scripts of this folder. Source it; it changes nothing by itself.

say() { echo "== $*" >&2; }

fail() {
	echo "$*" >&2
	exit 1
}

# debian says whether packages can be installed here.
debian() { [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; }

# install_for COMMAND... -- PACKAGE... installs the packages unless every one of the commands is there.
# A command may be a pattern of paths.
install_for() {
	local missing=
	while [[ $1 != -- ]]; do
		compgen -G "$1" >/dev/null || command -v "$1" >/dev/null || missing+=" $1"
		shift
	done
	shift
	[[ -n $missing ]] || return 0
	debian || fail "missing:$missing. On Debian, as root: apt-get install $*; elsewhere install what provides them."
	say "missing:$missing; installing $*"
	packages "$@" || { sleep 5 && packages "$@"; } || fail "apt-get could not install $*"
}

# packages installs Debian's packages, and shows what apt says only when that fails.
packages() {
	local said
	said=$({ apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y "$@"; } 2>&1 </dev/null) || {
		tail -n 30 <<<"$said" >&2
		return 1
	}
}

# engine prints the path of a Docker client whose engine answers. The first in PATH may be a client alone.
engine() {
	local client
	for client in docker /usr/bin/docker; do
		if "$client" info >/dev/null 2>&1; then
			echo "$client"
			return
		fi
	done
	return 1
}

# server_binaries says whether PostgreSQL's server is installed.
server_binaries() { compgen -G '/usr/lib/postgresql/*/bin/postgres' >/dev/null || command -v initdb >/dev/null; }
