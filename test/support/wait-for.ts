// Waiting for a condition instead of for a time.

export interface WaitOptions {
  /** What is waited for, said when it does not come. */
  readonly what?: string;
  readonly deadlineMs?: number;
  readonly intervalMs?: number;
}

/** Asks again and again until the answer is neither undefined, null nor false, and returns it. */
export async function waitFor<Value>(
  condition: () => Promise<Value> | Value,
  { what = 'a condition', deadlineMs = 20_000, intervalMs = 25 }: WaitOptions = {},
): Promise<Exclude<Value, undefined | null | false>> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const value = await condition();
    if (isThere(value)) return value;
    if (performance.now() > deadline) throw new Error(`waited ${deadlineMs} ms in vain for ${what}`);
    await new Promise((resume) => setTimeout(resume, intervalMs));
  }
}

function isThere<Value>(value: Value): value is Exclude<Value, undefined | null | false> {
  return value !== undefined && value !== null && value !== false;
}
