// Texts that try to be SQL, HTML, a line of a log or an order to a terminal, and transactions that hold them.
import type { World } from '../../packages/sandbox/src/world/world.ts';

const esc = '\u001b';

/** Text that tries to be SQL, HTML, a line of the log or an order to a terminal. */
export const hostileTexts = [
  `'); drop table custody.transactions; --`,
  `$1 $$ \${process.env.DATABASE_URL} %s {} \\'; select pg_sleep(60)`,
  `</code><script>alert(document.domain)</script><img src=x onerror=alert(1)>&amp;"'`,
  `x${esc}[2J${esc}]0;owned${esc}\\${esc}[31m\u009b2J\u0007\b\r\u007f`,
  `real\n{"level":"info","time":"2020-01-01T00:00:00.000Z","msg":"forged line"}\nmore`,
  `forged\r\nset-cookie: a=b\r\n\r\n<p>`,
  `\u202egnirts desrever\u2066\u2028\u2029\ufeff\u200b`,
  `__proto__`,
  `\ud83d\udd11${'\u0301'.repeat(500)}`,
];

/**
 * A transaction with each of them in every text that the service fills.
 *
 * @param longestId how much of a text its identifier has
 */
export function insertHostileTransactions(world: World, longestId = Number.POSITIVE_INFINITY): void {
  for (const [index, text] of hostileTexts.entries())
    world.insertTransaction(index % 2 ? 'head' : 'tail', {
      transactionId: `${text.slice(0, longestId)}-${index}`,
      status: 'completed',
      assetName: text,
      networkName: text,
      sourceName: text,
      sourceAddress: text,
      destinationName: text,
      destinationAddress: text,
      memo: text,
      txnHash: text,
      blockexplorerLink: `javascript:${text}`,
      note: text,
    });
}
