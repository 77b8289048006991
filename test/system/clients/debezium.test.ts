// Debezium's engine follows status changes, with the settings of docs/scaling.md: in order, over a restart
// and a kill, without loss.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onCleanup } from '../../support/cleanup.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { runProcess } from '../../support/process.ts';
import { waitFor } from '../../support/wait-for.ts';
import { blocksUnder } from '../docs/blocks.ts';
import { installed } from './installed.ts';
import { followerPassword, type LogicalMirror, logicalServer, publish, replaced } from './logical-mirror.ts';

const { directory: clients, missing } = installed('debezium');
const reader = fileURLToPath(new URL('DebeziumReader.java', import.meta.url));

interface Follower {
  /** The numbers of the changes that it told, in their order. */
  told(): readonly number[];
  /** What it says when it has ended by itself. */
  ended(): Promise<string>;
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Writes the settings of the document for this server. @returns a function that starts a follower */
function followerOf({ port }: LogicalMirror): () => Follower {
  const directory = newFolder();
  const [settings = ''] = blocksUnder('docs/scaling.md, Debezium', 'properties');
  const file = join(directory, 'settings');
  const ours = {
    'db.example': '127.0.0.1',
    '=5432': `=${port}`,
    'dbname=custody': 'dbname=mirror',
    '…': followerPassword,
    '/var/lib/follower': directory,
  };
  writeFileSync(file, replaced(settings, ours));
  return () => follow(file);
}

function follow(file: string): Follower {
  const child = spawn('java', ['-cp', join(clients, 'jars', '*'), reader, file], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    await ended;
  };
  onCleanup(() => end('SIGKILL'));
  return {
    // A kill may cut the last line.
    told: () =>
      output
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).after.change_id),
    ended: async () => {
      await ended;
      return errors;
    },
    end,
  };
}

test.skipIf(missing !== '')(
  `Debezium delivers every status change in order, over a restart and a kill${missing}`,
  async () => {
    const [{ databases }, service] = await Promise.all([logicalServer('mirror'), serveSandbox()]);
    const { mirror } = databases;
    await mirror.migrate();
    const sync = async () => {
      expect(await runProcess(['sync'], { env: environment(service, mirror) })).toMatchObject({ code: 0 });
    };
    const happen = async (count: number) => {
      for (let made = 0; made < count; made += 1)
        service.sandbox.world.insertTransaction('head', { status: 'pending' });
      service.sandbox.advance(20);
      await sync();
    };
    const changes = async () =>
      (await mirror.query('select change_id::int from custody.transaction_status_history order by 1')).map(
        ({ change_id }) => Number(change_id),
      );
    await sync();
    await publish(mirror);
    const start = followerOf(mirror);
    const untimely = start();
    expect(await untimely.ended()).toContain('Publication autocreation is disabled, please create one');
    expect(untimely.told()).toEqual([]);
    const [publication = ''] = blocksUnder('docs/scaling.md, Debezium', 'sql');
    await mirror.query(publication);

    const hasAll = async (follower: Follower) => {
      const last = (await changes()).at(-1);
      return last !== undefined && follower.told().includes(last);
    };
    const deadlineMs = 120_000;
    const first = start();
    await waitFor(() => hasAll(first), { what: 'what was there', deadlineMs });
    await happen(5);
    await waitFor(() => hasAll(first), { what: 'what happened', deadlineMs });
    await first.end('SIGTERM');
    await happen(50);

    const second = start();
    const seen = first.told().length;
    await waitFor(() => second.told().length > 0, { what: 'what happened meanwhile', deadlineMs });
    await Promise.all([happen(50), second.end('SIGKILL')]);

    const third = start();
    await waitFor(() => hasAll(third), { what: 'the rest', deadlineMs });
    await third.end('SIGTERM');
    const told = [first, second, third].flatMap((follower) => follower.told());
    expect(seen).toBeGreaterThan(150);
    // Repeated it may be; each change has its number.
    expect([...new Set(told)]).toEqual(await changes());

    const dropSlot = () => mirror.query("select pg_drop_replication_slot('status_changes')");
    await waitFor(() => dropSlot().catch(() => null), { what: 'the slot to be dropped' });
    expect(await start().ended()).toContain('is no longer available on the server');
  },
  600_000,
);
