// Worst days, drawn at random: in an order that nobody planned for, the database is set back or replaced
// and the account renamed, retired, erased, while the service moves, two processes mirror, a program
// follows the feed, and the history is sealed and verified. WORST_DAYS sets how many, WORST_DAYS_SEED
// draws the same again.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { createRandom, type Random } from '../../../packages/sandbox/src/values/random.ts';
import { newFolder } from '../../seal/sealed-history.ts';
import { onCleanup, oneRun } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { type Daemon, expireLease, startDaemon } from '../../support/daemon.ts';
import { longTest, sized } from '../../support/form.ts';
import { runHere } from '../../support/in-process.ts';
import { newestPostgres } from '../../support/postgres.ts';
import { mirrored, truth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { clientsVersion, whyNoClients } from '../docs/client-server.ts';
import { type Chronicle, chronicleOf, expectHonestHistory } from '../faults/history.ts';
import { changesOf, startFollower } from './day-follower.ts';
import { type DayServer, openDayServer } from './day-server.ts';

const patient = { deadlineMs: 180_000, intervalMs: 200 };

/** A service that moves all the time, unless it is held still. */
async function movingService(seed: number) {
  const service = await serveSandbox({ seed, transactions: 60, frozen: false, newPerMinute: 60 });
  const chronicle: Chronicle = chronicleOf(service.sandbox);
  let isStill = false;
  const timer = setInterval(() => {
    if (isStill) return;
    service.sandbox.advance();
    chronicle.note();
  }, 150);
  onCleanup(async () => clearInterval(timer));
  return {
    ...service,
    chronicle,
    hold: (still: boolean) => {
      isStill = still;
    },
  };
}

/** The account in the hands of its operator: what is set, who runs, and the commands of the documents. */
async function openAccount(random: Random, server: DayServer) {
  const service = await movingService(random.below(1_000_000));
  const follower = startFollower();
  const folder = newFolder();
  let account = 'default';
  let log = 0;
  let daemons: Daemon[] = [];
  const env = () => ({
    CUSTODY_ACCOUNT: account,
    SEAL_KEY_FILE: join(folder, `key-${log}`),
    SEAL_CHECKPOINTS_FILE: join(folder, `checkpoints-${log}`),
  });
  const run = (...args: string[]) => runHere(args, { env: environment(service, server, env()) });
  const mustRun = async (...args: string[]) => {
    const done = await run(...args);
    expect(done, `${args.join(' ')}: ${done.stdout}${done.stderr}`).toMatchObject({ code: 0 });
  };
  const newLog = async () => {
    log += 1;
    await mustRun('seal', 'init', env().SEAL_KEY_FILE, `custody.example/acme-${log}`);
  };
  const start = async () => {
    const more = { ...env(), SCHEDULE_SEAL: '*/2 * * * * *', SCHEDULE_RECONCILE: '*/10 * * * * *' };
    daemons = await Promise.all([0, 1].map(() => startDaemon(service, server, more, patient)));
    follower.lead({ baseUrl: random.pick(daemons).url, account });
  };
  const stop = async () => {
    const signal = random.chance(0.5) ? 'SIGKILL' : 'SIGTERM';
    for (const daemon of daemons) daemon.kill(signal);
    for (const daemon of daemons) await daemon.exit(60_000);
    follower.lead(null);
    daemons = [];
    await expireLease(server);
  };
  const rows = () => changesOf(server, account);
  const lastWords = async () => {
    const runs = `select * from (select r::text as row from sync.runs r order by run_id desc limit 10) as r
      union all select s::text from sync.seal_stops s`;
    const told = daemons.map((daemon) => daemon.stderr().split('\n').slice(-20).join('\n'));
    return [...(await server.query(runs)).map(({ row }) => row), ...told].join('\n');
  };
  const verify = async () => {
    const { code, stdout, stderr } = await run('verify');
    if (code === 0 && stdout.includes('intact')) return 'intact';
    if (code === 1 && stdout.includes('fork')) return 'fork';
    throw new Error(`verify ended with ${code}: ${stdout}${stderr}`);
  };
  /** Null until the change is sealed or sealing has stopped. */
  const sealing = async (change: number) => {
    const found = await server.query<{ is_stopped: boolean }>(
      `select true as is_stopped from reporting.health_problems where account_id = $1 and code = 'sealing-stopped'
       union all select false from sync.seal_checkpoints where account_id = $1 and last_change_id >= $2
       order by 1 desc`,
      [account, change],
    );
    return found.length > 0 ? found : null;
  };
  const sealRestart = async (...options: string[]) => {
    await newLog();
    await mustRun('seal', 'restart', ...options, join(folder, `log-${log}`));
  };
  return {
    follower,
    rows,
    run,
    mustRun,
    start,
    stop,
    newLog,
    sealRestart,
    name: () => account,
    /** What the command leaves to the configuration. */
    nowCalled: (name: string) => {
      account = name;
    },
    /**
     * Nothing that was known at a moment is gone, and what was lost is named: docs/restore.md, Afterwards.
     */
    async afterLoss(known: ReadonlyMap<number, string>) {
      const now = await rows();
      expect([...known].filter(([id, said]) => now.get(id) !== said)).toEqual([]);
    },
    /** Stops the world, and holds mirror, follower and log against it. */
    async expectWhole() {
      service.hold(true);
      const isMirrored = async () =>
        isDeepStrictEqual(await mirrored(server, account), truth(service.sandbox));
      await waitFor(isMirrored, { what: 'the truth', ...patient }).catch(async (error: unknown) => {
        process.stdout.write(`${await lastWords()}\n`);
        expect(await mirrored(server, account)).toEqual(truth(service.sandbox));
        throw error;
      });
      await expectHonestHistory(
        { query: (sql, params = [account]) => server.query(sql, params) },
        service.chronicle,
      );
      // Balances are observed all the time: the follower has all that is there now, in its order.
      const all = await rows();
      const known = () => [...follower.known].filter(([id]) => id <= Math.max(...all.keys()));
      const isFollowed = () => isDeepStrictEqual(known(), [...all]);
      await waitFor(isFollowed, { what: 'the follower', ...patient }).catch(() => undefined);
      expect(known()).toEqual([...all]);
      expect(follower.doubled).toEqual([]);
      // Sealing goes on, or health says that it has stopped: also where a restore lost a checkpoint and no
      // row.
      const [first] = await waitFor(async () => (await sealing(Math.max(...all.keys())))?.slice(0, 1), {
        what: 'a sealed history',
        ...patient,
      }).catch(async (error: unknown) => {
        process.stdout.write(`${await lastWords()}\n`);
        throw error;
      });
      const verdict = await verify();
      if (first?.is_stopped !== true) expect(verdict).toBe('intact');
      service.hold(false);
      return first?.is_stopped === true ? 'sealing stopped' : verdict;
    },
  };
}

type Account = Awaited<ReturnType<typeof openAccount>>;

interface Day {
  readonly random: Random;
  readonly server: DayServer;
  readonly account: Account;
}

/** Lets things happen for a random while: it is the moment that is drawn, and nothing waits for it. */
const awhile = ({ random }: Day) => new Promise((resume) => setTimeout(resume, random.below(4_000)));

/** @returns whether rows may be lost */
type Step = (day: Day) => Promise<boolean>;

const steps: Readonly<Record<string, Step>> = {
  async 'restored to a moment'(day) {
    const { server, account } = day;
    await server.backUp();
    await awhile(day);
    const known = await account.rows();
    const moment = await server.moment();
    await awhile(day);
    await account.stop();
    await server.restoreTo(moment);
    await account.afterLoss(known);
    await account.start();
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
    await account.afterLoss(known);
    await account.start();
    return true;
  },
  async 'a replica promoted with loss'(day) {
    const { server, account } = day;
    await server.startReplica();
    const known = await account.rows();
    await server.promoteWithLoss(() => awhile(day).then(() => undefined));
    await account.afterLoss(known);
    return true;
  },
  async 'a switchover'(day) {
    const { server } = day;
    await server.startReplica();
    await awhile(day);
    await server.switchOver();
    return false;
  },
  async renamed({ account }) {
    const to = account.name() === 'default' ? 'treasury' : 'default';
    await account.stop();
    await account.sealRestart('--end');
    await account.mustRun('account', 'rename', account.name(), '--to', to);
    account.nowCalled(to);
    await account.start();
    return false;
  },
  async 'retired and back'(day) {
    const { account } = day;
    await account.mustRun('account', 'retire', account.name());
    await awhile(day);
    if (day.random.chance(0.5)) {
      await account.stop();
      await account.start();
    }
    await account.mustRun('account', 'retire', account.name(), '--undo');
    return false;
  },
  async paused(day) {
    const { account } = day;
    await account.mustRun('pause', '--for', '2h');
    await awhile(day);
    await account.mustRun('resume');
    return false;
  },
  async erased({ account }) {
    await account.stop();
    await account.mustRun('account', 'erase', account.name(), '--confirm', account.name());
    expect((await account.rows()).size).toBe(0);
    await account.newLog();
    await account.start();
    return true;
  },
  async killed({ account }) {
    await account.stop();
    await account.start();
    return false;
  },
};

const canDump = (version: string) => whyNoClients === null && Number(version) <= Number(clientsVersion);
const days = sized({ short: 1, long: 3 }, 'WORST_DAYS');

async function playDay(seed: number): Promise<void> {
  const random = createRandom(seed, 'worst day');
  const version = whyNoClients === null && random.chance(0.5) ? clientsVersion : newestPostgres;
  const names = Object.keys(steps).filter((name) => canDump(version) || name !== 'restored from a dump');
  const plan = Array.from({ length: 4 }, () => random.pick(names));
  process.stdout.write(`WORST_DAYS_SEED=${seed} PostgreSQL ${version}: ${plan.join(', ')}\n`);
  const server = await openDayServer(version);
  const account = await openAccount(random, server);
  await account.newLog();
  await account.start();
  expect(await account.expectWhole()).toBe('intact');
  for (const name of plan) {
    const losses = account.follower.losses.length;
    process.stdout.write(`${name}\n`);
    const mayLose = await steps[name]?.({ random, server, account });
    const verdict = await account.expectWhole();
    if (mayLose) {
      if (verdict === 'sealing stopped') {
        await account.stop();
        await account.sealRestart();
        await account.start();
        expect(await account.expectWhole(), name).toBe('intact');
      }
    } else {
      expect({ name, verdict }).toEqual({ name, verdict: 'intact' });
      expect(account.follower.losses, name).toHaveLength(losses);
    }
  }
}

longTest(
  'whatever the day brings, no row is lost without a word, and none is doubled',
  async () => {
    const first = Number(process.env['WORST_DAYS_SEED'] ?? Date.now() % 1_000_000);
    for (let day = 0; day < days; day += 1) await oneRun(playDay)(first + day);
  },
  days * 900_000,
);
