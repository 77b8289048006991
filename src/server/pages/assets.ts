// What pages load besides their document: the style, the script that refreshes figures, and the library and
// script of charts. All come from here. They hold nothing of an account, so they need no key.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gzipSync } from 'node:zlib';
import type { Hono } from 'hono';
import type { AssetAddresses } from '../../../packages/pages/src/page/shell.tsx';
import { isKnown, takesGzip } from '../../api/answer/send.ts';
import type { AccessEnv } from '../../http/request/environment.ts';

const { resolve } = createRequire(import.meta.url);
const own = (name: string) => new URL(`../../../packages/pages/src/assets/${name}`, import.meta.url);
const script = 'text/javascript; charset=utf-8';

/** One style for all pages, of these files in this order: later rules override earlier ones. */
const styles = ['tokens', 'base', 'frame', 'parts', 'tables', 'screens', 'print'];

const files: Readonly<Record<string, { readonly type: string; readonly from: readonly (string | URL)[] }>> = {
  'style.css': {
    type: 'text/css; charset=utf-8',
    from: [resolve('uplot/dist/uPlot.min.css'), ...styles.map((name) => own(`${name}.css`))],
  },
  'live.js': {
    type: script,
    from: [
      resolve('idiomorph/dist/idiomorph.min.js'),
      ...['live', 'copy', 'keys', 'heads'].map((name) => own(`${name}.js`)),
    ],
  },
  'uplot.js': { type: script, from: [own('language.js'), resolve('uplot/dist/uPlot.iife.min.js')] },
  'charts.js': { type: script, from: [own('charts.js')] },
};

/** Letters of Latin scripts; the reader's system has fonts for others. */
const fontFile = '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2';

/** Registers the routes. @returns the addresses under which browsers may cache what they loaded */
export function serveAssets(app: Hono<AccessEnv>): AssetAddresses {
  const font = assetOf('font/woff2', readFileSync(resolve(fontFile)));
  const fontAddress = `/assets/inter.woff2?v=${font.digest}`;
  const assets = new Map(Object.entries(files).map(([name, file]) => [name, read(file, fontAddress)]));
  assets.set('inter.woff2', font);
  for (const [name, asset] of assets)
    app.get(`/assets/${name}`, (c) => {
      const etag = `"${asset.digest}"`;
      const isNamed = c.req.query('v') === asset.digest;
      c.header('cache-control', isNamed ? 'public, max-age=31536000, immutable' : 'public, no-cache');
      c.header('etag', etag);
      c.header('vary', 'Accept-Encoding');
      if (isKnown(c.req.header('if-none-match'), etag)) return c.body(null, 304);
      c.header('content-type', asset.type);
      if (!takesGzip(c.req.header('accept-encoding'))) return c.body(new Uint8Array(asset.body));
      c.header('content-encoding', 'gzip');
      return c.body(new Uint8Array(asset.packed));
    });
  const addressOf = (name: string) => `/assets/${name}?v=${assets.get(name)?.digest}`;
  return {
    style: addressOf('style.css'),
    font: fontAddress,
    live: addressOf('live.js'),
    charts: [addressOf('uplot.js'), addressOf('charts.js')],
  };
}

function read({ type, from }: (typeof files)[string], fontAddress: string) {
  const text = from.map((file) => `${readFileSync(file, 'utf8')}\n`).join('');
  // The address of the font names its content, as all others do.
  return assetOf(type, Buffer.from(text.replace('/assets/inter.woff2', fontAddress)));
}

function assetOf(type: string, body: Buffer) {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 16);
  return { type, body, packed: gzipSync(body), digest };
}
