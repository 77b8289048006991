// The server that the bench of the read API asks, in its own process, as the daemon runs it. It answers
// each message with the greatest memory it used since the message before, and ends with the bench.
import { createLogger } from '../src/base/logger.ts';
import { createMetrics } from '../src/base/metrics.ts';
import { Secret } from '../src/base/secret.ts';
import { createHttpServer } from '../src/server/server.ts';
import { readStatus } from '../src/store/job-queries/status.ts';
import { openDatabase, pingDatabase } from '../src/store/postgres/database.ts';
import { openChangeSignal } from '../src/store/read-api/change-signal.ts';
import type { ApiStarted, ApiUsed } from './messages.ts';
import { benchAccount } from './reporting-size.ts';

const url = new Secret(process.env['DATABASE_URL'] ?? '');
const logger = createLogger({ level: 'warn', format: 'json' });
const metrics = createMetrics();
const readDatabase = openDatabase({
  url,
  applicationName: 'custody-mirror api',
  readOnly: true,
  poolName: 'api',
  maxConnections: 4,
  statementTimeoutMs: 60_000,
  logger,
  metrics,
});
const changes = openChangeSignal({ database: readDatabase, logger });
const server = createHttpServer({
  host: '127.0.0.1',
  port: 0,
  account: benchAccount,
  metrics,
  logger,
  version: 'bench',
  health: () => ({ ready: true, role: 'writer', reasons: [], holder: 'bench' }),
  readStatus: () => readStatus(readDatabase, benchAccount),
  checkDatabase: () => pingDatabase(readDatabase),
  allowedHosts: [],
  reading: { readDatabase, changes },
  rateLimit: Number(process.env['HTTP_RATE_LIMIT']) || null,
});
let peak = 0;
const look = () => {
  peak = Math.max(peak, process.memoryUsage.rss());
};
setInterval(look, 20).unref();
process.on('message', () => {
  look();
  const used: ApiUsed = { peakRssBytes: peak };
  peak = 0;
  process.send?.(used);
});
process.on('disconnect', () => {
  void (async () => {
    await server.close();
    await changes.close();
    await readDatabase.close();
  })();
});
const started: ApiStarted = { url: (await server.listen()).url };
process.send?.(started);
