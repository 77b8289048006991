// What pages load: it comes from here, is kept by browsers as long as it is the same, and asks for no key.

import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { Secret } from '../../../src/base/secret.ts';
import { startServer } from '../../support/running-server.ts';

const types: Readonly<Record<string, string>> = { css: 'text/css; charset=utf-8', woff2: 'font/woff2' };
const names = ['style.css', 'live.js', 'uplot.js', 'charts.js', 'inter.woff2'];

test('assets are open, identified by their content, and kept for good under the address that names it', async () => {
  const { get } = await startServer({ host: '0.0.0.0', token: new Secret('a-token-of-some-length') });
  for (const name of names) {
    const plain = await get(`/assets/${name}`);
    const etag = plain.headers.get('etag') ?? '';
    expect([name, plain.status]).toEqual([name, 200]);
    expect(etag).toMatch(/^"[\w-]{16}"$/);
    expect(plain.headers.get('cache-control')).toBe('public, no-cache');
    expect(plain.headers.get('vary')).toBe('Accept-Encoding');
    expect(plain.headers.get('content-type')).toBe(
      types[name.split('.')[1] ?? ''] ?? 'text/javascript; charset=utf-8',
    );
    const named = await get(`/assets/${name}?v=${etag.slice(1, -1)}`);
    expect(named.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const other = await get(`/assets/${name}?v=of-another-version`);
    expect(other.headers.get('cache-control')).toBe('public, no-cache');
    const again = await get(`/assets/${name}`, { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  }
  const unknown = await get('/assets/other.js');
  expect(unknown.status).toBe(401);
});

test('an asset is packed for who takes gzip, and is the same then', async () => {
  const { url, get } = await startServer();
  const whole = await get('/assets/live.js', { headers: { 'accept-encoding': 'identity' } });
  expect(whole.headers.get('content-encoding')).toBeNull();
  const sent = request(`${url}/assets/live.js`, { headers: { 'accept-encoding': 'gzip' } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  expect(answer.headers['content-encoding']).toBe('gzip');
  const packed = await buffer(answer);
  expect(gunzipSync(packed).toString()).toBe(await whole.text());
});

test('nothing that is loaded names another place to load from', async () => {
  const { get } = await startServer();
  for (const name of names.filter((each) => !each.endsWith('woff2'))) {
    const text = await (await get(`/assets/${name}`)).text();
    // A comment may name where the code came from.
    const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    expect([
      name,
      code.match(/url\((?!\s*["']?(?:data:|\/assets\/))|@import|https?:\/\/(?!www\.w3\.org\/)[\w.]+/g),
    ]).toEqual([name, null]);
  }
});
