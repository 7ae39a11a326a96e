import { refusal, type Gateway } from '../support/api.ts';
import { newWebhookBench, storedSubscription, type WebhookBench } from './webhook-fixture.ts';
import { gatewayTest } from '../../support/gateway-test.ts';

export const test = gatewayTest.extend('bench', ({ gateway }) => newWebhookBench(gateway));

export const notFound = refusal('NOT_FOUND_VENDOR_WEBHOOK_SUBSCRIPTION');

export const setActive = (bench: WebhookBench, id: string, isActive: unknown) =>
  bench.send('PATCH', `/${id}/active`, { isActive });

export const remove = (bench: WebhookBench, id: string, body?: unknown) =>
  bench.send('DELETE', `/${id}`, body);

export const rotate = (bench: WebhookBench, id: string, body?: unknown) =>
  bench.send('POST', `/${id}/rotate-secret`, body);

export const stored = (gateway: Gateway, id: string) => storedSubscription(gateway.sql, id);

export const subscribeTimes = async (bench: WebhookBench, count: number) => {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) ids.push(await bench.subscribe());
  return ids;
};
