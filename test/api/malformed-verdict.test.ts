import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { judgeAnswer, type Answer, type Problem } from '../../bench/malformed/answer.ts';
import { judgeExchange } from '../../bench/malformed/connections.ts';
import { createHttpSender, sendMalformed } from '../../bench/malformed/http.ts';
import { judgeMemory, type MemorySample } from '../../bench/malformed/memory.ts';
import type { Scene } from '../../bench/malformed/request.ts';
import type { Route } from '../../bench/malformed/routes.ts';
import { createTally } from '../../bench/malformed/verdict.ts';
import { readAnswers } from '../../bench/malformed/wire.ts';

// What judges malformed requests, here and in `npm run bench -- malformed`, has to be able to say no.

const id = '01890000-0000-7000-8000-000000000000';
const details = {
  errors: [{ field: 'Body', path: '', code: 'malformed', message: 'is not JSON' }],
};
const right: Answer = {
  status: 400,
  headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': id },
  body: JSON.stringify({ state: 'VALIDATION_ERRORS', payload: null, details }),
};
const judge = (answer: Partial<Answer>, sentIds: readonly string[] = []) =>
  judgeAnswer(
    { ...right, ...answer },
    { allowed: new Set(['VALIDATION_ERRORS', 'INTERNAL_ERROR']), sentIds },
  ).problems;
const bodyOf = (state: string, more: object = {}) =>
  JSON.stringify({ state, payload: null, details: {}, ...more });

const wire = (requestId: string): string =>
  `HTTP/1.1 400 Bad Request\r\ncontent-type: application/json; charset=utf-8\r\nx-request-id: ${requestId}\r\n` +
  `content-length: ${Buffer.byteLength(right.body)}\r\n\r\n${right.body}`;
const judgeBytes = (received: string, isClosed = true) =>
  judgeExchange(
    {
      name: 'x',
      parts: [],
      end: 'wait',
      answers: { min: 1, max: 1 },
      allowed: ['VALIDATION_ERRORS'],
    },
    { ...readAnswers(received), isClosed },
  ).flatMap(({ problems }) => problems.map(({ text }) => text));

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

test('the verdict takes the answer that was due', () => {
  expect(judge({})).toEqual([]);
  expect(judge({}, [id])).toEqual([]);
  expect(judge({}, ['not sane'])).toEqual([]);
});

test.each<[string, Problem['kind'], Partial<Answer>]>([
  ['a fault of the server', '5xx', { status: 500, body: bodyOf('INTERNAL_ERROR') }],
  [
    'an answer of another code',
    'not what was due',
    { status: 404, body: bodyOf('NOT_FOUND_ROUTE') },
  ],
  ['a success', 'not what was due', { status: 200, body: bodyOf('SUCCESS') }],
  ["another status than the code's", 'outside the envelope', { status: 422 }],
  ['a code that nobody knows', 'outside the envelope', { body: bodyOf('VALIDATION_OTHER') }],
  [
    'a payload',
    'outside the envelope',
    { body: bodyOf('VALIDATION_ERRORS', { payload: {}, details }) },
  ],
  [
    'a property beside the three',
    'outside the envelope',
    { body: bodyOf('VALIDATION_ERRORS', { error: 'x', details }) },
  ],
  [
    'details that are no object',
    'outside the envelope',
    { body: bodyOf('VALIDATION_ERRORS', { details: [] }) },
  ],
  [
    'validation errors that name nothing',
    'outside the envelope',
    { body: bodyOf('VALIDATION_ERRORS', { details: { errors: [] } }) },
  ],
  ['no JSON', 'outside the envelope', { body: '<html>' }],
  ['nothing', 'outside the envelope', { body: '' }],
  [
    'another media type',
    'outside the envelope',
    { headers: { ...right.headers, 'content-type': 'application/json' } },
  ],
  [
    'no request id',
    'outside the envelope',
    { headers: { 'content-type': 'application/json; charset=utf-8' } },
  ],
])('the verdict does not take %s: %s', (_what, kind, answer) => {
  expect(judge(answer).map((problem) => problem.kind)).toContain(kind);
});

test('the verdict does not take another request id than the one that was sent', () => {
  expect(judge({}, ['mine'])).not.toEqual([]);
});

test('the verdict takes one answer on a connection, and no other number of them', () => {
  expect(judgeBytes(wire('a'))).toEqual([]);
  expect(judgeBytes('')).not.toEqual([]);
  expect(judgeBytes(wire('a') + wire('b'))).not.toEqual([]);
  expect(judgeBytes(wire('smuggled'))).not.toEqual([]);
  expect(judgeBytes(`${wire('a')}HTTP/1.1 200`)).not.toEqual([]);
  expect(judgeBytes(wire('a'), false)).not.toEqual([]);
});

test('the verdict finds memory that grows with the requests, and is not misled by what comes and goes', () => {
  expect(judgeMemory('x', memory('live', 0))).toEqual([]);
  expect(judgeMemory('x', memory('live', 100))).not.toEqual([]);
  expect(judgeMemory('x', memory('rss', 0))).toEqual([]);
  expect(judgeMemory('x', memory('rss', 1000))).not.toEqual([]);
});

/** A server that does one thing with whatever it is asked, for as long as something asks it. */
async function against(
  act: (response: ServerResponse) => void,
  ask: (origin: string) => Promise<void>,
): Promise<void> {
  const server = createServer((_request, response) => act(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    // A TCP server's address is an AddressInfo; only a pipe's is a string.
    await ask(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const route: Route = {
  method: 'GET',
  template: '/api/v1/webhooks',
  side: 'vendor',
  needsToken: true,
  body: null,
  query: {},
  headers: {},
};
const scene: Scene = {
  routes: [route],
  idsFor: () => [],
  tokens: () => ({ vendor: 'eyJ.eyJ.sig', operator: 'eyJ.eyJ.sig' }),
};

test.each<[string, Problem['kind'], (response: ServerResponse) => void]>([
  ['hangs up', 'too few or many answers', (response) => response.destroy()],
  ['fails', '5xx', (response) => response.writeHead(500).end('{}')],
  ['takes everything', 'not what was due', (response) => response.writeHead(200).end('{}')],
])('a server that %s is found out at every request: %s', async (_what, kind, act) => {
  const tally = createTally();
  await against(act, async (origin) => {
    const sender = createHttpSender(origin);
    await sendMalformed(sender, scene, tally, { seed: 'test', from: 0, to: 30 });
    await sender.close();
  });
  expect(tally.requests()).toBe(30);
  // What is larger than Node takes is refused before the server's own code.
  expect(tally.problemsOf(kind)).toBeGreaterThan(15);
  expect(tally.problems().at(-1)).toMatch(/^and \d+ more$/);
});
