// `custody-mirror sandbox`: serves the sandbox custody service until it is stopped.
import type { SandboxOptions } from '../../../packages/sandbox/src/options.ts';
import { createSandbox } from '../../../packages/sandbox/src/sandbox.ts';
import { explainBindError } from '../../base/bind-error.ts';
import { parseLogConfig } from '../../base/config/config.ts';
import { bareHost, isDirect } from '../../base/config/proxy.ts';
import { untilAborted } from '../../base/waiting.ts';
import { MirrorError } from '../../domain/errors.ts';
import { grouped } from '../../domain/words.ts';
import { type CommandContext, type ExitCode, exitCodes, withCommandScope } from '../setup/command-scope.ts';

interface SandboxCommandOptions extends SandboxOptions {
  readonly host: string;
  readonly port: number;
}

export async function sandboxCommand(
  context: CommandContext,
  { host, port, ...options }: SandboxCommandOptions,
): Promise<ExitCode> {
  return await withCommandScope(
    { ...context, log: parseLogConfig(context) },
    async ({ releasers }, signal) => {
      const sandbox = namingOptions(() => createSandbox(options));
      releasers.add('sandbox', () => sandbox.close());
      const { url } = await sandbox.listen(port, host).catch((error: unknown) => {
        throw explainBindError(error, { host, port, setBy: { host: '--host', port: '--port' } });
      });
      sandbox.start();
      const way = wayPastProxy(context, url);
      context.stdout.write(
        [
          `The sandbox custody service listens at ${url}`,
          `  ${grouped(sandbox.world.transactionCount())} transactions, ${sandbox.world.vaults().length} vaults, ${sandbox.world.whitelist().length} whitelist entries`,
          '',
          'Mirror it from another shell:',
          `  ${way}CUSTODY_BASE_URL=${url} CUSTODY_API_KEY=${sandbox.apiKey} DATABASE_URL=postgres://… custody-mirror sync`,
          'Send it a request:',
          `  ${way}curl -H 'x-api-key: ${sandbox.apiKey}' '${url}/transactions?limit=2'`,
          '',
        ].join('\n'),
      );
      await untilAborted(signal);
      return exitCodes.ok;
    },
  );
}

/** Makes a command in the same shell bypass its proxy, which cannot reach this machine's local addresses. */
function wayPastProxy({ env }: CommandContext, url: string): string {
  const { http_proxy, HTTP_PROXY, no_proxy, NO_PROXY } = env;
  const { hostname } = new URL(url);
  const isProxied = Boolean(http_proxy || HTTP_PROXY) && !isDirect(no_proxy || NO_PROXY || '', new URL(url));
  return isProxied ? `no_proxy=${bareHost(hostname)} ` : '';
}

/** Turns a refusal of the sandbox into a fault that names the command-line option. */
export function namingOptions<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const named = error.message.replace(
      /^[a-z]\w+/,
      (name) => `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`,
    );
    throw new MirrorError('CONFIGURATION', named, { cause: error });
  }
}
