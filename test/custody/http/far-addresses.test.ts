// A name with two addresses: a living one whose handshake takes a second, and behind it one that never
// answers. Node.js waits a quarter of a second for every address but the last one, and would lose the living
// one (nodejs/node#54359). A handshake waits in Linux where the queue of the listening socket is full.
import dns from 'node:dns';
import { once } from 'node:events';
import {
  connect,
  getDefaultAutoSelectFamilyAttemptTimeout,
  setDefaultAutoSelectFamilyAttemptTimeout,
} from 'node:net';
import { setTimeout as passed } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readProxy } from '../../../src/base/config/proxy.ts';
import { waitForFarAddresses } from '../../../src/cli/setup/process-limits.ts';
import { clientOf, json, newCall, serve } from '../../support/custody-service.ts';
import { startProxy } from '../../support/proxy.ts';
import { transactionRecord } from '../../support/wire-records.ts';

const name = 'far.test';
const [living, dead] = ['127.0.0.1', '127.0.0.2'];

/** Listens, accepts nothing before its gate opens, and passes on what comes then. */
const relay = `
  const { parentPort, workerData: { gate, host, port, target } } = require('node:worker_threads');
  const { connect, createServer } = require('node:net');
  const server = createServer((from) => {
    const to = connect(target, '127.0.0.1');
    for (const [one, other] of [[from, to], [to, from]])
      one.on('error', () => undefined).on('close', () => other.destroy()).pipe(other);
  });
  server.listen({ host, port, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    Atomics.wait(new Int32Array(gate), 0, 0);
  });`;

/** An address that completes no handshake before it is opened. */
async function busyAddress(host: string, port: number, target: number) {
  const gate = new SharedArrayBuffer(4);
  const worker = new Worker(relay, { eval: true, workerData: { gate, host, port, target } });
  const open = () => {
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
  };
  onTestFinished(async () => {
    open();
    await worker.terminate();
  });
  const [listening]: number[] = await once(worker, 'message');
  if (listening === undefined) throw new Error('the relay has no port');
  // One more than the length of its queue.
  for (let count = 0; count < 2; count += 1) {
    const waiting = connect(listening, host).on('error', () => undefined);
    onTestFinished(() => void waiting.destroy());
    await once(waiting, 'connect');
  }
  return { port: listening, open };
}

/** The name leads to both addresses. The living one is opened once its first packet was dropped. */
async function farName(target: number): Promise<number> {
  const { port, open } = await busyAddress(living, 0, target);
  await busyAddress(dead, port, target);
  const resolve = (asked: string, _: unknown, tell: (...told: unknown[]) => void) => {
    expect(asked).toBe(name);
    tell(
      null,
      [living, dead].map((address) => ({ address, family: 4 })),
    );
    // Later than Node.js would give the address up, earlier than the packet is repeated, after a second.
    void passed(400).then(open);
  };
  const lookup = vi.spyOn(dns, 'lookup').mockImplementation(resolve as never);
  const attemptMs = getDefaultAutoSelectFamilyAttemptTimeout();
  onTestFinished(() => {
    lookup.mockRestore();
    setDefaultAutoSelectFamilyAttemptTimeout(attemptMs);
  });
  waitForFarAddresses();
  return port;
}

const list = { transactions: [transactionRecord('t-1')] };

// A machine that stands still for a moment loses one handshake.
const options = { retry: 2 };
const isLinux = process.platform === 'linux';
const reason = isLinux ? '' : ' (skipped: only Linux makes a handshake wait)';
const farTest = test.skipIf(!isLinux);

farTest(
  `a service that is far away is reached beside an address that never answers${reason}`,
  options,
  async () => {
    const service = await serve((_, response) => json(response, list));
    const port = await farName(Number(service.url.port));
    const { client } = clientOf({ url: new URL(`http://${name}:${port}`) }, { retries: 0 });
    expect((await client.transactions({}, newCall())).items).toHaveLength(1);
    expect(service.requests).toHaveLength(1);
  },
);

farTest(`so is a proxy${reason}`, options, async () => {
  const service = await serve((_, response) => json(response, list));
  const proxy = await startProxy();
  const way = readProxy(`http://${name}:${await farName(proxy.port)}`);
  if (way === undefined) throw new Error('no proxy');
  const { client } = clientOf(service, { retries: 0, proxy: way });
  expect((await client.transactions({}, newCall())).items).toHaveLength(1);
  expect(proxy.asked).toEqual([service.url.host]);
});
