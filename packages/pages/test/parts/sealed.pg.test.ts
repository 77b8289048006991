// Where the pages and the API tell in which checkpoint of the sealed history something is.
import { beforeAll, expect, test } from 'vitest';
import { saveVerification } from '../../../../src/store/run/verifications.ts';
import { openHistory, type SealedHistory } from '../../../../test/seal/sealed-history.ts';
import { openReading } from '../../../../test/support/api-source.ts';
import { longTest } from '../../../../test/support/form.ts';
import { type RunningServer, startServer } from '../../../../test/support/running-server.ts';
import { account } from '../../../../test/support/store.ts';
import { seePage } from '../read-page.ts';

let history: SealedHistory;
let server: RunningServer;

beforeAll(async () => {
  history = await openHistory();
  server = await startServer({ reading: openReading(history.store.url), account });
});

/** What the pages say of a tick, as a whole and of its warm vaults, and of a transaction of its time. */
async function told(at: string, transaction: string) {
  const read = async (path: string, sentence: RegExp) =>
    sentence.exec((await seePage(server, path)).text)?.[1];
  const lastRead = /As last read at \S+ \S+, 30 min before that moment(.*?)\./;
  const half = new Date(Date.parse(at) + 1_800_000).toISOString();
  return {
    all: await read(`/balances?at=${half}`, lastRead),
    warm: await read(`/balances?at=${half}&vault_type=warm`, lastRead),
    transaction: await read(
      `/transactions/${encodeURIComponent(transaction)}`,
      /Last changed .*? ago\)(.*?) Balances /,
    ),
  };
}

async function lastTick(): Promise<string> {
  const [row] = await history.store.query<{ at: Date }>(
    'select max(snapshot_at) as at from custody.balance_snapshots',
  );
  return row?.at.toISOString() ?? '';
}

/** The last checkpoint, as a page names it. */
async function lastCheckpoint(): Promise<string> {
  const [row] = await history.store.query<{ words: string }>(
    `select format('sealed in checkpoint %s of %s', tree_size, to_char(signed_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')) as words
     from sync.seal_checkpoints order by tree_size desc limit 1`,
  );
  return row?.words ?? '';
}

async function tickOf(at: string) {
  const answer = await server.get(`/api/v1/snapshots/${encodeURIComponent(at)}`);
  const body = (await answer.json()) as { data: { snapshots: readonly { vault_type: string }[] } };
  return [answer.status, body] as const;
}

longTest(
  'a tick and a transaction show their checkpoint, or that they are not yet sealed; nothing without a log',
  async () => {
    await history.grow();
    const first = await lastTick();
    expect(await told(first, '1-0-ü')).toEqual({ all: '', warm: '', transaction: '' });
    expect(await tickOf(first)).toMatchObject([200, { data: { sealed: null } }]);
    await history.seal();
    const sealed = await lastCheckpoint();
    const asSealed = {
      all: `, ${sealed}`,
      warm: `, ${sealed}`,
      transaction: expect.stringMatching(/^ History sealed in checkpoint \d+ of /),
    };
    expect(await told(first, '1-0-ü')).toEqual(asSealed);
    await history.grow();
    const next = await lastTick();
    const notYet = {
      all: ', not yet sealed',
      warm: ', not yet sealed',
      transaction: ' History not yet sealed',
    };
    expect(await told(next, '2-0-ü')).toEqual(notYet);
    expect(await tickOf(next)).toMatchObject([
      200,
      { data: { sealed: { checkpoint: null, signed_at: null, verified_at: null, is_altered: false } } },
    ]);
    expect(await told(first, '1-0-ü')).toEqual(asSealed);
    const verified = { treeSize: 1, finding: null };
    for (const [finding, words] of [
      [null, 'verified'],
      ['a row', 'altered'],
    ] as const) {
      await saveVerification(history.store.database, history.lease(), { ...verified, finding });
      const { transaction } = await told(first, '1-0-ü');
      expect(transaction).toMatch(new RegExp(`; the history was ${words}, found \\S+ \\S+`));
      const page = await seePage(server, `/transactions/${encodeURIComponent('1-0-ü')}`);
      expect(page.html).toContain('/sync#sealed');
    }
    await history.store.query('delete from sync.seal_verifications');
  },
);

test('a tick is sealed when each of its observations is', async () => {
  await history.grow();
  await history.seal();
  const at = await lastTick();
  // As if a checkpoint had been signed after the first of them.
  await history.store.query(
    `with tick as (select change_id from custody.balance_snapshots where snapshot_at = $1)
     update sync.seal_checkpoints set last_change_id = (select min(change_id) from tick)
     where last_change_id = (select max(change_id) from tick)`,
    [at],
  );
  expect((await told(at, '3-0-ü')).all).toBe(', not yet sealed');
  const [, { data }] = await tickOf(at);
  expect(data.snapshots.map(({ vault_type }) => vault_type)).toEqual(['warm', 'cold', 'all']);
  expect((await tickOf('2020-01-01T00:00:00Z'))[0]).toBe(404);
});
