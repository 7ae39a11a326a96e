import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { leastId } from '../../../db/checks/waiting-rows.ts';
import { claimDeliveries } from '../../../db/webhooks/delivery-queue.ts';
import { emitTo, waiting } from './delivery.ts';
import { notForAWhile, status, statuses, type TestReceiver } from './receiver.ts';
import { eventType, type WebhookRun } from './webhook-run.ts';

/** Every kind of response that an attempt may get, the receiver's words among them. */
export async function runResponses({
  receiver,
  path,
  bodyText,
  emit,
  untilAllEnded,
}: WebhookRun): Promise<void> {
  const responders: readonly Parameters<TestReceiver['answerWith']>[0][] = [
    status(200),
    statuses(500),
    status(500),
    status(302, { location: `${receiver.url}/${path}` }),
    (response) => response.writeHead(503).end(`${response.req.url} ${bodyText}`),
    (response) => response.destroy(),
    () => undefined,
  ];
  for (const respond of responders) {
    receiver.answerWith(respond);
    await emit(bodyText);
    await untilAllEnded();
  }
  receiver.answerWith(statuses(500, 500));
  await emit(bodyText, 8);
  await untilAllEnded();
}

/**
 * Ends and beginnings by the vendor's hand: samples, redelivery, deactivation while one waits, 410.
 */
export async function runCommands(webhookRun: WebhookRun, id: string): Promise<void> {
  const { receiver, bodyText, send, emit, untilAllEnded, latestAttempt } = webhookRun;
  const switchTo = async (isActive: boolean): Promise<void> => {
    expect(await send('PATCH', `/${id}/active`, { isActive })).toMatchObject({ status: 200 });
  };
  const redeliver = (attempt: Readonly<Record<string, unknown>>) =>
    send('POST', `/${id}/deliveries/${String(attempt['id'])}/redeliver`);
  for (const code of [200, 500]) {
    receiver.answerWith(status(code));
    expect(await send('POST', `/${id}/test-fire`, { eventType })).toMatchObject({ status: 200 });
  }
  await redeliver(await latestAttempt(id));
  receiver.answerWith(notForAWhile);
  await emit(bodyText, 2);
  await vi.waitFor(
    async () =>
      expect(await latestAttempt(id)).toMatchObject({ succeeded: false, httpStatus: 503 }),
    waiting,
  );
  const attempt = await latestAttempt(id);
  await redeliver(attempt);
  await switchTo(false);
  await untilAllEnded();
  await send('POST', `/${id}/test-fire`, { eventType });
  await redeliver(attempt);
  await switchTo(true);
  receiver.answerWith(status(200));
  expect(await redeliver(attempt)).toMatchObject({ status: 200 });
  await untilAllEnded();
  receiver.answerWith(status(410));
  await emit(bodyText);
  await untilAllEnded();
  await switchTo(true);
  receiver.answerWith(status(200));
}

/**
 * What goes wrong on our side: a worker that was killed, a result that Postgres refuses, a secret
 * that cannot be opened.
 */
export async function runFaults(webhookRun: WebhookRun, id: string): Promise<void> {
  const { gateway, vendor, bodyText, emit, untilAllEnded, untilAttemptFailed } = webhookRun;
  await gateway.sql.begin(async (transaction) => {
    await emitTo(transaction, vendor.vendorId, { reason: bodyText });
    const terms = { walkedTo: leastId, max: 10, ofEach: 10, busy: [], leaseMs: 0 };
    expect((await claimDeliveries(transaction, terms)).deliveries).toHaveLength(1);
  });
  await untilAllEnded();
  await webhookRun.refuseResults();
  await emit(bodyText);
  await untilAttemptFailed();
  await webhookRun.takeResults();
  await untilAllEnded();
  const [row] = await gateway.sql<{ secretSealed: Buffer }[]>`
    select secret_sealed from webhook_subscriptions where id = ${id}`;
  const garble = (sealed: Uint8Array) => gateway.sql`
    update webhook_subscriptions set secret_sealed = ${Buffer.from(sealed)} where id = ${id}`;
  await garble(Buffer.from(bodyText));
  await emit(bodyText);
  await untilAttemptFailed();
  await garble(row?.secretSealed ?? Buffer.alloc(0));
  await untilAllEnded();
}

/** Refusals of every sort, with what must not be repeated in the question. */
export async function runRefusals(
  { send, vendor, path, bodyText, receiver }: WebhookRun,
  id: string,
  secret: string,
): Promise<void> {
  const { token } = vendor;
  const urls = [
    `ftp://vendor.example.org/${path}`,
    `https://127.0.0.1/${path}`,
    `https://v:${secret}@a.example/${path}`,
    path,
  ];
  for (const url of urls) {
    await send('POST', '', { url, eventTypes: [eventType] });
    await send('PUT', `/${id}`, { url });
  }
  await send('PUT', `/${id}`, { eventTypes: [bodyText, secret] });
  await send('PUT', `/${id}`, `{"url": "${secret}`);
  await send('POST', `/${id}/test-fire`, { eventType: secret });
  await send('POST', `/${id}/test-fire`, { eventType: 'vendor.order.assigned' });
  await send('POST', `/${uuidv7()}/rotate-secret`);
  await send('POST', `/${id}/deliveries/${uuidv7()}/redeliver`);
  await send('GET', '', undefined, `${token}x`);
  await send('GET', `/${id}/deliveries?page=${path}`);
  for (let each = 0; each < 5; each += 1)
    await send('POST', '', { url: receiver.url, eventTypes: [eventType] });
}
