import { expect, test as base } from 'vitest';
import { newOperator } from '../../../support/api/actors.ts';
import { call, refusal, type Answer } from '../../../support/api/api.ts';
import { startTwoProcesses } from '../../../support/api/two-processes.ts';
import { newWebhookFixture } from '../../webhooks/webhook-fixture.ts';
import { inProduction, newCredentialFixture } from './credential-fixture.ts';
// A vendor has at most twenty credentials and twenty subscriptions, those of operators included
// (D85).

const test = base.extend('processes', { scope: 'file' }, async ({}, { onCleanup }) => {
  const processes = await startTwoProcesses();
  onCleanup(() => processes.close());
  return processes;
});

const total = { reason: 'TOTAL_LIMIT' };
const statuses = (answers: readonly Answer[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b);

test('concurrent creations by both sides make exactly twenty credentials', async ({
  processes: { one, both },
}) => {
  const { token: staff } = await newOperator(one);
  const { vendor, add, rows } = await newCredentialFixture(one);
  for (let credentials = 1; credentials < 15; credentials += 1) await add(['Stock']);
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, index) => {
      const gateway = both[index % 4 < 2 ? 0 : 1];
      const capabilities = 'Stock';
      return index % 2 === 0
        ? call(gateway, 'POST', '/api/v1/credentials', {
            token: vendor.token,
            headers: inProduction,
            body: { capabilities },
          })
        : call(gateway, 'POST', `/operator/v1/vendors/${vendor.vendorId}/credentials`, {
            token: staff,
            body: { environment: 'Production', capabilities },
          });
    }),
  );
  expect(statuses(answers)).toEqual([
    ...Array.from({ length: 5 }, () => 201),
    ...Array.from({ length: 11 }, () => 422),
  ]);
  for (const answer of answers.filter(({ status }) => status === 422))
    expect(answer).toMatchObject(
      refusal('BUSINESS_VENDOR_CREDENTIAL_LIMIT', expect.objectContaining(total)),
    );
  expect(await rows()).toHaveLength(20);
});

test('counts inactive and expired credentials, no deleted ones, and checks the grant first', async ({
  processes: { one },
}) => {
  const { add, generate, remove } = await newCredentialFixture(one, ['Account', 'Stock']);
  const { id } = await add(['Stock'], { isActive: false });
  for (let credentials = 2; credentials < 20; credentials += 1)
    await add(['Stock'], { expiresAt: new Date(0) });
  expect((await generate({ capabilities: 'Stock' })).details).toMatchObject(total);
  expect((await generate({ capabilities: 'Cost' })).state).toBe(
    'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
  );
  await remove(id);
  expect((await generate({ capabilities: 'Stock' })).status).toBe(201);
  expect((await generate({ capabilities: 'Stock' })).status).toBe(422);
});

test('concurrent creations make exactly twenty subscriptions, inactive ones included', async ({
  processes: { one, both },
}) => {
  const { vendor, subscribe, send } = await newWebhookFixture(one);
  const ids: string[] = [];
  for (let made = 0; made < 17; made += 1) {
    const id = await subscribe();
    ids.push(id);
    await send('PATCH', `/${id}/active`, { isActive: false });
  }
  const body = { url: 'https://vendor.example.org/hook', eventTypes: ['vendor.order.assigned'] };
  const { token } = vendor;
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      call(both[index % 2 === 0 ? 0 : 1], 'POST', '/api/v1/webhooks', { token, body }),
    ),
  );
  expect(statuses(answers)).toEqual([201, 201, 201, 422, 422, 422, 422, 422]);
  for (const answer of answers.filter(({ status }) => status === 422)) {
    expect(answer.state).toBe('BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT');
    expect(answer.details).toMatchObject(total);
  }
  // A deleted one does not count.
  expect((await send('DELETE', `/${ids[0]}`)).status).toBe(200);
  await subscribe();
  expect((await send('POST', '', body)).details).toMatchObject(total);
});
