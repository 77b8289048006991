#!/usr/bin/env node
// The entry point. It hears SIGTERM and SIGINT before it loads anything else: until somebody does, a signal ends a process
// without a word, and the first process of a container does not notice it at all.
import { onStopSignals } from '../base/lifecycle.ts';

const stop = new AbortController();
const release = onStopSignals(stop, () => process.exit(1));
const { runCommandLine } = await import('./command-line.ts');
await runCommandLine({ signal: stop.signal, release });
