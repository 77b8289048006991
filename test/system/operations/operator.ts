// Who keeps the mirror: a service, a database, and the commands that health and alerts advise, run as they
// stand there.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import type { HealthCode } from '../../../src/store/job-queries/status.ts';
import { environment, serveSandbox } from '../../support/command.ts';
import { testDatabase } from '../../support/database.ts';
import { runHere } from '../../support/in-process.ts';
import { waitFor } from '../../support/wait-for.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A file of the repository. */
export const read = (path: string) => readFileSync(join(root, path), 'utf8');

export async function openOperator(sandbox: SandboxOptions = {}) {
  const [service, database] = await Promise.all([
    serveSandbox({ transactions: 60, ...sandbox }),
    testDatabase(),
  ]);
  const problems = () =>
    database.query<{ code: HealthCode; subject: string; fix: string }>(
      "select code, subject, fix from reporting.health_problems where severity <> 'note' order by rank, subject",
    );
  const codes = async () => [...new Set((await problems()).map(({ code }) => code))];
  const run = (command: string, env: Readonly<Record<string, string>> = {}) =>
    runHere(command.split(' ').slice(1), { env: environment(service, database, env) });
  return {
    service,
    database,
    problems,
    codes,
    run,
    /** The command that the fix of the problem names, as it stands there. */
    async advised(code: HealthCode, command: string, env: Readonly<Record<string, string>> = {}) {
      const found = (await problems()).find((problem) => problem.code === code);
      expect(found?.fix, code).toContain(command);
      const done = await run(command, env);
      expect(done, done.stdout + done.stderr).toMatchObject({ code: 0 });
    },
    untilHealthy: () =>
      waitFor(async () => (await codes()).length === 0, { what: 'health' }).catch(async (error: unknown) => {
        expect(await problems()).toEqual([]);
        throw error;
      }),
    /** All of it happened ten days earlier. */
    age: () =>
      database.query(`update sync.runs set started_at = started_at - interval '10 days',
        finished_at = finished_at - interval '10 days'`),
  };
}

/** A rule of deploy/prometheus. */
export function ruleOf(name: string): { readonly expr: string; readonly description: string } {
  const rules = ['custody-mirror', 'custody-mirror-business'].flatMap((file) =>
    z
      .object({ groups: z.array(z.object({ rules: z.array(rule) })) })
      .parse(parse(read(`deploy/prometheus/${file}.rules.yaml`)))
      .groups.flatMap((group) => group.rules),
  );
  const found = rules.find(({ alert }) => alert === name);
  if (found === undefined) throw new Error(`there is no rule ${name}`);
  return { expr: found.expr, description: found.annotations.description };
}

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  annotations: z.object({ description: z.string() }),
});
