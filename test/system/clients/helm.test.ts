// The chart deploy/helm, rendered by Helm: against Kubernetes' own schemas and against the program.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseConfig, parseDatabaseConfig } from '../../../src/base/config/config.ts';
import { variableNames } from '../../../src/base/config/variables.ts';
import { expectConfined, expectValid } from '../deploy/manifests.ts';
import { root } from '../docs/blocks.ts';
import { cases, everything, exampleValues, fund, oneAccount, treasury } from './helm-values.ts';
import { chart, found, helm, render, runHelm, sourcesOf } from './rendered-chart.ts';

const helmTest = test.skipIf(helm.missing !== '');

/** The operator of Prometheus has no schema here. */
const monitor = <Kind extends string, Spec extends z.ZodRawShape>(kind: Kind, spec: Spec) =>
  z.strictObject({
    apiVersion: z.literal('monitoring.coreos.com/v1'),
    kind: z.literal(kind),
    metadata: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
    spec: z.strictObject(spec),
  });
const selector = z.strictObject({ matchLabels: z.record(z.string(), z.string()) });
const scraped = z.tuple([
  z.strictObject({
    port: z.literal('http'),
    path: z.literal('/metrics'),
    // The operator gives every series a label endpoint, which must not replace that of the metric.
    honorLabels: z.literal(true),
    authorization: z.strictObject({
      type: z.literal('Bearer'),
      credentials: z.strictObject({ name: z.string(), key: z.string() }),
    }),
  }),
]);
const podMonitor = monitor('PodMonitor', { selector, podMetricsEndpoints: scraped });
const serviceMonitor = monitor('ServiceMonitor', { selector, endpoints: scraped });

const prometheusRule = z.strictObject({
  apiVersion: z.literal('monitoring.coreos.com/v1'),
  kind: z.literal('PrometheusRule'),
  metadata: z.strictObject({ name: z.string(), labels: z.record(z.string(), z.string()) }),
  spec: z.strictObject({ groups: z.array(z.looseObject({ name: z.string(), rules: z.array(z.unknown()) })) }),
});

helmTest.each(Object.entries(cases))(
  `with %s helm lints the chart, and Kubernetes knows every document${helm.missing}`,
  (_, values) => {
    const linted = runHelm(['lint', '--strict', chart], values);
    expect(linted.status, linted.stdout).toBe(0);
    const { documents, workloads } = render(values);
    for (const document of documents)
      if (document.kind === 'PodMonitor') podMonitor.parse(document);
      else if (document.kind === 'PrometheusRule') prometheusRule.parse(document);
      else expectValid(document);
    const names = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^\w+ [a-z]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name))).toEqual([]);
    for (const { pod } of workloads) expectConfined(pod);
  },
);

helmTest.each(Object.entries(cases))(
  `with %s the program takes what each pod hands to it${helm.missing}`,
  (_, values) => {
    const { documents, workloads } = render(values);
    for (const workload of workloads) {
      const sources = sourcesOf(workload, documents);
      expect([...variableNames, 'NODE_EXTRA_CA_CERTS']).toEqual(
        expect.arrayContaining(Object.keys(sources.env)),
      );
      const parsed = workload.command === 'run' ? parseConfig(sources) : parseDatabaseConfig(sources);
      expect(parsed.http.serve).toBe(workload.command === 'run' ? 'probes' : 'all');
    }
  },
);

helmTest(`its rules are those of deploy/prometheus, its ingress leads to the readers${helm.missing}`, () => {
  const { byName, workloads, documents } = render(everything);
  for (const [name, file] of Object.entries({
    'mirror-alerts': 'custody-mirror.rules.yaml',
    'mirror-business': 'custody-mirror-business.rules.yaml',
  }))
    expect(byName('PrometheusRule', name)['spec']).toEqual(
      parse(readFileSync(join(root, 'deploy/prometheus', file), 'utf8')),
    );
  expect(render(oneAccount).documents.map(({ kind }) => kind)).not.toContain('Ingress');
  expect(byName('Ingress', 'mirror-serve')['spec']).toMatchObject({
    ingressClassName: 'nginx',
    tls: [{ hosts: ['mirror.example'], secretName: 'mirror-tls' }],
    rules: [
      { host: 'mirror.example', http: { paths: [{ backend: { service: { name: 'mirror-serve' } } }] } },
    ],
  });
  const serve = workloads.find(({ name }) => name === 'mirror-serve');
  const { http } = parseDatabaseConfig(sourcesOf(serve as never, documents));
  expect(http.allowedHosts).toContain('mirror.example');
});

helmTest(
  `the job that migrates first refuses what the pods of an account would refuse${helm.missing}`,
  () => {
    const checks = (values: object) => {
      const { documents, workloads } = render(values);
      const job = workloads.find(({ name }) => name === 'mirror-migrate');
      return (job?.pod?.initContainers ?? []).map((container) => ({
        name: container.name,
        args: container.args,
        parse: () =>
          parseConfig(
            sourcesOf({ ...job, pod: { ...job?.pod, containers: [container] } } as never, documents),
          ),
      }));
    };
    for (const values of Object.values(cases))
      for (const { args, parse } of checks(values)) {
        expect(args).toEqual(['run', '--check']);
        expect(parse().http.serve).toBe('probes');
      }
    const wrong = { ...oneAccount, accounts: [treasury, { ...fund, config: { LEASE_TTL_MS: 'abc' } }] };
    const [first, second] = checks(wrong);
    expect(first?.parse().custody.account).toBe('treasury');
    expect(second?.name).toMatch(/^check-/);
    expect(second?.parse).toThrow('LEASE_TTL_MS');
    // Which is no reason to try again.
    expect(render(wrong).byName('Job', 'mirror-migrate')['spec']).toMatchObject({
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [2] } }] },
    });
  },
);

helmTest(
  `each account has its key, its address, and its variables before those of all${helm.missing}`,
  () => {
    const { documents, workloads } = render(everything);
    const told = workloads
      .filter(({ command }) => command === 'run')
      .map((workload) => {
        const { custody, database, http, leaseTtlMs, schedule } = parseConfig(sourcesOf(workload, documents));
        const { account, baseUrl, key, pageSize, retries } = custody;
        const secrets = [key.reveal(), new URL(database.url.reveal()).host, http.token?.reveal()];
        return [
          workload.name,
          workload.replicas,
          account,
          baseUrl.href,
          secrets,
          pageSize,
          retries,
          leaseTtlMs,
          schedule.timezone,
        ];
      });
    const common = ['primary:5432', 'token-of-the-operator'];
    const other = [500, 8, 30_000, 'Europe/Zurich'];
    expect(told).toEqual([
      [
        'mirror-run-treasury',
        2,
        'treasury',
        treasury.baseUrl,
        ['key-of-treasury', ...common],
        200,
        0,
        1_000_000,
        'Europe/Zurich',
      ],
      ['mirror-run-fund-1-5e81a9', 1, 'Fund_1', fund.baseUrl, ['key-of-fund-1', ...common], ...other],
      ['mirror-run-stopped', 0, 'stopped', treasury.baseUrl, ['key-of-stopped', ...common], ...other],
      ['mirror-run-second', 1, 'fund.2', fund.baseUrl, ['key-of-fund-2', ...common], ...other],
    ]);
  },
);

helmTest(
  `what serves has the database and the names that are meant for it, and no key${helm.missing}`,
  () => {
    const told = [oneAccount, cases['readers on a replica'] ?? {}, everything].map((values) => {
      const { documents, workloads } = render(values);
      const serve = workloads.find(({ command }) => command === 'serve');
      if (serve === undefined) throw new Error('nothing serves');
      const sources = sourcesOf(serve, documents);
      expect(Object.keys(sources.env)).not.toContain('CUSTODY_API_KEY_FILE');
      const { account, database, http } = parseDatabaseConfig(sources);
      const readers = http.database.url?.reveal() ?? database.url.reveal();
      expect(http.allowedHosts.slice(0, 4)).toEqual(
        ['', '.custody', '.custody.svc', '.custody.svc.cluster.local'].map((end) => `mirror-serve${end}`),
      );
      return [
        account,
        new URL(database.url.reveal()).hostname,
        new URL(readers).hostname,
        http.allowedHosts.slice(4),
      ];
    });
    expect(told).toEqual([
      ['treasury', 'primary', 'primary', []],
      ['treasury', 'primary', 'replica', []],
      ['treasury', 'reader', 'replica', ['custody.example', 'mirror.example']],
    ]);
  },
);

helmTest(`each selector finds the pods that it means, and no other${helm.missing}`, () => {
  const { byName, workloads } = render(everything);
  const writers = workloads.filter(({ command }) => command === 'run').map(({ name }) => name);
  const labelsOf = z.union([
    z
      .object({ podSelector: z.object({ matchLabels: z.unknown() }) })
      .transform((spec) => spec.podSelector.matchLabels),
    z
      .object({ selector: z.object({ matchLabels: z.unknown() }) })
      .transform((spec) => spec.selector.matchLabels),
    z.object({ selector: z.unknown() }).transform((spec) => spec.selector),
  ]);
  const finds = (kind: string, name: string) => found(workloads, labelsOf.parse(byName(kind, name)['spec']));
  for (const name of [...writers, 'mirror-serve']) expect(finds('Deployment', name)).toEqual([name]);
  expect(finds('PodDisruptionBudget', 'mirror-run-treasury')).toEqual(['mirror-run-treasury']);
  expect(() => byName('PodDisruptionBudget', 'mirror-run-second')).toThrow();
  for (const kind of ['PodDisruptionBudget', 'Service', 'NetworkPolicy'])
    expect(finds(kind, 'mirror-serve')).toEqual(['mirror-serve']);
  expect(finds('NetworkPolicy', 'mirror-run')).toEqual(writers);
  expect(finds('NetworkPolicy', 'mirror-migrate')).toEqual(['mirror-migrate']);
  for (const kind of ['Service', 'PodMonitor'])
    expect(finds(kind, 'mirror-pods').toSorted()).toEqual(['mirror-serve', ...writers].toSorted());
  expect(byName('HorizontalPodAutoscaler', 'mirror-serve')['spec']).toMatchObject({
    scaleTargetRef: { kind: 'Deployment', name: 'mirror-serve' },
    minReplicas: 3,
    maxReplicas: 9,
  });
});

helmTest(`a ServiceMonitor finds the service in front of every pod${helm.missing}`, () => {
  const { podMonitor: asked, ...others } = everything;
  const { documents, byName } = render({ ...others, serviceMonitor: asked });
  expect(documents.filter(({ kind }) => kind === 'PodMonitor')).toEqual([]);
  const { spec, metadata } = serviceMonitor.parse(byName('ServiceMonitor', 'mirror-pods'));
  expect(metadata.labels).toMatchObject(asked.labels);
  const wanted = Object.entries(spec.selector.matchLabels);
  const matched = documents.filter(
    ({ kind, metadata: { labels = {} } }) =>
      kind === 'Service' && wanted.every(([name, value]) => labels[name] === value),
  );
  expect(matched.map((service) => service.metadata.name)).toEqual(['mirror-pods']);
});

helmTest(`readers reach what serves alone, and writers alone the custody service${helm.missing}`, () => {
  const { readers, prometheus, database, custody, extraEgress } = everything.networkPolicy;
  const { byName } = render(everything);
  const http = { ports: [{ port: 'http', protocol: 'TCP' }] };
  const base = [
    { ports: ['UDP', 'TCP'].map((protocol) => ({ port: 53, protocol })) },
    { ports: [{ port: 6432, protocol: 'TCP' }], to: database.to },
  ];
  expect(
    ['mirror-run', 'mirror-serve', 'mirror-migrate'].map((name) => byName('NetworkPolicy', name)['spec']),
  ).toMatchObject([
    {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [{ from: prometheus, ...http }],
      egress: [
        ...base,
        { ports: [443, 8443].map((port) => ({ port, protocol: 'TCP' })), to: custody.to },
        ...extraEgress,
      ],
    },
    {
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: prometheus, ...http },
        { from: readers, ...http },
      ],
      egress: [...base, ...extraEgress],
    },
    { policyTypes: ['Ingress', 'Egress'], egress: base },
  ]);
  expect(byName('NetworkPolicy', 'mirror-migrate')['spec']).not.toHaveProperty('ingress');
  const open = render({ ...oneAccount, networkPolicy: { enabled: false } });
  expect(open.documents.map(({ kind }) => kind)).not.toContain('NetworkPolicy');
});

helmTest(`the migration comes before everything, and uses nothing that comes after it${helm.missing}`, () => {
  const { documents, byName, workloads } = render(everything);
  const hooks = documents.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
  expect(hooks.map(({ kind, metadata }) => [kind, metadata.name])).toEqual([
    ['NetworkPolicy', 'mirror-migrate'],
    ['Job', 'mirror-migrate'],
  ]);
  // Helm leaves the policy when the job fails, and removes it at the end.
  expect(hooks.map(({ metadata }) => metadata.annotations?.['helm.sh/hook'])).toEqual([
    'pre-install,pre-upgrade,post-delete',
    'pre-install,pre-upgrade',
  ]);
  const weights = hooks.map(({ metadata }) => Number(metadata.annotations?.['helm.sh/hook-weight']));
  expect(weights).toEqual([0, 1]);
  const job = workloads.find(({ name }) => name === 'mirror-migrate');
  expect(job?.pod?.containers[0]).toMatchObject({ args: ['migrate'] });
  expect(job?.pod?.containers[0]).not.toHaveProperty('envFrom');
  expect(job?.pod?.restartPolicy).toBe('Never');
  // Helm keeps a job that failed, for its log, and does not remove it with the rest.
  expect(byName('Job', 'mirror-migrate')['spec']).toMatchObject({ ttlSecondsAfterFinished: 604_800 });
  const written = new Set(
    documents.filter(({ kind }) => kind === 'ConfigMap').map(({ metadata }) => metadata.name),
  );
  const volumes = job?.pod?.volumes?.[0]?.projected?.sources ?? [];
  expect(volumes.filter(({ configMap }) => written.has(configMap?.name ?? ''))).toEqual([]);
  // The writers of the version before go on meanwhile, and a new one waits beside the old one.
  for (const { kind, metadata } of documents.filter(({ kind }) => kind === 'Deployment'))
    expect(byName(kind, metadata.name)['spec']).toMatchObject({
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    });
});

helmTest(`a change of one account, or a further one, makes new pods of no other${helm.missing}`, () => {
  // The job runs at every upgrade, and checks the variables of all accounts.
  const podsOf = (accounts: readonly object[]) =>
    Object.fromEntries(
      render({ ...oneAccount, accounts })
        .workloads.filter(({ name }) => name !== 'mirror-migrate')
        .map(({ name, document }) => [name, document.spec?.template]),
    );
  const before = podsOf([treasury, fund]);
  const { 'mirror-run-fund-1-5e81a9': changed, ...others } = podsOf([
    treasury,
    { ...fund, config: { CUSTODY_PAGE_SIZE: 9 } },
    { ...fund, account: 'third', apiKey: { ...fund.apiKey, key: 'third' } },
  ]);
  const { 'mirror-run-fund-1-5e81a9': was, ...same } = before;
  expect(others).toMatchObject(same);
  expect(changed).not.toEqual(was);
});

helmTest(`names come from accounts by one rule${helm.missing}`, () => {
  const long = 'a'.repeat(63);
  const accounts = [
    'treasury',
    'a-b-1',
    'Treasury',
    'treasury_eu',
    'treasury.eu',
    'eu-',
    long,
    `${long.slice(1)}b`,
  ];
  const { workloads } = render(
    {
      ...oneAccount,
      accounts: accounts.map((account) => ({
        ...treasury,
        account,
        apiKey: { ...treasury.apiKey, key: account },
      })),
    },
    'm',
  );
  expect(workloads.filter(({ command }) => command === 'run').map(({ name }) => name)).toEqual([
    'm-run-treasury',
    'm-run-a-b-1',
    'm-run-treasury-6ae05d',
    'm-run-treasury-eu-d988e7',
    'm-run-treasury-eu-e44ff0',
    'm-run-eu-78b181',
    `m-run-${'a'.repeat(50)}-7d3e74`,
    `m-run-${'a'.repeat(50)}-0085f9`,
  ]);
});

helmTest(`the example of docs/container.md has the names that it tells of${helm.missing}`, () => {
  expect(render(exampleValues).workloads.map(({ name, replicas }) => [name, replicas])).toEqual([
    ['mirror-run-treasury', 2],
    ['mirror-run-fund-1-5e81a9', 1],
    ['mirror-serve', undefined],
    ['mirror-migrate', undefined],
  ]);
});
