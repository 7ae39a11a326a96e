import { refusal, type Gateway } from '../../support/api.ts';
import { newWebhookFixture, storedSubscription, type WebhookFixture } from '../webhook-fixture.ts';
import { gatewayTest } from '../../../support/gateway/gateway-test.ts';

export const test = gatewayTest.extend('fixture', ({ gateway }) => newWebhookFixture(gateway));

export const notFound = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

export const setActive = (fixture: WebhookFixture, id: string, isActive: unknown) =>
  fixture.send('PATCH', `/${id}/active`, { isActive });

export const remove = (fixture: WebhookFixture, id: string, body?: unknown) =>
  fixture.send('DELETE', `/${id}`, body);

export const rotate = (fixture: WebhookFixture, id: string, body?: unknown) =>
  fixture.send('POST', `/${id}/rotate-secret`, body);

export const stored = (gateway: Gateway, id: string) => storedSubscription(gateway.sql, id);

export const subscribeTimes = async (fixture: WebhookFixture, count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await fixture.subscribe());
  return ids;
};
