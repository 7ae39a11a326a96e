import * as fc from 'fast-check';
import { expect } from 'vitest';
import type { ReviewJobAction } from '../../../domain/jobs/review-job.ts';
import { addSubscription } from '../../db/support.ts';
import { gatewayTest as test } from '../../support/gateway/gateway-test.ts';
import {
  anyCommand,
  anyWorld,
  createWorld,
  offerAt,
  pushSingly,
  runOther,
  storedState,
  type World,
} from '../offers/bulk/bulk-model.ts';
import { newVariant } from '../../support/api/actors.ts';
import { call, unknownId, type Gateway } from '../../support/api/api.ts';
import { reviewToEnd } from './job-fixture.ts';

/** The items of a review job and single decisions, held to each other. */

const anyItem = fc.record({
  /** Counts the offers round; one beyond them is no offer. */
  target: fc.integer({ min: 0, max: 12 }),
  version: fc.oneof(
    fc.constant('present' as const),
    fc.constantFrom('present', 'other', 'omitted', 'malformed'),
  ),
  variant: fc.constantFrom('active', 'active', 'omitted', 'omitted', 'inactive', 'unknown'),
});
const anyReview = fc.record({
  type: fc.constant('review' as const),
  action: fc.constantFrom<ReviewJobAction>('approve', 'reject', 'apply', 'discard'),
  items: fc.uniqueArray(anyItem, { selector: ({ target }) => target, minLength: 1, maxLength: 12 }),
});
type Review = typeof anyReview extends fc.Arbitrary<infer T> ? T : never;

type Variants = Readonly<Record<'active' | 'inactive' | 'unknown', string>>;

/** The bodies of the items, each with the id of its offer. */
async function bodiesOf(
  { sql }: Gateway,
  world: World,
  { action, items }: Review,
  variants: Variants,
) {
  const rows = await sql<{ id: string; version: number }[]>`
    select offers.id, judged_version + agreement_version as version
    from offers join vendors on vendors.id = offers.vendor_id
    where vendor_id = ${world.vendor.vendorId}`;
  return items.map(({ target, version, variant }) => {
    const offerId = offerAt(world, target)?.id ?? unknownId();
    const present = rows.find(({ id }) => id === offerId)?.version ?? 1;
    const versions = { present, other: present + 1, malformed: 'x' };
    const body = {
      ...(version === 'omitted' ? {} : { expectedVersion: versions[version] }),
      ...(action === 'approve' && variant !== 'omitted' ? { variantId: variants[variant] } : {}),
    };
    return { offerId, body };
  });
}

/** The path of the single decision, and the reason that it takes. */
const decisions = {
  approve: ['approve', {}],
  reject: ['reject', { reason: 'No.' }],
  apply: ['pending-price/apply', {}],
  discard: ['pending-price/discard', { reason: 'Expensive.' }],
} as const;

/** A refusal names the latest act (D161), which in a job is the latest one of its batch. */
function withoutAct(details: Readonly<Record<string, unknown>>) {
  const { decidedBy: _by, decision: _decision, at: _at, ...others } = details;
  return others;
}

async function decideSingly(gateway: Gateway, world: World, review: Review, variants: Variants) {
  const [path, reason] = decisions[review.action];
  const outcomes = [];
  for (const { offerId, body } of await bodiesOf(gateway, world, review, variants)) {
    const url = `/operator/v1/offers/${offerId}/${path}`;
    const sent = { token: world.operator.token, body: { ...body, ...reason } };
    const response = await call(gateway, 'POST', url, sent);
    const { status: httpStatus, state, payload } = response;
    const { help: _help, ...details } = withoutAct(response.details);
    const { status: offerStatus = null, reviewVersion = null } = payload ?? {};
    outcomes.push({ httpStatus, state, details, offerStatus, reviewVersion });
  }
  return outcomes;
}

async function decideByJob(gateway: Gateway, world: World, review: Review, variants: Variants) {
  const bodies = await bodiesOf(gateway, world, review, variants);
  const items = bodies.map(({ offerId, body }) => ({ offerId, ...body }));
  const kind = { action: review.action, ...decisions[review.action][1] };
  const { results } = await reviewToEnd(gateway, world.operator, kind, items);
  return results.map(({ httpStatus, state, details, offerStatus, reviewVersion }) => ({
    httpStatus,
    state,
    details: withoutAct(details as Readonly<Record<string, unknown>>),
    offerStatus,
    reviewVersion,
  }));
}

/**
 * What tells of decisions: audit entries, events and their messages, without ids and instants. Only
 * a job tells the reviews: a single decision is made by the review's own run.
 */
async function traceOf({ sql }: Gateway, { offers, vendor, operator }: World) {
  const ids = offers.map(({ id }) => id);
  const audit = await sql`
    select action, subject_type, before - 'variantId' as before,
      (after - array['variantId', 'reviewJobId', 'waitedMs']) #- '{undo,awaitingSince}' as after,
      after ? 'waitedMs' as has_waited, operator_id = ${operator.id} as is_own,
      (after ->> 'variantId') is not null as is_matched
    from audit_log where subject_id = any(${ids}::uuid[]) order by id`;
  const events = await sql`
    select event_type, sequence::int, array_position(${ids}::uuid[],
        (body::jsonb #>> '{data,offerId}')::uuid) as offer,
      (body::jsonb -> 'data') - array['offerId', 'reviewedAt'] as data, receivers
    from webhook_events where vendor_id = ${vendor.vendorId} order by sequence`;
  const messages = await sql`
    select kind, payload - 'vendorId' as payload from outbox
    where payload ->> 'vendorId' = ${vendor.vendorId} and kind not in ('bulkJob', 'offerReview')
    order by kind, payload::text`;
  return { audit: [...audit], events: [...events], messages: [...messages] };
}

/** All that is stored about a world's offers but the messages to their reviews. */
const stateOf = async (gateway: Gateway, world: World): Promise<unknown> =>
  JSON.parse(JSON.stringify(await storedState(gateway, world)), (key, value: unknown) =>
    key === 'messages' ? undefined : value,
  );

test('returns and stores for review jobs what single decisions do', async ({ gateway }) => {
  const { sql } = gateway;
  const seen = new Set<number>();
  const variants = {
    active: (await newVariant(gateway, { barcode: '4006381333931' })).id,
    inactive: (await newVariant(gateway, { isActive: false })).id,
    unknown: unknownId(),
  };
  const property = fc.asyncProperty(
    anyWorld,
    fc.array(fc.oneof({ weight: 2, arbitrary: anyReview }, { weight: 1, arbitrary: anyCommand }), {
      minLength: 1,
      maxLength: 4,
    }),
    async (offers, commands) => {
      const [single, byJob] = await Promise.all([
        createWorld(gateway, offers),
        createWorld(gateway, offers),
      ]);
      for (const { vendor } of [single, byJob]) await addSubscription(sql, vendor.vendorId);
      for (const command of commands) {
        if (command.type === 'review') {
          const singly = await decideSingly(gateway, single, command, variants);
          expect(await decideByJob(gateway, byJob, command, variants)).toEqual(singly);
          for (const { httpStatus } of singly) seen.add(httpStatus);
        } else
          for (const world of [single, byJob])
            if (command.type === 'push') await pushSingly(gateway, world, command);
            else await runOther(gateway, world, command);
        expect(await stateOf(gateway, byJob)).toEqual(await stateOf(gateway, single));
        expect(await traceOf(gateway, byJob)).toEqual(await traceOf(gateway, single));
      }
    },
  );
  await fc.assert(property, { numRuns: 40 });
  expect(seen).toEqual(new Set([200, 400, 404, 409, 422]));
}, 300_000);
