import { expect } from 'vitest';
import { checkIds } from '../../../doctor/checks.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { refusal, type ApiResponse } from '../../support/api/api.ts';
import { workflowOf } from '../../support/api/matchers.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';

const checksOf = ({ payload }: ApiResponse) =>
  payload?.['checks'] as readonly { readonly id: string; readonly findings: readonly unknown[] }[];

test('runs every check as the role of the API, and finds a sound record clean', async ({
  operate,
}) => {
  const response = await operate('GET', '/doctor');
  expect(checksOf(response)).toMatchObject(checkIds.map((id) => ({ id, state: 'clean' })));
  expect(response).toMatchObject({ status: 200, payload: { isClean: true } });
});

test('names what is wrong, with a link to its workflow', async ({ gateway, operate }) => {
  const offer = await seedOffer(gateway.sql, await seedVendor(gateway.sql));
  // As if Temporal had lost the run.
  await gateway.sql`delete from outbox`;

  const response = await operate('GET', '/doctor?check=review-without-run');

  expect(response.payload).toMatchObject({ isClean: false });
  expect(checksOf(response)).toEqual([
    {
      id: 'review-without-run',
      title: 'Each offer in review has its open run',
      state: 'found',
      checked: 1,
      found: 1,
      isRepairable: true,
      findings: [
        {
          subjectType: 'offer',
          subjectId: offer.id,
          text: 'waits, and has no open run',
          workflow: workflowOf(offerReviewId(offer.id)),
        },
      ],
    },
  ]);
});

test('lists twenty findings of a check and counts all of them', async ({ gateway, operate }) => {
  await gateway.sql`
    insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
      reason)
    select n, 'new', uuidv7(), '{}', false, now(), 'unknown' from generate_series(1, 25) as n`;
  const checks = checksOf(await operate('GET', '/doctor?check=message-set-aside'));
  expect(checks).toMatchObject([{ found: 25 }]);
  expect(checks[0]?.findings).toHaveLength(20);
});

test('refuses an unknown check', async ({ operate }) => {
  expect(await operate('GET', '/doctor?check=all')).toMatchObject({
    ...refusal('VALIDATION_INVALID_QUERY_PARAMETER'),
    details: { parameter: 'check' },
  });
});
