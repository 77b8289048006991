// Checks that each regular expression of src/, drizzle/ and the packages takes a time linear in the text that
// it is tried on: most of them meet text from outside. The automaton of recheck proves it; what it cannot
// prove is listed here with the reason why it holds, or why no text from outside gets there.
//
//   node scripts/check-patterns.mjs [directory of the repository]
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import recheck from 'recheck';
import { lineOf, nodesOf, readSources } from './source-graph.mjs';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));

/** Expressions that are built at run time, by the file: what they amount to, which is checked. */
const built = {
  'src/store/read-api/list/parameter-kinds.ts': [String.raw`^[^\u0000]*$`],
  'src/base/api-key.ts': ['^cm_[a-z0-9]{8}_[0-9A-Za-z]{49}$'],
  'src/custody/decode/exact-json.ts': [String.raw`"\uE000([^"]*)"`],
  'src/http/access/credentials.ts': ['cm_[a-z0-9]{8}_[0-9A-Za-z]{49}'],
  'src/store/read-api/list/columns.ts': [
    String.raw`^(?:[\t\n\r]|[ "]*[=+@＝＋－＠-])`,
    String.raw`([;\t\n\r])([ "]*[=+@＝＋－＠-])`,
  ],
  // Its text is a file of this program.
  'src/seal/checkpoints-file.ts': [],
  'src/store/read-api/search-transactions.ts': [String.raw`^(.{6,})(?:…|\.{3})([^.…]+)$`],
};

const environment = 'names of environment variables';
const configuration = 'a value of the configuration';
const ours = 'a sentence of this program';
/** Expressions that are not proven, by their source. */
const excused = new Map([
  ['^0+|(?<!0)0+$', 'the look behind lets each run of zeros be tried once'],
  [String.raw`\.?(?<!0)0+$`, 'the look behind lets each run of zeros be tried once'],
  [String.raw`^0+(?=\d)`, 'it begins at the beginning, and looks one character ahead'],
  [String.raw`^~(?=~*\.{1,2}$)`, 'it begins at the beginning, and its parts share no character'],
  ['0+$', 'the few decimals that are shown'],
  [
    String.raw`_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$`,
    environment,
  ],
  [String.raw`^(\w+?)_(PORT|NAME|ENV_\w+)$`, environment],
  [String.raw`\/+$`, configuration],
  [String.raw`^(["']).*\1$`, configuration],
  [String.raw`^(\d*\.?\d+)(?:x(\d+))?$`, configuration],
  [String.raw`^(\w+).*?: (.*)$`, ours],
]);

const problems = [];
const expressions = new Map();
const note = (pattern, flags, where) => expressions.set(`${flags}/${pattern}`, { pattern, flags, where });
const builders = new Set();
for (const { file, text, program } of readSources(root)) {
  for (const node of nodesOf(program)) {
    const where = `${file}:${lineOf(text, node.start ?? 0)}`;
    if (node.type === 'Literal' && node.regex) note(node.regex.pattern, node.regex.flags, where);
    const isBuilt = ['NewExpression', 'CallExpression'].includes(node.type) && node.callee.name === 'RegExp';
    if (isBuilt) builders.add(file);
    if (isBuilt && built[file] === undefined)
      problems.push(
        `${where}: write the expression out, or list in scripts/check-patterns.mjs what it amounts to`,
      );
  }
}
for (const [file, patterns] of Object.entries(built)) {
  if (!builders.has(file)) problems.push(`${file} builds no expression any more: take it off the list`);
  for (const pattern of patterns) note(pattern, '', file);
}
const unproven = new Set();
for (const { pattern, flags, where } of expressions.values()) {
  const { status, complexity } = await recheck.check(pattern, flags, {
    checker: 'automaton',
    timeout: 60_000,
  });
  if (status === 'safe') continue;
  unproven.add(pattern);
  if (excused.has(pattern)) continue;
  const takes = complexity === undefined ? 'a time that cannot be proven linear' : complexity.summary;
  problems.push(`${where}: takes ${takes}: /${pattern}/${flags}`);
}
for (const pattern of excused.keys())
  if (!unproven.has(pattern)) problems.push(`needs no excuse any more: /${pattern}/`);

for (const problem of problems) console.error(problem);
console.error(
  problems.length === 0
    ? `${expressions.size} regular expressions are linear`
    : `${problems.length} problems with regular expressions`,
);
// The checker's own process would go on.
process.exit(problems.length === 0 ? 0 : 1);
