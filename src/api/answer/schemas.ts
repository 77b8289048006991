// The schemas of answers, made from the columns of the lists.
import { z } from 'zod';
import { catalogued } from '../../store/read-api/list/catalogued.ts';
import { type ColumnKind, isNullable, kindOf } from '../../store/read-api/list/columns.ts';
import type { Listing } from '../../store/read-api/list/listing.ts';

const json = z.unknown().meta({ description: 'Any JSON.' });

const kinds: Readonly<Record<ColumnKind, z.ZodType>> = {
  text: z.string(),
  amount: z.string().regex(/^-?\d+(\.\d+)?$/),
  moment: z
    .string()
    .regex(/^\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
    .meta({ format: 'date-time' }),
  day: z
    .string()
    .regex(/^\d{4,6}-\d{2}-\d{2}$/)
    .meta({ format: 'date' }),
  integer: z.int(),
  boolean: z.boolean(),
  seconds: z.number(),
  texts: z.array(z.string()),
  json,
};

/** The row of a list. */
export function rowSchema(listing: Listing, more: z.ZodRawShape = {}): z.ZodObject {
  const members = Object.keys(listing.columns).map((name) => [name, columnSchema(listing, name)]);
  return z.object({ ...Object.fromEntries(members), ...more });
}

function columnSchema({ columns, view, says }: Listing, name: string): z.ZodType {
  const kind = kindOf(columns, name);
  const schema = isNullable(columns, name) && kind !== 'json' ? kinds[kind].nullable() : kinds[kind];
  const description = says?.[name] ?? catalogued(view, name)?.comment;
  return description === undefined ? schema : schema.meta({ description });
}

const accountId = z.string().meta({ description: 'The account.' });

/** A page of a list. */
export function pageSchema(
  row: z.ZodType,
  { isOverAccounts = false }: { readonly isOverAccounts?: boolean },
): z.ZodObject {
  return z.object({
    ...(isOverAccounts ? {} : { account_id: accountId }),
    data: z.array(row),
    next_cursor: z.string().nullable().meta({
      description:
        'The `cursor` of the next page; null only on the last one: a page may have fewer rows than `limit`.',
    }),
  });
}

/** One thing. */
export function oneSchema(row: z.ZodType): z.ZodObject {
  return z.object({ account_id: accountId, data: row });
}

/** @param what the rows that are sealed, such as `all statuses` */
export function sealedSchema(what: string): z.ZodType {
  return z
    .object({
      checkpoint: z
        .int()
        .nullable()
        .meta({ description: 'How many rows the checkpoint seals; null while it is not sealed.' }),
      signed_at: z.iso.datetime().nullable().meta({ description: 'When the checkpoint was signed.' }),
      verified_at: z.iso.datetime().nullable().meta({
        description: 'When the whole history was last verified on schedule; null for never.',
      }),
      is_altered: z.boolean().meta({
        description: 'Whether that verification found something that is not as it was sealed.',
      }),
    })
    .nullable()
    .meta({
      description: `The first checkpoint of the sealed history that holds ${what}; null where nothing is sealed.`,
    });
}

export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'Link to the explanation on the reference page.' }),
    title: z.string(),
    status: z.int(),
    code: z.string().meta({ description: 'The last part of `type`, for programs.' }),
    detail: z.string(),
    errors: z
      .array(z.object({ name: z.string(), reason: z.string() }))
      .optional()
      .meta({ description: 'The invalid parameters, and what is allowed.' }),
    resume: z
      .object({ after: z.int(), history: z.string().nullable() })
      .optional()
      .meta({ description: 'For `history-changed` in the feed: where to continue.' }),
  })
  .meta({ description: 'A problem (RFC 9457).' });
