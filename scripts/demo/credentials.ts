import * as v from 'valibot';
import { expect, expectRefusal, payloadOf } from './caller.ts';
import type { Call, Stage } from './stage.ts';

const created = v.object({
  id: v.string(),
  clientId: v.string(),
  clientSecret: v.string(),
  capabilities: v.string(),
});
const listed = v.object({ items: v.array(v.object({ id: v.string(), isActive: v.boolean() })) });
const token = v.object({ accessToken: v.string() });
const inProduction = { 'x-service-environment': 'Production' };

/** What a vendor does with credentials of its own: a narrow one for its warehouse, which cannot do more, and then is no more. */
export async function keepCredentials(stage: Stage): Promise<void> {
  const { asVendor, step } = stage;
  step(
    'The vendor generates a credential for its warehouse, which may push stock and nothing else',
  );
  const wish = { capabilities: 'Stock' };
  const made = payloadOf(
    await asVendor('POST', '/api/v1/credentials', wish, inProduction),
    201,
    created,
  );
  expect(made.capabilities === 'Stock', 'it holds what was asked for');
  const asWarehouse = await logIn(stage, made);

  step(
    'Its token opens what it is for: the rest is refused outright, and it cannot make itself more',
  );
  const offers = await asWarehouse('GET', '/api/v1/scent/offers?pageSize=1');
  expect(offers.status === 200, 'it reads offers');
  expectRefusal(
    await asWarehouse('GET', '/api/v1/webhooks'),
    403,
    'FORBIDDEN_CAPABILITY_NOT_GRANTED',
  );
  const more = await asWarehouse(
    'POST',
    '/api/v1/credentials',
    { capabilities: 'Orders' },
    inProduction,
  );
  expectRefusal(more, 403, 'FORBIDDEN_CAPABILITY_NOT_GRANTED');

  step('The warehouse closes: the credential is switched off, then deleted for ever');
  const off = await asVendor('PATCH', `/api/v1/credentials/${made.id}/active`, { isActive: false });
  expect(off.status === 200, 'it is off');
  const refused = await stage.asAnyone('POST', '/api/v1/auth/token', secretsOf(made));
  expectRefusal(refused, 401, 'UNAUTHORIZED_INVALID_CREDENTIALS');
  const deleted = await asVendor('DELETE', `/api/v1/credentials/${made.id}`);
  expect(deleted.status === 200, 'it is deleted');
  const left = payloadOf(
    await asVendor('GET', '/api/v1/credentials', undefined, inProduction),
    200,
    listed,
  );
  expect(
    left.items.every(({ id }) => id !== made.id),
    'no list knows it any more',
  );
}

const secretsOf = ({ clientId, clientSecret }: v.InferOutput<typeof created>) => ({
  clientId,
  clientSecret,
});

async function logIn(
  { asAnyone, as }: Stage,
  credential: v.InferOutput<typeof created>,
): Promise<Call> {
  const answer = await asAnyone('POST', '/api/v1/auth/token', secretsOf(credential));
  return as(payloadOf(answer, 200, token).accessToken);
}
