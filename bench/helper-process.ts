// A helper of the bench in a process of its own, spoken to by checked messages: what it uses of processor and memory is
// then its own alone. Invariant: a helper that ends before it has answered is an error, never a wait without end.
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
  /** Waits for its end, after asking for it. */
  stop(): Promise<void>;
}

export interface HelperOptions {
  /** Compiled file beside this one. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
}

/** Starts a process that mirrors once from the sandbox into the database, when it is told to. */
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
