// Checks whether the custody service accepts the key: one small request for each mirrored endpoint, because a
// key is granted endpoint by endpoint (docs/custody-service.md 5).
import { createClock } from '../../base/clock.ts';
import type { Config } from '../../base/config/config.ts';
import { type Call, type CustodyClient, createCustodyClient } from '../../custody/client.ts';
import { fixForCode } from '../../domain/error-codes.ts';
import { CustodyError, errorMessage, isKeyRejected } from '../../domain/errors.ts';
import type { Resource } from '../../domain/jobs.ts';
import type { Page } from '../../domain/page.ts';
import { lengthInWords } from '../../domain/words.ts';
import type { CommandScope } from '../setup/command-scope.ts';
import { packageVersion } from '../setup/package-info.ts';
import { bad, type Finding, note, ok } from './finding.ts';
import { compareClocks } from './network.ts';

/** A longer wait requested by the service is reported and not observed. */
const longestWaitMs = 5_000;
/** How long one endpoint may take, waits included. */
const endpointWithinMs = 20_000;

/** How long all checks together may take. */
const withinMs = 60_000;

/** @param report is called with each finding as soon as it is known */
export async function checkService(
  { custody: config, resources }: Pick<Config, 'custody' | 'resources'>,
  { logger, metrics, releasers }: CommandScope,
  signal: AbortSignal,
  report: (finding: Finding) => void,
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
  const found: Finding[] = [];
  const add = (finding: Finding) => {
    // Each fix is shown once.
    const { fix, ...short } = finding;
    const isKnown = fix !== undefined && found.some((other) => other.fix === fix);
    found.push(finding);
    report(isKnown ? short : finding);
  };
  let clockFinding: Finding | null = null;
  const ask = async (resource: Resource, path: string, read: (call: Call) => Promise<Page<unknown>>) => {
    const subject = `GET ${path}`;
    if (!resources.includes(resource)) {
      return add(note(subject, `skipped: CUSTODY_RESOURCES leaves ${resource} out`));
    }
    const late = AbortSignal.any([all, AbortSignal.timeout(endpointWithinMs)]);
    const waits = watchWaits((waitMs) =>
      add(note(subject, `the service asks to wait ${lengthInWords(waitMs)}; retrying after that`)),
    );
    const tally = { requests: 0, retries: 0, rateLimited: 0 };
    const call = { priority: 'normal', tally, retries: 2, mayRetry: waits.mayRetry } as const;
    try {
      const page = await read({ ...call, signal: AbortSignal.any([signal, late]) });
      add(accepted(subject, page));
      clockFinding ??= clockOf(page);
    } catch (error) {
      signal.throwIfAborted();
      const othersAccept = found.some(({ verdict }) => verdict === 'ok');
      if (!late.aborted) return add(refusal(resource, path, error, othersAccept));
      const result = noAnswer(all.aborted ? withinMs : endpointWithinMs, waits.last());
      add({ ...refusal(resource, path, waits.last(), othersAccept), result });
    }
  };
  const questions = questionsOf(client);
  // Balances first: every viewer key has access to them.
  for (const resource of Object.keys(questions) as Resource[])
    for (const [path, read] of Object.entries(questions[resource])) await ask(resource, path, read);
  if (clockFinding !== null) add(clockFinding);
}

type Questions = Readonly<Record<Resource, Readonly<Record<string, (call: Call) => Promise<Page<unknown>>>>>>;

/** The requests for each resource, by path. */
function questionsOf(client: CustodyClient): Questions {
  return {
    balances: {
      '/balances': (call) => client.balances('all', {}, call),
      '/balances/warm': (call) => client.balances('warm', {}, call),
    },
    transactions: { '/transactions': (call) => client.transactions({ limit: 1, offset: 0 }, call) },
    vaults: { '/vaults': (call) => client.vaults('warm', {}, call) },
    whitelist: { '/whitelist': (call) => client.whitelist({}, call) },
  };
}

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

function accepted(subject: string, page: Page<unknown>): Finding {
  const count = page.items.length;
  const unread = page.items.filter(({ kind }) => kind === 'undecodable').length;
  const result = `the key is accepted${count === 0 ? ', no records' : ''}`;
  if (unread === 0) return ok(subject, result);
  const fix = 'their text will be kept in sync.quarantine';
  return note(subject, `${result}, ${unread} of ${count} records cannot be read`, fix);
}

/** The envelope of balances carries its time (docs/custody-service.md 2.6). */
function clockOf({ sourceTimestamp, beganAt, arrivedAt }: Page<unknown>): Finding | null {
  if (sourceTimestamp === null) return null;
  return compareClocks(
    'clock of the service',
    { shown: Date.parse(sourceTimestamp), askedAt: beganAt, answeredAt: arrivedAt },
    'check the clock of this machine; the mirror itself uses the clock of the database',
    ', or its balances are that old',
  );
}

function refusal(resource: Resource, path: string, error: unknown, othersAccept: boolean): Finding {
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
    `GET ${path}`,
    `${errorMessage(error)}${wait}`,
    known ?? 'check that CUSTODY_BASE_URL is the address of the custody service, with its path prefix',
  );
}
