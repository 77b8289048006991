// Sealing, which gives way to the jobs that mirror, and its verification in the daemon.
import { sleep } from '../base/loop.ts';
import { type Sealing, sealHistory } from '../seal/seal.ts';
import { type ProcessFacts, shownFault } from '../status/process-facts.ts';
import type { JobContext } from '../sync/run/context.ts';
import type { JobSlots } from './job-slots.ts';

export interface SealWork {
  /** Seals the history; left out if nothing is sealed. */
  readonly sealing?: Sealing | undefined;
  /** Verifies it and records what is found. */
  readonly verify?: ((context: JobContext) => Promise<void>) | undefined;
}

/** The longest pause between two steps: one without progress is aborted after much more. */
const longestPauseMs = 180_000;

/** They have no runs: what fails is a fact of this process. */
export function createSealJobs(
  { sealing, verify, facts }: SealWork & { readonly facts: ProcessFacts },
  context: JobContext,
  slots: JobSlots,
) {
  const { database, lease, logger, signal } = context;
  const unrecorded = async (subject: 'seal' | 'verify', work: () => Promise<unknown>) => {
    try {
      await work();
      facts.succeeded(subject);
    } catch (error) {
      // The next writer does what a stop leaves undone.
      if (signal.aborted) return;
      facts.failed(subject, ...shownFault(error));
      throw error;
    }
  };
  const seal = async () => {
    if (sealing === undefined) return;
    // While other jobs run, this work takes a fortieth of the time, and continues after them.
    const afterPart = async (_sealed: number, ms: number) => {
      const until = performance.now() + Math.min(39 * ms, longestPauseMs);
      while (performance.now() < until && slots.isBusyBeside('seal')) await sleep(100, signal);
    };
    await unrecorded('seal', () => sealHistory({ ...sealing, database, lease, logger, signal, afterPart }));
  };
  const verifyInBackground = async () => {
    if (verify !== undefined) await unrecorded('verify', () => verify(context));
  };
  return { seal, verify: verifyInBackground };
}
