// What is wrong in the address of a page, as one says it to a person: which field, what it holds, and what
// would be right; with the way to the page without it. The API says the same to programs.

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
        ? `${shown} is before the mirror began.`
        : `${shown} is no date with a time. Write it as 2026-11-20T06:32, or the day alone, 2026-11-20.`;
    case 'amount':
      return `${shown} is no amount. Write it as 1,250.50 or 1250.50.`;
    default:
      return `${shown} cannot be used: it ${reason}.`;
  }
}

/** What is wrong beside the value itself. */
function otherwise(shown: string, reason: string): string {
  const [, known] = /^is no parameter here; known are (.*)$/s.exec(reason) ?? [];
  if (known !== undefined) return `The page knows nothing of this name. It knows ${known}.`;
  if (reason.startsWith('is in the future'))
    return `${shown} is still to come: the mirror knows the past and the present.`;
  if (reason.startsWith('must be the next_cursor'))
    return 'This place in the list is no longer known: begin with its first page.';
  const [, several] =
    /^is required: the reader sees (several accounts \(.*\), and not that of this process)$/s.exec(reason) ??
    [];
  if (several !== undefined) return `Say which: you may see ${several}.`;
  if (reason === 'may be given once') return 'It is given more than once.';
  if (reason === 'does not go with at') return 'It does not go with a moment of the past: empty one of both.';
  const [, compared, other = ''] = /^must not be (greater|less) than (\w+)$/.exec(reason) ?? [];
  if (compared !== undefined) return `${shown} is ${compared} than what “${labelOf(other)}” holds.`;
  return `${shown} ${reason}.`;
}
