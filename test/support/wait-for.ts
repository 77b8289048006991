// Waiting for a condition instead of for a time.

export interface WaitOptions {
  /** What is waited for, said when it does not come. */
  readonly what?: string;
  readonly deadlineMs?: number;
  /** From one look to the next; by default a twentieth of what was waited so far. */
  readonly intervalMs?: number;
}

/** Looks take processor time from what is waited for. */
const pauseAfter = (waitedMs: number) => Math.min(Math.max(waitedMs / 20, 25), 250);

/** Asks again and again until the answer is neither undefined, null nor false, and returns it. */
export async function waitFor<Value>(
  condition: () => Promise<Value> | Value,
  { what = 'a condition', deadlineMs = 60_000, intervalMs }: WaitOptions = {},
): Promise<Exclude<Value, undefined | null | false>> {
  const began = performance.now();
  for (;;) {
    const value = await condition();
    if (isThere(value)) return value;
    const waitedMs = performance.now() - began;
    if (waitedMs > deadlineMs) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await new Promise((resume) => setTimeout(resume, intervalMs ?? pauseAfter(waitedMs)));
  }
}

function isThere<Value>(value: Value): value is Exclude<Value, undefined | null | false> {
  return value !== undefined && value !== null && value !== false;
}
