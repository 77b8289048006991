// A page for when the database does not answer: of the process's own account, without anything that only the
// database knows.
import type { Context } from 'hono';
import { Pill } from '../../../packages/pages/src/page/as-of.tsx';
import type { Page } from '../../../packages/pages/src/page/page.ts';
import { type AssetAddresses, writeDocument } from '../../../packages/pages/src/page/shell.tsx';
import { Moment } from '../../../packages/pages/src/parts/values.tsx';
import { readPreferences, type View } from '../../../packages/pages/src/view/view.ts';
import { accountFor, accountParameter } from '../../api/answer/account.ts';
import { pathValues, readParameters } from '../../api/answer/parameters.ts';
import { isFaultOfDatabase } from '../../http/request/database.ts';
import type { AccessEnv } from '../../http/request/environment.ts';
import { Refused } from '../../http/request/refusal.ts';
import type { CachedStatus } from '../../http/request/status-source.ts';

/** So long such a page waits where the status can be read and the page cannot. */
export const offlineAfterMs = 10_000;

/** Ends only when the status cannot be read: then the page need not wait for the database any longer. */
export async function untilFault(own: Promise<CachedStatus>): Promise<never> {
  const { fault } = await own;
  if (fault === null) return await new Promise<never>(() => undefined);
  throw new Refused({ kind: 'unavailable', detail: fault.message });
}

interface OfflineOptions {
  readonly version: string;
  readonly assets: AssetAddresses;
  /** The account of the process. */
  readonly account: string;
  readonly own: Promise<CachedStatus>;
  /** Why there is no page from the database. */
  readonly error: unknown;
}

/** @throws the error, where it is no fault of the database */
export async function offlinePage(
  c: Context<AccessEnv>,
  page: Page,
  { version, assets, account, own, error }: OfflineOptions,
): Promise<{ readonly html: string; readonly status: 503 }> {
  if (page.showOffline === undefined || !isFaultOfDatabase(error)) throw error;
  const { pathname, search } = new URL(c.req.url);
  const parameters = { account: accountParameter, ...page.parameters };
  const query = readParameters(parameters, search, pathValues(page.path, pathname));
  // Refuses a reader that may not see the account.
  accountFor(query, c.get('reader'), account);
  const view: View = {
    account,
    accounts: [],
    preferences: readPreferences(c),
    zone: 'UTC',
    now: new Date().toISOString(),
    closed: null,
    path: pathname,
    query,
  };
  const seen = await own;
  const shown = page.showOffline(seen);
  const readAt = seen.known?.report.readAt ?? null;
  const asOf = (
    <Pill
      tone="bad"
      says={seen.fault === null ? 'The database does not answer readers' : 'The database does not answer'}
    >
      {readAt === null ? (
        'The state is unknown until it does.'
      ) : (
        <>
          Figures are those of <Moment at={readAt} /> UTC.
        </>
      )}
    </Pill>
  );
  const html = await writeDocument({ view, page, shown, assets, version, isLive: true, asOf });
  return { html, status: 503 };
}
