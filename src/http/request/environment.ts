// What the server knows of a request besides the request: the connection, who asks, and whom to tell that an
// answer was cut.
import type { HttpBindings } from '@hono/node-server';
import type { ReaderVariables } from './reader.ts';

/** Why an answer was cut. */
export type CutReason = 'slow' | 'deadline' | 'size' | 'failed';

export interface AccessEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: ReaderVariables & {
    /** Counts and logs it; `cause` of a failure. */
    readonly onCut: (reason: CutReason, cause?: unknown) => void;
  };
}
