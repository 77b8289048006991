// The arguments of a script; one that it does not know ends it before it does anything.
import { parseArgs } from 'node:util';

export function argumentsGiven(script, options, { allowPositionals = false } = {}) {
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`);
    console.error(`${script}: ${error.message}\n${script}: known are ${known.join(', ')}`);
    return process.exit(2);
  }
}
