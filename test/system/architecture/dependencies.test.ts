import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { shippedPackages } from '../../support/shipped-packages.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}
interface LockFile {
  readonly lockfileVersion: number;
  readonly packages: Readonly<Record<string, Locked>>;
}
interface Package {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

const json = <Shape>(path: string): Shape => JSON.parse(readFileSync(join(root, path), 'utf8'));
const lockFiles = ['package-lock.json'].concat(
  readdirSync(join(root, 'test/system/versions')).map(
    (name) => `test/system/versions/${name}/package-lock.json`,
  ),
);
/** Without the package itself and its workspaces. */
const lockedIn = (path: string) =>
  Object.entries(json<LockFile>(path).packages).filter(
    ([name]) => name !== '' && !/^(packages|node_modules\/@custody-mirror)\//.test(name),
  );
const nameOf = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

test.each(lockFiles)('%s pins every package by its content, and takes none but from the registry', (path) => {
  expect(json<LockFile>(path).lockfileVersion).toBe(3);
  const locked = lockedIn(path);
  expect(locked.length).toBeGreaterThan(0);
  // Without `resolved` npm asks the registry it is configured for, and holds the answer against the hash.
  const loose = locked.filter(
    ([, { integrity = '', resolved, link, version = '' }]) =>
      !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity) ||
      (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')) ||
      link === true ||
      !/^\d+\.\d+\.\d+/.test(version),
  );
  expect(loose).toEqual([]);
});

test('every package that brings a script for its installation is named, allowed or refused', () => {
  const { allowScripts, scripts } = json<Package>('package.json');
  const locked = lockedIn('package-lock.json');
  const bringing = locked
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path]) => nameOf(path));
  expect(bringing.filter((name) => !Object.hasOwn(allowScripts, name))).toEqual([]);
  const installed = new Set(locked.map(([path]) => nameOf(path)));
  const idle = Object.keys(allowScripts).filter((name) => allowScripts[name] && !installed.has(name));
  expect(idle).toEqual([]);
  // Nor does installing this package run anything.
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare'])
    expect(scripts).not.toHaveProperty(name);
});

test('at most 80 packages ship, none with an install script, and docs/security.md names each dependency', () => {
  const { dependencies } = json<Package>('package.json');
  const { packages } = json<LockFile>('package-lock.json');
  const shipped = shippedPackages(packages).map((path) => [path, packages[path] ?? {}] as const);
  expect(shipped.length).toBeGreaterThan(Object.keys(dependencies).length);
  expect(shipped.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  expect(shipped.length).toBeLessThanOrEqual(80);
  const text = readFileSync(join(root, 'docs/security.md'), 'utf8');
  for (const name of Object.keys(dependencies)) expect(text).toContain(`\`${name}\``);
  for (const range of Object.values(dependencies)) expect(range).toMatch(/^\^?\d+\.\d+\.\d+$/);
});
