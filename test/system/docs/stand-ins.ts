// Whether a call of a program that is not run in a test fits the repository: the files, services, profiles,
// workloads and scripts that it names are there.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseFleetOptions } from '../../../bench/fleet-options.ts';
import { parseBenchOptions } from '../../../bench/options.ts';
import { parseReportingOptions } from '../../../bench/reporting-options.ts';
import { root } from './blocks.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = z
  .looseObject({
    services: z.record(z.string(), z.looseObject({ profiles: z.array(z.string()).optional() })),
  })
  .parse(parse(read('docker-compose.yml')));
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(read('package.json')));

const checks: Readonly<Record<string, (words: readonly string[]) => void>> = {
  docker: ([command = '', ...words]) => {
    if (command === 'compose') return checkCompose(words);
    if (command === 'run') {
      const image = words.indexOf('custody-mirror');
      return checkCommand(words.slice(image));
    }
    expect([command, words.at(-1)]).toEqual(['build', '.']);
    expectFile('Dockerfile');
  },
  kubectl: ([command = '', ...words]) => {
    if (command === 'apply') {
      expect(words[0]).toBe('-k');
      return expectFile(`${words[1]}/kustomization.yaml`);
    }
    if (command === 'create') {
      expect(words.slice(0, 2)).toEqual(['secret', 'generic']);
      return;
    }
    expect(command).toBe('exec');
    const { metadata } = z
      .looseObject({ metadata: z.looseObject({ name: z.string() }) })
      .parse(parse(read('deploy/kubernetes/deployment.yaml')));
    // The second is of the chart: test/system/clients/helm.test.ts.
    expect([`deploy/${metadata.name}`, 'deploy/mirror-run-treasury']).toContain(words[0]);
    expect(words[1]).toBe('--');
    checkCommand(words.slice(2));
  },
  helm: (words) => {
    expect(words.slice(0, 2)).toEqual(['install', 'mirror']);
    expectFile(`${words[2]}/Chart.yaml`);
  },
  curl: ([url = '']) => expect(new URL(url).origin).toBe('http://127.0.0.1:8787'),
  git: (words) => expect(words).toEqual(['pull']),
  npx: ([program, command, path = '']) => {
    expect([program, command]).toEqual(['vitest', 'run']);
    expectFile(path);
  },
  bash: ([path = '']) => {
    expectFile(path);
    expect(spawnSync('/bin/bash', ['-n', join(root, path)]).status).toBe(0);
  },
  npm: ([command = '', ...words]) => {
    if (command === 'ci') return expectFile('package-lock.json');
    const name = command === 'run' ? (words[0] ?? '') : command;
    expect(Object.keys(scripts)).toContain(name);
    const options = words.slice(words.indexOf('--') + 1);
    if (name.startsWith('bench') && words.includes('--')) checkBench(name, options);
  },
};

export function checkCall([program = '', ...words]: readonly string[]): void {
  const check = checks[program];
  expect(check, `nothing is known of ${program}`).toBeDefined();
  check?.(words);
}

function checkCompose(words: readonly string[]): void {
  // Each option before the command has a value.
  const options = words.findIndex((word, index) => index % 2 === 0 && !word.startsWith('--'));
  const valueAfter = (option: string) => words.slice(0, options)[words.indexOf(option) + 1] ?? '';
  if (words.includes('--file')) expectFile(valueAfter('--file'));
  if (words.includes('--profile')) {
    const profiles = Object.values(compose.services).flatMap(({ profiles = [] }) => profiles);
    expect(profiles).toContain(valueAfter('--profile'));
  }
  const [command = '', service = '', ...inside] = words.slice(options);
  expect(['up', 'build', 'exec']).toContain(command);
  if (command !== 'exec') return;
  expect(Object.keys(compose.services)).toContain(service);
  if (service === 'mirror') checkCommand(inside);
  else expect(inside.slice(0, 4)).toEqual(['psql', '-U', 'postgres', 'custody_mirror']);
}

/** A command of ours: it is there, and takes these words, as far as its help tells without doing anything. */
function checkCommand([program, ...words]: readonly string[]): void {
  expect(program).toBe('custody-mirror');
  const { status } = spawnSync(process.execPath, [join(root, 'dist/src/cli/main.js'), ...words, '--help']);
  expect({ words, status }).toEqual({ words, status: 0 });
}

function checkBench(name: string, options: readonly string[]): void {
  if (name === 'bench:api') {
    expect(options.join(' ')).toMatch(/^sweeps \d+$/);
    return;
  }
  if (name === 'bench:scale' || name === 'bench:dlt' || name === 'bench:freshness' || name === 'bench:idle') {
    // Numbers of transactions, of rounds, of minutes.
    expect(options.join(' ')).toMatch(/^[\d ]+$/);
    return;
  }
  const parsers = new Map<string, (args: readonly string[]) => unknown>([
    ['bench', parseBenchOptions],
    ['bench:fleet', parseFleetOptions],
  ]);
  const parseOptions = parsers.get(name) ?? parseReportingOptions;
  if (options.includes('--help')) expect(() => parseOptions(options)).toThrow(`usage: npm run ${name}`);
  else parseOptions(options);
}

function expectFile(path: string): void {
  expect({ path, there: existsSync(join(root, path)) }).toEqual({ path, there: true });
}
