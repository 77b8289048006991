// What a person can try when the service or the way to it fails, by the code of the fault.

const fixes: ReadonlyMap<string, string> = new Map([
  [
    'NETWORK',
    'check that this machine reaches CUSTODY_BASE_URL (custody-mirror doctor tells how far it gets)',
  ],
  ['TIMEOUT', 'check that this machine reaches CUSTODY_BASE_URL, or raise CUSTODY_TIMEOUT_MS'],
  [
    'CERTIFICATE',
    'check the address of CUSTODY_BASE_URL; for a certificate authority of your own, name its file in NODE_EXTRA_CA_CERTS',
  ],
  ['BAD-BODY', 'check that CUSTODY_BASE_URL is the address of the service itself'],
  ['HTTP-404', 'check CUSTODY_BASE_URL, its path prefix too'],
  ['REDIRECT', 'check CUSTODY_BASE_URL, its path prefix too'],
  ['ERR-03', 'set CUSTODY_RATE_LIMIT to what the service allows, if it stays so'],
  ['ERR-01', 'the fault is the service’s own: try again later'],
]);

export function fixForCode(code: string): string | null {
  return fixes.get(code) ?? null;
}
