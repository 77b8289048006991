#!/usr/bin/env node
// The entry point. It handles signals before it loads anything else: until then a signal ends a
// process without a message, and process 1 of a container ignores it.
import { closeDebugger, onStopSignals } from '../base/lifecycle.ts';

const stop = new AbortController();
const release = onStopSignals(stop, () => process.exit(1));
const { NODE_OPTIONS } = process.env;
closeDebugger(NODE_OPTIONS);

// Later versions have it. Where it is missing, PostgreSQL's driver makes a Response to find out where it
// runs, which loads WebAssembly.
if (!('navigator' in globalThis))
  Object.defineProperty(globalThis, 'navigator', {
    value: { userAgent: `Node.js/${process.versions.node}` },
  });

const { limitHeapGrowth, tooFewOpenFiles, waitForFarAddresses } = await import('./setup/process-limits.ts');
const refusal = tooFewOpenFiles();
if (refusal !== null) {
  process.stderr.write(`${refusal}\n`);
  process.exit(1);
}
waitForFarAddresses();
const { runCommandLine } = await import('./command-line.ts');
limitHeapGrowth();
// If a signal asked for the debugger before, Node.js opens it once more when the event loop turns.
await new Promise(setImmediate);
closeDebugger(NODE_OPTIONS);
await runCommandLine({ signal: stop.signal, release });
