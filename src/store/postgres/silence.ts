// Tells a server that is silent, as behind a network that drops packets, from one that is slow: while an
// answer is waited for, a new connection asks to be let in; one that is refused is no silence. All pools
// of one address share what is found, so that nobody waits for it twice.
import pg from 'pg';
import { Late, within } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';

/** So long an answer is waited for before the server is asked whether it is there. */
export const patienceMs = 1_000;
/** So long it may take to let a connection in. */
const greetingMs = 1_500;

export interface Silence {
  /** When a connection was last given up: what ended it may have ended those that stood idle then, too. */
  brokenAt: number;
  /** Asks whether the server is silent; once for all who want to know at the same time. */
  isSilent(): Promise<boolean>;
  /**
   * The outcome of connecting.
   *
   * @param onLate takes a connection that comes after all
   * @throws MirrorError `DATABASE-UNREACHABLE` when the server is silent, at once if it just was
   */
  unlessSilent<T>(connect: () => Promise<T>, onLate: (connected: T) => void): Promise<T>;
}

const byTarget = new Map<string, Silence>();

/** @param target host, port and name of the database */
export function silenceOf(connectionString: string, target: string): Silence {
  const silence = byTarget.get(target) ?? createSilence(connectionString, target);
  byTarget.set(target, silence);
  return silence;
}

function createSilence(connectionString: string, target: string): Silence {
  let silentAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<boolean> | null = null;
  const ask = async () => {
    const isSilent = !(await greets(connectionString));
    silentAt = isSilent ? performance.now() : Number.NEGATIVE_INFINITY;
    asking = null;
    return isSilent;
  };
  const isSilent = () => {
    asking ??= ask();
    return asking;
  };
  const silent = () =>
    new MirrorError(
      'DATABASE-UNREACHABLE',
      `database ${target} does not answer, and lets no new connection in: check the network and the server`,
    );
  return {
    brokenAt: Number.NEGATIVE_INFINITY,
    isSilent,
    async unlessSilent(connect, onLate) {
      if (performance.now() - silentAt < patienceMs) throw silent();
      const connecting = connect();
      for (;;) {
        try {
          return await within(patienceMs, connecting);
        } catch (error) {
          if (!(error instanceof Late)) throw error;
          if (!(await isSilent())) continue;
          connecting.then(onLate, () => undefined);
          throw silent();
        }
      }
    },
  };
}

/** Whether a new connection comes to any end in time. */
async function greets(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => undefined);
  try {
    await within(greetingMs, client.connect());
  } catch (error) {
    if (error instanceof Late) client.connection.stream.destroy();
    return !(error instanceof Late);
  }
  void client.end().catch(() => undefined);
  return true;
}
