import { expect, onTestFinished, vi } from 'vitest';
import { receiverOf } from '../../deliveries/host-slots.ts';
import { sendAttempt } from '../../deliveries/send-attempt.ts';
import type { AttemptResult } from '../../db/webhooks/attempts/record-attempts.ts';
import { sealHeaders } from '../../security/webhook-headers.ts';
import { mustBegin } from '../db/webhooks/delivery-rows.ts';
import { status } from '../support/webhooks/receiver.ts';
import { pipelineTest } from './delivery-pipeline-fixture.ts';

const terms = { retryDelayMs: 60_000, timeoutMs: 5000 };
const last = { ...terms, retryDelayMs: null };

const test = pipelineTest.extend('attempt', async ({ sql, testPipeline: { seed } }) =>
  mustBegin(sql, (await seed(1)).deliveryIds[0] ?? ''),
);

const waitOf = ({ nextAttemptAt, at }: AttemptResult): number =>
  Date.parse(nextAttemptAt) - Date.parse(at);

test('sends custom headers, which replace no other', async ({ testPipeline, attempt }) => {
  const { receiver, pipeline } = testPipeline;
  const custom = { authorization: 'Bearer secret', 'x-tenant': 't', 'user-agent': 'forged' };
  const headersSealed = sealHeaders(pipeline.sealer, custom, attempt.subscriptionId);
  receiver.answerWith(status(200));
  const result = await sendAttempt(pipeline, { ...attempt, headersSealed }, terms);
  expect(receiver.requests.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'x-tenant': 't',
    'user-agent': 'test',
    'webhook-id': attempt.eventId,
  });
  expect(JSON.stringify(result)).not.toContain('Bearer');
  const forged = { ...attempt, headersSealed: sealHeaders(pipeline.sealer, custom, 'another') };
  await expect(sendAttempt(pipeline, forged, terms)).rejects.toThrow();
});

test('keeps the response unless that is switched off', async ({ testPipeline, attempt }) => {
  testPipeline.receiver.answerWith((response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('x'.repeat(30_000));
  });
  const kept = await sendAttempt(testPipeline.pipeline, attempt, terms);
  expect(kept.answer).toMatchObject({
    requestHeaders: { 'user-agent': 'test' },
    headers: { 'content-type': 'text/plain' },
    body: 'x'.repeat(4096),
  });
  expect(kept.answer?.bodyBytes).toBeLessThan(20_000 + 65_536);
  const off = { ...testPipeline.pipeline, keepsResponses: false };
  const { errorSummary } = kept;
  const dropped = { answer: undefined, httpStatus: 503, errorSummary };
  expect(await sendAttempt(off, attempt, terms)).toMatchObject(dropped);
});

test.for([
  [false, 200, terms, { succeeded: true, state: 'succeeded', errorSummary: null }],
  [false, 503, terms, { succeeded: false, state: 'waiting' }],
  [false, 503, last, { succeeded: false, state: 'deadLettered', isGone: false }],
  [false, 410, terms, { succeeded: false, state: 'deadLettered', isGone: true }],
  [false, 302, terms, { succeeded: false, state: 'waiting' }],
  [true, 410, last, { state: 'failed', isGone: false }],
  [true, 500, last, { state: 'failed', isGone: false }],
] as const)(
  'judges an attempt (of a sample: %s) answered %i with %j as %j',
  async ([isTest, code, how, judged], { testPipeline, attempt: ofEvent }) => {
    const { receiver, pipeline } = testPipeline;
    const attempt = { ...ofEvent, isTest };
    receiver.answerWith(status(code, code === 302 ? { location: '/' } : {}));
    const result = await sendAttempt(pipeline, attempt, how);
    expect(result).toMatchObject({ ...judged, httpStatus: code, attemptNumber: 1 });
    expect(waitOf(result) > 0).toBe(judged.state === 'waiting');
    if (judged.state !== 'waiting') expect(result.nextAttemptAt).toBe(result.sentAt);
  },
);

test('signs, schedules and waits by the clock of Postgres', async ({ testPipeline, attempt }) => {
  const { sql, receiver, pipeline } = testPipeline;
  const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 300_000);
  // The clock of this machine is wrong.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => void vi.useRealTimers());
  receiver.answerWith(status(503));
  const { sentAt, nextAttemptAt } = await sendAttempt(pipeline, attempt, terms);
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const signedMs = Number(receiver.requests.at(-1)?.headers['webhook-timestamp']) * 1000;
  const scheduledMs = Date.parse(nextAttemptAt) - terms.retryDelayMs;
  for (const instant of [Date.parse(sentAt ?? ''), scheduledMs, signedMs])
    expect(Math.abs(row.now.getTime() - instant)).toBeLessThan(60_000);

  receiver.answerWith(status(503, { 'retry-after': until.toUTCString() }));
  const delayed = await sendAttempt(pipeline, attempt, terms);
  expect(delayed.nextAttemptAt).toBe(until.toISOString());
});

test.for([
  ['1', 60_000],
  ['600', 600_000],
  ['999999', 3_600_000],
] as const)(
  'waits by Retry-After %s for %i ms',
  async ([seconds, waitMs], { testPipeline, attempt }) => {
    testPipeline.receiver.answerWith(status(503, { 'retry-after': seconds }));
    expect(waitOf(await sendAttempt(testPipeline.pipeline, attempt, terms))).toBe(waitMs);
  },
);

test('sends nothing to an inactive subscription', async ({ testPipeline, attempt }) => {
  const { receiver, pipeline } = testPipeline;
  const before = receiver.requests.length;
  const result = await sendAttempt(pipeline, { ...attempt, isActive: false }, terms);
  const ended = { state: 'cancelled', sentAt: null, errorSummary: 'subscription_inactive' };
  expect(result).toMatchObject(ended);
  expect(receiver.requests.length).toBe(before);
});

const nameOf = (vendorId: string, url: string) => receiverOf({ vendorId, url });

test('counts slots by vendor and host name, whatever the port and letter case', () => {
  const one = nameOf('a', 'https://vendor.example.org/hook');
  expect(nameOf('a', 'https://Vendor.example.org:8443/other')).toBe(one);
  expect(nameOf('b', 'https://vendor.example.org/hook')).not.toBe(one);
  expect(nameOf('a', 'https://other.example.org/hook')).not.toBe(one);
  expect(nameOf('a', 'nonsense')).toBe(nameOf('a', ''));
});
