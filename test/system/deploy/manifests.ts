// What the tests of manifests share: whether Kubernetes knows a document, whether a pod may do no more than
// it must, and what it hands to the program.
import { readFileSync } from 'node:fs';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1/Ingress';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import type { IPodSpec } from 'kubernetes-models/v1/PodSpec';
import { Secret } from 'kubernetes-models/v1/Secret';
import { Service } from 'kubernetes-models/v1/Service';
import { expect } from 'vitest';
import type { ConfigSources } from '../../../src/base/config/reader.ts';
import { unreadFields } from './unread-fields.ts';

export const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');

/** The document as a model of its kind; one that is of no kind known here fails. */
function modelOf(document: unknown) {
  if (Deployment.is(document)) return new Deployment(document);
  if (Service.is(document)) return new Service(document);
  if (Secret.is(document)) return new Secret(document);
  if (ConfigMap.is(document)) return new ConfigMap(document);
  if (PodDisruptionBudget.is(document)) return new PodDisruptionBudget(document);
  if (HorizontalPodAutoscaler.is(document)) return new HorizontalPodAutoscaler(document);
  if (NetworkPolicy.is(document)) return new NetworkPolicy(document);
  if (Job.is(document)) return new Job(document);
  if (Ingress.is(document)) return new Ingress(document);
  throw new Error(`no schema for ${JSON.stringify(document).slice(0, 80)}`);
}

export function expectValid(document: unknown): void {
  const model = modelOf(document);
  expect(() => model.validate()).not.toThrow();
  expect(unreadFields(model, (watched) => watched.validate())).toEqual([]);
}

export function expectConfined(pod: IPodSpec | undefined): void {
  expect(pod).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  });
  expect(pod?.containers).toHaveLength(1);
  expect(pod?.containers[0]?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const user = `${pod?.securityContext?.runAsUser}:${pod?.securityContext?.runAsGroup}`;
  expect(dockerfile).toContain(`USER ${user}\n`);
  // Ten seconds are what a stop may take.
  expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(10);
}

interface Given {
  /** The data of a ConfigMap. */
  readonly config: (name: string) => Readonly<Record<string, string>> | undefined;
  /** What stands in a Secret, by its name and key. */
  readonly secret: (name: string, key: string) => string | undefined;
}

/** What the program in the pod is given: variables, and the files that they name. */
export function configSourcesOf(pod: IPodSpec | undefined, { config, secret }: Given): ConfigSources {
  const container = pod?.containers[0];
  const maps = (container?.envFrom ?? []).map(({ configMapRef }) => {
    const data = config(configMapRef?.name ?? '');
    if (data === undefined) throw new Error(`there is no ConfigMap ${configMapRef?.name}`);
    return data;
  });
  const own = Object.fromEntries((container?.env ?? []).map(({ name, value = '' }) => [name, value]));
  const mount = container?.volumeMounts?.[0];
  const volume = pod?.volumes?.find(({ name }) => name === mount?.name);
  const readFile = (path: string) => {
    const file = path.replace(`${mount?.mountPath}/`, '');
    const projected = volume?.projected?.sources?.flatMap(
      ({ secret: from }) =>
        from?.items?.filter((item) => item.path === file).map(({ key }) => secret(from.name ?? '', key)) ??
        [],
    );
    const value = projected?.[0] ?? secret(volume?.secret?.secretName ?? '', file);
    if (value === undefined) throw new Error(`no secret is mounted as ${path}`);
    return value;
  };
  return { env: Object.assign({}, ...maps, own), readFile, isTerminal: false };
}
