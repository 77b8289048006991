import { expect, test } from 'vitest';
import { atWork, startServer } from '../support/running-server.ts';
import { statusReport } from '../support/status-report.ts';
import { never, unreachable } from './silent-database.ts';

test('healthz tells that the process works and asks nobody', async () => {
  let asked = 0;
  const count = async () => {
    asked += 1;
    return statusReport();
  };
  const { get } = await startServer({ readStatus: count, checkDatabase: count });
  const answer = await get('/healthz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ alive: true, role: 'writer', version: '1.2.3' });
  expect(asked).toBe(0);
});

test('healthz answers 503 once the process cannot work any more', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, alive: false }) });
  expect((await get('/healthz')).status).toBe(503);
});

test('readyz gives the reasons of a process that is not ready', async () => {
  const health = () => ({ ...atWork, ready: false, reasons: ['migrations run'], role: 'starting' as const });
  const { get } = await startServer({ health });
  const answer = await get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toEqual({ ready: false, role: 'starting', reasons: ['migrations run'] });
});

test('readyz is 200 on a standby', async () => {
  const { get } = await startServer({ health: () => ({ ...atWork, role: 'standby' }) });
  const answer = await get('/readyz');
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({ ready: true, role: 'standby', reasons: [] });
});

test('readyz says that the database is away, and that it does not answer', async () => {
  const away = await startServer({ checkDatabase: unreachable });
  const answer = await away.get('/readyz');
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ reasons: ['db.example:5432 cannot be reached; start it'] });

  const hanging = await startServer({ checkDatabase: never });
  const late = await hanging.get('/readyz');
  expect(late.status).toBe(503);
  expect(await late.json()).toMatchObject({ reasons: ['the database did not answer within 0.8 s'] });
});
