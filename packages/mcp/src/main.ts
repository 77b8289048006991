// custody-mirror-mcp: serves over stdin and stdout, which belong to the protocol; messages go to stderr.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMirrorServer } from './server.ts';

const { MIRROR_URL: url, MIRROR_KEY: key } = process.env;
try {
  if (!url) throw new TypeError('Set MIRROR_URL to the address of the mirror, such as http://127.0.0.1:8787');
  await createMirrorServer({ url, key: key || undefined }).connect(new StdioServerTransport());
} catch (error) {
  process.stderr.write(
    `custody-mirror-mcp: ${error instanceof TypeError ? error.message : 'could not start'}.\n`,
  );
  process.exitCode = 2;
}
