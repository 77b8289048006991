// Installs the third-party clients that test/system/clients runs as a reader, below node_modules/.cache, once for each state of their
// lists: packages of PyPI, npm and Maven Central in the listed versions. It prints which ones it could not install; their tests
// are then skipped with the reason.
//
//   node scripts/install-clients.mjs [--where python]
//
// --where prints the directory of one kind if it is installed, and installs nothing.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const lists = join(root, 'test', 'system', 'clients');
const cache = join(root, 'node_modules', '.cache', 'custody-mirror');
const timeoutMs = 600_000;

/** The commands of each kind. They run in a copy of its list, in the directory where it stays. */
const ofPython = [
  ['python3', '-m', 'venv', 'env'],
  [
    'env/bin/pip',
    'install',
    '--quiet',
    '--no-compile',
    '--disable-pip-version-check',
    '--requirement',
    'requirements.txt',
  ],
];
const kinds = {
  python: ofPython,
  // Its packages do not agree with those of dbt.
  schemathesis: ofPython,
  node: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund']],
  java: [['mvn', '--quiet', '--batch-mode', 'dependency:copy-dependencies', '-DoutputDirectory=jars']],
};

const [, , option, asked] = process.argv;
const directoryOf = (kind) => join(cache, `clients-${kind}-${digest(join(lists, kind))}`);
const isComplete = (kind) => existsSync(join(directoryOf(kind), 'complete'));
if (option === '--where') {
  if (isComplete(asked)) console.log(directoryOf(asked));
} else {
  mkdirSync(cache, { recursive: true });
  for (const [kind, commands] of Object.entries(kinds).filter(([kind]) => !isComplete(kind))) {
    const failure = install(kind, commands, directoryOf(kind));
    console.log(failure === null ? `clients: installed ${kind}` : `clients: no ${kind}: ${failure}`);
  }
}

/** Installs in the final directory, because Python's scripts contain the path of their interpreter. */
function install(kind, commands, directory) {
  rmSync(directory, { recursive: true, force: true });
  cpSync(join(lists, kind), directory, { recursive: true });
  for (const [program, ...args] of commands) {
    const { status, stderr, error } = spawnSync(program, args, {
      cwd: directory,
      encoding: 'utf8',
      timeout: timeoutMs,
    });
    if (status !== 0) return `${program} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`;
  }
  mkdirSync(join(directory, 'complete'));
  return null;
}

function digest(folder) {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted())
    hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 12);
}
