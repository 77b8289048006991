// custody-mirror-mcp: serves over stdin and stdout, which belong to the protocol; messages go to stderr.
// Signals are as the daemon has them, before anything else is loaded: none ends it without an exit code, and
// none leaves a debugger beside the key.
import { close, url as debuggerUrl } from 'node:inspector';

const stop = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGPWR'];
const ignore = ['SIGUSR1', 'SIGUSR2', 'SIGALRM', 'SIGVTALRM', 'SIGIO', 'SIGSTKFLT'];
for (const name of stop) process.on(name, () => process.exit(0));
for (const name of ignore) process.on(name, () => undefined);
const { MIRROR_URL: url, MIRROR_KEY: key, NODE_OPTIONS = '' } = process.env;
const isDebugged = /(^|\s)--inspect(-brk|-wait)?(=|\s|$)/.test([...process.execArgv, NODE_OPTIONS].join(' '));
const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
const { createMirrorServer } = await import('./server.ts');
// Node.js opens it when the event loop turns.
await new Promise(setImmediate);
if (debuggerUrl() !== undefined && !isDebugged) close();
try {
  if (!url) throw new TypeError('Set MIRROR_URL to the address of the mirror, such as http://127.0.0.1:8787');
  await createMirrorServer({ url, key: key || undefined }).connect(new StdioServerTransport());
} catch (error) {
  process.stderr.write(
    `custody-mirror-mcp: ${error instanceof TypeError ? error.message : 'could not start'}.\n`,
  );
  process.exitCode = 2;
}
