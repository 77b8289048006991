// Makes a GraphQL schema of the mirror with PostGraphile, as the reader in READER_URL, and asks it for the
// longest amount.
import { execute, hookArgs } from 'grafast';
import { lexicographicSortSchema, parse, printSchema } from 'graphql';
import { makeSchema } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const pgService = makePgService({
  connectionString: process.env.READER_URL,
  schemas: ['custody', 'reporting'],
});
const preset = { extends: [PostGraphileAmberPreset], pgServices: [pgService] };
const { schema, resolvedPreset } = await makeSchema(preset);
const document = parse('{ allAccounts { nodes { accountId } } }');
const args = await hookArgs({ schema, document, resolvedPreset, requestContext: {} });
const { data, errors } = await execute(args);
process.stdout.write(JSON.stringify({ data, errors, sdl: printSchema(lexicographicSortSchema(schema)) }));
await pgService.release?.();
