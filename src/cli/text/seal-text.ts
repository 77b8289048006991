// The output of `verify`.
import { type Bytes, toBuffer } from '../../base/encoded-values.ts';
import { counted, grouped } from '../../domain/words.ts';
import type { CheckpointSeen } from '../../seal/log.ts';
import type { PresentFinding } from '../../seal/replay.ts';
import { readValues, shownMoment, shownRow, shownValue } from '../../seal/rows.ts';
import { presentTables, snapshotTable } from '../../seal/tables.ts';
import type { Finding, SealVerdict } from '../../seal/verify.ts';

/** Characters of a value. */
const longestShown = 200;

/** @param file the file of checkpoints; null if only those of the database were checked */
export function verdictText(verdict: SealVerdict, account: string, file: string | null): string {
  const { finding, upTo, checkpoints, filed, behind, unsealed, present } = verdict;
  const isBeyond = upTo !== null && filed !== null && filed.size < upTo.size;
  const reached = upTo === null ? '' : checkpointInWords(upTo);
  const whole = isBeyond
    ? `${checkpointInWords(filed)} of the file, and ${reached} of the database`
    : reached;
  const counts = `${counted(checkpoints, 'checkpoint')} matched`;
  const alone =
    file === null
      ? 'Only checkpoints of the database were checked: give --checkpoints to detect a database that was restored to an older state too.\n'
      : isBeyond
        ? 'The file holds no later checkpoint: those who can write to the database could have removed its last ones. The file proves nothing beyond its own.\n'
        : '';
  if (finding === null)
    return `intact: the history of ${account} is as it was sealed, up to ${whole} (${counts}, ${counted(unsealed, 'row')} not sealed yet)\n${presentInWords(present)}${behindInWords(behind)}${alone}`;
  const before =
    upTo === null ? 'No checkpoint matched.' : `The sealed history is as it was up to ${whole} (${counts}).`;
  return `not intact: ${findingInWords(finding)}\n${before}\n`;
}

function presentInWords(rows: number): string {
  return `${counted(rows, 'row')} of custody.transactions, custody.vaults and custody.whitelist_entries, as people read them, ${rows === 1 ? 'follows' : 'follow'} from it. custody.balances is part of it.
Not proven: the time at which the service answered (source_timestamp, and timestamp in raw).
`;
}

function behindInWords(behind: SealVerdict['behind']): string {
  if (behind === null) return '';
  return `Not proven: the file has ${counted(behind.checkpoints, 'later checkpoint')}, up to ${grouped(behind.size)}, and this replica not all of their rows. Verify again when it has caught up with its primary; if it has, these rows are lost here.\n`;
}

/** The content of a row as it is sealed, from its bytes: numbers as texts, moments as ISO 8601 in UTC. */
export function contentInWords(content: Bytes): string {
  return `${JSON.stringify(shownValues(content)[0], null, 2)}\n`;
}

function shownValues(bytes: Bytes): unknown[] {
  return readValues(bytes).map(({ type, body }) => {
    if (type === 'a') return shownValues(body);
    if (type === 'z') return null;
    const text = toBuffer(body).toString();
    if (type === 'y') return text === 'true';
    if (type !== 'o') return type === 'm' ? shownMoment(text) : text;
    const members = shownValues(body);
    return Object.fromEntries(members.flatMap((name, n) => (n % 2 === 0 ? [[name, members[n + 1]]] : [])));
  });
}

function checkpointInWords({ size, signedAt }: CheckpointSeen): string {
  return `checkpoint ${grouped(size)}${signedAt === null ? '' : ` of ${signedAt}`}`;
}

function forkInWords({ size, origin, stored }: Extract<Finding, { readonly kind: 'fork' }>): string {
  const own = stored === null ? 'has none' : `has ${grouped(stored.size)} in its own last one`;
  const why =
    stored === null
      ? 'It is a backup or a replica from before anything was sealed, or CUSTODY_ACCOUNT is not the account of this log: check it first.'
      : stored.origin === origin
        ? 'It was restored to an older state, is a backup or a replica from before that checkpoint, or two databases were sealed with one key.'
        : `It is of the log ${origin}, and the account's log is ${stored.origin}: check that CUSTODY_ACCOUNT and the file belong together; if they do, the log was restarted.`;
  return `the log is a fork: a checkpoint of ${counted(size, 'row')} was signed that this database does not lead to, which ${own}. ${why}`;
}

const said = {
  changed: 'was changed since it was sealed',
  removed: 'was removed since it was sealed',
  inserted: 'was not there when its place in the history was sealed',
  moved: 'was moved to another place in the order of the history',
} as const;

export function findingInWords(finding: Finding): string {
  switch (finding.kind) {
    case 'fork':
      return forkInWords(finding);
    case 'unsigned':
      return `the checkpoint of ${counted(finding.size, 'row')} in sync.seal_checkpoints is not signed by a key that was given: it was changed, or the log has a further key (--key, SEAL_VERIFIER_KEYS).`;
    case 'between':
      return `one of the rows ${grouped(finding.from + 1)} to ${grouped(finding.to)} of the history is not as it was sealed. It is not known which one, because the stored tiles (internal.seal_tiles) do not lead to the checkpoint either.`;
    case 'present':
      return presentFindingInWords(finding);
    default: {
      const row = shownRow(finding);
      const isSnapshot = finding.table === snapshotTable.name && finding.kind === 'changed';
      const parts = isSnapshot ? ', or a balance that begins or ends with it,' : '';
      const which = finding.balance == null ? '' : ` ${presentFindingInWords(finding.balance)}`;
      const { tied = [] } = finding;
      const others = tied.length === 0 ? '' : ` With the same change_id: ${tied.map(shownRow).join(', ')}.`;
      return `first ${row}${parts} ${said[finding.kind]}.${which}${others}`;
    }
  }
}

function presentFindingInWords({ table, key, column, expected, shown }: PresentFinding): string {
  const row = shownRow({ table, key });
  if (column === null)
    return `${row} ${shown === null ? 'is missing: its history is there' : expected === null ? 'has no history: it was never observed' : 'is there more than once'}.`;
  const inWords = (value: string | null) =>
    value === null ? 'nothing' : shownValue(table, column, value).slice(0, longestShown);
  if (presentTables.some(({ name }) => name === table))
    return `${column} of ${row} does not follow from its history, which is as it was sealed: history says ${inWords(expected)}, the table says ${inWords(shown)}.`;
  const others =
    table === snapshotTable.name ? 'the balances' : 'its record, the balances around it and the snapshot';
  return `${column} of ${row} does not fit ${others}: they say ${inWords(expected)}, it says ${inWords(shown)}.`;
}
