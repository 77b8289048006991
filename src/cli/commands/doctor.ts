// `custody-mirror doctor`: checks the mirror's requirements one by one, each with a fix, and shows what was
// learned about the service and the number of requests that mirroring takes. It writes nothing and sends at
// most five small requests.
import { existsSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname } from 'node:path';
import { type Config, parseConfig } from '../../base/config/config.ts';
import { hostsOf } from '../../base/config/database-url.ts';
import { Late, within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { agoInWords, counted, lengthInWords } from '../../domain/words.ts';
import { missingFile } from '../../seal/checkpoints-file.ts';
import { isThisMachine } from '../../server/protect.ts';
import { learnedInWords, sealedInWords } from '../../status/words.ts';
import { readRunCosts } from '../../store/job-queries/diagnosis.ts';
import { readStatus, type StatusReport } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { costFindings } from '../doctor/cost.ts';
import { checkBinding, checkDatabase, checkReader } from '../doctor/database.ts';
import { bad, createFindingList, type Finding, type FindingList, note, ok } from '../doctor/finding.ts';
import { checkCertificate, checkName, describeRoute } from '../doctor/network.ts';
import { checkPorts } from '../doctor/port.ts';
import { checkService } from '../doctor/service.ts';
import { type CommandContext, type CommandScope, withCommandScope } from '../setup/command-scope.ts';
import { composeDatabase, composeReadDatabase } from '../setup/compose.ts';
import { type ExitCode, exitCodes } from '../setup/exit.ts';
import { exposedKey } from '../setup/verifying.ts';
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
    list.add(...(await checkPorts(config.http)));
    // The findings include what the client would log.
    const log = { ...config.log, level: 'silent' } as const;
    await withCommandScope({ ...context, log }, async (scope, signal) => {
      list.begin('Custody service');
      await examineService(config, scope, signal, list);
      list.begin('Database');
      const database = composeDatabase(config.database.url, scope);
      const reading = config.http.database.url === null ? null : composeReadDatabase(config, scope);
      await within(databaseWithinMs, examineDatabase(config, database, reading, list)).catch(
        (error: unknown) => {
          if (!(error instanceof Late)) throw error;
          const late = `no complete answer within ${lengthInWords(databaseWithinMs)}`;
          list.add(bad('database', late, 'check its load and its locks'));
        },
      );
    });
  }
  const verdict =
    list.faults === 0 ? 'The mirror has all it needs.' : `${counted(list.faults, 'fault')} to fix.`;
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
      ok('variables', 'all valid'),
      ...secretFiles.flatMap((name) => exposure(name, context.env[name]?.trim())),
      ...keyFile(context),
      ...closedMetrics(config),
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

/** Metrics that nobody can read. */
function closedMetrics({ http }: Config): Finding[] {
  if (isThisMachine(http.host) || http.token !== null || http.serve === 'all') return [];
  const result = `${http.host}: metrics need the token, and there is none`;
  const fix = 'set HTTP_TOKEN_FILE: keys are for processes that serve pages and API';
  return [note('HTTP_HOST', result, fix)];
}

/** A secret file that every user of the machine can read. */
function exposure(variable: string, path: string | undefined): Finding[] {
  if (path === undefined || path === '' || process.platform === 'win32') return [];
  const file = statSync(path, { throwIfNoEntry: false });
  const isReached = ((statSync(dirname(path), { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
  if (file === undefined || (file.mode & 0o004) === 0 || !isReached)
    return [ok(variable, 'not readable by every user of this machine')];
  const isGroups = (file.mode & 0o040) !== 0 && process.getgroups?.().includes(file.gid) === true;
  if (file.uid === process.getuid?.() || isGroups)
    return [note(variable, 'every user of this machine can read the file', `chmod o-r ${path}`)];
  // Closing it to others would also close it to this process: it is a file of the host, mounted into a
  // container.
  const result = `belongs to user ${file.uid}, so this process (user ${process.getuid?.()}) reads it as any other user would; keep its folder closed to others (mode 700)`;
  return [ok(variable, result)];
}

/** The key that signs, as `ssh` wants its own. */
function keyFile(context: CommandContext): Finding[] {
  if (!context.env['SEAL_KEY_FILE']?.trim()) return [];
  const exposed = exposedKey(context);
  if (exposed === null) return [ok('SEAL_KEY_FILE', "open to nobody but the file's owner")];
  return [note('SEAL_KEY_FILE', exposed.problem, exposed.fix)];
}

/** An IP address needs no lookup. */
async function nameOf(host: string): Promise<readonly Finding[]> {
  return isIP(host.replace(/^\[|\]$/g, '')) !== 0 ? [] : [await checkName('name', host)];
}

async function examineDatabase(
  config: Config,
  database: Database,
  reading: Database | null,
  list: FindingList,
): Promise<void> {
  const hosts = hostsOf(config.database.url.reveal());
  const isRemote = hosts.some((host) => !loopback.test(host));
  for (const host of hosts) list.add(...(await nameOf(host)));
  const { account, baseUrl } = config.custody;
  const { findings, isMigrated } = await checkDatabase(database, config.schedule.timezone, isRemote);
  list.add(...findings);
  if (reading !== null && isMigrated) list.add(await checkReader(reading));
  const report = isMigrated ? await readStatus(database, account) : null;
  if (report !== null) list.add(checkBinding(report.baseUrl, account, baseUrl.href));
  if (report !== null && (config.seal.key !== null || report.sealed !== null))
    list.add(...sealed(report, config));
  const known = report === null ? [] : learned(report);
  if (known.length > 0) {
    list.begin('Learned about the service');
    list.add(...known);
  }
  list.begin('Cost');
  list.add(...costFindings(config, isMigrated ? await readRunCosts(database, account) : []));
}

/** Whether the history is sealed and verified, up to when, and what stops it. */
function sealed(report: StatusReport, { seal: { checkpointsFile } }: Config): readonly Finding[] {
  const stops = report.problems.filter(({ code }) => code === 'sealing-stopped');
  const [rows, verified] = sealedInWords(report);
  const found = report.sealed?.finding == null ? ok : bad;
  return [
    rows === undefined ? note('sealed history', 'nothing is sealed') : ok('sealed history', rows),
    ...stops.map(({ problem, fix }) => bad('sealing', problem, fix)),
    ...(verified === undefined ? [] : [found('verification', verified)]),
    ...(report.sealed === null || checkpointsFile === null ? [] : missing(checkpointsFile)),
  ];
}

/** A standby without its own file would be refused when it takes over. */
function missing(path: string): readonly Finding[] {
  if (existsSync(path)) return [];
  const { problem, fix } = missingFile(path);
  return [bad('SEAL_CHECKPOINTS_FILE', `${path} ${problem}`, fix)];
}

function learned(report: StatusReport): readonly Finding[] {
  return learnedInWords(report).map(({ fact, value, evidence, updatedAt }) =>
    ok(fact, `${value}, learned ${agoInWords(updatedAt, report.readAt)}: ${evidence}`),
  );
}
