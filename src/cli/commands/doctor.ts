// `custody-mirror doctor`: checks the mirror's requirements one by one, each with a fix, and shows what was
// learned about the service. It writes nothing and sends at most five small requests.
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Config, parseConfig } from '../../base/config/config.ts';
import { hostsOf } from '../../base/config/database-url.ts';
import { proxyName } from '../../base/config/proxy.ts';
import { Late, within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { counted, lengthInWords } from '../../domain/words.ts';
import { isThisMachine } from '../../server/app.ts';
import { examineDatabase } from '../doctor/database.ts';
import {
  bad,
  type Check,
  createFindingList,
  type FindingList,
  type Findings,
  note,
  ok,
} from '../doctor/finding.ts';
import { checkCertificate, checkName, checkPort } from '../doctor/network.ts';
import { checkService } from '../doctor/service.ts';
import {
  type CommandContext,
  type CommandScope,
  type ExitCode,
  exitCodes,
  withCommandScope,
} from '../setup/command-scope.ts';
import { composeDatabase, composeReadDatabase } from '../setup/compose.ts';
import { exposedKey } from '../setup/verifying.ts';
import { penOf } from '../text/terminal.ts';

const loopback = /^(localhost|127\..*|\[::1\]|%2f.*|)$/i;
/** How long the checks of the database may take together. */
const databaseWithinMs = 30_000;

const secretFiles = ['CUSTODY_API_KEY_FILE', 'DATABASE_URL_FILE', 'HTTP_TOKEN_FILE', 'HTTPS_PROXY_FILE'];

const configurationChecks: readonly Check<{ config: Config; context: CommandContext }>[] = [
  { subject: 'variables', look: () => ok('all valid') },
  ...secretFiles.map((subject) => ({
    subject,
    look: ({ context }: { context: CommandContext }) => exposure(context.env[subject]?.trim()),
  })),
  { subject: 'SEAL_KEY_FILE', look: ({ context }) => keyFile(context) },
  { subject: 'HTTP_HOST', look: ({ config }) => closedMetrics(config) },
  {
    subject: 'HTTP_PORT',
    look: ({ config: { http } }) => checkPort(http.host, http.port, 'HTTP_PORT'),
  },
  {
    subject: 'HTTP_PROBES_PORT',
    look: ({ config: { http } }) => checkPort(http.host, http.probesPort, 'HTTP_PROBES_PORT'),
  },
];

/** Behind a proxy this machine need not find the service by its name. */
const routeChecks: readonly Check<Config>[] = [
  {
    subject: 'route',
    look: ({ custody: { proxy } }) => ok(proxy === null ? 'direct' : `through the proxy ${proxyName(proxy)}`),
  },
  {
    subject: 'name',
    look: ({ custody: { baseUrl, proxy } }) => checkName(proxy?.host ?? baseUrl.hostname),
  },
  {
    subject: 'encryption',
    look: ({ custody: { baseUrl, proxy } }) => checkCertificate(baseUrl, proxy),
  },
];

export async function doctorCommand(context: CommandContext): Promise<ExitCode> {
  const list = createFindingList((text) => void context.stdout.write(text), penOf(context));
  list.begin('Configuration');
  const config = readConfig(context, list);
  if (config !== null) {
    await list.check(configurationChecks, { config, context });
    // The findings include what the client would log.
    const log = { ...config.log, level: 'silent' } as const;
    await withCommandScope({ ...context, log }, (scope, signal) => examine(config, scope, signal, list));
  }
  const verdict =
    list.faults === 0 ? 'The mirror has all it needs.' : `${counted(list.faults, 'fault')} to fix.`;
  context.stdout.write(`\n${verdict}\n`);
  return list.faults === 0 ? exitCodes.ok : exitCodes.failed;
}

async function examine(config: Config, scope: CommandScope, signal: AbortSignal, list: FindingList) {
  list.begin('Custody service');
  if (await list.check(routeChecks, config)) await checkService(config, scope, signal, list);
  list.begin('Database');
  const hosts = hostsOf(config.database.url.reveal());
  const examined = {
    config,
    database: composeDatabase(config.database.url, scope),
    reading: config.http.database.url === null ? null : composeReadDatabase(config, scope),
    isRemote: hosts.some((host) => !loopback.test(host)),
  };
  const examining = async () => {
    for (const host of hosts) list.add('name', await checkName(host));
    await examineDatabase(examined, list);
  };
  await within(databaseWithinMs, examining()).catch((error: unknown) => {
    if (!(error instanceof Late)) throw error;
    const late = `no complete answer within ${lengthInWords(databaseWithinMs)}`;
    list.add('database', bad(late, 'check its load and its locks'));
  });
}

/** Null if it has faults, which are added. */
function readConfig(context: CommandContext, list: FindingList): Config | null {
  try {
    return parseConfig(context);
  } catch (error) {
    if (!(error instanceof MirrorError) || error.code !== 'CONFIGURATION') throw error;
    for (const line of error.message.split('\n')) {
      const [, variable = 'variables', fault = line] = /^([A-Za-z0-9_]+): (.*)$/.exec(line) ?? [];
      list.add(variable, bad(fault));
    }
    return null;
  }
}

/** Metrics that nobody can read. */
function closedMetrics({ http }: Config): Findings {
  if (isThisMachine(http.host) || http.token !== null || http.serve === 'all') return null;
  const fix = 'set HTTP_TOKEN_FILE: keys are for processes that serve pages and API';
  return note(`${http.host}: metrics need the token, and there is none`, fix);
}

/** A secret file that every user of the machine can read. */
function exposure(path: string | undefined): Findings {
  if (path === undefined || path === '' || process.platform === 'win32') return null;
  const file = statSync(path, { throwIfNoEntry: false });
  const isReached = ((statSync(dirname(path), { throwIfNoEntry: false })?.mode ?? 0) & 0o001) !== 0;
  if (file === undefined || (file.mode & 0o004) === 0 || !isReached)
    return ok('not readable by every user of this machine');
  const isGroups = (file.mode & 0o040) !== 0 && process.getgroups?.().includes(file.gid) === true;
  if (file.uid === process.getuid?.() || isGroups)
    return note('every user of this machine can read the file', `chmod o-r ${path}`);
  // Closing it to others would also close it to this process: it is a file of the host, mounted into a
  // container.
  return ok(
    `belongs to user ${file.uid}, so this process (user ${process.getuid?.()}) reads it as any other user would; keep its folder closed to others (mode 700)`,
  );
}

/** The key that signs, as `ssh` wants its own. */
function keyFile(context: CommandContext): Findings {
  if (!context.env['SEAL_KEY_FILE']?.trim()) return null;
  const exposed = exposedKey(context);
  if (exposed === null) return ok("open to nobody but the file's owner");
  return note(exposed.problem, exposed.fix);
}
