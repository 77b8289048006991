// How long a request waits before it is sent again.
import type { CustodyConfig } from '../../base/config/config.ts';

/**
 * The waits between the attempts of one request, as p-retry reads them: it waits once to twice `minTimeout`
 * and doubles that, up to exactly `maxTimeout`. So each wait is between half and the whole of a length that
 * doubles from `retryMinMs` to `retryMaxMs`.
 */
export function waitsOf(
  { retryMinMs, retryMaxMs }: Pick<CustodyConfig, 'retryMinMs' | 'retryMaxMs'>,
  random: () => number,
) {
  const maxTimeout = (retryMaxMs * (1 + random())) / 2;
  return { factor: 2, minTimeout: retryMinMs / 2, maxTimeout, randomize: true };
}
