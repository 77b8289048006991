import { closeSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createLogger } from '../../../src/base/logger.ts';
import { createOutput } from '../../../src/base/output.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { openFullPipe, openPipe } from '../../support/pipes.ts';
import { waitFor } from '../../support/wait-for.ts';

function watched(fd: number, maxWaiting: number) {
  const output = createOutput({ fd }, maxWaiting);
  const seen = { dropped: 0, taken: [] as number[] };
  output.watch({
    onDrop: () => {
      seen.dropped += 1;
    },
    onTaken: (dropped) => void seen.taken.push(dropped),
  });
  return { output, seen };
}

/** Reads small parts, as a slow reader does, until a line is found. */
async function readUntil(pipe: { read(most?: number): string }, wanted: string) {
  let text = '';
  await waitFor(
    () => {
      for (let part = pipe.read(777); part !== ''; part = pipe.read(777)) text += part;
      return text.includes(wanted);
    },
    { what: wanted },
  );
  return text;
}

test('what a full pipe does not take waits up to the bound, the rest is dropped, counted, and no line is torn', async () => {
  const pipe = openFullPipe();
  const { output, seen } = watched(pipe.fd, 20_000);
  const lines = Array.from({ length: 50 }, (_, nth) => `${nth}:${'é'.repeat(500)}\n`);
  for (const line of lines) output.write(line);
  expect(seen).toEqual({ dropped: 31, taken: [] });
  expect(await output.settle(1)).toBe('EAGAIN');
  const text = await readUntil(pipe, `\n${lines[18]}`);
  expect(text.replaceAll(/^-+\n/gm, '')).toBe(lines.slice(0, 19).join(''));
  await waitFor(() => seen.taken.length > 0, { what: 'the count of what was dropped' });
  expect(seen.taken).toEqual([31]);
  expect(await output.settle(1)).toBeNull();
  output.write('again\n');
  expect(pipe.read()).toBe('again\n');
  expect(seen).toEqual({ dropped: 31, taken: [31] });
});

test('a line longer than what the pipe holds comes out whole, and in its place', async () => {
  const pipe = openFullPipe();
  const { output } = watched(pipe.fd, 0);
  output.write('before\n');
  output.write(`${'x'.repeat(300_000)}\n`);
  output.write('after\n');
  const text = await readUntil(pipe, 'after\n');
  expect(text.replaceAll(/^-+\n/gm, '')).toBe(`before\n${'x'.repeat(300_000)}\nafter\n`);
});

test('a text alone that exceeds the bound is dropped, although the destination takes others', () => {
  const pipe = openPipe();
  const { output, seen } = watched(pipe.fd, 100);
  output.write(`${'x'.repeat(200)}\n`);
  output.write('short\n');
  expect(pipe.read()).toBe('short\n');
  expect(seen).toEqual({ dropped: 1, taken: [1] });
});

test('without a reader, and on a device that is full, a write returns, and the fault is named', async () => {
  const pipe = openPipe();
  pipe.closeReader();
  const full = openSync('/dev/full', 'w');
  onCleanup(async () => closeSync(full));
  for (const [fd, fault] of [
    [pipe.fd, 'EPIPE'],
    [full, 'ENOSPC'],
  ] as const) {
    const { output, seen } = watched(fd, 100);
    for (let nth = 0; nth < 10; nth += 1) output.write(`${'x'.repeat(50)}\n`);
    expect(await output.settle(60_000)).toBe(fault);
    expect(seen).toEqual({ dropped: 9, taken: [] });
  }
});

test('a fatal line in the pretty form does not wait for a disk that is full', () => {
  const full = openSync('/dev/full', 'w');
  onCleanup(async () => closeSync(full));
  const logger = createLogger({
    level: 'info',
    format: 'pretty',
    destination: createOutput({ fd: full }, 1_000),
  });
  logger.fatal('ended');
});
