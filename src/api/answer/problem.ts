// What the API refuses by itself, beside what the way in refuses (access).
import type { ProblemKind } from '../../http/request/problem-kinds.ts';
import { type ParameterError, Refused } from '../../http/request/refusal.ts';

export class Problem extends Refused {
  constructor(kind: ProblemKind, detail: string, errors: readonly ParameterError[] = []) {
    super({ kind, detail, errors });
  }
}

export function badParameter(name: string, reason: string): Problem {
  return new Problem('bad-parameter', `${name}: ${reason}`, [{ name, reason }]);
}
