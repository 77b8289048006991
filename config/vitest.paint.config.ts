// How soon pages are painted: npm run bench:paint. It is no test, because times belong to a machine.
import { defineConfig } from 'vitest/config';
import { systemOptions } from '../vitest.config.ts';

export default defineConfig({
  test: { ...systemOptions, name: 'paint', include: ['test/system/pages/first-paint.ts'] },
});
