// What a soak watches: figures of a daemon's process from its own metrics, and of the database from the
// server, taken again and again. A sample holds those of one moment, as one line of JSON.
import type { Daemon } from '../../support/daemon.ts';
import type { RestartingPostgres } from '../../support/restarting-postgres.ts';

const measures = ['heapBytes', 'residentBytes', 'handles', 'openFiles', 'lagSeconds'] as const;
export type Measure = (typeof measures)[number];

export interface ProcessFigures extends Readonly<Record<Measure, number>> {
  readonly writes: boolean;
  /** Connections of each pool, idle and in use. */
  readonly connections: Readonly<Record<string, number>>;
}

export interface TableFigures {
  /** With its indexes and what it keeps beside its rows. */
  readonly bytes: number;
  readonly rows: number;
  readonly dead: number;
}

export interface DatabaseFigures {
  readonly bytes: number;
  /** Sessions of the daemons, by the name of the pool. */
  readonly sessions: Readonly<Record<string, number>>;
  readonly tables: Readonly<Record<string, TableFigures>>;
}

export interface Sample {
  readonly seconds: number;
  /** What happened since the sample before. */
  readonly event: string | null;
  /** Runs for the whole of the soak. */
  readonly steady: ProcessFigures;
  /** Is killed and started again. */
  readonly other: ProcessFigures;
  readonly database: DatabaseFigures;
}

/** @throws Error when a figure is not among the metrics */
export async function processFigures(daemon: Pick<Daemon, 'get'>): Promise<ProcessFigures> {
  // A connection kept from before may just have been closed.
  const { text } = await daemon.get('/metrics').catch(() => daemon.get('/metrics'));
  const values = (name: string, labels = '') => {
    const lines = text.matchAll(new RegExp(`^custody_mirror_${name}(?:\\{[^}]*\\})? (\\S+)$`, 'gm'));
    return [...lines].filter(([line]) => line.includes(labels)).map(([, value]) => Number(value));
  };
  const sum = (name: string, labels?: string) => {
    const found = values(name, labels);
    if (found.length === 0) throw new Error(`no metric tells ${name}`);
    return found.reduce((a, b) => a + b, 0);
  };
  // Absent until the database has told it.
  const [seen = Number.NaN] = values('last_success_timestamp_seconds', '="transactions"');
  return {
    heapBytes: sum('nodejs_heap_size_used_bytes'),
    residentBytes: sum('process_resident_memory_bytes'),
    handles: sum('nodejs_active_resources_total'),
    openFiles: sum('process_open_fds'),
    lagSeconds: Math.round(Date.now() / 1000 - seen),
    writes: sum('lease_held') === 1,
    connections: Object.fromEntries(
      Object.keys(mostConnections).map((pool) => [pool, sum('database_connections', `pool="${pool}"`)]),
    ),
  };
}

/** Of each pool: of the mirror's own work, of the read API, and of the lookup of its keys. */
export const mostConnections: Readonly<Record<string, number>> = { mirror: 5, api: 4, keys: 2 };

export async function databaseFigures({
  query,
}: Pick<RestartingPostgres, 'query'>): Promise<DatabaseFigures> {
  const named = await query<{ name: string }>(`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') order by 1`);
  const tables = await query<{ name: string; bytes: number; rows: number; dead: number }>(
    named
      .map(
        ({ name }) => `
          select '${name}' as name, pg_total_relation_size('${name}')::float8 as bytes,
            (select count(*)::float8 from ${name}) as rows,
            pg_stat_get_dead_tuples('${name}'::regclass)::float8 as dead`,
      )
      .join(' union all '),
  );
  const sessions = await query<{ name: string; count: number }>(`
    select application_name as name, count(*)::int from pg_stat_activity
    where application_name like 'custody-mirror%' group by 1 order by 1`);
  const [whole] = await query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return {
    bytes: whole?.bytes ?? Number.NaN,
    sessions: Object.fromEntries(sessions.map(({ name, count }) => [name, count])),
    tables: Object.fromEntries(tables.map(({ name, ...figures }) => [name, figures])),
  };
}
