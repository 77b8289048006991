// `custody-mirror doctor`: checks one by one what the mirror needs, with the fix, and tells what was learned
// about the service and what it costs to run. It writes nothing and sends five small requests at most.
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { type Config, parseConfig } from '../../base/config/config.ts';
import { hostsOf } from '../../base/config/database-url.ts';
import { Late, within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { agoInWords, counted, lengthInWords } from '../../domain/words.ts';
import { isThisMachine } from '../../server/protect.ts';
import { learnedInWords } from '../../status/words.ts';
import { readRunCosts } from '../../store/job-queries/diagnosis.ts';
import { readStatus, type StatusReport } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { costFindings } from '../doctor/cost.ts';
import { checkBinding, checkDatabase } from '../doctor/database.ts';
import { bad, createFindingList, type Finding, type FindingList, note, ok } from '../doctor/finding.ts';
import { checkCertificate, checkName, describeRoute } from '../doctor/network.ts';
import { checkPort } from '../doctor/port.ts';
import { checkService } from '../doctor/service.ts';
import { type CommandContext, type CommandScope, withCommandScope } from '../setup/command-scope.ts';
import { composeDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { hasColor } from '../text/terminal.ts';

const secretFiles = [
  'CUSTODY_API_KEY_FILE',
  'DATABASE_URL_FILE',
  'HTTP_TOKEN_FILE',
  'HTTPS_PROXY_FILE',
] as const;
const loopback = /^(localhost|127\..*|\[::1\]|%2f.*|)$/i;

/** How long the checks of the database may take together. */
const databaseWithinMs = 30_000;

export async function doctorCommand(context: CommandContext): Promise<ExitCode> {
  const list = createFindingList((text) => void context.stdout.write(text), {
    width: context.stdout.columns ?? 100,
    color: hasColor(context),
  });
  list.begin('Configuration');
  const config = readConfig(context, list);
  if (config !== null) {
    list.add(...(await checkPort(config.http)));
    // What the client would log is among the findings.
    const log = { ...config.log, level: 'silent' } as const;
    await withCommandScope({ ...context, log }, async (scope, signal) => {
      list.begin('Custody service');
      await examineService(config, scope, signal, list);
      list.begin('Database');
      const database = composeDatabase(config.database.url, scope);
      await within(databaseWithinMs, examineDatabase(config, database, list)).catch((error: unknown) => {
        if (!(error instanceof Late)) throw error;
        const late = `no whole answer within ${lengthInWords(databaseWithinMs)}`;
        list.add(bad('database', late, 'check its load, and what holds locks'));
      });
    });
  }
  const verdict =
    list.faults === 0 ? 'Everything the mirror needs is there.' : `${counted(list.faults, 'fault')} to fix.`;
  context.stdout.write(`\n${verdict}\n`);
  return list.faults === 0 ? exitCodes.ok : exitCodes.failed;
}

async function examineService(
  config: Config,
  scope: CommandScope,
  signal: AbortSignal,
  list: FindingList,
): Promise<void> {
  const { baseUrl, proxy } = config.custody;
  list.add(describeRoute(proxy));
  // Behind a proxy this machine need not find the service by its name.
  const reached = [
    ...(await nameOf(proxy?.host ?? baseUrl.hostname)),
    await checkCertificate('encryption', baseUrl, proxy),
  ];
  list.add(...reached);
  if (reached.some(({ verdict }) => verdict === 'bad')) return;
  await checkService(config, scope, signal, (finding) => list.add(finding));
}

function readConfig(context: CommandContext, list: FindingList): Config | null {
  try {
    const config = parseConfig(context);
    list.add(
      ok('variables', 'every one can be read'),
      ...secretFiles.flatMap((name) => exposure(name, context.env[name]?.trim())),
      ...openness(config),
    );
    return config;
  } catch (error) {
    if (!(error instanceof MirrorError) || error.code !== 'CONFIGURATION') throw error;
    for (const line of error.message.split('\n')) {
      const [, variable = 'variables', fault = line] = /^([A-Za-z0-9_]+): (.*)$/.exec(line) ?? [];
      list.add(bad(variable, fault));
    }
    return null;
  }
}

/** Metrics that everybody who reaches the address may read. */
function openness({ http }: Config): Finding[] {
  if (isThisMachine(http.host) || http.token !== null) return [];
  const result = `${http.host}: metrics are open to everybody who reaches this address, pages and API to those with a key`;
  const fix = 'set HTTP_TOKEN_FILE to close metrics too; custody-mirror key create makes a key';
  return [note('HTTP_HOST', result, fix)];
}

/** A file with a secret that every user of the machine can read. */
function exposure(variable: string, path: string | undefined): Finding[] {
  if (path === undefined || path === '' || process.platform === 'win32') return [];
  const file = statSync(path, { throwIfNoEntry: false });
  const isReached = ((statSync(dirname(path), { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
  if (file === undefined || (file.mode & 0o004) === 0 || !isReached)
    return [ok(variable, 'not open to every user of this machine')];
  const isGroups = (file.mode & 0o040) !== 0 && process.getgroups?.().includes(file.gid) === true;
  if (file.uid === process.getuid?.() || isGroups)
    return [note(variable, 'every user of this machine may read the file', `chmod o-r ${path}`)];
  // Closed to others it would be closed to this process too: a file of the host, mounted into a container.
  const result = `belongs to user ${file.uid}, and this process (user ${process.getuid?.()}) reads it as any other would; keep the folder it comes from closed to others (mode 700)`;
  return [ok(variable, result)];
}

/** An IP address needs no lookup, and a socket has no host. */
async function nameOf(host: string): Promise<readonly Finding[]> {
  return /^(%2f.*)?$/i.test(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0
    ? []
    : [await checkName('name', host)];
}

async function examineDatabase(config: Config, database: Database, list: FindingList): Promise<void> {
  const hosts = hostsOf(config.database.url.reveal());
  const isRemote = hosts.some((host) => !loopback.test(host));
  for (const host of hosts) list.add(...(await nameOf(host)));
  const { account, baseUrl } = config.custody;
  const { findings, isMigrated } = await checkDatabase(database, config.schedule.timezone, isRemote);
  list.add(...findings);
  const report = isMigrated ? await readStatus(database, account) : null;
  if (report !== null) list.add(checkBinding(report.baseUrl, account, baseUrl.href));
  const known = report === null ? [] : learned(report);
  if (known.length > 0) {
    list.begin('Learned about the service');
    list.add(...known);
  }
  list.begin('Cost');
  list.add(...costFindings(config, isMigrated ? await readRunCosts(database, account) : []));
}

function learned(report: StatusReport): readonly Finding[] {
  return learnedInWords(report).map(({ fact, value, evidence, updatedAt }) =>
    ok(fact, `${value}, learned ${agoInWords(updatedAt, report.readAt)}: ${evidence}`),
  );
}
