import { expect, vi } from 'vitest';
import { receiverOf } from '../../../activities/deliveries/acquire-attempt.ts';
import { sendAttempt } from '../../../activities/deliveries/send-attempt.ts';
import { SenderLost } from '../../../guardrail/send/send.ts';
import { sealHeaders } from '../../../security/webhook-headers.ts';
import { addSample, attemptTexts, mustBegin, standing } from '../../db/webhooks/delivery-rows.ts';
import { status } from '../../support/webhooks/receiver.ts';
import { pipelineTest, type TestPipeline } from './delivery-pipeline-fixture.ts';

const terms = { retryDelayMs: 60_000, timeoutMs: 5000 };
const last = { ...terms, retryDelayMs: null };

const begun = async ({ sql, seed }: TestPipeline) =>
  mustBegin(sql, (await seed(1)).deliveryIds[0] ?? '');

const test = pipelineTest
  .extend('attempt', ({ testPipeline }) => begun(testPipeline))
  /** Makes the clock of this machine wrong. */
  .extend('skewClock', ({}, { onCleanup }) => {
    onCleanup(() => void vi.useRealTimers());
    return () => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  });

type Instants = { readonly nextAttemptAt: string; readonly at: string };
const waitOf = ({ nextAttemptAt, at }: Instants): number =>
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
  const ofAnother = sealHeaders(pipeline.sealer, custom, 'another');
  const forged = { ...attempt, headersSealed: ofAnother };
  await expect(sendAttempt(pipeline, forged, terms)).rejects.toThrow();
});

test('keeps the answer unless that is switched off', async ({ testPipeline, attempt }) => {
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
  const off = { ...testPipeline.pipeline, keepsAnswers: false };
  const dropped = await sendAttempt(off, attempt, terms);
  expect(dropped.answer).toBeUndefined();
  expect(dropped).toMatchObject({ httpStatus: 503, errorSummary: kept.errorSummary });
});

test.for([
  ['an attempt', 200, terms, { succeeded: true, state: 'succeeded', errorSummary: null }],
  ['an attempt', 503, terms, { succeeded: false, state: 'waiting' }],
  ['an attempt', 503, last, { succeeded: false, state: 'deadLettered', isGone: false }],
  ['an attempt', 410, terms, { succeeded: false, state: 'deadLettered', isGone: true }],
  ['an attempt', 302, terms, { succeeded: false, state: 'waiting' }],
  ['a sample', 410, last, { state: 'failed', isGone: false }],
  ['a sample', 500, last, { state: 'failed', isGone: false }],
] as const)(
  '%s answered %i with %j becomes %j',
  async ([what, code, how, judged], { testPipeline, attempt: ofEvent }) => {
    const { sql, receiver, pipeline, seed } = testPipeline;
    const sample = async () => mustBegin(sql, await addSample(sql, await seed(0)));
    const attempt = what === 'a sample' ? await sample() : ofEvent;
    receiver.answerWith(status(code, code === 302 ? { location: '/' } : {}));
    const result = await sendAttempt(pipeline, attempt, how);
    expect(result).toMatchObject({ ...judged, httpStatus: code, attemptNumber: 1 });
    expect(waitOf(result) > 0).toBe(judged.state === 'waiting');
    if (judged.state !== 'waiting') expect(result.nextAttemptAt).toBe(result.sentAt);
  },
);

test('signs and schedules by the clock of Postgres', async ({
  testPipeline,
  attempt,
  skewClock,
}) => {
  const { sql, receiver, pipeline } = testPipeline;
  skewClock();
  receiver.answerWith(status(503));
  const { sentAt, nextAttemptAt } = await sendAttempt(pipeline, attempt, terms);
  const [row] = await sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const signedMs = Number(receiver.requests.at(-1)?.headers['webhook-timestamp']) * 1000;
  const scheduledMs = Date.parse(nextAttemptAt) - terms.retryDelayMs;
  for (const instant of [Date.parse(sentAt ?? ''), scheduledMs, signedMs])
    expect(Math.abs(row.now.getTime() - instant)).toBeLessThan(60_000);
});

test('compares Retry-After with that clock', async ({ testPipeline, attempt, skewClock }) => {
  const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 300_000);
  skewClock();
  testPipeline.receiver.answerWith(status(503, { 'retry-after': until.toUTCString() }));
  const { nextAttemptAt } = await sendAttempt(testPipeline.pipeline, attempt, terms);
  expect(nextAttemptAt).toBe(until.toISOString());
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

test('sends nothing to a subscription that became inactive', async ({ testPipeline }) => {
  const { sql, receiver, pipeline, seed } = testPipeline;
  const { subscriptionId, deliveryIds } = await seed(1);
  await sql`update webhook_subscriptions set is_active = false where id = ${subscriptionId}`;
  const before = receiver.requests.length;
  const attempt = await mustBegin(sql, deliveryIds[0] ?? '');
  expect(await sendAttempt(pipeline, attempt, terms)).toMatchObject({
    state: 'cancelled',
    sentAt: null,
    errorSummary: 'subscription_inactive',
  });
  expect(receiver.requests.length).toBe(before);
});

test('deletes an attempt by a fault, but not if its sender was lost', async ({
  testPipeline,
  attempt,
}) => {
  const { sql, pipeline } = testPipeline;
  const { deliveryId } = attempt;
  const failBy = (fault: Error) => {
    const sender = { ...pipeline.sender, send: () => Promise.reject(fault) };
    return sendAttempt({ ...pipeline, sender }, attempt, terms);
  };
  await expect(failBy(new SenderLost())).rejects.toThrow(SenderLost);
  expect(await standing(sql, deliveryId)).toMatchObject({ attempts: 1, isUnderWay: true });
  const fault = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  await expect(failBy(fault)).rejects.toBe(fault);
  expect(await attemptTexts(sql, deliveryId)).toEqual([]);
  expect(await standing(sql, deliveryId)).toMatchObject({ attempts: 0, isUnderWay: false });
});

const nameOf = (vendorId: string, url: string) => receiverOf({ vendorId, url });

test('gives slots to a vendor and a host name, whatever its port and case', () => {
  const one = nameOf('a', 'https://vendor.example.org/hook');
  expect(nameOf('a', 'https://Vendor.example.org:8443/other')).toBe(one);
  expect(nameOf('b', 'https://vendor.example.org/hook')).not.toBe(one);
  expect(nameOf('a', 'https://other.example.org/hook')).not.toBe(one);
  expect(nameOf('a', 'nonsense')).toBe(nameOf('a', ''));
});
