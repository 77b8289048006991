// Whatever is committed: the totals are what the transactions come to, and reporting tells of each payment what the readings of the
// transactions and of the whitelist prove. The oracle walks through the readings and knows nothing of revisions, totals or ranges.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { WhitelistEntry } from '../../src/domain/document.ts';
import type { ListItem } from '../../src/domain/page.ts';
import type { Transaction } from '../../src/domain/transaction.ts';
import { commitWhitelist } from '../../src/store/commit/commit-documents.ts';
import { commitTransactionPages } from '../../src/store/commit/commit-transactions.ts';
import { markVanished } from '../../src/store/commit/mark-vanished.ts';
import { finishRun, startRun } from '../../src/store/run/runs.ts';
import {
  account,
  digest,
  epoch,
  item,
  noRequests,
  openStore,
  page,
  type Store,
  transaction,
} from './store.ts';

const forCommit = { tally: noRequests, position: null };

interface Wire {
  readonly id: string;
  readonly type: string;
  readonly status: string;
  readonly amount: string | null;
  readonly destination: {
    readonly type: string | null;
    readonly id: string | null;
    readonly address: string | null;
  };
  readonly asset: string;
}

interface Listed {
  readonly entry: string;
  readonly address: string | null;
  readonly asset: string | null;
}

type Step =
  | { readonly kind: 'page'; readonly records: readonly Wire[]; readonly verified: boolean }
  | { readonly kind: 'whitelist'; readonly listed: readonly Listed[]; readonly whole: boolean }
  | { readonly kind: 'vanished'; readonly id: string };

const hex = '0xAbCdEf0123456789abcdef0123456789ABCDEF01';
const destinations = [
  { type: 'whitelist', id: 'e1', address: 'one' },
  { type: 'whitelist', id: 'e2', address: null },
  { type: 'network', id: 'e1', address: 'ONE' },
  { type: 'network', id: '', address: '' },
  { type: 'network', id: '', address: hex },
  { type: null, id: null, address: "it's \\ both" },
] as const;

const ids = ['a', 'b', 'C', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const records = fc.uniqueArray(
  fc.record<Wire>({
    id: fc.constantFrom(...ids),
    type: fc.constantFrom('withdraw', 'withdraw', 'withdraw', 'deposit'),
    status: fc.constantFrom('pending', 'completed', 'completed', 'failed'),
    amount: fc.constantFrom('1.5', '1.5', '1.5', '20', null),
    destination: fc.oneof(
      { weight: 2, arbitrary: fc.constant(destinations[0]) },
      { weight: 3, arbitrary: fc.constantFrom(...destinations) },
    ),
    asset: fc.constantFrom('BTC', 'BTC', 'BTC', 'ETH'),
  }),
  { selector: (record) => record.id, minLength: 1, maxLength: 5 },
);
const listed = fc.uniqueArray(
  fc.record<Listed>({
    entry: fc.constantFrom('e1', 'e1', 'e2', 'e3'),
    address: fc.constantFrom('one', hex.toLowerCase(), hex, null),
    asset: fc.constantFrom('BTC', 'BTC', 'BTC', null, 'ETH'),
  }),
  { selector: (entry) => entry.entry, maxLength: 3 },
);
const later: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc
        .tuple(records, fc.constantFrom(true, true, false))
        .map(([found, verified]): Step => ({ kind: 'page', records: found, verified })),
    },
    {
      weight: 4,
      arbitrary: fc
        .tuple(listed, fc.constantFrom(true, true, false))
        .map(([found, whole]): Step => ({ kind: 'whitelist', listed: found, whole })),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ids).map((id): Step => ({ kind: 'vanished', id })) },
  ),
  { minLength: 6, maxLength: 24 },
);
/** Mostly with both lists read once before anything is paid, so that something is known. */
const steps = fc
  .tuple(listed, fc.constantFrom(true, true, false), later)
  .map(([first, begun, rest]): Step[] =>
    begun
      ? [
          { kind: 'whitelist', listed: first, whole: true },
          { kind: 'page', records: [], verified: true },
          ...rest,
        ]
      : rest,
  );

function recordOf(wire: Wire): Transaction {
  const { id, status, type, amount, destination, asset } = wire;
  const hash = digest(JSON.stringify(wire));
  const bare = transaction({ id, status, type, amount: amount ?? '0', extra: hash });
  return {
    ...bare,
    amount: amount === null ? null : bare.amount,
    assetId: asset,
    networkId: `${asset} network`,
    destinationType: destination.type,
    destinationId: destination.id,
    destinationAddress: destination.address,
    contentHash: hash,
  };
}

function entryOf({ entry, address, asset }: Listed): ListItem<WhitelistEntry> {
  const document = JSON.stringify({ entry, address, asset });
  const hash = digest(document);
  const unnamed = { name: null, networkId: null, fields: [] };
  return {
    kind: 'record',
    key: entry,
    hash,
    record: { ...unnamed, assetId: asset, entryId: entry, address, document, contentHash: hash },
  };
}

/** What each step takes, in milliseconds; its answer arrives in the middle. */
const takes = 10;

/** Plays a step as a run of its own, which lies at the moments that the test names and not where it ran. */
async function play(store: Store, step: Step, at: number): Promise<void> {
  const { database, lease } = store;
  const job = step.kind === 'whitelist' ? 'whitelist' : 'transactions';
  const run = await startRun(database, lease, { job, mode: 'full' });
  if (step.kind === 'page') {
    const items = step.records.map((wire) => item(recordOf(wire)));
    const arrivedAt = epoch + at + takes / 2;
    const pages = [{ ...page(items, at), beganAt: epoch + at, arrivedAt }];
    await commitTransactionPages(database, lease, run, { pages, ...forCommit });
  } else if (step.kind === 'whitelist') {
    await commitWhitelist(database, lease, run, {
      items: step.listed.map(entryOf),
      observation: { beganAt: epoch + at, arrivedAt: epoch + at + takes / 2 },
      listIsComplete: step.whole,
      tally: noRequests,
    });
  } else {
    const asked = epoch + at;
    await markVanished(database, lease, run, { ids: [step.id], asked, missingSince: asked });
  }
  const verified = step.kind === 'page' ? step.verified : step.kind === 'whitelist' && step.whole;
  await finishRun(database, lease, run, { status: 'succeeded', verified, verdict: null, tally: noRequests });
  await store.query(
    'update sync.runs set started_at = to_timestamp($2::float8), finished_at = to_timestamp($3::float8) where run_id = $1',
    [run.runId, (epoch + at) / 1000, (epoch + at + takes) / 1000],
  );
}

interface Reading {
  readonly began: number;
  readonly arrived: number;
  readonly whole: boolean;
  readonly listed: ReadonlyMap<string, Listed>;
}

/** A payment was made after `after`, or at any time before, and not after `at`. */
interface Payment {
  readonly after: number;
  readonly at: number;
}

const lower = (address: string | null) =>
  address !== null && /^0x/.test(address) ? address.toLowerCase() : address;

const perhaps = 'perhaps';

/** By which entries of a reading a payment may be allowed, and as what: the same entry as something else is not the same. */
function allowedBy(wire: Wire, { listed: entries }: Reading): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const { type, id, address } = wire.destination;
  for (const { entry, address: listedAddress, asset } of entries.values()) {
    if (asset !== null && asset !== wire.asset) continue;
    if (type === 'whitelist' && id === entry) found.set(`entry ${entry}`, `${asset}`);
    if (address && lower(address) === lower(listedAddress))
      found.set(`address ${entry}`, `${asset} ${lower(listedAddress)}`);
    // The same but for the case of letters, in a form of which nobody knows whether case counts.
    else if (address && address.toLowerCase() === listedAddress?.toLowerCase())
      found.set(`${perhaps} ${entry}`, `${asset} ${listedAddress}`);
  }
  return found;
}

/** True or false where the readings prove it for every moment at which the payment can have been made. */
function isAllowed(wire: Wire, { after, at }: Payment, readings: readonly Reading[]): boolean | null {
  const keys = new Set(readings.flatMap((reading) => [...allowedBy(wire, reading).keys()]));
  let possible = false;
  const certain: (readonly [from: number, to: number])[] = [];
  for (const key of keys) {
    const entry = key.slice(key.indexOf(' ') + 1);
    // A reading that was not whole and does not show the entry says nothing of it.
    const telling = readings.filter(({ whole, listed: entries }) => whole || entries.has(entry));
    for (const [first, reading] of telling.entries()) {
      const as = allowedBy(wire, reading).get(key);
      if (as === undefined) continue;
      let end = first;
      while (end < telling.length && allowedBy(wire, telling[end] ?? reading).get(key) === as) end += 1;
      const lastWhole = telling.slice(first, end).findLast(({ whole }) => whole);
      // Any reading that shows the entry changed, and still as this, shows it there.
      const run = telling.slice(first, end);
      const textOf = (one: Reading | undefined) => JSON.stringify(one?.listed.get(entry));
      const changed = run.filter((one, index) => index > 0 && textOf(one) !== textOf(run[index - 1]));
      const until = [...changed.map(({ arrived }) => arrived), lastWhole?.began ?? -1];
      if (!key.startsWith(perhaps)) certain.push([reading.arrived, Math.max(...until)]);
      const wholeBefore = readings.findLast(({ whole, began }) => whole && began < reading.began);
      const notBefore = wholeBefore?.began ?? Number.NEGATIVE_INFINITY;
      const notAfter = telling[end]?.arrived ?? Number.POSITIVE_INFINITY;
      if (at > notBefore && after < notAfter) possible = true;
    }
  }
  if (isCovered(certain, { after, at })) return true;
  const whole = readings.filter((reading) => reading.whole);
  const [begins, ends] = [whole[0]?.arrived ?? Number.POSITIVE_INFINITY, whole.at(-1)?.began ?? 0];
  return !possible && begins <= after && at <= ends ? false : null;
}

/** Whether at every moment of the payment one of the spans holds: one entry may take over from another. */
function isCovered(spans: readonly (readonly [from: number, to: number])[], { after, at }: Payment): boolean {
  let reached: number | null = null;
  for (const [from, to] of spans.filter(([start, end]) => start <= end).toSorted((a, b) => a[0] - b[0]))
    if (from <= Math.max(reached ?? after, after)) reached = Math.max(reached ?? from, to);
  return reached !== null && reached >= at;
}

interface Use {
  readonly wire: Wire;
  readonly payment: Payment;
  readonly missing: boolean;
}

/** What was read, step by step. */
function told(past: readonly Step[]) {
  const uses = new Map<string, Use>();
  const readings: Reading[] = [];
  let verifiedAt = Number.NEGATIVE_INFINITY;
  for (const [index, step] of past.entries()) {
    const [began, arrived] = [index * takes * 2, index * takes * 2 + takes / 2];
    if (step.kind === 'whitelist') {
      const entries = new Map(step.listed.map((one) => [one.entry, one]));
      readings.push({ began, arrived, whole: step.whole, listed: entries });
    } else if (step.kind === 'vanished') {
      const use = uses.get(step.id);
      if (use !== undefined) uses.set(step.id, { ...use, missing: true });
    } else {
      for (const wire of step.records) {
        const payment = uses.get(wire.id)?.payment ?? { after: verifiedAt, at: arrived };
        uses.set(wire.id, { wire, payment, missing: false });
      }
      if (step.verified) verifiedAt = began;
    }
  }
  const withdrawals = [...uses.values()].filter(({ wire }) => wire.type === 'withdraw');
  return { withdrawals, readings };
}

function expected(past: readonly Step[]) {
  const { withdrawals, readings } = told(past);
  const groups = new Map<string, Use[]>();
  for (const use of withdrawals) {
    const key = JSON.stringify([use.wire.destination, use.wire.asset]);
    groups.set(key, [...(groups.get(key) ?? []), use]);
  }
  const isRead = readings.some(({ whole }) => whole);
  const rows = [...groups.values()].map((group) => {
    const inOrder = group.toSorted((a, b) => a.payment.at - b.payment.at || (a.wire.id < b.wire.id ? -1 : 1));
    const [first, last] = [inOrder[0], inOrder.at(-1)];
    if (first === undefined || last === undefined) throw new Error('a group is never empty');
    const completed = group.filter(({ wire }) => wire.status === 'completed');
    const sum = completed.reduce((total, { wire }) => total + Number(wire.amount), 0);
    const then = group.map(({ wire, payment }) => isAllowed(wire, payment, readings));
    const { type, id, address } = first.wire.destination;
    return {
      account_id: account,
      destination_type: type,
      destination_id: id,
      destination_address: address,
      asset_id: first.wire.asset,
      network_id: `${first.wire.asset} network`,
      uses: String(group.length),
      completed_uses: String(completed.length),
      completed_amount: completed.some(({ wire }) => wire.amount === null) ? null : String(sum),
      missing_uses: String(group.filter(({ missing }) => missing).length),
      off_whitelist_uses: isRead ? String(then.filter((one) => one === false).length) : null,
      unknown_whitelist_uses: String(then.filter((one) => one === null).length),
      first_used_at: new Date(epoch + first.payment.at),
      first_transaction_id: first.wire.id,
      last_used_at: new Date(epoch + last.payment.at),
      last_transaction_id: last.wire.id,
      whitelisted_at_first_use: isAllowed(first.wire, first.payment, readings),
      whitelisted_now: nowListed(first.wire, readings, isRead),
    };
  });
  const single = withdrawals.map(({ wire, payment }) => ({
    transaction_id: wire.id,
    is_completed: wire.status === 'completed',
    is_whitelisted: isAllowed(wire, payment, readings),
  }));
  return { rows: sorted(rows), single: sorted(single) };
}

/** As each entry was shown last; one that the last whole reading does not show is gone. */
function nowListed(wire: Wire, readings: readonly Reading[], isRead: boolean): boolean | null {
  const lastWhole = readings.findLastIndex(({ whole }) => whole);
  const shownSince = readings.slice(Math.max(0, lastWhole)).map(({ listed: entries }) => [...entries]);
  const last: Reading = { began: 0, arrived: 0, whole: true, listed: new Map(shownSince.flat()) };
  const by = [...allowedBy(wire, last).keys()];
  if (by.some((key) => !key.startsWith(perhaps))) return true;
  return isRead && by.length === 0 ? false : null;
}

async function shown(store: Store) {
  const rows = await store.query(
    `select account_id, destination_type, destination_id, destination_address, asset_id, network_id, uses, completed_uses,
       completed_amount, missing_uses, off_whitelist_uses, unknown_whitelist_uses, first_used_at, first_transaction_id,
       last_used_at, last_transaction_id, whitelisted_at_first_use, whitelisted_now from reporting.destinations`,
  );
  const single = await store.query(
    'select transaction_id, is_completed, is_whitelisted from reporting.destination_uses',
  );
  return { rows: sorted(rows), single: sorted(single) };
}

/** Rows of the totals that are not what the transactions come to. */
const wrongTotals = (store: Store) =>
  store.query(
    `(select * from internal.destination_totals except all select * from internal.destination_sums)
     union all (select * from internal.destination_sums except all select * from internal.destination_totals)`,
  );

function sorted(rows: readonly object[]): object[] {
  return rows.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test('the views tell of each payment what the readings prove, and the totals agree', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (past) => {
      const store = await openStore();
      for (const [index, step] of past.entries()) {
        await play(store, step, index * takes * 2);
        expect(await wrongTotals(store)).toEqual([]);
      }
      expect(await shown(store)).toEqual(expected(past));
      const reasons = await store.query(
        `select transaction_id from reporting.destination_uses
         where (is_whitelisted is null) <> (whitelist_reason like 'unknown: %')
           or known_before_at > first_seen_after or known_after_at < first_seen_at
           or is_whitelisted and not (whitelisted_before and whitelisted_after)`,
      );
      expect(reasons).toEqual([]);
      await store.database.close();
      await store.drop();
    }),
    { numRuns: 20, endOnFailure: true },
  );
}, 240_000);

const paid: Wire = {
  id: 'a',
  type: 'withdraw',
  status: 'completed',
  amount: '1.5',
  destination: destinations[0],
  asset: 'BTC',
};

test('texts longer than an entry of an index neither break a commit nor the totals', async () => {
  const store = await openStore();
  const long = Array.from({ length: 2_000 }, (_, index) => digest(`${index}`)).join('');
  const destination = { type: long, id: `${long}'`, address: `${long}\\` };
  const past: Step[] = [
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
    { kind: 'page', records: [paid], verified: true },
    { kind: 'page', records: [{ ...paid, id: 'b', destination, asset: long }], verified: true },
    { kind: 'whitelist', listed: [{ entry: 'long', address: `${long}\\`, asset: null }], whole: true },
  ];
  for (const [index, step] of past.entries()) await play(store, step, index * takes * 2);
  expect(await shown(store)).toEqual(expected(past));
  expect(
    await store.query('select count(*)::int from reporting.destination_uses where is_whitelisted'),
  ).toEqual([{ count: 1 }]);
});
