// The mirror as a server of the interface: the cases that the sandbox passes, on a mirror of the same world.
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { interfaceCases, type Subject, subjectOptions } from '../../support/interface-cases.ts';
import { serveMirrored } from '../../support/served-custody.ts';

let subject: Subject;
beforeAll(async () => {
  const { mirror, get } = await serveMirrored(subjectOptions);
  subject = { world: mirror.sandbox.world, get };
});

test.each(interfaceCases)('$of', ({ check }) => check(subject));

test('what docs/api.md asks by curl is answered', async () => {
  const document = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8');
  const asked = [...document.matchAll(/^curl '[^']*\/custody(\/[^']*)'/gm)].map(([, path = '']) => path);
  expect(asked.length).toBeGreaterThan(1);
  for (const path of asked) expect((await subject.get(path)).status, path).toBe(200);
});
