import { expect, test as base, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { newWebhookSecret } from '../../../security/webhook-signature.ts';
import { webhookDeliveryStart } from '../../../temporal/delivery-starts.ts';
import { webhookDeliveryId } from '../../../workflows/ids.ts';
import { textOf } from '../../support/api/api.ts';
import { waiting } from '../../support/webhooks/delivery.ts';
import {
  findNeedles,
  memoryLog,
  needlesOfSecret,
  readAllHistories,
  type Needles,
} from '../../support/gateway/leaks.ts';
import { createWebhookRun, deadOrigin } from '../../support/webhooks/webhook-run.ts';
import {
  runResponses,
  runCommands,
  runFaults,
  runRefusals,
} from '../../support/webhooks/webhook-scenarios.ts';

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
