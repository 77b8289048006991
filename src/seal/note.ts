// Keys, notes and checkpoints: C2SP signed-note and tlog-checkpoint, with Ed25519 alone. The key's name
// is the checkpoint's origin: it names the log of one account.

import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { type Bytes, type Hash, sha256, toBuffer, utf8 } from '../base/encoded-values.ts';

/** What PKCS #8 puts before the 32 bytes of an Ed25519 key. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The type of the signature, as signed-note numbers them. */
const ed25519: Bytes = '\u0001';

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

export interface Verifier {
  readonly name: string;
  /** The note's checkpoint; null unless this key signed it. */
  open(note: string): Checkpoint | null;
}

export interface Signer extends Verifier {
  /** The verifier key: name, number and public key. */
  readonly verifierKey: string;
  /** The checkpoint as a signed note. */
  sign(checkpoint: Omit<Checkpoint, 'origin'>): string;
}

/** A name that a note can hold. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}]{1,255}$/u.test(name);
}

/** A new private key, in the form that Go's note.NewSigner reads. It is a secret. */
export function makeSealKey(name: string): string {
  const seed = randomBytes(32).toString('latin1');
  return `PRIVATE+KEY+${keyText(name, publicBytes(privateKey(seed)), seed)}`;
}

/** Null where the text is not a private Ed25519 key of a note, or its parts do not fit each other. */
export function readSigner(text: string): Signer | null {
  const { name, bytes } = readKey(/^PRIVATE\+KEY\+([^+]+)\+[0-9a-f]{8}\+(.+)$/, text) ?? {};
  if (name === undefined || bytes === undefined) return null;
  const key = privateKey(bytes);
  const open = publicBytes(key);
  const verifierKey = keyText(name, open, open);
  const verifier = readVerifier(verifierKey);
  if (verifier === null || text.trim() !== `PRIVATE+KEY+${keyText(name, open, bytes)}`) return null;
  return {
    ...verifier,
    verifierKey,
    sign({ size, root }) {
      const body = `${name}\n${size}\n${toBuffer(root).toString('base64')}\n`;
      const signature = keyId(name, open) + sign(null, Buffer.from(body), key).toString('latin1');
      return `${body}\n— ${name} ${toBuffer(signature).toString('base64')}\n`;
    },
  };
}

/** Null where the text is not a verifier key for Ed25519, or its parts do not fit each other. */
export function readVerifier(text: string): Verifier | null {
  const { name, bytes } = readKey(/^([^+]+)\+[0-9a-f]{8}\+(.+)$/, text) ?? {};
  if (name === undefined || bytes === undefined || text.trim() !== keyText(name, bytes, bytes)) return null;
  const x = toBuffer(bytes).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const id = toBuffer(keyId(name, bytes));
  const isSigned = (body: string, line: string) => {
    const [, signer, base64 = ''] = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const signature = Buffer.from(base64, 'base64');
    const isOfKey = signer === name && signature.subarray(0, id.length).equals(id);
    return isOfKey && verify(null, Buffer.from(body), key, signature.subarray(id.length));
  };
  return {
    name,
    open(note) {
      const end = note.lastIndexOf('\n\n');
      const body = note.slice(0, end + 1);
      const lines = note.slice(end + 2).split('\n');
      return lines.some((line) => isSigned(body, line)) ? readCheckpoint(body) : null;
    },
  };
}

/** Whether one of the keys signed the note. */
export function isSignedBy(verifiers: readonly Verifier[], note: string): boolean {
  return verifiers.some(({ open }) => open(note) !== null);
}

/** Whether the last signature of a note has the length of an Ed25519 signature. */
export function isWhole(note: string): boolean {
  return Buffer.from(note.trimEnd().split(' ').at(-1) ?? '', 'base64').length >= 68;
}

/** The checkpoint in a text without signatures, or in a whole note; null where there is none. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const isOne = isKeyName(origin) && /^(0|[1-9]\d{0,14})$/.test(size) && /^[A-Za-z0-9+/]{43}=$/.test(root);
  return isOne ? { origin, size: Number(size), root: Buffer.from(root, 'base64').toString('latin1') } : null;
}

function readKey(form: RegExp, text: string): { readonly name: string; readonly bytes: Bytes } | null {
  const [, name = '', base64 = ''] = form.exec(text.trim()) ?? [];
  const key = Buffer.from(base64, 'base64').toString('latin1');
  return isKeyName(name) && key.length === 33 && key[0] === ed25519 ? { name, bytes: key.slice(1) } : null;
}

/** Name, number and key; the number is made from the public key. */
function keyText(name: string, publicKey: Bytes, key: Bytes): string {
  const id = toBuffer(keyId(name, publicKey)).toString('hex');
  return `${name}+${id}+${toBuffer(ed25519 + key).toString('base64')}`;
}

function keyId(name: string, publicKey: Bytes): Bytes {
  return sha256(`${utf8(name)}\n${ed25519}${publicKey}`).slice(0, 4);
}

function privateKey(seed: Bytes): KeyObject {
  const key = Buffer.concat([privateHead, toBuffer(seed)]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

function publicBytes(key: KeyObject): Bytes {
  const { x = '' } = createPublicKey(key).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('latin1');
}
