// What the alerts about an account advise, done while they fire: the page that the alert names is opened and
// shows what the reader needs, what the documents say is done, and the alert ends. Whether it fires is
// decided as in its rule, from what /metrics says.
import { expect, test } from 'vitest';
import { readFigure } from '../../../src/store/job-queries/account-figures.ts';
import { putBack } from '../../support/put-back.ts';
import { startSite } from '../../support/site.ts';
import { open } from '../../support/store.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { openOperator, ruleOf } from './operator.ts';

/** An account in which nothing is open, and somebody who watches it. */
async function openTreasury() {
  const operator = await openOperator();
  const { database, service } = operator;
  const { world } = service.sandbox;
  for (const { transactionId, status } of world.transactions())
    if (!['completed', 'rejected', 'cancelled', 'failed'].includes(status))
      world.alterTransaction(transactionId, { status: 'completed' });
  const clock = { ms: 0 };
  const reader = open(database.url, { readOnly: true });
  const { page, get } = await startSite(database.url, {
    of: 'default',
    monotonicMs: () => clock.ms,
    figures: { accounts: async () => ['default'], readFigure: (question) => readFigure(reader, question) },
  });
  const sync = async () => {
    const done = await operator.run('custody-mirror sync');
    expect(done, done.stderr).toMatchObject({ code: 0 });
  };
  await sync();
  await putBack(database, '5 minutes');
  await sync();
  return {
    ...operator,
    world,
    page,
    sync,
    async later(by: string) {
      await putBack(database, by);
      await sync();
    },
    async isFiring(alert: string): Promise<boolean> {
      clock.ms += 600_000;
      const { expr } = ruleOf(alert);
      const [, name = '', matcher = ''] = /(custody_mirror_\w+)(?:\{(.*?)\})?/.exec(expr) ?? [];
      const bound = Number(/ > (\d+)(?: |$)/.exec(expr)?.[1]);
      const [, label = '', not, wanted] = /^(\w+)(!?)="(.*)"$/.exec(matcher) ?? [];
      const isChosen = (labels: string) =>
        label === '' || labels.includes(`${label}="${wanted}"`) === (not === '');
      const text = await (await get('/metrics')).text();
      const values = [...text.matchAll(new RegExp(`^${name}\\{(.*)\\} (\\S+)$`, 'gm'))]
        .filter(([, labels = '']) => isChosen(labels))
        .map(([, , value]) => Number(value));
      return values.some((value) => (expr.startsWith('time()') ? Date.now() / 1000 - value : value) > bound);
    },
    /** The page that the alert names. */
    async shown(alert: string) {
      const text = ruleOf(alert).description.replace('{{ $labels.account | urlquery }}', 'default');
      const [path = ''] = /\/[a-z]\S*/.exec(text) ?? [];
      return await page(path);
    },
  };
}

type Treasury = Awaited<ReturnType<typeof openTreasury>>;

interface Case {
  readonly alert: string;
  /** @returns the address to which the page must lead */
  bring(treasury: Treasury): Promise<string>;
  remedy(treasury: Treasury): Promise<unknown>;
}

function addTransfer({ world }: Treasury, transactionType: 'deposit' | 'withdraw', status: string) {
  const [vault] = world.vaults('warm');
  const own = { Type: 'vault', Id: vault?.vaultId ?? '', Name: vault?.name ?? '', Address: 'own' };
  const other = { Type: 'external', Id: '', Name: '', Address: 'of-somebody' };
  const [from, to] = transactionType === 'deposit' ? [other, own] : [own, other];
  const end = (side: 'source' | 'destination', values: typeof own) =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [side + name, value]));
  world.insertTransaction('head', {
    transactionId: 'the-one',
    transactionType,
    status,
    assetId: 'USDC',
    assetName: 'USD Coin',
    networkId: 'ETH',
    networkName: 'Ethereum',
    amount: '3',
    fee: '',
    ...end('source', from),
    ...end('destination', to),
  });
}

const stuck = (alert: string, type: 'deposit' | 'withdraw'): Case => ({
  alert,
  async bring(treasury) {
    addTransfer(treasury, type, 'pending');
    await treasury.sync();
    await treasury.later('25 hours');
    return '/transactions/the-one';
  },
  // The custody service, asked with its identifier, goes on.
  remedy({ world, sync }) {
    world.alterTransaction('the-one', { status: 'completed' });
    return sync();
  },
});

/** In units of 10^-18. */
const fee = 10n ** 16n;

const cases: readonly Case[] = [
  stuck('CustodyMirrorWithdrawalStuck', 'withdraw'),
  stuck('CustodyMirrorTransactionStuck', 'deposit'),
  {
    alert: 'CustodyMirrorNonWhitelistedPayment',
    async bring(treasury) {
      addTransfer(treasury, 'withdraw', 'completed');
      await treasury.sync();
      await treasury.later('5 minutes');
      return '/transactions/the-one';
    },
    // Whoever approved it is found; it lasts for as long as the documents say.
    remedy: ({ later }) => later('8 days'),
  },
  {
    alert: 'CustodyMirrorUnexplainedDifference',
    async bring(treasury) {
      await treasury.later('24 hours');
      addTransfer(treasury, 'withdraw', 'completed');
      treasury.world.alterTransaction('the-one', { fee: '0.01' });
      // The service takes it from the asset of the network.
      treasury.world.adjustBalance('USDC', fee);
      treasury.world.adjustBalance('ETH', -fee);
      await treasury.sync();
      await treasury.later('24 hours');
      return '/reconciliation';
    },
    async remedy({ database }) {
      const [sql = ''] = blocksUnder('docs/operations.md, Alerts about an account', 'sql');
      await database.query(sql);
    },
  },
  {
    alert: 'CustodyMirrorValueMoved',
    async bring(treasury) {
      await treasury.database.query(
        `insert into custody.asset_prices (account_id, asset_id, currency, as_of, price) values ('default', 'USDC', 'USD', '2020-01-01', 1000000)`,
      );
      addTransfer(treasury, 'withdraw', 'pending');
      await treasury.sync();
      treasury.world.alterTransaction('the-one', { status: 'completed' });
      await treasury.sync();
      return '/transactions/the-one';
    },
    remedy: ({ later }) => later('61 minutes'),
  },
];

test.each(cases)(
  '$alert: its page leads to what is meant, and what helps ends it',
  async ({ alert, bring, remedy }) => {
    const treasury = await openTreasury();
    expect(await treasury.isFiring(alert)).toBe(false);
    const path = await bring(treasury);
    // A figure that cannot be read in time has no series.
    await waitFor(() => treasury.isFiring(alert), { what: 'the alert' });
    const list = await treasury.shown(alert);
    expect(list.status).toBe(200);
    const link = list.links.find((to) => to.startsWith(path));
    expect(link, list.links.join('\n')).toBeDefined();
    expect(await treasury.page(link ?? '')).toMatchObject({ status: 200 });
    await remedy(treasury);
    expect(await treasury.isFiring(alert)).toBe(false);
  },
  120_000,
);
