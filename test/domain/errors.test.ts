import { expect, test } from 'vitest';
import { CustodyError, type CustodyFaultKind, errorCode, MirrorError } from '../../src/domain/errors.ts';

const custodyError = (kind: CustodyFaultKind, code = 'ERR-01') =>
  new CustodyError('failed', { kind, code, endpoint: 'transactions', httpStatus: 400, retryAfterMs: null });

test('every error has a code', () => {
  expect(errorCode(custodyError('permanent', 'TXN-03'))).toBe('TXN-03');
  expect(errorCode(new MirrorError('LEASE-HELD', 'held'))).toBe('LEASE-HELD');
  expect(
    errorCode(new Error('query failed', { cause: Object.assign(new Error('x'), { code: '23505' }) })),
  ).toBe('23505');
  expect(errorCode(Object.assign(new Error('stopped'), { name: 'AbortError' }))).toBe('STOPPED');
  expect(errorCode(new Error('what'))).toBe('UNEXPECTED');
  expect(errorCode('thrown text')).toBe('UNEXPECTED');
});

test('causes that lead back to themselves end', () => {
  const error = new Error('round');
  error.cause = error;
  expect(errorCode(error)).toBe('UNEXPECTED');
});
