// Turns and seats of readers, without a database: who gives up hands its turn to nobody, and a seat is given
// back by who had it.
import { expect, test } from 'vitest';
import { createReaderQuota } from '../../../src/http/access/reader-quota.ts';
import type { Database } from '../../../src/store/postgres/database.ts';
import { waitFor } from '../../support/wait-for.ts';

/** Transactions that last until they are let go, in the order in which they began. */
function held() {
  const begun: (() => void)[] = [];
  const database: Database = {
    target: 'none',
    close: async () => undefined,
    transact: (_label, work) =>
      new Promise((resolve, reject) => {
        const none = async () => await Promise.reject(new Error('none'));
        const send = () => undefined;
        const tx = { run: none, ask: none, copy: none, send };
        begun.push(() => void work(tx).then(resolve, reject));
      }),
  };
  return { database, begun };
}

const never = new AbortController().signal;

test('one who gave up waiting is handed no turn, and the next one is', async () => {
  const { database, begun } = held();
  const quota = createReaderQuota(database, 4);
  const ask = (signal: AbortSignal, reader = 'one') =>
    quota.databaseOf(reader, signal).transact('t', async () => 'done');
  const leaving = new AbortController();
  const first = [ask(never), ask(never)];
  const gone = ask(leaving.signal);
  const patient = ask(never);
  await waitFor(() => begun.length === 2, { what: 'two transactions' });
  // Another reader has its own.
  const other = ask(never, 'two');
  await waitFor(() => begun.length === 3, { what: 'that of another reader' });
  leaving.abort(new Error('left'));
  await expect(gone).rejects.toThrow('left');
  begun[0]?.();
  await waitFor(() => begun.length === 4, { what: 'the turn of the next' });
  for (const end of begun.slice(1)) end();
  expect(await Promise.all([...first, patient, other])).toEqual(['done', 'done', 'done', 'done']);
});

test('a seat that is given back twice is not taken from who has it now', () => {
  const quota = createReaderQuota(held().database, 4);
  const first = quota.takeLong('one');
  first();
  const second = quota.takeLong('one');
  first();
  expect(() => quota.takeLong('one')).toThrow('one long response to this reader is in progress');
  quota.takeLong('two');
  expect(() => quota.takeLong('three')).toThrow('2 long responses are in progress');
  second();
  quota.takeLong('three');
});
