// For drizzle-kit: where the tables are, and where their migrations go. Run `npm run generate` after a
// change of a table.
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './drizzle/accounts.ts',
    './drizzle/api-keys.ts',
    './drizzle/asset-prices.ts',
    './drizzle/balances.ts',
    './drizzle/documents.ts',
    './drizzle/erasures.ts',
    './drizzle/expectations.ts',
    './drizzle/fee-rules.ts',
    './drizzle/findings.ts',
    './drizzle/histories.ts',
    './drizzle/runs.ts',
    './drizzle/schemas.ts',
    './drizzle/seals.ts',
    './drizzle/transaction-history.ts',
    './drizzle/transactions.ts',
  ],
  out: './migrations',
});
