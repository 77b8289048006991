// Decides which request gets which fault. Invariant: the decisions depend on the seed and the sequence of
// matching requests only; rules are tried in order, and the first that applies counts.
import type { Random } from '../values/random.ts';
import type { FaultKind, FaultRequest, FaultRule } from './fault-kinds.ts';
import { faultGroups, parseFaults } from './fault-kinds.ts';

/** The fault of a request. */
export interface Fault {
  readonly kind: FaultKind;
  readonly rule: FaultRule;
}

interface Active {
  readonly rule: FaultRule;
  left: number;
}

export class Faults {
  readonly #random: Random;
  #rules: Active[] = [];
  readonly #occurred = new Map<FaultKind, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** Replaces all rules, by rules or by text. @throws RangeError for text that cannot be read */
  set(rules: string | readonly FaultRule[]): void {
    const parsed = typeof rules === 'string' ? parseFaults(rules) : rules;
    this.#rules = parsed.map(activate);
  }

  /** Adds a rule after the others. @returns a function that removes it */
  add(rule: FaultRule): () => void {
    const active = activate(rule);
    this.#rules.push(active);
    return () => {
      this.#rules = this.#rules.filter((other) => other !== active);
    };
  }

  clear(): void {
    this.#rules = [];
  }

  /** How often each kind occurred. */
  counts(): Readonly<Partial<Record<FaultKind, number>>> {
    return Object.fromEntries(this.#occurred);
  }

  /** The fault of a request, if any. `poisonFor` decides about poison, because it depends on the page. */
  faultFor(request: FaultRequest): Fault | undefined {
    for (const active of this.#rules) {
      const { rule } = active;
      if (rule.kind === 'poison' || active.left <= 0 || !applies(rule, request)) continue;
      const rate = rule.rate ?? 1;
      if (rate < 1 && !this.#random.chance(rate)) continue;
      active.left -= 1;
      const kind =
        rule.kind === 'all' || rule.kind === 'lies' ? this.#random.pick(faultGroups[rule.kind]) : rule.kind;
      return this.#count({ kind, rule });
    }
    return undefined;
  }

  /** True when a rule poisons transactions. */
  get poisons(): boolean {
    return this.#rules.some(({ rule }) => rule.kind === 'poison');
  }

  /** The poison of a page with these transaction ids, if any. */
  poisonFor(request: FaultRequest, ids: readonly string[]): Fault | undefined {
    for (const { rule } of this.#rules) {
      if (rule.kind !== 'poison' || !applies(rule, request)) continue;
      if (rule.ids?.some((id) => ids.includes(id)) === true) return this.#count({ kind: 'poison', rule });
    }
    return undefined;
  }

  #count(fault: Fault): Fault {
    this.#occurred.set(fault.kind, (this.#occurred.get(fault.kind) ?? 0) + 1);
    return fault;
  }
}

function activate(rule: FaultRule): Active {
  return { rule, left: rule.times ?? Number.POSITIVE_INFINITY };
}

function applies(rule: FaultRule, request: FaultRequest): boolean {
  if (rule.endpoint !== undefined && rule.endpoint !== request.endpoint) return false;
  const byId = request.endpoint === 'transaction' || request.endpoint === 'vault';
  const offset = Number(request.query.get('offset') ?? 0);
  if (rule.phase === 'byid' && !byId) return false;
  if (rule.phase === 'first' && (byId || offset !== 0)) return false;
  if (rule.phase === 'offset' && (byId || offset === 0)) return false;
  return rule.when?.(request) ?? true;
}
