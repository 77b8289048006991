// The API server of Kubernetes on etcd, of a test's own: what it takes is valid. Nothing runs behind it, so
// that no job ends by itself and no pod is made.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { onCleanup } from '../../support/cleanup.ts';
import { newFolder } from '../../support/folder.ts';
import { freePort } from '../../support/free-port.ts';
import { waitFor } from '../../support/wait-for.ts';
import { installed } from './installed.ts';
import { helm } from './rendered-chart.ts';

const programs = installed('kubernetes', { takesMinutes: true });
export const missing = programs.missing || helm.missing;

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export interface ApiServer {
  /** Asks it as an administrator. A patch is a merge patch. */
  ask(method: string, path: string, body?: unknown): Promise<ApiAnswer>;
  /** Runs helm against it. @returns its standard output; rejects when it fails */
  helm(args: readonly string[], values?: object): Promise<string>;
}

const patient = { deadlineMs: 120_000, intervalMs: 200 };

export async function startApiServer(): Promise<ApiServer> {
  const directory = newFolder();
  const [clients, peers, port] = [await freePort(), await freePort(), await freePort()];
  const etcd = `http://127.0.0.1:${clients}`;
  const peer = `http://127.0.0.1:${peers}`;
  start(join(programs.directory, 'server'), directory, {
    'data-dir': join(directory, 'etcd'),
    'listen-client-urls': etcd,
    'advertise-client-urls': etcd,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `default=${peer}`,
    'unsafe-no-fsync': 'true',
  });
  const token = randomBytes(16).toString('hex');
  writeFileSync(join(directory, 'tokens.csv'), `${token},admin,admin,system:masters\n`);
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(directory, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(join(directory, 'key.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  start(join(programs.directory, 'kube-apiserver'), directory, {
    'etcd-servers': etcd,
    'bind-address': '127.0.0.1',
    'secure-port': String(port),
    'cert-dir': join(directory, 'certificates'),
    'token-auth-file': join(directory, 'tokens.csv'),
    'authorization-mode': 'RBAC',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': join(directory, 'key.pub'),
    'service-account-signing-key-file': join(directory, 'key.pem'),
    'service-cluster-ip-range': '10.96.0.0/24',
    'endpoint-reconciler-type': 'none',
  });
  const ask = askerOf(port, token, join(directory, 'certificates', 'apiserver.crt'));
  const isReady = async () => (await ask('GET', '/readyz').catch(() => null))?.status === 200;
  await waitFor(isReady, { what: 'the API server', ...patient }).catch((error: unknown) => {
    const told = ['server', 'kube-apiserver'].map((name) =>
      readFileSync(join(directory, `${name}.log`), 'utf8'),
    );
    throw new Error(told.map((text) => text.slice(-2_000)).join('\n'), { cause: error });
  });
  return { ask, helm: helmOn(`https://127.0.0.1:${port}`, token, directory) };
}

function start(program: string, directory: string, options: Readonly<Record<string, string>>): ChildProcess {
  const args = Object.entries(options).map(([name, value]) => `--${name}=${value}`);
  const output = openSync(join(directory, `${basename(program)}.log`), 'w');
  const child = spawn(program, args, { cwd: directory, stdio: ['ignore', output, output] });
  closeSync(output);
  const ended = once(child, 'exit');
  onCleanup(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return child;
}

function askerOf(port: number, token: string, authority: string): ApiServer['ask'] {
  return async (method, path, body) => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const asking = request({
      ...{ host: '127.0.0.1', port, method, path, ca: readFileSync(authority), agent: false },
      headers: { authorization: `Bearer ${token}`, 'content-type': type },
    });
    asking.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(asking, 'response');
    const text = z.string().parse(await new Response(response).text());
    const isJson = /json/.test(String(response.headers['content-type']));
    return { status: z.number().parse(response.statusCode), body: isJson ? JSON.parse(text) : text };
  };
}

function helmOn(address: string, token: string, directory: string): ApiServer['helm'] {
  const run = promisify(execFile);
  const user = { KUBECONFIG: join(directory, 'kubeconfig'), HOME: directory };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'test',
        cluster: {
          server: address,
          'certificate-authority': join(directory, 'certificates', 'apiserver.crt'),
        },
      },
    ],
    users: [{ name: 'admin', user: { token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'admin', namespace: 'custody' } }],
    'current-context': 'test',
  };
  writeFileSync(user.KUBECONFIG, JSON.stringify(config), { mode: 0o600 });
  return async (args, values) => {
    const file = join(directory, 'values.json');
    if (values !== undefined) writeFileSync(file, JSON.stringify(values));
    const all = values === undefined ? args : [...args, '--values', file];
    return (await run(join(helm.directory, 'helm'), all, { env: user, timeout: 120_000 })).stdout;
  };
}
