// Whether the ports can be opened. A running custody-mirror may have them.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import { explainBindError, isPortTaken } from '../../base/bind-error.ts';
import type { Config } from '../../base/config/config.ts';
import { bad, type Finding, ok } from './finding.ts';

const waitMs = 2_000;
const health = z.object({ alive: z.boolean(), role: z.string() });

export async function checkPorts({ host, port, probesPort }: Config['http']): Promise<Finding[]> {
  const findings = [await checkPort(host, port, 'HTTP_PORT')];
  if (probesPort !== null) findings.push(await checkPort(host, probesPort, 'HTTP_PROBES_PORT'));
  return findings.flat();
}

async function checkPort(host: string, port: number, setBy: string): Promise<Finding[]> {
  if (port === 0) return [];
  const server = createServer();
  try {
    server.listen({ host, port });
    await once(server, 'listening');
    return [ok(setBy, `port ${port} of ${host} is free`)];
  } catch (error) {
    const role = isPortTaken(error) ? await roleBehind(host, port) : null;
    if (role !== null) return [ok(setBy, `custody-mirror is running on port ${port} of ${host} (${role})`)];
    const explained = explainBindError(error, { host, port, setBy: { host: 'HTTP_HOST', port: setBy } });
    const [, variable = setBy, fault = explained.message] = /^(\w+).*?: (.*)$/.exec(explained.message) ?? [];
    return [bad(variable, fault)];
  } finally {
    server.close();
  }
}

/** The role of the custody-mirror at this address; null if anything else answers, or nothing does. */
async function roleBehind(host: string, port: number): Promise<string | null> {
  const reached =
    { '0.0.0.0': '127.0.0.1', '::': '[::1]' }[host] ?? (host.includes(':') ? `[${host}]` : host);
  try {
    const signal = AbortSignal.timeout(waitMs);
    const answer = await fetch(`http://${reached}:${port}/healthz`, { signal, redirect: 'error' });
    return health.parse(await answer.json()).role;
  } catch {
    return null;
  }
}
