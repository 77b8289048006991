// The probes: health of the process, and whether it does its work. They are open to everybody.
import { Hono } from 'hono';
import type { Metrics } from '../base/metrics.ts';
import { within } from '../base/waiting.ts';
import type { AccessEnv } from '../http/request/environment.ts';
import { faultOf, type ProcessState } from '../http/request/status-source.ts';

export interface ProbesOptions {
  /** Must return at once. */
  readonly health: () => ProcessState;
  /** A round trip to the database, for /readyz; without it `health` decides alone. */
  readonly checkDatabase?: () => Promise<unknown>;
  readonly version: string;
  readonly metrics: Metrics;
}

export type Probes = Hono<AccessEnv>;

/** How long /readyz waits for the database: shorter than the usual timeout of a probe. */
const quickMs = 800;

export const noCheck = () => Promise.resolve<unknown>(null);

export function probeRoutes({ health, version, metrics, ...options }: ProbesOptions): Probes {
  const { checkDatabase = noCheck } = options;
  const probes = new Hono<AccessEnv>();

  probes.get('/healthz', async (c) => {
    const { alive, role, failing } = health();
    // It is open to everybody: codes, and no messages.
    const codes = failing?.map(({ subject, code, failures }) => ({ subject, code, failures }));
    const dropped = (await metrics.logLinesDropped.get()).values[0]?.value ?? 0;
    const notes = dropped === 0 ? {} : { notes: [`${dropped} log lines could not be written`] };
    return c.json({ alive, role, version, failing: codes, ...notes }, alive ? 200 : 503);
  });

  probes.get('/readyz', async (c) => {
    const { ready, reasons, role } = health();
    const fault = await databaseFault(checkDatabase);
    const answer = {
      ready: ready && fault === null,
      role,
      reasons: fault === null ? reasons : [...reasons, fault],
    };
    return c.json(answer, answer.ready ? 200 : 503);
  });
  return probes;
}

async function databaseFault(check: () => Promise<unknown>): Promise<string | null> {
  try {
    await within(quickMs, check());
    return null;
  } catch (error) {
    return faultOf(error, quickMs).message;
  }
}
