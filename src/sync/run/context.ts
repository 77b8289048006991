// The context of every job: the client, the database, the lease, and the progress callback.
import type { Clock } from '../../base/clock.ts';
import type { CustodyConfig } from '../../base/config/config.ts';
import type { Logger } from '../../base/logger.ts';
import type { Metrics } from '../../base/metrics.ts';
import type { CustodyClient } from '../../custody/client.ts';
import type { JobName } from '../../domain/jobs.ts';
import type { Database } from '../../store/postgres/database.ts';
import type { Lease } from '../../store/run/leases.ts';
import type { TakenRequest } from '../../store/run/sync-requests.ts';
import type { CommitPace } from './commit-pace.ts';
import type { FactKeeper } from './fact-keeper.ts';

export interface SyncTools {
  readonly database: Database;
  readonly client: CustodyClient;
  readonly clock: Clock;
  readonly config: CustodyConfig;
  readonly facts: FactKeeper;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** How long a run may make no progress, in milliseconds; by the configuration when left out. */
  readonly stalledAfterMs?: number;
}

/** How far a job has come. Its counts only grow. */
export interface Progress {
  readonly job: JobName;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly quarantined: number;
  readonly requests: number;
  readonly retries: number;
}

export interface JobContext extends SyncTools {
  readonly lease: Lease;
  /** Aborted when the process stops or the lease is lost. */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** The operator vouches for empty lists: they need no second run. */
  readonly trustEmptyLists?: boolean;
  /** What the runs are for; omitted if a schedule started them. */
  readonly request?: TakenRequest;
  /** Jobs whose last run in this process failed: their next success is logged as a recovery. */
  readonly failing?: Set<JobName>;
  /** The commit pace; if omitted, each run finds its own. */
  readonly pace?: CommitPace;
}
