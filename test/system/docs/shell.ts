// Runs a block of commands as a reader would who has cloned the repository: in a copy of it, by bash, word by
// word. What cannot run in a test is a stand-in that notes how it was called.
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { onCleanup } from '../../support/cleanup.ts';
import { clockAndZone } from '../../support/clock.ts';
import { newFolder } from '../../support/folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { root } from './blocks.ts';

export interface ShellOptions {
  /** Programs that are not run but noted. */
  readonly standIns?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Addresses and paths of the document, each with the one of the test that takes its place. */
  readonly replaced?: Readonly<Record<string, string>>;
  /** What is typed meanwhile. */
  readonly input?: string;
  /** The last command goes on until this holds, and is then ended as by Ctrl-C. */
  readonly until?: (output: () => string) => Promise<boolean> | boolean;
}

export interface Clone {
  readonly directory: string;
  /** Runs the text to its end; the first command that fails ends it. */
  run(text: string, options?: ShellOptions): Promise<ShellResult>;
}

export interface ShellResult {
  readonly code: number | null;
  readonly output: string;
  /** What the stand-ins were called with, the program first. */
  readonly calls: readonly (readonly string[])[];
}

const leftOut = ['node_modules', '.git', 'dist', '.data', 'secrets', '.env'];

/** A copy of the repository, built and with its dependencies installed. */
export function openClone(): Clone {
  const directory = newFolder(0o755);
  const skipped = new Set(leftOut.map((name) => join(root, name)));
  cpSync(root, directory, { recursive: true, filter: (path) => !skipped.has(path) });
  for (const name of ['node_modules', 'dist']) symlinkSync(join(root, name), join(directory, name));
  return { directory, run: (text, options = {}) => run(directory, text, options) };
}

async function run(directory: string, text: string, options: ShellOptions): Promise<ShellResult> {
  const programs = join(newFolder(), 'bin');
  const notes = placePrograms(programs, options.standIns ?? []);
  const child = spawn(
    '/bin/bash',
    ['--norc', '-euo', 'pipefail', '-c', replaced(text, options.replaced ?? {})],
    {
      cwd: directory,
      // Its own process group, so that Ctrl-C reaches all of it.
      detached: true,
      env: {
        PATH: [programs, join(process.execPath, '..'), process.env['PATH']].join(delimiter),
        HOME: join(programs, '..'),
        NOTES: notes,
        HTTP_PORT: '0',
        ...clockAndZone(),
        ...options.env,
      },
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => {
      output += more;
    });
  child.stdin.on('error', () => undefined).end(options.input ?? '');
  let code: number | null | undefined;
  child.on('close', (found) => {
    code = found;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('bash could not be started');
  const interrupt = (signal: NodeJS.Signals) => code === undefined && process.kill(-pid, signal);
  onCleanup(async () => void interrupt('SIGKILL'));
  const told = (error: unknown) => new Error(`${String(error)}\n${output}`);
  const { until } = options;
  if (until !== undefined) {
    const due = async () => code !== undefined || (await until(() => output));
    await waitFor(due, { what: 'what the last command is to do', deadlineMs: 120_000 }).catch((error) => {
      throw told(error);
    });
    interrupt('SIGINT');
  }
  await waitFor(() => code !== undefined, { what: 'the end of the block', deadlineMs: 120_000 }).catch(
    (error) => {
      throw told(error);
    },
  );
  const calls = existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : [];
  return { code: code ?? null, output, calls: calls.map((line) => line.split('\t')) };
}

/** The block as written, but for the places that a reader, too, has to make his own. */
function replaced(text: string, places: Readonly<Record<string, string>>): string {
  return Object.entries(places).reduce((written, [from, to]) => {
    if (!written.includes(from)) throw new Error(`the block no longer holds ${from}`);
    return written.replaceAll(from, to);
  }, text);
}

function placePrograms(directory: string, standIns: readonly string[]): string {
  mkdirSync(directory, { recursive: true });
  const place = (name: string, text: string) => writeFileSync(join(directory, name), text, { mode: 0o755 });
  // As an installed package has it.
  place('custody-mirror', `#!/bin/sh\nexec node '${join(root, 'dist/src/cli/main.js')}' "$@"\n`);
  const note =
    'line=$(basename "$0"); for word; do line="$line\t$word"; done; printf "%s\\n" "$line" >>"$NOTES"';
  for (const name of standIns) place(name, `#!/bin/bash\n${note}\n`);
  // `npm ci` is the first step of .ci/run, in a fresh clone; here it would empty the folder that all tests
  // share.
  if (!standIns.includes('npm')) {
    const npm = process.env['PATH']
      ?.split(delimiter)
      .map((path) => join(path, 'npm'))
      .find(existsSync);
    place('npm', `#!/bin/bash\n${note}\n[ "$1" = ci ] || exec '${npm}' "$@"\n`);
  }
  return join(directory, '..', 'notes');
}
