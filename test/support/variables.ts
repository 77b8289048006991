// The variables that the program reads, as it asks for them itself.
import { parseConfig } from '../../src/base/config.ts';
import type { Environment } from '../../src/base/config-reader.ts';

export function variablesRead(): ReadonlySet<string> {
  const asked = new Set<string>();
  const env: Environment = new Proxy({}, { get: (_, name) => void asked.add(String(name)) });
  try {
    parseConfig({ env, isTerminal: false });
  } catch {
    // What is required is missing, of course.
  }
  return asked;
}
