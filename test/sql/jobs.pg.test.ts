// The jobs that SQL knows are those of the registry.
import { expect, test } from 'vitest';
import { isPromised, isSweeping, jobNames, mirroredBy, resources } from '../../src/domain/jobs.ts';
import { openStore } from '../support/store.ts';

test('internal.jobs holds the registry of jobs', async () => {
  const store = await openStore();
  const registry = jobNames.map((job) => ({
    job,
    resource: mirroredBy(job),
    is_sweeping: isSweeping(job),
    is_promised: isPromised(job),
  }));
  expect(await store.query('select job, resource, is_sweeping, is_promised from internal.jobs')).toEqual(
    registry,
  );
});

test.each([
  ['sync.runs', 'job', jobNames],
  ['sync.quarantine', 'resource', resources],
  ['sync.anomalies', 'resource', resources],
  ['reporting.data_freshness', 'resource', resources],
])('the comment of %s.%s names all that it can hold', async (table, column, names) => {
  const store = await openStore();
  const [row] = await store.query<{ comment: string }>(
    `select col_description('${table}'::regclass, attnum) as comment from pg_attribute
      where attrelid = '${table}'::regclass and attname = '${column}'`,
  );
  const told = row?.comment.replace(/^.*: | \([^)]*\)|\.$/g, '').split(/, | or /);
  expect(told).toEqual(names);
});
