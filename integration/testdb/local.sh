# Runs a server of its own until standard input closes, which it does when whoever started this ends, in
# whatever way. $1: folder of the server's binaries; $2: a folder of ours, removed at the end, with the password
# in $2/password; the rest: settings of the server.
set -eu
trap '' INT TERM HUP # a Ctrl-C for the tests must not come between them and their database
bin=$1 dir=$2
shift 2
trap 'rm -rf "$dir"' EXIT

"$bin/initdb" -D "$dir/data" -U postgres -E UTF8 --locale=C.UTF-8 -A scram-sha-256 --pwfile "$dir/password" -N
"$bin/postgres" -D "$dir/data" -c unix_socket_directories= -c listen_addresses=127.0.0.1 "$@" &
server=$!
exec 3<&0 # a shell takes standard input away from what it puts in the background
{ cat <&3 >/dev/null; kill -INT "$server"; } &
wait "$server"
