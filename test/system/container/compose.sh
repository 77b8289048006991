#!/usr/bin/env bash
# Runs docker-compose.yml as its readers do: the demo without any .env, then a mirror with a .env and secrets of its own, which is
# sealed at last. Kills and stops the parts, and holds that nothing is lost and everything comes back. Builds the image unless it is
# there.
#
#   bash test/system/container/compose.sh
source "$(dirname "$0")/common.sh"

scratch=$(mktemp -d)
demo=custody-mirror-check-demo
real=custody-mirror-check-real
in_demo() { compose -p $demo --env-file "$scratch/none" --profile demo "$@"; }
in_real() { compose -p $real --env-file "$scratch/env" "$@"; }
clean() {
  in_demo down -v -t 20 >/dev/null 2>&1 || true
  docker rm -f "$real-service" >/dev/null 2>&1 || true
  in_real down -v -t 20 >/dev/null 2>&1 || true
  rm -rf "$scratch"
}
: >"$scratch/none"
printf 'COMPOSE_PROJECT_NAME=%s\n' $real >"$scratch/env"
trap clean EXIT
clean_before() { in_demo down -v >/dev/null 2>&1 || true; }
clean_before
docker image inspect "$image" >/dev/null 2>&1 || in_demo build

id() { "in_$1" ps -a -q "$2"; }
inspect() { docker inspect --format "$3" "$(id "$1" "$2")"; }
running() { [ "$(inspect "$1" "$2" '{{.State.Running}}')" = true ]; }
healthy() { [ "$(inspect "$1" "$2" '{{.State.Health.Status}}')" = healthy ]; }
# The SQL goes through the daemon's own role and the published port, by the driver of the image.
ask() {
  docker exec -i "$(id "$1" mirror)" node --input-type=module - "$2" <<'JS'
import { readFileSync } from 'node:fs';
import pg from '/app/node_modules/pg/lib/index.js';
const client = new pg.Client({ connectionString: readFileSync('/run/secrets/database_url', 'utf8').trim() });
await client.connect();
const { rows } = await client.query({ text: process.argv[2], rowMode: 'array' });
console.log(rows.map((row) => row.join('|')).join('\n'));
await client.end();
JS
}
has_rows() { [ "$(ask "$1" 'select count(*) from custody.transactions')" -gt 0 ]; }
runs() { ask "$1" "select count(*) from sync.runs where status = 'succeeded' and job = 'transactions'"; }
more_runs() { [ "$(runs "$1")" -gt "$2" ]; }
duplicates() { ask "$1" 'select count(*) - count(distinct (account_id, transaction_id)) from custody.transactions'; }
gaps() {
  ask "$1" 'select count(*) from (select count(*), max(sequence) from custody.transaction_status_history
    group by account_id, transaction_id having count(*) <> max(sequence)) as broken'
}
# What nobody told the engine to do: the process dies, the container's policy starts it again.
die() {
  local pid
  pid=$(inspect "$1" "$2" '{{.State.Pid}}')
  # Only root may do that; from others the engine takes it as a wish that the container stay down.
  if kill -9 "$pid" 2>/dev/null; then expected_restarts=1; else
    expected_restarts=0
    docker kill "$(id "$1" "$2")" >/dev/null && docker start "$(id "$1" "$2")" >/dev/null
  fi
}
restarts() { inspect "$1" "$2" '{{.RestartCount}}'; }
# The pages by the published port, with a password and the status that is expected.
page_opens() {
  [ "$(curl -s -o /dev/null -w '%{http_code}' -u "anybody:$1" "http://127.0.0.1:$MIRROR_PORT/")" = "$2" ]
}
login_refused() {
  ! docker exec -i "$(id "$1" mirror)" node --input-type=module - <<'JS'
import pg from '/app/node_modules/pg/lib/index.js';
const client = new pg.Client({ connectionString: 'postgres://postgres:only-until-the-database-is-made@postgres:5432/postgres' });
await client.connect();
JS
}

echo "--- the demo, without a .env"
began=$(date +%s%N)
in_demo up -d >"$scratch/up" 2>&1 || { cat "$scratch/up"; exit 1; }
echo "all containers started after $((($(date +%s%N) - began) / 1000000)) ms"
check 'transactions are mirrored' wait_for 120 has_rows demo
echo "first mirrored transaction after $((($(date +%s%N) - began) / 1000000)) ms"
for service in postgres mirror sandbox; do check "$service becomes healthy" wait_for 90 healthy demo $service; done
check 'the daemon’s role is no superuser and makes no roles or databases' equals \
  "$(ask demo 'select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = current_user')" \
  'false|false|false|false|false'
check 'the superuser cannot come in over the network' login_refused demo
for service in postgres mirror sandbox; do
  check "no secret is in the environment of $service" not grep -qE 'sandbox-viewer-key|custody_mirror:demo' \
    <<<"$(inspect demo $service '{{json .Config.Env}}')"
  check "$service is published on loopback only" not grep -qE '0\.0\.0\.0|"HostIp":""|::' \
    <<<"$(inspect demo $service '{{json .HostConfig.PortBindings}}')"
done
check 'the daemon’s root file system is read-only' equals "$(inspect demo mirror '{{.HostConfig.ReadonlyRootfs}}')" true

before=$(runs demo)
die demo mirror
check 'a killed daemon comes back and goes on' wait_for 120 more_runs demo "$before"
check 'it was the engine that started it again' equals "$(restarts demo mirror)" "$expected_restarts"

docker stop -t 15 "$(id demo mirror)" >/dev/null && docker start "$(id demo mirror)" >/dev/null
stopping=$(date +%s%N)
docker stop -t 15 "$(id demo mirror)" >/dev/null
echo "a stop right after the start took $((($(date +%s%N) - stopping) / 1000000)) ms"
check 'a stop right after the start is heard' not equals "$(inspect demo mirror '{{.State.ExitCode}}')" 137
docker start "$(id demo mirror)" >/dev/null
check 'the daemon is healthy again' wait_for 90 healthy demo mirror

before=$(runs demo)
in_demo stop postgres >/dev/null 2>&1
check 'the daemon outlives its database' running demo mirror
in_demo start postgres >/dev/null 2>&1
check 'and goes on when the database is back' wait_for 120 more_runs demo "$before"

in_demo restart sandbox >/dev/null 2>&1
before=$(runs demo)
check 'it goes on after the service was restarted' wait_for 180 more_runs demo "$before"
check 'no transaction is there twice' equals "$(duplicates demo)" 0
check 'no history has a gap' equals "$(gaps demo)" 0

stopping=$(date +%s%N)
in_demo stop mirror sandbox >/dev/null 2>&1
echo "stopping the daemon and the sandbox took $((($(date +%s%N) - stopping) / 1000000)) ms"
for service in mirror sandbox; do
  check "$service stops with exit code 0" equals \
    "$(inspect demo $service '{{.State.ExitCode}}')" 0
done
in_demo down -v -t 20 >/dev/null 2>&1

echo "--- a mirror with a .env and secrets of its own"
mkdir -m 700 "$scratch/secrets"
password=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
key=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
printf 'postgres://custody_mirror:%s@postgres:5432/custody_mirror\n' "$password" >"$scratch/secrets/database_url"
printf '%s\n' "$key" >"$scratch/secrets/custody_api_key"
token=$(head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n')
printf '%s\n' "$token" >"$scratch/secrets/http_token"
chmod 644 "$scratch"/secrets/*
cat >"$scratch/env" <<EOF2
COMPOSE_PROJECT_NAME=$real
SECRETS_DIRECTORY=$scratch/secrets
CUSTODY_BASE_URL=http://service.localhost:8788/custody
CUSTODY_ACCOUNT=treasury
CUSTODY_API_KEY_HEADER=x-api-key
SCHEDULE_TRANSACTIONS=*/5 * * * * *
EOF2
in_real up -d >"$scratch/up" 2>&1 || { cat "$scratch/up"; exit 1; }
# In the place of the custody service; it comes late.
docker run -d --name "$real-service" --network "${real}_default" --network-alias service.localhost "$image" \
  sandbox --host 0.0.0.0 --base-path /custody --api-key "$key" >/dev/null
check 'transactions are mirrored' wait_for 120 has_rows real
check 'the pages want the token' page_opens "" 401
check 'and open with it' page_opens "$token" 200
check 'into the account that .env names' equals "$(ask real 'select distinct account_id from custody.transactions')" treasury
check 'the profile’s sandbox does not run' equals "$(in_real ps -a -q sandbox 2>/dev/null || true)" ''
for service in postgres mirror; do
  check "no secret is in the environment of $service" not grep -qE "$key|$password|$token" \
    <<<"$(inspect real $service '{{json .Config.Env}}')"
done
before=$(runs real)
check 'by the schedule that .env names' wait_for 30 more_runs real "$before"

echo "--- the same, with a sealed history"
printf 'CHECKPOINTS_DIRECTORY=%s\nCOMPOSE_FILE=docker-compose.yml:deploy/compose/sealed.yaml\n' "$scratch/elsewhere" >>"$scratch/env"
verifier=$(docker run --rm --user "$(command id -u)" --volume "$scratch/secrets:/keys" "$image" \
  seal init /keys/seal_key custody.example/treasury 2>/dev/null)
chmod 644 "$scratch/secrets/seal_key"
mkdir -m 777 "$scratch/elsewhere"
in_real up -d >"$scratch/up" 2>&1 || { cat "$scratch/up"; exit 1; }
check 'checkpoints lie in that directory' wait_for 120 grep -q '^— custody.example/treasury ' "$scratch/elsewhere/checkpoints"
check 'and the history is as they say' docker exec "$(id real mirror)" \
  custody-mirror verify --checkpoints /mnt/checkpoints/checkpoints --key "$verifier"
check 'the key is in no environment' not grep -q 'PRIVATE+KEY' <<<"$(inspect real mirror '{{json .Config.Env}}')"
verdict
