// Every setting that a role or a database may have, at other valid values, in random groups: a mirror made
// and read under them holds, answers and proves what one without settings does, or is refused by name before
// anything is written. SETTINGS_SEED draws the same groups again; SETTINGS_GROUPS sets how many;
// SETTINGS='name=value;…' is one group.
import { expect, inject, test } from 'vitest';
import { createRandom } from '../../../packages/sandbox/src/values/random.ts';
import { sized } from '../../support/form.ts';
import { mirrorUnder, type Settings } from './settings-mirror.ts';
import { refused, valuesOf } from './settings-values.ts';

const seed = Number(process.env['SETTINGS_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
/** A cost of infinity for every plan, of which the genetic planner takes none. */
const withoutPlan = {
  random_page_cost: '1.79769e+308',
  geqo_threshold: '2',
  join_collapse_limit: '2147483647',
};
/** So many settings at once: each of them alone would take twelve times as long. */
const groupSize = 12;

test(`settings of the role and the database change nothing (SETTINGS_SEED=${seed})`, {
  timeout: 1_200_000,
}, async () => {
  const plain = await mirrorUnder({});
  expect(plain.failed).toBeNull();
  const groups = await chosenGroups();
  for (const [index, settings] of groups.entries()) {
    const of = index % 2 === 0 ? 'role' : 'database';
    const { failed, content } = await mirrorUnder(settings, { of });
    const named = `SETTINGS='${Object.entries(settings)
      .map((pair) => pair.join('='))
      .join(';')}'`;
    expect.soft(failed, named).toBeNull();
    if (failed === null) expect.soft(content, named).toEqual(plain.content);
  }
});

test('settings under which the genetic planner finds no plan change nothing', async () => {
  const [plain, { failed, content }] = await Promise.all([mirrorUnder({}), mirrorUnder(withoutPlan)]);
  expect(failed).toBeNull();
  expect(content).toEqual(plain.content);
});

test.each(refused)('%s = %s is refused by name, and nothing is written', async (name, value, says) => {
  const { failed, written } = await mirrorUnder({ [name]: value });
  expect(failed).toMatch(says);
  expect(written).toBe(0);
});

async function chosenGroups(): Promise<readonly Settings[]> {
  const given = process.env['SETTINGS'];
  if (given) return [Object.fromEntries(given.split(';').map((pair) => pair.split(/=(.*)/s).slice(0, 2)))];
  const random = createRandom(seed, 'settings');
  const left = shuffled(await valuesOf(inject('testServer').adminUrl), () => random.next());
  const groups: Record<string, string>[] = [];
  for (const [name, value] of left) {
    const free = groups.find((group) => !(name in group) && Object.keys(group).length < groupSize);
    if (free === undefined) groups.push({ [name]: value });
    else free[name] = value;
  }
  return groups.slice(0, sized({ short: 1, long: groups.length }, 'SETTINGS_GROUPS'));
}

function shuffled<Item>(items: readonly Item[], random: () => number): readonly Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}
