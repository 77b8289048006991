// The answers of the server to the statements of a transaction: how long each took, and that there is one.
// Over a connection that the network has forgotten comes neither answer nor error, until TCP gives up after a
// quarter of an hour.
import type { Socket } from 'node:net';
import type pg from 'pg';
import { MirrorError } from '../../domain/errors.ts';
import { sendCancel } from './cancel.ts';

export interface ResponseWatchdog {
  /**
   * A statement is sent.
   *
   * @returns to be called when it is answered; tells the milliseconds that took, without those of the
   * statements sent before it
   */
  expect(label: string): () => number;
}

/** The longest time that a timer counts. */
const longestTimerMs = 2 ** 31 - 1;

/**
 * Breaks the connection when statements wait and nothing came for so long.
 *
 * @param onSilence called when it is broken
 */
export function watchResponses(
  client: pg.PoolClient,
  target: string,
  limitMs: number,
  onSilence: () => void,
): ResponseWatchdog {
  const stream = client.connection.stream as Socket;
  const waiting = new Set<{ readonly label: string }>();
  /** When the server could begin with the oldest that waits: it was sent then, or something came. */
  let freeAt = 0;
  let cameBytes = 0;
  let timer: NodeJS.Timeout | undefined;
  const lookIn = (ms: number) => {
    clearTimeout(timer);
    // A process that was frozen first reads the answers that lie there.
    timer = setTimeout(() => setImmediate(look), Math.min(ms, longestTimerMs));
  };
  const look = () => {
    const [oldest] = waiting;
    if (oldest === undefined) return;
    // A part of a long answer.
    if (stream.bytesRead > cameBytes) {
      cameBytes = stream.bytesRead;
      return lookIn(limitMs);
    }
    const leftMs = limitMs - (performance.now() - freeAt);
    if (leftMs > 0) return lookIn(leftMs);
    onSilence();
    // The server may still work on the statement, and hold its locks. A commit that waits for a standby is
    // left to it.
    if (oldest.label !== 'commit') void sendCancel(client);
    stream.destroy(noAnswer(target, oldest.label, limitMs));
  };
  return {
    expect(label) {
      const one = { label };
      const sentAt = performance.now();
      if (waiting.size === 0) {
        freeAt = sentAt;
        cameBytes = stream.bytesRead;
        lookIn(limitMs);
      }
      waiting.add(one);
      return () => {
        const answeredAt = performance.now();
        const ms = answeredAt - Math.max(sentAt, freeAt);
        freeAt = answeredAt;
        cameBytes = stream.bytesRead;
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
    `database ${target} did not answer (${label}) within ${Math.round(limitMs / 100) / 10} s: the connection is given up and made anew; ${whereToLook(label)}`,
  );
}

function whereToLook(label: string): string {
  if (label === 'begin') return 'check the network, and whether a pooler has a connection of the server free';
  if (label === 'commit')
    return 'it may have been committed all the same; check the network, and whether a synchronous standby is away';
  return 'check the network';
}
