// The answers of the server to the statements of a transaction: how long each took, and that there is one. Over a connection that the
// network has forgotten comes neither answer nor error, until TCP gives up after a quarter of an hour.
import type pg from 'pg';
import { MirrorError } from '../../domain/errors.ts';

export interface Answers {
  /**
   * A statement is sent.
   *
   * @returns to be called when it is answered; tells the milliseconds that took, without those of the statements sent before it
   */
  expect(label: string): () => number;
}

/** Breaks the connection when statements wait and none was answered for so long. */
export function watchAnswers({ connection }: pg.PoolClient, target: string, limitMs: number): Answers {
  const waiting = new Set<{ readonly label: string }>();
  /** When the server could begin with the oldest that waits: it was sent then, or the one before it was answered. */
  let freeAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const lookIn = (ms: number) => {
    clearTimeout(timer);
    // A process that was frozen first reads the answers that lie there.
    timer = setTimeout(() => setImmediate(look), ms);
  };
  const look = () => {
    const [oldest] = waiting;
    if (oldest === undefined) return;
    const leftMs = limitMs - (performance.now() - freeAt);
    if (leftMs > 0) lookIn(leftMs);
    else connection.stream.destroy(noAnswer(target, oldest.label, limitMs));
  };
  return {
    expect(label) {
      const one = { label };
      const sentAt = performance.now();
      if (waiting.size === 0) {
        freeAt = sentAt;
        lookIn(limitMs);
      }
      waiting.add(one);
      return () => {
        const answeredAt = performance.now();
        const ms = answeredAt - Math.max(sentAt, freeAt);
        freeAt = answeredAt;
        waiting.delete(one);
        if (waiting.size === 0) clearTimeout(timer);
        return ms;
      };
    },
  };
}

function noAnswer(target: string, label: string, limitMs: number): MirrorError {
  return new MirrorError(
    'DATABASE-UNREACHABLE',
    `database ${target} did not answer (${label}) within ${limitMs / 1000} s: the connection is given up and made anew; ` +
      'check the network, and whether a synchronous standby of the database is away',
  );
}
