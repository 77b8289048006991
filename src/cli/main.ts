#!/usr/bin/env node
// The entry point. It handles SIGTERM and SIGINT before it loads anything else: until then a signal ends a
// process without a message, and process 1 of a container ignores it.
import { onStopSignals } from '../base/lifecycle.ts';

const stop = new AbortController();
const release = onStopSignals(stop, () => process.exit(1));
const { runCommandLine } = await import('./command-line.ts');
// A first sweep leaves much behind that is soon garbage: the heap grows less before it is collected. After
// the modules, for which the young generation grows to what a sweep needs.
const { setFlagsFromString } = await import('node:v8');
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=150');
await runCommandLine({ signal: stop.signal, release });
