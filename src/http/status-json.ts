// The status as JSON: of the account of this process from the reading that all viewers share, of another
// account as it stands in the database.
import type { Context } from 'hono';
import { isHealthy } from '../status/health.ts';
import type { ReaderQuota } from './access/reader-quota.ts';
import { accountFor } from './api/answer/account.ts';
import { withDeadline } from './request/deadline.ts';
import type { AccessEnv } from './request/environment.ts';
import { Refused } from './request/refusal.ts';
import type { StatusSource } from './request/status-seen.ts';

interface StatusJsonOptions {
  /** The account of this process. */
  readonly account: string;
  readonly status: StatusSource;
  /** For other accounts; null where there is no read API. */
  readonly quota: ReaderQuota | null;
}

const deadlineMs = 10_000;

export async function answerStatus(c: Context<AccessEnv>, options: StatusJsonOptions): Promise<Response> {
  const { known, fault } = await seenBy(c, options);
  if (fault !== null || known === null)
    return c.json({ error: fault, unknownSince: known?.report.readAt ?? null }, 503);
  return c.json({ ...isHealthy(known.report), ...known.report });
}

async function seenBy(c: Context<AccessEnv>, { account, status, quota }: StatusJsonOptions) {
  const reader = c.get('reader');
  const named = c.req.query('account');
  const asked = accountFor(named === undefined ? {} : { account: named }, reader, account);
  if (asked === account) return await status.own();
  if (quota === null)
    throw new Refused({ kind: 'forbidden', detail: 'this process tells of its own account only' });
  return await withDeadline(c, deadlineMs, (signal) =>
    status.of(asked, quota.databaseOf(reader.name, signal)),
  );
}
