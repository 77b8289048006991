// Checks whether the custody service accepts the key: one small request for each mirrored endpoint, because a
// key is granted endpoint by endpoint (docs/custody-service.md 5).
import { createClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import { type Call, type CustodyClient, createCustodyClient } from '../../custody/client.ts';
import { CustodyError, errorMessage, fixForCode, isKeyRejected } from '../../domain/errors.ts';
import type { Resource } from '../../domain/jobs.ts';
import type { Page } from '../../domain/page.ts';
import { lengthInWords } from '../../domain/words.ts';
import { type CommandScope, packageVersion } from '../setup/command-scope.ts';
import { bad, type FindingList, type Found, note, ok } from './finding.ts';
import { compareClocks } from './network.ts';

/** A longer wait requested by the service is reported and not observed. */
const longestWaitMs = 5_000;
/** How long one endpoint may take, waits included. */
const endpointWithinMs = 20_000;

/** How long all checks together may take. */
const withinMs = 60_000;

export async function checkService(
  { custody: config, resources }: Pick<Config, 'custody' | 'resources'>,
  { logger, metrics, releasers }: CommandScope,
  signal: AbortSignal,
  list: FindingList,
): Promise<void> {
  const client = createCustodyClient({
    config,
    clock: createClock(undefined, Date.now()),
    logger,
    metrics,
    userAgent: `custody-mirror/${packageVersion()}`,
  });
  releasers.add('custody client', () => client.close());
  const all = AbortSignal.timeout(withinMs);
  const found: Found[] = [];
  const add = (subject: string, finding: Found) => {
    // Each fix is shown once.
    const isKnown = finding.fix !== undefined && found.some(({ fix }) => fix === finding.fix);
    found.push(finding);
    list.add(subject, isKnown ? { ...finding, fix: undefined } : finding);
  };
  let clock: Found | null = null;
  const ask = async ({ resource, path, read }: Question) => {
    const subject = `GET ${path}`;
    if (!resources.includes(resource))
      return add(subject, note(`skipped: CUSTODY_RESOURCES leaves ${resource} out`));
    const late = AbortSignal.any([all, AbortSignal.timeout(endpointWithinMs)]);
    const waits = watchWaits((waitMs) =>
      add(subject, note(`the service asks to wait ${lengthInWords(waitMs)}; retrying after that`)),
    );
    const tally = { requests: 0, retries: 0, rateLimited: 0 };
    const call = { priority: 'normal', tally, retries: 2, mayRetry: waits.mayRetry } as const;
    try {
      const page = await read(client, { ...call, signal: AbortSignal.any([signal, late]) });
      add(subject, accepted(page));
      clock ??= clockOf(page);
    } catch (error) {
      signal.throwIfAborted();
      const othersAccept = found.some(({ verdict }) => verdict === 'ok');
      if (!late.aborted) return add(subject, refusal(resource, error, othersAccept));
      const result = noAnswer(all.aborted ? withinMs : endpointWithinMs, waits.last());
      add(subject, { ...refusal(resource, waits.last(), othersAccept), result });
    }
  };
  for (const question of questions) await ask(question);
  list.add('clock of the service', clock);
}

interface Question {
  readonly resource: Resource;
  readonly path: string;
  readonly read: (client: CustodyClient, call: Call) => Promise<Page<unknown>>;
}

/** Balances first: every viewer key has access to them. */
const questions: readonly Question[] = [
  {
    resource: 'balances',
    path: '/balances',
    read: (client, call) => client.balances('all', {}, call),
  },
  {
    resource: 'balances',
    path: '/balances/warm',
    read: (client, call) => client.balances('warm', {}, call),
  },
  {
    resource: 'transactions',
    path: '/transactions',
    read: (client, call) => client.transactions({ limit: 1, offset: 0 }, call),
  },
  { resource: 'vaults', path: '/vaults', read: (client, call) => client.vaults('warm', {}, call) },
  { resource: 'whitelist', path: '/whitelist', read: (client, call) => client.whitelist({}, call) },
];

function noAnswer(withinMs: number, last: CustodyError | null): string {
  const within = `no answer within ${lengthInWords(withinMs)}`;
  return last === null ? within : `${within}: ${errorMessage(last)}`;
}

/** Whether a failed request is retried: at once, or after a wait that is reported. */
function watchWaits(reportWait: (waitMs: number) => void) {
  let last: CustodyError | null = null;
  return {
    last: (): CustodyError | null => last,
    mayRetry(error: CustodyError): boolean {
      last = error;
      const waitMs = error.fault.retryAfterMs ?? 0;
      if (waitMs > longestWaitMs) return false;
      if (waitMs >= 1_000) reportWait(waitMs);
      return true;
    },
  };
}

function accepted(page: Page<unknown>): Found {
  const count = page.items.length;
  const unread = page.items.filter(({ kind }) => kind === 'undecodable').length;
  const result = `the key is accepted${count === 0 ? ', no records' : ''}`;
  if (unread === 0) return ok(result);
  const fix = 'their text will be kept in sync.quarantine';
  return note(`${result}, ${unread} of ${count} records cannot be read`, fix);
}

/** The envelope of balances carries its time (docs/custody-service.md 2.6). */
function clockOf({ sourceTimestamp, beganAt, arrivedAt }: Page<unknown>): Found | null {
  if (sourceTimestamp === null) return null;
  return compareClocks(
    { shown: Date.parse(sourceTimestamp), askedAt: beganAt, answeredAt: arrivedAt },
    'check the clock of this machine; the mirror itself uses the clock of the database',
    ', or its balances are that old',
  );
}

function refusal(resource: Resource, error: unknown, othersAccept: boolean): Found {
  const fault = error instanceof CustodyError ? error.fault : null;
  const code = fault?.code ?? 'TIMEOUT';
  const known =
    othersAccept && isKeyRejected(error)
      ? `give the key's role access to it, or leave ${resource} out of CUSTODY_RESOURCES`
      : fixForCode(code);
  const waitMs = fault?.retryAfterMs ?? 0;
  const wait =
    waitMs > longestWaitMs
      ? ` (the service asks to wait ${lengthInWords(waitMs)}, too long for this check)`
      : '';
  return bad(
    `${errorMessage(error)}${wait}`,
    known ?? 'check that CUSTODY_BASE_URL is the address of the custody service, with its path prefix',
  );
}
