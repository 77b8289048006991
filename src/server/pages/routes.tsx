// The pages for people: from a request to a page and back.
import { type Context, Hono } from 'hono';
import type { Account } from '../../../packages/client/src/generated/types/api-types.ts';
import type { Ask } from '../../../packages/pages/src/api/ask.ts';
import {
  dayAsked,
  normalizePath,
  resolveAsset,
  sharedSearch,
  withAsset,
} from '../../../packages/pages/src/page/address.ts';
import type { Page, PageRequest } from '../../../packages/pages/src/page/page.ts';
import { AsOf, type AssetAddresses, Pill, writeDocument } from '../../../packages/pages/src/page/shell.tsx';
import { pages } from '../../../packages/pages/src/pages.ts';
import { Moment } from '../../../packages/pages/src/parts/values.tsx';
import { daysBetween } from '../../../packages/pages/src/view/moments.ts';
import {
  accountZone,
  keepPreferences,
  readPreferences,
  type View,
} from '../../../packages/pages/src/view/view.ts';
import type { Tools } from '../../api/answer/operation.ts';
import {
  accountFor,
  accountParameter,
  Problem,
  pathValues,
  readParameters,
} from '../../api/answer/parameters.ts';
import { sendBody } from '../../api/answer/send.ts';
import type { Logger } from '../../base/logger.ts';
import { Late } from '../../base/waiting.ts';
import { capitalized, onOneLine } from '../../domain/words.ts';
import { withDeadline } from '../../http/request/deadline.ts';
import { type AccessEnv, accountWithoutName, mayRead, type Reader } from '../../http/request/environment.ts';
import { Refused } from '../../http/request/refusal.ts';
import type { CachedStatus, StatusSource } from '../../http/request/status-source.ts';
import { sharedTransaction } from '../../store/postgres/database.ts';
import { isDatabaseOffline, sqlState } from '../../store/postgres/database-errors.ts';
import type { Tx } from '../../store/postgres/transaction.ts';
import type { Parameter, Parameters } from '../../store/read-api/list/parameter-kinds.ts';
import { type AskTools, CachedAnswers, createAsk } from './ask.ts';

// A page for when the database does not answer: of the process's own account, without anything that only the
// database knows.

/** How long such a page waits if the status can be read and the page cannot. */
const offlineAfterMs = 10_000;

/** Whether the database refused, was late or was unreachable. */
function isFaultOfDatabase(error: unknown): boolean {
  if (error instanceof Refused) return ['timeout', 'unavailable'].includes(error.refusal.kind);
  return error instanceof Late || isDatabaseOffline(error) || sqlState(error) !== null;
}

/** Ends only when the status cannot be read: then the page need not wait for the database any longer. */
async function untilFault(own: Promise<CachedStatus>): Promise<never> {
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

/** @throws the error, where it is not a fault of the database */
async function offlinePage(
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

// Faults in the address of a page, for a person: which field, its value, and a right one; with a link to the
// page without it. The API says the same to programs.

const longestShown = 60;

/** @returns another error than a wrong parameter as it is */
function refusedInWords(error: unknown, parameters: Parameters, url: URL): unknown {
  if (!(error instanceof Problem) || error.refusal.kind !== 'bad-parameter') return error;
  const given = [...url.searchParams];
  const wrong = (error.refusal.errors ?? []).map(({ name, reason }) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = given.find(([other]) => other === name)?.[1];
    return { name, label: labelOf(name), value, parameter, reason: inWords(name, value, reason, parameter) };
  });
  const kept = given.filter(
    ([name], index) =>
      wrong.every((each) => each.name !== name) &&
      Object.hasOwn(parameters, name) &&
      !name.endsWith('cursor') &&
      given.findIndex(([other]) => other === name) === index,
  );
  return new Refused(
    {
      kind: 'bad-parameter',
      detail: wrong.map(({ label, reason }) => `${label}: ${reason}`).join(' '),
      errors: wrong.map(({ label, reason }) => ({ name: label, reason })),
      correction: {
        path: wrong.some(({ parameter }) => parameter?.in === 'path')
          ? url.pathname.split('/').slice(0, 2).join('/')
          : url.pathname,
        kept,
        fields: wrong.flatMap(({ name, label, value, parameter }) =>
          parameter?.in === 'query' && !name.endsWith('cursor') ? [{ name, label, value: value ?? '' }] : [],
        ),
      },
    },
    { cause: error },
  );
}

function labelOf(name: string): string {
  return name === 'at' ? 'As of' : capitalized(name.replace(/_id$/, '').replaceAll('_', ' '));
}

function inWords(name: string, value: string | undefined, reason: string, parameter?: Parameter): string {
  if (name.endsWith('cursor'))
    return 'This position in the list is no longer valid: start with the first page.';
  if (reason !== parameter?.allowed) return `it ${reason}.`;
  const shown = value === undefined ? 'This' : `“${onOneLine(value).slice(0, longestShown)}”`;
  switch (parameter.reads) {
    case 'moment':
    case 'moment or day':
      return /^[01]\d{3}-\d\d-\d\d/.test(value ?? '') && (value ?? '') < '1970'
        ? `${shown} is before the first mirrored day.`
        : `${shown} is not a date with a time. Write 2026-11-20T06:32, or only the day, 2026-11-20.`;
    case 'amount':
      return `${shown} is not an amount. Write 1,250.50 or 1250.50.`;
    default:
      return `${shown} is invalid: it ${reason}.`;
  }
}

interface PagesOptions extends Tools {
  readonly version: string;
  readonly assets: AssetAddresses;
  readonly status: StatusSource;
  readonly logger: Logger;
}

interface PageOptions extends PagesOptions, AskTools {}

interface Making extends PageOptions {
  /** The status of the process's own account, where it is asked for already. */
  readonly own: Promise<CachedStatus> | null;
}

/** The database ends a statement earlier. */
const deadlineMs = 30_000;

/** Whoever asks for a page may read its account already. */
const cacheReader: Reader = { name: 'pages', accounts: null };

/** To be mounted at /; the variable `reader` is set before. */
export function pageRoutes(options: PagesOptions): Hono<AccessEnv> {
  const app = new Hono<AccessEnv>();
  const cache: CachedAnswers = new CachedAnswers({
    compute: async ({ id, account, query }) =>
      await createAsk({ ...options, cache }, cacheReader, account, AbortSignal.timeout(deadlineMs)).known(
        id,
        query,
      ),
    onFailure: (operation, err) =>
      options.logger.warn({ err, operation }, 'an answer for the pages could not be computed'),
  });
  for (const page of pages)
    app.get(page.path, async (c) => {
      try {
        // A preference in the address is kept, and leaves it.
        const url = new URL(c.req.url);
        if (keepPreferences(c, url.searchParams)) return c.redirect(`${url.pathname}${url.search}`, 303);
        return await answer(c, page, { ...options, cache });
      } catch (error) {
        throw refusedInWords(error, parametersOf(page), new URL(c.req.url));
      }
    });
  const patterns = pages.map(({ path }) => path);
  app.get('*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url);
    const meant = normalizePath(pathname, patterns);
    if (meant === null || meant === pathname) return await next();
    return c.redirect(`${meant}${search}`, 303);
  });
  return app;
}

function parametersOf({ parameters }: Page): Parameters {
  return { account: accountParameter, ...parameters };
}

async function answer(c: Context<AccessEnv>, page: Page, options: PageOptions): Promise<Response> {
  const own = page.showOffline !== undefined && isAboutOwn(c, options) ? options.status.own() : null;
  const made =
    own === null
      ? await fromDatabase(c, page, { ...options, own })
      : await Promise.race([fromDatabase(c, page, { ...options, own }), untilFault(own)]).catch(
          (error: unknown) => offlinePage(c, page, { ...options, own, error }),
        );
  if ('location' in made) return c.redirect(made.location, 303);
  // A missing or presently unknown page is not cached.
  if (made.status !== 200) return c.html(made.html, made.status);
  const answered = await sendBody(c, made.html, 'text/html; charset=utf-8');
  answered.headers.append('vary', 'Cookie');
  return answered;
}

function isAboutOwn(c: Context<AccessEnv>, { account }: PagesOptions): boolean {
  const named = new URL(c.req.url).searchParams.get('account');
  return (named ?? accountWithoutName(c.get('reader'), account)) === account;
}

type Made = { readonly location: string } | { readonly html: string; readonly status: 200 | 404 | 503 };

async function fromDatabase(c: Context<AccessEnv>, page: Page, options: Making): Promise<Made> {
  const reader = c.get('reader');
  const { pathname, search } = new URL(c.req.url);
  const parameters = parametersOf(page);
  const preferences = readPreferences(c);
  const waitAtMostMs = options.own === null ? deadlineMs : offlineAfterMs;
  return await withDeadline(c, waitAtMostMs, async (signal) => {
    const database = options.quota.databaseOf(reader.name, signal);
    const inSnapshot = async (tx: Tx): Promise<Made> => {
      const tools = { ...options, readDatabase: sharedTransaction(database, tx) };
      const named = new URLSearchParams(search).get('account');
      const undecided = named === null && !mayRead(reader, accountWithoutName(reader, options.account));
      // Readers with several accounts, but not that of the process, choose there.
      if (undecided && pathname === '/') return { location: '/accounts' };
      const first = undecided && pathname === '/accounts' ? reader.accounts?.[0] : undefined;
      const asked = named ?? first;
      const account = accountFor(asked === undefined ? {} : { account: asked }, reader, options.account);
      const accounts = await accountsWith(account, createAsk(tools, reader, '', signal));
      const ask = createAsk(tools, reader, account, signal);
      const day = dayAsked(search, parameters);
      const closed = day === null ? null : ((await daysBetween(ask, day, day))[0] ?? null);
      const zone = preferences.zone === 'utc' ? 'UTC' : accountZone({ accounts, account });
      const shared = sharedSearch(search, parameters, zone, closed);
      if (shared !== null) return { location: `${pathname}${shared}` };
      const read = readParameters(parameters, search, pathValues(page.path, pathname));
      const query = Object.fromEntries(
        Object.entries(read).filter(([name]) => parameters[name]?.in === 'query'),
      );
      const { account: _account, ...params } = read;
      const meant = params['asset_id'] === undefined ? null : await resolveAsset(ask, params['asset_id']);
      if (meant !== null) return { location: withAsset(new URL(c.req.url), page.path, meant) };
      const now = new Date().toISOString();
      const view: View = { account, accounts, preferences, zone, now, closed, path: pathname, query };
      const status = () => options.own ?? options.status.of(account, tools.readDatabase);
      return await document({ ask, view, params, status }, page, options);
    };
    return await database.transact('page', inSnapshot, { snapshot: true });
  });
}

/**
 * The first accounts that the reader may see, and the one of the page, of which the page needs the time zone.
 */
async function accountsWith(account: string, ask: Ask): Promise<readonly Account[]> {
  const { data } = await ask('listAccounts');
  if (data.some(({ account_id }) => account_id === account)) return data;
  return [...(await ask('listAccounts', { account_id: account })).data, ...data];
}

async function document(request: PageRequest, page: Page, { assets, version }: PagesOptions) {
  const { ask, view } = request;
  const shown = await page.show(request);
  if ('location' in shown) return shown;
  const { data: freshness } = await ask.known('listFreshness');
  const { data: health } = await ask.known('getHealth');
  const past = view.query['at'] ?? null;
  const isLive = !(shown.isPast ?? past !== null);
  const asOf = <AsOf about={page.about} freshness={freshness} health={health} />;
  const html = await writeDocument({ view, page, shown, assets, version, isLive, asOf });
  return { html, status: shown.status ?? 200 } as const;
}
