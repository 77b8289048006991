#!/usr/bin/env bash
# Measures the memory of the daemon in its container: a first sweep of the sandbox, then some cycles. No check; it prints a line,
# which docs/container.md quotes. What is given is handed to docker run, such as --memory 256m or -e NODE_OPTIONS=.
#
#   TRANSACTIONS=100000 MINUTES=3 bash test/system/container/memory.sh [docker options …]
source "$(dirname "$0")/common.sh"
transactions=${TRANSACTIONS:-100000}

containers=()
trap '[ ${#containers[@]} -eq 0 ] || docker rm -f -v "${containers[@]}" >/dev/null 2>&1; [ -z "${network:-}" ] || docker network rm "$network" >/dev/null' EXIT
network=$(docker network create "custody-mirror-memory-$$")
start() {
  local -n id=$1
  shift
  id=$(docker run -d --network "$network" "$@")
  containers+=("$id")
}
ready() { docker exec "$database" pg_isready -h 127.0.0.1 -U postgres; }
swept() { docker logs "$mirror" 2>&1 | grep -q '"job":"transactions".*"msg":"run succeeded"'; }
# In MiB: of process 1 that it holds now, and the most that it held.
resident() { docker exec "$mirror" sh -c "awk '/^$1:/ { print int(\$2 / 1024) }' /proc/1/status"; }

start database --network-alias postgres -e POSTGRES_PASSWORD=memory postgres:18-bookworm
start sandbox --network-alias sandbox.localhost "$image" sandbox --host 0.0.0.0 --transactions "$transactions"
wait_for 120 ready
start mirror --read-only --cap-drop ALL "$@" -e DATABASE_URL=postgres://postgres:memory@postgres:5432/postgres \
  -e CUSTODY_BASE_URL=http://sandbox.localhost:8788 -e CUSTODY_API_KEY=sandbox-viewer-key "$image" run
began=$SECONDS
wait_for 1800 swept || { docker logs --tail 20 "$mirror"; exit 1; }
echo "$transactions transactions swept after $((SECONDS - began)) s: $(resident VmRSS) MiB, $(resident VmHWM) MiB at the most"
sleep $((60 * ${MINUTES:-3}))
echo "$transactions transactions, ${MINUTES:-3} minutes later: $(resident VmRSS) MiB, $(resident VmHWM) MiB at the most${*:+ ($*)}"
