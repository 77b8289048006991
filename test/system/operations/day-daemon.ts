// A daemon of the mirror on a worst day: that of this version in the process of the test, which costs a day
// next to nothing, or a process of a later one.
import { parseConfig } from '../../../src/base/config/config.ts';
import { createMetrics } from '../../../src/base/metrics.ts';
import { createReleasers } from '../../../src/base/waiting.ts';
import { serveAndMirror } from '../../../src/cli/commands/run.ts';
import { describeFailure } from '../../../src/cli/setup/command-scope.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { capturingLogger } from '../../support/loggers.ts';
import { startProcess } from '../../support/process.ts';
import type { WaitOptions } from '../../support/wait-for.ts';

export interface DayDaemon {
  /** Where it serves the feed. */
  readonly url: string;
  log(): string;
  /** Stops it and waits for its end. */
  stop(): Promise<void>;
  /** @returns what it says at its end, which comes by itself */
  ended(): Promise<string>;
}

export type Environment = Readonly<Record<string, string>>;

export async function startHere(env: Environment): Promise<DayDaemon> {
  const stop = new AbortController();
  const { logger, text } = capturingLogger('info');
  const releasers = createReleasers(logger);
  const scope = { logger, metrics: createMetrics(), releasers };
  const config = parseConfig({ env, isTerminal: false });
  let onListening: (url: string) => void = () => undefined;
  const listening = new Promise<string>((resolve) => {
    onListening = resolve;
  });
  const ended = serveAndMirror(config, scope, stop.signal, { onListening })
    .then(() => 'stopped', describeFailure)
    .finally(() => releasers.releaseAll(3_000));
  const end = async () => {
    stop.abort();
    await ended;
  };
  onCleanup(end);
  const url = await Promise.race([listening, ended]);
  if (!url.startsWith('http')) throw new Error(`a daemon did not start: ${url}\n${text()}`);
  return { url, log: text, stop: end, ended: () => ended };
}

export async function startLater(
  program: string,
  env: Environment,
  signal: NodeJS.Signals,
  waiting: WaitOptions,
): Promise<DayDaemon> {
  const daemon = startProcess(['run'], { env, program });
  const [, url = ''] = await daemon.output(/"url":"(http:[^"]+)"[^\n]*"msg":"daemon started"/, waiting);
  return {
    url,
    log: daemon.stderr,
    async stop() {
      daemon.kill(signal);
      await daemon.exit(60_000);
    },
    async ended() {
      await daemon.exit(60_000);
      return daemon.stderr();
    },
  };
}
