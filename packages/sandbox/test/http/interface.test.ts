// The sandbox as a server of the interface: the cases that the mirror's own answers have to pass too.
import { test } from 'vitest';
import { interfaceCases, subjectOptions } from '../../../../test/support/interface-cases.ts';
import { serve } from '../../../../test/support/served-sandbox.ts';

test.each(interfaceCases)('$of', async ({ check }) => {
  const { sandbox, get } = await serve(subjectOptions);
  await check({ world: sandbox.world, get });
});
