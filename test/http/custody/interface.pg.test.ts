// The mirror as a server of the interface: the cases that the sandbox passes, on a mirror of the same world.
import { beforeAll, test } from 'vitest';
import { interfaceCases, type Subject, subjectOptions } from '../../support/interface-cases.ts';
import { serveMirrored } from '../../support/served-custody.ts';

let subject: Subject;
beforeAll(async () => {
  const { mirror, get } = await serveMirrored(subjectOptions);
  subject = { world: mirror.sandbox.world, get };
});

test.each(interfaceCases)('$of', ({ check }) => check(subject));
