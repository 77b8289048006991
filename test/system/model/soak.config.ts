// Runs the soak alone, with what every test run has.
import config from '../../../vitest.config.ts';

export default { ...config, test: { ...config.test, include: ['test/system/model/soak.ts'] } };
