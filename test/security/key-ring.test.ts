import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRing, parseRing } from '../../security/key-ring-json.ts';
import {
  acceptedKeys,
  createKey,
  createRing,
  currentSigningKey,
  fixedRing,
  generatePrivateKey,
  jwksMaxAgeSeconds,
  KeyRingError,
  leadSecondsDefault,
  refreshIntervalMs,
  rotateRing,
  type KeyRing,
} from '../../security/key-ring.ts';

const nowMs = Date.parse('2026-11-21T08:00:00.000Z');
const leadMs = 15_000;
const tokenLifeMs = 930_000;
const [oldPem = '', newPem = '', nextPem = ''] = [1, 2, 3].map(generatePrivateKey);

const rotateAt = (ring: KeyRing, pem: string, atMs: number) =>
  rotateRing(ring, pem, { now: new Date(atMs), leadMs, tokenLifeMs });
const first = createRing(oldPem, new Date(nowMs - 1000));
const second = rotateAt(first, newPem, nowMs);
const kids = (ring: KeyRing, atMs: number) =>
  acceptedKeys(ring, new Date(atMs)).map(({ kid }) => kid);
const signingKid = (ring: KeyRing, atMs: number) => currentSigningKey(ring, new Date(atMs)).kid;
/** The key that signs, and the accepted keys. */
const phaseAt = (ms: number) => [signingKid(second, ms), kids(second, ms)];
const [oldKid = '', newKid = ''] = second.map(({ kid }) => kid);

/** The keys of a ring during a rotation, as its text has them. */
const { keys: stored } = JSON.parse(formatRing(second)) as { readonly keys: [object, object] };
const ringOf = (...keys: readonly object[]) => JSON.stringify({ keys });
/** The text with other fields of one key. */
const changed = (at: number, fields: object) =>
  ringOf(...stored.map((key, index) => (index === at ? { ...key, ...fields } : key)));

/** The error of a text that is not a key ring, without the prefix that names the file. */
function refusalOf(text: string): string {
  try {
    parseRing('ring.json', text);
  } catch (error) {
    if (!(error instanceof KeyRingError)) throw error;
    expect(error.message).toMatch(/^ring\.json is not a key ring: /);
    return error.message.replace('ring.json is not a key ring: ', '');
  }
  throw new Error('was not refused');
}

test('accepts a new key at once, signs after a lead, drops the old one a token life later', () => {
  const signsFromMs = nowMs + leadMs;
  const overMs = signsFromMs + tokenLifeMs;
  expect(phaseAt(nowMs)).toEqual([oldKid, [oldKid, newKid]]);
  expect(phaseAt(signsFromMs - 1)).toEqual([oldKid, [oldKid, newKid]]);
  expect(phaseAt(signsFromMs)).toEqual([newKid, [oldKid, newKid]]);
  expect(phaseAt(overMs - 1)).toEqual([newKid, [oldKid, newKid]]);
  expect(phaseAt(overMs)).toEqual([newKid, [newKid]]);
});

test('has a default lead above refresh interval plus cache lifetime of the keys', () => {
  expect(leadSecondsDefault * 1000).toBeGreaterThan(refreshIntervalMs + jwksMaxAgeSeconds * 1000);
});

test('refuses a third key while two are accepted', () => {
  const overMs = nowMs + leadMs + tokenLifeMs;
  for (const ms of [nowMs, nowMs + leadMs, overMs - 1]) {
    const rotation = () => rotateAt(second, nextPem, ms);
    expect(rotation).toThrow(KeyRingError);
    expect(rotation).toThrow(`under way until ${new Date(overMs).toISOString()}`);
  }
});

test('drops the first key for a third one once the rotation is over', () => {
  const third = rotateAt(second, nextPem, nowMs + leadMs + tokenLifeMs);
  expect(third.map(({ kid }) => kid)).toEqual([newKid, expect.any(String)]);
});

test('refuses a rotation if the clock is behind the previous one', () => {
  expect(() => rotateAt(first, newPem, nowMs - 60_000)).toThrow(/clock/);
});

test('signs at every instant with exactly one key, which is accepted', () => {
  const instants = fc.integer({ min: nowMs - 1e9, max: nowMs + 1e9 });
  fc.assert(
    fc.property(fc.constantFrom(first, second), instants, (ring, ms) => {
      expect(kids(ring, ms)).toContain(signingKid(ring, ms));
    }),
  );
});

test('reads the text of a ring back, its times to the millisecond', () => {
  for (const ring of [first, second]) {
    const read = parseRing('ring.json', formatRing(ring));
    expect(formatRing(read)).toBe(formatRing(ring));
    expect(read.map(({ publicKey: _key, ...rest }) => rest)).toEqual(
      ring.map(({ publicKey: _key, ...rest }) => rest),
    );
  }
  const fields = ['kid', 'privateKey', 'createdAt', 'signsFrom', 'acceptedUntil'];
  expect(stored.map((key) => Object.keys(key))).toEqual([fields, fields]);
});

const rsaPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const [older, newer] = stored;
const instant = '2026-11-21T08:00:00.000Z';

test.each<readonly [string, RegExp]>([
  ['', /^the content: not JSON$/],
  [formatRing(second).slice(0, 200), /^the content: not JSON$/],
  [newPem, /^the content: not JSON$/],
  [JSON.stringify(newPem), /^the content: expected Object$/],
  ['{}', /^keys: expected "keys"$/],
  ['{"keys":[]}', /^keys: must contain one key or two$/],
  [ringOf(older, ...stored), /^keys: must contain one key or two$/],
  [JSON.stringify({ keys: [newPem] }), /^keys\.0: expected Object$/],
  [JSON.stringify({ keys: stored, x: newPem }), /^x: unknown field$/],
  [changed(0, { x: newPem }), /^keys\.0\.x: unknown field$/],
  [changed(0, { privateKey: undefined }), /^keys\.0\.privateKey: expected /],
  [changed(0, { privateKey: oldPem.slice(0, 80) }), /^keys\.0: privateKey must be an Ed25519/],
  [changed(1, { privateKey: rsaPem }), /^keys\.1: privateKey must be an Ed25519/],
  [changed(0, { privateKey: nextPem }), /^keys\.0: kid does not belong/],
  [changed(0, { createdAt: newPem }), /^keys\.0\.createdAt: must be an instant/],
  [changed(0, { signsFrom: 5 }), /^keys\.0\.signsFrom: expected string$/],
  [changed(0, { createdAt: '2026-02-31T08:00:00.000Z' }), /createdAt: must be/],
  [ringOf(older, { ...older, acceptedUntil: null }), /^keys: the two keys must differ/],
  [changed(1, { acceptedUntil: instant }), /^keys: acceptedUntil of the last key must be null/],
  [ringOf(newer, older), /^keys: acceptedUntil of the last key must be null/],
  [changed(0, { acceptedUntil: null }), /^keys: acceptedUntil of the first key must/],
  [changed(0, { acceptedUntil: instant }), /^keys: acceptedUntil of the first key must/],
  [changed(1, { signsFrom: '2020-01-01T00:00:00.000Z' }), /^keys: the second key must not sign/],
])('refuses the text %# with the field, and repeats no value', (text, message) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatch(message);
  for (const pem of [oldPem, newPem, nextPem, rsaPem]) {
    const [, secret = ''] = pem.split('\n');
    expect(refusal).not.toContain(secret.slice(0, 12));
    expect(refusal).not.toContain('BEGIN');
  }
});

test('never expires keys of the configuration: one signs, the other only verifies', () => {
  const epoch = new Date(0);
  const { publicKey } = createKey(oldPem, {
    createdAt: epoch,
    signsFrom: epoch,
    acceptedUntil: null,
  });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const previousKey of [oldPem, publicPem]) {
    const ring = fixedRing({ signingKey: newPem, previousKey });
    for (const ms of [0, nowMs, nowMs * 10]) {
      expect(signingKid(ring, ms)).toBe(newKid);
      expect(kids(ring, ms)).toEqual([oldKid, newKid]);
    }
  }
  // The same key in both variables is one key.
  expect(fixedRing({ signingKey: newPem, previousKey: newPem }).map(({ kid }) => kid)).toEqual([
    newKid,
  ]);
  expect(() => fixedRing({ signingKey: rsaPem })).toThrow(/^not an Ed25519 key$/);
});
