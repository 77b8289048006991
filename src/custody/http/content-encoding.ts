// Decompresses the body of an answer. Invariant: no more than `maxBytes` is ever made of it.
import { promisify } from 'node:util';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';

/** The encodings that are asked for. */
export const acceptedEncodings = 'gzip, deflate, br';

/** The body is larger than allowed. */
export class TooLarge extends Error {}

/** The last ones are mistakes of services that send plain text. */
const unencoded = ['', 'identity', 'none', 'utf-8', 'utf8'];

/**
 * @param encoding the header Content-Encoding
 * @throws TooLarge; another error where the body is not what its encoding says
 */
export async function decompressed(body: Buffer, encoding: string | null, maxBytes: number): Promise<Buffer> {
  const encodings = (encoding ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .reverse();
  let bytes = body;
  for (const name of encodings) {
    if (unencoded.includes(name)) continue;
    const decode = decoders[name];
    if (decode === undefined) throw new Error(`the body has an encoding that was not asked for: ${name}`);
    try {
      bytes = await decode(bytes, maxBytes);
    } catch (error) {
      throw error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
        ? new TooLarge(`more than ${maxBytes} bytes`)
        : error;
    }
  }
  return bytes;
}

type Decode = (bytes: Buffer, maxOutputLength: number) => Promise<Buffer>;

// The beginning of a body that was cut is decompressed as well: it says what is wrong.
const finishFlush = constants.Z_SYNC_FLUSH;
const gunzipped: Decode = (bytes, maxOutputLength) =>
  promisify(gunzip)(bytes, { finishFlush, maxOutputLength });
/** Some services leave out the header of zlib. */
const inflated: Decode = (bytes, maxOutputLength) =>
  promisify(((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw)(bytes, { finishFlush, maxOutputLength });
const unbrotlied: Decode = (bytes, maxOutputLength) =>
  promisify(brotliDecompress)(bytes, { finishFlush: constants.BROTLI_OPERATION_FLUSH, maxOutputLength });

const decoders: Readonly<Record<string, Decode | undefined>> = {
  gzip: gunzipped,
  'x-gzip': gunzipped,
  deflate: inflated,
  br: unbrotlied,
};
