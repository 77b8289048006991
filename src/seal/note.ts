// Keys, notes and checkpoints: C2SP signed-note and tlog-checkpoint, with Ed25519 alone. The key's name
// is the checkpoint's origin: it names the log of one account.

import type { KeyObject } from 'node:crypto';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { type Hash, sha256 } from './encoding.ts';

/** What PKCS #8 and SPKI put before the 32 bytes of an Ed25519 key. */
const privateHead = Buffer.from('302e020100300506032b657004220420', 'hex');
const publicHead = Buffer.from('302a300506032b6570032100', 'hex');
/** The type of the signature, as signed-note numbers them. */
const ed25519 = 1;

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

export interface Signer {
  readonly name: string;
  /** What verifies its signatures: name, number and public key. */
  readonly verifierKey: string;
  /** Whether this key signed the note. */
  isOwn(note: string): boolean;
  /** The checkpoint as a signed note. */
  sign(checkpoint: Omit<Checkpoint, 'origin'>): string;
}

export interface Verifier {
  readonly name: string;
  /** The note's checkpoint; null unless this key signed it. */
  open(note: string): Checkpoint | null;
}

/** A name that a note can hold. */
export function isKeyName(name: string): boolean {
  return /^[^\s+\p{Cc}]{1,255}$/u.test(name);
}

/** A new private key, in the form that Go's note.NewSigner reads. It is a secret. */
export function makeSealKey(name: string): string {
  const { privateKey } = generateKeyPairSync('ed25519');
  const seed = privateKey.export({ type: 'pkcs8', format: 'der' }).subarray(privateHead.length);
  const key = Buffer.concat([Buffer.from([ed25519]), seed]).toString('base64');
  return `PRIVATE+KEY+${name}+${keyId(name, publicBytes(privateKey)).toString('hex')}+${key}`;
}

/** Null where the text is no private Ed25519 key of a note, or its parts do not fit each other. */
export function readSigner(text: string): Signer | null {
  const read = readKey(/^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+(.+)$/, text);
  if (read === null) return null;
  const { name, id, bytes } = read;
  const der = Buffer.concat([privateHead, bytes]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const open = publicBytes(key);
  const ownId = keyId(name, open);
  if (!ownId.equals(id)) return null;
  const verifierKey = `${name}+${id.toString('hex')}+${Buffer.concat([Buffer.from([ed25519]), open]).toString('base64')}`;
  const own = readVerifier(verifierKey);
  return {
    name,
    verifierKey,
    isOwn: (note) => own !== null && own.open(note) !== null,
    sign({ size, root }) {
      const text = `${name}\n${size}\n${Buffer.from(root, 'latin1').toString('base64')}\n`;
      const signature = Buffer.concat([ownId, sign(null, Buffer.from(text), key)]);
      return `${text}\n— ${name} ${signature.toString('base64')}\n`;
    },
  };
}

/** Null where the text is no verifier key for Ed25519, or its parts do not fit each other. */
export function readVerifier(text: string): Verifier | null {
  const read = readKey(/^([^+]+)\+([0-9a-f]{8})\+(.+)$/, text);
  if (read === null || !keyId(read.name, read.bytes).equals(read.id)) return null;
  const { name, id, bytes } = read;
  const key = createPublicKey({ key: Buffer.concat([publicHead, bytes]), format: 'der', type: 'spki' });
  const isSigned = (body: string, line: string) => {
    const [, signer, base64 = ''] = /^— (\S+) ([A-Za-z0-9+/=]+)$/.exec(line) ?? [];
    const signature = Buffer.from(base64, 'base64');
    return (
      signer === name &&
      signature.subarray(0, 4).equals(id) &&
      verify(null, Buffer.from(body), key, signature.subarray(4))
    );
  };
  return {
    name,
    open(note) {
      const end = note.lastIndexOf('\n\n');
      const body = note.slice(0, end + 1);
      const checkpoint = readCheckpoint(body);
      const lines = note.slice(end + 2).split('\n');
      return checkpoint !== null && lines.some((line) => isSigned(body, line)) ? checkpoint : null;
    },
  };
}

/** The text of a checkpoint without its signatures, or of a whole note; null where it is none. */
export function readCheckpoint(text: string): Checkpoint | null {
  const [origin = '', size = '', root = ''] = text.split('\n');
  const isOne = isKeyName(origin) && /^(0|[1-9]\d{0,14})$/.test(size) && /^[A-Za-z0-9+/]{43}=$/.test(root);
  return isOne ? { origin, size: Number(size), root: Buffer.from(root, 'base64').toString('latin1') } : null;
}

function readKey(form: RegExp, text: string) {
  const [, name = '', id = '', base64 = ''] = form.exec(text.trim()) ?? [];
  const key = Buffer.from(base64, 'base64');
  if (!isKeyName(name) || key.length !== 33 || key[0] !== ed25519) return null;
  return { name, id: Buffer.from(id, 'hex'), bytes: key.subarray(1) };
}

function publicBytes(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(publicHead.length);
}

function keyId(name: string, publicKey: Buffer): Buffer {
  const head = Buffer.from(`${name}\n`);
  return Buffer.from(sha256(Buffer.concat([head, Buffer.from([ed25519]), publicKey])).slice(0, 4), 'latin1');
}
