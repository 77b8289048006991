// Histories as the mirror writes them, drawn at random, are accused of nothing: sealed or not, in part or
// whole. HONEST_SEED draws the same ones again.
import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roomOfPass } from '../../src/seal/reading.ts';
import { commitVaults } from '../../src/store/commit/documents/commit-documents.ts';
import { markMissingTransactions } from '../../src/store/commit/mark-missing.ts';
import { startRun } from '../../src/store/run/runs.ts';
import { sized } from '../support/form.ts';
import { epoch, noRequests, page, pageOf, undecodable } from '../support/store.ts';
import { commit } from '../support/transaction-commits.ts';
import { hour, type Tick } from './observed-ticks.ts';
import { createRandom } from './random-changes.ts';
import { openHistory, roomsOfPass, type SealedHistory, vaults } from './sealed-history.ts';

const seed = sized({ short: Date.now() % 1_000_000, long: Date.now() % 1_000_000 }, 'HONEST_SEED');
const histories = sized({ short: 1, long: 60 }, 'HONEST_HISTORIES');

type Random = ReturnType<typeof createRandom>;
const statuses = ['pending', 'processing', 'completed', 'failed'];
const amounts = ['0', '1', '1.0', '2.50', '?'];

function balancesAt(random: Random): Tick['held'] {
  const held = () => Array.from({ length: random.below(4) }, () => random.pick(amounts));
  return [held(), random.below(4) === 0 ? null : held(), held()];
}

/** Some observations, of which some are late, and some cannot be read. */
async function live(history: SealedHistory, random: Random, hours: number): Promise<void> {
  const { store } = history;
  const lease = history.lease();
  const run = await startRun(store.database, lease, { job: 'transactions', mode: 'full' });
  const own = { ...store, lease, run };
  const ids = ['a', 'b', 'c', 'd', 'ü', 'q'];
  for (let n = 0, at = hours * 1_000; n < 3 + random.below(4); n += 1, at += 100) {
    const began = random.below(5) === 0 ? at - 150 : at;
    const some = ids.filter(() => random.below(2) === 0);
    const wires = some.map((id) => ({
      id,
      status: random.pick(statuses),
      amount: random.pick(['1.50', '1.5', '', '7']),
      note: random.pick(['', 'late', 'ü']),
      ...(random.below(3) === 0 ? { timestamp: '2026-01-01T00:00:00.1234565+05:30' } : {}),
    }));
    const listIsComplete = random.below(2) === 0;
    const observation = { beganAt: epoch + at, arrivedAt: epoch + at + 1 };
    switch (random.below(6)) {
      case 0:
        await commit(
          own,
          page(
            some.map((id) => undecodable(id)),
            began,
          ),
        );
        break;
      case 1:
        await markMissingTransactions(store.database, lease, run, {
          ...{ ids: some, asked: epoch + began, missingSince: epoch + began },
        });
        break;
      case 2: {
        const items = vaults('vault', random.below(4), random.pick(['Vault', 'Other']));
        await commitVaults(store.database, lease, run, {
          observation,
          listIsComplete,
          tally: noRequests,
          items,
        });
        break;
      }
      default:
        await commit(own, pageOf(wires, began), ...(n % 2 === 0 ? [] : [pageOf(wires.slice(1), began + 20)]));
    }
  }
  await history.observe([
    { afterMs: hours * hour, held: balancesAt(random) },
    { afterMs: hour / 2, held: balancesAt(random) },
  ]);
}

test(`${histories} honest histories are accused of nothing (HONEST_SEED=${seed})`, async () => {
  // All at once, or in many passes.
  const rooms = roomsOfPass({ leaves: 7, intervals: 2, keys: 3 });
  const history = await openHistory();
  const random = createRandom(seed);
  for (let nth = 0, hours = 1; nth < histories; nth += 1) {
    await history.unguarded(`truncate custody.transactions, custody.transaction_status_history, custody.transaction_revisions,
      custody.vaults, custody.whitelist_entries, custody.document_revisions, custody.balances, custody.unreadable_balances,
      custody.balance_snapshots, sync.quarantine, sync.anomalies, internal.seal_tiles, sync.seal_checkpoints`);
    writeFileSync(history.file, '');
    for (let part = 0; part < 2 + random.below(3); part += 1, hours += 1) {
      await live(history, random, hours);
      const atOnce = 1 + random.below(30);
      if (part === 0 || random.below(3) > 0) await history.seal({ atOnce });
      Object.assign(roomOfPass, random.pick(rooms));
      const verdict = await history.verify(random.below(2) === 0 ? history.file : null);
      expect(verdict.finding, `history ${nth}, part ${part}`).toBeNull();
    }
    const altered = await history.store.query(`select details from sync.anomalies where kind = 'altered'`);
    expect(altered, `history ${nth}`).toEqual([]);
  }
}, 3_600_000);
