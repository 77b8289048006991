// deploy/kubernetes against Kubernetes' own schemas, and against the program and its image: the ports, paths,
// variables and files that the manifests name are those that the program knows.
import { readdirSync, readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseConfig } from '../../../src/base/config/config.ts';
import { variableNames } from '../../../src/base/config/variables.ts';
import { packageVersion } from '../../../src/cli/setup/command-scope.ts';
import { configSourcesOf, dockerfile, expectConfined, expectValid } from './manifests.ts';
import { unreadFields } from './unread-fields.ts';

const folder = new URL('../../../deploy/kubernetes/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
const read = (name: string): unknown => parse(readFileSync(new URL(name, folder), 'utf8'));

const kustomization = z
  .strictObject({
    apiVersion: z.literal('kustomize.config.k8s.io/v1beta1'),
    kind: z.literal('Kustomization'),
    resources: z.array(z.string()),
  })
  .parse(read('kustomization.yaml'));

function only<Kind>(is: (document: unknown) => document is Kind, name: string): Kind {
  const document = read(name);
  if (!is(document)) throw new Error(`${name} is of another kind`);
  return document;
}

const deployment = only((found) => Deployment.is(found), 'deployment.yaml').spec;
const config = only((found) => ConfigMap.is(found), 'config.yaml');
const secret = only((found) => Secret.is(found), 'secret.yaml');
const service = only((found) => Service.is(found), 'service.yaml');
const podsService = only((found) => Service.is(found), 'service-pods.yaml');
const budget = only((found) => PodDisruptionBudget.is(found), 'disruption-budget.yaml');
const pod = deployment?.template.spec;
const container = pod?.containers[0];
const [http, probes] = container?.ports ?? [];
const port = http?.containerPort;

test('the kustomization names every manifest, and no other', () => {
  expect(kustomization.resources.toSorted()).toEqual(
    names.filter((name) => name !== 'kustomization.yaml').toSorted(),
  );
});

test.each(kustomization.resources)('%s is valid, and every field of it is known', (name) => {
  expectValid(read(name));
});

test('the check notices a wrong value, and a field that does not exist', () => {
  const wrong = new Deployment(only((found) => Deployment.is(found), 'deployment.yaml'));
  Object.assign(wrong.spec ?? {}, { replicas: 'two', replica: 2 });
  expect(() => wrong.validate()).toThrow(/replicas must be integer/);
  expect(unreadFields(wrong, (watched) => watched.validate())).toEqual(['spec.replica']);
});

test('what it runs in allows nothing that the daemon does not need', () => {
  expectConfined(pod);
});

test('two replicas take turns, and selectors find them', () => {
  expect(deployment?.replicas).toBe(2);
  const labels = deployment?.template.metadata?.labels ?? {};
  for (const selector of [
    deployment?.selector.matchLabels,
    service.spec?.selector,
    podsService.spec?.selector,
    budget.spec?.selector?.matchLabels,
  ]) {
    expect(Object.keys(selector ?? {})).not.toEqual([]);
    expect(labels).toMatchObject(selector ?? {});
  }
  expect(labels['app.kubernetes.io/version']).toBe(packageVersion());
  expect(container?.image).toMatch(new RegExp(`:${packageVersion()}$`));
});

test('the configuration is one that the program takes', () => {
  const sources = configSourcesOf(pod, {
    config: (name) => (name === config.metadata?.name ? config.data : undefined),
    secret: (name, key) => (name === secret.metadata?.name ? secret.stringData?.[key] : undefined),
  });
  expect([...variableNames]).toEqual(expect.arrayContaining(Object.keys(sources.env)));
  expect(() => parseConfig(sources)).not.toThrow();
});

test('Prometheus finds every pod by itself, by annotation or by a service without an address', () => {
  expect(podsService.spec).toMatchObject({ clusterIP: 'None', publishNotReadyAddresses: true });
  expect(podsService.spec?.ports?.[0]).toMatchObject({ port, targetPort: container?.ports?.[0]?.name });
  expect(deployment?.template.metadata?.annotations).toEqual({
    'prometheus.io/scrape': 'true',
    'prometheus.io/port': String(port),
    'prometheus.io/path': '/metrics',
  });
});

test('the service is answered by its name', () => {
  expect(config.data?.['HTTP_ALLOWED_HOSTS']?.split(',')).toContain(service.metadata?.name);
});

test('probes ask what the program answers, on their own port of those that the image listens on', () => {
  expect(dockerfile).toContain(`HTTP_PROBES_PORT=${probes?.containerPort} HTTP_PORT=${port}\n`);
  expect(dockerfile).toContain(`EXPOSE ${port}\n`);
  expect(service.spec?.ports?.[0]).toMatchObject({ port, targetPort: container?.ports?.[0]?.name });
  for (const probe of [container?.startupProbe, container?.livenessProbe, container?.readinessProbe]) {
    expect(probe?.httpGet?.port).toBe(probes?.name);
  }
  expect(container?.startupProbe?.httpGet?.path).toBe('/healthz');
  expect(container?.livenessProbe?.httpGet?.path).toBe('/healthz');
  expect(container?.readinessProbe?.httpGet?.path).toBe('/readyz');
});
