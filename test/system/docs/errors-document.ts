// Writes docs/errors.md from the table of codes.
import { exitCodes } from '../../../src/cli/setup/exit.ts';
import {
  type CodeText,
  clientCodes,
  custodyErrorCodes,
  custodyErrors,
  mirrorErrors,
  otherCodes,
} from '../../../src/domain/error-codes.ts';

export function writeErrors(): string {
  const service = custodyErrorCodes.map((code) => [code, custodyErrors[code]] as const);
  const told = new Map<string, string>();
  return `# Errors

For operators: what each code means, and what to do. \`npm run docs:generate\` writes this file from
[src/domain/error-codes.ts](../src/domain/error-codes.ts).

A command names the code of a failure in brackets. Two failures show none: \`CONFIGURATION\`, whose message begins with
"Invalid configuration:", and a fault of the program, shown with its stack. The code is \`code\` in the log, \`error_code\`
in \`sync.runs\`, \`error.type\` in traces, and part of \`problem\` in \`reporting.health_problems\`. A message never holds a
key or a password.

## Exit codes

| exit code | meaning | of |
|---|---|---|
| ${exitCodes.ok} | Done. \`run\`, \`serve\`, \`sandbox\`, \`demo\`: ended by SIGTERM or SIGINT. \`status\`: healthy. | every command |
| ${exitCodes.failed} | Failed; what succeeded before is kept. \`status\`: not healthy, or not readable. \`doctor\`: something has to be fixed. \`migrate --check\`: a migration is pending. \`grant --check\`: the role is not a reader and nothing else. A second signal ends \`run\` with this code at once. | every command |
| ${exitCodes.configuration} | \`CONFIGURATION\`, or an option that the command does not know. Do not start it again before it is corrected. | every command; \`doctor\` reports a wrong configuration as a finding and ends with ${exitCodes.failed} |
| ${exitCodes.keyRejected} | The service rejected the key (\`ERR-02\`, HTTP 401). | \`sync\` |

The daemon ends with ${exitCodes.failed} if it cannot reach the database at its start; its service manager starts it again. Of later
failures, only \`SCHEMA-NEWER\` ends it.

## Codes of the mirror

They end a command with ${exitCodes.failed} (\`CONFIGURATION\`: ${exitCodes.configuration}).

${table(Object.entries(mirrorErrors), told)}

## Codes of the service

These fail a run: \`sync\` ends with ${exitCodes.failed} (\`ERR-02\`: ${exitCodes.keyRejected}), the daemon retries by its schedule. [Transient
faults](custody-service.md#invalid-responses) are retried before that.

${table(service, told)}

## Faults on the way to the service

${table(Object.entries(clientCodes), told)}

## Other codes

${table(Object.entries(otherCodes), told)}

## Other lists of codes

| codes | where |
|---|---|
| problems of the mirror (\`reporting.health_problems\`) | [operations.md](operations.md#what-health-means) |
| doubts of a sweep (\`sync.runs.verdict\`) | [correctness.md](correctness.md#what-makes-a-sweep-unverified), with what helps in [operations.md](operations.md#when-no-sweep-is-verified) |
| kinds of \`sync.anomalies\` | [data.md](data.md#anomalies) |
| deviations that are read anyway | [custody-service.md](custody-service.md#tolerated-deviations) |
`;
}

/** A fix that an earlier code has is not written again. */
function table(
  rows: readonly (readonly [string, CodeText | undefined])[],
  told: Map<string, string>,
): string {
  const lines = rows.map(([code, text]) => {
    const fix = sentence(text?.fix ?? '');
    const before = fix.split(' ').length > 3 ? told.get(fix) : undefined;
    if (before === undefined) told.set(fix, shown(code));
    return `| ${shown(code)} | ${text?.meaning} | ${before === undefined ? fix : `As for ${before}.`} |`;
  });
  return ['| code | meaning | what to do |', '|---|---|---|', ...lines].join('\n');
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
