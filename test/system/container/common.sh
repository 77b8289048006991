# What the scripts beside this one share: they run the image and the compose file on a real Docker engine, so they are no part
# of `npm test`. Each is skipped, and says so, where no engine answers. A check that fails is told and ends the script with 1.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."

if ! docker info >/dev/null 2>&1; then
  echo "skipped: no Docker engine answers here"
  exit 0
fi
image=${IMAGE:-custody-mirror}
# Host ports that nothing else is likely to use.
export POSTGRES_PORT=${POSTGRES_PORT:-45432} MIRROR_PORT=${MIRROR_PORT:-48787} SANDBOX_PORT=${SANDBOX_PORT:-48788}

compose() {
  if docker compose version >/dev/null 2>&1; then docker compose "$@"; else docker-compose "$@"; fi
}

failures=0

# check <what must hold> <command …>
check() {
  local what=$1
  shift
  if "$@" >/tmp/container-check.$$ 2>&1; then
    echo "ok      $what"
  else
    echo "FAILED  $what"
    sed 's/^/          /' /tmp/container-check.$$ | tail -20
    failures=$((failures + 1))
  fi
  rm -f /tmp/container-check.$$
}

# wait_for <seconds> <command …>: until it succeeds, at most so long.
wait_for() {
  local deadline=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $deadline ] || return 1
    sleep 0.2
  done
}

equals() { [ "$1" = "$2" ] || { echo "expected: $2, found: $1"; return 1; }; }

not() { ! "$@"; }

verdict() {
  [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
  echo "all held"
}
