/**
 * Which operation a path means (section 4). Invariant: a path that is served nowhere in the interface, and the
 * spelling of the one-transaction path that is switched off, are no operation at all.
 */
import type { Endpoint } from './endpoints.ts';

/** Section 4.2: which spelling of the path of one transaction is served. */
export const byIdPaths = ['plural', 'singular', 'both'] as const;
export type ByIdPath = (typeof byIdPaths)[number];

/** An operation and its path parameter, still percent-encoded. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly parameter: string;
}

/** Finds the operation of a path that the base path was taken from; undefined for any other path. */
export function findRoute(path: string, byIdPath: ByIdPath): Route | undefined {
  const [empty, resource, parameter, ...rest] = path.split('/');
  if (empty !== '' || rest.length > 0 || parameter === '') return undefined;
  if (parameter === undefined) {
    const isList = resource === 'transactions' || resource === 'balances' || resource === 'vaults';
    if (isList || resource === 'whitelist') return { endpoint: resource, parameter: '' };
    return undefined;
  }
  if (resource === 'transactions' && byIdPath !== 'singular') return { endpoint: 'transaction', parameter };
  if (resource === 'transaction' && byIdPath !== 'plural') return { endpoint: 'transaction', parameter };
  if (resource === 'balances') return { endpoint: 'balances-by-type', parameter };
  if (resource === 'vaults') return { endpoint: 'vault', parameter };
  return undefined;
}
