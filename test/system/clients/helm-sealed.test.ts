// What seals the history in the chart deploy/helm: the key of an account, and its file of checkpoints.
import { expect, test } from 'vitest';
import { parseConfig, parseDatabaseConfig } from '../../../src/base/config/config.ts';
import { everything, fund, oneAccount, sealed, treasury } from './helm-values.ts';
import { helm, render, sourcesOf } from './rendered-chart.ts';

const { sealKey, sealCheckpoints } = sealed;

/** Of each pod the name of the key and the file that the program is told, and the claims that it mounts. */
function sealing(values: object) {
  const { documents, workloads } = render(values);
  return Object.fromEntries(
    workloads.map((workload) => {
      const sources = sourcesOf(workload, documents);
      const { seal } =
        workload.command === 'run'
          ? parseConfig(sources)
          : { seal: { key: null, checkpointsFile: null, ...parseDatabaseConfig(sources) } };
      const { volumes = [], containers = [] } = workload.pod ?? {};
      const claims = volumes.flatMap(({ name, persistentVolumeClaim: claim }) => {
        const mount = containers[0]?.volumeMounts?.find((each) => each.name === name);
        return claim === undefined ? [] : [[claim.claimName, mount?.mountPath, mount?.readOnly]];
      });
      return [workload.name, [seal.key?.reveal().split('+')[2], seal.checkpointsFile, ...claims]];
    }),
  );
}

test.skipIf(helm.missing !== '')(
  `an account that is sealed has a key and a file on its claim, and no other pod has them${helm.missing}`,
  () => {
    const none = [undefined, null];
    expect(sealing(everything)).toEqual({
      'mirror-run-treasury': [
        'treasury',
        '/mnt/checkpoints/treasury',
        ['custody-checkpoints', '/mnt/checkpoints', undefined],
      ],
      'mirror-run-fund-1-5e81a9': none,
      'mirror-run-stopped': none,
      'mirror-run-second': none,
      'mirror-serve': none,
      'mirror-migrate': none,
    });
  },
);

test.skipIf(helm.missing !== '')(
  `accounts share a claim, each with a file of its own, and a key does without one${helm.missing}`,
  () => {
    const accounts = [
      { ...treasury, sealKey, sealCheckpoints: { ...sealCheckpoints, file: 'treasury-2' } },
      { ...fund, sealKey: { ...sealKey, key: 'fund' }, sealCheckpoints },
      { ...treasury, account: 'third', apiKey: fund.apiKey, sealKey: { ...sealKey, key: 'third' } },
    ];
    const told = sealing({ ...oneAccount, accounts });
    const claim = ['custody-checkpoints', '/mnt/checkpoints', undefined];
    expect(told['mirror-run-treasury']?.slice(1)).toEqual(['/mnt/checkpoints/treasury-2', claim]);
    expect(told['mirror-run-fund-1-5e81a9']).toEqual(['fund', '/mnt/checkpoints/Fund_1', claim]);
    expect(told['mirror-run-third']).toEqual(['third', null]);
  },
);
