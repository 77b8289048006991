// Checks whether the mirror can use the database: server, role, tables, clock and time zone; then what it
// holds of the account.
import { existsSync } from 'node:fs';
import type { Config } from '../../base/config/config.ts';
import { errorMessage } from '../../domain/errors.ts';
import { agoInWords, counted } from '../../domain/words.ts';
import { missingFile } from '../../seal/checkpoints-file.ts';
import { learnedInWords, sealedInWords } from '../../status/words.ts';
import {
  type DatabaseDiagnosis,
  diagnoseDatabase,
  findMisordered,
  readReadingRole,
} from '../../store/job-queries/diagnosis.ts';
import { readStatus, type StatusReport } from '../../store/job-queries/status.ts';
import type { Database } from '../../store/postgres/database.ts';
import { readOnlyFix } from '../../store/postgres/server-choice.ts';
import { normaliseAddress } from '../../store/run/accounts.ts';
import { pendingMigrations } from '../../store/schema/migrations.ts';
import { findAlterations } from '../../store/schema/plain-tables.ts';
import { bad, type Check, type FindingList, type Findings, note, ok } from './finding.ts';
import { compareClocks } from './network.ts';

const oldestServer = 15;
/** PostgreSQL lets only an owner migrate and grant. */
const ownersFix = 'as a superuser, run the statement of docs/restore.md#owners';

interface Examined {
  readonly config: Config;
  readonly database: Database;
  /** The database of HTTP_DATABASE_URL; null where readers use the other one. */
  readonly reading: Database | null;
  /** On another machine. */
  readonly isRemote: boolean;
}

interface Diagnosed extends Examined, DatabaseDiagnosis {
  readonly askedAt: number;
  readonly answeredAt: number;
  /** Null if the tables cannot be read, or are of a newer version. */
  readonly pending: readonly string[] | null;
  readonly pendingFault: unknown;
}

interface Reported extends Examined {
  readonly report: StatusReport;
}

const serverChecks: readonly Check<Diagnosed>[] = [
  { subject: 'server', look: server },
  // A statement that trusts an index built in another order misses rows, and inserts them again: 23505.
  {
    subject: 'server',
    look: ({ collation, databaseName: name }) =>
      collation &&
      bad(
        `sorts texts by version ${collation.actual} of its library, its indexes by ${collation.recorded}`,
        `stop the mirror, then REINDEX DATABASE ${name}; ALTER DATABASE ${name} REFRESH COLLATION VERSION`,
      ),
  },
  { subject: 'connection', look: connection },
  {
    subject: 'connections',
    look: ({ connections: { used, allowed, raise } }) =>
      allowed - used >= 10
        ? null
        : note(`${used} of ${allowed} in use`, `the mirror takes up to 5: raise ${raise} or use a pooler`),
  },
  {
    subject: 'writing',
    look: ({ isReadOnly, database: { target } }) =>
      isReadOnly ? bad(`database ${target} is read-only`, readOnlyFix) : null,
  },
  { subject: 'privileges', look: privileges },
  {
    subject: 'time zone',
    look: ({ knowsTimeZone, config: { schedule } }) =>
      knowsTimeZone
        ? ok(`${schedule.timezone}, for schedules; run begins the days of reports in it`)
        : bad(
            `PostgreSQL does not know ${schedule.timezone}`,
            'set SCHEDULE_TIMEZONE to a name of pg_timezone_names',
          ),
  },
  {
    subject: 'clock of the database',
    look: ({ now, askedAt, answeredAt }) =>
      compareClocks(
        { shown: now, askedAt, answeredAt },
        'the mirror dates everything by the database’s clock: correct whichever clock is wrong',
      ),
  },
  { subject: 'tables', look: tables },
  {
    subject: 'tables',
    look: async ({ database }) =>
      (await findAlterations(database)).map(({ what, fix, bends }) => (bends ? bad : note)(what, fix)),
  },
  {
    subject: 'order of texts',
    look: ({ database, pending, lacks, collation }) =>
      pending?.length === 0 && lacks.length === 0 && collation === null ? misordered(database) : null,
  },
];

const accountChecks: readonly Check<Reported>[] = [
  { subject: 'HTTP_DATABASE_URL', look: reader },
  { subject: 'account', look: binding },
  { subject: 'sealed history', look: sealed },
  cutList('transactions', 'reads it by filters; ask'),
  cutList('balances', 'asks for assets that transactions name; ask'),
];

function cutList(name: 'transactions' | 'balances', remedy: string): Check<Reported> {
  return {
    subject: `list of ${name}`,
    look: ({ report: { learned, readAt } }) => {
      const cut = learned.find(({ fact }) => fact === `${name}_cut`);
      if (cut === undefined) return null;
      return note(
        `the service shows less than there is, found ${agoInWords(cut.updatedAt, readAt)}: ${cut.evidence}`,
        `the mirror ${remedy} the operator of the service for the greatest offset and the defaults of its filters`,
      );
    },
  };
}

export async function examineDatabase(examined: Examined, list: FindingList): Promise<void> {
  const { config, database } = examined;
  const askedAt = Date.now();
  const diagnosed = await diagnoseDatabase(database, config.schedule.timezone).catch((error: unknown) => {
    list.add('connection', bad(errorMessage(error)));
  });
  if (diagnosed === undefined) return;
  const answeredAt = Date.now();
  let pendingFault: unknown = null;
  const pending = await pendingMigrations(database).catch((error: unknown) => {
    pendingFault = error;
    return null;
  });
  await list.check(serverChecks, { ...examined, ...diagnosed, askedAt, answeredAt, pending, pendingFault });
  if (pending?.length !== 0) return;
  const report = await readStatus(database, config.custody.account);
  await list.check(accountChecks, { ...examined, report });
  const learned = learnedInWords(report);
  if (learned.length > 0) list.begin('Learned about the service');
  for (const { fact, value, evidence, updatedAt } of learned)
    list.add(fact, ok(`${value}, learned ${agoInWords(updatedAt, report.readAt)}: ${evidence}`));
}

function server({ serverVersion, encoding }: Diagnosed): Findings {
  const major = Math.floor(serverVersion / 10_000);
  const result = `PostgreSQL ${major}.${serverVersion % 10_000}, ${encoding}`;
  if (major < oldestServer) return bad(result, `PostgreSQL ${oldestServer} or newer is needed`);
  return encoding === 'UTF8' ? ok(result) : bad(result, "create the database with encoding 'UTF8'");
}

function connection({ tls, isRemote, database: { target } }: Diagnosed): Findings {
  if (tls !== null || !isRemote) return ok(`${target}${tls === null ? '' : `, ${tls}`}`);
  return note(
    `${target}, not encrypted`,
    'add sslmode=verify-full to DATABASE_URL, and sslrootcert for a private certificate authority',
  );
}

function privileges({
  role,
  isSuperuser,
  mayCreate,
  foreignSchemas,
  foreignObjects,
  lacks,
  pending,
}: Diagnosed): Findings {
  const faults = [
    foreignSchemas.length > 0
      ? bad(
          `schemas belong to others: ${foreignSchemas.join(', ')}`,
          `connect as their owner, or hand them over to ${role} with what is in them: ${ownersFix}`,
        )
      : foreignObjects.length > 0
        ? bad(
            `tables, views and functions belong to others: ${foreignObjects.join(', ')}`,
            `hand them over to ${role}: ${ownersFix}`,
          )
        : lacks.length > 0
          ? bad(`taken from ${role}: ${lacks.join(', ')}`, `GRANT … TO ${role}`)
          : [],
    mayCreate
      ? []
      : pending?.length === 0
        ? note(
            `${role} may not create schemas here`,
            'no migration is pending; a later version may need it for its migrations',
          )
        : bad(`${role} may not create schemas here`, `GRANT CREATE ON DATABASE … TO ${role}, for migrations`),
    isSuperuser
      ? note(`${role} is a superuser`, 'a role that owns its database is enough for the mirror')
      : [],
  ].flat();
  return faults.length > 0
    ? faults
    : ok(`${role} has all privileges that the mirror needs, and is not a superuser`);
}

function tables({ pending, pendingFault, foreignSchemas, foreignObjects }: Diagnosed): Findings {
  if (pending === null) return bad(errorMessage(pendingFault));
  if (pending.length === 0) return ok('up to date');
  const isOthers = foreignSchemas.length + foreignObjects.length > 0;
  return note(
    `${counted(pending.length, 'migration')} ${pending.length === 1 ? 'is' : 'are'} pending`,
    isOthers ? 'settle the owner first' : 'run applies them at startup, migrate applies them now',
  );
}

/** After a version of the library was recorded without REINDEX, or on a replica of another system. */
async function misordered(database: Database) {
  const [first, ...others] = await findMisordered(database);
  if (first === undefined) return [];
  const more = others.length > 0 ? ` and ${counted(others.length, 'more', 'more')}` : '';
  return [
    bad(
      `${database.target} sorts texts otherwise than its index ${first}${more}`,
      'stop the mirror, then REINDEX DATABASE …; a replica needs the library of its primary; pg_amcheck checks every index to its end',
    ),
  ];
}

/** The role of HTTP_DATABASE_URL, by which pages, API and `/custody` read. */
async function reader({ reading }: Examined): Promise<Findings> {
  if (reading === null) return null;
  try {
    const { role = 'nobody', unreadable = [] } = (await readReadingRole(reading)) ?? {};
    const [first] = unreadable;
    if (first === undefined)
      return [
        ok(`${reading.target}: ${role} reads every table of the mirror`),
        ...(await misordered(reading)),
      ];
    const more = unreadable.length > 1 ? ` and ${counted(unreadable.length - 1, 'more', 'more')}` : '';
    return bad(`${role} cannot read ${first}${more}`, `custody-mirror grant --serve ${role}`);
  } catch (error) {
    return bad(errorMessage(error));
  }
}

/** An account is bound to the address it was first mirrored from. */
function binding({ report: { baseUrl: bound }, config: { custody } }: Reported): Findings {
  const asked = normaliseAddress(custody.baseUrl.href);
  const fix = `set CUSTODY_BASE_URL to ${bound}, or choose another CUSTODY_ACCOUNT`;
  const found =
    bound === null
      ? ok('not mirrored yet: it will be bound to this address')
      : bound === asked
        ? ok(`bound to ${bound}`)
        : bad(`was mirrored from ${bound}, not from ${asked}`, fix);
  return { ...found, subject: `account ${custody.account}` };
}

/** Whether the history is sealed and verified, up to when, and what stops it. */
function sealed({ report, config: { seal } }: Reported): Findings {
  if (seal.key === null && report.sealed === null) return null;
  const [rows, verified] = sealedInWords(report);
  const stops = report.problems.filter(({ code }) => code === 'sealing-stopped');
  const verdict = report.sealed?.finding == null ? ok : bad;
  return [
    rows === undefined ? note('nothing is sealed') : ok(rows),
    ...stops.map(({ problem, fix }) => ({ ...bad(problem, fix), subject: 'sealing' })),
    ...(verified === undefined ? [] : [{ ...verdict(verified), subject: 'verification' }]),
    ...(report.sealed === null || seal.checkpointsFile === null ? [] : missing(seal.checkpointsFile)),
  ];
}

/** A standby without its own file would be refused when it takes over. */
function missing(path: string) {
  if (existsSync(path)) return [];
  const { problem, fix } = missingFile(path);
  return [{ ...bad(`${path} ${problem}`, fix), subject: 'SEAL_CHECKPOINTS_FILE' }];
}
