// The kinds of parameters: what each accepts, in words and as a schema; and those by which a list is filtered
// by the fields of a record.
import { z } from 'zod';
import { isGreaterDecimal, parseDecimal } from '../../../domain/decimal.ts';
import type { FieldFilter, Fields } from '../../../domain/fields.ts';
import { isDay } from '../../../domain/instant.ts';
import { byColumn } from './columns.ts';

export interface Parameter {
  readonly in: 'query' | 'path';
  /** Checks and describes the value, after it was read as `reads` says. */
  readonly schema: z.ZodType;
  readonly reads: 'text' | 'integer' | 'amount' | 'moment' | 'moment or day';
  /** What is allowed, in words: "must be …". */
  readonly allowed: string;
  readonly description: string;
  readonly example: string | number;
  readonly required?: boolean;
  /**
   * Of a bound whose name ends with `_from`, which must not be greater than its `_to`. The values are such as
   * the schema accepts.
   */
  readonly isGreater?: (from: string, to: string) => boolean;
}

export type Parameters = Readonly<Record<string, Parameter>>;

const longestText = 500;
/** PostgreSQL's text cannot hold it. */
const withoutNull = String.raw`^[^\u0000]*$`;

function textSchema(longest: number) {
  return z.string().max(longest).regex(new RegExp(withoutNull));
}

export function text(description: string, example: string, longest = longestText): Parameter {
  return {
    in: 'query',
    schema: textSchema(longest),
    reads: 'text',
    allowed: `must be text of at most ${longest} characters without U+0000`,
    description,
    example,
  };
}

/** A part of the path. */
export function identifier(description: string, example: string): Parameter {
  return {
    ...text(description, example),
    in: 'path',
    schema: textSchema(longestText).min(1),
    required: true,
  };
}

export function choice(values: readonly string[], description: string): Parameter {
  return {
    in: 'query',
    schema: z.enum(values),
    reads: 'text',
    allowed: `must be one of ${values.join(', ')}`,
    description,
    example: values[0] ?? '',
  };
}

export function flag(description: string): Parameter {
  return { ...choice(['true', 'false'], description), allowed: 'must be true or false' };
}

/** A flag whose value may be unknown. */
export function flagOrUnknown(description: string): Parameter {
  return {
    ...choice(['true', 'false', 'unknown'], description),
    allowed: 'must be true, false or unknown',
  };
}

export function integer(least: number, greatest: number, description: string, example: number): Parameter {
  return {
    in: 'query',
    schema: z.int().min(least).max(greatest),
    reads: 'integer',
    allowed: `must be a whole number from ${least} to ${greatest}`,
    description,
    example,
  };
}

/** RFC 3339 with its offset; years in which PostgreSQL and JavaScript agree. */
const momentSchema = z.iso
  .datetime({ offset: true })
  .regex(/^(?:19[7-9]|[2-8]\d\d)\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$/);

export function moment(description: string): Parameter {
  return {
    in: 'query',
    schema: momentSchema,
    reads: 'moment',
    allowed:
      'must be an RFC 3339 date-time with an offset, from 1970 on, with at most six decimals, such as 2026-11-20T06:32:00Z (write the + of an offset as %2B)',
    description: `${description} RFC 3339; write the + of an offset as %2B.`,
    example: '2026-11-20T06:32:00Z',
    isGreater: (from, to) => inUtc(from) > inUtc(to),
  };
}

/** A moment, or a day for its close. */
export function momentOrDay(description: string): Parameter {
  const [ofMoment, ofDay] = [moment(description), day(description)];
  return {
    ...ofMoment,
    schema: z.string().refine((at) => (isDay(at) ? ofDay : ofMoment).schema.safeParse(at).success),
    reads: 'moment or day',
    allowed: `${ofMoment.allowed}, or a calendar day such as 2026-11-20`,
    description: `${ofMoment.description} A calendar day of the account, such as 2026-11-20, means its close: the data known when it ended; for balances the last observation answered on that day, at the last prices before its end. Today is what there is until now.`,
  };
}

/** The moment in UTC, with its microseconds; a day stays as it is. */
export function inUtc(given: string): string {
  if (isDay(given)) return given;
  const [, fraction = ''] = /\.(\d+)/.exec(given) ?? [];
  const whole = new Date(given.replace(/\.\d+/, '')).toISOString().slice(0, 19);
  return `${whole}.${fraction.padEnd(6, '0')}Z`;
}

export function day(description: string): Parameter {
  return {
    in: 'query',
    schema: z.iso.date().regex(/^(?:19[7-9]|[2-8]\d\d)/),
    reads: 'text',
    allowed: 'must be a calendar day such as 2026-11-20, from 1970 on',
    description,
    example: '2026-11-20',
    isGreater: (from, to) => from > to,
  };
}

export function amount(description: string): Parameter {
  return {
    in: 'query',
    schema: z.string().regex(/^-?\d{1,60}(?:\.\d{1,60})?$/),
    reads: 'amount',
    allowed:
      'must be a decimal number such as 0.05, without exponent, with at most 60 digits on either side of the point',
    description,
    example: '0.05',
    isGreater: (from, to) => {
      const [lower, upper] = [parseDecimal(from), parseDecimal(to)];
      return lower !== null && upper !== null && isGreaterDecimal(lower.value, upper.value);
    },
  };
}

/** @param after further parameters, by the name of the one that they follow */
export function fieldParameters(
  table: Fields,
  after: Readonly<Record<string, Parameters>> = {},
): Record<string, Parameter> {
  return byColumn(table, ({ filter }) => (filter === undefined ? null : fieldParameter(filter)), after);
}

export function fieldParameter({ says, example }: FieldFilter): Parameter {
  return text(says, example);
}
