import * as v from 'valibot';
import { seedVariant, seedVendor } from '../../../support/seeds/seed.ts';
import { seedApprovedOffers } from './approved-offers.ts';
import { firstWrong } from './events.ts';
import { rowOf, type Story } from './story.ts';

const offersOfVendor = 60;
const agreement = { pricingModel: 'PercentageOfSale', commissionPercent: 10 };

type Switched = {
  readonly id: string;
  readonly epoch: number;
  readonly isSettled: boolean;
  readonly audited: number;
  readonly changed: number;
  readonly changedTwice: number;
  readonly selling: number;
};

/** An operator switches a vendor's agreement, and all its offers stop selling. */
export const agreementSwitch: Story = {
  title: 'agreement switch',
  course: 'An operator switches the agreement of a vendor, and its 60 offers stop selling.',
  everyMs: 1500,
  openMax: 10,
  turnsMax: 60,
  isRepeatable: true,
  prepare: async ({ sql, clients, turnsMax }) => {
    const variantId = await seedVariant(sql);
    const vendorIds: string[] = [];
    for (let each = 0; each < turnsMax; each += 1) {
      const vendorId = await seedVendor(sql);
      await seedApprovedOffers(sql, { vendorId, variantId, count: offersOfVendor });
      vendorIds.push(vendorId);
    }
    return {
      play: async ({ number, persist }) => {
        const vendorId = vendorIds[number] ?? '';
        await persist(vendorId, () =>
          clients.operator.expect(`PATCH /operator/v1/vendors/${vendorId}/agreement`, v.unknown(), {
            body: agreement,
          }),
        );
      },
      read: async () => {
        const vendors = await sql<Switched[]>`
          select id, agreement_epoch as epoch,
            agreement_settled_epoch = agreement_epoch as is_settled,
            (select count(*)::int from audit_log where subject_id = vendors.id) as audited,
            changed, changed_twice, selling
          from vendors cross join lateral (
            select count(*) filter (where changes > 0)::int as changed,
              count(*) filter (where changes > 1)::int as changed_twice,
              count(*) filter (where is_selling)::int as selling
            from (
              select (
                  select count(*) from offer_status_changes
                  where offer_id = offers.id and to_status = 'PendingRepricing'
                ) as changes,
                status <> 'PendingRepricing' or exists (
                  select from supply_options where offer_id = offers.id and not is_paused
                ) as is_selling
              from offers where vendor_id = vendors.id
            ) as offer
          ) as counted
          where id = any(${vendorIds}::uuid[]) and agreement_epoch > 0`;
        return vendors.map(({ id, epoch, isSettled, audited, changed, changedTwice, selling }) =>
          rowOf(id, {
            isEnded: isSettled,
            doubled: epoch - 1 + Math.max(0, audited - 1) + changedTwice,
            wrong: firstWrong(
              isSettled && selling > 0 ? `${selling} offers of vendor ${id} still sell` : null,
              isSettled && changed !== offersOfVendor
                ? `${changed} of ${offersOfVendor} offers of vendor ${id} have the change`
                : null,
              audited === 0 ? `the switch of vendor ${id} has no audit entry` : null,
            ),
          }),
        );
      },
    };
  },
};
