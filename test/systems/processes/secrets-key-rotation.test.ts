import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { expect, vi } from 'vitest';
import type { Sql } from '../../../db/core/client.ts';
import { listSealedSecrets } from '../../../db/webhooks/subscriptions/sealed-secrets.ts';
import { countSecrets } from '../../../doctor/secret-counts.ts';
import { startPollLoop } from '../../../relay/poll-loop.ts';
import { createApiClient } from '../../../scripts/demo/api-client.ts';
import { createSealer } from '../../../security/sealer.ts';
import { runScript } from '../../support/command.ts';
import { holdLock } from '../../support/database/locks.ts';
import { processTest, type GatewayProcess } from '../../support/gateway/gateway-processes.ts';
import {
  newSecretsKey,
  sealWithoutKeyId,
  seedSecrets,
} from '../../support/seeds/sealed-secrets.ts';
import { seedSubscription } from '../../support/seeds/seed.ts';
import { createDeliveryFixture, deliveriesOf, emitTo } from '../../support/webhooks/delivery.ts';
import { status, type ReceivedRequest } from '../../support/webhooks/receiver.ts';
import { callersOf } from './callers.ts';

/** Rotates SECRETS_KEY as docs/operating/keys.md says, while subscriptions live. */

const [older, newer] = [newSecretsKey(), newSecretsKey()];
const waiting = { timeout: 60_000, interval: 50 };
const timeout = 300_000;

const test = processTest.extend('settings', { scope: 'file' }, () => ({
  SECRETS_KEY: older,
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 10 }, () => '500').join(','),
}));

const withSecret = v.object({ secret: v.string() });

const verify = (secret: string, { body, headers }: ReceivedRequest): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const previousOf = async (sql: Sql, ring: string): Promise<number> =>
  (await countSecrets(sql, createSealer(ring))).previous;

/** All secrets by their ids; the newer key opens each. */
async function expectSecrets(sql: Sql, known: ReadonlyMap<string, string>): Promise<void> {
  const sealer = createSealer(newer);
  const sealed = await listSealedSecrets(sql, { after: null, limit: 10_000 });
  expect(new Map(sealed.map((one) => [one.id, sealer.open(one.secretSealed, one.id)]))).toEqual(
    known,
  );
}

test.concurrent(
  'signs each delivery validly while SECRETS_KEY rotates',
  { timeout },
  async ({ gateway, processes, receiver, onTestFinished }) => {
    const { sql } = gateway;
    const fixture = await createDeliveryFixture(gateway, receiver);
    // Some of the first attempts of this vendor fail: nothing becomes a dead letter.
    receiver.answerWith((response, count) => {
      const isOwn = receiver.requests[count - 1]?.body.includes(fixture.vendorId) === true;
      status(isOwn && count % 5 === 0 ? 503 : 200)(response);
    });
    // Of before key ids, too.
    const secrets = await seedSecrets(sql, 300, (secret, id) =>
      sealWithoutKeyId(older, secret, id),
    );
    const start = async (ring: string) => {
      // No proxy sends calls to an API that stops.
      const environment = { SECRETS_KEY: ring, DRAIN_DELAY_MS: '0' };
      const [api, worker] = await Promise.all([
        processes.startApi(environment),
        processes.startWorker(environment),
      ]);
      return { api, worker };
    };
    const [first, second] = await Promise.all([start(older), start(older)]);
    let running = [first, second];
    const { newVendor } = await callersOf(gateway, first.api.url);
    const vendor = await newVendor('Vendor');
    const token = await vendor.token();
    const { id } = await seedSubscription(sql, vendor.vendorId, receiver.url, older);
    let rotated = '';
    /** Rotates the secret through an API, and checks that an event verifies with the new one. */
    const rotate = async ({ url }: GatewayProcess): Promise<void> => {
      const caller = createApiClient(url).withToken(() => token);
      const rotation = `POST /api/v1/webhooks/${id}/rotate-secret`;
      rotated = (await caller.expect(rotation, withSecret)).secret;
      const eventId = await emitTo(sql, vendor.vendorId);
      const request = await vi.waitFor(() => {
        const found = receiver.requests.find(({ headers }) => headers['webhook-id'] === eventId);
        return found ?? expect.unreachable('not delivered yet');
      }, waiting);
      verify(rotated, request);
    };
    /** Replaces the processes one after the other, as a deployment does. */
    const rollOut = async (ring: string): Promise<void> => {
      const before = emitted;
      for (const [index, { api, worker }] of running.entries()) {
        await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
        expect(worker.lines.at(-1)).toMatchObject({ msg: 'worker has stopped' });
        running = running.with(index, await start(ring));
        // Both rings are in use here.
        for (const { api: each } of running) await rotate(each);
      }
      await vi.waitFor(() => expect(emitted).toBeGreaterThan(before + 20), waiting);
    };

    let emitted = 0;
    const emitting = startPollLoop(async () => {
      await fixture.emitMany(2);
      emitted += 2;
      await vi.waitFor(async () => {
        const [row] = await sql<[{ waiting: number }]>`
          select count(*)::int as waiting from webhook_deliveries where state = 'waiting'`;
        expect(row.waiting).toBeLessThan(20);
      }, waiting);
      return { ms: 20 };
    });
    onTestFinished(emitting.stop);
    await rollOut(`${older},${newer}`);
    await rollOut(`${newer},${older}`);
    await vi.waitFor(
      async () => expect(await previousOf(sql, `${newer},${older}`)).toBe(0),
      waiting,
    );
    const doctor = await runScript('scripts/doctor.ts', ['--check', 'secret-under-old-key'], {
      DATABASE_URL: gateway.ownerUrl,
      TEMPORAL_ADDRESS: gateway.config.TEMPORAL_ADDRESS ?? '',
      SECRETS_KEY: `${newer},${older}`,
    });
    expect(doctor).toMatchObject({ code: 0, stderr: '' });
    await rollOut(newer);
    await emitting.stop();

    await vi.waitFor(async () => {
      const [row] = await sql<[{ succeeded: number }]>`
        select count(*)::int as succeeded from webhook_deliveries
        where vendor_id = ${fixture.vendorId} and state = 'succeeded'`;
      expect(row.succeeded).toBe(emitted);
    }, waiting);
    const ofFixture = new Set(
      (await deliveriesOf(sql, fixture.vendorId)).map(({ eventId }) => eventId),
    );
    const received = receiver.requests.filter(({ headers }) =>
      ofFixture.has(String(headers['webhook-id'])),
    );
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(ofFixture);
    for (const request of received)
      expect(() => verify(fixture.subscription.secret, request)).not.toThrow();
    await expectSecrets(
      sql,
      new Map([...secrets, [fixture.subscription.id, fixture.subscription.secret], [id, rotated]]),
    );
    const attempts = await fixture.attempts();
    expect(new Set(attempts.map(({ errorSummary }) => errorSummary))).toEqual(
      new Set([null, 'http_status: 503']),
    );
  },
);

test.concurrent(
  'completes resealing after a kill of its worker at any moment, and loses no secret',
  { timeout },
  async ({ gateway, processes }) => {
    const { sql, client, config } = gateway;
    const secrets = await seedSecrets(sql, 1500, createSealer(older).seal);
    const ring = `${newer},${older}`;
    // The last secret is held, so that no worker ends before its death.
    const last = [...secrets.keys()].at(-1) ?? '';
    const lock = sql`select from webhook_subscriptions where id = ${last} for update`;
    const release = await holdLock(sql, lock);
    const kill = async (worker: GatewayProcess, leftMax: number): Promise<void> => {
      await vi.waitFor(async () => expect(await previousOf(sql, ring)).toBeLessThan(leftMax), {
        ...waiting,
        interval: 1,
      });
      await worker.end('SIGKILL');
    };
    await kill(await processes.startWorker({ SECRETS_KEY: ring }), 1500);
    await kill(await processes.startWorker({ SECRETS_KEY: ring }), 1300);
    await release();
    const survivor = await processes.startWorker({ SECRETS_KEY: ring });
    await vi.waitFor(async () => expect(await previousOf(sql, ring)).toBe(0), waiting);
    const id = `${config.TEMPORAL_TASK_QUEUE}/secret-resealing`;
    const run = client.workflow.getHandle(id);
    expect(await run.result()).toMatchObject({ left: 0, withoutKey: 0 });
    expect(survivor.lines).toContainEqual(
      expect.objectContaining({ msg: 'sealed webhook secrets under the first key', left: 0 }),
    );
    await expectSecrets(sql, secrets);
  },
);

test.concurrent(
  'makes no attempt while the key of a secret is missing, and reports it in log and health',
  { timeout },
  async ({ gateway, processes, receiver }) => {
    const fixture = await createDeliveryFixture(gateway, receiver);
    const wrong = await processes.startWorker({ SECRETS_KEY: newer });
    const [keyId] = createSealer(older).keyIds;
    const delivery = await fixture.emit();
    await vi.waitFor(() => {
      expect(wrong.lines).toContainEqual(
        expect.objectContaining({
          level: 50,
          msg:
            'webhook secrets are sealed under keys that SECRETS_KEY does not have; ' +
            'add these keys',
          keyIds: [keyId],
          secrets: 1,
        }),
      );
      expect(JSON.stringify(wrong.lines)).toContain(
        `the webhook secret is sealed under the key ${keyId}: add that key to SECRETS_KEY`,
      );
    }, waiting);
    // Another part of a worker on a busy machine may be unavailable for a moment.
    await vi.waitFor(async () => {
      const health = await fetch(wrong.url);
      expect([health.status, await health.json()]).toMatchObject([200, { secretsWithoutKey: 1 }]);
    }, waiting);
    await wrong.end('SIGTERM');
    expect(
      receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery.eventId),
    ).toEqual([]);
    await processes.startWorker({ SECRETS_KEY: `${newer},${older}` });
    await fixture.settled(delivery);
    expect(await fixture.attemptTexts()).toEqual(['1 succeeded']);
  },
);
