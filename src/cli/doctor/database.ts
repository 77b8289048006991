// Checks whether the mirror can use the database: server, role, tables, clock and time zone.
import { errorMessage } from '../../domain/errors.ts';
import { counted } from '../../domain/words.ts';
import {
  type DatabaseDiagnosis,
  diagnoseDatabase,
  readReadingRole,
} from '../../store/job-queries/diagnosis.ts';
import type { Database } from '../../store/postgres/database.ts';
import { readOnlyFix } from '../../store/postgres/server-choice.ts';
import { normaliseAddress } from '../../store/run/accounts.ts';
import { findAlterations } from '../../store/schema/alterations.ts';
import { pendingMigrations } from '../../store/schema/migrations.ts';
import { bad, type Finding, note, ok } from './finding.ts';
import { compareClocks } from './network.ts';

const oldestServer = 15;

/** @returns also whether every table of this version exists, so that more can be queried */
export async function checkDatabase(database: Database, timeZone: string, isRemote: boolean) {
  let diagnosis: DatabaseDiagnosis;
  const askedAt = Date.now();
  try {
    diagnosis = await diagnoseDatabase(database, timeZone);
  } catch (error) {
    return { findings: [bad('connection', errorMessage(error))], isMigrated: false };
  }
  const migrations = await checkMigrations(database, diagnosis);
  const isMigrated = migrations.verdict === 'ok';
  const findings = [
    server(diagnosis),
    ...order(diagnosis),
    ...connection(diagnosis, database.target, isRemote),
    ...role(diagnosis, database.target, isMigrated),
    zone(diagnosis, timeZone),
    compareClocks(
      'clock of the database',
      { shown: diagnosis.now, askedAt, answeredAt: Date.now() },
      'the mirror dates everything by the database’s clock: correct whichever clock is wrong',
    ),
  ];
  const alterations = (await findAlterations(database)).map(({ what, fix, bends }) =>
    (bends ? bad : note)('tables', what, fix),
  );
  return { findings: [...findings, migrations, ...alterations], isMigrated };
}

/** The role of HTTP_DATABASE_URL, by which pages, API and `/custody` read. */
export async function checkReader(database: Database): Promise<Finding> {
  const subject = 'HTTP_DATABASE_URL';
  try {
    const { role = 'nobody', unreadable = [] } = (await readReadingRole(database)) ?? {};
    const [first] = unreadable;
    if (first === undefined)
      return ok(subject, `${database.target}: ${role} reads every table of the mirror`);
    const more = unreadable.length > 1 ? ` and ${counted(unreadable.length - 1, 'more', 'more')}` : '';
    return bad(subject, `${role} cannot read ${first}${more}`, `custody-mirror grant --serve ${role}`);
  } catch (error) {
    return bad(subject, errorMessage(error));
  }
}

/** An account is bound to the address it was first mirrored from. */
export function checkBinding(bound: string | null, account: string, baseUrl: string): Finding {
  const asked = normaliseAddress(baseUrl);
  const subject = `account ${account}`;
  if (bound === null) return ok(subject, 'not mirrored yet: it will be bound to this address');
  if (bound === asked) return ok(subject, `bound to ${bound}`);
  const fix = `set CUSTODY_BASE_URL to ${bound}, or choose another CUSTODY_ACCOUNT`;
  return bad(subject, `was mirrored from ${bound}, not from ${asked}`, fix);
}

function server({ serverVersion, encoding }: DatabaseDiagnosis): Finding {
  const major = Math.floor(serverVersion / 10_000);
  const result = `PostgreSQL ${major}.${serverVersion % 10_000}, ${encoding}`;
  if (major < oldestServer) return bad('server', result, `PostgreSQL ${oldestServer} or newer is needed`);
  if (encoding !== 'UTF8') return bad('server', result, "create the database with encoding 'UTF8'");
  return ok('server', result);
}

/** A statement that trusts an index built in another order misses rows, and inserts them again: 23505. */
function order({ collation, database }: DatabaseDiagnosis): Finding[] {
  if (collation === null) return [];
  const result = `sorts texts by version ${collation.actual} of its library, its indexes by ${collation.recorded}`;
  const fix = `stop the mirror, then REINDEX DATABASE ${database}; ALTER DATABASE ${database} REFRESH COLLATION VERSION`;
  return [bad('server', result, fix)];
}

function connection(
  { tls, connections: { used, allowed, raise } }: DatabaseDiagnosis,
  target: string,
  isRemote: boolean,
): Finding[] {
  const encryption =
    'add sslmode=verify-full to DATABASE_URL, and sslrootcert for a private certificate authority';
  const found =
    tls === null && isRemote
      ? note('connection', `${target}, not encrypted`, encryption)
      : ok('connection', `${target}${tls === null ? '' : `, ${tls}`}`);
  if (allowed - used >= 10) return [found];
  const pooler = `the mirror takes up to 5: raise ${raise} or use a pooler`;
  return [found, note('connections', `${used} of ${allowed} in use`, pooler)];
}

/** PostgreSQL lets only an owner migrate and grant. */
const ownersFix = 'as a superuser, run the statement of docs/restore.md#owners';

function role(
  {
    role: name,
    isSuperuser,
    mayCreate,
    foreignSchemas,
    foreignObjects,
    lacks,
    isReadOnly,
  }: DatabaseDiagnosis,
  target: string,
  isMigrated: boolean,
): Finding[] {
  const findings: Finding[] = [];
  if (isReadOnly) findings.push(bad('writing', `database ${target} is read-only`, readOnlyFix));
  if (foreignSchemas.length > 0)
    findings.push(
      bad(
        'privileges',
        `schemas belong to others: ${foreignSchemas.join(', ')}`,
        `connect as their owner, or hand them over to ${name} with what is in them: ${ownersFix}`,
      ),
    );
  else if (foreignObjects.length > 0)
    findings.push(
      bad(
        'privileges',
        `tables, views and functions belong to others: ${foreignObjects.join(', ')}`,
        `hand them over to ${name}: ${ownersFix}`,
      ),
    );
  else if (lacks.length > 0)
    findings.push(bad('privileges', `taken from ${name}: ${lacks.join(', ')}`, `GRANT … TO ${name}`));
  const lacksCreate = `${name} may not create schemas here`;
  if (!mayCreate && isMigrated)
    findings.push(
      note(
        'privileges',
        lacksCreate,
        'no migration is pending; a later version may need it for its migrations',
      ),
    );
  if (!mayCreate && !isMigrated)
    findings.push(bad('privileges', lacksCreate, `GRANT CREATE ON DATABASE … TO ${name}, for migrations`));
  if (isSuperuser)
    findings.push(
      note('privileges', `${name} is a superuser`, 'a role that owns its database is enough for the mirror'),
    );
  const enough = `${name} has all privileges that the mirror needs, and is not a superuser`;
  return findings.length === 0 ? [ok('privileges', enough)] : findings;
}

function zone({ knowsTimeZone }: DatabaseDiagnosis, timeZone: string): Finding {
  if (knowsTimeZone) return ok('time zone', `${timeZone}, for schedules and days of reports`);
  const fix = 'set SCHEDULE_TIMEZONE to a name of pg_timezone_names';
  return bad('time zone', `PostgreSQL does not know ${timeZone}`, fix);
}

async function checkMigrations(
  database: Database,
  { foreignSchemas, foreignObjects }: DatabaseDiagnosis,
): Promise<Finding> {
  try {
    const pending = await pendingMigrations(database);
    if (pending.length === 0) return ok('tables', 'up to date');
    const found = `${counted(pending.length, 'migration')} ${pending.length === 1 ? 'is' : 'are'} pending`;
    const isOthers = foreignSchemas.length + foreignObjects.length > 0;
    const fix = isOthers ? 'settle the owner first' : 'run applies them at startup, migrate applies them now';
    return note('tables', found, fix);
  } catch (error) {
    return bad('tables', errorMessage(error));
  }
}
