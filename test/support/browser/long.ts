// A test with the browser that runs in the long form alone.
import { type Browser, browserTest } from '../browser.ts';
import { whyShort } from '../form.ts';

export function longBrowserTest(
  name: string,
  work: (browser: Browser) => Promise<unknown>,
  timeoutMs?: number,
): void {
  browserTest(name, work, timeoutMs, whyShort === null ? '' : ` (skipped: ${whyShort})`);
}
