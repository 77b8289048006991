// Learns which spelling of the path of one transaction the service answers (interface.md 4.2).
import type { Fact } from '../domain/fact.ts';

/** The document spells the path both ways. */
export type PathSpelling = 'plural' | 'singular';

export interface LearnedPath {
  /** The spelling to try first. */
  readonly spelling: PathSpelling;
  learn(spelling: PathSpelling): void;
}

const factOfPath = 'transaction_path';

export function createLearnedPath(
  facts: ReadonlyMap<string, string>,
  onFact: (fact: Fact) => void,
): LearnedPath {
  let given: string | undefined;
  let current: PathSpelling | null = null;
  /** The facts may hold a newer value that another process learned. */
  const known = (): PathSpelling | null => {
    const told = facts.get(factOfPath);
    if (told !== given) current = told === 'plural' || told === 'singular' ? told : null;
    given = told;
    return current;
  };
  return {
    get spelling() {
      return known() ?? 'plural';
    },
    learn(spelling) {
      if (spelling === known()) return;
      current = spelling;
      onFact({
        fact: factOfPath,
        value: spelling,
        evidence: `a transaction was answered by its id with the ${spelling} path`,
      });
    },
  };
}
