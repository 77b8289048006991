// A custody service for tests, built from docs/custody-service.md alone; this file is the folder's entry
// point. Section numbers in its comments refer to that document. Invariant: it serves what `world` holds,
// except for the quirks and faults that are set.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Faults } from './faults/faults.ts';
import { RequestLog } from './faults/request-log.ts';
import type { Reply } from './http/errors.ts';
import type { SandboxOptions } from './options.ts';
import { resolveOptions } from './options.ts';
import { Service } from './service.ts';
import { createRandom } from './values/random.ts';
import type { Quirks } from './wire/quirks.ts';
import { createQuirks } from './wire/quirks.ts';
import { Evolution, type Pace } from './world/evolution.ts';
import { World } from './world/world.ts';

/** A sandbox; see `createSandbox`. */
export interface Sandbox {
  /** Starts the server; port 0 picks a free one. The url includes the base path. */
  listen(port?: number, host?: string): Promise<{ readonly url: string; readonly port: number }>;
  /** Stops evolution and server at once, even with open requests. */
  close(): Promise<void>;
  /** Lets the world evolve in real time. */
  start(): void;
  /** Stops what `start` started. */
  stop(): void;
  /** Runs this many steps of evolution at once, at the usual pace or another; default 1. */
  advance(steps?: number, pace?: Pace): void;
  /** Freezes a transaction: evolution leaves it alone. @throws RangeError when there is none */
  hold(transactionId: string): void;
  /**
   * Answers a GET request without HTTP, as the server would: a path with its query, and the header with the
   * key.
   */
  answer(target: string, headers: IncomingHttpHeaders): Reply;
  /** The list of transactions as it shows these rows of the world, and no others. */
  only(rows: readonly number[]): Reply;
  /** The served data. Tests change it through its methods. */
  readonly world: World;
  /** Faults, which can be changed while running. */
  readonly faults: Faults;
  /** The requests so far. */
  readonly requests: RequestLog;
  /** The quirks of each record, by its id. */
  readonly quirks: Quirks;
  /** The viewer key the sandbox accepts. */
  readonly apiKey: string;
}

/** Makes a sandbox that does not listen or evolve yet. @throws RangeError for an option with a bad value */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const settings = resolveOptions(options);
  const world = new World(settings);
  const faults = new Faults(createRandom(settings.seed, 'faults'));
  faults.set(settings.faults);
  const quirks = createQuirks(settings.quirks, settings.seed);
  const requests = new RequestLog();
  const evolution = new Evolution(world, settings);
  const service = new Service({ settings, world, faults, quirks, requests });
  const server = createServer({ keepAliveTimeout: 65_000, requestTimeout: 0 }, service.handle);
  return {
    world,
    faults,
    requests,
    quirks,
    apiKey: settings.apiKey,
    listen: (port = 0, host = '127.0.0.1') =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => {
          server.off('error', reject);
          const address = server.address();
          const bound = typeof address === 'object' && address !== null ? address.port : port;
          const name = host.includes(':') ? `[${host}]` : host;
          resolve({ url: `http://${name}:${bound}${settings.basePath}`, port: bound });
        });
      }),
    close: () =>
      new Promise((resolve) => {
        evolution.stop();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    start: () => evolution.start(),
    stop: () => evolution.stop(),
    hold: (transactionId) => {
      const row = world.table.rowOf(transactionId);
      if (row === undefined) throw new RangeError(`no transaction ${transactionId}`);
      evolution.hold(row);
    },
    only: (rows) => service.only(rows),
    answer: (target, headers) => service.answer(target, headers),
    advance: (steps, pace) => evolution.advance(steps, pace),
  };
}
