import { test } from 'vitest';
import { operations } from '../../../src/http/api/operations.ts';
import { openMirror } from '../../support/mirror.ts';
import { runCycle } from '../../../src/sync/jobs/cycle.ts';
import { startApi } from './reading.ts';

test('smoke', async () => {
  const mirror = await openMirror({ transactions: 60 });
  void runCycle;
  const api = await startApi(mirror.url, { of: 'default' });
  for (const { path } of operations) {
    const answer = await api.get(`/api${path.replace(/\{\w+\}/, 'x')}`);
    console.log(path, answer.status, (await answer.text()).slice(0, 300));
    const csv = await api.get(`/api${path.replace(/\{\w+\}/, 'x')}.csv`);
    console.log(path, csv.status, (await csv.text()).slice(0, 200));
  }
});
