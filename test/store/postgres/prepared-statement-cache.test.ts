import { expect, test } from 'vitest';
import { createPreparedStatementCache } from '../../../src/store/postgres/prepared-statement-cache.ts';

function atSeconds() {
  let seconds = 0;
  const kept = createPreparedStatementCache(() => seconds * 1000);
  const ask = (text: string, times: number) => {
    let name: string | undefined;
    for (let time = 0; time < times; time += 1) name = kept.nameOf(text);
    return name;
  };
  return {
    ...kept,
    ask,
    wait(more: number) {
      seconds += more;
    },
  };
}

test('a statement is kept once it was asked thrice within a minute, under a name that only its text has', () => {
  const kept = atSeconds();
  expect(kept.ask('select 1', 2)).toBeUndefined();
  kept.wait(61);
  expect(kept.ask('select 1', 2)).toBeUndefined();
  const name = kept.ask('select 1', 1);
  // PostgreSQL cuts longer names.
  expect(name).toMatch(/^.{20,63}$/);
  expect(kept.ask('select 2', 3)).not.toBe(name);
  expect(atSeconds().ask('select 1', 3)).toBe(name);
});

test('what is not asked any more is not kept, and no reader can have many kept', () => {
  const kept = atSeconds();
  const texts = Array.from({ length: 1000 }, (_, number) => `select ${number}`);
  expect(texts.filter((text) => kept.ask(text, 3) !== undefined)).toHaveLength(40);
  kept.wait(61);
  expect(kept.ask('select 0', 1)).toBeDefined();
  kept.wait(61);
  expect(kept.ask('select 0', 1)).toBeDefined();
  expect(kept.ask('select 1', 1)).toBeUndefined();
});

test('nothing is kept after statements were lost', () => {
  const kept = atSeconds();
  kept.ask('select 1', 3);
  kept.giveUp();
  expect(kept.ask('select 1', 3)).toBeUndefined();
});
