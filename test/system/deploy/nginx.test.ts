// The reverse proxy of docs/http.md, with the nginx that is installed (in Debian: apt-get install nginx).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { readNetworks } from '../../../src/base/config/networks.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { AccessRecord } from '../../../src/http/access/observe.ts';
import { createAuthority } from '../../support/certificates.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { startServer } from '../../support/running-server.ts';
import { waitFor } from '../../support/wait-for.ts';

const nginx = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);
const missing = nginx === undefined ? ' (nginx is not installed)' : '';
const token = 'a-token-of-some-length';
const host = 'mirror.example';

const document = readFileSync(new URL('../../../docs/http.md', import.meta.url), 'utf8');
const [, configuration = ''] = /```nginx\n([\s\S]*?)```/.exec(document) ?? [];

test.skipIf(nginx === undefined)(
  `the configuration of docs/http.md serves over TLS, names the client, and limits each address${missing}`,
  async () => {
    const records: AccessRecord[] = [];
    const mirror = await startServer({
      token: new Secret(token),
      allowedHosts: [host],
      trustedProxies: readNetworks(['127.0.0.1']),
      trail: (record) => records.push(record),
    });
    const { ask, authority, port } = await startNginx(mirror.url);

    const answered = await ask({ authorization: `Bearer ${token}` });
    expect(answered.statusCode).toBe(200);
    expect(answered.headers['cache-control']).toBe('no-store');
    // What a client writes about itself is not believed.
    expect((await ask({ 'x-forwarded-for': '198.51.100.1', forwarded: 'for=198.51.100.1' })).statusCode).toBe(
      401,
    );
    await waitFor(() => records.length >= 3, { what: 'the lines of the trail' });
    expect(new Set(records.map(({ address }) => address))).toEqual(new Set(['127.0.0.1']));

    // On a loopback address, only the token closes it.
    for (const path of ['/metrics', '//metrics?a', '/%6detrics', '/./metrics'])
      expect((await ask({ authorization: `Bearer ${token}` }, path)).statusCode).toBe(403);

    const flood = await Promise.all(
      Array.from({ length: 400 }, () => ask({ authorization: `Bearer ${token}` })),
    );
    expect(flood.map(({ statusCode }) => statusCode)).toContain(429);

    // Those that say nothing beyond TLS are nobody's trouble: nginx drops them, and the mirror never sees them.
    const silent = connect({ port, host: '127.0.0.1', servername: host, ca: authority }).on(
      'error',
      () => undefined,
    );
    onCleanup(async () => void silent.destroy());
    await once(silent, 'secureConnect');
    await waitFor(async () => (await ask({ authorization: `Bearer ${token}` })).statusCode === 200, {
      what: 'the limit to end',
    });
  },
  60_000,
);

async function startNginx(mirror: string) {
  const authority = await createAuthority();
  const { certificateFile, keyFile } = await authority.issue([host]);
  const directory = newFolder();
  const port = await freePort();
  const replaced = Object.entries({
    'listen 443 ssl': `listen 127.0.0.1:${port} ssl`,
    '/etc/ssl/mirror.example.pem': certificateFile,
    '/etc/ssl/private/mirror.example.key': keyFile,
    'http://127.0.0.1:8787': mirror,
  }).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, configuration);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const temporary = places.map((name) => `${name}_temp_path ${directory}/${name};`).join(' ');
  const file = join(directory, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${directory}/pid; error_log stderr;
events { worker_connections 1024; }
http { access_log off; ${temporary}\n${replaced} }`,
  );
  const running = spawn(nginx ?? 'nginx', ['-p', directory, '-c', file], { stdio: 'ignore' });
  const ended = once(running, 'exit');
  onCleanup(async () => {
    running.kill('SIGTERM');
    await ended;
  });
  const ask = async (headers: Record<string, string>, path = '/status.json'): Promise<IncomingMessage> => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      servername: host,
      ca: authority.certificate,
      headers: { host, ...headers },
      agent: false,
    }).end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer;
  };
  const isUp = () =>
    ask({}).then(
      () => true,
      () => false,
    );
  await waitFor(isUp, { what: 'nginx' });
  return { ask, authority: authority.certificate, port };
}
