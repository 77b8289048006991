// What is learned of the service rests on several runs, and is taken back by several runs.
import { expect, test } from 'vitest';
import { syncTransactions } from '../../../src/sync/jobs/transactions.ts';
import { type Mirror, openMirror } from '../../support/mirror.ts';

/** A service of which some answers to a status are changed on their way. */
async function bentMirror() {
  let bend: (body: string) => string = (body) => body;
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const answer = await globalThis.fetch(input, init);
    if (!String(input).includes('status=')) return answer;
    return new Response(bend(await answer.text()), { status: answer.status, headers: answer.headers });
  };
  const mirror = await openMirror({ transactions: 600 }, {}, { fetch });
  const { world } = mirror.sandbox;
  for (const status of ['pending', 'processing', 'confirming'])
    for (let added = 0; added < 3; added += 1) world.insertTransaction('head', { status });
  await cycle(mirror);
  for (let added = 0; added < 3; added += 1) world.insertTransaction('head', { status: 'completed' });
  await cycle(mirror);
  const setBend = (next: typeof bend) => {
    bend = next;
  };
  return { mirror, setBend };
}

const cycle = (mirror: Mirror) => syncTransactions(mirror.context, { full: false });
const filter = ({ context }: Mirror) => context.facts.known.get('status_filter');

test('one record that has moved on between the search and the answer teaches nothing', async () => {
  const { mirror, setBend } = await bentMirror();
  setBend((body) => body.replace('"status":"confirming"', '"status":"completed"'));
  for (let run = 0; run < 5; run += 1) expect(await cycle(mirror)).toMatchObject({ status: 'succeeded' });
  expect(filter(mirror)).not.toBe('ignored');
});

test('a filter that is ignored for one run is believed in again, and one that works again is used again', async () => {
  const { mirror, setBend } = await bentMirror();
  const ignoring = (body: string) =>
    body.replaceAll(/"status":"(pending|processing|confirming)"/g, '"status":"rejected"');
  setBend(ignoring);
  await cycle(mirror);
  setBend((body) => body);
  await cycle(mirror);
  setBend(ignoring);
  for (let run = 0; run < 2; run += 1) await cycle(mirror);
  expect(filter(mirror)).not.toBe('ignored');
  await cycle(mirror);
  expect(filter(mirror)).toBe('ignored');
  setBend((body) => body);
  for (let run = 0; run < 2; run += 1) await cycle(mirror);
  expect(filter(mirror)).toBe('ignored');
  await cycle(mirror);
  expect(filter(mirror)).toBe('honoured');
});
