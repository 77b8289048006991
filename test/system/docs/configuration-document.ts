// Writes docs/configuration.md and .env.example from the table of variables. What a wrong value is answered
// with, the parsers say themselves.
import { type Variable, variableGroups } from '../../../src/base/config/options.ts';
import { variables } from '../../../src/base/config/variables.ts';
import { composeVariables } from './compose-variables.ts';

const entries: readonly (readonly [string, Variable])[] = Object.entries(variables);
const groups = Object.entries(variableGroups);
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
  const sections = groups.map(
    ([group, title]) => `## ${title}\n\n${table(inGroup(group).flatMap(([name, v]) => rows(name, v)))}\n`,
  );
  const compose = composeVariables.map(
    ({ name, meaning, fallback }) =>
      `| \`${name}\` | ${meaning} | ${fallback === null ? 'the name of the directory' : code(fallback)} |`,
  );
  return `${intro}
${sections.join('\n').replace(afterSchedules, `${schedules}\n${afterSchedules}`)}
## For Docker Compose alone

\`docker-compose.yml\` reads these itself. It takes the three secrets from files ([container.md](container.md#secrets)) and hands on every other
variable above, but \`HTTP_HOST\`, \`HTTP_PORT\`, \`HTTP_PROBES_PORT\`, \`HTTP_DATABASE_URL\`, \`HTTP_DATABASE_URL_FILE\`, the files of proxies, \`HTTP_PROXY\` (no http address but
the demo's is used there), and \`SEAL_KEY_FILE\`, which [a file beside it](container.md#sealed-history) sets.

| variable | meaning | default |
|---|---|---|
${compose.join('\n')}

${others}`;
}

const intro = `# Configuration

For whoever runs custody-mirror: every variable, made from the table that the program reads ([src/base/config/variables.ts](../src/base/config/variables.ts)) by
\`npm run docs:generate\`. [.env.example](../.env.example) holds the same, ready to be filled in.

- Configuration comes from environment variables alone. All faults are reported together, each as \`VARIABLE: what is wrong\`, with
  exit code 2 ([errors.md](errors.md)). The last column shows what follows the colon.
- An empty variable counts as absent. White space around a value does not count.
- \`DATABASE_URL\` is required by every command but \`sandbox\` and \`demo\`. \`CUSTODY_BASE_URL\` and \`CUSTODY_API_KEY\` are required by \`run\`, \`sync\` and \`doctor\`;
  \`migrate\`, \`grant\`, \`key\` and \`status\` do without them.
- A secret can come from a file: \`X_FILE\` holds the path of the file, and \`X\` is then not set. Set one of the two.
- A name that looks like one of these and is not (\`CUSTODY_RATE\`) is refused, with the name that was probably meant. Names that Kubernetes and Docker
  inject are left alone.
`;

const afterSchedules = `## ${variableGroups.process}`;
const schedules = `### Schedules

A schedule is a cron expression of five fields, or of six with the seconds first, or \`off\`. A job never runs beside itself. A job whose time passed while
nothing ran is run once at the start. A job that would read nothing of \`CUSTODY_RESOURCES\` does not run.

When the clocks of \`SCHEDULE_TIMEZONE\` change, an interval such as \`*/5 * * * *\` continues. A job whose time is skipped runs right after the gap, and one whose time comes
twice runs once. Setting the machine's clock back or forward delays a job by one interval at most ([every clock](correctness.md#every-clock)).

So that many accounts do not all begin in the same second, each is delayed by a fixed share of a span; the share comes from the account's name. The span is the time to the next tick, at most
half a minute; for a schedule that comes due less often than every 24 minutes a forty-eighth of that time, at most half an hour (a daily sweep); 10 seconds for what is due at
the start; and 2 seconds before a lost database is tried again. The account \`default\` is not delayed.

How fresh a schedule of transactions keeps the mirror, and how many requests it takes, [is measured](performance.md#fresh).
Each run has a row in \`sync.runs\`, 17,000 a day at one in 5 seconds, until [maintenance](operations.md#maintenance) removes it.
`;

const others = `## Variables of other software

| variable | read by | for |
|---|---|---|
| \`NODE_EXTRA_CA_CERTS\` | Node.js | your own certificate authority, for the custody service and its proxy ([connections.md](connections.md#certificates)) |
| \`NO_COLOR\` | \`status\`, \`doctor\`, \`key list\` | no colours on a terminal, if it holds anything |
| \`PGPASSWORD\`, \`PGPASSFILE\` | the driver of PostgreSQL | the password, where \`DATABASE_URL\` or \`HTTP_DATABASE_URL\` holds none; the second names a file like \`~/.pgpass\`, which is read too |
| \`PG…\` | the driver of PostgreSQL | whatever else these addresses leave out, as \`PGUSER\`, \`PGHOST\` and \`PGOPTIONS\` do for psql. Write \`sslmode\` into the address: \`PGSSLMODE=require\` checks the certificate as well, unlike psql |
| \`OTEL_…\` | OpenTelemetry | traces ([http.md](http.md#traces)) |
`;

function table(lines: readonly string[]): string {
  return [
    '| variable | meaning | a value is | default | a wrong value is answered with |',
    '|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

function rows(name: string, variable: Variable): string[] {
  const { meaning, form, fallback, otherwise, file } = variable;
  const shown = fallback === null ? '**required**' : (otherwise ?? code(fallback));
  const faults = faultsOf(variable).map(literal);
  const own = `| \`${name}\` | ${meaning} | ${form} | ${shown} | ${faults.join('<br>') || 'any text is taken'} |`;
  if (file === undefined) return [own];
  const about = `A file that holds \`${name}\`, in its place. ${file}`.trim();
  const wrong = [`set either ${name} or ${name}_FILE, not both`, 'the file it names cannot be read (ENOENT)'];
  return [own, `| \`${name}_FILE\` | ${about} | path | | ${wrong.map(literal).join('<br>')} |`];
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
# This file is made by npm run docs:generate.

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
