// A gate on the way to a server: connections pass, or hang, or are cut off and refused, as the test sets it. What stands
// behind it stays as it is for everybody who does not come this way.
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
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
  /** What holds these words passes so much later. */
  holdBack(words: string, ms: number): void;
}

export async function openGate(address: string): Promise<Gate> {
  const behind = new URL(address);
  const sockets = new Set<Socket>();
  let state: 'pass' | 'hang' | 'cut' = 'pass';
  let arrivals = 0;
  let spoiled: string | null = null;
  let heldBack: { readonly words: string; readonly ms: number } | null = null;
  const spoil = (data: Buffer): Buffer => {
    if (spoiled === null || !data.includes(spoiled)) return data;
    data.write('.'.repeat(spoiled.length), data.indexOf(spoiled));
    spoiled = null;
    return data;
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
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const)
      from.on('data', (data: Buffer) => {
        // What comes while it hangs is lost: nobody may be answered late.
        if (state !== 'pass') return;
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
    holdBack(words, ms) {
      heldBack = { words, ms };
    },
  };
}
