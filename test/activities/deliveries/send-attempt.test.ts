import { expect, vi } from 'vitest';
import { sendAttempt } from '../../../activities/deliveries/send-attempt.ts';
import { receiverOf } from '../../../activities/deliveries/acquire-attempt.ts';
import type { BegunAttempt } from '../../../db/webhooks/attempts/begin-attempts.ts';
import { sealHeaders } from '../../../security/webhook-headers.ts';
import { SenderLost } from '../../../guardrail/send/send.ts';
import { addSample, mustBegin, standing, attemptTexts } from '../../db/webhooks/delivery-rows.ts';
import {
  pipelineTest as test,
  type Seeded,
  type TestPipeline,
} from './delivery-pipeline-fixture.ts';

const terms = { retryDelayMs: 60_000, timeoutMs: 5000 };
const last = { ...terms, retryDelayMs: null };

async function begun(
  testPipeline: TestPipeline,
): Promise<{ readonly attempt: BegunAttempt; readonly seeded: Seeded }> {
  const seeded = await testPipeline.seed(1);
  return { attempt: await mustBegin(testPipeline.sql, seeded.deliveryIds[0] ?? ''), seeded };
}
const answer = (
  testPipeline: TestPipeline,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): void =>
  testPipeline.receiver.answerWith((response) => {
    response.writeHead(status, headers).end();
  });
const make = (
  testPipeline: TestPipeline,
  attempt: BegunAttempt,
  how: typeof terms | typeof last = terms,
) => sendAttempt(testPipeline.pipeline, attempt, how);
const waitOf = ({
  nextAttemptAt,
  at,
}: {
  readonly nextAttemptAt: string;
  readonly at: string;
}): number => Date.parse(nextAttemptAt) - Date.parse(at);

test('sends custom headers, which replace no other', async ({ testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  const { sealer } = testPipeline.pipeline;
  const custom = { authorization: 'Bearer secret', 'x-tenant': 't', 'user-agent': 'forged' };
  const headersSealed = sealHeaders(sealer, custom, attempt.subscriptionId);
  answer(testPipeline, 200);
  const result = await make(testPipeline, { ...attempt, headersSealed });
  expect(testPipeline.receiver.requests.at(-1)?.headers).toMatchObject({
    authorization: 'Bearer secret',
    'x-tenant': 't',
    'user-agent': 'test',
    'webhook-id': attempt.eventId,
  });
  expect(JSON.stringify(result)).not.toContain('Bearer');
});

test('the answer is kept unless that is switched off', async ({ testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  testPipeline.receiver.answerWith((response) => {
    response.writeHead(503, { 'content-type': 'text/plain' }).end('x'.repeat(30_000));
  });
  const kept = await make(testPipeline, attempt);
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

test('headers sealed for another subscription are not sent', async ({ testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  const headersSealed = sealHeaders(testPipeline.pipeline.sealer, { a: 'b' }, 'another');
  await expect(make(testPipeline, { ...attempt, headersSealed })).rejects.toThrow();
});

test.for([
  [200, terms, { succeeded: true, state: 'succeeded', errorSummary: null }],
  [503, terms, { succeeded: false, state: 'waiting' }],
  [503, last, { succeeded: false, state: 'deadLettered', isGone: false }],
  [410, terms, { succeeded: false, state: 'deadLettered', isGone: true }],
  [302, terms, { succeeded: false, state: 'waiting' }],
] as const)('%i with %j is judged %j', async ([httpStatus, how, judged], { testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  answer(testPipeline, httpStatus, httpStatus === 302 ? { location: '/' } : {});
  const result = await make(testPipeline, attempt, how);
  expect(result).toMatchObject({ ...judged, httpStatus, attemptNumber: 1 });
  expect(waitOf(result) > 0).toBe(judged.state === 'waiting');
  if (judged.state !== 'waiting') expect(result.nextAttemptAt).toBe(result.sentAt);
});

test('signs and schedules by the clock of Postgres', async ({ testPipeline, onTestFinished }) => {
  const { attempt } = await begun(testPipeline);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  answer(testPipeline, 503);
  const { sentAt, nextAttemptAt } = await make(testPipeline, attempt);
  const [row] = await testPipeline.sql<[{ now: Date }]>`select clock_timestamp() as now`;
  const agoMs = (instant: string): number => row.now.getTime() - Date.parse(instant);
  expect(Math.abs(agoMs(sentAt ?? ''))).toBeLessThan(60_000);
  expect(Math.abs(agoMs(nextAttemptAt) + terms.retryDelayMs)).toBeLessThan(60_000);
  const { headers } = testPipeline.receiver.requests.at(-1) ?? {};
  const signedMs = Number(headers?.['webhook-timestamp']) * 1000;
  expect(Math.abs(row.now.getTime() - signedMs)).toBeLessThan(60_000);
});

test('compares Retry-After with that clock', async ({ testPipeline, onTestFinished }) => {
  const until = new Date(Math.ceil(Date.now() / 1000) * 1000 + 300_000);
  const { attempt } = await begun(testPipeline);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600_000 });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  answer(testPipeline, 503, { 'retry-after': until.toUTCString() });
  const { nextAttemptAt } = await make(testPipeline, attempt);
  expect(nextAttemptAt).toBe(until.toISOString());
});

test('lengthens the wait by Retry-After, at most to an hour', async ({ testPipeline }) => {
  const waits: number[] = [];
  for (const seconds of ['1', '600', '999999']) {
    const { attempt } = await begun(testPipeline);
    answer(testPipeline, 503, { 'retry-after': seconds });
    waits.push(waitOf(await make(testPipeline, attempt)));
  }
  expect(waits).toEqual([60_000, 600_000, 3_600_000]);
});

test.for([410, 500])(
  'a sample that fails by %i has failed, and is neither dead nor gone',
  async (httpStatus, { testPipeline }) => {
    const seeded = await testPipeline.seed(0);
    const attempt = await mustBegin(testPipeline.sql, await addSample(testPipeline.sql, seeded));
    answer(testPipeline, httpStatus);
    expect(await make(testPipeline, attempt, last)).toMatchObject({
      state: 'failed',
      isGone: false,
      httpStatus,
    });
  },
);

test('nothing is sent to a subscription that has become inactive', async ({ testPipeline }) => {
  const seeded = await testPipeline.seed(1);
  await testPipeline.sql`
    update webhook_subscriptions set is_active = false where id = ${seeded.subscriptionId}`;
  const before = testPipeline.receiver.requests.length;
  const result = await make(
    testPipeline,
    await mustBegin(testPipeline.sql, seeded.deliveryIds[0] ?? ''),
  );
  expect(result).toMatchObject({
    state: 'cancelled',
    sentAt: null,
    errorSummary: 'subscription_inactive',
  });
  expect(testPipeline.receiver.requests.length).toBe(before);
});

test('deletes the row of an attempt by a fault of the gateway', async ({ testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  const fault = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const sender = { ...testPipeline.pipeline.sender, send: () => Promise.reject(fault) };
  await expect(sendAttempt({ ...testPipeline.pipeline, sender }, attempt, terms)).rejects.toBe(
    fault,
  );
  expect(await attemptTexts(testPipeline.sql, attempt.deliveryId)).toEqual([]);
  expect(await standing(testPipeline.sql, attempt.deliveryId)).toMatchObject({
    attempts: 0,
    isUnderWay: false,
  });
});

test('leaves an attempt under way whose sender was lost', async ({ testPipeline }) => {
  const { attempt } = await begun(testPipeline);
  const sender = { ...testPipeline.pipeline.sender, send: () => Promise.reject(new SenderLost()) };
  await expect(sendAttempt({ ...testPipeline.pipeline, sender }, attempt, terms)).rejects.toThrow(
    SenderLost,
  );
  expect(await standing(testPipeline.sql, attempt.deliveryId)).toMatchObject({
    attempts: 1,
    isUnderWay: true,
  });
  await mustBegin(testPipeline.sql, attempt.deliveryId);
  expect(await attemptTexts(testPipeline.sql, attempt.deliveryId)).toEqual([
    '1 worker_lost',
    '2 under way',
  ]);
});

test('slots belong to a vendor and a host name, whatever its port and case', () => {
  const url = 'https://vendor.example.org/hook';
  const one = receiverOf({ vendorId: 'a', url });
  const elsewhere = 'https://Vendor.example.org:8443/other';
  expect(receiverOf({ vendorId: 'a', url: elsewhere })).toBe(one);
  expect(receiverOf({ vendorId: 'b', url })).not.toBe(one);
  expect(receiverOf({ vendorId: 'a', url: 'https://other.example.org/hook' })).not.toBe(one);
  expect(receiverOf({ vendorId: 'a', url: 'nonsense' })).toBe(
    receiverOf({ vendorId: 'a', url: '' }),
  );
});
