// The options of the sandbox and their defaults. Invariant: with defaults the sandbox behaves exactly as
// docs/custody-service.md says; a bad value is refused by name before anything starts.
import { setTimeout as delay } from 'node:timers/promises';
import type { Sleep } from './faults/delivery.ts';
import type { FaultRule } from './faults/fault-kinds.ts';
import type { PagingMode } from './http/endpoints.ts';
import { pagingModes } from './http/endpoints.ts';
import { type ListCut, windowEnds } from './http/list-cut.ts';
import type { ByIdPath } from './http/routes.ts';
import { byIdPaths } from './http/routes.ts';
import type { DocumentShape } from './wire/document-writer.ts';
import type { QuirkSettings } from './wire/quirks.ts';
import type { Every } from './world/evolution.ts';
import type { ListOrder } from './world/order-keys.ts';
import { listOrders } from './world/order-keys.ts';

/** Options of `createSandbox`; the defaults are those of `defaults`. */
export interface SandboxOptions {
  /** Decides everything random. */
  readonly seed?: number;
  /** Historic transactions at the start. */
  readonly transactions?: number;
  readonly warmVaults?: number;
  readonly coldVaults?: number;
  readonly whitelistEntries?: number;
  /** Order of GET /transactions. */
  readonly order?: ListOrder;
  /**
   * For `by-time` and `by-asset`: transactions within the same span of this many seconds tie; the default is
   * a day. A new transaction takes an arbitrary place among those that it ties with.
   */
  readonly tieSeconds?: number;
  /**
   * At every n-th request for the list, two records change places just before the answer; 0 means never. With
   * the orders `by-time` and `by-asset` the two tie; with other orders they are any two.
   */
  readonly exchangeTies?: number;
  /** The greatest distance of the two records; 1 means neighbours. */
  readonly exchangeDistance?: number;

  /** True stops all evolution. */
  readonly frozen?: boolean;
  /** New transactions per minute while running. */
  readonly newPerMinute?: number;
  /** Length of one step of evolution, in milliseconds. */
  readonly stepMs?: number;

  /** The viewer key (section 5). */
  readonly apiKey?: string;
  readonly keyHeader?: string;
  /** Text before the key in its header, such as `Bearer `. */
  readonly keyPrefix?: string;
  /** Path before every operation, such as /custody/v1. */
  readonly basePath?: string;
  readonly byIdPath?: ByIdPath;

  /** Greater limits are lowered silently; unlimited when left out. */
  readonly maxLimit?: number;
  /** Greater limits are refused with ERR-00. */
  readonly refuseLimitAbove?: number;
  /** Page sizes without `limit` (section 8). */
  readonly defaultLimit?: { readonly transactions?: number; readonly others?: number };
  /** What limit and offset do where the interface does not list them. */
  readonly paging?: { readonly [name in 'balances-by-type' | 'vaults' | 'whitelist']?: PagingMode };
  /** What GET /transactions keeps back. */
  readonly cut?: ListCut;
  readonly unknownParameters?: 'ignored' | 'refused';
  readonly shape?: Partial<DocumentShape>;
  readonly quirks?: QuirkSettings;

  /** The first faults: rules, or the text that `parseFaults` reads. */
  readonly faults?: string | readonly FaultRule[];
  /** Requests per second and endpoint; unlimited when left out. */
  readonly rate?: number;
  /** Form of Retry-After when the rate is exceeded. */
  readonly retryAfter?: 'seconds' | 'date' | 'none';

  /** The clock, milliseconds since the epoch. */
  readonly now?: () => number;
  readonly sleep?: Sleep;
  readonly every?: Every;
}

/** The values of options that are left out. */
const defaults = {
  seed: 1,
  transactions: 2000,
  warmVaults: 6,
  coldVaults: 4,
  whitelistEntries: 60,
  order: 'newest-first',
  tieSeconds: 86_400,
  exchangeTies: 0,
  exchangeDistance: 1,
  frozen: false,
  newPerMinute: 30,
  stepMs: 1000,
  apiKey: 'sandbox-viewer-key',
  keyHeader: 'x-api-key',
  keyPrefix: '',
  basePath: '',
  byIdPath: 'both',
  maxLimit: Number.POSITIVE_INFINITY,
  refuseLimitAbove: Number.POSITIVE_INFINITY,
  defaultLimit: { transactions: 200, others: 50 },
  paging: { 'balances-by-type': 'ignored', vaults: 'ignored', whitelist: 'ignored' },
  cut: {},
  unknownParameters: 'ignored',
  shape: {
    vaultsKey: 'vaults',
    whitelistKey: 'whitelist',
    vaultIdField: 'vault_id',
    vaultRecord: 'full',
    oneVault: 'object',
    retrievedAt: false,
  },
  quirks: {},
  faults: '',
  rate: Number.POSITIVE_INFINITY,
  retryAfter: 'seconds',
  now: Date.now,
  sleep: async (milliseconds, signal) => {
    await delay(milliseconds, undefined, { signal }).catch(() => undefined);
  },
  every: (milliseconds, call) => {
    const timer = setInterval(call, milliseconds);
    timer.unref();
    return () => clearInterval(timer);
  },
} as const satisfies Settings;

/** Every option with a value. */
export interface Settings extends Required<Omit<SandboxOptions, 'defaultLimit' | 'paging' | 'shape'>> {
  readonly defaultLimit: { readonly transactions: number; readonly others: number };
  readonly paging: { readonly [name in 'balances-by-type' | 'vaults' | 'whitelist']: PagingMode };
  readonly shape: DocumentShape;
}

/** Adds the defaults. @throws RangeError naming an option with a bad value */
export function resolveOptions(options: SandboxOptions): Settings {
  const settings: Settings = {
    ...defaults,
    ...options,
    defaultLimit: { ...defaults.defaultLimit, ...options.defaultLimit },
    paging: { ...defaults.paging, ...options.paging },
    shape: { ...defaults.shape, ...options.shape },
    keyHeader: (options.keyHeader ?? defaults.keyHeader).toLowerCase(),
    basePath: (options.basePath ?? '').replace(/\/+$/, ''),
  };
  checkNumbers(settings);
  checkNames(settings);
  if (!(settings.newPerMinute >= 0)) throw new RangeError('newPerMinute must not be negative');
  if (settings.transactions > 10_000_000) throw new RangeError('transactions must be at most 10,000,000');
  if (settings.warmVaults + settings.coldVaults > 1000)
    throw new RangeError('there can be at most 1,000 vaults');
  if (settings.whitelistEntries > 10_000) throw new RangeError('whitelistEntries must be at most 10,000');
  if (settings.basePath !== '' && !settings.basePath.startsWith('/'))
    throw new RangeError('basePath must begin with /');
  return settings;
}

function checkNumbers(settings: Settings): void {
  for (const name of ['seed', 'transactions', 'warmVaults', 'coldVaults', 'whitelistEntries'] as const) {
    if (!Number.isSafeInteger(settings[name]) || settings[name] < 0) {
      throw new RangeError(`${name} must be a whole number that is not negative`);
    }
  }
  if (!Number.isSafeInteger(settings.tieSeconds) || settings.tieSeconds < 1)
    throw new RangeError('tieSeconds must be a whole number greater than 0');
  for (const name of ['rate', 'stepMs', 'maxLimit', 'refuseLimitAbove'] as const) {
    if (!(settings[name] > 0)) throw new RangeError(`${name} must be greater than 0`);
  }
}

function checkNames({ order, byIdPath, cut, paging }: Settings): void {
  checkName('order', order, listOrders);
  checkName('byIdPath', byIdPath, byIdPaths);
  checkName('windowEnd of cut', cut.windowEnd ?? 'empty', windowEnds);
  for (const [name, mode] of Object.entries(paging)) checkName(`paging of ${name}`, mode, pagingModes);
}

function checkName(name: string, value: string, known: readonly string[]): void {
  if (!known.includes(value)) throw new RangeError(`${name} must be one of ${known.join(', ')}`);
}
