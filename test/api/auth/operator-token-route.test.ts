import { expect } from 'vitest';
import { newOperator } from '../../support/api/actors.ts';
import { call, refusal, textOf, type Gateway } from '../../support/api/api.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';

const ask = (gateway: Gateway, body: unknown) =>
  call(gateway, 'POST', '/operator/v1/auth/token', { body });

test('gives the right secret a token of 900 s with its roles', async ({ gateway }) => {
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

test('refuses every secret after ten failures in a minute, the right one included', async ({
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
