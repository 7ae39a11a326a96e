import { expect } from 'vitest';
import { newOperator, newVendor } from '../support/actors.ts';
import { call, fieldErrorsOf, refusal, textOf, type Gateway } from '../support/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const ask = (gateway: Gateway, body: unknown) =>
  call(gateway, 'POST', '/operator/v1/auth/token', { body });

test('the right secret gets a token of 900 seconds with the roles of the operator', async ({
  gateway,
}) => {
  const { id, operatorId, operatorSecret } = await newOperator(gateway, ['Reviewer', 'Operations']);
  const answer = await ask(gateway, { operatorId, operatorSecret });
  expect(answer).toMatchObject({ status: 200, state: 'SUCCESS' });
  expect(answer.payload).toEqual({
    accessToken: expect.any(String),
    tokenType: 'Bearer',
    expiresIn: 900,
  });
  expect(gateway.dependencies.tokens.verify(textOf(answer, 'accessToken'))).toEqual({
    side: 'operator',
    id,
    operatorId,
    roles: ['Reviewer', 'Operations'],
    tokenGeneration: 1,
  });
});

test('unknown id, wrong secret, inactive operator and vendor get the same answer', async ({
  gateway,
}) => {
  const { operatorId } = await newOperator(gateway);
  const inactive = await newOperator(gateway);
  await gateway.sql`update operators set is_active = false where id = ${inactive.id}`;
  const vendor = await newVendor(gateway);
  const texts = new Set<string>();
  for (const body of [
    { operatorId: 'nobody', operatorSecret: 'x' },
    { operatorId, operatorSecret: 'x' },
    { operatorId: inactive.operatorId, operatorSecret: inactive.operatorSecret },
    { operatorId: vendor.clientId, operatorSecret: vendor.clientSecret },
  ]) {
    const answer = await ask(gateway, body);
    expect(answer).toMatchObject(refusal('UNAUTHORIZED_INVALID_CREDENTIALS'));
    texts.add(answer.text);
  }
  expect(texts.size).toBe(1);
});

test('the body is strict', async ({ gateway }) => {
  expect(fieldErrorsOf(await ask(gateway, { operatorId: 5, roles: ['Admin'] }))).toEqual([
    'OperatorId invalid_type',
    'OperatorSecret required',
    'Roles unknown_field',
  ]);
});

test('after ten failures within a minute every secret is refused, the right one included', async ({
  gateway,
}) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  for (let index = 0; index < 10; index += 1) {
    expect((await ask(gateway, { operatorId, operatorSecret: `guess-${index}` })).status).toBe(401);
  }
  const answer = await ask(gateway, { operatorId, operatorSecret: 'guess' });
  expect(answer).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'FAILED_LOG_INS', maximum: 10 }),
  );
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/);
  expect(await ask(gateway, { operatorId, operatorSecret })).toMatchObject(
    refusal('TOO_MANY_REQUESTS', { reason: 'FAILED_LOG_INS', maximum: 10 }),
  );
});

test('successful log-ins of an operator are not limited', async ({ gateway }) => {
  const { operatorId, operatorSecret } = await newOperator(gateway);
  for (let index = 0; index < 12; index += 1) {
    expect((await ask(gateway, { operatorId, operatorSecret })).status).toBe(200);
  }
});
