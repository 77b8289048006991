// What a reader chose, kept in cookies: they hold nothing of the account, and each is one of a few words.
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';

/** The first of each is the default. */
export const choices = {
  /** Times and typed moments: in the account's zone or in UTC. */
  zone: ['account', 'utc'],
  /** Amounts rounded to at most eight decimals, or with all their digits. */
  digits: ['short', 'all'],
  /** Colours: those that the reader's system prefers, or one of the two. */
  theme: ['auto', 'light', 'dark'],
  /** How high the rows of tables are. */
  rows: ['normal', 'compact'],
} as const;

export type Preferences = { readonly [Name in keyof typeof choices]: (typeof choices)[Name][number] };

const yearSeconds = 365 * 86_400;

export function readPreferences(c: Context): Preferences {
  const chosen = Object.entries(choices).map(([name, values]) => {
    const kept = getCookie(c, name);
    return [name, values.find((value) => value === kept) ?? values[0]];
  });
  return Object.fromEntries(chosen) as Preferences;
}

/**
 * Keeps the preferences that the address names, and takes them out of it.
 *
 * @returns whether there were any
 */
export function keepPreferences(c: Context, given: URLSearchParams): boolean {
  const named = Object.entries(choices).filter(([name]) => given.has(name));
  for (const [name, values] of named) {
    const value = values.find((each) => each === given.get(name));
    if (value !== undefined)
      setCookie(c, name, value, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: yearSeconds });
    given.delete(name);
  }
  return named.length > 0;
}
