#!/bin/bash
# MCP clients that others wrote talk to the real program: to tenantry demo and to tenantry serve, over HTTP and over
# stdio; and to a host with typed tools of its own. Installs what it needs beside itself; needs Node.js with npm, which
# it installs as root on Debian.
set -euo pipefail
cd "$(dirname "$0")"
source ../../scripts/lib.bash
exec </dev/null

node_least=22.19.0   # what the clients ask for
node_instead=22.23.3 # taken from npm where the machine's own is older

dir=$(mktemp -d)
set -m # each job is a process group, so that what it started ends with it
started=()
finish() {
	local code=$? group
	trap - EXIT
	for group in "${started[@]}"; do
		kill -- "-$group" 2>/dev/null && wait "$group" 2>/dev/null || true
		kill -KILL -- "-$group" 2>/dev/null || true
	done
	rm -rf "$dir"
	exit "$code"
}
trap finish EXIT
trap 'exit 1' INT TERM HUP

# npm_install runs npm, a second time if the network failed it.
npm_install() { npm "$@" || { sleep 5 && npm "$@"; } || fail "npm could not install: npm $*"; }

# install brings the clients, once for each state of the lock file.
install() {
	cmp -s package-lock.json node_modules/.installed && return
	say 'installing the clients'
	npm_install ci
	cp package-lock.json node_modules/.installed
}

recent_node() {
	local have
	have=$(node --version) && [[ $(printf '%s\n' "v$node_least" "$have" | sort -V | head -n 1) == "v$node_least" ]]
}

# find_node puts a Node.js that is recent enough first in PATH.
find_node() {
	recent_node && return
	local own=$PWD/node_modules/.node
	[[ -x $own/node_modules/node/bin/node ]] || {
		say "Node.js $(node --version) is older than $node_least; taking $node_instead from npm"
		npm_install install --prefix "$own" --no-audit --no-fund --loglevel error "node@$node_instead"
	}
	PATH=$own/node_modules/node/bin:$PATH
	recent_node || fail "npm gave no Node.js of $node_least or later: install one"
}

# start FILE TEXT PROGRAM ARGUMENT... runs a program in the background. Its output is in the file; the rest of the line
# that begins with the text is in $found.
start() {
	local file=$1 text=$2
	shift 2
	: >"$file" # there before the program is, which may be slow to start
	"$dir/$1" "${@:2}" >"$file" 2>&1 &
	started+=($!)
	local i
	for ((i = 0; i < 600; i++)); do
		found=$(sed -n "s/^$text *//p" "$file" | head -n 1)
		[[ -z $found ]] || return 0
		kill -0 $! 2>/dev/null || break
		sleep 0.1
	done
	cat "$file" >&2
	fail "$* did not start"
}

install_for node npm -- nodejs npm
install
find_node
say 'building the servers'
go build -o "$dir/" ../../cmd/tenantry ./typed

export LEDGER=$dir/ledger.db CLIENTS_TENANTRY=$dir/tenantry CLIENTS_TYPED=$dir/typed
export NODE_OPTIONS=--disable-warning=ExperimentalWarning # node:sqlite
node ledger.mjs "$LEDGER"
start "$dir/demo" address tenantry demo
token() { sed -n "s/^$1 *Authorization: Bearer //p" "$dir/demo"; }
CLIENTS_DEMO=$found CLIENTS_DEMO_ACME=$(token Acme) CLIENTS_DEMO_GLOBEX=$(token Globex)
start "$dir/ledger" 'listening on' tenantry serve --config ledger.yaml --log-level error
CLIENTS_LEDGER=$found
start "$dir/desk" desk typed
CLIENTS_DESK=$found CLIENTS_PRESCRIBED=$(sed -n 's/^prescribed *//p' "$dir/desk")
export CLIENTS_DEMO CLIENTS_DEMO_ACME CLIENTS_DEMO_GLOBEX CLIENTS_LEDGER CLIENTS_DESK CLIENTS_PRESCRIBED

say 'the clients'
mkdir "$dir/home"
HOME=$dir/home TMPDIR=$dir node --test --test-timeout=240000 --test-reporter=spec --test-concurrency=2 ./*.test.mjs &
started+=($!)
wait $!
