// What a soak watches: figures of the daemon's process from its own metrics, and of the database from the
// server, taken again and again; and whether they level out, told by the lower quartile of one stretch of
// time against that of another.
import type { Daemon } from '../../support/daemon.ts';
import type { RestartingPostgres } from '../../support/restarting-postgres.ts';

const measures = ['heapBytes', 'residentBytes', 'handles', 'openFiles'] as const;
type Measure = (typeof measures)[number];
export interface ProcessFigures extends Readonly<Record<Measure, number>> {
  /** Connections of each pool, idle and in use. */
  readonly connections: ReadonlyMap<string, number>;
}

export interface DatabaseFigures {
  /** Sessions of the daemon. */
  readonly sessions: number;
  readonly bytes: number;
  /** Rows of the tables that only grow. */
  readonly rows: number;
}

const metricOf: Readonly<Record<Measure, RegExp>> = {
  heapBytes: /^custody_mirror_nodejs_heap_size_used_bytes (\S+)$/gm,
  residentBytes: /^custody_mirror_process_resident_memory_bytes (\S+)$/gm,
  handles: /^custody_mirror_nodejs_active_resources_total (\S+)$/gm,
  openFiles: /^custody_mirror_process_open_fds (\S+)$/gm,
};
const connectionsOfPool = /^custody_mirror_database_connections\{[^}]*pool="(\w+)"[^}]*\} (\S+)$/gm;

/** @throws Error when a figure is not among the metrics */
export async function processFigures(daemon: Pick<Daemon, 'get'>): Promise<ProcessFigures> {
  const { text } = await daemon.get('/metrics');
  const figure = (measure: Measure) => {
    const found = [...text.matchAll(metricOf[measure])];
    if (found.length === 0) throw new Error(`no metric tells ${measure}`);
    return found.reduce((sum, [, value]) => sum + Number(value), 0);
  };
  return {
    heapBytes: figure('heapBytes'),
    residentBytes: figure('residentBytes'),
    handles: figure('handles'),
    openFiles: figure('openFiles'),
    connections: connectionsByPool(text),
  };
}

function connectionsByPool(text: string): ReadonlyMap<string, number> {
  const connections = new Map<string, number>();
  for (const [, pool = '', count] of text.matchAll(connectionsOfPool)) {
    connections.set(pool, (connections.get(pool) ?? 0) + Number(count));
  }
  return connections;
}

export async function databaseFigures({
  query,
}: Pick<RestartingPostgres, 'query'>): Promise<DatabaseFigures> {
  const [found] = await query<{ sessions: number; bytes: string; rows: string }>(`
    select (select count(*)::int from pg_stat_activity where application_name = 'custody-mirror') as sessions,
      pg_database_size(current_database()) as bytes,
      (select count(*) from custody.transactions) + (select count(*) from custody.transaction_status_history)
        + (select count(*) from custody.transaction_revisions) + (select count(*) from custody.balances)
        + (select count(*) from custody.balance_snapshots) + (select count(*) from custody.document_revisions)
        + (select count(*) from sync.runs) + (select count(*) from sync.anomalies)
        + (select count(*) from sync.quarantine) as rows`);
  if (found === undefined) throw new Error('the database answered nothing');
  return { sessions: found.sessions, bytes: Number(found.bytes), rows: Number(found.rows) };
}

/**
 * The value that a quarter of them stays below: what lies above may be garbage that was not yet collected.
 */
export function lowerQuartile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 4)] ?? Number.NaN;
}

/** The middle and the last third, in the order of time; the first, in which caches fill, is left out. */
export function thirds<Value>(values: readonly Value[]): {
  readonly middle: readonly Value[];
  readonly last: readonly Value[];
} {
  const third = Math.floor(values.length / 3);
  return { middle: values.slice(third, 2 * third), last: values.slice(2 * third) };
}
