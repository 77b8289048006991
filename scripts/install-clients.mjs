// Installs the third-party clients that test/system/clients runs as a reader, once for each state of their
// lists: packages of PyPI, Maven Central and Go's module proxy in the listed versions. It prints which
// ones it could not install; their tests are then skipped with the reason.
//
//   node scripts/install-clients.mjs [--where python]
//
// --where prints the directory of one kind if it is installed, and installs nothing. With TEST_CLIENTS=quick,
// what takes minutes to install is left out; the API server of Kubernetes is built with TEST_API_SERVER=1
// only.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheOf, reasonIn } from './install-version.mjs';

const lists = fileURLToPath(new URL('../test/system/clients', import.meta.url));
const pip = 'env/bin/pip install --quiet --no-compile --disable-pip-version-check -r requirements.txt';
const python = `python3 -m venv env && ${pip}`;
const jars = 'mvn --quiet --batch-mode dependency:copy-dependencies -DoutputDirectory=jars';
/** They run in a copy of the list where it stays: Python's scripts contain the path of their interpreter. */
const commands = {
  python,
  // Its packages do not agree with those of dbt.
  schemathesis: python,
  go: 'go build -o sealedlog .',
  spark: python,
  superset: python,
  java: jars,
  debezium: jars,
  helm: 'GOBIN="$PWD" go install "$(cat package)"',
  // Some sixteen minutes of processor time.
  kubernetes:
    "go build -mod=mod -ldflags='-s -w' -o . go.etcd.io/etcd/server/v3 k8s.io/kubernetes/cmd/kube-apiserver",
  // Without the discovery of services in dozens of clouds, which promtool does not need for rules.
  prometheus: 'GOBIN="$PWD" GOFLAGS=-mod=mod go install -tags remove_all_sd tool',
};
/** The most that an installation may take. Where it is more, the kind takes minutes on any machine. */
const usualMs = 600_000;
const timeoutsMs = { superset: 1_200_000, kubernetes: 3_600_000 };

const [, , option, asked] = process.argv;
const directoryOf = (kind) => cacheOf(`clients-${kind}`, join(lists, kind));
const isComplete = (kind) => existsSync(join(directoryOf(kind), 'complete'));
if (option === '--where') {
  if (isComplete(asked)) console.log(directoryOf(asked));
} else {
  const isWanted = (kind) =>
    kind === 'kubernetes'
      ? process.env.TEST_API_SERVER === '1'
      : process.env.TEST_CLIENTS !== 'quick' || !(kind in timeoutsMs);
  for (const kind of Object.keys(commands).filter((kind) => isWanted(kind) && !isComplete(kind))) {
    const failure = install(kind);
    console.log(failure === null ? `clients: installed ${kind}` : `clients: no ${kind}: ${failure}`);
  }
}

function install(kind) {
  const directory = directoryOf(kind);
  rmSync(directory, { recursive: true, force: true });
  cpSync(join(lists, kind), directory, { recursive: true });
  const options = { cwd: directory, encoding: 'utf8', shell: true, timeout: timeoutsMs[kind] ?? usualMs };
  const { status, stderr, error } = spawnSync(commands[kind], options);
  if (status !== 0) return error?.message ?? reasonIn(stderr);
  mkdirSync(join(directory, 'complete'));
  return null;
}
