// A history with rows of every kind, as commits write them, and what seals and verifies it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeSealKey, readSigner, readVerifier, type Signer, type Verifier } from '../../src/seal/note.ts';
import { sealHistory } from '../../src/seal/seal.ts';
import { verifyHistory } from '../../src/seal/verify.ts';
import type { Database } from '../../src/store/postgres/database.ts';
import type { Lease } from '../../src/store/run/leases.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { onCleanup } from '../support/cleanup.ts';
import { silentLogger } from '../support/loggers.ts';
import { account, openStore, pageOf, type Store } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { hour, observe, type Tick } from './observed-ticks.ts';

export interface SealedHistory {
  readonly store: Store;
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
  seal(options?: {
    readonly atOnce?: number;
    readonly signer?: Signer;
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

export function newSigner(name = 'custody.example/acme') {
  const signer = readSigner(makeSealKey(name));
  const verifier = readVerifier(signer?.verifierKey ?? '');
  if (signer === null || verifier === null) throw new Error('a new key cannot be read');
  return { signer, verifier };
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'seal-'));
  onCleanup(async () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const held: readonly Tick['held'][] = [
  [['1', '2'], ['1'], ['2']],
  [['1', '2'], ['1'], ['2']],
  [['1', '2.0', '?'], ['1', '?'], []],
  [['1', '2.0'], ['1', '?'], []],
  [['1', '2.0'], ['1', '3'], ['4']],
];

export async function openHistory(): Promise<SealedHistory> {
  const store = await openStore();
  const keys = newSigner();
  const file = join(newFolder(), 'checkpoints');
  let lease: Lease = store.lease;
  let grown = 0;
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
      await store.query(
        `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
         select $1, 'vault', $2 || n, 1, now(), 'added', jsonb_build_object('n', n, 'b', 1.50, 'a', array[null, true]), 1
         from generate_series(1, 20) n`,
        [account, `vault${grown}-`],
      );
      const ticks = Array.from({ length: 20 }, (_, n) => ({
        afterMs: n === 0 ? grown * 48 * hour : hour,
        held: held[Math.floor(n / 4)] ?? [],
      }));
      ({ lease } = await observe(store, ticks));
    },
    seal: ({ atOnce = 100, signer = keys.signer, file: into = file } = {}) =>
      sealHistory({
        database: store.database,
        lease,
        signer,
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

/** A history that is sealed, and what a superuser does to it with the triggers off. */
export async function openSealed() {
  const history = await openHistory();
  await history.grow();
  await history.seal();
  const unguarded = (statements: string) =>
    history.store.query(
      `do $do$ begin set local session_replication_role = replica; ${statements}; end $do$`,
    );
  return { ...history, unguarded };
}
