import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tokenLifeMsMax } from '../../../api/auth/token-keys.ts';
import { createTokens, type Tokens } from '../../../api/auth/tokens.ts';
import {
  createRing,
  generatePrivateKey,
  leadSecondsDefault,
  leadSecondsMin,
  refreshIntervalMs,
  rotateRing,
  type KeyRing,
} from '../../../security/key-ring.ts';
import { issuer } from '../../support/api/api.ts';
import { partOf, refusalBy } from './craft-token.ts';

/** Simulates API processes with different clocks while their key ring is rotated. */

const rotatedAtMs = Date.parse('2026-11-21T08:00:00.000Z');
const before = createRing(generatePrivateKey(), new Date(rotatedAtMs - 3_600_000));
const nextPem = generatePrivateKey();
const rotation = (leadMs: number, tokenLifeMs = tokenLifeMsMax) =>
  rotateRing(before, nextPem, { now: new Date(rotatedAtMs), leadMs, tokenLifeMs });

type Process = { readonly skewMs: number; readonly tokens: Tokens };

/** The true time; each process's clock differs from it by its skew. */
let trueMs = rotatedAtMs;

const processWith = (ring: () => KeyRing, skewMs = 0): Process => ({
  skewMs,
  tokens: createTokens({ issuer, environment: 'Production', ring }),
});
/** A process that always has the current ring. */
const newProcess = (after: KeyRing) => processWith(() => (trueMs < rotatedAtMs ? before : after));
/** A process that reads its ring every two seconds, `offsetMs` after each multiple of it. */
const processOf = (after: KeyRing, offsetMs: number, skewMs = 0) =>
  processWith(() => {
    const reads = Math.floor((trueMs - offsetMs) / refreshIntervalMs);
    return reads * refreshIntervalMs + offsetMs < rotatedAtMs ? before : after;
  }, skewMs);

const credential = {
  id: randomUUID(),
  clientId: 'vc_1',
  vendorId: randomUUID(),
  capabilities: ['Offers'],
  environment: 'Production',
} as const;
const operator = {
  id: randomUUID(),
  operatorId: 'alice',
  roles: ['Admin'],
  tokenGeneration: 1,
} as const;

type Token = { readonly text: string; readonly expMs: number };

const kidsOf = (keys: readonly { readonly kid?: unknown }[]) => keys.map(({ kid }) => kid);
const publishedBy = ({ tokens }: Process) => kidsOf(tokens.jwks().keys);

const tokenOf = (text: string): Token => ({ text, expMs: Number(partOf(text, 1)['exp']) * 1000 });

/** A vendor's and an operator's token of a process. */
function issue({ skewMs, tokens }: Process): readonly [Token, Token] {
  vi.setSystemTime(trueMs + skewMs);
  return [
    tokenOf(tokens.issueVendorToken(credential)),
    tokenOf(tokens.issueOperatorToken(operator)),
  ];
}

/** The code with which a process refuses a token; null when it is accepted. */
function refusalOf({ skewMs, tokens }: Process, { text }: Token): string | null {
  vi.setSystemTime(trueMs + skewMs);
  return refusalBy(tokens, text);
}

/** The refusals of tokens that have not expired by the clock of the process. */
const refusals = (processes: readonly Process[], tokens: readonly Token[]): readonly string[] =>
  processes.flatMap((by, index) =>
    tokens
      .filter((token) => trueMs + by.skewMs <= token.expMs && refusalOf(by, token) !== null)
      .map(() => `process ${index} after ${trueMs - rotatedAtMs} ms`),
  );

const steps = (start: number, stop: number, stepMs: number): readonly number[] =>
  Array.from({ length: Math.ceil((stop - start) / stepMs) }, (_, index) => start + index * stepMs);

/** Every 200 ms while the ring changes, then every 10 s until the old key has expired. */
function instantsOf(leadMs: number): readonly number[] {
  const changed = rotatedAtMs + leadMs + 13_000;
  const over = rotatedAtMs + leadMs + tokenLifeMsMax;
  const instants = [
    ...steps(rotatedAtMs - 3000, changed, 200),
    ...steps(changed, over + 60_000, 10_000),
  ];
  return [...instants, over - 1, over, over + 1].toSorted((a, b) => a - b);
}

/** Verifies the new and earlier tokens of each process with every process; returns the refusals. */
function simulateRotation(leadMs: number, skews: readonly number[]): readonly string[] {
  const after = rotation(leadMs);
  const processes = [
    ...[0, 1, 700, refreshIntervalMs - 1].map((offsetMs) => processOf(after, offsetMs)),
    ...skews.map((skewMs) => processOf(after, 300, skewMs)),
    newProcess(after),
  ];
  const kept: Token[] = [];
  let keptAtMs = 0;
  const refused: string[] = [];
  for (const instantMs of instantsOf(leadMs)) {
    trueMs = instantMs;
    const fresh = processes.flatMap(issue);
    refused.push(...refusals(processes, fresh));
    // The tokens of each second are verified again until they expire.
    if (trueMs < keptAtMs + 1000) continue;
    keptAtMs = trueMs;
    refused.push(...refusals(processes, kept));
    kept.push(...fresh);
  }
  return refused;
}

beforeEach(() => {
  trueMs = rotatedAtMs;
  vi.useFakeTimers({ toFake: ['Date'], now: rotatedAtMs });
});
afterEach(() => {
  vi.useRealTimers();
});

test.for([
  ['the default lead and clocks ten seconds apart', leadSecondsDefault, [-5000, 5000]],
  ['the shortest lead', leadSecondsMin, []],
] as const)(
  'refuses no token of another process in a rotation with %s',
  ([_what, leadSeconds, skews]) => {
    expect(simulateRotation(leadSeconds * 1000, skews)).toEqual([]);
  },
);

test('detects the refusals of a rotation without a lead', () => {
  expect(simulateRotation(0, [])).toContain('process 1 after 0 ms');
});

test('expires a key without another read of the ring, also for cached tokens', () => {
  const tokenLifeMs = 60_000;
  const process = newProcess(rotation(5000, tokenLifeMs));
  const [token] = issue(process);
  trueMs = rotatedAtMs + 5000 + tokenLifeMs - 1;
  expect(refusalOf(process, token)).toBeNull();
  trueMs += 1;
  expect(refusalOf(process, token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
  expect(publishedBy(process)).toHaveLength(1);
});

test('publishes the new key as soon as the ring is read, before it signs', () => {
  const after = rotation(leadSecondsDefault * 1000);
  const process = newProcess(after);
  expect(publishedBy(process)).toEqual(kidsOf(after).toReversed());
  expect(partOf(issue(process)[0].text, 0)['kid']).toBe(before[0]?.kid);
});

test('refuses all earlier tokens from the first read after a revocation, also cached ones', () => {
  let ring: KeyRing = before;
  const process = processWith(() => ring);
  const [cached, unseen] = issue(process);
  expect(refusalOf(process, cached)).toBeNull();
  ring = createRing(generatePrivateKey(), new Date(trueMs));
  for (const token of [cached, unseen])
    expect(refusalOf(process, token)).toBe('UNAUTHORIZED_INVALID_TOKEN');
  expect(publishedBy(process)).toEqual(kidsOf(ring));
  expect(refusalOf(process, issue(process)[0])).toBeNull();
});
