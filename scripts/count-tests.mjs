// Prints which tests of several runs failed and how, then their sum as one line: `N passed, N failed`, with
// `, N skipped` where some were. The end of a long log then shows what to look for. A run without a test
// counts as failed. The exit code is 1 when something failed.
//
//   node scripts/count-tests.mjs (<file that vitest's json reporter wrote> <vitest's exit code>) …
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/** Lines of a failure's message that are repeated at the end. */
const MESSAGE_LINES = 12;

const args = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (let at = 0; at < args.length; at += 2) {
  const { passed, failed, skipped } = count(args[at], args[at + 1]);
  sum.passed += passed;
  sum.failed += failed;
  sum.skipped += skipped;
}
process.exitCode = sum.failed === 0 ? 0 : 1;
console.log(`${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}`);

function count(path, exitCode) {
  // A run that broke off before its first test leaves nothing.
  const text = (existsSync(path) && readFileSync(path, 'utf8')) || '{}';
  const { numPassedTests = 0, numPendingTests = 0, numTodoTests = 0, ...result } = JSON.parse(text);
  if (result.left) console.log(`not all was run: ${result.left}`);
  const failures = (result.testResults ?? []).flatMap(failuresOf);
  for (const { where, message } of failures) {
    console.log(`failed: ${where}\n${message.split('\n').slice(0, MESSAGE_LINES).join('\n')}\n`);
  }
  const counted = failures.length;
  const skipped = numPendingTests + numTodoTests;
  if (exitCode === '0' && numPassedTests + counted + skipped === 0) {
    console.log('failed: no test ran, although the exit code is 0');
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const outside = result.outside ?? [];
  for (const { message, during } of outside)
    console.log(
      `failed: outside of any test, during ${during || 'none'}\n${message.split('\n').slice(0, MESSAGE_LINES).join('\n')}\n`,
    );
  const known = counted + outside.length;
  if (exitCode !== '0' && known === 0) console.log(`failed: no test, but the exit code is ${exitCode}\n`);
  const failed = exitCode === '0' ? counted : Math.max(1, known);
  return { passed: numPassedTests, failed, skipped };
}

/** The failed tests of a file; the file itself where it could not be loaded, or its hooks alone failed. */
function failuresOf(file) {
  const path = relative(process.cwd(), file.name);
  const tests = file.assertionResults.filter((test) => test.status === 'failed');
  if (tests.length === 0 && file.status === 'failed') {
    return [{ where: path, message: file.message ?? '' }];
  }
  return tests.map((test) => ({
    where: `${path}: ${test.fullName}`,
    message: (test.failureMessages ?? []).join('\n'),
  }));
}
