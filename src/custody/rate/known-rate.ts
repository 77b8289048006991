// The rate of an endpoint as an earlier process learned it and kept it as a fact.
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
