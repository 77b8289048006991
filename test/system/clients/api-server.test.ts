// The chart in a real API server: installed, upgraded, rolled back and uninstalled by Helm. Jobs end because
// the test says so, as nothing runs them.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { waitFor } from '../../support/wait-for.ts';
import { type ApiServer, missing, startApiServer } from './api-server.ts';
import { everything, oneAccount } from './helm-values.ts';
import { chart, render } from './rendered-chart.ts';

const apiTest = test.skipIf(missing !== '');
const namespace = '/namespaces/custody/';

const resources = z.looseObject({
  resources: z.array(
    z.looseObject({
      name: z.string(),
      kind: z.string(),
      namespaced: z.boolean(),
      verbs: z.array(z.string()),
    }),
  ),
});
const list = z.looseObject({
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

async function asked(server: ApiServer, path: string): Promise<unknown> {
  const { status, body } = await server.ask('GET', path);
  expect({ path, status }).toEqual({ path, status: 200 });
  return body;
}

/** Where the API server has each kind of a namespace, by the version of its API. */
async function kindsOf(server: ApiServer): Promise<ReadonlyMap<string, string>> {
  const groups = z
    .looseObject({
      groups: z.array(z.looseObject({ preferredVersion: z.looseObject({ groupVersion: z.string() }) })),
    })
    .parse(await asked(server, '/apis'));
  const versions = [
    '/api/v1',
    ...groups.groups.map((group) => `/apis/${group.preferredVersion.groupVersion}`),
  ];
  const found = new Map<string, string>();
  for (const version of versions)
    for (const each of resources.parse(await asked(server, version)).resources)
      if (each.namespaced && each.verbs.includes('list'))
        found.set(`${version.replace(/^\/apis?\//, '')} ${each.kind}`, `${version}${namespace}${each.name}`);
  return found;
}

/** Everything in the namespace, as kind and name; of Helm's own records none. */
async function contents(server: ApiServer): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [kind, path] of await kindsOf(server)) {
    if (kind.endsWith(' Event')) continue;
    for (const { metadata } of list.parse(await asked(server, path)).items)
      found.push(`${kind.split(' ').at(-1)} ${metadata.name}`);
  }
  return found.filter((each) => !each.startsWith('Secret sh.helm.release.')).toSorted();
}

/** What stays of a release: hooks are gone when they have succeeded. */
function wanted(values: object): readonly string[] {
  return render(values)
    .documents.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined)
    .map(({ kind, metadata }) => `${kind} ${metadata.name}`)
    .toSorted();
}

const crd = (kind: string) => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.monitoring.coreos.com` },
    spec: {
      group: 'monitoring.coreos.com',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
};

/** Ends each job that Helm waits for, as its controller would, until the work is done. */
async function endingJobs<Value>(server: ApiServer, work: Promise<Value>): Promise<Value> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  done.catch(() => undefined);
  const now = new Date().toISOString().replace(/\.\d+/, '');
  const conditions = ['SuccessCriteriaMet', 'Complete'].map((type) => ({
    ...{ type, status: 'True', lastTransitionTime: now, lastProbeTime: now },
    ...{ reason: 'CompletionsReached', message: 'The test says so' },
  }));
  const status = { conditions, startTime: now, completionTime: now, succeeded: 1 };
  const path = `/apis/batch/v1${namespace}jobs`;
  await waitFor(
    async () => {
      for (const { metadata } of list.parse(await asked(server, path)).items) {
        const answer = await server.ask('PATCH', `${path}/${metadata.name}/status`, { status });
        if (answer.status >= 400 && answer.status !== 404) throw new Error(JSON.stringify(answer.body));
      }
      return isDone;
    },
    { what: 'helm', deadlineMs: 120_000, intervalMs: 100 },
  );
  return await done;
}

apiTest(
  `Kubernetes takes every document, and Helm leaves behind what it should and nothing else${missing}`,
  async () => {
    const server = await startApiServer();
    await server.ask('POST', '/api/v1/namespaces', { metadata: { name: 'custody' } });
    for (const kind of ['PodMonitor', 'PrometheusRule'])
      expect(
        await server.ask('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd(kind)),
      ).toMatchObject({ status: 201 });
    await waitFor(async () => (await kindsOf(server)).has('monitoring.coreos.com/v1 PodMonitor'), {
      what: 'the monitors',
    });
    const kinds = await kindsOf(server);
    for (const document of render(everything).documents) {
      const path = kinds.get(`${document['apiVersion']} ${document.kind}`);
      const answer = await server.ask('POST', `${path}?dryRun=All&fieldValidation=Strict`, document);
      expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 });
    }

    // It would refuse what it does not know.
    const unknown = { metadata: { name: 'unknown' }, data: {}, unknown: 1 };
    const strict = '?dryRun=All&fieldValidation=Strict';
    expect(await server.ask('POST', `/api/v1${namespace}configmaps${strict}`, unknown)).toMatchObject({
      status: 400,
    });

    const before = await contents(server);
    const release = async (args: readonly string[], values?: object) =>
      await endingJobs(server, server.helm([...args, '--namespace', 'custody'], values));
    await release(['install', 'mirror', chart], oneAccount);
    expect(await contents(server)).toEqual([...before, ...wanted(oneAccount)].toSorted());
    await release(['upgrade', 'mirror', chart], everything);
    expect(await contents(server)).toEqual([...before, ...wanted(everything)].toSorted());
    await release(['rollback', 'mirror', '1']);
    expect(await contents(server)).toEqual([...before, ...wanted(oneAccount)].toSorted());
    await release(['uninstall', 'mirror']);
    expect(await contents(server)).toEqual(before);
    const secrets = list.parse(await asked(server, `/api/v1${namespace}secrets`));
    expect(secrets.items).toEqual([]);
  },
  600_000,
);
