// The documents against the source: what they name is there, and what must be named is.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createMetrics } from '../../../src/base/metrics.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const documents = ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md'].concat(
  readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
);

/** Written once the bench has been run; a link may stand before it does. */
const measured = 'docs/performance.md';

test('every link to a file leads to one', () => {
  const broken = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
      .map(([, target = '']) => target)
      .map((target) => join(dirname(document), target))
      .filter((path) => path !== measured && !path.includes('*') && !existsSync(join(root, path)))
      .map((path) => `${document}: ${path}`),
  );
  expect(broken).toEqual([]);
});

test('the README names every variable, metric and error code', async () => {
  const readme = read('README.md');
  const variables = [...read('.env.example').matchAll(/^#?([A-Z_]+)=/gm)].map(([, name = '']) => name);
  const metrics = (await createMetrics().registry.getMetricsAsJSON()).map(({ name }) =>
    name.replace('custody_mirror_', ''),
  );
  const codes = /type MirrorErrorCode =([^;]+);/.exec(read('src/domain/errors.ts'))?.[1] ?? '';
  const errorCodes = [...codes.matchAll(/'([A-Z-]+)'/g)].map(([, code = '']) => code);
  expect(errorCodes).toContain('LEASE-HELD');
  for (const name of [...variables, ...metrics, ...errorCodes]) expect(readme).toContain(`\`${name}\``);
});

test('docs/security.md names a test for each threat, and each of them is there', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );
  const threats = rows.filter((cells) => cells.length === 3 && !['threat', '---'].includes(cells[0] ?? ''));
  expect(threats.length).toBeGreaterThan(30);
  const untested = threats.filter(([, , tests = '']) => !tests.includes('](../test/'));
  expect(untested).toEqual([]);
  const missing = threats.flatMap(([, , tests = '']) =>
    [...tests.matchAll(/\]\(\.\.\/(test\/[^)]+)\)([^[]*)/g)].flatMap(([, file = '', titles = '']) =>
      [...titles.matchAll(/"([^"]+)"/g)]
        .map(([, title = '']) => title)
        .filter((title) => !read(file).includes(title))
        .map((title) => `${file}: ${title}`),
    ),
  );
  expect(missing).toEqual([]);
});
