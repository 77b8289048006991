// The refusals of the API itself; those of the gate are in http/access.
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
        : 'drop all later changes that you have, and continue from the position in resume';
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
