// What is wrong in the address of a page, for a person: which field, its value, and what would be right;
// with a link to the page without it. The API says the same to programs.

import { Problem } from '../../api/answer/problem.ts';
import { capitalized, onOneLine } from '../../domain/words.ts';
import { Refused } from '../../http/request/refusal.ts';
import type { Parameter, Parameters } from '../../store/read-api/list/parameter-kinds.ts';

const longestShown = 60;

/** @returns another error than a wrong parameter as it is */
export function refusedInWords(error: unknown, parameters: Parameters, url: URL): unknown {
  if (!(error instanceof Problem) || error.refusal.kind !== 'bad-parameter') return error;
  const given = [...url.searchParams];
  const wrong = (error.refusal.errors ?? []).map(({ name, reason }) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = given.find(([other]) => other === name)?.[1];
    return { name, label: labelOf(name), value, parameter, reason: inWords(name, value, reason, parameter) };
  });
  const kept = given.filter(
    ([name], index) =>
      wrong.every((each) => each.name !== name) &&
      Object.hasOwn(parameters, name) &&
      !name.endsWith('cursor') &&
      given.findIndex(([other]) => other === name) === index,
  );
  return new Refused(
    {
      kind: 'bad-parameter',
      detail: wrong.map(({ label, reason }) => `${label}: ${reason}`).join(' '),
      errors: wrong.map(({ label, reason }) => ({ name: label, reason })),
      correction: {
        path: wrong.some(({ parameter }) => parameter?.in === 'path')
          ? url.pathname.split('/').slice(0, 2).join('/')
          : url.pathname,
        kept,
        fields: wrong.flatMap(({ name, label, value, parameter }) =>
          parameter?.in === 'query' && !name.endsWith('cursor') ? [{ name, label, value: value ?? '' }] : [],
        ),
      },
    },
    { cause: error },
  );
}

function labelOf(name: string): string {
  return name === 'at' ? 'As of' : capitalized(name.replace(/_id$/, '').replaceAll('_', ' '));
}

function inWords(name: string, value: string | undefined, reason: string, parameter?: Parameter): string {
  if (name.endsWith('cursor'))
    return 'This position in the list is no longer valid: start with the first page.';
  if (reason !== parameter?.allowed) return `It ${reason}.`;
  const shown = value === undefined ? 'This' : `“${onOneLine(value).slice(0, longestShown)}”`;
  switch (parameter.reads) {
    case 'moment':
    case 'moment or day':
      return /^[01]\d{3}-\d\d-\d\d/.test(value ?? '') && (value ?? '') < '1970'
        ? `${shown} is before the first mirrored day.`
        : `${shown} is not a date with a time. Write 2026-11-20T06:32, or only the day, 2026-11-20.`;
    case 'amount':
      return `${shown} is not an amount. Write 1,250.50 or 1250.50.`;
    default:
      return `${shown} is invalid: it ${reason}.`;
  }
}
