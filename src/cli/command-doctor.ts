// `custody-mirror doctor`: checks everything the mirror needs, one by one, each with its result and the mend, and tells what
// was learned about the service and what it costs to run. It writes nothing and sends five small requests at most.
import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Config, parseConfig } from '../base/config.ts';
import { MirrorError } from '../domain/errors.ts';
import { agoInWords } from '../domain/words.ts';
import type { Database } from '../store/database.ts';
import { readRunCosts } from '../store/diagnosis.ts';
import { readStatus, type StatusReport } from '../store/status.ts';
import { composeDatabase } from './compose.ts';
import { costFindings } from './doctor-cost.ts';
import { checkBinding, checkDatabase } from './doctor-database.ts';
import { checkCertificate, checkName } from './doctor-network.ts';
import { checkService } from './doctor-service.ts';
import { type ExitCode, exitCodes } from './exit.ts';
import { type Finding, type FindingGroup, renderFindings } from './finding.ts';
import { type CommandContext, withSurroundings } from './surroundings.ts';
import { count } from './terminal.ts';

const secretFiles = ['CUSTODY_API_KEY_FILE', 'DATABASE_URL_FILE'] as const;
const loopback = /^(localhost|127\..*|\[::1\]|%2f.*|)$/i;

export async function doctorCommand(context: CommandContext): Promise<ExitCode> {
  const groups: FindingGroup[] = [];
  const config = readConfig(context, groups);
  if (config !== null) {
    // What the client would log is among the findings.
    const log = { ...config.log, level: 'silent' } as const;
    await withSurroundings({ ...context, log }, async (surroundings, signal) => {
      const database = composeDatabase(config.database.url, surroundings);
      groups.push(...(await examineDatabase(config, database)));
      const { baseUrl } = config.custody;
      const reached = [...(await nameOf(baseUrl.hostname)), await checkCertificate('encryption', baseUrl)];
      const isReached = reached.every(({ verdict }) => verdict !== 'bad');
      const answers = isReached ? await checkService(config, surroundings, signal) : [];
      groups.splice(1, 0, { title: 'Custody service', findings: [...reached, ...answers] });
    });
  }
  const faults = groups.flatMap(({ findings }) => findings).filter(({ verdict }) => verdict === 'bad').length;
  const color = context.isTerminal && context.env['NO_COLOR'] === undefined;
  context.stdout.write(renderFindings(groups, context.stdout.columns ?? 100, color));
  const verdict =
    faults === 0 ? 'Everything the mirror needs is there.' : `${count(faults, 'fault', 'faults')} to mend.`;
  context.stdout.write(`\n${verdict}\n`);
  return faults === 0 ? exitCodes.ok : exitCodes.failed;
}

function readConfig(context: CommandContext, groups: FindingGroup[]): Config | null {
  const asked = new Set<string>();
  const env = new Proxy(context.env, {
    get: (given, name: string) => {
      asked.add(name);
      return given[name];
    },
  });
  try {
    const config = parseConfig({ ...context, env });
    const findings: Finding[] = [
      { verdict: 'ok', subject: 'variables', result: 'every one can be read' },
      ...Object.keys(context.env).flatMap((name) => misspelt(name, asked)),
      ...secretFiles.flatMap((name) => exposure(name, context.env[name]?.trim())),
    ];
    groups.push({ title: 'Configuration', findings });
    return config;
  } catch (error) {
    if (!(error instanceof MirrorError) || error.code !== 'CONFIGURATION') throw error;
    const findings = error.message.split('\n').map((line): Finding => {
      const [, variable = 'variables', fault = line] = /^([A-Z_]+): (.*)$/.exec(line) ?? [];
      return { verdict: 'bad', subject: variable, result: fault };
    });
    groups.push({ title: 'Configuration', findings });
    return null;
  }
}

/** Looks like one of ours and is read by nobody. Orchestrators set names such as CUSTODY_MIRROR_SERVICE_HOST themselves. */
function misspelt(name: string, asked: ReadonlySet<string>): Finding[] {
  if (!/^(CUSTODY|SCHEDULE|LEASE|THIN|LOG)_/.test(name) || asked.has(name)) return [];
  if (/_(SERVICE|PORT)(_|$)/.test(name)) return [];
  return [{ verdict: 'note', subject: name, result: 'is set and never read', mend: 'check its spelling' }];
}

/** A file with a secret that every user of the machine can read. */
function exposure(variable: string, path: string | undefined): Finding[] {
  if (path === undefined || path === '' || process.platform === 'win32') return [];
  const isOpen = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o004;
  return isOpen
    ? [
        {
          verdict: 'note',
          subject: variable,
          result: 'every user of this machine may read the file',
          mend: 'chmod o-r',
        },
      ]
    : [{ verdict: 'ok', subject: variable, result: 'readable for its owner and group only' }];
}

/** An address has no name to be found, and a socket no address. */
async function nameOf(host: string): Promise<readonly Finding[]> {
  return /^(%2f.*)?$/i.test(host) || isIP(host.replace(/^\[|\]$/g, '')) !== 0
    ? []
    : [await checkName('name', host)];
}

async function examineDatabase(config: Config, database: Database): Promise<readonly FindingGroup[]> {
  const { hostname } = new URL(config.database.url.reveal());
  const isRemote = !loopback.test(hostname);
  const name = await nameOf(hostname);
  const { account, baseUrl } = config.custody;
  const { findings, isMigrated } = await checkDatabase(database, {
    timeZone: config.schedule.timezone,
    isRemote,
  });
  const report = isMigrated ? await readStatus(database, account) : null;
  const binding = report === null ? [] : [checkBinding(report.baseUrl, account, baseUrl.href)];
  const costs = isMigrated ? await readRunCosts(database, account) : [];
  return [
    { title: 'Database', findings: [...name, ...findings, ...binding] },
    { title: 'Learned about the service', findings: report === null ? [] : learned(report) },
    { title: 'Cost', findings: costFindings(config, costs) },
  ];
}

function learned(report: StatusReport): readonly Finding[] {
  if (report.learned.length === 0)
    return [{ verdict: 'ok', subject: 'facts', result: 'nothing yet: the first runs find out' }];
  return report.learned.map(({ fact, value, evidence, updatedAt }) => ({
    verdict: 'ok',
    subject: fact,
    result: `${value}, learned ${agoInWords(updatedAt, report.readAt)}: ${evidence}`,
  }));
}
