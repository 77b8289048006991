import { expect, test } from 'vitest';
import { createHeartbeat } from '../../src/base/loop.ts';

test('a process is alive for as long as its loops turn', () => {
  let now = 0;
  const heartbeat = createHeartbeat(1_000, () => now);
  now = 1_000;
  expect(heartbeat.isAlive()).toBe(true);
  now = 1_001;
  expect(heartbeat.isAlive()).toBe(false);
  heartbeat.beat();
  expect(heartbeat.isAlive()).toBe(true);
});
