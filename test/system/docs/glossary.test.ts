// The glossary of ARCHITECTURE.md against the code: its words are there, and the words that it replaced are
// not.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './blocks.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const section = /^## Glossary\n([\s\S]*?)^## /m.exec(read('ARCHITECTURE.md'))?.[1] ?? '';
const rows = [...section.matchAll(/^\| ([a-z ]+) \| `(\w+)` \| (.+) \|$/gm)].map(
  ([, word = '', name = '', meaning = '']) => ({ word, name, meaning }),
);

/** Identifiers that were, and what is said now. */
const replaced: Readonly<Record<string, string>> = {
  goOn: 'nextPage',
  isSecondThought: 'isRecheck',
  lose: 'markDeparted',
  owed: 'unaccountedGrowth',
  SweepsAgain: 'repeated sweeps',
  climb: 'increase',
  believesEmpty: 'trustEmptyLists',
  doubtEmptiness: 'requireConfirmedEmpty',
  hasMetEverything: 'coversWholeListAlone',
  mayBegin: 'canStart',
  mayRepeat: 'mayRetry',
  readTick: 'readObservation',
  stillAway: 'onDatabaseDown',
  pathMeant: 'normalizePath',
  isReadWhole: 'coversWholeList',
  isWalkedWhole: 'coversWholeList',
  toldOnce: 'logOnTransition',
  concludeVanished: 'concludeMissing',
  isDatabaseAway: 'isDatabaseOffline',
  markVanished: 'markMissingTransactions',
  terminalStatuses: 'settledStatuses',
  whenAdmitted: 'retryWhileBusy',
  wereUnread: 'wereQuarantined',
};

const code = ['base', 'cli', 'custody', 'domain', 'scheduler', 'sync'].map((name) => `src/${name}`);
const everywhere = ['src', 'packages', 'sql', 'docs', 'deploy', 'README.md', 'ARCHITECTURE.md'];
/** Folders and files whose texts and comments are free of `tell`. */
const store = ['job-queries', 'keys', 'postgres', 'read-api', 'roles', 'run', 'schema', 'upkeep', 'values'];
const passed = [
  ...['api', 'base', 'cli', 'domain', 'http', 'scheduler', 'seal', 'server', 'status', 'sync/jobs'].map(
    (name) => `src/${name}`,
  ),
  ...store.map((name) => `src/store/${name}`),
  ...['client', 'demo', 'pages', 'sandbox'].map((name) => `packages/${name}/src`),
  ...['sql', 'deploy', 'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md'],
];
/** What no text says any more, in these folders and files, and what it says instead. */
const wornOut: readonly (readonly [words: RegExp, instead: string, places: readonly string[]])[] = [
  [/\binterface\.md\b/, 'docs/custody-service.md with its section', everywhere],
  [/\bis no variable of\b/, 'is not a custody-mirror variable', everywhere],
  [/\bConfiguration is not usable\b/, 'Invalid configuration', everywhere],
  [/\bof the list were met\b/, 'in the list were read', everywhere],
  [/\bof one's own\b/, 'your own', everywhere],
  [/\bport cannot be had\b/, 'is unavailable', everywhere],
  [/\b(?:made|makes?) anew\b/, 'recreated', code],
  [/\bwhoever\b/i, 'operators, implementers', code],
  [/\b(?:is|are|was|were) told\b/, 'is reported', code],
  [/\bbeside\b/i, 'next to, besides', code],
  [/\b(?:tells?|told)\b/i, 'says, shows, reports', passed],
  [/\b(?:is|are|was|were) worth\b(?! (?:an?|looking)\b)/, 'value', everywhere],
  [/\bworth(?:_| )daily\b|\/balances\/worth\b|\blistWorth/, 'value', everywhere],
  [/\bneeds? a person\b/i, 'needs attention', everywhere],
  [/\boff(?:_| )(?:the )?(?:white)?list\b|\b[Ww]ho was paid\b/, 'not whitelisted, payees', everywhere],
  [/\bon its way\b/, 'in progress', passed],
  [/\bPostgreSQL of your own\b/, 'your own PostgreSQL', everywhere],
  [/\bthe least that is needed\b/, 'all you need', everywhere],
  [/\ball such\b/i, 'more', ['packages/pages/src']],
  [/\bdatabase (?:is|was|may be) away\b/i, 'offline', everywhere],
  [/vanish/i, 'missing', everywhere],
  [/tamper/i, 'altered', everywhere],
  [/\bterminal[- ]status/, 'settled', everywhere],
  [/\bfinal status(?:es)?\b/, 'settled', everywhere],
];

/** The identifiers of the sources below a folder, without what stands in comments and literals. */
function identifiersOf(folder: string): ReadonlySet<string> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const code = read(join(folder, file))
        .replace(/\/\*[\s\S]*?\*\/|(?<![:'"`])\/\/.*/g, '')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, "''")
        // What stands between two tags is text.
        .replace(/>[^<>{}=;()]*</g, '><');
      return code.match(/[A-Za-z_]\w*/g) ?? [];
    });
  return new Set(names);
}

const identifiers = identifiersOf('src');

test('the glossary is short: each row can be read, and there are thirty at most', () => {
  expect(rows.length).toBe(section.split('\n').filter((line) => line.startsWith('| ')).length - 1);
  expect(rows.length).toBeGreaterThan(15);
  expect(rows.length).toBeLessThanOrEqual(30);
  expect(new Set(rows.map(({ word }) => word)).size).toBe(rows.length);
});

test('each word of the glossary is the name of something in the code, or of a table or column', () => {
  const schema = new Set(read('migrations/schema.txt').match(/\w+/g));
  const missing = rows.filter(({ name }) => !identifiers.has(name) && !schema.has(name));
  expect(missing).toEqual([]);
});

test('no identifier is a word that another has replaced', () => {
  expect(identifiers.size).toBeGreaterThan(1000);
  expect(Object.keys(replaced).filter((name) => identifiers.has(name))).toEqual([]);
});

test.each(wornOut)('%s is nowhere said: it is %s', (words, _instead, places) => {
  const files = places.flatMap((place) =>
    statSync(join(root, place)).isFile()
      ? [place]
      : readdirSync(join(root, place), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(place, file),
        ),
  );
  const texts = files.filter(
    (file) => /\.(tsx?|md|sql|ya?ml|json)$/.test(file) && !/node_modules|dist\//.test(file),
  );
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter((file) => words.test(read(file)))).toEqual([]);
});
