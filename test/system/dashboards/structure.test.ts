// The dashboards as files: what Grafana would refuse, mix up or show in the wrong place.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { type Board, readBoards, readProvisioning } from './boards.ts';
import { expandQuery } from './grafana.ts';

const boards = readBoards();
const source = { type: 'grafana-postgresql-datasource', uid: 'custody-mirror' };

test('there is one dashboard for each question, with a uid of its own that stays', () => {
  expect(boards.map(({ file, uid }) => [file, uid])).toEqual([
    ['operations.json', 'custody-mirror-operations'],
    ['portfolio.json', 'custody-mirror-portfolio'],
    ['transactions.json', 'custody-mirror-transactions'],
  ]);
});

describe.each(boards.map((board) => [board.file, board] as const))('%s', (_file, board) => {
  test('can be found from the others, and begins with the freshness of the data', () => {
    expect(board.links).toMatchObject([{ type: 'dashboards', tags: ['custody-mirror'] }]);
    expect(board.tags).toContain('custody-mirror');
    expect(board.panels[0]?.targets?.[0]?.rawSql).toContain('reporting.data_freshness');
    expect(board.panels[0]?.gridPos).toMatchObject({ x: 0, y: 0 });
  });

  test('numbers each panel once, and says what it shows', () => {
    expect(new Set(board.panels.map(({ id }) => id)).size).toBe(board.panels.length);
    const silent = board.panels.filter(
      ({ type, description }) => type !== 'row' && description === undefined,
    );
    expect(silent).toEqual([]);
    const titles = board.panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  test('asks the provisioned source alone, and every query is for one account', () => {
    const asking = board.panels.filter(({ type }) => type !== 'row');
    for (const { title, datasource, targets } of asking) {
      expect({ title, datasource }).toEqual({ title, datasource: source });
      expect(targets?.length, title).toBe(1);
      for (const target of targets ?? []) {
        expect(target.datasource, title).toEqual(source);
        expect(target.rawSql, title).toContain('account_id = ${account:sqlstring}');
      }
    }
    expect(board.templating.list.filter(({ name }) => name === 'account')).toMatchObject([
      {
        type: 'query',
        query: 'select account_id from reporting.sync_health order by account_id',
        multi: false,
      },
    ]);
    for (const { name, type, datasource } of board.templating.list)
      if (type === 'query') expect({ name, datasource }).toEqual({ name, datasource: source });
  });

  test('lays its panels out without overlap, within 24 columns', () => {
    const taken = new Map<string, string>();
    for (const { title, gridPos } of board.panels)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(x, title).toBeLessThan(24);
          expect(taken.get(`${x} ${y}`), `${title} at ${x} ${y}`).toBeUndefined();
          taken.set(`${x} ${y}`, title);
        }
  });

  test('depends on no machine and no import dialog, and hides no null', () => {
    expect(board.text).not.toMatch(/\$\{DS_|__inputs|__requires|\/(home|work|tmp|Users|root)\//);
    expect(JSON.stringify(board.panels.map(({ fieldConfig }) => fieldConfig))).not.toMatch(/"match":"null/);
  });

  test('uses only variables that it has', () => {
    const variables = Object.fromEntries(
      board.templating.list.map(({ name }) => [name, { value: 'x', several: false }]),
    );
    const range = { from: new Date(0), to: new Date(1) };
    for (const sql of queriesOf(board)) expect(() => expandQuery(sql, variables, range)).not.toThrow();
  });
});

function queriesOf({ panels, templating }: Board): readonly string[] {
  return [
    ...panels.flatMap(({ targets }) => (targets ?? []).map(({ rawSql }) => rawSql)),
    ...templating.list.filter(({ type }) => type === 'query').map(({ query }) => query),
  ];
}

test('the provisioning names the source and the place of the dashboards', () => {
  const sources = z.object({
    apiVersion: z.literal(1),
    datasources: z.array(z.record(z.string(), z.unknown())),
  });
  const { datasources } = sources.parse(
    parse(readProvisioning('provisioning/datasources/custody-mirror.yaml')),
  );
  expect(datasources).toMatchObject([
    {
      ...source,
      access: 'proxy',
      jsonData: { database: expect.any(String), sslmode: expect.any(String) },
      // A secret comes from a file, never from this one.
      secureJsonData: { password: expect.stringMatching(/^\$__file\{.*\}$/) },
    },
  ]);
  expect(datasources[0]).not.toHaveProperty('database');
  const provider = parse(readProvisioning('provisioning/dashboards/custody-mirror.yaml'));
  expect(provider).toMatchObject({
    apiVersion: 1,
    providers: [
      { type: 'file', allowUiUpdates: false, options: { path: expect.stringMatching(/\/dashboards$/) } },
    ],
  });
});

test('the compose file starts a Grafana of one version that gets what the provisioning asks for, and lets nobody in unasked', () => {
  const root = fileURLToPath(new URL('../../..', import.meta.url));
  const services = z.object({
    services: z.object({
      grafana: z.object({
        image: z.string(),
        environment: z.record(z.string(), z.string()),
        volumes: z.array(z.string()),
      }),
    }),
  });
  const { grafana } = services.parse(parse(readFileSync(`${root}docker-compose.yml`, 'utf8'))).services;
  expect(grafana.image).toMatch(/^grafana\/grafana:12\.\d+\.\d+$/);
  expect(grafana.environment).toMatchObject({
    GF_AUTH_ANONYMOUS_ENABLED: 'false',
    GF_SECURITY_ADMIN_PASSWORD__FILE: expect.stringMatching(/^\/run\/secrets\//),
  });
  const wanted = readProvisioning('provisioning/datasources/custody-mirror.yaml').matchAll(/: \$\{(\w+)\}/g);
  const given = Object.keys(grafana.environment).filter((name) => name.startsWith('MIRROR_'));
  expect(given.toSorted()).toEqual([...wanted].map(([, name = '']) => name).toSorted());
  const provided = readProvisioning('provisioning/dashboards/custody-mirror.yaml');
  const mounts = grafana.volumes
    .filter((volume) => volume.startsWith('.'))
    .map((volume) => volume.split(':'));
  for (const [from = '', , mode] of mounts)
    expect([existsSync(`${root}${from}`), mode]).toEqual([true, 'ro']);
  expect(mounts.map(([, to]) => to)).toContain(/path: (\S+)/.exec(provided)?.[1]);
});
