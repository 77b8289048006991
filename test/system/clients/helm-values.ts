// Values of the chart deploy/helm that are rendered and checked.
import { parse } from 'yaml';
import { blocks } from '../docs/blocks.ts';

const image = { repository: 'registry.example/custody-mirror', tag: '0.1.0' };
const databaseUrl = { secret: 'custody-database', key: 'url' };

export const treasury = {
  account: 'treasury',
  baseUrl: 'https://custody.example/api',
  apiKey: { secret: 'custody-treasury', key: 'api-key' },
};
export const fund = {
  account: 'Fund_1',
  baseUrl: 'https://custody.example:8443/api',
  apiKey: { secret: 'custody-funds', key: 'fund-1' },
};

/** What seals the history of the treasury. */
export const sealed = {
  sealKey: { secret: 'custody-seal', key: 'treasury' },
  sealCheckpoints: { claim: 'custody-checkpoints' },
};

/** One account with nothing else set. */
export const oneAccount = { image, databaseUrl, accounts: [treasury] };

const threeAccounts = {
  ...oneAccount,
  config: { SCHEDULE_TIMEZONE: 'Europe/Zurich', CUSTODY_PAGE_SIZE: 500 },
  accounts: [
    // More digits than a float of YAML keeps, a zero, and a blank value that takes back the common one.
    {
      ...treasury,
      ...sealed,
      replicas: 2,
      config: { CUSTODY_PAGE_SIZE: '', CUSTODY_RETRIES: 0, LEASE_TTL_MS: 1_000_000 },
    },
    fund,
    { ...treasury, account: 'stopped', apiKey: { secret: 'custody-stopped', key: 'api-key' }, replicas: 0 },
  ],
};

const onReplica = {
  ...oneAccount,
  serve: { readersDatabaseUrl: { secret: 'custody-database', key: 'replica-url' } },
};

export const everything = {
  ...threeAccounts,
  httpToken: { secret: 'custody-http', key: 'token' },
  accounts: [
    ...threeAccounts.accounts,
    {
      ...fund,
      account: 'fund.2',
      apiKey: { secret: 'custody-funds', key: 'fund-2' },
      name: 'second',
      resources: { limits: { memory: '1Gi' } },
    },
  ],
  run: { resources: { requests: { cpu: '100m' } } },
  serve: {
    databaseUrl: { secret: 'custody-database', key: 'reader-url' },
    readersDatabaseUrl: { secret: 'custody-database', key: 'replica-url' },
    config: { HTTP_RATE_LIMIT: 'off', HTTP_DATABASE_CONNECTIONS: 8 },
    allowedHosts: ['custody.example'],
    autoscaling: { minReplicas: 3, maxReplicas: 9, targetCPUUtilizationPercentage: 50 },
    resources: { requests: { cpu: '500m' } },
  },
  migrate: { activeDeadlineSeconds: 60 },
  networkPolicy: {
    readers: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress' } } }],
    prometheus: [{ podSelector: { matchLabels: { app: 'prometheus' } } }],
    database: { ports: [6432], to: [{ ipBlock: { cidr: '10.0.0.0/8' } }] },
    custody: { to: [{ ipBlock: { cidr: '192.0.2.0/24' } }] },
    extraEgress: [{ ports: [{ port: 4318, protocol: 'TCP' }] }],
  },
  podMonitor: { enabled: true, labels: { release: 'prometheus' } },
  prometheusRule: { enabled: true, business: true, labels: { release: 'prometheus' } },
  ingress: {
    enabled: true,
    className: 'nginx',
    host: 'mirror.example',
    tlsSecret: 'mirror-tls',
    annotations: { 'example.com/size': '1m' },
  },
  caCertificates: { configMap: 'custody-authority', key: 'ca.crt' },
  podSpec: {
    nodeSelector: { pool: 'custody' },
    tolerations: [{ key: 'custody', operator: 'Exists' }],
    affinity: {},
    priorityClassName: 'high',
    imagePullSecrets: [{ name: 'registry' }],
    serviceAccountName: 'custody',
  },
};

export const cases: Readonly<Record<string, object>> = {
  'one account': oneAccount,
  'three accounts, one with a standby and one stopped': threeAccounts,
  'readers on a replica': onReplica,
  everything,
};

/** What docs/container.md shows. */
export const exampleValues: object = parse(
  blocks.find(({ name, language }) => name === 'docs/container.md, Helm' && language === 'yaml')?.text ?? '',
);
