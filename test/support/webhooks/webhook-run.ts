import { expect, vi } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { Logger } from 'pino';
import { buildApp } from '../../../api/app.ts';
import { checkUrl } from '../../../guardrail/url.ts';
import { createSealer } from '../../../security/sealer.ts';
import { createTestFires } from '../../../api/webhooks/test-fires.ts';
import { appOptions, gatewayOver, itemsOf, textOf, type ApiResponse } from '../api/api.ts';
import { newWebhookFixture, subscriptionIdOf } from '../../api/webhooks/webhook-fixture.ts';
import { addDeliveries } from '../../db/webhooks/delivery-rows.ts';
import { deliveriesOf, waiting } from './delivery.ts';
import { createTestGateway } from '../gateway/gateway.ts';
import { startTestReceiver } from './receiver.ts';

export const eventType = 'vendor.offer.review-decision';
/** A port without a listener. */
export const deadOrigin = 'http://127.0.0.1:1';

const countFailures = (lines: readonly string[]): number =>
  lines.filter((line) => line.includes('a first attempt could not be made')).length;

/** A gateway with its API, a vendor and its receiver; all of it writes to one log. */
export async function createWebhookRun(log: Logger, lines: readonly string[]) {
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
export type WebhookRun = Awaited<ReturnType<typeof createWebhookRun>>;
