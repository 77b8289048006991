// Prints what a test run came to, as one line: `N passed, N failed`, with `, N skipped` where some were.
//
//   node scripts/count-tests.mjs <file that vitest's json reporter wrote> <vitest's exit code>
import { readFileSync } from 'node:fs';

const [, , path = '', exitCode = '0'] = process.argv;
// A run that broke off before its first test leaves nothing.
const text = readFileSync(path, 'utf8') || '{}';
const { numPassedTests: passed = 0, numPendingTests = 0, numTodoTests = 0, ...result } = JSON.parse(text);
// A file that could not be loaded, or whose hooks failed, counts although none of its tests did.
const brokenFiles = (result.testResults ?? []).filter(
  (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
).length;
const counted = (result.numFailedTests ?? 0) + brokenFiles;
// What fails outside of any test, such as an unhandled rejection, shows in the exit code alone.
const failed = exitCode === '0' ? counted : Math.max(1, counted);
const skipped = numPendingTests + numTodoTests;
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
