import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { expect } from 'vitest';
import type { Gateway } from '../../support/api/api.ts';
import { readResponses } from './exchange.ts';
import { judgeExchange } from './judge.ts';
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

const type = { 'content-type': 'application/json; charset=utf-8' };
const headers = { ...type, 'x-request-id': 'a' };
const details = { errors: [{ field: 'Body', path: '', code: 'malformed', message: 'no JSON' }] };
const bodyOf = (changes: object = {}): string =>
  JSON.stringify({ state: 'VALIDATION_ERRORS', payload: null, details, ...changes });

/** Answers, and how each is found. */
const wrongResponses: readonly (readonly [
  found: RegExp,
  status: number,
  body: string,
  headers?: Readonly<Record<string, string>>,
])[] = [
  [/answered 500/, 500, bodyOf({ state: 'INTERNAL_ERROR' })],
  [/taken for well-formed: 200/, 200, bodyOf({ state: 'SUCCESS' })],
  [/not due: CONFLICT_VERSION/, 409, bodyOf({ state: 'CONFLICT_VERSION' })],
  [/outside the envelope: VALIDATION_ERRORS with 404/, 404, bodyOf()],
  [/outside the envelope: OTHER is not in the catalogue/, 400, bodyOf({ state: 'OTHER' })],
  [/outside the envelope: 400 \{.*"error":1/, 400, bodyOf({ error: 1 })],
  [/outside the envelope: \{"errors":\[\]\}/, 400, bodyOf({ details: { errors: [] } })],
  [/outside the envelope: 400 <html>/, 400, '<html>'],
  [/outside the envelope: text\/html/, 400, bodyOf(), { ...headers, 'content-type': 'text/html' }],
  [/outside the envelope: x-request-id undefined/, 400, bodyOf(), type],
];

test('finds planted wrong statuses, codes, forms and headers, and a missing response', async ({
  gateway,
  targets,
}) => {
  let requests = 0;
  const problems = await problemsWith(gateway, targets, (request, response) => {
    const planned = wrongResponses[requests % (wrongResponses.length + 1)];
    requests += 1;
    if (planned === undefined) request.destroy();
    else response.writeHead(planned[1], planned[3] ?? headers).end(planned[2]);
    return true;
  });
  for (const [found] of wrongResponses) expect(problems).toMatch(found);
  expect(problems).toMatch(/outside the envelope: x-request-id a for "mine-1"/);
  expect(problems).toMatch(/other side closed/);
});

test('finds a planted leak and a planted change of a row', async ({ gateway, targets }) => {
  const leaked: Buffer[] = [];
  const changes: Promise<unknown>[] = [];
  const problems = await problemsWith(gateway, targets, () => {
    leaked.push(Buffer.alloc(200_000));
    if (changes.length === 0)
      changes.push(gateway.sql`update vendors set name = 'Another'`.execute());
    return false;
  });
  await Promise.all(changes);
  expect(leaked.length).toBeGreaterThan(150);
  expect(problems).toMatch(/rows changed: vendors/);
  expect(problems).toMatch(/the memory grew by/);
});

const responseText = (id: string): string =>
  `HTTP/1.1 400 Bad Request\r\ncontent-type: ${type['content-type']}\r\n` +
  `x-request-id: ${id}\r\ncontent-length: ${bodyOf().length}\r\n\r\n${bodyOf()}`;

test('finds a connection with no response, two, half of one, or one to a smuggled request', () => {
  const sent = { parts: [], end: 'wait', responses: [1, 1], due: ['VALIDATION_ERRORS'] } as const;
  const judge = (text: string, isClosed = true, more: Partial<RawRequest> = {}) =>
    judgeExchange({ kind: '', ...sent, ...more }, { ...readResponses(text), isClosed });
  expect(judge(responseText('a') + responseText(followerId))).toEqual([]);
  expect(judge(responseText('a'), true, { firstId: 'a' })).toEqual([]);
  expect(judge('')).toEqual(['0 responses to one request']);
  expect(judge(responseText('a') + responseText('b'))).toEqual(['2 responses to one request']);
  expect(judge(responseText(smuggledId))).toEqual(['the smuggled request was answered']);
  expect(judge(responseText('a'), true, { firstId: 'b' })).not.toEqual([]);
  expect(judge(`${responseText('a')}HTTP/1.1 200`)).toEqual(['half a response: HTTP/1.1 200']);
  expect(judge(responseText('a'), false)).toEqual(['the connection stays open']);
});
