// Lets time pass in the world: transactions arrive, open ones change their status, and sometimes a vault or
// whitelist entry is added or renamed. Invariant: a step depends on the seed and the steps before it, not on
// the wall clock.
import type { Random } from '../values/random.ts';
import { createRandom, hashUnit } from '../values/random.ts';
import { vaultTypes } from './records.ts';
import { statusNumbers } from './statuses.ts';
import type { World } from './world.ts';

/** Repeats a call. @returns a function that ends the repetition */
export type Every = (milliseconds: number, call: () => void) => () => void;

/** The changes of one step, on average. */
export interface Pace {
  /** New transactions. */
  readonly arrivals: number;
  /** How likely the vaults and the whitelist change, as a multiple of the usual rate. */
  readonly directory: number;
}

interface EvolutionOptions {
  readonly seed: number;
  /** New transactions per minute. */
  readonly newPerMinute: number;
  /** The length of one step. */
  readonly stepMs: number;
  /** True makes `advance` and `start` do nothing. */
  readonly frozen: boolean;
  readonly every: Every;
}

export class Evolution {
  readonly #world: World;
  readonly #options: EvolutionOptions;
  readonly #random: Random;
  readonly #usual: Pace;
  readonly #held = new Set<number>();
  #due = 0;
  #cancel: (() => void) | undefined;

  constructor(world: World, options: EvolutionOptions) {
    this.#world = world;
    this.#options = options;
    this.#random = createRandom(options.seed, 'evolution');
    this.#usual = { arrivals: (options.newPerMinute * options.stepMs) / 60_000, directory: 1 };
  }

  /** Makes steps in real time. */
  start(): void {
    if (this.#options.frozen || this.#cancel !== undefined) return;
    this.#cancel = this.#options.every(this.#options.stepMs, () => this.#step(this.#usual));
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  /** Makes this many steps at once, at the usual pace or another. */
  advance(steps = 1, pace: Pace = this.#usual): void {
    if (this.#options.frozen) return;
    for (let i = 0; i < steps; i += 1) this.#step(pace);
  }

  /** Keeps a transaction as it is: time does not move it on. */
  hold(row: number): void {
    this.#held.add(row);
  }

  #step({ arrivals, directory }: Pace): void {
    for (const row of this.#world.openRows()) if (!this.#held.has(row)) this.#progress(row);
    this.#due += arrivals;
    while (this.#due >= 1) {
      this.#due -= 1;
      this.#world.arrive(this.#random);
    }
    this.#changeDirectory(directory);
  }

  /**
   * Moves an open transaction on, by chance. A few are very slow: they are the stuck ones that an operator
   * looks for.
   */
  #progress(row: number): void {
    const speed = hashUnit(this.#options.seed, row, 77);
    const chance = speed < 0.03 ? 0.01 : 0.08 + 0.3 * speed;
    if (!this.#random.chance(chance)) return;
    const status = this.#world.table.statusOf(row);
    const point = this.#random.next();
    if (status === statusNumbers.pending) {
      if (point < 0.05) this.#world.moveStatus(row, statusNumbers.rejected);
      else if (point < 0.09) this.#world.moveStatus(row, statusNumbers.cancelled);
      else
        this.#world.moveStatus(
          row,
          this.#world.affordsFee(row) ? statusNumbers.processing : statusNumbers.rejected,
        );
    } else if (status === statusNumbers.processing) {
      this.#world.moveStatus(row, point < 0.03 ? statusNumbers.failed : statusNumbers.confirming);
    } else if (status === statusNumbers.confirming) {
      this.#world.moveStatus(row, point < 0.02 ? statusNumbers.failed : statusNumbers.completed);
    }
  }

  #changeDirectory(likeliness: number): void {
    const { directory } = this.#world;
    if (this.#random.chance(0.004 * likeliness)) {
      const vaults = directory.vaults();
      const vault = vaults[this.#random.below(Math.max(1, vaults.length))];
      if (vault === undefined || (vaults.length < maxVaults && this.#random.chance(0.5))) {
        this.#world.addVault({ vaultType: this.#random.pick(vaultTypes) });
      } else {
        this.#world.renameVault(vault.vaultId, renamed(vault.name, this.#random));
      }
    }
    if (this.#random.chance(0.01 * likeliness)) {
      const entries = directory.whitelist();
      const entry = entries[this.#random.below(Math.max(1, entries.length))];
      if (entry === undefined || (entries.length < maxEntries && this.#random.chance(0.6))) {
        this.#world.addWhitelistEntry();
      } else {
        this.#world.alterWhitelistEntry(entry.whitelistId, { name: renamed(entry.name, this.#random) });
      }
    }
  }
}

function renamed(name: string, random: Random): string {
  return `${name.replace(/ \([A-Z]\d\)$/, '')} (${random.pick(['A', 'B', 'C', 'D'])}${random.below(10)})`;
}

const maxVaults = 40;
const maxEntries = 300;
