// What is wrong in the address of a page, for a person: which field, its value, and what would be right;
// with a link to the page without it. The API says the same to programs.

import type { Parameter, Parameters } from '../../api/answer/parameters.ts';
import { Problem } from '../../api/answer/problem.ts';
import { capitalized, onOneLine } from '../../domain/words.ts';
import { Refused } from '../../http/request/refusal.ts';

const longestShown = 60;

/** @returns another error than a wrong parameter as it is */
export function refusedInWords(error: unknown, parameters: Parameters, url: URL): unknown {
  if (!(error instanceof Problem) || error.refusal.kind !== 'bad-parameter') return error;
  const given = [...url.searchParams];
  const wrong = (error.refusal.errors ?? []).map(({ name, reason }) => {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    const value = given.find(([other]) => other === name)?.[1];
    return { name, label: labelOf(name), value, parameter, reason: inWords(value, reason, parameter) };
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

function inWords(value: string | undefined, reason: string, parameter: Parameter | undefined): string {
  const shown = value === undefined ? 'This' : `“${onOneLine(value).slice(0, longestShown)}”`;
  if (reason !== parameter?.allowed) return otherwise(shown, reason);
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

/** What is wrong besides the value itself. */
function otherwise(shown: string, reason: string): string {
  const [, known] = /^is not a parameter; the parameters are (.*)$/s.exec(reason) ?? [];
  if (known !== undefined) return `This page has no such parameter. It has ${known}.`;
  if (reason.startsWith('is in the future')) return `${shown} is in the future.`;
  if (reason.startsWith('must be the unchanged next_cursor'))
    return 'This position in the list is no longer valid: start with the first page.';
  const [, several] =
    /^is required: the reader can see (several accounts \(.*\)), but not that of this process$/s.exec(
      reason,
    ) ?? [];
  if (several !== undefined) return `Choose an account: you can see ${several}.`;
  if (reason === 'must not be repeated') return 'It occurs more than once.';
  if (reason === 'cannot be combined with at')
    return 'It cannot be combined with a past moment: clear one of the two.';
  const [, compared, other = ''] = /^must not be (greater|less) than (\w+)$/.exec(reason) ?? [];
  if (compared !== undefined) return `${shown} is ${compared} than “${labelOf(other)}”.`;
  return `${shown} ${reason}.`;
}
