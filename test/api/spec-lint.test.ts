// The specification as a linter of another maker reads it.
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';

const spec = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

async function problemsOf(description: unknown): Promise<readonly string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({
    source: JSON.stringify(description),
    absoluteRef: 'openapi.json',
    config,
  });
  return problems.map(
    ({ ruleId, message, location }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
  );
}

test('the specification has no error and no warning by the strict recommended rules', async () => {
  expect(await problemsOf(spec)).toEqual([]);
  const { tags, ...withoutTags } = spec;
  expect(tags).not.toHaveLength(0);
  expect(await problemsOf({ ...withoutTags, info: {} })).not.toEqual([]);
});
