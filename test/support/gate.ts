// A gate on the way to a server: connections pass, or hang, or are cut off and refused, as the test sets it. What stands
// behind it stays as it is for everybody who does not come this way.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from './cleanup.ts';

export interface Gate {
  /** The address given, by way of the gate. */
  readonly url: string;
  /** Connections that came so far. */
  readonly arrivals: number;
  /** From now on `pass`es everything, lets nothing through and answers nothing (`hang`), or hangs up (`cut`). */
  set(state: 'pass' | 'hang' | 'cut'): void;
  /** Puts dots in the place of these words where they pass next: what is asked is then refused, and the connection stays. */
  spoilNext(words: string): void;
  /** Connections that are there now carry nothing any more; those that come pass. */
  forget(): void;
  /** Answers go on in parts of so many bytes, with so long between them. */
  trickle(bytes: number, everyMs: number): void;
  /** Of what holds these words next, half passes, and nothing more in that connection: neither it nor the server hears of its end. */
  breakAt(words: string): void;
  /** What holds these words passes so much later. */
  holdBack(words: string, ms: number): void;
}

export async function openGate(address: string): Promise<Gate> {
  const behind = new URL(address);
  const sockets = new Set<Socket>();
  let state: 'pass' | 'hang' | 'cut' = 'pass';
  let arrivals = 0;
  let spoiled: string | null = null;
  let brokenAt: string | null = null;
  const broken = new Set<Socket>();
  let trickling: { readonly bytes: number; readonly everyMs: number } | null = null;
  let heldBack: { readonly words: string; readonly ms: number } | null = null;
  const spoil = (data: Buffer): Buffer => {
    if (spoiled === null || !data.includes(spoiled)) return data;
    data.write('.'.repeat(spoiled.length), data.indexOf(spoiled));
    spoiled = null;
    return data;
  };
  let dripping: Promise<void> = Promise.resolve();
  const drip = (data: Buffer, to: Socket) => {
    const { bytes, everyMs } = trickling ?? { bytes: data.length, everyMs: 0 };
    for (let from = 0; from < data.length; from += bytes)
      dripping = dripping.then(async () => {
        to.write(data.subarray(from, from + bytes));
        await delay(everyMs);
      });
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    arrivals += 1;
    keep(client);
    if (state === 'cut') return void client.destroy();
    const upstream = connect(Number(behind.port), behind.hostname);
    keep(upstream);
    client.on('close', () => {
      if (!broken.has(client)) upstream.destroy();
    });
    upstream.on('close', () => {
      if (!broken.has(client)) client.destroy();
    });
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('data', (data: Buffer) => {
        // What comes while it hangs is lost: nobody may be answered late.
        if (state !== 'pass' || broken.has(client)) return;
        if (brokenAt !== null && data.includes(brokenAt)) {
          brokenAt = null;
          broken.add(client);
          return void to.write(data.subarray(0, data.length / 2));
        }
        if (trickling !== null && from === upstream) return void drip(data, to);
        if (heldBack !== null && data.includes(heldBack.words)) setTimeout(() => to.write(data), heldBack.ms);
        else to.write(spoil(data));
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const bound = server.address();
  const url = new URL(address);
  url.hostname = '127.0.0.1';
  url.port = typeof bound === 'object' && bound !== null ? String(bound.port) : '';
  return {
    url: url.href,
    get arrivals() {
      return arrivals;
    },
    set(next) {
      state = next;
      if (next !== 'hang') for (const socket of sockets) socket.destroy();
    },
    spoilNext(words) {
      spoiled = words;
    },
    forget() {
      for (const socket of sockets) broken.add(socket);
    },
    trickle(bytes, everyMs) {
      trickling = { bytes, everyMs };
    },
    breakAt(words) {
      brokenAt = words;
    },
    holdBack(words, ms) {
      heldBack = { words, ms };
    },
  };
}
