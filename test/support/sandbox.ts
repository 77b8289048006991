// The service of docs/custody-service.md, served over HTTP for a test.
import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import { createSandbox, type Sandbox } from '../../packages/sandbox/src/sandbox.ts';
import { onCleanup } from './cleanup.ts';

export interface Service {
  readonly sandbox: Sandbox;
  readonly url: string;
}

/**
 * A world that stands still unless told otherwise. @param port one that an earlier sandbox had, to take its
 * place; else a free one
 */
export async function startSandbox(options: SandboxOptions = {}, port = 0): Promise<Service> {
  const sandbox = createSandbox({ frozen: true, ...options });
  onCleanup(() => sandbox.close());
  const { url } = await sandbox.listen(port);
  return { sandbox, url };
}

/** The requests for the list of transactions without a filter: those of walks. */
export function unfilteredRequests({ requests }: Sandbox): number {
  const filters = ['status', 'transaction_type', 'start_date', 'end_date'];
  const isUnfiltered = (query: string) => !filters.some((name) => new URLSearchParams(query).has(name));
  return requests.recent().filter(({ endpoint, query }) => endpoint === 'transactions' && isUnfiltered(query))
    .length;
}
