// The documents against the source: what they name is there, and what must be named is.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { signalsHeard } from '../../../src/base/lifecycle.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { anomalyKinds } from '../../../src/domain/anomalies.ts';
import { doubtSentences } from '../../../src/domain/doubts.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const inDocs = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const forBuilders = ['ARCHITECTURE.md', 'CONTRIBUTING.md'];
const documents = ['README.md', 'CHANGELOG.md', ...forBuilders, ...inDocs, ...decisions];

/** The links of a document to files here, each as a path from the root and an anchor. */
function linksOf(document: string) {
  return [...read(document).matchAll(/\]\(([^)#:\s]*)(?:#([^)\s]*))?\)/g)].map(([, to = '', anchor]) => ({
    path: to === '' ? document : join(dirname(document), to),
    anchor,
  }));
}

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(document: string): readonly string[] {
  const text = read(document).replace(/^```[\s\S]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('every link to a file leads to one, and to a heading of it where it names one', () => {
  const broken = documents.flatMap((document) =>
    linksOf(document)
      .filter(
        ({ path, anchor }) =>
          !existsSync(join(root, path)) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
      )
      .map(({ path, anchor }) => `${document}: ${path}${anchor === undefined ? '' : `#${anchor}`}`),
  );
  expect(broken).toEqual([]);
});

test('every source file that a document names by its path is there', () => {
  const folders = ['', 'src', 'packages'];
  const gone = documents.flatMap((document) =>
    [...read(document).matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:tsx?|sql|mjs))`/g)]
      .filter(([, path = '']) => !folders.some((folder) => existsSync(join(root, folder, path))))
      .map(([, path]) => `${document}: ${path}`),
  );
  expect(gone).toEqual([]);
});

test('a link that is labelled as a file leads to a file of that name', () => {
  const misnamed = documents.flatMap((document) =>
    [...read(document).matchAll(/\[`?([\w./-]+\.[a-z]{2,5})`?\]\(([^)#:\s]+)/g)]
      .filter(([, label = '', to = '']) => basename(label) !== basename(to))
      .map(([, label, to]) => `${document}: ${label} leads to ${to}`),
  );
  expect(misnamed).toEqual([]);
});

test('a record of a decision has its form, 100 to 220 words, and its line in the list', () => {
  const list = read('docs/decisions/README.md');
  const form = ['Context', 'Decision', 'Cost'];
  const wrong = decisions
    .filter((path) => basename(path) !== 'README.md')
    .filter((path) => {
      const text = read(path);
      const words = text.split(/\s+/).filter((word) => word !== '').length;
      const parts = [...text.matchAll(/^\*\*(.+?)\.\*\*/gm)].map(([, part]) => part);
      return (
        words < 100 ||
        words > 220 ||
        parts.filter((part = '') => form.includes(part)).join() !== form.join() ||
        !list.includes(`](${basename(path)})`)
      );
    });
  expect(wrong).toEqual([]);
});

test('the README says where to read on: every document is in its table', () => {
  const linked = linksOf('README.md').map(({ path }) => path);
  expect(linked).toEqual(
    expect.arrayContaining(documents.filter((name) => name !== 'README.md' && !decisions.includes(name))),
  );
});

test('docs/http.md has a row for every metric, with its labels, and no other', async () => {
  const registered = createMetrics().registry;
  const described = await registered.getMetricsAsJSON();
  const labelsOf = (name: string) => {
    const metric: object | undefined = registered.getSingleMetric(name);
    return metric !== undefined && 'labelNames' in metric ? metric.labelNames : null;
  };
  const expected = described.map(({ name }) => [name.replace('custody_mirror_', ''), labelsOf(name)]);
  const section =
    read('docs/http.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Metrics')) ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \|([^|]*)\|[^|]+\|$/gm)].map(
    ([, name = '', labels = '']) => [name, [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label)],
  );
  expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(expected));
});

test('docs/container.md names every signal that stops the daemon', () => {
  const [, item = ''] = read('docs/container.md').split('- **Signals**: ');
  const [named = ''] = item.split(' stop it');
  expect(named.match(/SIG\w+/g)).toEqual([...signalsHeard.stop]);
});

/** The codes in the first cells of a section's rows. */
function codesIn(document: string, heading: string): readonly string[] {
  const section =
    read(document)
      .split(/^#+ /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = '']) => cell);
  return cells
    .flatMap((cell) => [...cell.matchAll(/`([a-z0-9-]+)`/g)].map(([, code = '']) => code))
    .toSorted();
}

test('docs/correctness.md explains every doubt of a sweep', () => {
  const explained = codesIn('docs/correctness.md', 'What makes a sweep unverified');
  expect(explained).toEqual(Object.keys(doubtSentences).toSorted());
});

test('docs/custody-service.md explains every tolerated deviation', () => {
  const list = /const deviations = \[([^\]]+)\]/.exec(read('src/custody/decode/fields.ts'))?.[1] ?? '';
  const deviations = [...list.matchAll(/'([a-z0-9-]+)'/g)].map(([, code = '']) => code);
  expect(deviations.length).toBeGreaterThan(20);
  expect(codesIn('docs/custody-service.md', 'Tolerated deviations')).toEqual(deviations.toSorted());
});

test('docs/data.md explains every kind of anomaly', () => {
  expect(codesIn('docs/data.md', 'Anomalies')).toEqual(anomalyKinds.toSorted());
});

test.each([
  ['docs/access.md', '- **Learns of other accounts**'],
  ['docs/data.md', '- **Numbers have gaps:**'],
])('%s names every column of the read API that is numbered across accounts', (document, begin) => {
  const drawn = /^ {2}column (\w+) .*(?: as identity| default nextval\()/gm;
  const numbered = [...read('migrations/schema.txt').matchAll(drawn)].map(([, column = '']) => column);
  const spec = read('docs/openapi.json');
  const shown = [...new Set(numbered)].filter((column) => spec.includes(`"${column}": {`));
  const [, item = ''] = read(document).split(begin);
  const [sentence = ''] = item.split(/\n- |, but not/);
  const named = [...sentence.matchAll(/`(\w+)`/g)].map(([, column]) => column);
  expect(shown).toContain('run_id');
  expect(named.toSorted()).toEqual(shown.toSorted());
});

test('CONTRIBUTING.md has a line for every folder, or one for all in it, and no other', () => {
  const section =
    read('CONTRIBUTING.md')
      .split(/^## /m)
      .find((part) => part.startsWith('Folders')) ?? '';
  const listed = [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, folder = '']) => folder);
  const folders = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
      .map(({ name }) => `${path}/${name}`);
  const holdsFiles = (path: string) =>
    readdirSync(join(root, path), { withFileTypes: true }).some((entry) => entry.isFile());
  const src = folders('src');
  const parts = src.flatMap(folders);
  const packages = folders('packages').map((folder) => `${folder}/src`);
  const mirrored = src.map((folder) => folder.replace('src/', 'test/'));
  const expected = [
    ...[...src, ...parts, ...parts.flatMap(folders)].filter(holdsFiles),
    ...packages
      .flatMap((folder) => [folder, ...folders(folder), ...folders(folder).flatMap(folders)])
      .filter(holdsFiles),
    'packages/…/test',
    ...folders('sql'),
    ...folders('test').filter((folder) => !mirrored.includes(folder)),
    'test/…',
    ...['drizzle', 'migrations', 'scripts', 'bench', 'deploy', 'docs'],
  ];
  // `a/…` stands for those folders of `a` that have no line of their own.
  const together = listed.filter((folder) => /^(src|packages\/\w+\/src)\/.*…$/.test(folder));
  const isTold = (folder: string) => listed.includes(folder) || together.includes(`${dirname(folder)}/…`);
  expect(expected.filter((folder) => !isTold(folder))).toEqual([]);
  expect(listed.filter((folder) => !expected.includes(folder) && !together.includes(folder))).toEqual([]);
});

test('CONTRIBUTING.md has a line for every folder of test/system', () => {
  const table = read('CONTRIBUTING.md').split('| folder of `test/system` |')[1]?.split('\n\n')[0] ?? '';
  const listed = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map(([, folder]) => folder);
  expect(listed.toSorted()).toEqual(readdirSync(join(root, 'test/system')).toSorted());
});

test.each(forBuilders)('%s names only files and folders that are there', (document) => {
  const files = ['src', 'packages', 'drizzle', 'migrations', 'scripts', 'test', 'sql', 'bench']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }))
    .map((path) => path.split('/').at(-1));
  const text = read(document).replace(/^```[\s\S]*?^```$/gm, '');
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\.(?:ts|mjs|sql|json|txt)|\/[\w-]+\/?))`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !/^[x]\./.test(path));
  const isThere = (path: string) =>
    path.includes('/')
      ? ['', 'src', 'src/http', 'src/store', 'test/system', 'packages', 'packages/client/src'].some(
          (folder) => existsSync(join(root, folder, path)),
        )
      : files.includes(path);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !isThere(path) && path !== 'node_modules/.cache')).toEqual([]);
});

test('every npm script that a document names is there', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const missing = documents.flatMap((document) =>
    [...read(document).matchAll(/npm run (?:-s )?([\w:-]*\w)/g)]
      .map(([, name = '']) => name)
      .filter((name) => scripts[name] === undefined)
      .map((name) => `${document}: npm run ${name}`),
  );
  expect(missing).toEqual([]);
});

/** Whether the file has a test of this title, or of one that this is a part of. */
function hasTest(file: string, title: string): boolean {
  if (title === '' || !/^(packages\/\w+\/)?test\/.+\.test\.ts$/.test(file) || !existsSync(join(root, file)))
    return false;
  return read(file)
    .split('\n')
    .some((line) => /^[^/]*['"`]/.test(line) && line.includes(title));
}

test('docs/security.md names a test for each threat, each of them is there, and it stays short', () => {
  const rows = [...read('docs/security.md').matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) =>
    row.split(' | '),
  );
  const threats = rows.filter((cells) => cells.length === 3 && !['threat', '---'].includes(cells[0] ?? ''));
  expect(threats.length).toBeGreaterThan(25);
  // Two pages: it is read whole.
  const words = read('docs/security.md')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .match(/[A-Za-z][\w'./@-]*/g);
  expect(words?.length).toBeLessThan(1_000);
  const untested = threats.filter(([, , tests = '']) => !/\]\(\.\.\/(packages\/\w+\/)?test\//.test(tests));
  expect(untested).toEqual([]);
  const missing = threats.flatMap(([, , tests = '']) =>
    [...tests.matchAll(/\]\(\.\.\/([^\s)]+)(?: "([^"]+)")?\)/g)].filter(
      ([, file = '', title = '']) => !hasTest(file, title),
    ),
  );
  expect(missing).toEqual([]);
});
