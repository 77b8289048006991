// By what a search finds a transaction.
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';

test('words between angle brackets and ampersands are words, and so is what follows them', async () => {
  const database = await testDatabase();
  const [row] = await database.query<{ terms: string }>(
    `select custody.search_terms('id', '', '', '', '<script>alert(1)</script>', 'from <ops@corp.example> &amp; later')::text as terms`,
  );
  for (const word of ['script', 'alert', 'ops', 'corp', 'later'])
    expect(row?.terms.split(' ').map((term) => term.replace(/:.*/, ''))).toContain(`'${word}'`);
});
