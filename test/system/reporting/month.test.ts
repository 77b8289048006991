// A whole month in which everything is unknown at some time: at each moment every view, function, panel,
// query of the documents, the status, the page and every alert is asked. None states what was not observed,
// and each states what was.
import { expect, test } from 'vitest';
import { differences, none } from '../../support/differences.ts';
import { sampled } from '../../support/form.ts';
import { check, expectComplete, order } from './month/answers.ts';
import { documents } from './month/documents.ts';
import { operationPanels } from './month/operation-panels.ts';
import { portfolioPanels } from './month/portfolio-panels.ts';
import { alertRules, documentQueries, panelQueries, relationsOf, statusOf } from './month/questions.ts';
import { functions, relations } from './month/relations.ts';
import { alerts, checkEmpty, checkTold, firing } from './month/told.ts';
import { transactionPanels } from './month/transaction-panels.ts';
import { asKnownAt, ledger, ledgerAt } from './month/views.ts';
import { type Moment, type Month, moments, playMonth, underWay } from './month/world.ts';
import { readAt, readView, type ViewRow } from './views.ts';
import { type Micros, micros } from './zones.ts';

const panels = { ...operationPanels, ...portfolioPanels, ...transactionPanels };
/** Asked through the operations of the read API, with their arguments: test/api. */
const askedByApi = [
  'balance_series()',
  'balance_split()',
  'balance_values_held()',
  'balances_held()',
  'currencies_priced()',
  'destination_use_totals()',
  'destinations_daily',
  'fee_totals()',
  'portfolio_value_held()',
  'postings_of_days()',
  'postings_of_transaction()',
  'reconciliation_of_span()',
  'snapshot_held()',
];
/** Computed from the ledger: how many of the days and assets that can be compared are explained. */
const explained = 'Operations: Balances explained';

/** The last of them is the end. */
const asked = sampled(order, { every: 6, from: 1 });

test('a month in which everything is unknown at some time', { timeout: 300_000 }, async () => {
  const answered = new Map<string, ViewRow[]>();
  await playMonth(async (moment, month) => {
    if (moment === 'unread') await expectAllAsked(month);
    if (!asked.includes(moment)) return;
    for (const [view, expected] of Object.entries(ledger)) {
      const rows = await readOwn(month, view);
      answered.set(`${view} ${moment}`, rows);
      expect.soft(differences(rows, expected(month.own, at(moment))), `${view}, at: ${moment}`).toEqual(none);
    }
    answered.set(`portfolio_value_daily ${moment}`, await readOwn(month, 'portfolio_value_daily'));
    await askRelations(moment, month);
    await askPanels(moment, month);
    await askDocuments(moment, month);
    await askStatus(moment, month);
    await askPast(moment, month, answered);
    if (moment === 'end') await askWhileUnderWay(month);
  });
});

/** The figures of cold vaults are of before or of after: nobody knows, and both observations are named. */
async function askWhileUnderWay({ own, clock }: Month): Promise<void> {
  const rows = await readAt(
    { ...own.mirror, query: clock.ask as never },
    'balances_at',
    own.account,
    underWay,
  );
  expect(differences(rows, ledgerAt.balances_at(own, micros(underWay)))).toEqual(none);
  const btc = (type: string) => rows.find((row) => row['asset_id'] === 'BTC' && row['vault_type'] === type);
  expect(btc('all')).toMatchObject({ total_balance: '18.5', is_known: true });
  expect(btc('cold')).toMatchObject({ total_balance: null, is_known: false });
}

const at = (moment: Moment): Micros => micros(moments[moment]);

async function readOwn({ own, clock }: Month, view: string): Promise<ViewRow[]> {
  return (await readView({ ...own.mirror, query: clock.ask as never }, view, own.account)).rows;
}

async function expectAllAsked({ own, clock }: Month): Promise<void> {
  const names = [...Object.keys(ledgerAt), ...Object.keys(asKnownAt)].map((name) => `${name}()`);
  expectComplete(await relationsOf(own.mirror), {
    ...ledger,
    ...relations,
    ...functions,
    ...Object.fromEntries(askedByApi.map((name) => [name, name])),
    ...Object.fromEntries(names.map((name) => [name, name])),
  });
  expectComplete(panelQueries('default', moments.end).keys(), { ...panels, [explained]: null });
  expectComplete(documentQueries().keys(), documents);
  expectComplete(
    alertRules().map(({ alert }) => alert),
    alerts,
  );
  // Where nobody reads the status, that is an alert.
  const { metrics } = await statusOf(clock, 'default');
  const old = alertRules().find(({ alert }) => alert === 'CustodyMirrorStatusOld');
  expect(old && firing(old, '', 0)).toBe(true);
  expect(old && firing(old, metrics, Date.parse(moments.unread) / 1000 + 301)).toBe(true);
}

async function askRelations(moment: Moment, { clock }: Month): Promise<void> {
  for (const [name, entry] of Object.entries(relations)) {
    const where = name === 'accounting_rules' ? '' : `where account_id = 'default'`;
    check(`view ${name}`, entry, moment, await clock.ask(`select * from reporting.${name} ${where}`));
  }
  for (const [name, { sql, answer }] of Object.entries(functions))
    check(`function ${name}`, answer, moment, await clock.ask(sql));
}

async function askPanels(moment: Moment, { own, clock }: Month): Promise<void> {
  for (const [name, sql] of panelQueries('default', moments[moment])) {
    const rows = await clock.ask(sql);
    const entry = panels[name];
    if (entry !== undefined) check(`panel ${name}`, entry, moment, rows);
    else {
      const days = (ledger['reconciliation_daily']?.(own, at(moment)) ?? []).filter(
        (row) => row['is_comparable'] === true,
      );
      const share =
        days.length === 0 ? null : days.filter((row) => row['is_explained'] === true).length / days.length;
      check(`panel ${name}`, { each: order.map(() => share) }, moment, rows);
    }
  }
  for (const [name, sql] of panelQueries('empty', moments[moment]))
    if (name in ofNothing)
      check(`panel ${name} of nothing`, { each: ofNothing[name] ?? [] }, moment, await clock.ask(sql));
}

const known = (first: number, figure: unknown) => order.map((_, place) => (place < first ? null : figure));
/** An account that holds nothing says so when several readings showed it. */
const ofNothing: Readonly<Record<string, readonly unknown[]>> = {
  'Transactions: Open': known(2, 0),
  'Transactions: Settled': known(2, 0),
  'Portfolio: Assets without a price': known(2, 0),
  'Portfolio: Unknown balances': known(2, 0),
  'Portfolio: Value': known(order.length, 0),
};

async function askDocuments(moment: Moment, { clock }: Month): Promise<void> {
  for (const [name, sql] of documentQueries()) {
    const entry = documents[name];
    if (entry === undefined) throw new Error(`docs/sql.md ${name} has no entry`);
    check(`docs/sql.md ${name}`, entry, moment, await clock.ask(sql));
  }
}

async function askStatus(moment: Moment, { clock }: Month): Promise<void> {
  const told = await statusOf(clock, 'default');
  checkTold(moment, told);
  checkEmpty(moment, await statusOf(clock, 'empty'));
  for (const rule of alertRules()) {
    const wanted = alerts[rule.alert];
    const isFiring = firing(rule, told.metrics, Date.parse(moments[moment]) / 1000);
    expect
      .soft(isFiring, `${rule.alert}, at: ${moment}`)
      .toBe(wanted === 'process' ? null : wanted?.includes(moment));
  }
}

/** What was known at each moment before can still be asked. */
async function askPast(
  now: Moment,
  { own, clock }: Month,
  answered: ReadonlyMap<string, ViewRow[]>,
): Promise<void> {
  const mirror = { ...own.mirror, query: clock.ask as never };
  const past = asked.slice(0, asked.indexOf(now) + 1).toReversed();
  for (const moment of sampled(past, { every: 6 })) {
    for (const name of ['balances_at', 'transactions_at'] as const) {
      const rows = await readAt(mirror, name, own.account, moments[moment]);
      expect
        .soft(differences(rows, ledgerAt[name](own, at(moment))), `${name}(${moment}), at: ${now}`)
        .toEqual(none);
    }
    for (const [name, view] of Object.entries(asKnownAt)) {
      const rows = await readAt(mirror, name as never, own.account, moments[moment]);
      expect
        .soft(differences(rows, answered.get(`${view} ${moment}`) ?? []), `${name}(${moment}), at: ${now}`)
        .toEqual(none);
    }
  }
}
