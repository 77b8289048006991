// A gate on the way to a server: connections pass, hang, are cut off or lead elsewhere, as the test sets it.
// What stands behind it stays as it is for everybody who does not come this way.
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { onCleanup } from './cleanup.ts';
import { listening } from './listening.ts';

export interface Gate {
  /** The address given, by way of the gate. */
  readonly url: string;
  /** Connections that came so far. */
  readonly arrivals: number;
  /**
   * From now on `pass`es everything, lets nothing through and answers nothing (`hang`), or hangs up (`cut`).
   */
  set(state: 'pass' | 'hang' | 'cut'): void;
  /** Connections that come go to another server; those that are there stay. */
  leadTo(address: string): void;
  /**
   * Puts dots in the place of these words where they pass next: what is asked is then refused, and the
   * connection stays.
   */
  spoilNext(words: string): void;
  /** Connections that are there now carry nothing any more; those that come pass. */
  forget(): void;
  /** The answers of one connection go on in parts of so many bytes, with so long between them. */
  trickle(bytes: number, everyMs: number): void;
  /**
   * Of what holds these words next, half passes, and nothing more in that connection: neither it nor the
   * server hears of its end.
   */
  breakAt(words: string): void;
}

export async function openGate(address: string): Promise<Gate> {
  let behind = new URL(address);
  const sockets = new Set<Socket>();
  let state: 'pass' | 'hang' | 'cut' = 'pass';
  let arrivals = 0;
  let spoiled: string | null = null;
  let brokenAt: string | null = null;
  const broken = new Set<Socket>();
  let trickling: ReturnType<typeof drip> | null = null;
  const spoil = (data: Buffer): Buffer => {
    if (spoiled === null || !data.includes(spoiled)) return data;
    data.write('.'.repeat(spoiled.length), data.indexOf(spoiled));
    spoiled = null;
    return data;
  };
  /**
   * In parts of the size asked for, however the server cut its answer: so many small ones would take as many
   * pauses.
   */
  const drip = ({ bytes, everyMs }: { readonly bytes: number; readonly everyMs: number }) => {
    let held = Buffer.alloc(0);
    let isDripping = false;
    return async (data: Buffer, to: Socket) => {
      held = Buffer.concat([held, data]);
      if (isDripping) return;
      isDripping = true;
      while (held.length > 0) {
        to.write(held.subarray(0, bytes));
        held = held.subarray(bytes);
        await delay(everyMs);
      }
      isDripping = false;
    };
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
        if (trickling !== null && from === upstream) return void trickling(data, to);
        to.write(spoil(data));
      });
  });
  const { port } = await listening(server);
  onCleanup(async () => {
    for (const socket of sockets) socket.destroy();
  });
  const url = Object.assign(new URL(address), { hostname: '127.0.0.1', port: String(port) });
  return {
    url: url.href,
    get arrivals() {
      return arrivals;
    },
    set(next) {
      state = next;
      if (next !== 'hang') for (const socket of sockets) socket.destroy();
    },
    leadTo(other) {
      behind = new URL(other);
    },
    spoilNext(words) {
      spoiled = words;
    },
    forget() {
      for (const socket of sockets) broken.add(socket);
    },
    trickle(bytes, everyMs) {
      trickling = drip({ bytes, everyMs });
    },
    breakAt(words) {
      brokenAt = words;
    },
  };
}
