import { expect, test } from 'vitest';
import { mirrorVaults, mirrorWhitelist } from '../../../src/sync/jobs/documents.ts';
import { openMirror } from '../../support/mirror.ts';

const revisions = (kind: string) =>
  `select document_id, change from custody.document_revisions where kind = '${kind}' and change <> 'added' order by observed_at, document_id`;

test('vaults have their type from the list, and are read by id if that shows more', async () => {
  const mirror = await openMirror({ shape: { vaultRecord: 'thin' } });
  expect(await mirrorVaults(mirror.context)).toMatchObject({ status: 'succeeded', verified: true });
  const rows = await mirror.query<{ vault_id: string; vault_type: string; name: string; fields: number }>(
    'select vault_id, vault_type, name, (select count(*)::int from jsonb_object_keys(document)) as fields from custody.vaults order by 1',
  );
  const vaults = mirror.sandbox.world.vaults();
  expect(rows.map(({ vault_id, vault_type, name }) => ({ vault_id, vault_type, name }))).toEqual(
    vaults
      .map((vault) => ({ vault_id: vault.vaultId, vault_type: vault.vaultType, name: vault.name }))
      .sort((a, b) => (a.vault_id < b.vault_id ? -1 : 1)),
  );
  expect(Math.min(...rows.map((row) => row.fields))).toBeGreaterThan(3);
  expect(mirror.sandbox.requests.byEndpoint['vault']).toBe(vaults.length);
});

test('a vault is changed, removed and restored, each a revision', async () => {
  const mirror = await openMirror();
  const { world } = mirror.sandbox;
  await mirrorVaults(mirror.context);
  const [first, second] = world.vaults('warm');
  if (first === undefined || second === undefined) throw new Error('the sandbox has warm vaults');
  world.renameVault(first.vaultId, 'Renamed');
  world.removeVault(second.vaultId);
  await mirrorVaults(mirror.context);
  world.addVault({ vaultType: 'warm', vaultId: second.vaultId, name: second.name });
  await mirrorVaults(mirror.context);
  const changes = await mirror.query<{ document_id: string; change: string }>(revisions('vault'));
  expect(changes.filter((row) => row.document_id === first.vaultId).map((row) => row.change)).toEqual([
    'changed',
  ]);
  expect(changes.filter((row) => row.document_id === second.vaultId).map((row) => row.change)).toEqual([
    'removed',
    'restored',
  ]);
  expect(await mirror.query('select 1 from custody.vaults where missing_since is not null')).toEqual([]);
});

test('a vault that its list leaves out but its id still answers is not taken to be gone', async () => {
  const mirror = await openMirror();
  await mirrorVaults(mirror.context);
  mirror.sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'vaults',
    times: 100,
    when: ({ query }) => query.get('vault_type') === 'cold',
  });
  await mirrorVaults(mirror.context);
  expect(await mirror.query(revisions('vault'))).toEqual([]);
});

test('a whitelist that is answered short once loses nothing, and paging that was there after all is used', async () => {
  const mirror = await openMirror({ paging: { whitelist: 'supported' }, defaultLimit: { others: 40 } });
  // Answers that ignore the offset, in three runs, have the list taken for whole.
  const ignored = mirror.sandbox.faults.add({ kind: 'repeatpage', endpoint: 'whitelist' });
  for (let run = 0; run < 2; run += 1) await mirrorWhitelist(mirror.context);
  expect(mirror.context.facts.known.get('paging:whitelist')).toBeUndefined();
  await mirrorWhitelist(mirror.context);
  expect(mirror.context.facts.known.get('paging:whitelist')).toBe('none');
  ignored();
  const { world } = mirror.sandbox;
  const [first] = world.whitelist();
  world.removeWhitelistEntry(first?.whitelistId ?? '');
  await mirrorWhitelist(mirror.context);
  const present = await mirror.query(
    'select entry_id from custody.whitelist_entries where missing_since is null',
  );
  expect(present).toHaveLength(world.whitelist().length);
  expect(mirror.context.facts.known.get('paging:whitelist')).toBe('by-offset');
});

test('an entry that one answer leaves out is looked for again before it is held to be removed', async () => {
  const mirror = await openMirror();
  await mirrorWhitelist(mirror.context);
  mirror.sandbox.faults.add({ kind: 'falseempty', endpoint: 'whitelist', times: 6 });
  await mirrorWhitelist(mirror.context);
  expect(await mirror.query(revisions('whitelist_entry'))).toEqual([]);
});

test('one id given to two entries of one answer is reported, and the same one is kept in whatever order', async () => {
  let reversed = false;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init);
    if (!answer.ok || !String(input).includes('/whitelist')) return answer;
    const told = JSON.parse(await answer.text());
    const [first, second, ...others] = told.whitelist;
    const entries = [first, { ...second, whitelist_id: first.whitelist_id }, ...others];
    return Response.json({ ...told, whitelist: reversed ? entries.reverse() : entries });
  };
  const mirror = await openMirror({}, {}, { fetch });
  for (let run = 0; run < 4; run += 1) {
    reversed = !reversed;
    expect(await mirrorWhitelist(mirror.context)).toMatchObject({ status: 'succeeded' });
  }
  expect(await mirror.query('select kind, resource from sync.anomalies')).toEqual([
    { kind: 'duplicate-id', resource: 'whitelist' },
  ]);
  expect(await mirror.query(revisions('whitelist_entry'))).toEqual([]);
});

test('a list that was paged and answers its first page to every offset is not believed, and removes nothing', async () => {
  let ignores = false;
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    if (ignores && url.pathname.endsWith('/whitelist')) url.searchParams.delete('offset');
    return globalThis.fetch(url, init);
  };
  const mirror = await openMirror(
    { paging: { whitelist: 'supported' }, defaultLimit: { others: 5 } },
    {},
    { fetch },
  );
  expect(await mirrorWhitelist(mirror.context)).toMatchObject({ status: 'succeeded' });
  ignores = true;
  expect(await mirrorWhitelist(mirror.context)).toMatchObject({ status: 'failed' });
  expect(
    await mirror.query(`select error_code, error_message from sync.runs order by run_id desc limit 1`),
  ).toEqual([
    {
      error_code: 'LIST-UNSTEADY',
      error_message: expect.stringContaining('refused or ignored an offset that paged this list before'),
    },
  ]);
  expect(
    await mirror.query('select from custody.whitelist_entries where missing_since is null'),
  ).toHaveLength(mirror.sandbox.world.whitelist().length);
});

test('a list that shows one id with two contents on two pages is not verified, and proves nothing of the other', async () => {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init);
    const url = new URL(String(input));
    if (!answer.ok || !url.pathname.endsWith('/whitelist') || !Number(url.searchParams.get('offset')))
      return answer;
    const body = JSON.parse(await answer.text());
    const entries = body.whitelist.map((entry: Record<string, unknown>) =>
      entry['whitelist_id'] === last ? { ...entry, whitelist_id: first } : entry,
    );
    return Response.json({ ...body, whitelist: entries });
  };
  const mirror = await openMirror(
    { paging: { whitelist: 'supported' }, defaultLimit: { others: 5 } },
    {},
    { fetch },
  );
  const ids = mirror.sandbox.world.whitelist().map(({ whitelistId }) => whitelistId);
  const [first, last] = [ids[0], ids.at(-1)];
  for (let run = 0; run < 2; run += 1) await mirrorWhitelist(mirror.context);
  expect(
    await mirror.query(`select verified, verdict -> 'doubt_codes' as doubts from sync.runs order by 1`),
  ).toEqual([
    { verified: false, doubts: ['contents-differ'] },
    { verified: false, doubts: ['contents-differ'] },
  ]);
  expect(await mirror.query('select from custody.document_readings')).toEqual([]);
});
