import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Gateway } from '../../support/api/api.ts';
import { readAnswers, type Answer } from './exchange.ts';
import { judgeAnswer, judgeExchange } from './judge.ts';
import { fuzzTest as test } from './fuzz-test.ts';
import type { Target } from './http-requests.ts';
import { prove } from './proof.ts';
import { followerId, smuggledId, type RawRequest } from './raw-requests.ts';

// The proof fails for a gateway with any of these faults planted into it. That it finds none
// without one is the test of malformed requests.

/** Runs before the gateway for each request, and answers it itself where it returns true. */
type Plant = (request: IncomingMessage, response: ServerResponse) => boolean;

async function problemsWith(
  gateway: Gateway,
  targets: readonly Target[],
  plant: Plant,
): Promise<string> {
  const { server } = gateway.app;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (plant(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
  try {
    const { problems } = await prove(gateway, targets, { requests: 240, seed: 1 });
    return problems.join('\n');
  } finally {
    server.removeAllListeners('request');
    for (const listener of listeners) server.on('request', listener);
  }
}

const isWellFormedRead = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && !url.includes('?');
/** Each malformed request gets the next one; null closes the connection. */
const wrongAnswers: readonly (readonly [status: number, state: string] | null)[] = [
  [500, 'INTERNAL_ERROR'],
  [200, 'SUCCESS'],
  [409, 'CONFLICT_VERSION'],
  [404, 'VALIDATION_ERRORS'],
  null,
];
function answerWrongly(): Plant {
  let requests = 0;
  return (request, response) => {
    if (isWellFormedRead(request)) return false;
    const answer = wrongAnswers[requests % wrongAnswers.length] ?? null;
    requests += 1;
    if (answer === null) request.destroy();
    else {
      const [status, state] = answer;
      const body = JSON.stringify({ state, payload: null, details: {} });
      response.writeHead(status, headers).end(body);
    }
    return true;
  };
}

test('planted answers are found: a 5xx, a success, a wrong code or status, and none', async ({
  gateway,
  targets,
}) => {
  const problems = await problemsWith(gateway, targets, answerWrongly());
  expect(problems).toMatch(/answered 500/);
  expect(problems).toMatch(/taken for well-formed: 200/);
  expect(problems).toMatch(/not due: CONFLICT_VERSION/);
  expect(problems).toMatch(/outside the envelope: VALIDATION_ERRORS with 404/);
  expect(problems).toMatch(/other side closed/);
}, 180_000);

test('a planted leak and a planted change of a row are found', async ({ gateway, targets }) => {
  const leaked: Buffer[] = [];
  const changes: Promise<unknown>[] = [];
  const problems = await problemsWith(gateway, targets, (request) => {
    leaked.push(Buffer.alloc(200_000));
    if (!isWellFormedRead(request) && changes.length === 0)
      changes.push(gateway.sql`update vendors set name = 'Another'`.execute());
    return false;
  });
  await Promise.all(changes);
  expect(leaked.length).toBeGreaterThan(200);
  expect(problems).toMatch(/rows changed: vendors/);
  expect(problems).toMatch(/the memory grew by/);
}, 180_000);

const details = { errors: [{ field: 'Body', path: '', code: 'malformed', message: 'no JSON' }] };
const bodyOf = (changes: object): string =>
  JSON.stringify({ state: 'VALIDATION_ERRORS', payload: null, details, ...changes });
const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' };
const problemsOf = (changes: Partial<Answer>, sentId?: string) =>
  judgeAnswer({ status: 400, headers, body: bodyOf({}), ...changes }, ['VALIDATION_ERRORS'], {
    sentId,
  });

test.each<[string, Partial<Answer>]>([
  ['an unknown code', { body: bodyOf({ state: 'VALIDATION_OTHER' }) }],
  ['a payload', { body: bodyOf({ payload: {} }) }],
  ['a fourth property', { body: bodyOf({ error: 'x' }) }],
  ['details that are no object', { body: bodyOf({ details: [] }) }],
  ['validation errors without an entry', { body: bodyOf({ details: { errors: [] } }) }],
  ['no JSON', { body: '<html>' }],
  ['no body', { body: '' }],
  ['another media type', { headers: { ...headers, 'content-type': 'application/json' } }],
  ['no request id', { headers: { 'content-type': headers['content-type'] } }],
])('an answer outside the envelope is found: %s', (_what, changes) => {
  expect(problemsOf({})).toEqual([]);
  expect(problemsOf(changes).join()).toMatch(/^outside the envelope/);
});

test('an answer with another request id than the one sent is found', () => {
  expect(problemsOf({}, 'a')).toEqual([]);
  expect(problemsOf({}, 'not sane')).toEqual([]);
  expect(problemsOf({}, 'b')).not.toEqual([]);
});

const answer = (id: string): string =>
  `HTTP/1.1 400 Bad Request\r\ncontent-type: ${headers['content-type']}\r\n` +
  `x-request-id: ${id}\r\ncontent-length: ${bodyOf({}).length}\r\n\r\n${bodyOf({})}`;

test('a connection that brings no answer, two, half a one, or a smuggled one, is found', () => {
  const sent = { parts: [], end: 'wait', answers: [1, 1], due: ['VALIDATION_ERRORS'] } as const;
  const judge = (text: string, isClosed = true, more: Partial<RawRequest> = {}) =>
    judgeExchange({ kind: '', ...sent, ...more }, { ...readAnswers(text), isClosed });
  expect(judge(answer('a') + answer(followerId))).toEqual([]);
  expect(judge(answer('a'), true, { firstId: 'a' })).toEqual([]);
  expect(judge('')).toEqual(['0 answers to one request']);
  expect(judge(answer('a') + answer('b'))).toEqual(['2 answers to one request']);
  expect(judge(answer(smuggledId))).toEqual(['the smuggled request was answered']);
  expect(judge(answer('a'), true, { firstId: 'b' })).not.toEqual([]);
  expect(judge(`${answer('a')}HTTP/1.1 200`)).toEqual(['half an answer: HTTP/1.1 200']);
  expect(judge(answer('a'), false)).toEqual(['the connection stays open']);
});
