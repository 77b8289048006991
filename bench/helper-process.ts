// Starts helpers of the bench in processes of their own, so that their use of processor and memory can be
// measured, and exchanges checked messages with them. Invariant: a helper that ends before its answer is an
// error, not an endless wait.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod';
import type { SandboxStarted } from './messages.ts';
import type { BenchOptions } from './options.ts';

export interface HelperProcess {
  /** The helper's next message. */
  receive<Message>(schema: z.ZodType<Message>): Promise<Message>;
  send(message: string): void;
  /** Ends the helper, and waits for its end. */
  stop(): Promise<void>;
}

export interface HelperOptions {
  /** The compiled file, relative to this one. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** Starts a process that runs one cycle from the sandbox into the database after the message `begin`. */
export function startMirror(
  url: string,
  service: SandboxStarted,
  options: BenchOptions,
  { env = {}, nodeOptions = [] }: Partial<Omit<HelperOptions, 'file'>> = {},
): HelperProcess {
  return startHelper({
    file: './mirror-process.js',
    env: {
      DATABASE_URL: url,
      CUSTODY_BASE_URL: service.url,
      CUSTODY_API_KEY: service.apiKey,
      CUSTODY_PAGE_SIZE: String(options.pageSize),
      CUSTODY_MAX_CONCURRENCY: String(options.concurrency),
      CUSTODY_RATE_LIMIT: options.rateLimit,
      ...env,
    },
    nodeOptions,
  });
}

/**
 * Starts a frozen sandbox of so many transactions. Its first message tells where it is (`sandboxStarted`).
 */
export function startSandbox(transactions: number): HelperProcess {
  return startHelper({
    file: './sandbox-process.js',
    env: { BENCH_TRANSACTIONS: String(transactions) },
  });
}

export function startHelper({ file, env, nodeOptions = [] }: HelperOptions): HelperProcess {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), {
    env: { ...env, PATH: process.env['PATH'] ?? '' },
    execArgv: [...nodeOptions],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const received: unknown[] = [];
  let wake: () => void = () => undefined;
  child.on('message', (message) => {
    received.push(message);
    wake();
  });
  child.on('exit', () => wake());
  child.on('error', () => wake());
  return {
    async receive(schema) {
      while (received.length === 0) {
        if (hasEnded(child)) throw new Error(`${file} ended (${child.exitCode ?? child.signalCode}) unasked`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return schema.parse(received.shift());
    },
    send(message) {
      if (child.connected) child.send(message);
    },
    async stop() {
      if (hasEnded(child)) return;
      const ended = once(child, 'exit');
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

function hasEnded(child: ChildProcess): boolean {
  return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}
