// The position of a walk in sync.positions: writes it as JSON, and checks what it reads back.
import { z } from 'zod';
import { doubtCode } from '../../domain/doubts.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { WalkState } from './state.ts';
import { evidenceSchema } from './verdict.ts';
import { newWalk } from './walk.ts';

const count = z.number().int().nonnegative();
const keys = z.array(z.string());

const schema = z.object({
  // The offset may be negative: the list may have shrunk in front of the window.
  window: z.object({ offset: z.number().int(), keys }),
  received: count,
  head: keys,
  evidence: evidenceSchema,
  doubts: z.array(
    z.string().transform((stored, context) => {
      const code = doubtCode(stored);
      if (code !== null) return code;
      context.addIssue({ code: 'custom', message: 'a doubt that this version does not know' });
      return z.NEVER;
    }),
  ),
  // Without defaults: a position that lacks them would resume with a claim it cannot make. The sweep begins
  // anew.
  unaccountedGrowth: z.number().int(),
  departed: keys,
  isClamped: z.boolean().default(false),
});

export function walkPositionToJson(walk: WalkState): JsonObject {
  const { window, received, head, evidence, doubts, unaccountedGrowth, departed, isClamped } = walk;
  const place = { window: { ...window }, received, head, unaccountedGrowth, departed, isClamped };
  return { ...place, evidence: { ...evidence }, doubts };
}

/** @returns null for a position that this version cannot read */
export function walkPositionFromJson(json: unknown): WalkState | null {
  const result = schema.safeParse(json);
  return result.success ? { ...newWalk(), ...result.data } : null;
}
