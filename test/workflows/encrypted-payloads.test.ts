import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { describe, expect, vi } from 'vitest';
import { createDecisions } from '../../temporal/decisions.ts';
import { readHistories } from '../../temporal/runs/histories.ts';
import { ofQueues } from '../../temporal/task-queues.ts';
import { dataConverterOf } from '../../codec/payload-codec.ts';
import { offerReviewId, returnInspectionId, webhookDeliveryId } from '../../workflows/ids.ts';
import { runScript } from '../support/command.ts';
import { processTest } from '../support/gateway/gateway-processes.ts';
import type { TestGateway } from '../support/gateway/gateway.ts';
import { createInspectionFixture } from '../support/returns/inspection.ts';
import { moveAsStaff } from '../support/returns/seed-returns.ts';
import { seedCommand, seedOffer, seedVariant, seedVendor } from '../support/seeds/seed.ts';
import { createDeliveryFixture, waiting } from '../support/webhooks/delivery.ts';
import { status, type TestReceiver } from '../support/webhooks/receiver.ts';

/** TEMPORAL_PAYLOAD_KEY: what Temporal stores, and who can still read it. */

const [key, older] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
const timeout = 180_000;

const test = processTest
  .extend('settings', { scope: 'file' }, ({ receiver }) => ({
    WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
    WEBHOOK_RETRY_DELAYS_MS: '200,200,3600000',
  }))
  /** The paths of the receiver that answer 503; each test has its own. */
  .extend('failing', { scope: 'file' }, ({ receiver }) => {
    const failing = new Set<string>();
    receiver.answerWith((response) => {
      status(failing.has(response.req.url ?? '') ? 503 : 200)(response);
    });
    return failing;
  })
  .extend('folder', ({}, { onCleanup }) => {
    const folder = mkdtempSync(join(tmpdir(), 'vendor-gateway-encrypted-'));
    onCleanup(() => rmSync(folder, { recursive: true }));
    return folder;
  });

/** The gateway with the keys that another process has. */
function withKey(gateway: TestGateway, payloadKey: string | undefined): TestGateway {
  const { connection } = gateway.client;
  const dataConverter = dataConverterOf({ TEMPORAL_PAYLOAD_KEY: payloadKey });
  const client = new Client({ connection, dataConverter });
  const { TEMPORAL_TASK_QUEUE: taskQueue, DECISION_TIMEOUT_MS: timeoutMs } = gateway.config;
  return { ...gateway, client, decisions: createDecisions(client, { taskQueue, timeoutMs }) };
}

/** A review, an inspection and a delivery, each with an open run. */
async function openRuns(gateway: TestGateway, receiver: TestReceiver, failing: Set<string>) {
  const path = `/${randomUUID()}`;
  const deliveries = await createDeliveryFixture(gateway, receiver, `${receiver.origin}${path}`);
  const inspections = await createInspectionFixture(gateway);
  const offer = await seedOffer(gateway.sql, await seedVendor(gateway.sql));
  const request = await inspections.underInspection(3_600_000);
  failing.add(path);
  const delivery = await deliveries.emit();
  await deliveries.untilWaiting(delivery, 3);
  failing.delete(path);
  const ids = [
    offerReviewId(offer.id),
    returnInspectionId(request.id),
    webhookDeliveryId(delivery.id),
  ];
  await vi.waitFor(async () => {
    for (const id of ids) await gateway.client.workflow.getHandle(id).describe();
  }, waiting);
  return { deliveries, inspections, offer, request, delivery, ids };
}

/** Ends all of these runs by commands, as a process with other keys sends them. */
async function endRuns(
  { sql, client, decisions }: TestGateway,
  { deliveries, inspections, offer, request, delivery, ids }: Awaited<ReturnType<typeof openRuns>>,
): Promise<void> {
  const variantId = await seedVariant(sql);
  const { id, operatorId } = inspections.operator;
  const approve = { action: 'approve', variantId, expectedVersion: null } as const;
  const approved = await decisions.decideOffer(
    { offerId: offer.id, vendorId: offer.vendorId },
    { action: 'approve', commandId: await seedCommand(sql, id, offer.id, approve), operatorId },
  );
  expect(approved).toMatchObject({ ok: true });
  const { vendorId, times } = request;
  const decide = { action: 'decide', outcome: 'Rejected', reason: 'Broken' } as const;
  const decided = await decisions.decideReturn(
    {
      returnId: request.id,
      vendorId,
      inspectionStartMs: times.startMs,
      inspectionWindowMs: times.windowMs,
    },
    { action: 'decide', commandId: await inspections.note(request, decide), operatorId },
  );
  expect(decided).toMatchObject({ ok: true });
  await moveAsStaff(sql, request, 'close');
  await deliveries.switchOff();
  await deliveries.settled(delivery);
  for (const each of ids) await client.workflow.getHandle(each).result();
}

type Json = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

const decode = (text: unknown): string => Buffer.from(String(text), 'base64').toString();

/** The encodings of a run's payloads, as the server stores them, by their place. */
async function payloadsOf({ client }: TestGateway, workflowId: string) {
  const plain = new Client({ connection: client.connection });
  const history = await plain.workflow.getHandle(workflowId).fetchHistory();
  const found: { readonly place: string; readonly encoding: string; readonly text: string }[] = [];
  const walk = (value: unknown, place: readonly string[]): void => {
    if (!isObject(value)) return;
    const { metadata, data } = value;
    if (isObject(metadata) && typeof metadata['encoding'] === 'string') {
      const encoding = decode(metadata['encoding']);
      found.push({ place: place.join('.'), encoding, text: decode(data ?? '') });
    } else for (const [name, each] of Object.entries(value)) walk(each, [...place, name]);
  };
  walk(JSON.parse(historyToJSON(history)), []);
  return found;
}

/** Search attributes, and the SDK's own note about a local activity: its name and its times. */
const staysReadable = ({ place }: { readonly place: string }): boolean =>
  place.includes('.indexedFields.') || /\.details\.data\.payloads\./.test(place);

/** Replays what Temporal has of a gateway, with the keys of the environment. */
const replay = ({ config }: TestGateway, payloadKey: string, ...args: readonly string[]) =>
  runScript('scripts/replay.ts', args, {
    TEMPORAL_ADDRESS: config.TEMPORAL_ADDRESS ?? '',
    ...(payloadKey === '' ? {} : { TEMPORAL_PAYLOAD_KEY: payloadKey }),
  });

test.concurrent(
  'with a key, Temporal stores nothing of the inputs that it can read but search attributes',
  { timeout },
  async ({ gateway: without, processes, receiver, failing, folder }) => {
    const gateway = withKey(without, key);
    await processes.startWorker({ TEMPORAL_PAYLOAD_KEY: key });
    const runs = await openRuns(gateway, receiver, failing);
    await endRuns(gateway, runs);
    for (const id of runs.ids) {
      const payloads = await payloadsOf(gateway, id);
      const readable = payloads.filter(({ encoding }) => encoding !== 'binary/encrypted');
      expect(readable.filter((payload) => !staysReadable(payload))).toEqual([]);
      expect(payloads.length).toBeGreaterThan(readable.length + 3);
      // Search attributes stay readable, so that the lists of the UI work.
      expect(readable.map(({ place }) => place.split('.').at(-1))).toContain('VendorId');
      const stored = JSON.stringify(payloads.filter((payload) => !staysReadable(payload)));
      for (const text of [runs.offer.vendorId, runs.offer.id, 'Review of', 'Rejected'])
        expect(stored).not.toContain(text);
    }
    const query = ofQueues(gateway.config.TEMPORAL_TASK_QUEUE);
    const replayed = await replay(gateway, `${older},${key}`, '--query', query);
    expect(replayed).toMatchObject({ code: 0 });
    for (const id of runs.ids) expect(replayed.stdout).toContain(`fits    ${id} `);

    // A history as the Temporal CLI writes it.
    const file = join(folder, 'history.json');
    const plain = new Client({ connection: gateway.client.connection });
    const [id = ''] = runs.ids;
    const raw = historyToJSON(await plain.workflow.getHandle(id).fetchHistory());
    writeFileSync(file, raw);
    expect(await replay(gateway, key, file)).toMatchObject({ code: 0 });
    const refused = await replay(gateway, '', file);
    expect(refused.code).toBe(1);
    expect(`${refused.stdout}${refused.stderr}`).toContain('add that key to TEMPORAL_PAYLOAD_KEY');
  },
);

test.concurrent(
  'a case file is decrypted, and the doctor searches what is encrypted',
  { timeout },
  async ({ gateway: without, processes, folder }) => {
    const gateway = withKey(without, key);
    await processes.startWorker({ TEMPORAL_PAYLOAD_KEY: key });
    const vendorId = await seedVendor(gateway.sql);
    const offer = await seedOffer(gateway.sql, vendorId);
    const id = offerReviewId(offer.id);
    await vi.waitFor(() => gateway.client.workflow.getHandle(id).describe(), waiting);
    const file = join(folder, 'case.json');
    const made = await runScript('scripts/case.ts', ['offer', offer.id, '--out', file], {
      DATABASE_URL: gateway.ownerUrl,
      TEMPORAL_ADDRESS: gateway.config.TEMPORAL_ADDRESS ?? '',
      TEMPORAL_PAYLOAD_KEY: key,
    });
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(Buffer.from('binary/encrypted').toString('base64'));
    expect(await replay(gateway, '', file)).toMatchObject({ code: 0 });

    const leaked = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const run = await gateway.client.workflow.start('offerReview', {
      taskQueue: gateway.config.TEMPORAL_TASK_QUEUE,
      workflowId: `offer-review/leak-of-${offer.id}`,
      args: [{ offerId: offer.id, vendorId, note: leaked }],
    });
    await vi.waitFor(async () => {
      const settings = { taskQueue: gateway.config.TEMPORAL_TASK_QUEUE, runsMax: 100 };
      const events: string[] = [];
      for await (const history of readHistories(gateway.client, settings))
        events.push(...history.events);
      expect(events.join('\n')).toContain(leaked);
    }, waiting);
    await run.terminate('done');
  },
);

const environmentOf = (payloadKey: string): Readonly<Record<string, string>> =>
  payloadKey === '' ? {} : { TEMPORAL_PAYLOAD_KEY: payloadKey };

describe.concurrent('runs that are open while TEMPORAL_PAYLOAD_KEY changes', () => {
  const changes = {
    'is switched on': ['', `none,${key}`, key],
    'is rotated': [older, `${older},${key}`, `${key},${older}`],
    'is switched off': [key, `none,${key}`, `none,${key}`],
  } as const;

  test.for(Object.entries(changes))(
    'go on when it %s, and their histories replay',
    { timeout },
    async ([, [before, both, after]], { gateway: without, processes, receiver, failing }) => {
      const first = await processes.startWorker(environmentOf(before));
      const opening = withKey(without, before === '' ? undefined : before);
      const runs = await openRuns(opening, receiver, failing);
      // The old and the new worker run side by side, as while processes are replaced.
      const second = await processes.startWorker(environmentOf(both));
      await first.end('SIGTERM');
      await processes.startWorker(environmentOf(after));
      await second.end('SIGTERM');
      await endRuns(withKey(without, after), runs);
      const encodings = await Promise.all(
        runs.ids.map(async (id) =>
          (await payloadsOf(without, id))
            .filter((payload) => !staysReadable(payload))
            .map(({ encoding }) => encoding === 'binary/encrypted'),
        ),
      );
      if (before !== older)
        for (const each of encodings) expect(new Set(each)).toEqual(new Set([true, false]));
      const ring = after === '' ? key : after.replace(/^none,/, '');
      const queue = ofQueues(without.config.TEMPORAL_TASK_QUEUE);
      const replayed = await replay(without, ring, '--query', queue);
      expect(replayed).toMatchObject({ code: 0 });
      for (const id of runs.ids) expect(replayed.stdout).toContain(`fits    ${id} `);
    },
  );
});
