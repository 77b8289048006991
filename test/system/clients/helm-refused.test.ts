// Values of the chart deploy/helm that cannot work: Helm refuses them before anything is changed, and names
// the account, the field and the fix.
import { expect, test } from 'vitest';
import { fund, oneAccount, sealed, treasury } from './helm-values.ts';
import { chart, helm, runHelm } from './rendered-chart.ts';

/** What Helm says, without where in the templates it was. */
function refusalOf(values: object, release = 'mirror'): string {
  const { status, stdout, stderr } = runHelm(['template', release, chart], values);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  const told = stderr
    .replace(/^Error: execution error at \(custody-mirror\/templates\/[\w-]+\.yaml:2:4\): \n/, '')
    .replace(/\n+Use --debug flag to render out invalid YAML\n$/, '')
    .replace(/^Error: values don't meet .*\ncustody-mirror:\n/, 'schema:\n')
    .trim();
  // Helm lists what the schema refuses in random order.
  const [first = '', ...faults] = told.split('\n');
  return first === 'schema:' ? [first, ...faults.toSorted()].join('\n') : told;
}

const accounts = (...entries: readonly object[]) => ({ ...oneAccount, accounts: entries });
const { apiKey, ...keyless } = treasury;
const { baseUrl, ...homeless } = treasury;
const { account, ...nameless } = treasury;
const sameFile = { ...sealed.sealCheckpoints, file: 'treasury' };
const digest = '0123456789abcdef'.repeat(4);
const withTag = (tag: string) => ({
  ...oneAccount,
  image: { repository: 'registry.example/custody-mirror', tag },
});
const elsewhere = { ...treasury, baseUrl: 'https://other.example/api' };

test.skipIf(helm.missing !== '').each<readonly [what: string, values: object, told: string]>([
  [
    'an account that is listed twice',
    accounts(treasury, fund, { ...treasury, apiKey: fund.apiKey }),
    'account treasury is listed twice, with the same baseUrl: remove one',
  ],
  [
    'one account at two addresses',
    accounts(treasury, elsewhere),
    'account treasury is listed twice, with the baseUrl https://custody.example/api and https://other.example/api: an account is mirrored from one address; give the second another name in account',
  ],
  [
    'two accounts with one name of their resources',
    accounts(treasury, { ...fund, name: 'treasury' }),
    'account Fund_1: its resources would be named mirror-run-treasury, as those of account treasury: give one of them another name',
  ],
  [
    'a name that is too long',
    accounts({ ...fund, name: 'f'.repeat(60) }),
    `account Fund_1: its resources would be named mirror-run-${'f'.repeat(60)}, which is longer than 63 characters: shorten its name`,
  ],
  [
    'an account without a reference to its key',
    accounts(fund, keyless),
    'account treasury: apiKey.secret is missing: name the Secret that holds its viewer key\n' +
      'account treasury: apiKey.key is missing: name the key of that Secret under which its viewer key stands',
  ],
  [
    'a reference to a Secret without its key',
    accounts({ ...treasury, apiKey: { secret: 'custody-treasury' } }),
    'account treasury: apiKey.key is missing: name the key of that Secret under which its viewer key stands',
  ],
  [
    'a reference to a key without its Secret',
    accounts({ ...treasury, apiKey: { key: 'api-key' } }),
    'account treasury: apiKey.secret is missing: name the Secret that holds its viewer key',
  ],
  [
    'an account without an address',
    accounts(fund, homeless),
    'account treasury: baseUrl is missing: give the base address of its custody service (CUSTODY_BASE_URL)',
  ],
  [
    'an address without TLS',
    accounts({ ...treasury, baseUrl: 'http://custody.example/api' }),
    'account treasury: baseUrl must begin with https://: it is http://custody.example/api',
  ],
  [
    'two accounts with one key',
    accounts(treasury, { ...treasury, account: 'payments' }),
    'account payments has the baseUrl and the apiKey of account treasury, and would mirror the same: name the key of each',
  ],
  [
    'two accounts with one key that seals, and one file of checkpoints',
    accounts({ ...treasury, ...sealed }, { ...fund, ...sealed, sealCheckpoints: sameFile }),
    'account Fund_1 has the sealKey of account treasury, and a key signs the history of one account: make another one\n' +
      'account Fund_1: sealCheckpoints is the file treasury of the claim custody-checkpoints, as that of account treasury: name another file',
  ],
  [
    'checkpoints without a key and without a claim',
    accounts({ ...treasury, sealCheckpoints: { file: 'treasury' } }, { ...fund, sealKey: { key: 'fund' } }),
    'account treasury: sealCheckpoints is set without sealKey, and without a key nothing is sealed: set both\n' +
      'account treasury: sealCheckpoints.claim is missing: name the PersistentVolumeClaim that holds its checkpoints\n' +
      'account Fund_1: sealKey.secret is missing: name the Secret that holds the key that signs its history',
  ],
  [
    'a file of checkpoints that would lie elsewhere, and a key that is written out',
    accounts({ ...treasury, sealKey: 'PRIVATE+KEY', sealCheckpoints: { claim: 'c', file: '../key' } }),
    "schema:\n- accounts.0.sealCheckpoints.file: Does not match pattern '^[A-Za-z0-9][A-Za-z0-9._-]*$'\n" +
      '- accounts.0.sealKey: Invalid type. Expected: object, given: string',
  ],
  [
    'what seals among the variables',
    accounts({ ...treasury, config: { SEAL_KEY_FILE: '/key', SEAL_CHECKPOINTS_FILE: '/checkpoints' } }),
    'account treasury: config.SEAL_CHECKPOINTS_FILE: set sealCheckpoints of the account\n' +
      'account treasury: config.SEAL_KEY_FILE: it is a secret: name its Secret in sealKey of the account',
  ],
  [
    'an account without a name',
    accounts(fund, nameless),
    'accounts[1]: account is missing: name the account in the mirror (CUSTODY_ACCOUNT)',
  ],
  [
    'no account, no image and no database',
    {},
    'image.repository is missing: name the image as you pushed it, such as registry.example/custody-mirror\n' +
      'image.tag is missing: name the version of the image, such as 0.1.0\n' +
      'accounts is empty: list the accounts to mirror, each with account, baseUrl and apiKey\n' +
      'databaseUrl.secret is missing: name the Secret that holds the address of the database\n' +
      'databaseUrl.key is missing: name the key of that Secret under which the address of the database stands',
  ],
  [
    'an image without a tag',
    { ...oneAccount, image: { repository: 'registry.example/custody-mirror' } },
    'image.tag is missing: name the version of the image, such as 0.1.0',
  ],
  ...['latest', 'main'].map(
    (tag) =>
      [
        `the tag ${tag}, which moves`,
        withTag(tag),
        `image.tag is ${tag}, which may name another image tomorrow: write a version, such as 0.1.0`,
      ] as const,
  ),
  ...['sha256:abc', `sha256:${digest}`, '0.1.0@sha256:abc', '0.1.0 ', 'a/1'].map(
    (tag) =>
      [
        `the tag "${tag}"`,
        withTag(tag),
        `image.tag is ${tag}, which is not a tag: write one such as 0.1.0, and a digest only after it, as in 0.1.0@sha256: and 64 hexadecimal digits`,
      ] as const,
  ),
  [
    'half of a reference that may be left out',
    {
      ...oneAccount,
      httpToken: { secret: 'custody-http' },
      serve: { readersDatabaseUrl: { key: 'replica' } },
      caCertificates: { configMap: 'authority' },
    },
    'httpToken.key is missing: name the key of that Secret under which the token of the operator stands\n' +
      'serve.readersDatabaseUrl.secret is missing: name the Secret that holds the address of the database\n' +
      'caCertificates has one of configMap and key: set both',
  ],
  [
    'a monitor without the token that metrics need',
    { ...oneAccount, podMonitor: { enabled: true } },
    'podMonitor.enabled is set without httpToken, and metrics need the token: name its Secret in httpToken',
  ],
  [
    'two monitors',
    {
      ...oneAccount,
      httpToken: { secret: 'operator', key: 'token' },
      podMonitor: { enabled: true },
      serviceMonitor: { enabled: true },
    },
    'podMonitor.enabled and serviceMonitor.enabled are both set, and every pod would be asked twice: set one',
  ],
  [
    'an ingress without encryption',
    { ...oneAccount, ingress: { enabled: true, host: 'mirror.example' } },
    'ingress.enabled is set without host or tlsSecret: name the host, and the Secret with its certificate, because keys and figures must not travel unencrypted',
  ],
  [
    'secrets and what the chart sets among the variables',
    {
      ...accounts({ ...treasury, config: { CUSTODY_API_KEY: 'k', CUSTODY_ACCOUNT: 'other' } }),
      config: { DATABASE_URL_FILE: '/x' },
      serve: { config: { HTTP_TOKEN: 't', HTTP_SERVE: 'all' } },
    },
    'config.DATABASE_URL_FILE: it is a secret: name its Secret in databaseUrl\n' +
      'serve.config.HTTP_SERVE: writers serve probes, and serve the rest: remove it\n' +
      'serve.config.HTTP_TOKEN: it is a secret: name its Secret in httpToken\n' +
      'account treasury: config.CUSTODY_ACCOUNT: set account of an entry of accounts\n' +
      'account treasury: config.CUSTODY_API_KEY: it is a secret: name its Secret in apiKey of the account',
  ],
  [
    'off without quotes',
    accounts({ ...treasury, config: { SCHEDULE_RECONCILE: false } }),
    "account treasury: config.SCHEDULE_RECONCILE is a truth value in YAML: write it in quotes, such as 'off'",
  ],
  [
    'fewer readers at the most than at the least',
    { ...oneAccount, serve: { autoscaling: { maxReplicas: 1 } } },
    'serve.autoscaling.minReplicas is above maxReplicas: raise maxReplicas',
  ],
  [
    'fields that are not known',
    { ...accounts({ ...treasury, basUrl: 'https://custody.example' }), acounts: [] },
    'schema:\n- (root): Additional property acounts is not allowed\n- accounts.0: Additional property basUrl is not allowed',
  ],
  [
    'a name that the program would refuse',
    accounts({ ...treasury, account: 'the treasury' }),
    "schema:\n- accounts.0.account: Does not match pattern '^([A-Za-z0-9][A-Za-z0-9._-]{0,62})?$'",
  ],
  [
    'a third replica',
    accounts({ ...treasury, replicas: 3 }),
    'schema:\n- accounts.0.replicas: Must be less than or equal to 2',
  ],
  [
    'a key that is written out',
    accounts({ ...treasury, apiKey: 'key-of-treasury' }),
    'schema:\n- accounts.0.apiKey: Invalid type. Expected: object, given: string',
  ],
])(`%s is refused${helm.missing}`, (_, values, told) => {
  expect(refusalOf(values)).toBe(told);
});

test.skipIf(helm.missing !== '')(`a release whose name begins with a digit is refused${helm.missing}`, () => {
  expect(refusalOf(oneAccount, '1mirror')).toBe(
    'release 1mirror: names of its resources begin with it: give it a letter first, and 40 characters at most',
  );
});

test.skipIf(helm.missing !== '')(`versions and digests after them are taken${helm.missing}`, () => {
  for (const tag of ['0.1.0', 'v1', '2026-11-27.1_a', `0.1.0@sha256:${digest}`]) {
    const { status, stdout } = runHelm(['template', 'mirror', chart], withTag(tag));
    expect(status).toBe(0);
    expect(stdout).toContain(`image: "registry.example/custody-mirror:${tag}"`);
  }
});
