// Learns which spelling of the path of one transaction the service answers (interface.md 4.2).
import { CustodyError } from '../domain/errors.ts';
import type { Fact } from '../domain/fact.ts';

/** The document spells the path both ways. */
const spellings = ['plural', 'singular'] as const;
export type PathSpelling = (typeof spellings)[number];

export interface LearnedPath {
  /** Reads with the spelling known to work, and with the other if the service says there is no such path. */
  read<Result>(attempt: (spelling: PathSpelling) => Promise<Result>): Promise<Result>;
}

const factOfPath = 'transaction_path';

export function createLearnedPath(
  facts: ReadonlyMap<string, string>,
  onFact: (fact: Fact) => void,
): LearnedPath {
  const known = () => spellings.find((spelling) => spelling === facts.get(factOfPath)) ?? null;
  const readAndLearn = async <Result>(
    spelling: PathSpelling,
    attempt: (spelling: PathSpelling) => Promise<Result>,
  ): Promise<Result> => {
    const result = await attempt(spelling);
    const evidence = `a transaction was answered by its id with the ${spelling} path`;
    if (spelling !== known()) onFact({ fact: factOfPath, value: spelling, evidence });
    return result;
  };
  return {
    async read(attempt) {
      const first = known() ?? 'plural';
      try {
        return await readAndLearn(first, attempt);
      } catch (error) {
        if (!isMissingPath(error)) throw error;
        return await readAndLearn(first === 'plural' ? 'singular' : 'plural', attempt).catch(
          (other: unknown) => {
            // When neither spelling exists, report the first answer.
            throw isMissingPath(other) ? error : other;
          },
        );
      }
    },
  };
}

/** Whether the answer says that there is no such path. A missing record has an error code instead. */
function isMissingPath(error: unknown): boolean {
  return (
    error instanceof CustodyError &&
    error.fault.kind === 'permanent' &&
    [404, 405, 410].includes(error.fault.httpStatus ?? 0)
  );
}
