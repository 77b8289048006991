// Keys and checkpoints as signed notes. Go's own package reads them in test/system/clients.
import { expect, test } from 'vitest';
import { isKeyName, makeSealKey, readCheckpoint, readSigner, readVerifier } from '../../src/seal/note.ts';

/** The example of C2SP signed-note: key and note. */
const exampleKey = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';

const root = 'r'.repeat(32);
const signer = signerOf('custody.example/acme');

function signerOf(name: string) {
  const read = readSigner(makeSealKey(name));
  if (read === null) throw new Error('a new key cannot be read');
  return read;
}

function verifierOf(key: string) {
  const read = readVerifier(key);
  if (read === null) throw new Error('a verifier key cannot be read');
  return read;
}

test('a checkpoint is read back with the key that signed it, and with no other', () => {
  const note = signer.sign({ size: 20_852_163, root });
  const verifier = verifierOf(signer.verifierKey);
  expect(note.split('\n')[1]).toBe('20852163');
  expect(verifier.open(note)).toEqual({ origin: 'custody.example/acme', size: 20_852_163, root });
  expect(readCheckpoint(note)).toEqual(verifier.open(note));
  expect(verifierOf(signerOf('custody.example/acme').verifierKey).open(note)).toBeNull();
  expect(verifierOf(exampleKey).open(note)).toBeNull();
});

test('a note whose text or signature differs in a letter is refused', () => {
  const note = signer.sign({ size: 7, root });
  const verifier = verifierOf(signer.verifierKey);
  const others = [
    note.replace('\n7\n', '\n8\n'),
    note.replace(/.\n$/, 'A\n').replace(/..\n$/, 'AA\n'),
    note.replace('— custody.example/acme', '— custody.example/other'),
    note.replace('\n\n', '\n'),
    note.split('\n\n')[0] ?? '',
    '',
  ];
  for (const other of others) expect(verifier.open(other)).toBeNull();
});

test('what is no key of the kind is refused', () => {
  const key = makeSealKey('custody.example/acme');
  const pem = '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIA==\n-----END PRIVATE KEY-----';
  const wrong = ['', pem, signer.verifierKey, key.slice(0, -6), key.replace('/acme', '/other'), `${key}AA`];
  for (const text of wrong) expect(readSigner(text)).toBeNull();
  expect(readSigner(`${key}\n`)?.name).toBe('custody.example/acme');
  // An ECDSA key has another type.
  const ecdsa = `custody.example/acme+530d903a+${Buffer.concat([Buffer.from([2]), Buffer.alloc(32)]).toString('base64')}`;
  for (const text of ['', key, ecdsa, signer.verifierKey.replace('/acme', '/other')])
    expect(readVerifier(text)).toBeNull();
});

test('names that a note cannot hold are refused', () => {
  expect(['custody.example/acme', 'acme', 'büro.example/1'].every(isKeyName)).toBe(true);
  expect(['', 'a b', 'a+b', 'a\nb', 'a\u00a0b', 'a\u0007b', 'x'.repeat(256)].some(isKeyName)).toBe(false);
});
