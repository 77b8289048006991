// The rate of an endpoint as it is configured, or as an earlier process learned it and kept it as a fact.
import type { CustodyConfig } from '../../base/config/config.ts';
import type { EndpointName } from '../../domain/endpoint.ts';

type Facts = ReadonlyMap<string, string>;

/** The fact under which the learned rate of an endpoint is kept. */
export function factOfRate(endpoint: EndpointName): string {
  return `request_rate.${endpoint}`;
}

/** @returns requests per second; null where none was learned */
export function learnedRate(facts: Facts, endpoint: EndpointName): number | null {
  const value = facts.get(factOfRate(endpoint));
  const rate = /^\d{1,9}(\.\d{1,9})?$/.test(value ?? '') ? Number(value) : 0;
  return rate > 0 ? rate : null;
}

/** @returns the requests per second that all of the endpoints allow; null where none has a bound that is known */
export function allowedRate(
  { rateLimit }: Pick<CustodyConfig, 'rateLimit'>,
  facts: Facts,
  ofEndpoints: readonly EndpointName[],
): number | null {
  if (rateLimit === 'off') return null;
  if (rateLimit !== 'auto') return rateLimit;
  const learned = ofEndpoints.flatMap((endpoint) => learnedRate(facts, endpoint) ?? []);
  return learned.length === 0 ? null : Math.min(...learned);
}
