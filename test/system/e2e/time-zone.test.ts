// Who sets the zone of an account's days: the daemon that writes, and `sync` if it is given one.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully, untilWriter } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { listening } from '../../support/listening.ts';
import { waitFor } from '../../support/wait-for.ts';

const zurich = { SCHEDULE_TIMEZONE: 'Europe/Zurich' };

test('neither a sync or a standby without a zone nor a run that fails moves the days', async () => {
  const [service, database] = await Promise.all([serveSandbox({ transactions: 20 }), testDatabase()]);
  const zone = async () => (await database.query('select time_zone from custody.accounts'))[0]?.['time_zone'];
  expect(await sync(service, database, zurich, ['vaults'])).toMatchObject({ code: 0 });
  expect(await sync(service, database, {}, ['vaults'])).toMatchObject({ code: 0 });
  expect(await zone()).toBe('Europe/Zurich');
  const taken = { HTTP_PORT: String((await listening(createServer())).port) };
  expect(await runHere(['run'], { env: { ...environment(service, database), ...taken } })).toMatchObject({
    code: 1,
  });
  expect(await zone()).toBe('Europe/Zurich');
  const daemon = await startDaemon(service, database, { SCHEDULE_TIMEZONE: 'Asia/Tokyo' });
  await untilWriter(database, daemon);
  await waitFor(async () => (await zone()) === 'Asia/Tokyo', { what: 'the zone of the daemon' });
  const standby = await startDaemon(service, database);
  await standby.output(/standing by/);
  // The daemon does what it asks for, and its own zone stays.
  expect(await sync(service, database, zurich, ['vaults'])).toMatchObject({ code: 0 });
  expect(await zone()).toBe('Asia/Tokyo');
  await stopGracefully(standby);
  await stopGracefully(daemon);
  expect(await database.query('select time_zone from custody.former_time_zones')).toEqual([
    { time_zone: 'Europe/Zurich' },
  ]);
});
