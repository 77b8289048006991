// A walk's position as it is kept in sync.positions, and the check of what comes back from there.
import { z } from 'zod';
import type { JsonObject } from '../domain/json.ts';
import type { WalkPosition } from './walk-options.ts';

const count = z.number().int().nonnegative();
const keys = z.array(z.string());

const schema: z.ZodType<WalkPosition> = z.object({
  // A window that the list moved along may begin before its head.
  window: z.object({ offset: z.number().int(), keys }),
  received: count,
  head: keys,
  evidence: z.object({
    pages: count,
    joints: count,
    grew: count,
    shrank: count,
    searches: count,
    restarts: count,
    falseEnds: count,
    shortestCut: count,
    resumed: count,
    pageSize: count,
    records: count,
  }),
  doubts: keys,
});

export function walkPositionToJson(position: WalkPosition): JsonObject {
  return { ...position, window: { ...position.window }, evidence: { ...position.evidence } };
}

/** @returns null when the text is no position this version understands */
export function walkPositionFromJson(json: unknown): WalkPosition | null {
  const result = schema.safeParse(json);
  return result.success ? result.data : null;
}
