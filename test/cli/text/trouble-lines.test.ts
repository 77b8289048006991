import { expect, test } from 'vitest';
import { createLogger } from '../../../src/base/logger.ts';
import { createTroubleLines } from '../../../src/cli/commands/sync.ts';
import { createLiveLine } from '../../../src/cli/text/terminal.ts';

function watched(columns: number | undefined = undefined) {
  let text = '';
  const output = {
    isTTY: true,
    ...(columns === undefined ? {} : { columns }),
    write: (more: string) => {
      text += more;
    },
  };
  const line = createLiveLine(output);
  const destination = createTroubleLines({ line, output, triesForMs: 91_500 });
  return { logger: createLogger({ level: 'debug', format: 'json', destination }), text: () => text };
}

const repeated = 'request failed, will retry';
const network = {
  code: 'NETWORK',
  reason: 'transactions: NETWORK: fetch failed: connect ECONNREFUSED 127.0.0.1:1',
};

test('a service that cannot be reached is reported once, in one line, with how long it is tried and what to try', () => {
  const { logger, text } = watched();
  logger.debug({ ...network, faults: 1, refusals: 0 }, repeated);
  expect(text()).toBe('');
  for (let faults = 2; faults < 9; faults += 1) {
    logger.warn({ ...network, faults, refusals: 0 }, repeated);
    logger.warn({ ...network, endpoint: 'balances', faults, refusals: 0 }, repeated);
  }
  expect(text()).toBe(
    'transactions: NETWORK: fetch failed: connect ECONNREFUSED 127.0.0.1:1. Retrying for up to 1 min; check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor shows how far it gets).\n',
  );
  logger.warn({ code: 'TIMEOUT', reason: 'transactions: TIMEOUT', faults: 2 }, repeated);
  expect(text().split('\n')).toHaveLength(3);
});

test('whatever else is serious is one line too, and what is not is left out', () => {
  const { logger, text } = watched();
  logger.info('lease acquired');
  logger.warn({ err: new Error('connection lost\nsomewhere') }, 'lease renewal failed');
  logger.warn({ err: new Error('connection lost\nsomewhere') }, 'lease renewal failed');
  logger.error({ code: 'ERR-02', reason: 'whitelist: ERR-02: no' }, 'key rejected');
  expect(text()).toBe(
    'lease renewal failed: connection lost somewhere\nkey rejected: whitelist: ERR-02: no\n',
  );
});

test('the end of a run that failed is left to the summary', () => {
  const { logger, text } = watched();
  logger.error({ ...network, job: 'transactions', records: 0 }, 'run failed');
  expect(text()).toBe('');
});

test('a narrow terminal gets whole words', () => {
  const { logger, text } = watched(40);
  logger.warn({ ...network, faults: 2 }, repeated);
  for (const line of text().split('\n')) expect(line.length).toBeLessThanOrEqual(40);
  expect(text()).toMatch(/127\.0\.0\.1:1\./);
});
