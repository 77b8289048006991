// `serve` under test: a process on a database, by its address alone.
import { expect } from 'vitest';
import { startProcess } from './process.ts';

export async function startServe(
  database: { readonly url: string },
  env: Readonly<Record<string, string>> = {},
) {
  const process = startProcess(['serve'], { env: { DATABASE_URL: database.url, HTTP_PORT: '0', ...env } });
  const [, url = ''] = await process.output(/"url":"(http:[^"]+)"[^\n]*"msg":"serving started"/);
  return {
    ...process,
    url,
    async get(path: string, headers: Readonly<Record<string, string>> = {}) {
      const answer = await fetch(url + path, { headers });
      return {
        status: answer.status,
        connection: answer.headers.get('connection'),
        text: await answer.text(),
      };
    },
    /** Asks for a graceful stop, and expects one within the ten seconds that are promised. */
    async end() {
      process.kill('SIGTERM');
      expect(await process.exit(10_000)).toEqual({ code: 0, signal: null });
      expect(process.stderr()).toContain('"msg":"serving stopped"');
    },
  };
}
