// Writes docs/configuration.md and .env.example from the table of variables. The parsers themselves say
// which values are wrong.
import type { Variable } from '../../../src/base/config/options.ts';
import { variables } from '../../../src/base/config/variables.ts';
import { wrap } from '../../support/markdown.ts';
import { composeVariables } from './compose-variables.ts';

const entries: readonly (readonly [string, Variable])[] = Object.entries(variables);
/** The sections, by the groups of variables. */
const titles: Readonly<Record<string, string>> = {
  required: 'Required',
  key: 'Sending the key',
  service: 'The account and its requests',
  proxy: 'The proxy to the custody service',
  documents: 'Where vaults and whitelist entries are found',
  schedule: 'Schedules',
  process: 'Process',
  seal: 'Sealed history',
  http: 'Health, metrics and pages',
  log: 'Logs',
};
const groups = Object.entries(titles);
const inGroup = (group: string) => entries.filter(([, variable]) => variable.group === group);

/**
 * Between them they are wrong for every variable that does not take any text, in each way that its parser
 * tells apart.
 */
const wrongValues = [
  '?',
  '\u00e9',
  '+02:00',
  'ftp://custody.example',
  'https://user:word@custody.example',
  'https://custody.example/?a=b',
  'http://custody.example',
  'https://custody.example:6000',
  'postgres://host/pass@word/database',
  'postgres://host/database?sslmode=sometimes',
];

export function faultsOf({ schema }: Variable): readonly string[] {
  const issues = wrongValues.flatMap((value) => schema.safeParse(value).error?.issues ?? []);
  return [...new Set(issues.map(({ message }) => message))];
}

export function writeConfiguration(): string {
  const untitled = entries.filter(([, { group }]) => !Object.hasOwn(titles, group));
  if (untitled.length > 0) throw new TypeError(`no section for ${untitled.map(([name]) => name).join(', ')}`);
  const told = new Set<string>();
  const sections = groups.map(
    ([group, title]) =>
      `## ${title}\n\n${inGroup(group)
        .map(([name, v]) => item(name, v, told))
        .join('\n')}\n`,
  );
  const compose = composeVariables.map(({ name, meaning, fallback }) => {
    const shown = fallback === null ? 'the name of the directory' : code(fallback);
    return wrap(`- \`${name}\` (default: ${shown}): ${meaning}`, '  ');
  });
  return `${intro}
${sections.join('\n').replace(afterSchedules, `${schedules}\n${afterSchedules}`)}
## For Docker Compose alone

\`docker-compose.yml\` reads these itself. It takes the three secrets from files ([container.md](container.md#secrets))
and passes on every other variable above except \`HTTP_HOST\`, \`HTTP_PORT\`, \`HTTP_PROBES_PORT\`, \`HTTP_DATABASE_URL\`,
\`HTTP_PROXY\` (only the demo's address is http), the \`_FILE\` forms of these and of \`HTTPS_PROXY\`, and \`SEAL_KEY_FILE\`,
which [another file](container.md#sealed-history) sets.

${compose.join('\n')}

${others}`;
}

const intro = `# Configuration

For operators: every variable. \`npm run generate\` writes this file and [.env.example](../.env.example) from
[src/base/config/variables.ts](../src/base/config/variables.ts).

- Environment variables are the only configuration. An invalid one ends the command with exit code 2
  ([errors.md](errors.md)); all faults are reported together, as \`VARIABLE: fault\`. A rule that several variables share
  stands with the first.
- An empty variable counts as absent. White space around a value is ignored.
- Every command except \`sandbox\`, \`demo\` and \`seal init\` requires \`DATABASE_URL\`; \`run\`, \`sync\` and \`doctor\` also
  require \`CUSTODY_BASE_URL\` and \`CUSTODY_API_KEY\`.
- A secret can come from a file that \`X_FILE\` names. \`X\` and \`X_FILE\` together are refused, as is a file that cannot
  be read.
- A misspelled name (\`CUSTODY_RATE\`) is refused with the name that was probably meant. Names that Kubernetes and Docker
  inject are ignored.
`;

const afterSchedules = `## ${titles['process']}`;
const schedules = `### Schedules

A schedule is a cron expression of five fields, or of six with the seconds first, or \`off\`. A job never runs twice at
once. A job whose time passed while nothing ran is run once at the start. A job that would read nothing of
\`CUSTODY_RESOURCES\` does not run.

When the clocks of \`SCHEDULE_TIMEZONE\` change, an interval such as \`*/5 * * * *\` continues. A job whose time is skipped
runs right after the gap; one whose time comes twice runs once. Setting the machine's clock delays a job by one interval
at most ([every clock](correctness.md#every-clock)).

To spread many accounts, each is delayed by a fixed share of a span, derived from its name; \`default\` is not delayed.
The span is the time to the next tick, at most half a minute; for a schedule that comes due less often than every 24
minutes a forty-eighth of that time, at most half an hour (a daily sweep); 10 seconds for what is due at the start; 2
seconds before a lost database is tried again.

[Measured](performance.md#fresh): how fresh a schedule of transactions keeps the mirror, and its requests. Each run has
a row in \`sync.runs\`, 17,000 a day at one in 5 seconds, until [maintenance](operations.md#maintenance) removes it.
`;

const others = `## Variables of other software

| variable | read by | for |
|---|---|---|
| \`NODE_EXTRA_CA_CERTS\` | Node.js | your own certificate authority, for the custody service and its proxy ([connections.md](connections.md#certificates)) |
| \`NO_COLOR\` | \`status\`, \`doctor\`, \`key list\` | no colours on a terminal, if it holds anything |
| \`PGPASSWORD\`, \`PGPASSFILE\` | the driver of PostgreSQL | the password, if \`DATABASE_URL\` or \`HTTP_DATABASE_URL\` holds none; \`PGPASSFILE\` names a file like \`~/.pgpass\`, which is read too |
| \`PG…\` | the driver of PostgreSQL | what else these addresses leave out, as for psql (\`PGUSER\`, \`PGHOST\`, \`PGOPTIONS\`). Write \`sslmode\` and \`sslrootcert\` into the address: \`PGSSLROOTCERT\` is not read, and \`PGSSLMODE=require\` checks the certificate as well, unlike psql |
| \`OTEL_…\` | OpenTelemetry | traces ([http.md](http.md#traces)) |
`;

/** A fault that an earlier variable has is not written again. */
function item(name: string, variable: Variable, told: Set<string>): string {
  const { meaning, form, fallback, otherwise, file } = variable;
  const names = file === undefined ? `\`${name}\`` : `\`${name}\` or \`${name}_FILE\``;
  const shown = fallback === null ? '**required**' : `default: ${otherwise ?? code(fallback)}`;
  const faults = faultsOf(variable);
  const limits = faults.filter((fault) => !told.has(fault));
  for (const fault of faults) if (!fault.startsWith(wholeNumber)) told.add(fault);
  const value = valueInWords(form, limits);
  return wrap(`- ${names} (${shown}): ${`${meaning} ${file ?? ''}`.trim()} Value: ${value}.`, '  ');
}

const wholeNumber = 'must be a whole number from ';

/** A single fault says which values are right; several, or one with asterisks, read worse than the form. */
function valueInWords(form: string, [first, ...others]: readonly string[]): string {
  if (first === undefined || others.length > 0 || first.includes('*')) return form;
  const bounds = first.startsWith(wholeNumber) ? first.slice(wholeNumber.length) : undefined;
  if (bounds !== undefined) return /^\d+ to \d+$/.test(bounds) ? `${bounds} ${form}` : `${form}; ${bounds}`;
  return literal(first.replace(/^must be /, ''));
}

function code(text: string): string {
  return text === '' ? 'empty' : `\`${text}\``;
}

/** Text in which no sign formats. */
function literal(text: string): string {
  return text.replace(/[\\*_|<>]/g, '\\$&');
}

export function writeEnvExample(): string {
  const sections = groups.map(
    ([group, title]) =>
      `# --- ${title}\n\n${inGroup(group)
        .map(([name, v]) => setting(name, v))
        .join('')}`,
  );
  const compose = composeVariables.map(
    ({ name, meaning, fallback, set }) =>
      `${comment(meaning)}${set === undefined ? `#${name}=${fallback}` : `${name}=${set}`}\n`,
  );
  return `# Copy to .env and fill in. Lines that begin with # show a default; remove the # to change it.
# Docker Compose takes the secrets from files only: see the end. docs/configuration.md says more.
# This file is made by npm run generate.

${sections.join('\n')}
# --- For Docker Compose alone, which takes the three secrets from files (docs/container.md)

${compose.join('')}`;
}

function setting(name: string, { meaning, form, fallback, example, file }: Variable): string {
  const line = fallback === null ? `${name}=${example}` : `#${name}=${fallback}`;
  const path = file === undefined ? '' : `#${name}_FILE=/run/secrets/${name.toLowerCase()}\n`;
  return `${comment(`${meaning} (${form})`)}${line}\n${path}`;
}

/** Markdown as plain text, in lines of a comment. */
function comment(markdown: string): string {
  const words = markdown
    .replace(/ \(\[[^\]]+\]\([^)]+\)\)/g, '')
    .replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll('`', '')
    .split(' ');
  const lines = [''];
  for (const word of words) {
    const last = lines.at(-1) ?? '';
    if (last.length + word.length > 115) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.map((line) => `# ${line}\n`).join('');
}
