// Payments of an account as a service sees them: they come by chance, and each goes through its statuses by
// chance. Every change is noted with the moment from which the service tells it.
import type { Sandbox } from '../packages/sandbox/src/sandbox.ts';

export interface ServiceChange {
  readonly transactionId: string;
  /** Its place among the statuses of a payment. */
  readonly stage: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** The statuses of a payment, and how long it has each, on the average. */
const stages = [
  { status: 'pending', seconds: 30 },
  { status: 'processing', seconds: 20 },
  { status: 'confirming', seconds: 90 },
  { status: 'completed', seconds: Number.POSITIVE_INFINITY },
] as const;

export function stageOf(status: string): number {
  return stages.findIndex((stage) => stage.status === status);
}

export interface Payments {
  readonly changes: readonly ServiceChange[];
  stop(): void;
}

/**
 * What is open in the history of the account is settled first: nothing but these payments changes.
 *
 * @param everySeconds a payment comes, on the average
 */
export function makePayments({ world }: Sandbox, everySeconds: number, random: () => number): Payments {
  for (const { transactionId, status } of world.transactions())
    if (stageOf(status) >= 0 && stageOf(status) < stages.length - 1)
      world.alterTransaction(transactionId, { status: 'completed' });
  const changes: ServiceChange[] = [];
  const timers = new Set<NodeJS.Timeout>();
  const after = (meanSeconds: number, work: () => void) => {
    const timer = setTimeout(
      () => {
        timers.delete(timer);
        work();
      },
      -Math.log(1 - random()) * meanSeconds * 1000,
    );
    timers.add(timer);
  };
  const enter = (transactionId: string, stage: number) => {
    const current = stages[stage];
    if (current === undefined) return;
    if (stage > 0) world.alterTransaction(transactionId, { status: current.status });
    changes.push({ transactionId, stage, at: Date.now() });
    if (Number.isFinite(current.seconds)) after(current.seconds, () => enter(transactionId, stage + 1));
  };
  const come = () => {
    enter(world.insertTransaction('head', { status: 'pending' }).transactionId, 0);
    after(everySeconds, come);
  };
  after(everySeconds, come);
  return {
    changes,
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
