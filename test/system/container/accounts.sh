#!/usr/bin/env bash
# Runs deploy/compose/accounts.yaml as its readers do, without a .env: two accounts, and one process that serves both. Kills one
# writer, and holds that the other does not notice. Builds the image unless it is there.
#
#   bash test/system/container/accounts.sh
source "$(dirname "$0")/common.sh"

scratch=$(mktemp -d)
project=custody-mirror-check-accounts
: >"$scratch/none"
accounts() {
  compose --project-directory . --file deploy/compose/accounts.yaml --project-name $project \
    --env-file "$scratch/none" --profile demo "$@"
}
clean() {
  accounts down -v -t 20 >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
trap clean EXIT
accounts down -v >/dev/null 2>&1 || true
docker image inspect "$image" >/dev/null 2>&1 || accounts build

id() { accounts ps -a -q "$1"; }
healthy() { [ "$(docker inspect --format '{{.State.Health.Status}}' "$(id "$1")")" = healthy ]; }
address=http://127.0.0.1:$MIRROR_PORT
token=$(cat deploy/compose/demo/http_token)
status_of() { curl -s -o /dev/null -w '%{http_code}' -u "anybody:$token" "$address$1"; }
mirrored() { curl -sf -u "anybody:$token" "$address/api/v1/transactions?account=$1&limit=1" | grep -q '"transaction_id"'; }
status_all() { docker exec "$(id serve)" custody-mirror status --all; }
# of_writer <account> <path> [token]
of_writer() {
  docker exec "$(id "$1")" node -e \
    "fetch('http://127.0.0.1:8787$2', { headers: { authorization: 'Bearer ${3:-none}' } }).then((answer) => console.log(answer.status))"
}

accounts up -d >"$scratch/up" 2>&1 || { cat "$scratch/up"; exit 1; }
for account in treasury fund; do check "$account is mirrored, and served" wait_for 180 mirrored $account; done
for service in treasury fund serve; do check "$service becomes healthy" wait_for 90 healthy $service; done
check 'pages open' equals "$(status_of '/?account=fund')" 200
check 'a writer has no pages' equals "$(of_writer treasury / "$token")" 404
check 'metrics of a writer ask for the token' equals "$(of_writer treasury /metrics)" 401
check 'and open with it' equals "$(of_writer treasury /metrics "$token")" 200
check 'both are healthy' wait_for 90 status_all
check 'what serves has no key of the service' not docker exec "$(id serve)" ls /run/secrets/custody_api_key
check 'no secret is in an environment' not grep -qE 'sandbox-viewer-key|custody_mirror:demo' \
  <<<"$(docker inspect --format '{{json .Config.Env}}' "$(id treasury)" "$(id fund)" "$(id serve)")"

restarts() { docker inspect --format '{{.RestartCount}} {{.State.StartedAt}}' "$(id "$1")"; }
before=$(restarts fund)
docker kill "$(id treasury)" >/dev/null
check 'the other account goes on' equals "$(restarts fund)" "$before"
check 'and what a writer left is served' mirrored treasury
docker start "$(id treasury)" >/dev/null
check 'it comes back' wait_for 90 healthy treasury
status_all || true
verdict
