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
  return `# Errors

For whoever runs custody-mirror: what each code means, and what to do. Made from [src/domain/error-codes.ts](../src/domain/error-codes.ts) by
\`npm run docs:generate\`.

A command names the code of a failure in brackets, unless it is \`CONFIGURATION\`, whose message begins with "Invalid configuration:", or a fault of the program, which is
shown with its stack. The log has it as \`code\`, \`sync.runs\` as \`error_code\`, the view \`reporting.health_problems\` names it in
\`problem\`, and traces carry it as \`error.type\`. A message never holds a key or a password.

## Exit codes

| exit code | meaning | of |
|---|---|---|
| ${exitCodes.ok} | Done. \`run\`, \`serve\`, \`sandbox\`, \`demo\`: ended by SIGTERM or SIGINT. \`status\`: healthy. | every command |
| ${exitCodes.failed} | Failed; what succeeded before is kept. \`status\`: not healthy, or not readable. \`doctor\`: something has to be fixed. \`migrate --check\`: a migration is pending. \`grant --check\`: the role is not a reader and nothing else. A second signal ends \`run\` with this code at once. | every command |
| ${exitCodes.configuration} | \`CONFIGURATION\`, or an option that the command does not know. Do not start it again before it is corrected. | every command; \`doctor\` reports a wrong configuration as a finding and ends with ${exitCodes.failed} |
| ${exitCodes.keyRejected} | The service rejected the key (\`ERR-02\`, HTTP 401). | \`sync\` |

The daemon ends with ${exitCodes.failed} when the database cannot be reached at its start, so that its service manager starts it again. Later failures do not end it,
except \`SCHEMA-NEWER\`.

## Codes of the mirror

They end a command with ${exitCodes.failed} (\`CONFIGURATION\`: ${exitCodes.configuration}).

${table(Object.entries(mirrorErrors))}

## Codes of the service

These fail a run: \`sync\` ends with ${exitCodes.failed} (\`ERR-02\`: ${exitCodes.keyRejected}), and the daemon goes on and tries again by its schedule. Faults that may pass are tried again before
that ([which](custody-service.md#invalid-responses)).

${table(service)}

## Faults on the way to the service

${table(Object.entries(clientCodes))}

## Other codes

${table(Object.entries(otherCodes))}

## Other lists of codes

| codes | where |
|---|---|
| problems of the mirror (\`reporting.health_problems\`) | [operations.md](operations.md#what-health-means) |
| doubts of a sweep (\`sync.runs.verdict\`) | [correctness.md](correctness.md#what-makes-a-sweep-unverified), with what helps in [operations.md](operations.md#when-no-sweep-is-verified) |
| kinds of \`sync.anomalies\` | [data.md](data.md#anomalies) |
| deviations that are read anyway | [custody-service.md](custody-service.md#tolerated-deviations) |
`;
}

function table(rows: readonly (readonly [string, CodeText | undefined])[]): string {
  const lines = rows.map(
    ([code, text]) => `| ${shown(code)} | ${text?.meaning} | ${sentence(text?.fix ?? '')} |`,
  );
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
