import { expect, test as base, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { webhookDeliveryStart } from '../../../temporal/delivery-starts.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import {
  textOf,
  appOptions,
  gatewayOver,
  itemsOf,
  type ApiResponse,
} from '../../support/api/api.ts';
import { waiting, emitTo, deliveriesOf } from '../../support/webhooks/delivery.ts';
import { memoryLog } from '../../support/memory-log.ts';
import { readableHistory } from '../../support/history.ts';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { listHistories } from '../../../temporal/runs/histories.ts';
import { ofQueues } from '../../../temporal/task-queues.ts';
import { leastId } from '../../../db/checks/waiting-rows.ts';
import { claimDeliveries } from '../../../db/webhooks/delivery-queue.ts';
import {
  notForAWhile,
  status,
  statuses,
  type TestReceiver,
  startTestReceiver,
} from '../../support/webhooks/receiver.ts';
import type { Logger } from 'pino';
import { buildApp } from '../../../api/app.ts';
import { checkUrl } from '../../../guardrail/url.ts';
import { createSealer } from '../../../security/sealer.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { newWebhookFixture, subscriptionIdOf } from '../../api/webhooks/webhook-fixture.ts';
import { addDeliveries } from '../../db/webhooks/delivery-rows.ts';
import { createTestGateway, type TestGateway } from '../../support/gateway/gateway.ts';

/** What must be found nowhere, by the name that a report has for it. */
type Needles = Readonly<Record<string, string | Buffer>>;

/** A webhook secret in each form in which it would be of use to a thief. */
function needlesOfSecret(name: string, secret: string): Needles {
  const base64 = secret.slice('whsec_'.length);
  const raw = Buffer.from(base64, 'base64');
  return {
    [name]: secret,
    [`${name} without its prefix`]: base64.replace(/=+$/, ''),
    [`${name} as bytes`]: raw,
    [`${name} in hex`]: raw.toString('hex'),
    [`${name} for URLs`]: raw.toString('base64url'),
  };
}

/** Which of them a text or a payload has in it. */
const findNeedles = (needles: Needles, hay: string | Buffer): readonly string[] =>
  Object.entries(needles).flatMap(([name, needle]) =>
    Buffer.from(hay).includes(needle) ? [name] : [],
  );

/**
 * The histories of all runs of a gateway's task queue, its schedules' and samples' among them: each
 * as text with its payloads decoded, and each payload's bytes.
 */
async function readAllHistories({ client, config }: TestGateway) {
  const read: { workflowId: string; type: string; parts: readonly (string | Buffer)[] }[] = [];
  const query = ofQueues(config.TEMPORAL_TASK_QUEUE);
  for await (const { run, history } of listHistories(client, query)) {
    const { workflowId, runId, type } = run;
    const payloads: Buffer[] = [];
    JSON.parse(historyToJSON(history), (key, value: unknown) => {
      if (key === 'data' && typeof value === 'string') payloads.push(Buffer.from(value, 'base64'));
      return value;
    });
    const text = await readableHistory(client, workflowId, runId);
    read.push({ workflowId, type, parts: [text, ...payloads] });
  }
  return read;
}

const eventType = 'vendor.offer.review-decision';
/** A port without a listener. */
const deadOrigin = 'http://127.0.0.1:1';

const countFailures = (lines: readonly string[]): number =>
  lines.filter((line) => line.includes('a first attempt could not be made')).length;

/** A gateway with its API, a vendor and its receiver; all of it writes to one log. */
async function createWebhookRun(log: Logger, lines: readonly string[]) {
  const receiver = await startTestReceiver();
  const allowedOrigins = [receiver.origin, deadOrigin];
  const gateway = await createTestGateway(
    {
      WEBHOOK_ALLOWED_ORIGINS: allowedOrigins.join(','),
      WEBHOOK_RETRY_DELAYS_MS: '20',
      WEBHOOK_TIMEOUT_MS: '1000',
    },
    log,
  );
  const { sql, config } = gateway;
  const { app: quietApp, dependencies } = await gatewayOver(sql, {
    testFires: createTestFires(sql, config.WEBHOOK_TIMEOUT_MS),
    sealer: createSealer(config.SECRETS_KEY),
    checkDestination: (url) =>
      Promise.resolve(checkUrl(url, { allowedPorts: [443], allowedOrigins })),
  });
  const app = await buildApp(dependencies, { ...appOptions, log, handlerTimeoutMs: 30_000 });
  const fixture = await newWebhookFixture({ app, sql, dependencies });
  const { vendor } = fixture;
  const refusals: ApiResponse[] = [];
  const send: typeof fixture.send = async (...sent) => {
    const response = await fixture.send(...sent);
    if (response.status >= 400) refusals.push(response);
    return response;
  };
  const stored = () => deliveriesOf(sql, vendor.vendorId);

  return {
    /**
     * What must not get anywhere but into the receiver's hands: it is in every event's body, and in
     * the URL.
     */
    bodyText: `body-${uuidv7()}`,
    path: `path-${uuidv7()}`,
    receiver,
    gateway,
    vendor,
    refusals,
    /** A vendor's call, whose refusal is kept. */
    send,
    stored,
    subscribe: async (url: string) => {
      const made = await fixture.create({ url, eventTypes: [eventType] });
      return { id: subscriptionIdOf(made), secret: textOf(made, 'secret') };
    },
    emit: (reason: string, count = 1) =>
      sql.begin((transaction) => addDeliveries(transaction, vendor, count, { reason })),
    untilAllEnded: (): Promise<void> =>
      vi.waitFor(async () => {
        expect((await stored()).filter(({ state }) => state === 'waiting')).toEqual([]);
        expect(await sql`select from outbox`).toHaveLength(0);
      }, waiting),
    latestAttempt: async (id: string): Promise<Readonly<Record<string, unknown>>> =>
      itemsOf(await send('GET', `/${id}/deliveries`))[0] ?? {},
    /** Until a first attempt could not be made, or its result not be stored. */
    untilAttemptFailed: (): Promise<void> => {
      const before = countFailures(lines);
      return vi.waitFor(() => expect(countFailures(lines)).toBeGreaterThan(before), waiting);
    },
    /**
     * From now on Postgres takes no result, and says so with the row's URL in each of its texts.
     */
    refuseResults: async (): Promise<void> => {
      await sql.unsafe(`
        create function refuse_result() returns trigger language plpgsql as $$
        declare known_url text;
        begin
          select url into known_url from webhook_subscriptions where id = new.subscription_id;
          raise exception using
            message = 'not taken: ' || known_url, detail = known_url, hint = known_url;
        end $$;
        create trigger refuse_result before insert or update on webhook_attempts
        for each row when (new.succeeded is not null) execute function refuse_result()`);
    },
    takeResults: async (): Promise<void> => {
      await sql.unsafe('drop trigger refuse_result on webhook_attempts');
    },
    close: async (): Promise<void> => {
      await Promise.all([app.close(), quietApp.close()]);
      await gateway.stop();
      await receiver.close();
    },
  };
}
type WebhookRun = Awaited<ReturnType<typeof createWebhookRun>>;

/** Every kind of response that an attempt may get, the receiver's words among them. */
async function runResponses({
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
async function runCommands(webhookRun: WebhookRun, id: string): Promise<void> {
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
async function runFaults(webhookRun: WebhookRun, id: string): Promise<void> {
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
async function runRefusals(
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

const resealing = 'secretResealing';
const { log, lines } = memoryLog();

const test = base.extend('webhookRun', async ({}, { onCleanup }) => {
  const webhookRun = await createWebhookRun(log, lines);
  onCleanup(() => webhookRun.close());
  return webhookRun;
});

test('writes no secret, body, receiver path or token into a history, log line or refusal', async ({
  webhookRun,
}) => {
  await webhookRun.gateway.startWorker();
  const { bodyText, path, vendor, gateway, receiver, refusals, send } = webhookRun;
  const { id, secret } = await webhookRun.subscribe(`${receiver.origin}/${path}`);
  const dead = await webhookRun.subscribe(`${deadOrigin}/${path}`);
  await webhookRun.emit(bodyText);
  await webhookRun.untilAllEnded();
  expect(await send('DELETE', `/${dead.id}`)).toMatchObject({ status: 200 });
  await runResponses(webhookRun);
  const rotated = textOf(await send('POST', `/${id}/rotate-secret`), 'secret');
  await runCommands(webhookRun, id);
  await runFaults(webhookRun, id);
  await runRefusals(webhookRun, id, secret);

  const needles: Needles = {
    ...needlesOfSecret('the first secret', secret),
    ...needlesOfSecret('the rotated secret', rotated),
    ...needlesOfSecret('the deleted one’s secret', dead.secret),
    body: bodyText,
    path,
    token: vendor.token,
    'the token’s signature': vendor.token.split('.')[2] ?? '',
  };
  // All that was sent has them: they are what a leak would be of.
  expect(receiver.requests.filter(({ body }) => body.includes(bodyText)).length).toBeGreaterThan(
    20,
  );
  const deliveries = await webhookRun.stored();
  expect(new Set(deliveries.map(({ state }) => state))).toEqual(
    new Set(['succeeded', 'deadLettered', 'cancelled', 'failed']),
  );
  const summaries = await gateway.sql<{ kind: string }[]>`
    select distinct split_part(error_summary, ':', 1) as kind from webhook_attempts
    where error_summary is not null order by 1`;
  expect(summaries.map(({ kind }) => kind.split(' ')[0])).toEqual([
    'connection_refused',
    'connection_reset',
    'http_status',
    'redirect_not_followed',
    'subscription_inactive',
    'timeout',
    'worker_lost',
  ]);
  // A delivery that succeeds while many end has no run, nor has one whose first attempt was lost
  // with its worker and was made again.
  const failed = await gateway.sql<{ deliveryId: string }[]>`
    select delivery_id from webhook_attempts
    where error_summary is null or error_summary not like 'worker_lost%'
    group by delivery_id having count(*) > 1`;
  const retried = new Set(failed.map(({ deliveryId }) => deliveryId));
  const runs = deliveries
    .filter(({ id: deliveryId, state }) => retried.has(deliveryId) && state !== 'cancelled')
    .map((each) => webhookDeliveryId(each.id));
  expect(runs.length).toBeGreaterThan(0);
  const histories = await vi.waitFor(async () => {
    const read = await readAllHistories(gateway);
    expect(read.map(({ workflowId }) => workflowId)).toEqual(expect.arrayContaining(runs));
    return read;
  }, waiting);
  // The watch of secrets may have seen the one that cannot be opened, and asked to seal it anew.
  const types = new Set(histories.map(({ type }) => type).filter((type) => type !== resealing));
  expect(types).toEqual(new Set(['webhookDelivery']));
  for (const { workflowId, parts } of histories) {
    expect([workflowId, ...parts.flatMap((part) => findNeedles(needles, part))]).toEqual([
      workflowId,
    ]);
  }
  expect(lines.filter((line) => findNeedles(needles, line).length > 0)).toEqual([]);
  expect(new Set(refusals.map((response) => response.status))).toEqual(
    new Set([400, 401, 404, 422]),
  );
  expect(refusals.flatMap(({ text }) => findNeedles(needles, text))).toEqual([]);
}, 240_000);

test('finds a planted secret, body, path and token in a history', async ({ webhookRun }) => {
  const { bodyText, path, vendor, gateway } = webhookRun;
  const secret = newWebhookSecret();
  const needles: Needles = {
    ...needlesOfSecret('secret', secret),
    body: bodyText,
    path,
    token: vendor.token,
  };
  const from = { attempts: 0, tries: 0, dueAt: null };
  const ids = { deliveryId: uuidv7(), vendorId: uuidv7() };
  const input = { ...ids, retryDelaysMs: [], timeoutMs: 1000, from };
  const texts = Object.values(needles).filter((needle) => typeof needle === 'string');
  const start = webhookDeliveryStart(
    { ...input, eventType: texts.join(' ') },
    gateway.config.TEMPORAL_TASK_QUEUE,
  );
  const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const run = await gateway.client.workflow.start('webhookDelivery', { ...start, memo: { bytes } });
  await vi.waitFor(async () => {
    const parts = (await readAllHistories(gateway)).flatMap((history) => history.parts);
    const found = parts.flatMap((part) => findNeedles(needles, part));
    expect(new Set(found)).toEqual(new Set(Object.keys(needles)));
  }, waiting);
  await run.terminate();
});
