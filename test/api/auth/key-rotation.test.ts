import { randomUUID } from 'node:crypto';
import { afterEach, expect, test, vi } from 'vitest';
import { ApiError } from '../../../api/http/api-error.ts';
import { tokenLifeMsMax } from '../../../api/auth/token-keys.ts';
import { createTokens, operatorTokenSeconds, type Tokens } from '../../../api/auth/tokens.ts';
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

/** Simulates API processes with different clocks while their key ring is rotated. */

const rotatedAtMs = Date.parse('2026-11-21T08:00:00.000Z');
const before = createRing(generatePrivateKey(), new Date(rotatedAtMs - 3_600_000));
const nextPem = generatePrivateKey();
const rotation = (leadMs: number) =>
  rotateRing(before, nextPem, { now: new Date(rotatedAtMs), leadMs, tokenLifeMs: tokenLifeMsMax });

type Process = { readonly name: string; readonly skewMs: number; readonly tokens: Tokens };

/** The true time; each process's clock differs from it by its skew. */
let trueMs = rotatedAtMs;

/** A process that reads its ring every two seconds, `offsetMs` after each multiple of it. */
function processOf(after: KeyRing, offsetMs: number, skewMs: number): Process {
  const ring = () => {
    const readAtMs =
      Math.floor((trueMs - offsetMs) / refreshIntervalMs) * refreshIntervalMs + offsetMs;
    return readAtMs < rotatedAtMs ? before : after;
  };
  return {
    name: `+${offsetMs} ms, clock ${skewMs} ms`,
    skewMs,
    tokens: createTokens({ issuer, environment: 'Production', ring }),
  };
}

/** A process that always has the current ring. */
const newProcess = (after: KeyRing): Process => ({
  name: 'just started',
  skewMs: 0,
  tokens: createTokens({
    issuer,
    environment: 'Production',
    ring: () => (trueMs < rotatedAtMs ? before : after),
  }),
});

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

type Token = { readonly by: string; readonly text: string; readonly expMs: number };

const partOf = (text: string, part: 0 | 1): Readonly<Record<string, unknown>> =>
  JSON.parse(Buffer.from(text.split('.')[part] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >;

const issue = ({ name, skewMs, tokens }: Process): readonly Token[] => {
  vi.setSystemTime(trueMs + skewMs);
  return [tokens.issueVendorToken(credential), tokens.issueOperatorToken(operator)].map((text) => ({
    by: name,
    text,
    expMs: Number(partOf(text, 1)['exp']) * 1000,
  }));
};

/** The code with which a token is refused; null when it is accepted. */
function refusalBy({ tokens }: Process, token: string): string | null {
  try {
    tokens.verify(token);
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

const refusalOf = (process: Process, token: string): string | null => {
  vi.setSystemTime(trueMs + process.skewMs);
  return refusalBy(process, token);
};

/** The refusals of tokens that have not expired by the clock of the process. */
const refusals = (processes: readonly Process[], tokens: readonly Token[]): readonly string[] =>
  processes.flatMap((by) => {
    vi.setSystemTime(trueMs + by.skewMs);
    return tokens
      .filter(({ expMs, text }) => trueMs + by.skewMs <= expMs && refusalBy(by, text) !== null)
      .map((token) => `${trueMs - rotatedAtMs} ms: of ${token.by}, by ${by.name}`);
  });

const steps = (start: number, stop: number, stepMs: number): readonly number[] =>
  Array.from(
    { length: Math.ceil((stop - start) / stepMs) },
    (_none, index) => start + index * stepMs,
  );

/** Every 200 ms while the ring changes, then every 10 s until the old key has expired. */
function instantsOf(leadMs: number): readonly number[] {
  const from = rotatedAtMs - 3000;
  const changed = rotatedAtMs + leadMs + 13_000;
  const end = rotatedAtMs + leadMs + tokenLifeMsMax + 60_000;
  const over = rotatedAtMs + leadMs + tokenLifeMsMax;
  return [
    ...steps(from, changed, 200),
    ...steps(changed, end, 10_000),
    over - 1,
    over,
    over + 1,
  ].toSorted((a, b) => a - b);
}

/** Verifies the new and earlier tokens of each process with every process; returns the refusals. */
function simulateRotation(leadMs: number, processes: readonly Process[]): readonly string[] {
  vi.useFakeTimers({ toFake: ['Date'] });
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

const offsets = [0, 1, 700, refreshIntervalMs - 1] as const;

afterEach(() => {
  vi.useRealTimers();
});

test('in a rotation no process refuses a token of another, with clocks ten seconds apart', () => {
  const leadMs = leadSecondsDefault * 1000;
  const after = rotation(leadMs);
  const skewed = [-5000, 5000].map((skewMs) => processOf(after, 300, skewMs));
  const processes = [
    ...offsets.map((offset) => processOf(after, offset, 0)),
    ...skewed,
    newProcess(after),
  ];
  expect(simulateRotation(leadMs, processes)).toEqual([]);
});

test('the shortest lead is enough if the clocks agree', () => {
  const leadMs = leadSecondsMin * 1000;
  const after = rotation(leadMs);
  const processes = [...offsets.map((offset) => processOf(after, offset, 0)), newProcess(after)];
  expect(simulateRotation(leadMs, processes)).toEqual([]);
});

test('the simulation detects refusals: a rotation without a lead has some', () => {
  const after = rotation(0);
  const processes = [...offsets.map((offset) => processOf(after, offset, 0)), newProcess(after)];
  const refused = simulateRotation(0, processes);
  expect(refused).toContain(`0 ms: of just started, by +1 ms, clock 0 ms`);
});

test('the last token of the old key is accepted until it expires, the key not longer', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const leadMs = leadSecondsDefault * 1000;
  const after = rotation(leadMs);
  trueMs = rotatedAtMs + leadMs - 1;
  const process = newProcess(after);
  const [, last] = issue(process);
  const text = last?.text ?? '';
  const kids = () => process.tokens.jwks().keys.map(({ kid }) => kid);
  const [oldKid, newKid] = after.map(({ kid }) => kid);
  expect(partOf(text, 0)).toMatchObject({ kid: oldKid });
  trueMs = last?.expMs ?? 0;
  expect(trueMs - rotatedAtMs - leadMs).toBeGreaterThan((operatorTokenSeconds - 2) * 1000);
  expect(refusalOf(process, text)).toBeNull();
  expect(refusalOf(newProcess(after), text)).toBeNull();
  trueMs += 1;
  expect(refusalOf(process, text)).toBe('UNAUTHORIZED_TOKEN_EXPIRED');
  expect(kids()).toEqual([newKid, oldKid]);
  trueMs = rotatedAtMs + leadMs + tokenLifeMsMax;
  vi.setSystemTime(trueMs);
  expect(kids()).toEqual([newKid]);
});

test('a key expires without another read of the ring, for cached tokens too', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  const tokenLifeMs = 60_000;
  const after = rotateRing(before, nextPem, {
    now: new Date(rotatedAtMs),
    leadMs: 5000,
    tokenLifeMs,
  });
  trueMs = rotatedAtMs;
  const process = newProcess(after);
  const [token] = issue(process);
  const text = token?.text ?? '';
  trueMs = rotatedAtMs + 5000 + tokenLifeMs - 1;
  expect(refusalOf(process, text)).toBeNull();
  trueMs += 1;
  expect(refusalOf(process, text)).toBe('UNAUTHORIZED_INVALID_TOKEN');
  expect(process.tokens.jwks().keys.length).toBe(1);
});

test('the new key is published as soon as the ring is read, before it signs', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: rotatedAtMs });
  const after = rotation(leadSecondsDefault * 1000);
  trueMs = rotatedAtMs;
  const process = newProcess(after);
  expect(process.tokens.jwks().keys.map(({ kid }) => kid)).toEqual(
    after.map(({ kid }) => kid).toReversed(),
  );
  const [token] = issue(process);
  expect(partOf(token?.text ?? '', 0)).toMatchObject({ kid: before[0]?.kid });
});

test('after a revocation the next read refuses all earlier tokens, cached or not', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: rotatedAtMs });
  let ring: KeyRing = before;
  const tokens = createTokens({ issuer, environment: 'Production', ring: () => ring });
  const process = { name: 'one', skewMs: 0, tokens };
  const [cached, unseen] = issue(process);
  expect(refusalOf(process, cached?.text ?? '')).toBeNull();
  ring = createRing(generatePrivateKey(), new Date(trueMs));
  for (const token of [cached, unseen]) {
    expect(refusalOf(process, token?.text ?? '')).toBe('UNAUTHORIZED_INVALID_TOKEN');
  }
  expect(tokens.jwks().keys.map(({ kid }) => kid)).toEqual(ring.map(({ kid }) => kid));
  const [fresh] = issue(process);
  expect(refusalOf(process, fresh?.text ?? '')).toBeNull();
});
