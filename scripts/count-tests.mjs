// Prints what test runs came to together, as one line: `N passed, N failed`, with `, N skipped` where some were.
//
//   node scripts/count-tests.mjs (<file that vitest's json reporter wrote> <vitest's exit code>) …
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (let at = 0; at < args.length; at += 2) {
  const { passed, failed, skipped } = count(args[at], args[at + 1]);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
}
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);

function count(path, exitCode) {
  // A run that broke off before its first test leaves nothing.
  const text = readFileSync(path, 'utf8') || '{}';
  const { numPassedTests = 0, numPendingTests = 0, numTodoTests = 0, ...result } = JSON.parse(text);
  // A file that could not be loaded, or whose hooks failed, counts although none of its tests did.
  const brokenFiles = (result.testResults ?? []).filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  ).length;
  const counted = (result.numFailedTests ?? 0) + brokenFiles;
  // What fails outside of any test, such as an unhandled rejection, shows in the exit code alone.
  const failed = exitCode === '0' ? counted : Math.max(1, counted);
  return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests };
}
