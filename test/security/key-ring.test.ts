import { generateKeyPairSync } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRing, parseRing } from '../../security/key-ring-form.ts';
import {
  acceptedKeys,
  busyUntilMs,
  firstRing,
  fixedRing,
  keptKey,
  KeyRingError,
  leadSecondsDefault,
  newPrivateKey,
  publishedKeysSeconds,
  rereadMs,
  rotated,
  signingKid,
  type KeptRing,
} from '../../security/key-ring.ts';

const nowMs = Date.parse('2026-11-21T08:00:00.000Z');
const leadMs = 15_000;
const tokenLifeMs = 930_000;
const [oldPem, newPem, nextPem] = [newPrivateKey(), newPrivateKey(), newPrivateKey()];

const first = firstRing(oldPem, nowMs - 1000);
const second = rotated(first, newPem, { nowMs, leadMs, tokenLifeMs });
const kids = (ring: KeptRing, atMs: number) => acceptedKeys(ring, atMs).map(({ kid }) => kid);
/** Which key signs, and which are accepted. */
const phaseAt = (ms: number) => [signingKid(second, ms), kids(second, ms)];
const [oldKid = '', newKid = ''] = second.map(({ kid }) => kid);

const written = (ring: KeptRing) =>
  JSON.parse(formatRing(ring)) as { keys: Record<string, unknown>[] };
/** The file of a ring in rotation, with one thing of it changed. */
const changed = (
  change: (keys: Record<string, unknown>[], whole: Record<string, unknown>) => void,
) => {
  const whole = written(second);
  change(whole.keys, whole);
  return JSON.stringify(whole);
};

/** What a text that is no ring is told. */
function refusalOf(text: string): string {
  try {
    parseRing(text);
  } catch (error) {
    if (error instanceof KeyRingError) return error.message;
    throw error;
  }
  throw new Error('was not refused');
}

test('a new key is accepted from its making on, signs after the lead, and the old one is accepted a token’s life longer', () => {
  const signsFromMs = nowMs + leadMs;
  const overMs = signsFromMs + tokenLifeMs;
  expect(phaseAt(nowMs)).toEqual([oldKid, [oldKid, newKid]]);
  expect(phaseAt(signsFromMs - 1)).toEqual([oldKid, [oldKid, newKid]]);
  expect(phaseAt(signsFromMs)).toEqual([newKid, [oldKid, newKid]]);
  expect(phaseAt(overMs - 1)).toEqual([newKid, [oldKid, newKid]]);
  expect(phaseAt(overMs)).toEqual([newKid, [newKid]]);
});

test('the default lead is longer than reading the ring again and keeping the published keys together', () => {
  expect(leadSecondsDefault * 1000).toBeGreaterThan(rereadMs + publishedKeysSeconds * 1000);
});

test('no third key may come while two are accepted; after that the first is dropped', () => {
  const overMs = nowMs + leadMs + tokenLifeMs;
  expect(busyUntilMs(first, nowMs)).toBeNull();
  for (const ms of [nowMs, nowMs + leadMs, overMs - 1]) {
    expect(busyUntilMs(second, ms)).toBe(overMs);
    expect(() => rotated(second, nextPem, { nowMs: ms, leadMs, tokenLifeMs })).toThrow(
      KeyRingError,
    );
  }
  expect(busyUntilMs(second, overMs)).toBeNull();
  const third = rotated(second, nextPem, { nowMs: overMs, leadMs, tokenLifeMs });
  expect(third.map(({ kid }) => kid)).toEqual([newKid, expect.any(String)]);
});

test('where the clock is behind that of the last rotation, no key is made that nobody could read', () => {
  expect(() => rotated(first, newPem, { nowMs: nowMs - 60_000, leadMs, tokenLifeMs })).toThrow(
    /clock/,
  );
});

test('one key signs at every instant, and it is an accepted one', () => {
  const instants = fc.integer({ min: nowMs - 1e9, max: nowMs + 1e9 });
  const rings = fc.constantFrom<KeptRing>(first, second);
  fc.assert(
    fc.property(rings, instants, (ring, ms) => {
      expect(kids(ring, ms)).toContain(signingKid(ring, ms));
    }),
  );
});

test('a ring is read as it was written, and every instant of it to the millisecond', () => {
  for (const ring of [first, second]) {
    const read = parseRing(formatRing(ring));
    expect(formatRing(read)).toBe(formatRing(ring));
    expect(read.map(({ publicKey: _key, ...rest }) => rest)).toEqual(
      ring.map(({ publicKey: _key, ...rest }) => rest),
    );
  }
});

const rsaPem = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const instant = '2026-11-21T08:00:00.000Z';

test.each<readonly [string, string, RegExp]>([
  ['nothing', '', /^not JSON$/],
  ['half a file', formatRing(second).slice(0, 200), /^not JSON$/],
  ['a PEM', newPem, /^not JSON$/],
  ['a text', JSON.stringify(newPem), /^the whole: must be an object$/],
  ['no list of keys', '{}', /^keys: is missing$/],
  ['no keys', '{"keys":[]}', /^keys: must have a key$/],
  ['a key that is a PEM', JSON.stringify({ keys: [newPem] }), /^keys\.0: must be an object$/],
  ['something unknown', changed((_keys, whole) => (whole['x'] = newPem)), /^x: is unknown$/],
  [
    'something unknown in a key',
    changed(([key = {}]) => (key['x'] = newPem)),
    /^keys\.0\.x: is unknown$/,
  ],
  [
    'no private key',
    changed(([key = {}]) => delete key['privateKey']),
    /^keys\.0\.privateKey: is missing$/,
  ],
  [
    'three keys',
    changed((keys) => keys.unshift(keys[0] ?? {})),
    /^keys: must have two keys at most$/,
  ],
  [
    'a bad key',
    changed(([key = {}]) => (key['privateKey'] = oldPem.slice(0, 80))),
    /^keys\.0\.privateKey: must be an Ed/,
  ],
  [
    'an RSA key',
    changed(([, key = {}]) => (key['privateKey'] = rsaPem)),
    /^keys\.1\.privateKey: must be an Ed25519/,
  ],
  [
    'a key of another name',
    changed(([key = {}]) => (key['privateKey'] = nextPem)),
    /^keys\.0\.kid: is not the name/,
  ],
  [
    'one key twice',
    changed((keys) => (keys[1] = { ...keys[0], acceptedUntil: null })),
    /^keys\.1\.kid: is that of/,
  ],
  [
    'no instant',
    changed(([key = {}]) => (key['createdAt'] = newPem)),
    /^keys\.0\.createdAt: must be an instant/,
  ],
  [
    'a number',
    changed(([key = {}]) => (key['signsFrom'] = 5)),
    /^keys\.0\.signsFrom: must be an instant/,
  ],
  [
    'a day that is none',
    changed(([key = {}]) => (key['createdAt'] = '2026-02-31T08:00:00.000Z')),
    /createdAt: must be/,
  ],
  [
    'a last key with an end',
    changed(([, key = {}]) => (key['acceptedUntil'] = instant)),
    /^keys\.1\.acceptedUntil: must be null/,
  ],
  [
    'a first key without an end',
    changed(([key = {}]) => (key['acceptedUntil'] = null)),
    /^keys\.0\.acceptedUntil: must be an/,
  ],
  [
    'a gap between the keys',
    changed(([key = {}]) => (key['acceptedUntil'] = instant)),
    /^keys\.0\.acceptedUntil: must be an/,
  ],
  [
    'keys in the wrong order',
    changed((keys, whole) => (whole['keys'] = keys.toReversed())),
    /^keys\.1\.acceptedUntil: must be null/,
  ],
  [
    'a key that signs before the one before it',
    changed(([, key = {}]) => (key['signsFrom'] = '2020-01-01T00:00:00.000Z')),
    /^keys\.1\.signsFrom: must not/,
  ],
])('%s is refused by its place, and no value is repeated', (_what, text, message) => {
  const refusal = refusalOf(text);
  expect(refusal).toMatch(message);
  for (const pem of [oldPem, newPem, nextPem, rsaPem]) {
    const [, secret = ''] = pem.split('\n');
    expect(refusal).not.toContain(secret.slice(0, 12));
    expect(refusal).not.toContain('BEGIN');
  }
});

test('keys of the configuration: one signs, the other is accepted, for ever', () => {
  const previous = keptKey(oldPem, { createdAtMs: 0, signsFromMs: 0, acceptedUntilMs: null });
  const publicPem = previous.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  for (const previousKey of [oldPem, publicPem]) {
    const ring = fixedRing({ signingKey: newPem, previousKey });
    for (const ms of [0, nowMs, nowMs * 10]) {
      expect(signingKid(ring, ms)).toBe(newKid);
      expect(acceptedKeys(ring, ms).map(({ kid }) => kid)).toEqual([oldKid, newKid]);
    }
  }
  // The same key in both places is one key.
  expect(fixedRing({ signingKey: newPem, previousKey: newPem }).map(({ kid }) => kid)).toEqual([
    newKid,
  ]);
  expect(() => fixedRing({ signingKey: rsaPem })).toThrow(/^not an Ed25519 key$/);
});
