// Worst days, drawn at random: in an order that nobody planned for, the database is set back or replaced,
// the account renamed, retired, erased, and the program upgraded, while the service moves, two processes
// mirror, a program follows the feed, and the history is sealed and verified. WORST_DAYS sets how many,
// WORST_DAYS_SEED draws the same again.
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { createRandom, type Random } from '../../../packages/sandbox/src/values/random.ts';
import { oneRun } from '../../support/cleanup.ts';
import { longTest, sized } from '../../support/form.ts';
import { laterVersion } from '../../support/later-version.ts';
import { newestPostgres } from '../../support/postgres.ts';
import { clientsVersion, whyNoClients } from '../docs/client-server.ts';
import { type DayAccount, openAccount } from './day-account.ts';
import { type DayServer, type DayTemplate, dayTemplate, openDayServer } from './day-server.ts';

interface Day {
  readonly seed: number;
  readonly random: Random;
  readonly server: DayServer;
  readonly account: DayAccount;
}

/** Lets things happen for a random while, and remembers a moment of it. */
async function awhile({ random, account }: Day): Promise<void> {
  await delay(random.below(1_000));
  await account.note();
  await delay(random.below(1_000));
}

/** @returns whether rows may be lost */
type Step = (day: Day) => Promise<boolean>;

const steps: Readonly<Record<string, Step>> = {
  async 'restored to a moment'(day) {
    const { random, server, account } = day;
    await server.backUp();
    await awhile(day);
    const moment = random.pick(account.moments());
    await account.stop();
    await server.restoreTo(moment.at);
    await account.backAt(moment);
    return true;
  },
  async 'restored from a dump'(day) {
    const { server, account } = day;
    const known = await account.rows();
    const dump = server.dump();
    await awhile(day);
    await account.stop();
    await server.restoreDump(dump);
    await account.mustRun('migrate');
    await account.expectKept(known);
    await account.start();
    return true;
  },
  async 'a replica promoted with loss'(day) {
    const { server, account } = day;
    await server.startReplica();
    const known = await account.rows();
    await server.promoteWithLoss(() => awhile(day));
    await account.expectKept(known);
    return true;
  },
  async 'a switchover'(day) {
    const { server, account } = day;
    await server.startReplica();
    await awhile(day);
    const known = await account.rows();
    await server.switchOver();
    await account.expectKept(known);
    return false;
  },
  async 'retired and back'(day) {
    const { account } = day;
    await account.stop();
    await account.mustRun('account', 'retire', account.name());
    account.rests('retired');
    const known = await account.rows();
    await awhile(day);
    await account.expectKept(known);
    await account.mustRun('account', 'retire', account.name(), '--undo');
    account.rests(null);
    await account.start();
    return false;
  },
  async erased({ seed, account }) {
    await account.note();
    await account.stop();
    const isDone = seed % 2 === 0 && (await account.breakErase(seed % 100));
    if (!isDone) await account.mustRun('account', 'erase', account.name(), '--confirm', account.name());
    expect((await account.rows()).size).toBe(0);
    await account.newLog();
    await account.start();
    return true;
  },
  async 'two versions at once'(day) {
    const { account } = day;
    if (account.isLater()) return false;
    await account.note();
    const known = await account.rows();
    await account.upgrade();
    await account.expectKept(known);
    return false;
  },
  async killed({ account }) {
    await account.stop();
    await account.start();
    return false;
  },
};

const canDump = (version: string) => whyNoClients === null && Number(version) <= Number(clientsVersion);

async function playDay(seed: number, templates: readonly DayTemplate[], later: string): Promise<void> {
  const random = createRandom(seed, 'worst day');
  const template = random.pick(templates);
  const names = Object.keys(steps).filter(
    (name) => canDump(template.version) || name !== 'restored from a dump',
  );
  const plan = Array.from({ length: 3 }, () => random.pick(names));
  process.stdout.write(`WORST_DAYS_SEED=${seed} PostgreSQL ${template.version}: ${plan.join(', ')}\n`);
  const server = await openDayServer(template);
  const account = await openAccount(random, server, later);
  await account.newLog();
  await server.backUp();
  await account.start();
  expect(await account.expectWhole()).toBe('intact');
  for (const name of plan) {
    const losses = account.follower.losses.length;
    const mayLose = await steps[name]?.({ seed, random, server, account });
    const verdict = await account.expectWhole();
    if (!mayLose) {
      expect({ name, verdict }).toEqual({ name, verdict: 'intact' });
      expect(account.follower.losses, name).toHaveLength(losses);
    } else if (verdict === 'sealing stopped') {
      await account.stop();
      await account.sealRestart();
      await account.start();
      expect(await account.expectWhole(), name).toBe('intact');
    }
  }
}

const days = sized({ short: 1, long: 3 }, 'WORST_DAYS');
const laterMigration = `alter table sync.runs add column later text not null default 'unknown'`;

longTest(
  'whatever the day brings, no row is lost without a word, and none is doubled',
  async () => {
    const first = Number(process.env['WORST_DAYS_SEED'] ?? Date.now() % 1_000_000);
    const versions = whyNoClients === null ? [clientsVersion, newestPostgres] : [newestPostgres];
    const templates = await Promise.all([...new Set(versions)].map(dayTemplate));
    const later = laterVersion(laterMigration);
    for (let day = 0; day < days; day += 1) await oneRun(playDay)(first + day, templates, later);
  },
  days * 600_000,
);
