// Starts the built command as a process of its own, with an environment that holds nothing but what a test
// gives it, and the clock and time zone of the run. A process that a test leaves behind is killed when the
// test ends.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { onCleanup } from './cleanup.ts';
import { clockAndZone } from './clock.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

export const builtProgram = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url));

export interface ProcessOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Another build of the command. */
  readonly program?: string;
  /** Descriptors that take the place of the pipes that the test reads. */
  readonly outputs?: { readonly stdout?: number; readonly stderr?: number };
  /** A program that becomes the command, such as `sh -c 'exec "$@" 2>&-' sh`. */
  readonly launcher?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface TestProcess {
  readonly pid: number;
  /** Everything written so far. */
  stdout(): string;
  stderr(): string;
  /** Waits until both outputs together match; names what was written instead when they do not in time. */
  output(pattern: RegExp, options?: WaitOptions): Promise<RegExpExecArray>;
  kill(signal: NodeJS.Signals): void;
  /** Reads no more of standard output, as `head` does when it has enough. */
  closeOutput(): void;
  /** Waits for the end, whoever brings it about. */
  exit(deadlineMs?: number): Promise<Exit>;
}

/** Starts `custody-mirror` with the arguments given. */
export function startProcess(args: readonly string[], options: ProcessOptions = {}): TestProcess {
  const program = options.program ?? builtProgram;
  if (!existsSync(program)) throw new Error(`${program} is missing; npm run build makes it`);
  const { stdout: out = 'pipe', stderr: err = 'pipe' } = options.outputs ?? {};
  const [file = '', ...words] = [...(options.launcher ?? []), process.execPath, program, ...args];
  const child = spawn(file, words, {
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', ...clockAndZone(), ...options.env },
    cwd: options.cwd ?? '/',
    stdio: ['ignore', out, err],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  let ended: Exit | undefined;
  const closed = new Promise<void>((done) => {
    child.on('error', () => done());
    child.on('close', (code, signal) => {
      ended = { code, signal };
      done();
    });
  });
  onCleanup(async () => {
    if (ended === undefined) child.kill('SIGKILL');
    await closed;
  });
  const told = () => `\n--- standard output\n${stdout}\n--- standard error\n${stderr}`;

  return {
    pid: child.pid ?? 0,
    stdout: () => stdout,
    stderr: () => stderr,
    closeOutput: () => void child.stdout?.destroy(),
    async output(pattern, waiting = {}) {
      const find = () => new RegExp(pattern).exec(stdout) ?? new RegExp(pattern).exec(stderr);
      try {
        const found = await waitFor(() => find() ?? ended, { what: `output like ${pattern}`, ...waiting });
        if ('index' in found) return found;
        throw new Error(
          `the process ended (${JSON.stringify(found)}) before it wrote output like ${pattern}`,
        );
      } catch (error) {
        throw new Error(`${error instanceof Error ? error.message : String(error)}${told()}`);
      }
    },
    kill: (signal) => void child.kill(signal),
    async exit(deadlineMs = 30_000) {
      const found = await waitFor(() => ended, { what: 'the end of the process', deadlineMs }).catch(
        (error) => {
          throw new Error(`${error instanceof Error ? error.message : String(error)}${told()}`);
        },
      );
      return found;
    },
  };
}

/** Runs the command to its end. */
export async function runProcess(
  args: readonly string[],
  options: ProcessOptions & { readonly deadlineMs?: number } = {},
): Promise<Exit & { readonly stdout: string; readonly stderr: string }> {
  const running = startProcess(args, options);
  const exit = await running.exit(options.deadlineMs);
  return { ...exit, stdout: running.stdout(), stderr: running.stderr() };
}
