// The form of keys.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOfKey, isApiKey, keyPattern, makeApiKey, prefixOf } from '../../src/base/api-key.ts';

test('a key has its prefix, 43 letters out of 62, which are more than 256 bits, and a checksum', () => {
  for (let made = 0; made < 200; made += 1) {
    const { key, prefix } = makeApiKey();
    const text = key.reveal();
    expect(text).toMatch(/^cm_[a-z0-9]{8}_[0-9A-Za-z]{49}$/);
    expect(isApiKey(text)).toBe(true);
    expect(prefixOf(text)).toBe(prefix);
    expect(prefix).toMatch(/^cm_[a-z0-9]{8}$/);
    expect(`${key} ${JSON.stringify({ key })}`).not.toContain(text.slice(12));
  }
  expect(43 * Math.log2(62)).toBeGreaterThan(256);
});

test('every letter occurs at every place, and no two keys are alike', () => {
  const texts = Array.from({ length: 3_000 }, () => makeApiKey().key.reveal());
  expect(new Set(texts).size).toBe(texts.length);
  for (const place of [12, 30, 54]) expect(new Set(texts.map((text) => text[place])).size).toBe(62);
});

test('a key with any letter changed, one less or one more is none', () => {
  const text = makeApiKey().key.reveal();
  for (let place = 12; place < text.length; place += 1) {
    const other = text[place] === 'x' ? 'y' : 'x';
    expect(isApiKey(text.slice(0, place) + other + text.slice(place + 1)), String(place)).toBe(false);
  }
  for (const wrong of [text.slice(0, -1), `${text}0`, ` ${text}`, `${text}\n`, text.toUpperCase(), '', 'cm_'])
    expect(isApiKey(wrong), wrong).toBe(false);
});

test('the checksum is the CRC-32 of what stands before it, to the base of 62, so that a scanner can check it', () => {
  const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const text = makeApiKey().key.reveal();
  const value = [...text.slice(-6)].reduce((sum, letter) => sum * 62 + letters.indexOf(letter), 0);
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text.slice(0, -6))) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  expect(value).toBe((crc ^ 0xffffffff) >>> 0);
  expect(`see ${text} there`).toMatch(new RegExp(keyPattern));
});

test('the digest is SHA-256 of the whole key', () => {
  expect(digestOfKey('cm_x')).toBe(createHash('sha256').update('cm_x').digest('hex'));
});
