import { describe, expect } from 'vitest';
import { checkIds } from '../../../doctor/checks.ts';
import { offerReviewId } from '../../../workflows/ids.ts';
import { gatewayTest } from '../../support/gateway/gateway-test.ts';
import { seedOffer, seedVendor } from '../../support/seeds/seed.ts';
import { newOperator } from '../../support/api/actors.ts';
import { call } from '../../support/api/api.ts';
import { runsUrlOf } from '../../support/api/matchers.ts';

type Finding = {
  readonly subjectType: string;
  readonly subjectId: string;
  readonly text: string;
  readonly workflow: { readonly workflowId: string; readonly url: string } | null;
};
type Answered = {
  readonly isClean: boolean;
  readonly checks: readonly {
    readonly id: string;
    readonly state: string;
    readonly found: number;
    readonly findings: readonly Finding[];
  }[];
};

const test = gatewayTest
  .extend('admin', { scope: 'file' }, ({ gateway }) => newOperator(gateway, ['Admin']))
  .extend('examine', { scope: 'file' }, ({ gateway, admin }) => async (query = '') => {
    const url = `/operator/v1/doctor${query}`;
    const answer = await call(gateway, 'GET', url, { token: admin.token });
    expect(answer.status).toBe(200);
    return answer.payload as unknown as Answered;
  });

describe('the operator’s doctor', () => {
  test('runs every check as the role of the API, and finds a sound record clean', async ({
    examine,
  }) => {
    const { isClean, checks } = await examine();
    expect(checks.map(({ id }) => id)).toEqual(checkIds);
    expect(checks.filter(({ state }) => state !== 'clean')).toEqual([]);
    expect(isClean).toBe(true);
  });

  test('names what is wrong, with a link to its workflow', async ({ gateway, examine }) => {
    const vendorId = await seedVendor(gateway.sql);
    const offer = await seedOffer(gateway.sql, vendorId);
    // As if Temporal had lost the run.
    await gateway.sql`delete from outbox`;

    const { isClean, checks } = await examine('?check=review-without-run');

    expect(isClean).toBe(false);
    const workflowId = offerReviewId(offer.id);
    expect(checks).toEqual([
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
            workflow: {
              workflowId,
              url:
                'http://temporal-ui.test/namespaces/default/workflows/' +
                encodeURIComponent(workflowId),
              runsUrl: runsUrlOf(workflowId),
            },
          },
        ],
      },
    ]);
  });

  test('lists twenty findings of a check and counts all of them', async ({ gateway, examine }) => {
    await gateway.sql`
      insert into outbox_set_aside (id, kind, subject_id, payload, is_low_priority, created_at,
        reason)
      select n, 'new', uuidv7(), '{}', false, now(), 'unknown' from generate_series(1, 25) as n`;
    const { checks } = await examine('?check=message-set-aside');
    expect(checks).toMatchObject([{ found: 25 }]);
    expect(checks[0]?.findings).toHaveLength(20);
  });

  test('refuses an unknown check', async ({ gateway, admin: { token } }) => {
    const url = '/operator/v1/doctor?check=all';
    expect(await call(gateway, 'GET', url, { token })).toMatchObject({
      status: 400,
      state: 'VALIDATION_INVALID_QUERY_PARAMETER',
    });
  });
});
