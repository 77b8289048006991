// What a reader chose, kept in cookies: they hold nothing of the account, and each is one of a few words.
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { z } from 'zod';
import type { Preferences } from './view.ts';

/** The first of each is the default. */
const choices = {
  zone: z.enum(['account', 'utc']),
  digits: z.enum(['short', 'all']),
  theme: z.enum(['auto', 'light', 'dark']),
  rows: z.enum(['normal', 'compact']),
};
const yearSeconds = 365 * 86_400;

export function readPreferences(c: Context): Preferences {
  return {
    zone: choices.zone.catch('account').parse(getCookie(c, 'zone')),
    digits: choices.digits.catch('short').parse(getCookie(c, 'digits')),
    theme: choices.theme.catch('auto').parse(getCookie(c, 'theme')),
    rows: choices.rows.catch('normal').parse(getCookie(c, 'rows')),
  };
}

/**
 * Keeps the preferences that the address names, and takes them out of it.
 *
 * @returns whether there were any
 */
export function keepPreferences(c: Context, given: URLSearchParams): boolean {
  const named = Object.entries(choices).filter(([name]) => given.has(name));
  for (const [name, schema] of named) {
    const { success, data } = schema.safeParse(given.get(name));
    if (success)
      setCookie(c, name, data, { path: '/', httpOnly: true, sameSite: 'Lax', maxAge: yearSeconds });
    given.delete(name);
  }
  return named.length > 0;
}
