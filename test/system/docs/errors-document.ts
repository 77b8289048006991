// Writes docs/errors.md from the table of codes.
import { signalsHeard } from '../../../src/base/lifecycle.ts';
import { exitCodes } from '../../../src/cli/setup/command-scope.ts';
import { wrap } from '../../support/markdown.ts';
import { type CodeText, clientErrors, mirrorErrors, otherCodes, serviceErrors } from './error-texts.ts';

export function writeErrors(): string {
  const told = new Map<string, string>();
  return `# Errors

For operators: what each code means, and what to do. \`npm run generate\` writes this file from
[src/domain/errors.ts](../src/domain/errors.ts) and
[test/system/docs/error-texts.ts](../test/system/docs/error-texts.ts).

A command names the code of a failure in brackets. Two failures show none: \`CONFIGURATION\`, whose message begins with
"Invalid configuration:", and a fault of the program, shown with its stack. The code is \`code\` in the log, \`error_code\`
in \`sync.runs\`, \`error.type\` in traces, and part of \`problem\` in \`reporting.health_problems\`. A message never holds a
key or a password.

## Exit codes

- ${exitCodes.ok}: Done. \`run\`, \`serve\`, \`sandbox\`, \`demo\`: ended by ${signalsHeard.stop.join(', ')}.
  \`status\`: healthy.
- ${exitCodes.failed}: Failed; what succeeded before is kept. \`status\`: not healthy, or not readable. \`doctor\`: something has to be
  fixed. \`migrate --check\`: a migration is pending.
  An HTTP address that is taken or not yet there. A second signal ends \`run\` with this code at once.
- ${exitCodes.configuration}: Any other \`CONFIGURATION\`, or an option that the command does not know. Do not start it again before it is
  corrected. \`doctor\` reports a wrong configuration as a finding and ends with ${exitCodes.failed}.
- ${exitCodes.keyRejected}: The service rejected the key (\`ERR-02\`, HTTP 401), which ends only \`sync\`; or
  \`verify\` [verified nothing](audit.md#checking-it).

The daemon ends with ${exitCodes.failed} if it cannot reach the database at its start; its service manager starts it again. Of later
failures, only \`SCHEMA-NEWER\`, \`ACCOUNT-MISSING\` and \`JOB-STALLED\` end it, with ${exitCodes.failed} as well.

## Codes of the mirror

They end a command with ${exitCodes.failed} (\`CONFIGURATION\`: mostly ${exitCodes.configuration}). \`verify\` ends with 3 where nothing was verified.

${list(Object.entries(mirrorErrors), told)}

## Codes of the service

These fail a run: \`sync\` ends with ${exitCodes.failed} (\`ERR-02\`: ${exitCodes.keyRejected}), the daemon retries by its schedule. [Transient
faults](custody-service.md#invalid-responses) are retried before that.

${list(Object.entries(serviceErrors), told)}

## Faults on the way to the service

${list(Object.entries(clientErrors), told)}

## Other codes

${list(Object.entries(otherCodes), told)}

## Other lists of codes

[Problems of the mirror](operations.md#what-health-means) (\`reporting.health_problems\`), [doubts of a
sweep](correctness.md#what-makes-a-sweep-unverified) (\`sync.runs.verdict\`) and [what
helps](operations.md#when-no-sweep-is-verified), [kinds of anomalies](data.md#anomalies) (\`sync.anomalies\`), [tolerated
deviations](custody-service.md#tolerated-deviations).
`;
}

/** A fix that an earlier code has is not written again. */
function list(codes: readonly (readonly [string, CodeText])[], told: Map<string, string>): string {
  const items = codes.map(([code, text]) => {
    const fix = sentence(text.fix);
    const before = fix.split(' ').length > 3 ? told.get(fix) : undefined;
    if (before === undefined) told.set(fix, shown(code));
    const shownFix = before === undefined ? fix : `As for ${before}.`;
    return wrap(`- ${shown(code)}: ${text.meaning} **Fix:** ${shownFix}`, '  ');
  });
  return items.join('\n');
}

/** A code, or words about several. */
function shown(code: string): string {
  return code.includes(' ') ? code : `\`${code}\``;
}

/** Names of variables and commands stand plain where a terminal shows them. */
function sentence(fix: string): string {
  const text = fix
    .replace(/(?<![`\w])[A-Z]+(?:_[A-Z]+)+(?![`\w])/g, '`$&`')
    .replace(/(?<!`)custody-mirror doctor/g, '`$&`');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
