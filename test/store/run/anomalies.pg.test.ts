import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.ts';
import { reportAnomaly } from '../../../src/store/run/anomalies.ts';
import { openStore } from '../../support/store.ts';

const subject = { kind: 'altered', resource: 'vaults', resourceId: 'v' } as const;

test('what was seen last is shown, and before it each other content once', async () => {
  const { database, lease, query } = await openStore();
  const seen = async (found: JsonObject | null) => {
    await reportAnomaly(database, lease, { ...subject, details: { found } });
    const [row] = await query<{ details: JsonObject }>('select details from sync.anomalies');
    return row?.details;
  };
  const whole = { name: 'main', types: ['warm', 'cold'] };
  // Each holds less than the one before.
  const less = { name: 'main', types: ['warm'] };
  expect(await seen(whole)).toEqual({ found: whole });
  expect(await seen(less)).toEqual({ found: less, earlier: [{ found: whole }] });
  expect(await seen({})).toEqual({ found: {}, earlier: [{ found: less }, { found: whole }] });
  expect(await seen(less)).toEqual({ found: less, earlier: [{ found: {} }, { found: whole }] });
  const long = { name: 'x'.repeat(2 ** 20) };
  expect(await seen(long)).toEqual({
    found: long,
    earlier: [{ found: less }, { found: {} }, { found: whole }],
  });
  expect(await seen(null)).toEqual({
    found: null,
    earlier: [{ found: less }, { found: {} }, { found: whole }],
  });
});
