import { expect, test } from 'vitest';
import { parseReviewItems, reviewJobBody } from '../../../api/jobs/review-job-body.ts';
import { bodyErrors } from '../../../api/validation/compiler.ts';
import type { ReviewJobAction, ReviewJobItem } from '../../../domain/jobs/review-job.ts';

const offerId = '019a1f00-1200-7b20-a1b2-c3d4e5f60703';
const other = '019a1f00-1200-7b20-a1b2-c3d4e5f60704';
const items = [{ offerId }];

test.each<[object, readonly string[]]>([
  [{ action: 'approve', items }, []],
  [{ action: 'reject', reason: 'No.', items }, []],
  [{ action: 'apply', items: ['text'] }, []],
  [
    { action: 'discard', reason: 'Expensive.', items: Array.from({ length: 10_000 }, () => ({})) },
    [],
  ],
  [{ action: 'reject', items }, ['/reason reason_mismatch']],
  [{ action: 'reject', reason: ' ', items }, ['/reason reason_mismatch']],
  [{ action: 'approve', reason: 'Fine.', items }, ['/reason reason_mismatch']],
  [{ action: 'suspend', items }, ['/action not_allowed']],
  [{ items }, ['/action required']],
  [{ action: 'apply', items: [] }, ['/items too_few']],
  [{ action: 'apply', items: Array.from({ length: 10_001 }, () => ({})) }, ['/items too_many']],
  [{ action: 'apply', items, other: 1 }, ['/other unknown_field']],
])('%#: judges the body of a review job', (body, errors) => {
  expect(bodyErrors(reviewJobBody, body).map(({ path, code }) => `${path} ${code}`)).toEqual(
    errors,
  );
});

/** The paths and codes of a malformed item; none for a decision. */
function errorsOf(item: ReviewJobItem): readonly string[] {
  if (item.type === 'decision') return [];
  const { errors } = item.failure.details as { errors: readonly Record<string, string>[] };
  return errors.map(({ path, code }) => `${path} ${code}`);
}

test.each<[ReviewJobAction, unknown, string | null, readonly string[]]>([
  ['approve', { offerId, expectedVersion: 1, variantId: other }, offerId, []],
  ['apply', { offerId: offerId.toUpperCase(), expectedVersion: 1 }, offerId, []],
  ['reject', { offerId }, offerId, []],
  ['discard', { offerId, expectedVersion: null }, offerId, []],
  ['approve', { offerId, variantId: other }, offerId, ['/expectedVersion required']],
  ['apply', { offerId }, offerId, ['/expectedVersion required']],
  [
    'apply',
    { offerId: 'x', expectedVersion: 'y', variantId: other },
    null,
    ['/offerId invalid_uuid', '/expectedVersion invalid_type', '/variantId unknown_field'],
  ],
  ['discard', { offerId, 'a\0b': 1 }, offerId, ['/a\ufffdb unknown_field']],
  ['discard', 'text', null, [' invalid_type']],
])('judges for %s the item %j as the single call does', async (action, sent, named, errors) => {
  const [item] = await parseReviewItems(action, [sent]);
  expect(item?.offerId).toBe(named);
  expect(item === undefined ? null : errorsOf(item)).toEqual(errors);
});

test('refuses a second item of an offer, unless the first one is malformed', async () => {
  const sent = [{ offerId, x: 1 }, { offerId }, { offerId: other }, { offerId }];
  expect((await parseReviewItems('discard', sent)).map(errorsOf)).toEqual([
    ['/x unknown_field'],
    [],
    [],
    ['/offerId duplicate'],
  ]);
});
