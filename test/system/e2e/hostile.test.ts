// Text of the service that tries to be SQL, HTML, a line of the log or an order to a terminal: it arrives in
// its column as it was, and wherever people or machines read along it is text on one line.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { environment, serveSandbox, sync } from '../../support/command.ts';
import { startDaemon, stopGracefully } from '../../support/daemon.ts';
import { testDatabase } from '../../support/database.ts';
import { insertHostileTransactions, hostileTexts as texts } from '../../support/hostile-texts.ts';
import { runHere } from '../../support/in-process.ts';
import { listening } from '../../support/listening.ts';
import { mirrored, truth } from '../../support/truth.ts';

/** What would move a cursor, turn the direction of writing or begin a line where none should. */
const orders = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

test('hostile text arrives in its column as it was, and gives nobody an order on the way', async () => {
  const [service, database] = await Promise.all([serveSandbox(), testDatabase()]);
  const { world } = service.sandbox;
  insertHostileTransactions(world);
  // The third is no amount at all, so that the reason of a quarantine quotes it.
  for (const [index, text] of texts.slice(0, 5).entries())
    world.insertTransaction('head', { transactionId: `odd-${index}`, status: 'completed', amount: text });
  const run = await sync(service, database, { LOG_LEVEL: 'trace' });
  expect(run, run.stderr).toMatchObject({ code: 0 });
  const expected = truth(service.sandbox).transactions.filter(
    (row) => !/^odd-/.test(`${row['transaction_id']}`),
  );
  expect((await mirrored(database)).transactions).toEqual(expected);
  const quarantined = await database.query('select reason from sync.quarantine');
  expect(quarantined).toHaveLength(5);

  expectLogLines(run.stderr);
  expect(run.stdout).not.toMatch(orders);
  const pretty = await sync(service, database, { LOG_LEVEL: 'trace', LOG_FORMAT: 'pretty' });
  expect(pretty.stderr).not.toMatch(orders);
  for (const args of [['status'], ['doctor']]) {
    const told = await runHere(args, { env: environment(service, database) });
    expect(told.stdout + told.stderr, args.join(' ')).not.toMatch(orders);
  }

  const daemon = await startDaemon(service, database);
  for (const path of ['/', '/sync', '/sync/quarantine', '/sync/anomalies', '/balances', '/transactions']) {
    const page = await daemon.get(path);
    expect([path, page.status]).toEqual([path, 200]);
    // Values of attributes stand in quotes, which are escaped in them.
    const tags = page.text.replaceAll(/="[^"]*"/g, '');
    expect(tags).not.toMatch(/<img|<[^>]*onerror/i);
    expect(page.text).not.toMatch(/<script(?! defer="" src="\/assets\/)/);
  }
  expect(JSON.parse((await daemon.get('/status.json')).text)).toHaveProperty('account', 'default');
  for (const line of (await daemon.get('/metrics')).text.split('\n'))
    expect(line).toMatch(/^(#.*|custody_mirror_\w+(\{[^{}]*\})? \S+|)$/);
  await stopGracefully(daemon);
  expectLogLines(daemon.stderr());
});

test('an error that is hostile is reported on one line, short, and neither logged nor stored as anything else', async () => {
  let text = '';
  const hostile = createServer((_, response) => {
    const body = {
      status: text,
      error_code: text,
      error_message: text,
      details: text.repeat(1_000),
      help: text,
      code: text,
    };
    response.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const [service, database] = await Promise.all([listening(hostile), testDatabase()]);
  for (const format of ['json', 'pretty']) {
    // Lines for people show control characters of their own, those of the log are JSON.
    for (text of format === 'json' ? texts : texts.slice(3, 5)) {
      const run = await sync(service, database, { LOG_LEVEL: 'trace', LOG_FORMAT: format });
      expect(run, text).toMatchObject({ code: 1 });
      // What to do about an answer that is none of the service's errors follows the log.
      if (format === 'json') expectLogLines(run.stderr.replace(/^BAD-BODY: check .*$/m, ''));
      expect(run.stdout + run.stderr).not.toMatch(orders);
      expect(run.stdout.trim().split('\n'), text).toHaveLength(1);
      expect(run.stdout.length, text).toBeLessThan(4_000);
    }
  }
  for (const args of [['status'], ['doctor']]) {
    const told = await runHere(args, { env: environment(service, database) });
    expect(told.stdout + told.stderr, args.join(' ')).not.toMatch(orders);
  }
  const stored = await database.query<{ text: string }>(
    'select concat(error_code, error_message) as text from sync.runs',
  );
  expect(stored.length).toBeGreaterThan(0);
  for (const { text } of stored) expect(text).not.toMatch(orders);
});

/** Each line is one JSON object with the fields of ours, none of them forged. */
function expectLogLines(text: string): void {
  const lines = text.split('\n').filter((line) => line !== '');
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) {
    const entry: unknown = JSON.parse(line);
    expect(entry).toMatchObject({ level: expect.any(String), msg: expect.not.stringMatching(/forged line/) });
    expect(line).not.toMatch(orders);
  }
}
