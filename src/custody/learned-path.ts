// Learns which spelling of the path of one transaction the service answers (interface.md 4.2).
import { CustodyError } from '../domain/errors.ts';
import type { Fact } from '../domain/fact.ts';

/** The document spells the path both ways. */
export type PathSpelling = 'plural' | 'singular';

export interface LearnedPath {
  /** Reads with the spelling known to work, and with the other if the service says there is no such path. */
  read<Result>(attempt: (spelling: PathSpelling) => Promise<Result>): Promise<Result>;
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
    const fact = facts.get(factOfPath);
    if (fact !== given) current = fact === 'plural' || fact === 'singular' ? fact : null;
    given = fact;
    return current;
  };
  const readAndLearn = async <Result>(
    spelling: PathSpelling,
    attempt: (spelling: PathSpelling) => Promise<Result>,
  ): Promise<Result> => {
    const result = await attempt(spelling);
    if (spelling !== known()) {
      current = spelling;
      onFact({
        fact: factOfPath,
        value: spelling,
        evidence: `a transaction was answered by its id with the ${spelling} path`,
      });
    }
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
