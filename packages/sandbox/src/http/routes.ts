// Finds the operation of a path (section 4). Invariant: a path outside the interface, and the spelling of the
// one-transaction path that is switched off, have no operation.
import type { Endpoint } from './endpoints.ts';

/** Which spelling of the path of one transaction is served (section 4.2). */
export const byIdPaths = ['plural', 'singular', 'both'] as const;
export type ByIdPath = (typeof byIdPaths)[number];

/** An operation and its path parameter, still percent-encoded. */
export interface Route {
  readonly endpoint: Endpoint;
  readonly parameter: string;
}

/** The operation of a path without the base path; undefined when there is none. */
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
