// Every block of commands in README.md, CONTRIBUTING.md and docs/ is run as it is written, or by stand-ins,
// with the reason for them. A new block fails until it has a line in the table below.
import { expect, test } from 'vitest';
import { viewerKey } from '../../support/command.ts';
import { newestPostgres } from '../../support/postgres.ts';
import { askApi } from './api-commands.ts';
import {
  backUp,
  demo,
  expectSecrets,
  keepReadersApart,
  letReaderIn,
  makeSealKeyFile,
  makeSecretsDirectory,
  mirrorFromClone,
  moveAccount,
  restore,
  useKeys,
} from './as-written.ts';
import { type Block, blocks, commandBlocks } from './blocks.ts';
import { clientsVersion, whyNoClients, whyNoServer } from './client-server.ts';
import { type Clone, openClone } from './shell.ts';
import { checkCall } from './stand-ins.ts';

type Way =
  | {
      /** Runs every word of it. */
      readonly runs: (clone: Clone, block: Block, server: string) => Promise<void>;
      /** The versions of the server, if not that of the clients alone. */
      readonly on?: readonly string[];
      /** Why it is not run here; null where it is. */
      readonly unless?: string | null;
    }
  | {
      /** What is only noted and held against the files of the repository; all else in the block is run. */
      readonly standIns: readonly string[];
      readonly because: string;
      readonly input?: string;
      /** What earlier steps have made. */
      readonly given?: (clone: Clone) => void;
      readonly leaves?: (clone: Clone) => void;
    };

const docker = {
  standIns: ['docker'],
  because: 'it needs a Docker engine, on which test/system/container runs the same',
};
const bench: Way = { standIns: ['npm'], because: 'it takes minutes' };

const ways: Readonly<Record<string, Way>> = {
  'README.md, Try it': { runs: demo },
  'README.md, Try it (2)': { standIns: ['npm'], because: 'this is a part of it' },
  'README.md, With Docker Compose': { ...docker, input: `${viewerKey}\n`, leaves: expectSecrets },
  'README.md, With Node.js and your own PostgreSQL': { runs: mirrorFromClone },
  'CONTRIBUTING.md, The first hour': {
    standIns: ['npm'],
    because: 'README.md and .ci/run run the same',
  },
  'docs/access.md, Readers': { runs: letReaderIn, unless: whyNoClients },
  'docs/access.md, Keys of the read API': { runs: useKeys },
  'docs/api.md, The custody interface': {
    standIns: ['curl'],
    because: 'test/http/custody asks the same',
  },
  'docs/api.md, A first request': { runs: askApi },
  'docs/api.md, Paging': { runs: askApi },
  'docs/api.md, Filters': { runs: askApi },
  'docs/api.md, CSV': { runs: askApi },
  'docs/api.md, CSV (2)': { runs: askApi },
  'docs/api.md, CSV (3)': { runs: askApi },
  'docs/api.md, A moment in the past': { runs: askApi },
  'docs/api.md, Changes': { runs: askApi },
  'docs/container.md, The image': docker,
  'docs/container.md, The demo': docker,
  'docs/container.md, Sealed history': { ...docker, given: makeSealKeyFile },
  'docs/container.md, Roles': docker,
  'docs/container.md, Several accounts': docker,
  'docs/container.md, Kubernetes': { standIns: ['kubectl'], because: 'it needs a cluster' },
  'docs/container.md, Helm': { standIns: ['kubectl', 'helm'], because: 'it needs a cluster' },
  'docs/container.md, Upgrade': {
    standIns: ['git', 'docker'],
    because: 'it needs a Docker engine and a later version',
  },
  'docs/container.md, How this is tested': {
    standIns: ['bash', 'npx'],
    because: 'it needs a Docker engine, and is itself a test',
  },
  'docs/dashboards.md, With Docker Compose': { ...docker, given: makeSecretsDirectory },
  'docs/operations.md, Moving an account to another server': {
    runs: moveAccount,
    unless: whyNoClients,
    on: ['15', newestPostgres],
  },
  'docs/operations.md, Backup': { runs: backUp, unless: whyNoClients },
  'docs/performance.md, What is measured': bench,
  'docs/performance.md, Against another tool': bench,
  'docs/performance.md, Idle': bench,
  'docs/performance.md, Soak': bench,
  'docs/performance.md, Ten million': bench,
  'docs/performance.md, Fresh': bench,
  'docs/performance.md, Reporting': bench,
  'docs/performance.md, Read API': bench,
  'docs/performance.md, Pages': bench,
  'docs/restore.md, From a dump': { runs: restore, unless: whyNoClients },
  'docs/scaling.md, SQL readers kept apart': { runs: keepReadersApart, unless: whyNoClients },
  'docs/scaling.md, What was measured': bench,
  'docs/release.md, Making a release': {
    standIns: ['npm'],
    because: 'it takes hours, and test/system/release makes one',
  },
};

test('each block of commands has its line in the table, and each line its block', () => {
  expect(Object.keys(ways).toSorted()).toEqual(commandBlocks.map(({ name }) => name).toSorted());
});

test('what is typed stands in a block of commands: no other block begins with a program', () => {
  const programs =
    // What a program printed may name one too, far to the right.
    /^ {0,4}(\$ |(npm|npx|node|bash|git|docker|kubectl|psql|pg_\w+|createdb|curl) |custody-mirror (?!is )[a-z])/m;
  const untold = blocks.filter(({ language, text }) => language === '' && programs.test(text));
  expect(untold.map(({ name }) => name)).toEqual([]);
});

for (const block of commandBlocks) {
  const way = ways[block.name];
  if (way === undefined) continue;
  if ('runs' in way)
    for (const server of way.on ?? [clientsVersion]) {
      const missing = way.unless ?? (way.on && whyNoServer(server));
      test.skipIf(missing)(
        `${block.name}: runs as it is written${way.on ? ` on PostgreSQL ${server}` : ''}${missing ? ` (skipped: ${missing})` : ''}`,
        () => way.runs(openClone(), block, server),
        300_000,
      );
    }
  else
    test(`${block.name}: runs with stand-ins for ${way.standIns.join(' and ')}, since ${way.because}`, async () => {
      const clone = openClone();
      const { standIns, input = '' } = way;
      way.given?.(clone);
      const { code, output, calls } = await clone.run(block.text, { standIns, input });
      expect(code, output).toBe(0);
      expect(calls.length).toBeGreaterThan(0);
      for (const call of calls) checkCall(call);
      way.leaves?.(clone);
    });
}
