// What `verify` prints.
import { counted, grouped } from '../../domain/words.ts';
import type { Finding } from '../../seal/diagnosis.ts';
import { shownKey } from '../../seal/keys.ts';
import type { CheckpointSeen, Verdict } from '../../seal/verify.ts';

export function verdictText(verdict: Verdict, account: string): string {
  const { finding, upTo, checkpoints, thinned, unsealed } = verdict;
  const whole = upTo === null ? 'no checkpoint' : checkpointInWords(upTo);
  const counts = `${counted(checkpoints, 'checkpoint')} met, ${counted(thinned, 'row')} thinned since`;
  if (finding === null)
    return `intact: the history of ${account} is as it was sealed, up to ${whole} (${counts}, ${counted(unsealed, 'row')} not sealed yet)\n`;
  return `not intact: ${findingInWords(finding)}\nAs it was sealed: up to ${whole} (${counts}).\n`;
}

function checkpointInWords({ size, signedAt }: CheckpointSeen): string {
  return `checkpoint ${grouped(size)}${signedAt === null ? '' : ` of ${signedAt}`}`;
}

const said = {
  changed: 'was changed since it was sealed',
  removed: 'was removed since it was sealed',
  inserted: 'was not there when its place in the history was sealed',
  moved: 'was moved to another place in the order of the history',
} as const;

function findingInWords(finding: Finding): string {
  switch (finding.kind) {
    case 'fork':
      return `the log is a fork: a checkpoint of ${counted(finding.size, 'row')} was signed that this database does not lead to, whose own last one has ${grouped(finding.stored)}. It was restored to an older state, or two databases were sealed with one key.`;
    case 'unsigned':
      return `the checkpoint of ${counted(finding.size, 'row')} in sync.seal_checkpoints is not signed by the key.`;
    case 'between':
      return `something behind the first ${grouped(finding.from)} rows and within the first ${grouped(finding.to)} is not as it was sealed. Which row it is cannot be told, because the stored tiles do not lead to the checkpoint either.`;
    default: {
      const row = `${finding.table} (${shownKey(finding.table, finding.key)})`;
      const parts =
        finding.table === 'custody.balance_snapshots' && finding.kind === 'changed'
          ? ', or a balance that begins or ends with it,'
          : '';
      return `first ${row}${parts} ${said[finding.kind]}.`;
    }
  }
}
