// The answers of the server to the statements of a transaction: how long each took, and that there is one.
// Over a connection that the network has forgotten comes neither answer nor error, until TCP gives up after a
// quarter of an hour.
import type { Socket } from 'node:net';
import type pg from 'pg';
import { MirrorError } from '../../domain/errors.ts';
import { sendCancel } from './cancel.ts';
import { patienceMs, type Silence } from './silence.ts';

export interface ResponseWatchdog {
  /**
   * A statement is sent.
   *
   * @returns to be called when it is answered; tells the milliseconds that took, without those of the
   * statements sent before it
   */
  expect(label: string): () => number;
}

/**
 * A beginning is no work. Where somebody waits for it, the server lets others in and it is not answered, the
 * network has forgotten this connection.
 */
const beginMs = 2_500;
/** The longest time that a timer counts. */
const longestTimerMs = 2 ** 31 - 1;

export interface Patience {
  /**
   * A connection that answers no statement for so long is given up, and with it those that stood idle by
   * then.
   */
  readonly longestMs: number;
  /** Given up as soon as the server turns out to be silent. */
  readonly failsWhenSilent: boolean;
}

interface WatchOptions extends Patience {
  readonly target: string;
  readonly silence: Silence;
}

/** Breaks the connection when statements wait and nothing came for so long. */
export function watchResponses(
  client: pg.PoolClient,
  { target, longestMs, failsWhenSilent, silence }: WatchOptions,
): ResponseWatchdog {
  const stream = client.connection.stream as Socket;
  const waiting = new Set<{ readonly label: string }>();
  /** When the server could begin with the oldest that waits: it was sent then, or something came. */
  let freeAt = 0;
  let cameBytes = 0;
  /** When something came last, a part of an answer included. */
  let heardAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const askAfterMs = failsWhenSilent ? Math.min(longestMs, patienceMs) : longestMs;
  const lookIn = (ms: number) => {
    clearTimeout(timer);
    // A process that was frozen first reads the answers that lie there.
    timer = setTimeout(() => setImmediate(() => void look()), Math.min(ms, longestTimerMs));
  };
  const hear = (at: number) => {
    heardAt = at;
    cameBytes = stream.bytesRead;
  };
  const look = async () => {
    const [oldest] = waiting;
    if (oldest === undefined) return;
    // A part of a long answer.
    if (stream.bytesRead > cameBytes) hear(performance.now());
    const waitedMs = performance.now() - heardAt;
    if (waitedMs < askAfterMs) return lookIn(askAfterMs - waitedMs);
    const limitMs = failsWhenSilent && oldest.label === 'begin' ? Math.min(longestMs, beginMs) : longestMs;
    if (waitedMs < limitMs) {
      if (!(await silence.isSilent()) || !waiting.has(oldest) || stream.bytesRead > cameBytes)
        return lookIn(Math.min(askAfterMs, limitMs - waitedMs));
    }
    silence.brokenAt = performance.now();
    const silentMs = Math.min(limitMs, performance.now() - heardAt);
    giveUp(client, oldest.label, noAnswer(target, oldest.label, silentMs));
  };
  return {
    expect(label) {
      const one = { label };
      const sentAt = performance.now();
      if (waiting.size === 0) {
        freeAt = sentAt;
        hear(sentAt);
        lookIn(askAfterMs);
      }
      waiting.add(one);
      return () => {
        const answeredAt = performance.now();
        const ms = answeredAt - Math.max(sentAt, freeAt);
        freeAt = answeredAt;
        hear(answeredAt);
        waiting.delete(one);
        if (waiting.size === 0) clearTimeout(timer);
        return ms;
      };
    },
  };
}

/**
 * The server may still work on the statement, and hold its locks. A commit that waits for a standby is left
 * to it.
 */
function giveUp(client: pg.PoolClient, label: string, error: MirrorError): void {
  if (label !== 'commit') void sendCancel(client);
  client.connection.stream.destroy(error);
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
