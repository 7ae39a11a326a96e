import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeAnswer, type Answer } from '../../bench/harness/malformed-answer.ts';
import { byteCase, judgeExchange, sendBytes } from '../../bench/harness/malformed-connections.ts';
import { malformedRequest } from '../../bench/harness/malformed-generate.ts';
import { createHttpSender, sendMalformed } from '../../bench/harness/malformed-http.ts';
import { judgeMemory, type MemorySample } from '../../bench/harness/malformed-memory.ts';
import { changedTables, digestRecord } from '../../bench/harness/malformed-record.ts';
import type { Scene } from '../../bench/harness/malformed-request.ts';
import { createScene } from '../../bench/harness/malformed-scene.ts';
import { createTally } from '../../bench/harness/malformed-verdict.ts';
import { readAnswers } from '../../bench/harness/malformed-wire.ts';
import { startGateway, type Gateway } from './support.ts';

// The small sister of `npm run bench -- malformed`: the same requests, fewer of them, and nothing of memory.

const seed = 'test';
const requests = 3000;
const connections = 1000;

let gateway: Gateway;
let origin: string;
let scene: Scene;

beforeAll(async () => {
  gateway = await startGateway();
  origin = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
  scene = await createScene(gateway.sql, gateway.dependencies.tokens, origin);
});
afterAll(() => gateway.close());

test(`${requests} malformed requests are refused by a code that was due, in the envelope, and change nothing`, async () => {
  const before = await digestRecord(gateway.sql);
  const tally = createTally();
  const sender = createHttpSender(origin);
  try {
    await sendMalformed(sender, scene, tally, { seed, from: 0, to: requests });
  } finally {
    await sender.close();
  }
  expect(tally.problems()).toEqual([]);
  expect(tally.requests()).toBe(requests);
  expect(changedTables(before, await digestRecord(gateway.sql))).toEqual([]);
});

test(`${connections} connections that speak no HTTP get one answer each, and nothing smuggled gets any`, async () => {
  const before = await digestRecord(gateway.sql);
  const tally = createTally();
  // A TCP server's address is an AddressInfo; only a pipe's is a string.
  const { port } = gateway.app.server.address() as AddressInfo;
  await sendBytes(port, scene, tally, { seed, from: 0, to: connections });
  expect(tally.problems()).toEqual([]);
  expect(tally.requests()).toBe(connections);
  expect(changedTables(before, await digestRecord(gateway.sql))).toEqual([]);
});

test('a number of a seed is one request, whoever asks and when', () => {
  for (const number of [0, 17, 2999]) {
    expect(malformedRequest(scene, seed, number)).toEqual(malformedRequest(scene, seed, number));
    expect(byteCase(scene, seed, number)).toEqual(byteCase(scene, seed, number));
  }
  expect(malformedRequest(scene, seed, 1)).not.toEqual(malformedRequest(scene, 'other', 1));
});

describe('the verdict', () => {
  const id = '01890000-0000-7000-8000-000000000000';
  const details = { errors: [{ field: 'Body', path: '', code: 'malformed', message: 'is not JSON' }] };
  const right: Answer = {
    status: 400,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id },
    body: JSON.stringify({ state: 'VALIDATION_ERRORS', payload: null, details }),
  };
  const judge = (answer: Partial<Answer>, sentIds: readonly string[] = []) =>
    judgeAnswer({ ...right, ...answer }, { allowed: new Set(['VALIDATION_ERRORS']), sentIds }).problems;
  const bodyOf = (state: string, more: object = {}) =>
    JSON.stringify({ state, payload: null, details: {}, ...more });

  test('takes the answer that was due', () => {
    expect(judge({})).toEqual([]);
    expect(judge({}, [id])).toEqual([]);
    expect(judge({}, ['not sane'])).toEqual([]);
  });

  test.each<[string, Partial<Answer>]>([
    ['a fault of the server', { status: 500, body: bodyOf('INTERNAL_ERROR') }],
    ['an answer of another code', { status: 404, body: bodyOf('NOT_FOUND_ROUTE') }],
    ['a success', { status: 200, body: bodyOf('SUCCESS') }],
    ["another status than the code's", { status: 422 }],
    ['a code that nobody knows', { body: bodyOf('VALIDATION_OTHER') }],
    ['a payload', { body: bodyOf('VALIDATION_ERRORS', { payload: {}, details }) }],
    ['a property beside the three', { body: bodyOf('VALIDATION_ERRORS', { error: 'x', details }) }],
    ['details that are no object', { body: bodyOf('VALIDATION_ERRORS', { details: [] }) }],
    [
      'validation errors that name nothing',
      { body: bodyOf('VALIDATION_ERRORS', { details: { errors: [] } }) },
    ],
    ['no JSON', { body: '<html>' }],
    ['nothing', { body: '' }],
    ['another media type', { headers: { ...right.headers, 'content-type': 'application/json' } }],
    ['no request id', { headers: { 'content-type': 'application/json; charset=utf-8' } }],
  ])('does not take %s', (_what, answer) => {
    expect(judge(answer)).not.toEqual([]);
  });

  test('does not take another request id than the one that was sent', () => {
    expect(judge({}, ['mine'])).not.toEqual([]);
  });

  const wire = (requestId: string): string =>
    `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\n` +
    `content-length: ${Buffer.byteLength(right.body)}\r\n\r\n${right.body}`;
  const judgeBytes = (received: string, isClosed = true) =>
    judgeExchange(
      { name: 'x', parts: [], end: 'wait', answers: { min: 1, max: 1 }, allowed: ['VALIDATION_ERRORS'] },
      { ...readAnswers(received), isClosed },
    ).flatMap(({ problems }) => problems);

  test('takes one answer on a connection, and no other number of them', () => {
    expect(judgeBytes(wire('a'))).toEqual([]);
    expect(judgeBytes('')).not.toEqual([]);
    expect(judgeBytes(wire('a') + wire('b'))).not.toEqual([]);
    expect(judgeBytes(wire('smuggled'))).not.toEqual([]);
    expect(judgeBytes(`${wire('a')}HTTP/1.1 200`)).not.toEqual([]);
    expect(judgeBytes(wire('a'), false)).not.toEqual([]);
  });

  const mib = 2 ** 20;
  /** 100,000 requests, with some noise, and so many bytes more after each. */
  const memory = (kind: 'live' | 'rss', bytesEach: number): readonly MemorySample[] =>
    Array.from({ length: 32 }, (_, index) => {
      const noise = (((index * 7) % 5) - 2) * (mib / 8);
      const number = (index + 1) * 3125;
      return {
        requests: number,
        live: 50 * mib,
        rss: 200 * mib,
        [kind]: 50 * mib + noise + number * bytesEach,
      };
    });

  test('finds memory that grows with the requests, and is not misled by what comes and goes', () => {
    const control = memory('live', 0);
    expect(judgeMemory(memory('live', 0), control)).toEqual([]);
    expect(judgeMemory(memory('live', 100), control)).not.toEqual([]);
    expect(judgeMemory(memory('rss', 0), memory('rss', 0))).toEqual([]);
    expect(judgeMemory(memory('rss', 1000), control)).not.toEqual([]);
  });
});
