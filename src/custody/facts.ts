// What is learned about the service and outlives the process, and the one-transaction path among it (interface.md 4.2).

/** Something learned about the service, to be kept and given back as `facts` to the next client. */
export interface Fact {
  /** `transaction_path`, or `request_rate.` with the name of an endpoint. */
  readonly fact: string;
  readonly value: string;
  readonly evidence: string;
}

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
  const given = facts.get(factOfPath);
  let known: PathSpelling | null = given === 'plural' || given === 'singular' ? given : null;
  return {
    get spelling() {
      return known ?? 'plural';
    },
    learn(spelling) {
      if (spelling === known) return;
      known = spelling;
      onFact({
        fact: factOfPath,
        value: spelling,
        evidence: `a transaction was answered by its id with the ${spelling} path`,
      });
    },
  };
}
