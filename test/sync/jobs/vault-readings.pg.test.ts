// A vault has two forms, the record of the list and the body of its id. Whichever tells more, and in whatever
// order the list stands, what is stored stays the same for as long as the service tells the same.
import { expect, test } from 'vitest';
import { mirrorVaults } from '../../../src/sync/jobs/documents.ts';
import { letAnHourPass } from '../../support/an-hour-later.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

type Fields = Record<string, unknown>;
type Bend = (vault: Fields) => Fields;

/**
 * A mirror of a service whose vaults are changed on their way; those of the list come last first when
 * `reversed`.
 */
async function bentMirror(bends: {
  list?: Bend;
  leavesOut?: (vault: Fields) => boolean;
  body?: Bend;
  reversed?: () => boolean;
  ignoresType?: true;
  /** Whether the service knows no such id. */
  denies?: (id: string) => boolean;
}) {
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(String(input));
    const { pathname, searchParams } = url;
    if (bends.ignoresType) searchParams.delete('vault_type');
    if (bends.denies?.(pathname.split('/').at(-1) ?? '')) url.pathname += 'x';
    const answer = await globalThis.fetch(url, init);
    const isBody = /\/vaults\/[^/]+$/.test(pathname);
    if (!answer.ok || !(isBody || pathname.endsWith('/vaults'))) return answer;
    const told = JSON.parse(await answer.text());
    if (isBody) return Response.json(bends.body?.(told) ?? told);
    const vaults = told.vaults
      .filter((vault: Fields) => !bends.leavesOut?.(vault))
      .map((vault: Fields) => bends.list?.(vault) ?? vault);
    return Response.json({ ...told, vaults: bends.reversed?.() ? vaults.reverse() : vaults });
  };
  return await openMirror({}, {}, { fetch });
}

const without = (name: string, { [name]: _, ...rest }: Fields): Fields => rest;

const changes = (mirror: Mirror) =>
  mirror.query(`select document_id, change from custody.document_revisions where change <> 'added'`);

const keysOf = async (mirror: Mirror) =>
  (
    await mirror.query<{ keys: string[] }>(
      `select array(select jsonb_object_keys(document) order by 1) as keys from custody.vaults order by vault_id`,
    )
  ).map(({ keys }) => keys);

async function succeed(mirror: Mirror) {
  expect(await mirrorVaults(mirror.context)).toMatchObject({ status: 'succeeded' });
}

test('what either form shows is kept, whichever vault is listed first', async () => {
  let reversed = false;
  const plain = new Set<unknown>();
  const mirror = await bentMirror({
    list: (vault) => ({ ...vault, listed_at: '2026-01-01' }),
    body: (vault) => (plain.has(vault['vault_id']) ? vault : { ...vault, policy: { limit: 12.5 } }),
    reversed: () => reversed,
  });
  const { world } = mirror.sandbox;
  // One that tells no more by its id stands first, and one joins later.
  plain.add(world.vaults('warm')[0]?.vaultId);
  await succeed(mirror);
  for (const keys of await keysOf(mirror)) expect(keys).toContain('listed_at');
  expect((await keysOf(mirror)).filter((keys) => keys.includes('policy'))).toHaveLength(
    world.vaults().length - 1,
  );
  reversed = true;
  await succeed(mirror);
  plain.add(world.addVault({ vaultType: 'cold', name: 'Empty' }).vaultId);
  await succeed(mirror);
  reversed = false;
  for (let run = 0; run < 3; run += 1) await succeed(mirror);
  expect(await changes(mirror)).toEqual([]);
});

test('what only the id of a vault showed stays where that id is denied, and the reading is not verified', async () => {
  let denied = '';
  const mirror = await bentMirror({
    body: (vault) => ({ ...vault, policy: { limit: 12.5 } }),
    denies: (id) => id === denied,
  });
  await succeed(mirror);
  denied = mirror.sandbox.world.vaults('warm')[0]?.vaultId ?? '';
  await succeed(mirror);
  expect(
    await mirror.query(`select verified, verdict -> 'doubt_codes' as doubts from sync.runs order by run_id`),
  ).toEqual([
    { verified: true, doubts: [] },
    { verified: false, doubts: ['details-denied'] },
  ]);
  expect(await changes(mirror)).toEqual([]);
});

test('bodies that show nothing more are requested one at a time after some runs, and each that does is noticed', async () => {
  let telling = '';
  const mirror = await bentMirror({
    body: (vault) => (vault['vault_id'] === telling ? { ...vault, policy: 'strict' } : vault),
  });
  const vaults = mirror.sandbox.world.vaults();
  for (let run = 0; run < 3; run += 1) await succeed(mirror);
  mirror.sandbox.requests.reset();
  await succeed(mirror);
  expect(mirror.sandbox.requests.byEndpoint['vault']).toBe(1);
  telling = vaults.at(-1)?.vaultId ?? '';
  for (let run = 0; run < vaults.length; run += 1) await succeed(mirror);
  expect(await changes(mirror)).toEqual([{ document_id: telling, change: 'changed' }]);
});

test('a vault that the list leaves out keeps what only the list showed of it', async () => {
  const mirror = await bentMirror({
    list: (vault) => ({ ...vault, listed_at: '2026-01-01' }),
    body: (vault) => without('vault_type', without('name', vault)),
  });
  await succeed(mirror);
  const before = await mirror.query(
    'select vault_id, vault_type, name, document from custody.vaults order by 1',
  );
  expect(before.every(({ vault_type, name }) => vault_type !== null && name !== null)).toBe(true);
  mirror.sandbox.faults.add({
    kind: 'falseempty',
    endpoint: 'vaults',
    times: 100,
    when: ({ query }) => query.get('vault_type') === 'cold',
  });
  // The first empty list is not believed, one an hour later is: then the ids are asked.
  for (let run = 0; run < 3; run += 1) {
    await mirrorVaults(mirror.context);
    letAnHourPass(mirror.context);
  }
  expect(await changes(mirror)).toEqual([]);
  expect(
    await mirror.query('select vault_id, vault_type, name, document from custody.vaults order by 1'),
  ).toEqual(before);
});

test('a vault that the list leaves out and whose body cannot be decoded is not taken to be gone', async () => {
  let left = '';
  const mirror = await bentMirror({
    body: (vault) => (vault['vault_id'] === left ? { vault: without('vault_id', vault) } : vault),
    leavesOut: ({ vault_id }) => vault_id === left,
  });
  await succeed(mirror);
  left = mirror.sandbox.world.vaults('warm')[0]?.vaultId ?? '';
  await succeed(mirror);
  expect(await changes(mirror)).toEqual([]);
  expect(await mirror.query('select resource from sync.quarantine where resolved_at is null')).toEqual([
    { resource: 'vaults' },
  ]);
});

test('an id that is answered with another vault changes nothing', async () => {
  let other: Fields | null = null;
  const mirror = await bentMirror({
    body(vault) {
      other ??= vault;
      return other;
    },
    leavesOut: ({ vault_id }) => vault_id === left,
  });
  let left = '';
  await succeed(mirror);
  left = mirror.sandbox.world.vaults('warm')[1]?.vaultId ?? '';
  for (let run = 0; run < 2; run += 1) await succeed(mirror);
  expect(await changes(mirror)).toEqual([]);
  const named = await mirror.query('select vault_id, name from custody.vaults order by vault_id');
  const vaults = mirror.sandbox.world.vaults().map(({ vaultId, name }) => ({ vault_id: vaultId, name }));
  expect(named).toEqual(vaults.sort((a, b) => (a.vault_id < b.vault_id ? -1 : 1)));
});

test('a vault that the lists of both types show without naming its type has none', async () => {
  const untyped: Bend = (vault) => without('vault_type', vault);
  const typed = new Set<unknown>();
  const mirror = await bentMirror({
    list: (vault) => (typed.has(vault['vault_id']) ? vault : untyped(vault)),
    body: (vault) => (typed.has(vault['vault_id']) ? vault : untyped(vault)),
    ignoresType: true,
  });
  const [first] = mirror.sandbox.world.vaults('warm');
  typed.add(first?.vaultId);
  for (let run = 0; run < 2; run += 1) await succeed(mirror);
  expect(
    await mirror.query('select vault_id, vault_type from custody.vaults where vault_type is not null'),
  ).toEqual([{ vault_id: first?.vaultId, vault_type: 'warm' }]);
  expect(await changes(mirror)).toEqual([]);
});
