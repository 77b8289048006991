// Seals in small parts, and says so after each: for a test that kills it. It takes the lease over
// at once, because every such process has the same name in it.
//
//   node sealing-process.mjs <database> <account> <key> <file of checkpoints>
import { createClock } from '../../dist/src/base/clock.js';
import { createLogger } from '../../dist/src/base/logger.js';
import { createMetrics } from '../../dist/src/base/metrics.js';
import { Secret } from '../../dist/src/base/secret.js';
import { readSigner } from '../../dist/src/seal/note.js';
import { sealHistory } from '../../dist/src/seal/seal.js';
import { openDatabase } from '../../dist/src/store/postgres/database.js';
import { acquireLease } from '../../dist/src/store/run/leases.js';

const [, , url, account, key, checkpointsFile] = process.argv;
const logger = createLogger({ level: 'error', format: 'json' });
const database = openDatabase({
  url: new Secret(url),
  applicationName: 'sealing process',
  logger,
  metrics: createMetrics(),
});
const { lease } = await acquireLease(database, {
  account,
  holder: 'test',
  ttlMs: 600_000,
  clock: createClock(),
});
process.stdout.write('begun\n');
const signer = readSigner(key);
const signal = new AbortController().signal;
const say = async (line) => void process.stdout.write(`${line}\n`);
await sealHistory({ database, lease, signer, checkpointsFile, logger, signal, atOnce: 5, afterPart: say });
await database.close();
