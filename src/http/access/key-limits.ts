// What a key may ask for, and from where. A path is compared as the router sees it, and what is not named is
// refused, so that a new route is closed to the lesser scopes.
import { isWithin, readNetworks } from '../../base/config/networks.ts';
import type { KeyListing, KeyScope } from '../../store/keys/api-keys.ts';
import type { Reader } from '../request/environment.ts';
import { Refused } from '../request/refusal.ts';

/** Who asks for what. */
export interface KeyRequest {
  /** The client's address. */
  readonly address: string;
  readonly path: string;
  /** Called with the owner of a key before its limits are checked, for the trail of refusals. */
  readonly onKnown?: (reader: Reader) => void;
}

/** The paths of each scope, with all below them; null for all. */
const pathsOf: Readonly<Record<KeyScope, RegExp | null>> = {
  metrics: /^\/metrics$/,
  balances:
    /^(\/api|\/api\/openapi\.json|(\/api\/v1\/(accounts|balances|freshness|prices|snapshots)|\/custody\/balances)([./].*)?)$/,
  custody: /^\/custody(\/.*)?$/,
  read: null,
};

/** @throws Refused `forbidden`, with what to do */
export function refuseBeyondKey(
  key: Pick<KeyListing, 'scope' | 'networks'>,
  { address, path }: KeyRequest,
): void {
  const { scope, networks } = key;
  if (networks !== null && !isWithin(readNetworks(networks), address))
    throw forbidden(
      `is not accepted from ${address}: use it from its networks, or create one for this network (custody-mirror key create --from)`,
    );
  const paths = pathsOf[scope];
  if (paths !== null && !paths.test(path))
    throw forbidden(
      `has the scope ${scope}, which does not cover this path: create one with the scope read (custody-mirror key create --scope)`,
    );
}

function forbidden(why: string): Refused {
  return new Refused({ kind: 'forbidden', detail: `this key ${why}` });
}
