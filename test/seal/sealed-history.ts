// A history with rows of every kind, as commits write them, and what seals and verifies it.
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Tolerance } from '../../src/custody/decode/fields.ts';
import type { RecordDecoder } from '../../src/custody/decode/items.ts';
import { findDocuments, kinds } from '../../src/custody/decode/lists.ts';
import { vaultDecoder, whitelistDecoder } from '../../src/custody/decode/records.ts';
import type { ListItem } from '../../src/domain/page.ts';
import { makeSealKey, readSigner, readVerifier, type Signer, type Verifier } from '../../src/seal/note.ts';
import { roomOfPass } from '../../src/seal/reading.ts';
import { sealHistory } from '../../src/seal/seal.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import { commitVaults, commitWhitelist } from '../../src/store/commit/documents/commit-documents.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import type { Lease } from '../../src/store/run/leases.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { decode } from '../custody/decode/decoding.ts';
import { onCleanup } from '../support/cleanup.ts';
import { copyOfShared, type TestDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';
import { silentLogger } from '../support/loggers.ts';
import { account, epoch, noRequests, openStore, pageOf, type Store } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { hour, observe, type Tick } from './observed-ticks.ts';

export interface SealedHistory {
  readonly store: Store;
  /** The private key. */
  readonly key: string;
  readonly signer: Signer;
  readonly verifier: Verifier;
  /** A file for checkpoints. */
  readonly file: string;
  /** The one that is held. */
  readonly lease: () => Lease;
  /** Runs the statements with the triggers off, as a superuser can. */
  unguarded(statements: string): Promise<unknown>;
  /** Adds rows to each table: some transactions and documents, and two days of balances. */
  grow(): Promise<void>;
  /** Commits observations of balances. */
  observe(ticks: readonly Tick[]): Promise<void>;
  seal(options?: {
    readonly atOnce?: number;
    readonly signer?: Signer;
    readonly earlier?: readonly Verifier[];
    readonly file?: string | null;
  }): Promise<number>;
  verify(file?: string | null, verifiers?: readonly Verifier[]): ReturnType<typeof verifyHistory>;
}

export const statuses = 'custody.transaction_status_history';
export const snapshots = 'custody.balance_snapshots';

/** A statement that adds a row that was never observed. */
export function forged(changeId: string, id = 'forged'): string {
  return `insert into ${statuses} (account_id, transaction_id, sequence, to_status, observed_at, run_id, change_id)
   values ('${account}', '${id}', 1, 'pending', now(), 1, ${changeId})`;
}

/** The database, with something around each question that is asked in a transaction. */
export function askedThrough(
  database: Database,
  around: (label: string, ask: () => Promise<readonly unknown[]>) => Promise<readonly unknown[]>,
): Database {
  return {
    ...database,
    transact: (name, work, settings) =>
      database.transact(
        name,
        (tx) =>
          work({
            ...tx,
            ask: async (label, ...rest) => (await around(label, () => tx.ask(label, ...rest))) as never,
          }),
        settings,
      ),
  };
}

/**
 * What a pass has room for, and less of it, for a test to draw from.
 *
 * The files of a worker share the object, and the history that `openSealed` seals once: the room is restored
 * when this test ends, or that history is sealed in other parts than its tests expect.
 */
export function roomsOfPass(small: typeof roomOfPass): readonly (typeof roomOfPass)[] {
  const whole = { ...roomOfPass };
  onCleanup(async () => {
    Object.assign(roomOfPass, whole);
  });
  return [whole, small];
}

export function newSigner(name = 'custody.example/acme') {
  const key = makeSealKey(name);
  const signer = readSigner(key);
  const verifier = readVerifier(signer?.verifierKey ?? '');
  if (signer === null || verifier === null) throw new Error('a new key cannot be read');
  return { key, signer, verifier };
}

/** Records as the decoder reads them. */
function records<Record_>(
  resource: 'vaults' | 'whitelist',
  decoder: RecordDecoder<Record_>,
  wires: readonly object[],
): readonly ListItem<Record_>[] {
  const kind = resource === 'vaults' ? kinds.vault : kinds.entry;
  const find = (body: unknown, tolerance: Tolerance) => findDocuments(body, kind, null, tolerance);
  return decode(JSON.stringify({ [resource]: wires }), find, decoder).items ?? [];
}

const rules = { vaultsArray: null, vaultId: null, whitelistArray: null, whitelistId: null };
const members = { b: 1.5, a: [null, true], timestamp: 1 };

export function vaults(prefix: string, count = 10, name = 'Vault') {
  const wires = Array.from({ length: count }, (_, n) => ({
    vault_id: `${prefix}${n}`,
    name: `${name} ${n}`,
    ...members,
  }));
  return records('vaults', vaultDecoder(rules, 'warm'), wires);
}

function entries(prefix: string) {
  const wires = Array.from({ length: 10 }, (_, n) => ({
    id: `${prefix}${n}`,
    address: `0x${n}`,
    ...members,
  }));
  return records('whitelist', whitelistDecoder(rules), wires);
}

const held: readonly Tick['held'][] = [
  [['1', '2'], ['1'], ['2']],
  [['1', '2'], ['1'], ['2']],
  [['1', '2.0', '?'], ['1', '?'], []],
  [['1', '2.0'], ['1', '?'], []],
  [['1', '2.0'], ['1', '3'], ['4']],
];

interface Sealed {
  readonly keys: ReturnType<typeof newSigner>;
  readonly checkpoints: string;
}

/** @param given a migrated database; by default a new one @param sealed what the database holds already */
export async function openHistory(given?: TestDatabase, sealed?: Sealed): Promise<SealedHistory> {
  const store = await openStore(given);
  const keys = sealed?.keys ?? newSigner();
  const file = join(newFolder(), 'checkpoints');
  if (sealed !== undefined) writeFileSync(file, sealed.checkpoints);
  let lease: Lease = store.lease;
  let grown = sealed === undefined ? 0 : 1;
  return {
    ...keys,
    store,
    file,
    lease: () => lease,
    unguarded: (statements) =>
      store.query(`do $do$ begin set local session_replication_role = replica; ${statements}; end $do$`),
    async grow() {
      grown += 1;
      const run = await startRun(store.database, lease, { job: 'transactions', mode: 'full' });
      const own = { ...store, lease, run };
      const wires = Array.from({ length: 40 }, (_, n) => ({
        id: `${grown}-${n}-ü`,
        note: `note "${n}"`,
        extra: { n: 1.5 },
      }));
      const at = grown * 1_000;
      await commit(own, pageOf(wires, at));
      await commit(
        own,
        pageOf(
          wires.map((wire, n) =>
            n % 2 === 0 ? { ...wire, status: 'completed' } : { ...wire, amount: '2.50' },
          ),
          at + 10,
        ),
      );
      const observation = { beganAt: epoch + at, arrivedAt: epoch + at + 1 };
      const listing = { observation, listIsComplete: false, tally: noRequests };
      await commitVaults(store.database, lease, run, { ...listing, items: vaults(`vault${grown}-`) });
      await commitWhitelist(store.database, lease, run, { ...listing, items: entries(`entry${grown}-`) });
      const ticks = Array.from({ length: 20 }, (_, n) => ({
        afterMs: n === 0 ? grown * 48 * hour : hour,
        held: held[Math.floor(n / 4)] ?? [],
      }));
      ({ lease } = await observe(store, ticks));
    },
    async observe(ticks) {
      ({ lease } = await observe(store, ticks));
    },
    seal: ({ atOnce = 100, signer = keys.signer, earlier = [], file: into = file } = {}) =>
      sealHistory({
        database: store.database,
        lease,
        signer,
        earlier,
        checkpointsFile: into,
        logger: silentLogger,
        signal: new AbortController().signal,
        atOnce,
      }),
    verify: (from = file, verifiers = [keys.verifier]) =>
      verifyHistory({
        database: store.database,
        account,
        verifiers,
        checkpointsFile: from,
        signal: new AbortController().signal,
      }),
  };
}

const shared = `sealed_${randomBytes(5).toString('hex')}`;
let sealedOnce: Sealed | undefined;

/**
 * A history that is sealed, and what a superuser does to it with the triggers off: a copy of one that is made
 * once, since that takes a second and a half of processor.
 */
export async function openSealed(): Promise<SealedHistory> {
  const copy = await copyOfShared(shared, async () => {
    const { grow, seal, store, file, key, signer, verifier } = await openHistory();
    await grow();
    await seal();
    sealedOnce = { keys: { key, signer, verifier }, checkpoints: readFileSync(file, 'utf8') };
    return store;
  });
  return await openHistory(copy, sealedOnce);
}
