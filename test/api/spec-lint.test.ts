// The specification as a linter of another maker reads it.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { writeSpec } from '../../src/api/spec.ts';

async function problemsOf(spec: unknown): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({
    source: JSON.stringify(spec),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
  );
}

test('the specification has no error and no warning by the strict recommended rules', async () => {
  expect(await problemsOf(writeSpec())).toEqual([]);
  const { tags, ...withoutTags } = writeSpec();
  expect(tags).not.toHaveLength(0);
  expect(await problemsOf({ ...withoutTags, info: {} })).not.toEqual([]);
});
