// An account whose erasing has begun and not ended: what is left of it would look like a whole account.
import { expect, test } from 'vitest';
import { resources } from '../../src/domain/jobs.ts';
import { readFigure } from '../../src/store/job-queries/account-figures.ts';
import { readAllStatus, readStatus } from '../../src/store/job-queries/status.ts';
import { quarantine } from '../../src/store/read-api/findings.ts';
import { streamCsv } from '../../src/store/read-api/list/stream-csv.ts';
import { bindAccount } from '../../src/store/run/accounts.ts';
import { eraseAccount } from '../../src/store/upkeep/erase.ts';
import { runCycle } from '../../src/sync/jobs/runners.ts';
import { openMirror } from '../support/mirror.ts';
import { startSite } from '../support/site.ts';
import { account, lease, open, openStore } from '../support/store.ts';
import { waitFor } from '../support/wait-for.ts';
import { routes, startApi } from './documented-api.ts';

test('nothing of a half-erased account is shown, and each answer is that of the erased one', async () => {
  const mirror = await openMirror({ transactions: 20 });
  const { context, query } = mirror;
  await runCycle(context, resources, {});
  await bindAccount(context.database, {
    account: 'other',
    baseUrl: 'https://other.example',
    timeZone: 'UTC',
  });
  const { get, json } = await startApi(mirror.url, { of: 'default' });
  const [row] = await query<Record<string, string>>(
    `select t.transaction_id, v.vault_id, w.entry_id, t.asset_id, to_json(s.snapshot_at) #>> '{}' as snapshot_at
     from custody.transactions t, custody.vaults v, custody.whitelist_entries w, custody.balance_snapshots s limit 1`,
  );
  const ids = row ?? {};
  const paths = [
    ...routes
      .filter(({ path }) => !path.startsWith('/v1/accounts'))
      .map(
        ({ path }) => `/api${path.replace(/\{(\w+)\}/, (_, name) => encodeURIComponent(ids[name] ?? name))}`,
      ),
    ...['transactions', `transactions/${ids['transaction_id']}`, 'balances', 'balances/warm', 'vaults'].map(
      (path) => `/custody/${path}`,
    ),
    `/custody/vaults/${ids['vault_id']}`,
    '/custody/whitelist',
    '/custody/whitelist?status=approved',
  ];
  const answers = async () => {
    const all: Record<string, string> = {};
    for (const path of paths) {
      const answer = await get(path);
      const text = await answer.text();
      all[path] = `${answer.status} ${/"(?:code|error_code)":"([a-zA-Z][^"]+)"/.exec(text)?.[1] ?? ''}`;
    }
    return all;
  };
  const accounts = async () => (await json('/api/v1/accounts')).data.map((one) => one['account_id']);
  const whole = await answers();
  expect(Object.entries(whole).filter(([, answer]) => answer !== '200 ')).toEqual([]);
  expect(await accounts()).toEqual(['default', 'other']);

  await query(
    `create function public.fail() returns trigger language plpgsql as 'begin raise exception $q$interrupted$q$; end';
     create trigger fail before delete on custody.transactions for each row execute function public.fail()`,
  );
  const parts = { signal: new AbortController().signal };
  await expect(eraseAccount(context.database, context.lease, 'host', parts)).rejects.toThrow('interrupted');
  expect(await query('select count(*)::int as left from custody.transactions')).toEqual([{ left: 20 }]);
  const half = await answers();
  const shown = Object.entries(half).filter(
    ([, answer]) => !/^(?:404 account-not-found|400 (?:BAL|TXN|VAL|WHT)-\d\d)$/.test(answer),
  );
  expect(shown).toEqual([]);
  expect(await accounts()).toEqual(['other']);

  await query('drop trigger fail on custody.transactions');
  await eraseAccount(
    context.database,
    await lease(context.database, 'again', 600_000, 'default'),
    'host',
    parts,
  );
  expect(await answers()).toEqual(half);
});

test('the list of accounts shows the others while one that is named null is half erased', async () => {
  const store = await openStore();
  await bindAccount(store.database, { account: 'null', baseUrl: 'https://null.example', timeZone: 'UTC' });
  await store.query(
    "insert into internal.erasures (account_id, started_at, erased_by) values ('null', now(), 'x')",
  );
  const { json } = await startApi(store.url);
  expect((await json('/api/v1/accounts')).data).toMatchObject([{ account_id: account }]);
});

test('who waits for changes, or has a place from before the erasing, is told that the account is not there', async () => {
  const store = await openStore();
  const changes = () =>
    store.query(
      `insert into custody.document_revisions (account_id, kind, document_id, revision, observed_at, change, document, run_id)
       values ($1, 'vault', gen_random_uuid()::text, 1, now(), 'added', '{}', $2)`,
      [account, store.run.runId],
    );
  await changes();
  await changes();
  const api = await startApi(store.url);
  const { history, last_change_id: last, next_after: next } = await api.json('/api/v1/changes?limit=1');
  const waiting = api.get(`/api/v1/changes?after=${last}&history=${history}&wait=30`);
  await waitFor(() => api.waiting() === 1, { what: 'the reader to wait' });
  await store.query(
    "insert into internal.erasures (account_id, started_at, erased_by) values ($1, now(), 'x')",
    [account],
  );
  // A row that is written before the first part goes.
  await changes();
  const answers = [
    await waiting,
    await api.get(`/api/v1/changes?after=${next}&history=${history}`),
    await api.get(`/api/v1/changes?after=${last}&history=${history}&wait=1`),
  ];
  for (const answer of answers)
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: 'account-not-found' }]);
});

test('a CSV that is read when the erasing begins is whole', async () => {
  const store = await openStore();
  await store.query(
    `insert into sync.quarantine (account_id, resource, record_key, reason, raw, run_id, first_observed_at, last_observed_at)
     select $1, 'vaults', i::text, 'unreadable', i, $2, now(), now() from generate_series(1, 5000) as i`,
    [account, store.run.runId],
  );
  const selection = { account, at: null, filters: {}, order: 'quarantine_id' };
  const signal = new AbortController().signal;
  let text = '';
  const write = async (part: string) => {
    if (text === '') await eraseAccount(store.database, store.lease, 'host', { signal });
    text += part;
  };
  const reader = open(store.url);
  await streamCsv(reader, quarantine, selection, { write, signal });
  expect(text.split('\r\n')).toHaveLength(5_002);
});

test('pages, status and figures show an account that is half erased as such, and metrics of all leave it out', async () => {
  const store = await openStore();
  await bindAccount(store.database, { account: 'other', baseUrl: 'https://other.example', timeZone: 'UTC' });
  await store.query(
    `insert into custody.transactions (account_id, transaction_id, status, transaction_type, first_seen_at, status_changed_at,
       changed_at, content_hash, raw) values ($1, 'a', 'pending', 'deposit', now(), now(), now(), 'x', '{}')`,
    [account],
  );
  const figure = () =>
    readFigure(store.database, { name: 'openSince', account, signal: new AbortController().signal });
  expect(await figure()).toHaveLength(1);
  await store.query(
    "insert into internal.erasures (account_id, started_at, erased_by) values ($1, now(), 'x')",
    [account],
  );
  expect(await figure()).toEqual([]);
  expect((await readAllStatus(store.database)).map((report) => report.account)).toEqual(['other']);
  const [problem, ...rest] = (await readStatus(store.database, account)).problems;
  expect([problem, rest]).toMatchObject([
    { problem: `The account ${account} is half erased, and not mirrored` },
    [],
  ]);
  const other = await startSite(store.url, { of: 'other' });
  const shown = (await other.page(`/transactions?account=${account}`)).text;
  expect(shown).toContain('No account of this name is mirrored here');
  const own = await startSite(store.url);
  expect((await own.page('/')).text).not.toContain('pending');
});
