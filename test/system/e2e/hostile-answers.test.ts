import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { type Answers, hostileShapes } from '../../../bench/hostile-shapes.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { listening } from '../../support/listening.ts';
import { waitFor } from '../../support/wait-for.ts';

const bytes = Number(process.env['HOSTILE_MIB'] ?? 2) * 2 ** 20;

async function serveList(answers: Answers) {
  const service = { url: '', answered: 0 };
  const server = createServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(answers(url), () => {
      service.answered += 1;
    });
  });
  service.url = (await listening(server)).url;
  return service;
}

test.each(Object.entries(hostileShapes))(
  'an answer of %s keeps the daemon from neither probes, nor its lease, nor a stop',
  async (_, make) => {
    const [service, database] = await Promise.all([serveList(make(bytes)), testDatabase()]);
    const daemon = await startDaemon(service, database, { CUSTODY_RESOURCES: 'transactions' });
    await waitFor(() => service.answered > 0, { what: 'the answer' });
    const ended = async () =>
      (await database.query(`select from sync.runs where status <> 'running'`)).length > 0;
    let probes = 0;
    while (!(await ended())) {
      expect((await daemon.get('/healthz')).status).toBe(200);
      probes += 1;
    }
    expect(probes).toBeGreaterThan(0);
    const [lease] = await database.query(
      'select token, expires_at > clock_timestamp() as held from sync.leases',
    );
    expect(lease).toMatchObject({ token: '1', held: true });
    const before = service.answered;
    await waitFor(() => service.answered > before, { what: 'the next answer' });
    await stopGracefully(daemon);
    expect(daemon.stderr()).not.toMatch(/lease lost|unhandled|out of memory/);
  },
  600_000,
);
