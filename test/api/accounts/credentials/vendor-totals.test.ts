import { expect } from 'vitest';
import { newOperator } from '../../../support/api/actors.ts';
import { call, type ApiResponse } from '../../../support/api/api.ts';
import { twoProcessesTest as test } from '../../../support/api/two-processes.ts';
import { newWebhookFixture } from '../../webhooks/webhook-fixture.ts';
import { inProduction, newCredentialFixture } from './credential-fixture.ts';
// A vendor has at most twenty credentials and twenty subscriptions, with those that operators made
// (D85).

/** Checks that a given number of calls succeeded, and all others were refused for the total. */
function expectSuccesses(responses: readonly ApiResponse[], successes: number, code: string): void {
  const refused = responses.filter(({ status }) => status !== 201);
  expect(responses.length - refused.length).toBe(successes);
  for (const { state, details } of refused)
    expect({ state, details }).toMatchObject({ state: code, details: { reason: 'TOTAL_LIMIT' } });
}

test('allows exactly twenty credentials, also in concurrent creations by both sides', async ({
  processes: { one, at },
}) => {
  const { token } = await newOperator(one);
  const { vendor, add, rows } = await newCredentialFixture(one);
  for (let credentials = 1; credentials < 15; credentials += 1) await add(['Stock']);
  const body = { capabilities: 'Stock' };
  const ofStaff = { token, body: { environment: 'Production', ...body } };
  const responses = await Promise.all(
    Array.from({ length: 8 }, (_, index) => [
      call(at(index), 'POST', '/api/v1/credentials', { ...vendor, headers: inProduction, body }),
      call(at(index), 'POST', `/operator/v1/vendors/${vendor.vendorId}/credentials`, ofStaff),
    ]).flat(),
  );
  expectSuccesses(responses, 5, 'BUSINESS_VENDOR_CREDENTIAL_LIMIT');
  expect(await rows()).toHaveLength(20);
});

test("counts inactive and expired credentials, not deleted ones, after the grant's check", async ({
  processes: { one },
}) => {
  const { add, generate, remove } = await newCredentialFixture(one, ['Account', 'Stock']);
  const { id } = await add(['Stock'], { isActive: false });
  for (let credentials = 2; credentials < 20; credentials += 1)
    await add(['Stock'], { expiresAt: new Date(0) });
  const states = [(await generate('Stock')).state, (await generate('Cost')).state];
  await remove(id);
  states.push((await generate('Stock')).state, (await generate('Stock')).state);
  expect(states).toEqual([
    'BUSINESS_VENDOR_CREDENTIAL_LIMIT',
    'FORBIDDEN_CAPABILITY_NOT_GRANTED_TO_VENDOR',
    'SUCCESS',
    'BUSINESS_VENDOR_CREDENTIAL_LIMIT',
  ]);
});

test('allows exactly twenty subscriptions, with inactive ones, in concurrent creations', async ({
  processes: { one, at },
}) => {
  const { vendor, subscribe, send } = await newWebhookFixture(one);
  let id = '';
  for (let made = 0; made < 17; made += 1) {
    id = await subscribe();
    await send('PATCH', `/${id}/active`, { isActive: false });
  }
  const body = { url: 'https://vendor.example.org/hook', eventTypes: ['vendor.order.assigned'] };
  const create = (index: number) =>
    call(at(index), 'POST', '/api/v1/webhooks', { token: vendor.token, body });
  const code = 'BUSINESS_VENDOR_WEBHOOK_SUBSCRIPTION_LIMIT';
  expectSuccesses(await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(create)), 3, code);
  // A deleted one does not count.
  expect((await send('DELETE', `/${id}`)).status).toBe(200);
  expectSuccesses([await create(0), await create(1)], 1, code);
});
