// What the API refuses by itself, beside what the way in refuses (access).
import type { ProblemKind } from '../../http/request/problem-kinds.ts';
import { type ParameterError, Refused } from '../../http/request/refusal.ts';

export class Problem extends Refused {
  constructor(kind: ProblemKind, detail: string, errors: readonly ParameterError[] = []) {
    super({ kind, detail, errors });
  }
}

/** A position in the feed. */
export interface Place {
  readonly after: number;
  readonly history: string | null;
}

/** A place of a history that this database does not continue. */
export class HistoryChanged extends Refused {
  constructor(why: string, resume?: Place) {
    const fix =
      resume === undefined
        ? 'start again without the cursor'
        : 'drop what you have of later changes, and go on from the place in resume';
    super({
      kind: 'history-changed',
      detail: `${why}; ${fix}`,
      members: resume === undefined ? {} : { resume },
    });
  }
}

export function badParameter(name: string, reason: string): Problem {
  return new Problem('bad-parameter', `${name}: ${reason}`, [{ name, reason }]);
}
