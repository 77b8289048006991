// Runs the soak alone, with what every test of the system has.
import { defineConfig } from 'vitest/config';
import { systemOptions } from '../vitest.config.ts';

export default defineConfig({ test: { ...systemOptions, include: ['test/system/model/soak.ts'] } });
