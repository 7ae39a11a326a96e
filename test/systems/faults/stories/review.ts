import * as v from 'valibot';
import { withId } from '../../../../scripts/demo/api-calls.ts';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { firstWrong, readEvents, subscribe, sumOf } from './events.ts';
import { rowOf, type Story } from './story.ts';

type Decided = {
  readonly key: string;
  readonly id: string;
  readonly status: string;
  readonly copies: number;
  readonly audited: number;
  readonly changes: number;
  readonly isSold: boolean;
  readonly isDated: boolean;
};

const decidable = v.object({ status: v.string(), reviewVersion: v.number() });
const isDecided = (status: string): boolean => status === 'Approved' || status === 'Rejected';
const decisionKey = (key: string): string => `${key} decided`;
/** Every third offer is rejected. */
const wantedStatus = (number: number): string => (number % 3 === 0 ? 'Rejected' : 'Approved');

/** A vendor submits an offer, a reviewer decides, and the decision arrives as a webhook. */
export const review: Story = {
  title: 'review',
  course:
    'A vendor submits an offer, a reviewer decides, and the webhook with the decision arrives.',
  everyMs: 400,
  openMax: 40,
  turnsMax: 400,
  isRepeatable: true,
  prepare: async (context) => {
    const { sql, clients, receiver, drill } = context;
    const [vendorId, variantId] = [await seedVendor(sql), await seedVariant(sql)];
    const vendor = await clients.vendor(vendorId);
    await subscribe(context, vendorId, {
      url: receiver.steadyUrl,
      eventType: 'vendor.offer.review-decision',
    });
    const keyOf = (number: number): string => `${drill}-${number}`;
    const decide = async (id: string, number: number): Promise<void> => {
      const path = `/operator/v1/offers/${id}`;
      const found = await clients.operator.expect(`GET ${path}`, decidable);
      // An earlier call was applied, and its response was lost.
      if (isDecided(found.status)) return;
      const [action, body] =
        wantedStatus(number) === 'Approved' ? ['approve', {}] : ['reject', { reason: 'No' }];
      await clients.operator.expect(`POST ${path}/${action}`, v.unknown(), {
        body: { ...body, expectedVersion: found.reviewVersion },
      });
    };
    return {
      play: async ({ number, persist }) => {
        const key = keyOf(number);
        const body = {
          variantId,
          vendorExternalId: key,
          cost: 100,
          costIsVatInclusive: false,
          declaredStockQuantity: 3,
        };
        const { id } = await persist(key, async () => {
          const { status, payload } = await vendor.call('POST /api/v1/scent/offers', { body });
          // 200: an earlier call was applied, and its response was lost.
          if (status !== 201 && status !== 200) throw new Error(`create-offer answers ${status}`);
          return v.parse(withId, payload);
        });
        await persist(decisionKey(key), () => decide(id, number));
      },
      read: async () => {
        const offers = await sql<Decided[]>`
          select vendor_external_id as key, id, status,
            count(*) over (partition by vendor_external_id)::int as copies,
            (select count(*)::int from audit_log where subject_id = offers.id) as audited,
            (
              select count(*)::int from offer_status_changes
              where offer_id = offers.id and to_status in ('Approved', 'Rejected')
            ) as changes,
            exists (
              select from supply_options where offer_id = offers.id and not is_paused
            ) as is_sold,
            reviewed_at between created_at - interval '1 minute' and now() + interval '1 minute'
              as is_dated
          from offers where vendor_id = ${vendorId} and vendor_external_id is not null`;
        const events = await readEvents(context, vendorId, ({ offerId }) => offerId);
        return offers.flatMap((offer) => {
          const { key, id, status, copies, audited, changes, isSold, isDated } = offer;
          const own = rowOf(key, { isEnded: true, doubled: copies - 1 });
          if (!isDecided(status)) return [own];
          const seen = events.get(id) ?? [];
          const wanted = wantedStatus(Number(key.slice(drill.length + 1)));
          const decided = rowOf(decisionKey(key), {
            isEnded: seen.length > 0 && seen.every(({ isDelivered }) => isDelivered),
            doubled:
              Math.max(0, audited - 1) +
              Math.max(0, changes - 1) +
              Math.max(0, seen.length - 1) +
              sumOf(seen.map(({ doubled }) => doubled)),
            wrong: firstWrong(
              status === wanted ? null : `offer ${id} is ${status}, not ${wanted}`,
              isSold === (status === 'Approved') ? null : `offer ${id} has the wrong supply`,
              isDated ? null : `offer ${id} was decided at another instant`,
              audited === 0 ? `offer ${id} was decided without an audit entry` : null,
              ...seen.map(({ wrong }) => wrong),
              ...seen.map(({ data }) =>
                data['decision'] === status ? null : `offer ${id} was announced otherwise`,
              ),
            ),
          });
          return [own, decided];
        });
      },
    };
  },
};
