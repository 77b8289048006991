// The account on a worst day, in the hands of its operator: what is configured, who runs, the commands of
// the documents, and who reads: a follower of the feed and a verifier of the sealed history.
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { Random } from '../../../packages/sandbox/src/values/random.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { expireLease } from '../../support/daemon.ts';
import { newFolder } from '../../support/folder.ts';
import { runHere } from '../../support/in-process.ts';
import { runProcess } from '../../support/process.ts';
import { expectTruth, mirrored, truth } from '../../support/truth.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Chronicle, chronicleOf, expectHonestHistory } from '../faults/history.ts';
import { type DayDaemon, startHere, startLater } from './day-daemon.ts';
import { changesOf, startFollower } from './day-follower.ts';
import type { DayServer } from './day-server.ts';
import { startVerifier } from './day-verifier.ts';

const patient = { deadlineMs: 120_000, intervalMs: 200 };

/** What an operator has set, beside the address of the database. */
interface Setup {
  readonly account: string;
  /** Of the key and the file of checkpoints. */
  readonly log: number;
  readonly rest: 'retired' | null;
}

/** To which the database may be set back. */
interface Moment {
  readonly at: string;
  /** From which backup. */
  readonly backup: string | null;
  readonly known: ReadonlyMap<number, string>;
  readonly setup: Setup;
}

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

export async function openAccount(random: Random, server: DayServer, later: string) {
  const service = await movingService(random.below(1_000_000));
  const follower = startFollower();
  const folder = newFolder();
  let setup: Setup = { account: 'default', log: 0, rest: null };
  let logs = 0;
  let program: string | null = null;
  let daemons: DayDaemon[] = [];
  const moments: Moment[] = [];

  const env = () =>
    environment(service, server, {
      CUSTODY_ACCOUNT: setup.account,
      CUSTODY_RATE_LIMIT: 'off',
      LEASE_TTL_MS: '10000',
      LOG_FORMAT: 'json',
      SCHEDULE_TRANSACTIONS: '* * * * * *',
      SCHEDULE_BALANCES: '* * * * * *',
      SCHEDULE_DOCUMENTS: '* * * * * *',
      SCHEDULE_RECONCILE: '*/3 * * * * *',
      SCHEDULE_SEAL: '* * * * * *',
      SEAL_KEY_FILE: join(folder, `key-${setup.log}`),
      SEAL_CHECKPOINTS_FILE: join(folder, `checkpoints-${setup.log}`),
    });
  const run = (...args: string[]) =>
    program === null ? runHere(args, { env: env() }) : runProcess(args, { env: env(), program });
  const verifier = startVerifier(run);
  const mustRun = async (...args: string[]) => {
    const done = await run(...args);
    expect(done, `${args.join(' ')}: ${done.stdout}${done.stderr}`).toMatchObject({ code: 0 });
  };
  const newLog = async () => {
    logs += 1;
    setup = { ...setup, log: logs };
    await mustRun('seal', 'init', env()['SEAL_KEY_FILE'] ?? '', `custody.example/acme-${logs}`);
  };
  const startOne = () =>
    program === null
      ? startHere(env())
      : startLater(program, env(), random.chance(0.5) ? 'SIGKILL' : 'SIGTERM', patient);
  const lead = () => {
    follower.lead({ baseUrl: random.pick(daemons).url, account: setup.account });
    verifier.go();
  };
  const start = async () => {
    await expireLease(server);
    daemons = [await startOne(), await startOne()];
    lead();
  };
  const stop = async () => {
    follower.lead(null);
    await verifier.rest();
    const stopAll = async () => void (await Promise.all(daemons.map((daemon) => daemon.stop())));
    // A process that is killed releases nothing: this one loses its database first.
    await (random.chance(0.5) ? server.cutOff(stopAll) : stopAll());
    daemons = [];
    await expireLease(server);
  };
  const rows = () => changesOf(server, setup.account);
  const sealRestart = async () => {
    await newLog();
    await mustRun('seal', 'restart', join(folder, `log-${logs}`));
  };
  const lastWords = async () => {
    const runs = `select * from (select r::text as row from sync.runs r order by run_id desc limit 10) as r
      union all select s::text from sync.seal_stops s`;
    const told = daemons.map((daemon) => daemon.log().split('\n').slice(-20).join('\n'));
    return [...(await server.query(runs)).map(({ row }) => row), ...told].join('\n');
  };
  const until = async (condition: () => Promise<boolean>, what: string) => {
    await waitFor(condition, { what, ...patient }).catch(async (error: unknown) => {
      process.stdout.write(`${await lastWords()}\n`);
      throw error;
    });
  };
  /** Null until the change is sealed or sealing has stopped. */
  const sealing = async (change: number) => {
    const [found] = await server.query<{ is_stopped: boolean }>(
      `select true as is_stopped from reporting.health_problems where account_id = $1 and code = 'sealing-stopped'
       union all select false from sync.seal_checkpoints where account_id = $1 and last_change_id >= $2
       order by 1 desc`,
      [setup.account, change],
    );
    return found ?? null;
  };
  const expectKept = async (known: ReadonlyMap<number, string>) => {
    const now = await rows();
    expect([...known].filter(([id, said]) => now.get(id) !== said)).toEqual([]);
  };
  /** Stops the world, and holds mirror and follower against it. */
  const expectSame = async () => {
    const isMirrored = async () =>
      isDeepStrictEqual(await mirrored(server, setup.account), truth(service.sandbox));
    await until(isMirrored, 'the truth').catch(async (error: unknown) => {
      await expectTruth(server, service.sandbox, setup.account);
      throw error;
    });
    const ofAccount = (sql: string, params = [setup.account]) => server.query(sql, params);
    await expectHonestHistory({ query: ofAccount } as never, service.chronicle);
    // Balances are observed all the time: the follower has all that is there now, in its order.
    const all = await rows();
    const newest = Math.max(...all.keys());
    const known = () => [...follower.known].filter(([id]) => id <= newest);
    const isFollowed = async () => isDeepStrictEqual(known(), [...all]);
    await waitFor(isFollowed, { what: 'the follower', ...patient }).catch(() => undefined);
    expect(known()).toEqual([...all]);
    expect(follower.doubled).toEqual([]);
    return newest;
  };

  /** Nobody mirrors what is half erased. */
  const expectUntouched = async () => {
    const before = await rows();
    const daemon = await startOne();
    await until(async () => daemon.log().includes('was half erased'), 'a refusal');
    await daemon.stop();
    await expireLease(server);
    expect(await rows()).toEqual(before);
  };

  return {
    follower,
    rows,
    mustRun,
    start,
    stop,
    newLog,
    sealRestart,
    expectKept,
    name: () => setup.account,
    rests: (rest: Setup['rest']) => {
      setup = { ...setup, rest };
    },
    /** Remembers what is known now, to come back to it. */
    async note() {
      const known = await rows();
      moments.push({ at: await server.moment(), backup: server.backup, known, setup });
    },
    /** To which the last backup leads. */
    moments: () => moments.filter(({ backup }) => backup !== null && backup === server.backup),
    /** Sets back what is configured, and continues, as docs/restore.md says. */
    async backAt({ known, setup: then }: Moment) {
      setup = { ...then, rest: null };
      await mustRun('migrate');
      await expectKept(known);
      if (then.rest === 'retired') await mustRun('account', 'retire', setup.account, '--undo');
      await start();
    },
    /** An erase that loses its database so long after it began. @returns whether it was done by then */
    async breakErase(afterMs: number) {
      let isOver = false;
      const erasing = run('account', 'erase', setup.account, '--confirm', setup.account).finally(() => {
        isOver = true;
      });
      const begun = 'select from internal.erasures where finished_at is null';
      while (!isOver && (await server.query(begun)).length === 0) await delay(5);
      await delay(afterMs);
      await server.cutOff(async () => void (await erasing));
      await expireLease(server);
      const [left] = await server.query<{ half: boolean }>(
        'select exists (select from internal.erasures where finished_at is null) as half from custody.accounts',
      );
      if (left?.half === true) await expectUntouched();
      return left === undefined;
    },
    isLater: () => program !== null,
    /** A process of the later version, beside those that run: they leave. */
    async upgrade() {
      const older = daemons;
      const next = await startLater(later, env(), 'SIGKILL', patient);
      for (const daemon of older) expect(await daemon.ended()).toContain('(SCHEMA-NEWER)');
      // Nor does one that comes too late stay.
      await expect(startHere(env())).rejects.toThrow('(SCHEMA-NEWER)');
      program = later;
      daemons = [next];
      lead();
    },
    /** @returns what became of the sealed history */
    async expectWhole() {
      service.hold(true);
      const newest = await expectSame();
      // Sealing goes on, or health says that it has stopped: also where a restore lost a checkpoint and no
      // row.
      await until(async () => (await sealing(newest)) !== null, 'a sealed history');
      const isStopped = (await sealing(newest))?.is_stopped === true;
      const verdict = await verifier.verdict();
      if (!isStopped) expect(verdict).toBe('intact');
      expect(verifier.accusations).toEqual([]);
      service.hold(false);
      return isStopped ? 'sealing stopped' : verdict;
    },
  };
}

export type DayAccount = Awaited<ReturnType<typeof openAccount>>;
