import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { describe, expect, vi } from 'vitest';
import type { Dependencies } from '../../../api/dependencies.ts';
import { createTokens } from '../../../api/auth/tokens.ts';
import type { Sql } from '../../../db/core/client.ts';
import { listSealedSecrets } from '../../../db/webhooks/subscriptions/sealed-secrets.ts';
import { countSecrets } from '../../../doctor/secret-counts.ts';
import { startPollLoop } from '../../../relay/poll-loop.ts';
import { fixedRing } from '../../../security/key-ring.ts';
import { createSealer } from '../../../security/sealer.ts';
import { newVendor, type TestVendor } from '../../support/api/actors.ts';
import { runScript } from '../../support/command.ts';
import { processTest, type GatewayProcess } from '../../support/gateway/gateway-processes.ts';
import type { TestGateway } from '../../support/gateway/gateway.ts';
import {
  newSecretsKey,
  sealWithoutKeyId,
  seedSecrets,
} from '../../support/seeds/sealed-secrets.ts';
import { createDeliveryFixture, deliveriesOf, emitTo } from '../../support/webhooks/delivery.ts';
import type { ReceivedRequest, TestReceiver } from '../../support/webhooks/receiver.ts';

/** Rotates SECRETS_KEY as docs/operating/keys.md says, while subscriptions live. */

const [older, newer] = [newSecretsKey(), newSecretsKey()];
const waiting = { timeout: 60_000, interval: 50 };
const timeout = 300_000;

const test = processTest.extend('settings', { scope: 'file' }, ({ receiver }) => ({
  SECRETS_KEY: older,
  WEBHOOK_ALLOWED_ORIGINS: receiver.origin,
  WEBHOOK_RETRY_DELAYS_MS: Array.from({ length: 10 }, () => '500').join(','),
}));

function vendorOf({ sql, config }: TestGateway): Promise<TestVendor> {
  const ring = fixedRing({ signingKey: config.JWT_SIGNING_KEY });
  const tokens = createTokens({
    issuer: config.JWT_ISSUER,
    environment: 'Production',
    ring: () => ring,
  });
  // The vendor's token needs no other dependency.
  return newVendor({ sql, dependencies: { tokens, environment: 'Production' } as Dependencies });
}

/** A vendor that subscribes and rotates its secret through the API. */
function createClient(
  { sql }: TestGateway,
  { token, vendorId }: TestVendor,
  receiver: TestReceiver,
) {
  const call = async ({ url }: GatewayProcess, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/webhooks${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const { state, payload } = (await response.json()) as { state: string; payload: unknown };
    expect(state).toBe('SUCCESS');
    return payload;
  };
  const eventTypes = ['vendor.offer.review-decision'];
  return {
    subscribe: async (api: GatewayProcess): Promise<string> =>
      v.parse(
        v.object({ subscription: v.object({ id: v.string() }) }),
        await call(api, '', { url: receiver.url, eventTypes }),
      ).subscription.id,
    /** Rotates the secret through an API, and checks that an event verifies with the new one. */
    rotate: async (api: GatewayProcess, id: string): Promise<string> => {
      const rotated = await call(api, `/${id}/rotate-secret`);
      const { secret } = v.parse(v.object({ secret: v.string() }), rotated);
      const eventId = await emitTo(sql, vendorId);
      const request = await vi.waitFor(() => {
        const found = receiver.requests.find(({ headers }) => headers['webhook-id'] === eventId);
        if (found === undefined) throw new Error('not delivered yet');
        return found;
      }, waiting);
      verify(secret, request);
      return secret;
    },
  };
}

const verify = (secret: string, { body, headers }: ReceivedRequest): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

const previousOf = async (sql: Sql, ring: string): Promise<number> =>
  (await countSecrets(sql, createSealer(ring))).previous;

test.concurrent(
  'SECRETS_KEY rotates while subscriptions live, and each delivery verifies',
  { timeout },
  async ({ gateway, processes, receiver }) => {
    const { sql } = gateway;
    const fixture = await createDeliveryFixture(gateway, receiver);
    const vendor = await vendorOf(gateway);
    // Of before key ids, too.
    const secrets = await seedSecrets(sql, 300, (secret, id) =>
      sealWithoutKeyId(older, secret, id),
    );
    const start = async (ring: string) => {
      const environment = { SECRETS_KEY: ring };
      const [api, worker] = await Promise.all([
        // No proxy sends calls to an API that stops.
        processes.startApi({ ...environment, DRAIN_DELAY_MS: '0' }),
        processes.startWorker(environment),
      ]);
      return { api, worker };
    };
    const [first, second] = await Promise.all([start(older), start(older)]);
    let running = [first, second];
    const client = createClient(gateway, vendor, receiver);
    const id = await client.subscribe(first.api);
    let rotated = '';
    /** Replaces the processes one after the other, as a deployment does. */
    const rollOut = async (ring: string): Promise<void> => {
      const before = emitted;
      for (const [index, { api, worker }] of running.entries()) {
        await Promise.all([api.end('SIGTERM'), worker.end('SIGTERM')]);
        running = running.with(index, await start(ring));
        // Both rings are in use here.
        for (const { api: each } of running) rotated = await client.rotate(each, id);
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
    expect(received.length).toBeGreaterThanOrEqual(ofFixture.size);
    for (const request of received)
      expect(() => verify(fixture.subscription.secret, request)).not.toThrow();
    const sealer = createSealer(newer);
    expect(await countSecrets(sql, sealer)).toMatchObject({ previous: 0, missing: 0 });
    const sealed = await listSealedSecrets(sql, { after: null, limit: 1000 });
    expect(sealed).toHaveLength(302);
    const known = new Map([
      ...secrets,
      [fixture.subscription.id, fixture.subscription.secret],
      [id, rotated],
    ]);
    for (const each of sealed)
      expect(sealer.open(each.secretSealed, each.id)).toBe(known.get(each.id));
    const attempts = await fixture.attempts();
    expect(attempts.every(({ errorSummary }) => errorSummary === null)).toBe(true);
  },
);

describe.concurrent('resealing', () => {
  test(
    'survives the death of its worker at any moment, and loses no secret',
    { timeout },
    async ({ gateway, processes }) => {
      const { sql, client, config } = gateway;
      const secrets = await seedSecrets(sql, 1500, createSealer(older).seal);
      const ring = `${newer},${older}`;
      const kill = async (worker: GatewayProcess, leftMax: number): Promise<void> => {
        await vi.waitFor(async () => expect(await previousOf(sql, ring)).toBeLessThan(leftMax), {
          ...waiting,
          interval: 1,
        });
        await worker.end('SIGKILL');
      };
      await kill(await processes.startWorker({ SECRETS_KEY: ring }), 1500);
      await kill(await processes.startWorker({ SECRETS_KEY: ring }), 1300);
      const last = await processes.startWorker({ SECRETS_KEY: ring });
      await vi.waitFor(async () => expect(await previousOf(sql, ring)).toBe(0), waiting);
      const id = `${config.TEMPORAL_TASK_QUEUE}/secret-resealing`;
      const run = client.workflow.getHandle(id);
      expect(await run.result()).toMatchObject({ left: 0, withoutKey: 0 });
      expect(last.lines).toContainEqual(
        expect.objectContaining({ msg: 'sealed webhook secrets under the first key', left: 0 }),
      );
      const sealer = createSealer(newer);
      for (const { id: owner, secretSealed } of await listSealedSecrets(sql, {
        after: null,
        limit: 10_000,
      }))
        expect(sealer.open(secretSealed, owner)).toBe(secrets.get(owner));
    },
  );
});

describe.concurrent('a secret whose key the ring does not have', () => {
  test(
    'waits with its delivery, is named by log and health, and costs no attempt',
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
      const health = await fetch(wrong.url);
      expect([health.status, await health.json()]).toMatchObject([200, { secretsWithoutKey: 1 }]);
      await wrong.end('SIGTERM');
      expect(
        receiver.requests.filter(({ headers }) => headers['webhook-id'] === delivery.eventId),
      ).toEqual([]);
      await processes.startWorker({ SECRETS_KEY: `${newer},${older}` });
      await fixture.settled(delivery);
      expect(await fixture.attemptTexts()).toEqual(['1 succeeded']);
    },
  );
});
