// vitest's JSON report with the errors outside of any test, which fail a run and stand nowhere else in it.
import { JsonReporter } from 'vitest/node';

export default class extends JsonReporter {
  #outside = [];

  async onTestRunEnd(modules, errors) {
    this.#outside = errors.map((error) => ({
      message: `${error.type ?? 'Error'}: ${error.stack ?? error.message}`,
      during: [error.VITEST_TEST_PATH, error.VITEST_TEST_NAME].filter(Boolean).join(': '),
    }));
    await super.onTestRunEnd(modules);
  }

  async writeReport(report) {
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), outside: this.#outside }));
  }
}
