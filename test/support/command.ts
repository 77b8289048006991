// What end-to-end tests share: a sandbox in the test's own process, the environment that points the built
// command at it, and one run of `sync`. Everything is taken down when the test, or outside a test the file,
// ends.
import type { SandboxOptions } from '../../packages/sandbox/src/options.ts';
import type { TestDatabase } from './database.ts';
import { runHere } from './in-process.ts';
import { runProcess } from './process.ts';
import { type Service, startSandbox } from './sandbox.ts';

export type { Service } from './sandbox.ts';

/** A key that stands out wherever it should not be. */
export const viewerKey = 'vk-7f3d1e5b-Secret+Key/9=';

/** @param port one that an earlier sandbox had, to take its place; else a free one */
export function serveSandbox(options: SandboxOptions = {}, port = 0): Promise<Service> {
  return startSandbox({ seed: 7, transactions: 150, apiKey: viewerKey, ...options }, port);
}

/** The least that the command needs, with waits cut short and pages small enough that there are several. */
export function environment(
  service: { readonly url: string },
  database: { readonly url: string },
  more: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return {
    DATABASE_URL: database.url,
    CUSTODY_BASE_URL: service.url,
    CUSTODY_API_KEY: viewerKey,
    CUSTODY_PAGE_SIZE: '40',
    CUSTODY_RETRY_MIN_MS: '5',
    CUSTODY_RETRY_MAX_MS: '50',
    HTTP_PORT: '0',
    ...more,
  };
}

/** `custody-mirror sync`, to its end, in the process of the test. */
export function sync(
  service: { readonly url: string },
  database: Pick<TestDatabase, 'url'>,
  more: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
) {
  return runHere(['sync', ...args], { env: environment(service, database, more) });
}

/**
 * The same as a process, for what a process alone reads or does: its own environment, a loop that it does not
 * share.
 */
export function syncProcess(
  service: { readonly url: string },
  database: { readonly url: string },
  more: Readonly<Record<string, string>> = {},
) {
  return runProcess(['sync'], { env: environment(service, database, more) });
}
