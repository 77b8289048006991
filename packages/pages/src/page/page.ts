// What a page is: its path, what its address may hold, and how it is made.
import type { Child } from 'hono/jsx';
import type * as api from '../api/ask.ts';
import { operationOf } from '../api/words.ts';
import type { View } from '../view/view.ts';

export type Section = 'overview' | 'balances' | 'transactions' | 'documents' | 'reconciliation' | 'sync';

export interface PageRequest {
  /** The values of the address but for the account, checked; those of the path among them. */
  readonly params: api.Params;
  readonly view: View;
  readonly ask: api.Ask;
  /** The report of the account; that of the process's own account costs this page's transaction no query. */
  status(): Promise<api.CachedStatus>;
}

export interface Rendered {
  readonly title: string;
  readonly content: Child;
  /** Next to the heading: what the page shows, such as its moment, and its exports. */
  readonly actions?: Child;
  readonly hasCharts?: boolean;
  /** The page shows a moment that is over: it is not refreshed. Default: whether the address has `at`. */
  readonly isPast?: boolean;
  /** 404 if the subject does not exist, 503 if it is unknown at present. */
  readonly status?: 200 | 404 | 503;
}

/** Instead of a page, the address that has what was requested. */
export interface Redirect {
  readonly location: string;
}

/** What stands at an address. */
export interface Content {
  /** `account` is among them without being named. */
  readonly parameters: api.Parameters;
  show(request: PageRequest): Promise<Rendered | Redirect>;
  /** Shows the process's own account while the database does not answer; without it the page is refused. */
  showOffline?(seen: api.CachedStatus): Rendered;
}

export interface Page extends Content {
  /** As hono takes it, such as `/transactions/:transaction_id`. */
  readonly path: string;
  readonly section: Section;
  /** The source of its figures: the pill above shows how fresh and complete it is. */
  readonly about: readonly api.Resource[];
}

export function parametersOf<Name extends string>(
  id: string,
  ...names: readonly Name[]
): Readonly<Record<Name, api.Parameter>> {
  const { parameters } = operationOf(id);
  const found = names.map((name): [string, api.Parameter] => {
    const parameter = parameters[name];
    if (parameter === undefined) throw new TypeError(`${id} has no parameter ${name}`);
    return [name, parameter];
  });
  return Object.fromEntries(found) as Record<Name, api.Parameter>;
}
