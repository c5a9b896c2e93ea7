# Functions for the scripts of this folder. Source it; it changes nothing by itself.

say() { echo "== $*" >&2; }

fail() {
	echo "$*" >&2
	exit 1
}

# debian says whether packages can be installed here.
debian() { [[ $(id -u) == 0 ]] && command -v apt-get >/dev/null; }

# install_for COMMAND_PATH... -- PACKAGE... installs the packages unless every one of the commands is there.
# A path may be a pattern.
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

packages() {
	export DEBIAN_FRONTEND=noninteractive
	apt-get update -qq </dev/null >&2 && apt-get install -y -qq "$@" </dev/null >&2
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
