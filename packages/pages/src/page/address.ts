// The address of a page as its forms send it, and as it is shared: forms send empty fields, local times and
// amounts with separators, and others put traces behind a link. A shared address has none of these, so that
// it means the same to everybody.

import { withoutSeparators } from '../../../../src/domain/decimal.ts';
import { isDay } from '../../../../src/domain/instant.ts';
import type { Day, Parameters } from '../api/interface.ts';
import { fieldMoment } from '../view/days.ts';
import { isLocalTime, momentOf, originalSuffix, roundTripped } from '../view/zone.ts';

/** Parameters that mails, chats and advertising put behind a link to trace who follows it. */
const traces =
  /^(?:utm_\w+|\w*clid|msclkid|gad_\w+|[gw]braid|mc_[ce]id|_g[al]|_hs(?:enc|mi)|igshid|mkt_tok)$/i;

/**
 * The search of the address as it is shared, with its `?`; null when the address has this form already.
 *
 * @param zone in which the reader typed local times
 * @param closed the day that a field stands for (`dayAsked`)
 */
export function sharedSearch(
  search: string,
  parameters: Parameters,
  zone: string,
  closed: Day | null = null,
): string | null {
  const given = [...new URLSearchParams(search)];
  const readsOf = (name: string) => (Object.hasOwn(parameters, name) ? parameters[name]?.reads : undefined);
  const isMoment = (name: string) => ['moment', 'moment or day'].includes(readsOf(name) ?? '');
  const kept = given.flatMap(([name, value]): [string, string][] => {
    const text = value.trim();
    if (text === '' || (readsOf(name) === undefined && traces.test(name))) return [];
    if (readsOf(name) === 'amount') return [[name, withoutSeparators(text)]];
    if (name.endsWith(originalSuffix) && isMoment(name.slice(0, -originalSuffix.length))) return [];
    if (!isMoment(name) || !isLocalTime(text)) return [[name, text]];
    if (readsOf(name) === 'moment or day' && isDay(text)) return [[name, text]];
    const typed = momentOf(text, zone) ?? text;
    const [, filled = ''] = given.find(([other]) => other === `${name}${originalSuffix}`) ?? [];
    return [[name, typed === roundTripped(fieldMoment(filled, closed), zone) ? filled : typed]];
  });
  const isSame =
    kept.length === given.length && kept.every(([, value], index) => given[index]?.[1] === value);
  if (isSame) return null;
  const text = new URLSearchParams(kept).toString();
  return text === '' ? '' : `?${text}`;
}

/** The day whose close the address asks for, or with which its form was filled; null for none. */
export function dayAsked(search: string, { at }: Parameters): string | null {
  const given = new URLSearchParams(search);
  const day = given.get(`at${originalSuffix}`) ?? given.get('at') ?? '';
  return at?.reads === 'moment or day' && isDay(day) && at.schema.safeParse(day).success ? day : null;
}
