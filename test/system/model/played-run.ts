// One run of the engine, as the checks look at it.
import type { RunKind } from './plan.ts';

export interface PlayedRun {
  readonly number: number;
  readonly kind: RunKind;
  readonly status: string;
  readonly verified: boolean;
  readonly beganAt: number;
  readonly endedAt: number;
}
