// Keys of the read API: `cm_<prefix>_<secret><checksum>`. People and logs identify the key by its prefix. The
// secret has 256 bits. The checksum lets secret scanners and this server recognise a key without a database.
import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Secret } from './secret.ts';

const lower = 'abcdefghijklmnopqrstuvwxyz';
const digits = '0123456789';
const letters = digits + lower.toUpperCase() + lower;

const prefixLength = 8;
/** 43 letters out of 62 hold more than 256 bits. */
const secretLength = 43;
const checksumLength = 6;

/** Matches keys in a text. */
export const keyPattern = `cm_[a-z0-9]{${prefixLength}}_[0-9A-Za-z]{${secretLength + checksumLength}}`;
const wholeKey = new RegExp(`^${keyPattern}$`);

/** A new key, and its prefix, `cm_` and eight letters or digits, which is not secret. */
export function makeApiKey() {
  const prefix = `cm_${drawn(digits + lower, prefixLength)}`;
  const body = `${prefix}_${drawn(letters, secretLength)}`;
  return { key: new Secret(body + checksum(body)), prefix };
}

/**
 * Whether the text has the form and the checksum of a key. Only the database knows whether the key exists.
 */
export function isApiKey(text: string): boolean {
  return wholeKey.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);
}

/** The prefix of a key. */
export function prefixOf(key: string): string {
  return key.slice(0, 'cm_'.length + prefixLength);
}

/** SHA-256 of the whole key, in hexadecimal. A random key needs neither salt nor iterations. */
export function digestOfKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function drawn(alphabet: string, length: number): string {
  return Array.from({ length }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
}

/** CRC-32 to the base of 62. */
function checksum(text: string): string {
  let rest = crc32(text);
  let written = '';
  for (let place = 0; place < checksumLength; place += 1) {
    written = letters.charAt(rest % letters.length) + written;
    rest = Math.floor(rest / letters.length);
  }
  return written;
}
