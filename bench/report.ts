// Writes the figures of the bench: medians of the rounds with minimum and maximum, and ratios within each
// round.
import { cpus, totalmem } from 'node:os';
import type { MachineUse } from './machine-use.ts';
import type { Floor, Round, Sweep } from './measure.ts';
import type { StatementCost } from './messages.ts';
import type { BenchOptions } from './options.ts';

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const mebibyte = 1024 * 1024;

export function machineText(serverVersion: string, settings: ReadonlyMap<string, string>): string {
  const [cpu] = cpus();
  return [
    `machine   ${cpus().length} × ${cpu?.model ?? 'unknown processor'}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform} ${process.arch}`,
    `versions  Node ${process.versions.node}, PostgreSQL ${serverVersion}`,
    `settings  ${[...settings].map(([name, value]) => `${name}=${value}`).join(' ')}`,
  ].join('\n');
}

export function roundText({ floor, first, again }: Round, number: number): string {
  const figure = (name: string, seconds: number, share: number | null) =>
    `${name} ${seconds.toFixed(2)} s (others ${others([share])})`;
  return [
    `  round ${number}: ${figure('floor', floor.seconds, othersInFloor(floor))}`,
    figure('first sweep', first.seconds, othersInSweep(first)),
    figure('sweep again', again.seconds, othersInSweep(again)),
  ].join(', ');
}

export function sizeText(transactions: number, rounds: readonly Round[], options: BenchOptions): string {
  const floors = rounds.map((round) => round.floor);
  const rows: string[][] = [
    [
      '',
      'seconds',
      'min–max',
      'rows/s',
      '× floor',
      'requests',
      'peak RSS',
      'WAL',
      'CPU s mirror',
      'sandbox',
      'PostgreSQL',
      'others',
    ],
    floorRow(transactions, floors),
    sweepRow('first sweep', transactions, rounds, (round) => round.first),
    sweepRow('sweep again', transactions, rounds, (round) => round.again),
  ];
  const speedup = median(rounds.map(({ first, again }) => first.seconds / again.seconds));
  return [
    `${count.format(transactions)} transactions; medians of ${rounds.length} rounds, ratios within each round`,
    table(rows),
    `a sweep of unchanged records is ${speedup.toFixed(2)} times as fast as the first`,
    boundText(rounds),
    ...(options.statements ? [statementsText(rounds)] : []),
  ].join('\n');
}

/**
 * The least time of a first sweep with the same use of processors, if no processor were idle and nothing else
 * ran.
 */
function boundText(rounds: readonly Round[]): string {
  const bounds = rounds.flatMap(({ first, floor }) => {
    if (first.serverCpuSeconds === null || floor.serverCpuSeconds === null) return [];
    const used = first.cpuSeconds + first.sandboxCpuSeconds + first.serverCpuSeconds;
    const least = Math.max(used / cpus().length, first.cpuSeconds, first.serverCpuSeconds);
    return [{ used, least, ratio: least / floor.serverCpuSeconds }];
  });
  const of = (figure: 'used' | 'least' | 'ratio') => median(bounds.map((bound) => bound[figure])).toFixed(2);
  return bounds.length === 0
    ? 'the processor time of the server is unknown on this machine'
    : `the first sweep used ${of('used')} s of ${cpus().length} processors and could not take less than ${of('least')} s, ${of('ratio')} × what the server used for the floor`;
}

function floorRow(transactions: number, floors: readonly Floor[]): string[] {
  const seconds = floors.map((floor) => floor.seconds);
  return [
    'floor (COPY)',
    ...timing(transactions, seconds),
    '1.00',
    '',
    '',
    megabytes(median(floors.map((floor) => floor.walBytes))),
    '',
    '',
    cpu(floors.map((floor) => floor.serverCpuSeconds)),
    others(floors.map(othersInFloor)),
  ];
}

function sweepRow(
  name: string,
  transactions: number,
  rounds: readonly Round[],
  of: (round: Round) => Sweep,
): string[] {
  const sweeps = rounds.map(of);
  return [
    name,
    ...timing(
      transactions,
      sweeps.map((sweep) => sweep.seconds),
    ),
    median(rounds.map((round) => of(round).seconds / round.floor.seconds)).toFixed(2),
    count.format(median(sweeps.map((sweep) => sweep.requests))),
    megabytes(Math.max(...sweeps.map((sweep) => sweep.peakRssBytes))),
    megabytes(median(sweeps.map((sweep) => sweep.walBytes))),
    cpu(sweeps.map((sweep) => sweep.cpuSeconds)),
    cpu(sweeps.map((sweep) => sweep.sandboxCpuSeconds)),
    cpu(sweeps.map((sweep) => sweep.serverCpuSeconds)),
    others(sweeps.map(othersInSweep)),
  ];
}

function timing(transactions: number, seconds: readonly number[]): string[] {
  const middle = median(seconds);
  const range = `${Math.min(...seconds).toFixed(2)}–${Math.max(...seconds).toFixed(2)}`;
  return [middle.toFixed(2), range, count.format(transactions / middle)];
}

const othersInFloor = (floor: Floor) => othersShare(floor, floor.seconds, 0);
const othersInSweep = (sweep: Sweep) =>
  othersShare(sweep, sweep.seconds, sweep.cpuSeconds + sweep.sandboxCpuSeconds);

/** The share of the processors that other processes used. */
function othersShare(use: MachineUse, seconds: number, helperSeconds: number): number | null {
  const { machineCpuSeconds: all, serverCpuSeconds: server, benchCpuSeconds: bench } = use;
  return all === null || server === null
    ? null
    : (all - server - bench - helperSeconds) / seconds / cpus().length;
}

function others(shares: readonly (number | null)[]): string {
  const known = shares.filter((share) => share !== null);
  return known.length === 0 ? 'unknown' : `${Math.max(0, median(known) * 100).toFixed(0)} %`;
}

function cpu(seconds: readonly (number | null)[]): string {
  const known = seconds.filter((value) => value !== null);
  return known.length === 0 ? 'unknown' : median(known).toFixed(2);
}

function megabytes(bytes: number): string {
  return `${count.format(bytes / mebibyte)} MiB`;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}

export function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}

function statementsText(rounds: readonly Round[]): string {
  const of = (name: string, sweeps: readonly Sweep[]) => {
    const costs = new Map<string, StatementCost[]>();
    for (const { statements } of sweeps)
      for (const cost of statements) costs.set(cost.statement, [...(costs.get(cost.statement) ?? []), cost]);
    const rows = [...costs]
      .map(([statement, all]) => ({
        statement,
        count: median(all.map((cost) => cost.count)),
        seconds: median(all.map((cost) => cost.seconds)),
      }))
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, 14)
      .map((cost) => [`  ${cost.statement}`, count.format(cost.count), `${cost.seconds.toFixed(3)} s`]);
    return table([[`statements of the ${name}`, 'count', 'seconds'], ...rows]);
  };
  return [
    of(
      'first sweep',
      rounds.map((round) => round.first),
    ),
    of(
      'sweep again',
      rounds.map((round) => round.again),
    ),
  ].join('\n');
}
