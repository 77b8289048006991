// The chart deploy/helm as Helm itself renders it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { expect } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { configSourcesOf } from '../deploy/manifests.ts';
import { installed } from './installed.ts';

export const helm = installed('helm');
export const chart = fileURLToPath(new URL('../../../deploy/helm', import.meta.url));

export function runHelm(args: readonly string[], values: object) {
  return spawnSync(join(helm.directory, 'helm'), [...args, '--values', '-'], {
    encoding: 'utf8',
    input: JSON.stringify(values),
    env: { HOME: '/nonexistent' },
  });
}

const named = z.looseObject({
  kind: z.string(),
  metadata: z.looseObject({
    name: z.string(),
    labels: z.record(z.string(), z.string()),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
});
type Rendered = z.infer<typeof named>;

export function render(values: object, release = 'mirror') {
  const { status, stdout, stderr } = runHelm(['template', release, chart, '--namespace', 'custody'], values);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const documents = parseAllDocuments(stdout).map((document) => named.parse(document.toJS()));
  const byName = (kind: string, name: string): Rendered => {
    const found = documents.find((each) => each.kind === kind && each.metadata.name === name);
    if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
    return found;
  };
  return { documents, byName, workloads: documents.flatMap(workloadOf) };
}

/** Of a Deployment or a Job what its pods are. */
function workloadOf(document: Rendered) {
  if (!Deployment.is(document) && !Job.is(document)) return [];
  const { name = '' } = document.metadata ?? {};
  const { metadata, spec: pod } = document.spec?.template ?? {};
  const replicas = Deployment.is(document) ? document.spec?.replicas : undefined;
  return [
    { name, document, pod, command: pod?.containers[0]?.args?.[0], labels: metadata?.labels, replicas },
  ];
}
type Workload = ReturnType<typeof workloadOf>[number];

/** The names of those whose pods a selector finds. */
export function found(workloads: readonly Workload[], selector: unknown): readonly string[] {
  const wanted = Object.entries(z.record(z.string(), z.string()).parse(selector));
  expect(wanted.length).toBeGreaterThan(1);
  const matches = ({ labels = {} }: Workload) => wanted.every(([name, value]) => labels[name] === value);
  return workloads.filter(matches).map(({ name }) => name);
}

/** What a workload hands to the program; a secret has the value that its reference names below. */
export function sourcesOf({ pod }: Workload, documents: readonly Rendered[]) {
  const maps = documents.filter((document) => ConfigMap.is(document));
  return configSourcesOf(pod, {
    config: (name) => maps.find(({ metadata }) => metadata?.name === name)?.data,
    secret: (name, key) => secrets[`${name}/${key}`],
  });
}

const address = (place: string) => `postgres://custody:secret@${place}:5432/custody`;

const secrets: Readonly<Record<string, string>> = {
  'custody-database/url': address('primary'),
  'custody-database/reader-url': address('reader'),
  'custody-database/replica-url': address('replica'),
  'custody-treasury/api-key': 'key-of-treasury',
  'custody-stopped/api-key': 'key-of-stopped',
  'custody-funds/fund-1': 'key-of-fund-1',
  'custody-funds/fund-2': 'key-of-fund-2',
  'custody-http/token': 'token-of-the-operator',
  'custody-seal/treasury': 'PRIVATE+KEY+treasury+0a1b2c3d+AQ==',
  'custody-seal/fund': 'PRIVATE+KEY+fund+0a1b2c3d+AQ==',
  'custody-seal/third': 'PRIVATE+KEY+third+0a1b2c3d+AQ==',
};
