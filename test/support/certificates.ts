// Certificates for tests of TLS: an authority of the test's own, and server certificates that it signs. The
// keys are made anew for each test and lie in a directory of its own, which goes when the test ends.
import { chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from 'selfsigned';
import { unprivilegedAccount } from '../../packages/demo/src/embedded-postgres/binaries.ts';
import { newFolder } from './folder.ts';

export interface ServerCertificate {
  readonly certificate: string;
  readonly key: string;
  /** The same as files, which a PostgreSQL that the test starts can read. */
  readonly certificateFile: string;
  readonly keyFile: string;
}

export interface Authority {
  /** Its certificate, for those who are to trust it. */
  readonly file: string;
  readonly certificate: string;
  /** @param names host names that the certificate is for */
  issue(
    names: readonly string[],
    validity?: { readonly from: Date; readonly until: Date },
  ): Promise<ServerCertificate>;
}

const shared = { keyType: 'ec', curve: 'P-256', algorithm: 'sha256' } as const;
let made = 0;

export async function createAuthority(): Promise<Authority> {
  // Root's server runs as somebody else.
  const directory = newFolder(0o755);
  made += 1;
  const name = `Test authority ${process.pid}-${made}`;
  const authority = await generate([{ name: 'commonName', value: name }], {
    ...shared,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  const write = (file: string, text: string, mode: number) => {
    const path = join(directory, file);
    writeFileSync(path, text, { mode });
    const account = unprivilegedAccount();
    if (account !== null) chownSync(path, account.uid, account.gid);
    return path;
  };
  let issued = 0;
  return {
    file: write('authority.crt', authority.cert, 0o644),
    certificate: authority.cert,
    async issue(names, validity) {
      issued += 1;
      const file = `server-${issued}`;
      const server = await generate([{ name: 'commonName', value: names[0] ?? '' }], {
        ...shared,
        ca: { key: authority.private, cert: authority.cert },
        ...(validity ? { notBeforeDate: validity.from, notAfterDate: validity.until } : {}),
        extensions: [
          { name: 'basicConstraints', cA: false },
          { name: 'keyUsage', digitalSignature: true, keyEncipherment: true },
          { name: 'extKeyUsage', serverAuth: true },
          { name: 'subjectAltName', altNames: names.map((value) => ({ type: 2, value })) },
        ],
      });
      return {
        certificate: server.cert,
        key: server.private,
        certificateFile: write(`${file}.crt`, server.cert, 0o644),
        keyFile: write(`${file}.key`, server.private, 0o600),
      };
    },
  };
}
