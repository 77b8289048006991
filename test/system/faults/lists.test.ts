// Lists of transactions that misbehave: each is read in bounded requests and ends with the right verdict, the
// mirror holds what could be read, and the history stays honest.
import { expect, test } from 'vitest';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { sampled, sized } from '../../support/form.ts';
import { unfilteredRequests } from '../../support/sandbox.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { chronicleOf, expectHonestHistory } from './history.ts';
import { type Cell, openRig } from './rig.ts';

const rig = await openRig();
const length = 60;

interface Misbehaving {
  readonly name: string;
  readonly sandbox?: SandboxOptions;
  /** Makes the list misbehave, once it was mirrored as it should be. */
  readonly spoil?: (cell: Cell) => void;
  /** Bends the requested limit on the way. */
  readonly limit?: (asked: number, request: number) => number;
  /** Left out where both may be right. */
  readonly verified?: boolean;
  /** A word of the doubt. */
  readonly doubt?: RegExp;
  readonly requests: number;
  /** Whether one sweep must have met everything. */
  readonly whole: boolean;
}

const cases: readonly Misbehaving[] = [
  {
    name: 'offset is ignored',
    spoil: ({ sandbox }) => sandbox.faults.set('repeatpage@transactions/offset=1'),
    verified: false,
    doubt: /offset-ignored/,
    requests: 20,
    whole: false,
  },
  {
    name: 'limit is ignored, and pages are longer',
    sandbox: { defaultLimit: { transactions: 25 } },
    spoil: ({ sandbox }) => sandbox.faults.set('limitignored@transactions=1'),
    verified: true,
    requests: 25,
    whole: true,
  },
  {
    name: 'limit is ignored, and everything comes at once',
    spoil: ({ sandbox }) => sandbox.faults.set('limitignored@transactions=1'),
    verified: true,
    requests: 20,
    whole: true,
  },
  { name: 'limit is clamped', sandbox: { maxLimit: 7 }, verified: true, requests: 40, whole: true },
  { name: 'limit is clamped to 2', sandbox: { maxLimit: 2 }, verified: true, requests: 250, whole: true },
  {
    name: 'limit is clamped otherwise with each request',
    limit: (asked, request) => Math.min(asked, 5 + ((request * 7) % 8)),
    verified: true,
    requests: 200,
    whole: true,
  },
  {
    name: 'limit is refused with ERR-00',
    sandbox: { refuseLimitAbove: 5 },
    verified: true,
    requests: 60,
    whole: true,
  },
  {
    name: 'every limit is refused with ERR-00',
    sandbox: { refuseLimitAbove: 1 },
    verified: false,
    requests: 400,
    whole: true,
  },
  {
    name: 'pages are repeated now and then',
    spoil: ({ sandbox }) => sandbox.faults.set('repeatpage@transactions=0.3'),
    requests: 200,
    whole: false,
  },
  {
    name: 'the order is shuffled at each request',
    sandbox: { order: 'shuffled' },
    verified: false,
    doubt: /order-(un)?settled/,
    requests: 200,
    whole: false,
  },
];

test.each(sampled(cases, { every: 4 }))(
  'when $name, requests are bounded and nothing is claimed that was not read',
  async (misbehaving) => {
    const { name, sandbox: options, spoil, limit, verified, doubt, whole } = misbehaving;
    const { account, cell } = await open(name, options, limit);
    try {
      const chronicle = chronicleOf(cell.sandbox);
      if (spoil !== undefined) {
        expect(await syncTransactions(cell.context, { full: true })).toMatchObject({ verified: true });
        for (let added = 0; added < 3; added += 1) cell.sandbox.world.insertTransaction('tail');
        chronicle.note();
        spoil(cell);
      }
      for (let sweep = 0; sweep < sized({ short: 2, long: 3 }); sweep += 1) {
        cell.sandbox.requests.reset();
        const outcome = await syncTransactions(cell.context, { full: true });
        expect(unfilteredRequests(cell.sandbox), 'requests').toBeLessThan(misbehaving.requests);
        expect(cell.sandbox.requests.total, 'with those under filters').toBeLessThan(
          misbehaving.requests + 180,
        );
        expect(outcome).toMatchObject({ status: 'succeeded', verified: verified ?? expect.any(Boolean) });
        if (doubt !== undefined) expect(outcome.doubts.join('; ')).toMatch(doubt);
        await expectHonestHistory(cell, chronicle);
        const found = (await mirrored(cell, account)).transactions;
        const wanted = truth(cell.sandbox).transactions;
        if (whole || outcome.verified) expect(found).toEqual(wanted);
        else expect(wanted).toEqual(expect.arrayContaining([...found]));
      }
      expect(await cell.query('select job from sync.positions where account_id = $1')).toEqual([]);
    } finally {
      await cell.close();
    }
  },
);

test.each([
  { where: 'on one page', apart: 1 },
  { where: 'on different pages', apart: 52 },
])('one id twice with different content, $where, does not change with every sweep', async ({ apart }) => {
  const { cell } = await open(`twice ${apart}`);
  try {
    const { world } = cell.sandbox;
    const inOrder = [...world.transactions()].reverse();
    const [id = '', other = ''] = [inOrder[5]?.transactionId, inOrder[5 + apart]?.transactionId];
    world.alterTransaction(other, { transactionId: id, note: 'the other one' });
    const changes = async () =>
      (
        await cell.query(
          `select revision::text from custody.transaction_revisions where account_id = $1
           union all select 's' || sequence from custody.transaction_status_history
           where account_id = $1 and sequence > 1`,
        )
      ).length;
    const anomalies = () =>
      cell.query(
        'select kind, resource_id from sync.anomalies where account_id = $1 and resolved_at is null',
      );
    for (let sweep = 0; sweep < 4; sweep += 1) await syncTransactions(cell.context, { full: true });
    const before = await changes();
    expect(before).toBeLessThanOrEqual(12);
    expect(await anomalies()).toEqual([
      { kind: apart === 1 ? 'duplicate-id' : 'conflicting-content', resource_id: id },
    ]);
    for (let sweep = 0; sweep < 4; sweep += 1)
      expect(await syncTransactions(cell.context, { full: true })).toMatchObject({ status: 'succeeded' });
    expect(await changes()).toBe(before);
    if (apart === 1) return;

    // When the list shows one of them alone again, it is believed again.
    world.alterTransaction(id, { transactionId: other });
    await syncTransactions(cell.context, { full: true });
    await syncTransactions(cell.context, { full: true });
    expect(await anomalies()).toEqual([]);
    world.alterTransaction(id, { note: 'believed again' });
    await syncTransactions(cell.context, { full: true });
    const [row] = await cell.query(
      'select note from custody.transactions where account_id = $1 and transaction_id = $2',
      [cell.account, id],
    );
    expect(row).toEqual({ note: 'believed again' });
  } finally {
    await cell.close();
  }
});

const ends = [
  { end: 'head', order: 'newest-first' },
  { end: 'tail', order: 'oldest-first' },
] as const;

test.each(sampled(ends, { every: 2, from: 1 }))(
  'a list that grows at its $end faster than it is read',
  async ({ end, order }) => {
    const { account, cell } = await open(`grows at its ${end}`, { order });
    try {
      const { sandbox, context } = cell;
      expect(await syncTransactions(context, { full: true })).toMatchObject({ verified: true });
      const chronicle = chronicleOf(sandbox);
      const most = 250;
      let grown = 0;
      sandbox.faults.add({
        kind: 'slow',
        // Strikes nothing: the rule is asked with every request, and that is when the list grows.
        when: ({ endpoint }) => {
          if (endpoint !== 'transactions' || grown > most * 12) return false;
          for (let added = 0; added < 12; added += 1, grown += 1)
            sandbox.world.insertTransaction('head', { status: 'completed' });
          return false;
        },
      });
      sandbox.requests.reset();
      const outcome = await syncTransactions(context, { full: true });
      expect(outcome.status).toBe('succeeded');
      expect(sandbox.requests.total).toBeLessThan(6 * most);
      sandbox.faults.clear();
      chronicle.note();
      await expectHonestHistory(cell, chronicle);
      expect(await syncTransactions(context, { full: true })).toMatchObject({ verified: true });
      expect((await mirrored(cell, account)).transactions).toEqual(truth(sandbox).transactions);
    } finally {
      await cell.close();
    }
  },
);

async function open(name: string, sandbox: SandboxOptions = {}, limit?: Misbehaving['limit']) {
  const account = `list-${name.replace(/[^a-z0-9]+/g, '-')}`;
  let requests = 0;
  const bend = (address: string | URL | Request, init?: RequestInit) => {
    const url = new URL(address instanceof Request ? address.url : address);
    requests += 1;
    const asked = Number(url.searchParams.get('limit'));
    if (limit !== undefined && asked > 0) url.searchParams.set('limit', String(limit(asked, requests)));
    return fetch(url, init);
  };
  const cell = await rig.open(account, {
    sandbox: { transactions: length, ...sandbox },
    client: { fetch: bend },
  });
  return { account, cell };
}
