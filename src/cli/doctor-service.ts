// Whether the custody service accepts the key, endpoint by endpoint: one small request for each that is mirrored, as
// interface.md 5 grants a key its endpoints one by one.
import { createClock } from '../base/clock.ts';
import type { Config } from '../base/config.ts';
import { createCustodyClient } from '../custody/client.ts';
import { CustodyError, errorMessage, isKeyRejected } from '../domain/errors.ts';
import type { Page } from '../domain/page.ts';
import type { Resource } from '../domain/resource.ts';
import type { Surroundings } from './compose.ts';
import { compareClocks } from './doctor-clock.ts';
import type { Finding } from './finding.ts';
import { packageVersion } from './package-info.ts';

export async function checkService(
  { custody: config, resources }: Pick<Config, 'custody' | 'resources'>,
  { logger, metrics, releasers }: Surroundings,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const clock = createClock();
  const client = createCustodyClient({
    config,
    clock,
    logger,
    metrics,
    userAgent: `custody-mirror/${packageVersion()}`,
  });
  releasers.add('custody client', () => client.close());
  const tally = { requests: 0, retries: 0, rateLimited: 0 };
  const call = { signal, priority: 'normal' as const, tally, retries: 2 };
  const findings: Finding[] = [];
  let clockFinding: Finding | null = null;
  const ask = async (resource: Resource, path: string, read: () => Promise<Page<unknown>>) => {
    if (!resources.includes(resource)) {
      const result = `not asked: CUSTODY_RESOURCES leaves ${resource} out`;
      findings.push({ verdict: 'note', subject: `GET ${path}`, result });
      return;
    }
    try {
      const page = await read();
      const count = page.items.length;
      const unread = page.items.filter(({ kind }) => kind === 'undecodable').length;
      findings.push({
        verdict: unread > 0 ? 'note' : 'ok',
        subject: `GET ${path}`,
        result: `the key is accepted${count === 0 ? ', no records' : ''}${unread > 0 ? `, ${unread} of ${count} records cannot be read` : ''}`,
        ...(unread > 0 ? { mend: 'they will lie in sync.quarantine with their text' } : {}),
      });
      clockFinding ??= clockOf(page);
    } catch (error) {
      signal.throwIfAborted();
      const othersAccept = findings.some(({ verdict }) => verdict === 'ok');
      const finding = refusal(resource, path, error, othersAccept);
      const { mend, ...short } = finding;
      // Once is enough for what is to be done about all of them.
      findings.push(findings.some((other) => other.mend === mend) ? short : finding);
    }
  };
  await ask('balances', '/balances', () => client.balances('all', {}, call));
  await ask('balances', '/balances/warm', () => client.balances('warm', {}, call));
  await ask('transactions', '/transactions', () => client.transactions({ limit: 1, offset: 0 }, call));
  await ask('vaults', '/vaults', () => client.vaults('warm', {}, call));
  await ask('whitelist', '/whitelist', () => client.whitelist({}, call));
  return clockFinding === null ? findings : [...findings, clockFinding];
}

/** The envelope of balances says when it was made (interface.md 2.6). */
function clockOf({ sourceTimestamp, beganAt, arrivedAt }: Page<unknown>): Finding | null {
  if (sourceTimestamp === null) return null;
  return compareClocks(
    'clock of the service',
    { shown: Date.parse(sourceTimestamp), askedAt: beganAt, answeredAt: arrivedAt },
    'check the clock of this machine; the mirror itself goes by the clock of the database',
    ', or its balances are that old',
  );
}

const mends: ReadonlyMap<string, string> = new Map([
  [
    'ERR-02',
    'check CUSTODY_API_KEY, CUSTODY_API_KEY_HEADER, CUSTODY_API_KEY_PREFIX and that the key has the viewer role',
  ],
  ['ERR-03', 'the limit is used up by others; the mirror waits and finds the rate by itself'],
  ['TIMEOUT', 'check that CUSTODY_BASE_URL is reached from here, or raise CUSTODY_TIMEOUT_MS'],
  ['NETWORK', 'check that CUSTODY_BASE_URL is reached from here'],
]);

function refusal(resource: Resource, path: string, error: unknown, othersAccept: boolean): Finding {
  const code = error instanceof CustodyError ? error.fault.code : '';
  const known =
    othersAccept && isKeyRejected(error)
      ? `let the role of the key reach it, or leave ${resource} out of CUSTODY_RESOURCES`
      : mends.get(code);
  return {
    verdict: 'bad',
    subject: `GET ${path}`,
    result: errorMessage(error),
    mend: known ?? 'check that CUSTODY_BASE_URL is the address of the custody service, with its path prefix',
  };
}
