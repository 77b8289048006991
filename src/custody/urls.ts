// Builds the addresses of requests, and learns which spelling of the path of one transaction the service
// answers (docs/custody-service.md 4.2). Invariant: an id is always one path segment, whatever it contains.

import type { Fact } from '../domain/endpoint.ts';
import { CustodyError } from '../domain/errors.ts';
import { isStorable } from '../domain/json.ts';
import type { Endpoint } from './endpoints.ts';
import { fault } from './http/transport.ts';

/** Parameters in the order in which they are sent; undefined ones are left out. */
export type QueryParameters = Readonly<Record<string, string | number | undefined>>;

export interface Target {
  readonly id?: string;
  readonly query?: QueryParameters;
  readonly spelling?: PathSpelling;
}

/** @throws CustodyError `permanent` when the id cannot be a path segment */
export function endpointUrl(endpoint: Endpoint<unknown>, baseUrl: URL, target: Target): URL {
  const path = target.spelling === 'singular' ? (endpoint.otherPath ?? endpoint.path) : endpoint.path;
  const url = new URL(baseUrl);
  const segment = target.id === undefined ? '' : encodedSegment(endpoint, target.id);
  url.pathname = baseUrl.pathname.replace(/\/+$/, '') + path.replace('{id}', segment);
  for (const [name, value] of Object.entries(target.query ?? {})) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url;
}

function encodedSegment({ name }: Endpoint<unknown>, id: string): string {
  // URL parsers read `.` and `..` as steps in the path, encoded or not.
  if (id !== '' && id !== '.' && id !== '..' && isStorable(id)) return encodeURIComponent(id);
  throw fault({ endpoint: name }, 'BAD-ID', `${JSON.stringify(id)} cannot be part of a path`);
}

/** The documentation spells the path both ways. */
const spellings = ['plural', 'singular'] as const;
export type PathSpelling = (typeof spellings)[number];

const factOfPath = 'transaction_path';

export function createLearnedPath(facts: ReadonlyMap<string, string>, onFact: (fact: Fact) => void) {
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
    /** Reads with the spelling known to work, and with the other if there is no such path. */
    async read<Result>(attempt: (spelling: PathSpelling) => Promise<Result>): Promise<Result> {
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
