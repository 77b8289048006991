import { expect, test } from 'vitest';
import { createLogger } from '../../src/base/logger.ts';
import { Secret } from '../../src/base/secret.ts';
import { capturingLogger } from '../support/loggers.ts';

test('a line is JSON with a level by name, a time in UTC, fields and a message', () => {
  const { logger, entries } = capturingLogger('info');
  logger.info({ run_id: 7 }, 'run started');
  logger.debug('not asked for');
  expect(entries()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      run_id: 7,
      msg: 'run started',
    },
  ]);
});

test('an error is logged by type, message, code, stack and cause, and by nothing else it carries', () => {
  const { logger, entries, text } = capturingLogger();
  const cause = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (id)=(s3cret)' });
  const error = Object.assign(new TypeError('failed', { cause }), {
    parameters: ['s3cret'],
    request: { headers: 's3cret' },
  });
  logger.error({ err: error }, 'statement failed');
  expect(entries()[0]?.['err']).toEqual({
    type: 'TypeError',
    message: 'failed',
    stack: error.stack,
    cause: { type: 'Error', message: 'duplicate key', code: '23505' },
  });
  // Where in the program it happened matters for faults of the program alone.
  expect(cause.stack).toContain('logger.test');
  const misused = Object.assign(new TypeError('not a number'), { code: 'ERR_INVALID_ARG_TYPE' });
  logger.error({ err: misused }, 'failed');
  expect(entries()[1]?.['err']).toMatchObject({ stack: misused.stack });
  expect(text()).not.toContain('s3cret');
});

test('an error passed alone is logged the same way', () => {
  const { logger, entries, text } = capturingLogger();
  logger.error(Object.assign(new Error('failed'), { parameters: ['s3cret'] }));
  expect(entries()[0]).toMatchObject({ msg: 'failed', err: { type: 'Error', message: 'failed' } });
  expect(text()).not.toContain('s3cret');
});

test('what was thrown without being an error is logged as text', () => {
  const { logger, entries, text } = capturingLogger();
  logger.error({ err: 'plain words' }, 'failed');
  logger.error({ err: { message: 'looks like one', parameters: ['s3cret'] } }, 'failed');
  expect(entries()[0]?.['err']).toEqual({ type: 'string', message: 'plain words' });
  expect(text()).not.toContain('s3cret');
});

test('the parts of an aggregate are logged, and causes that lead back to themselves end', () => {
  const { logger, entries } = capturingLogger();
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  logger.error({ err: new AggregateError([refused]) }, 'failed');
  expect(entries()[0]?.['err']).toMatchObject({ type: 'AggregateError', errors: [{ code: 'ECONNREFUSED' }] });
  const round = new Error('round');
  round.cause = round;
  logger.error({ err: round }, 'failed');
  expect(entries()).toHaveLength(2);
});

test('a secret is shown as a placeholder wherever it stands', () => {
  const { logger, entries, text } = capturingLogger();
  const secret = new Secret('s3cret');
  logger.info({ secret, nested: { list: [secret] }, text: `${secret}` }, 'told');
  expect(entries()[0]).toMatchObject({
    secret: '[secret]',
    nested: { list: ['[secret]'] },
    text: '[secret]',
  });
  expect(text()).not.toContain('s3cret');
});

test('the pretty form hides secrets and control characters break no line of JSON', () => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  createLogger({ level: 'info', format: 'json', destination }).info({ note: 'a\nb\u001b[31m' }, 'told');
  expect(lines.join('').match(/\n/g)).toHaveLength(1);
  expect(lines.join('')).not.toContain('\u001b');
});
